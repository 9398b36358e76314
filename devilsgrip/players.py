"""Players of Devil's Grip that do not see the cards lying face down.

A player is a kernel ``choose(state, seen, rules, notes) -> move``.

state : State
    The packed position. It holds no card of the stock or talon, only which places are left.
seen : (72,) uint8 array
    Kind of the card at each place as far as DG10 lets the player know it, else `UNSEEN`.
notes : (16,) int64 array
    The player's own memory, zeros at the start of a game but for a random number in
    ``notes[RANDOM_NOTE]``.
"""

from typing import Any

import numpy as np

from dealstats.bits import multiply_high
from dealstats.jit import inlined_kernel, kernel
from devilsgrip.chains import FIRST_BUILD_NEXT, FIRST_PLACE_NEXT
from devilsgrip.kernel import (
    MOVES_CEILING,
    NO_CHAIN,
    NO_PLACE,
    PLACE,
    REDEAL,
    STOP,
    TURN,
    build_move,
    buildable_chain,
    can_redeal,
    cards_left,
    chain_state,
    legal_moves,
    next_stock,
    talon_top,
)
from devilsgrip.layout import State
from devilsgrip.playing import RANDOM_NOTE, UNSEEN

LEFT_NOTE = 1
"""Cards left when the player last turned the talon over (0 before that)."""


@inlined_kernel
def placement(state: State, seen: Any) -> int:
    """The move that lays the talon's top card on the pile with the lowest bottom, or `STOP`."""
    place = talon_top(state)
    if place == NO_PLACE:
        return STOP
    kind = np.int64(seen[place])
    following = FIRST_PLACE_NEXT[chain_state(state, kind >> 2), kind & 3]
    return PLACE + following if following >= 0 else STOP


@inlined_kernel
def any_build(state: State, rules: Any) -> int:
    """A move that opens a space, or `STOP`."""
    chain = buildable_chain(state, rules)
    if chain == NO_CHAIN:
        return STOP
    return build_move(chain, FIRST_BUILD_NEXT[rules.unit, chain_state(state, chain)])


@inlined_kernel
def turn_on(state: State, rules: Any, notes: Any) -> int:
    """Turn, or redeal after a pass that brought cards into the grid, else `STOP`."""
    if next_stock(state) != NO_PLACE:
        return TURN
    left = cards_left(state)
    if left == notes[LEFT_NOTE] or not can_redeal(state, rules):
        return STOP
    notes[LEFT_NOTE] = left
    return REDEAL


@inlined_kernel
def choose_greedy(state: State, seen: Any, rules: Any, notes: Any) -> int:
    move = placement(state, seen)
    if move == STOP:
        move = any_build(state, rules)
    if move == STOP:
        move = turn_on(state, rules, notes)
    return move
