"""What a player kernel remembers: an array of notes, the same for all games.

The first `ROOM_NOTE` notes are zeros at the start of a game, but for the random number that the
table leaves in `RANDOM_NOTE` for players that want one; the rest is room to work in.
"""

from typing import Any

import numpy as np

from dealstats.bits import multiply_high
from dealstats.jit import inlined_kernel

UNSEEN = 255
"""Stands for a card that the player has not seen."""
RANDOM_NOTE = 0
ROOM_NOTE = 8


@inlined_kernel
def clear_notes(notes: Any) -> None:
    """Make the notes fit for a new game."""
    for note in range(ROOM_NOTE):
        notes[note] = 0


@inlined_kernel
def random_below(notes: Any, bound: int) -> int:
    """A random number from 0 to ``bound - 1``, and the next state of its generator.

    That is splitmix64 (Steele, Lea and Flood 2014), its state in ``notes[RANDOM_NOTE]``. For the
    bounds of a choice among moves, one part in 2**56 of bias is left: far below what any number
    of games can show.
    """
    notes[RANDOM_NOTE] += np.int64(-7046029254386353131)
    word = np.uint64(notes[RANDOM_NOTE])
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64(multiply_high(word ^ (word >> np.uint64(31)), np.uint64(bound)))
