"""How the players of :mod:`devilsgrip.players` choose their moves.

Each is a kernel ``choose(state, seen, rules, notes) -> move``.

state : State
    The position. It holds no card of stock or talon, only which places are left.
seen : (18 * suits,) uint8 array
    Kind of the card at each place as far as DG10 lets the player know it, else `UNSEEN`.
rules : PackedRules
notes : (NOTES,) int64 array
    The player's own memory (:mod:`dealstats.notes`); players of `WANT_RANDOM` find a random
    number in it.
"""

from typing import Any

import numpy as np

from dealstats.jit import inlined_kernel, kernel
from dealstats.notes import ROOM_NOTE, UNSEEN, clear_notes, random_below
from devilsgrip.chains import BUILDS_IN_A_ROW, FIRST_BUILD_NEXT, FIRST_PLACE_NEXT
from devilsgrip.kernel import (
    MOVES_CEILING,
    NO_CHAIN,
    NO_PLACE,
    REDEAL,
    STOP,
    TURN,
    after_move,
    build_move,
    buildable_chain,
    can_redeal,
    cards_left,
    chain_state,
    first_place_from,
    legal_moves,
    next_stock,
    placement_move,
    talon_top,
)
from devilsgrip.layout import State

LEFT_NOTE = 1
"""Cards left when the player last turned the talon over (0 before that)."""
VAIN_NOTE = 2
"""Whether the last pass brought no card into the grid, and no build has been made since."""
KNOWN_NOTE = 3
"""Whether all cards left are known."""
NOTES = ROOM_NOTE + MOVES_CEILING


# What players look at.


@inlined_kernel
def fitting_state(state: State, kind: int) -> int:
    """The next state of its chain if a card goes on the pile with the lowest bottom, or -1."""
    return FIRST_PLACE_NEXT[chain_state(state, kind >> 2), kind & 3]


@inlined_kernel
def placement(state: State, seen: Any) -> int:
    """The move that lays the talon's top card on the pile with the lowest bottom, or `STOP`."""
    place = talon_top(state)
    if place == NO_PLACE:
        return STOP
    following = fitting_state(state, np.int64(seen[place]))
    return placement_move(following) if following >= 0 else STOP


@inlined_kernel
def any_build(state: State, rules: Any) -> int:
    """A move that opens a space, or `STOP`."""
    chain = buildable_chain(state, rules)
    if chain == NO_CHAIN:
        return STOP
    return build_move(chain, FIRST_BUILD_NEXT[rules.unit, chain_state(state, chain)])


@inlined_kernel
def builds_in_reserve(state: State, rules: Any) -> int:
    """How many builds the grid offers, one after the other."""
    builds = np.int64(0)
    for chain in range(rules.chains):
        builds += BUILDS_IN_A_ROW[rules.unit, chain_state(state, chain)]
    return builds


@inlined_kernel
def is_last_pass(state: State, rules: Any) -> bool:
    """Whether no redeal is left."""
    return rules.redeals >= 0 and state.redeals >= rules.redeals


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


# random


@inlined_kernel
def choose_random(state: State, seen: Any, rules: Any, notes: Any) -> int:
    moves = notes[ROOM_NOTE:]
    count = legal_moves(state, seen, rules, moves)
    if count == 0:
        return STOP
    move = moves[random_below(notes, count)]
    return turn_on(state, rules, notes) if move == REDEAL else move


# greedy


@inlined_kernel
def choose_greedy(state: State, seen: Any, rules: Any, notes: Any) -> int:
    move = placement(state, seen)
    if move == STOP:
        move = any_build(state, rules)
    if move == STOP:
        move = turn_on(state, rules, notes)
    return move


# keeper and matcher


@inlined_kernel
def _keep_builds(state: State, is_wanted: bool, rules: Any, notes: Any) -> int:
    """Build if the next card is wanted or after a pass in vain, else turn."""
    if next_stock(state) == NO_PLACE:
        return _redeal_keeping_builds(state, rules, notes)
    if is_wanted or notes[VAIN_NOTE] != 0:
        move = any_build(state, rules)
        if move != STOP:
            notes[VAIN_NOTE] = 0
            return move
    return TURN


@inlined_kernel
def _redeal_keeping_builds(state: State, rules: Any, notes: Any) -> int:
    if not can_redeal(state, rules):
        return STOP
    left = cards_left(state)
    if left == notes[LEFT_NOTE]:
        if buildable_chain(state, rules) == NO_CHAIN:
            return STOP
        notes[VAIN_NOTE] = 1
    notes[LEFT_NOTE] = left
    return REDEAL


@inlined_kernel
def _next_kind(state: State, seen: Any) -> int:
    """Kind of the next stock card if it is known, else `UNSEEN`."""
    place = next_stock(state)
    return UNSEEN if place == NO_PLACE else np.int64(seen[place])


@inlined_kernel
def choose_keeper(state: State, seen: Any, rules: Any, notes: Any) -> int:
    move = placement(state, seen)
    if move == STOP:
        kind = _next_kind(state, seen)
        is_wanted = is_last_pass(state, rules) if kind == UNSEEN else kind & 3 == 0
        move = _keep_builds(state, is_wanted, rules, notes)
    return move


@inlined_kernel
def choose_matcher(state: State, seen: Any, rules: Any, notes: Any) -> int:
    move = placement(state, seen)
    if move == STOP:
        kind = _next_kind(state, seen)
        if kind == UNSEEN:
            is_wanted = is_last_pass(state, rules)
        else:
            is_wanted = kind & 3 == 0 or fitting_state(state, kind) >= 0
        move = _keep_builds(state, is_wanted, rules, notes)
    return move


# rollout

RESERVE = 3
"""Builds that the first pass leaves alone: found on tuning deals with one and two redeals."""
WORST = 1 << 20


@kernel
def _greedy_score(state: State, order: Any, rules: Any, notes: Any) -> int:
    """Cards that greedy would leave."""
    clear_notes(notes)
    move = choose_greedy(state, order, rules, notes)
    while move != STOP:
        state = after_move(state, move, order, rules)
        move = choose_greedy(state, order, rules, notes)
    return cards_left(state)


@kernel
def _matcher_score(state: State, order: Any, rules: Any, notes: Any) -> int:
    """Cards that matcher would leave."""
    clear_notes(notes)
    move = choose_matcher(state, order, rules, notes)
    while move != STOP:
        state = after_move(state, move, order, rules)
        move = choose_matcher(state, order, rules, notes)
    return cards_left(state)


@kernel
def _prospect(state: State, move: int, order: Any, rules: Any, notes: Any) -> int:
    """What a move promises, low is good: the better play-out, and among equals the other one."""
    following = after_move(state, move, order, rules)
    room = notes[ROOM_NOTE:]
    greedy = _greedy_score(following, order, rules, room)
    matcher = _matcher_score(following, order, rules, room)
    return 128 * min(greedy, matcher) + max(greedy, matcher)


@kernel
def _best_by_rollout(state: State, order: Any, rules: Any, notes: Any) -> int:
    """The most promising of placement, turn and one build in each chain."""
    best = placement(state, order)
    least = WORST if best == STOP else _prospect(state, best, order, rules, notes)
    if next_stock(state) == NO_PLACE:
        return best
    prospect = _prospect(state, TURN, order, rules, notes)
    if prospect < least:
        best, least = TURN, prospect
    for chain in range(rules.chains):
        following = FIRST_BUILD_NEXT[rules.unit, chain_state(state, chain)]
        if following >= 0:
            move = build_move(chain, following)
            prospect = _prospect(state, move, order, rules, notes)
            if prospect < least:
                best, least = move, prospect
    return best


@inlined_kernel
def _all_known(state: State, seen: Any, notes: Any) -> bool:
    """Whether the player has seen all cards left; once true, that stays so."""
    if notes[KNOWN_NOTE] == 0:
        place = first_place_from(state, np.int64(0))
        while place != NO_PLACE and seen[place] != UNSEEN:
            place = first_place_from(state, place + 1)
        notes[KNOWN_NOTE] = place == NO_PLACE
    return notes[KNOWN_NOTE] != 0


@inlined_kernel
def _look_through(state: State, seen: Any, rules: Any, notes: Any) -> int:
    """Place what fits, and build what is not held in reserve."""
    move = placement(state, seen)
    if move == STOP and (
        is_last_pass(state, rules)
        or (rules.redeals >= 0 and builds_in_reserve(state, rules) > RESERVE)
    ):
        move = any_build(state, rules)
    if move == STOP and next_stock(state) != NO_PLACE:
        move = TURN
    return move


@inlined_kernel
def choose_rollout(state: State, seen: Any, rules: Any, notes: Any) -> int:
    if _all_known(state, seen, notes):
        move = _best_by_rollout(state, seen, rules, notes)
    else:
        move = _look_through(state, seen, rules, notes)
    if move == STOP and next_stock(state) == NO_PLACE:
        # A pass in vain is followed by a build, which turns the talon over by itself.
        move = turn_on(state, rules, notes)
        if move == STOP and not is_last_pass(state, rules):
            move = any_build(state, rules)
    return move


CHOOSE = {
    "random": choose_random,
    "greedy": choose_greedy,
    "keeper": choose_keeper,
    "matcher": choose_matcher,
    "rollout": choose_rollout,
}
WANT_RANDOM = {"random"}
