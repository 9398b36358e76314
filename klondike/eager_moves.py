"""Cards that go to their foundations before other things are tried.

**Order.** A surface z is shifted, or a card z of the stock is placed, in a position that is in the
table, and after that a card y goes up that could have gone up before. Then that need not be
searched here. *Proof.* Both moves can be made in the other order, with the same end: y is no
parent that only z needs, for it is still bare. The shift or placement is never left out, so by
going back over such moves to the position where y could go up for the first time, or after a move
of another kind, and from there over the same moves, the end is reached. ∎ (Cards of the type that
was turned up by the shift, or placed, may not have been bare before, so they are always tried.)

**Eager.** With worrying back, a placed card y that can go up goes up at once; no position in which
it stays is searched. *Argument.* The move can be taken back right away, for the place of y is free,
so a game is won from one position if from the other. What can be done with y in the tableau can be
done from the foundation, by taking down y right before (:mod:`klondike.late_moves`). An exception
are twins that could both go up while a card lies on one of them, for one going up hinders the
other. This is checked against exhaustive searches, not proved in every detail: whether what is left
out of one position is always found from another one that is searched.
"""

from typing import Any

import numpy as np

from dealstats.jit import inlined_kernel
from klondike.condensed import BELOW, EVEN_KINDS
from klondike.condensed_moves import KIND_MASK, PLAY, SHIFT, Sets, type_of


@inlined_kernel
def eager_cards(visible: int, locked: int, sets: Sets) -> int:
    """The set of placed cards that go up at once."""
    cards = visible & ~locked & sets.open & sets.next_up
    ready = visible & sets.next_up
    both_ready = (ready & ready >> 1 & EVEN_KINDS) * 3
    return cards & ~both_ready


@inlined_kernel
def independent_ups(move: int, deal: Any) -> int:
    """The set of cards that could go up before a move if they can go up after it."""
    kind, what = move & KIND_MASK, move & ~KIND_MASK
    if what == SHIFT:
        below = deal[BELOW + kind]
        pair = below | (below << 1 & (EVEN_KINDS << 1)) | (below >> 1 & EVEN_KINDS)
        return ~pair
    return ~type_of(kind) if what == PLAY else np.int64(0)
