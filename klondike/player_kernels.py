"""How the players of :mod:`klondike.players` choose their moves.

Each is a kernel ``choose(state, seen, rules, notes) -> move``.

state : State
    The position. It holds no card that lies face down, only how many there are.
seen : (4 * ranks,) uint8 array
    Kind of the card at each place of the deck as far as KL11 lets the player know it, else
    `UNSEEN`. What is unseen are just the cards of the pack that are not there.
rules : PackedRules
notes : (NOTES,) int64 array
    The player's own memory (:mod:`dealstats.notes`); players of `WANT_RANDOM` find a random
    number in it.
"""

from typing import Any

import numpy as np

from dealstats.bits import leading_zeros, trailing_zeros
from dealstats.jit import inlined_kernel, kernel
from dealstats.notes import ROOM_NOTE, UNSEEN, random_below
from klondike.kernel import (
    DRAW,
    MOVES_CEILING,
    NO_PLACE,
    RECYCLE,
    STOP,
    WASTE_TO_FOUNDATION,
    bottom_rank,
    can_recycle,
    cards_outside,
    face_down,
    foundation_takes,
    legal_moves,
    pile_field,
    pile_to_foundation_move,
    pile_to_pile_move,
    piles_going_up,
    rank_of_kind,
    stock_places,
    strand_of,
    strand_of_kind,
    target_piles,
    top_kind,
    top_rank,
    waste_to_pile_move,
    waste_top,
)
from klondike.layout import State
from klondike.turn_up_search import (
    ANY_BOUNDARY,
    BOUNDARY,
    COST_CEILING,
    LINK,
    MOVE,
    NO_NODE,
    SEARCH_NOTES_END,
    Prices,
    find_plan,
    is_safe_up,
    node_note,
)

LEFT_NOTE = 1
"""Cards in waste and stock when the player last turned the waste over (0 before that)."""
QUIET_NOTE = 2
"""Whether the tableau is known to offer no move of its own."""
STEP_NOTE = 3
"""The node with the next step of the player's plan, `NO_NODE` if it has none."""
SCORE_NOTE = 4
"""The score when the player last turned the waste over for points alone (0 before that)."""
NOTES = max(ROOM_NOTE + MOVES_CEILING, SEARCH_NOTES_END)


# What players look at.


@inlined_kernel
def card_in_play(state: State, seen: Any) -> int:
    """Kind of the waste's top card, or -1 if the waste is empty."""
    place = waste_top(state)
    return np.int64(seen[np.uint64(place)]) if place != NO_PLACE else np.int64(NO_PLACE)


@inlined_kernel
def any_waste_move(state: State, seen: Any, rules: Any) -> int:
    """Play the card in play, to its foundation or else on the first pile, or `STOP`."""
    kind = card_in_play(state, seen)
    if kind == NO_PLACE:
        return STOP
    if foundation_takes(state, kind):
        return WASTE_TO_FOUNDATION
    targets = target_piles(state, rank_of_kind(kind), strand_of_kind(kind), rules)
    return waste_to_pile_move(trailing_zeros(targets)) if targets != 0 else STOP


@inlined_kernel
def any_move_up(state: State) -> int:
    """Play the top card of a pile to its foundation, the first one that can go, or `STOP`."""
    piles = piles_going_up(state)
    return pile_to_foundation_move(trailing_zeros(piles)) if piles != 0 else STOP


@inlined_kernel
def any_turn_up(state: State, rules: Any) -> int:
    """Move a run off a card that lies face down, the last pile that can do so, or `STOP`."""
    for pile in range(rules.piles - 1, -1, -1):
        field = pile_field(state, pile)
        if face_down(field) != 0:
            rank = bottom_rank(field)
            targets = target_piles(state, rank, strand_of(field), rules)
            if targets != 0:
                cards = rank - top_rank(field) + 1
                return pile_to_pile_move(pile, trailing_zeros(targets), cards)
    return STOP


@inlined_kernel
def draw_on(state: State, rules: Any, notes: Any) -> int:
    """Draw, or recycle after a pass in which waste cards were played, else `STOP`."""
    if stock_places(state) != 0:
        return DRAW
    left = cards_outside(state)
    if left == notes[LEFT_NOTE] or not can_recycle(state, rules):
        return STOP
    notes[LEFT_NOTE] = left
    return RECYCLE


# random


@inlined_kernel
def choose_random(state: State, seen: Any, rules: Any, notes: Any) -> int:
    moves = notes[ROOM_NOTE:]
    count = legal_moves(state, seen, rules, moves)
    if count == 0:
        return STOP
    move = moves[random_below(notes, count)]
    return draw_on(state, rules, notes) if move == RECYCLE else move


# greedy


@inlined_kernel
def choose_greedy(state: State, seen: Any, rules: Any, notes: Any) -> int:
    if notes[QUIET_NOTE] == 0:
        move = any_move_up(state)
        if move == STOP:
            move = any_turn_up(state, rules)
        if move != STOP:
            return move
    # The tableau offers nothing, and drawing does not change that.
    move = any_waste_move(state, seen, rules)
    notes[QUIET_NOTE] = move == STOP
    return move if move != STOP else draw_on(state, rules, notes)


# planner

UNLIMITED_PRICES = Prices(
    pile_to_foundation=1,
    waste_to_foundation=3,
    waste_to_pile=2,
    pile_to_pile=2,
    foundation_to_pile=8,
    run_to_space=2,
    recycle=0,
    pass_by=0,
    waste_play=COST_CEILING,
    turn_up=(0, 13, 9, 8, 6, 4, 2),
)
"""Found by trial on tuning deals of draw one and draw three."""
LIMITED_PRICES = UNLIMITED_PRICES._replace(
    pile_to_foundation=0,
    run_to_space=0,
    recycle=6,
    pass_by=5,
    waste_play=9,
    turn_up=(0, 10, 9, 8, 6, 4, 2),
)
"""Found by trial on tuning deals of draw one and draw three with 0, 1 and 2 redeals."""


@inlined_kernel
def any_safe_move_up(state: State) -> int:
    """Play the top card of a pile to its foundation if that is safe, or `STOP`."""
    piles = piles_going_up(state)
    while piles != 0:
        pile = trailing_zeros(piles)
        if is_safe_up(state, top_kind(pile_field(state, pile))):
            return pile_to_foundation_move(pile)
        piles &= piles - 1
    return STOP


@inlined_kernel
def has_unseen_stock(state: State, seen: Any) -> bool:
    """Whether the last card of the stock, and so the stock, is not known."""
    stock = stock_places(state)
    return stock != 0 and seen[np.uint64(63 - leading_zeros(stock))] == UNSEEN


@inlined_kernel
def _next_step(state: State, notes: Any) -> int:
    """The next move of the plan: draws and recycles until the step's card is in play."""
    step = node_note(notes[STEP_NOTE])
    boundary = notes[step + BOUNDARY]
    if boundary != ANY_BOUNDARY and boundary != state.boundary:
        return DRAW if stock_places(state) != 0 else RECYCLE
    notes[STEP_NOTE] = notes[step + LINK]
    return notes[step + MOVE]


@inlined_kernel
def _planned_move(state: State, seen: Any, rules: Any, prices: Any, notes: Any) -> int:
    """The next move of the plan, or of a new one; `STOP` if there is none."""
    if notes[STEP_NOTE] == NO_NODE:
        notes[STEP_NOTE] = find_plan(state, seen, rules, prices, notes)
    return _next_step(state, notes) if notes[STEP_NOTE] != NO_NODE else np.int64(STOP)


@inlined_kernel
def _play_what_fits(state: State, seen: Any, rules: Any) -> int:
    """Play a card up, or the card in play, or `STOP`."""
    move = any_move_up(state)
    return move if move != STOP else any_waste_move(state, seen, rules)


@kernel
def choose_planner(state: State, seen: Any, rules: Any, notes: Any) -> int:
    if notes[STEP_NOTE] == NO_NODE:
        move = any_safe_move_up(state)
        if move != STOP:
            return move
    is_unlimited = rules.redeals < 0
    if is_unlimited and has_unseen_stock(state, seen):
        return DRAW
    prices = UNLIMITED_PRICES if is_unlimited else LIMITED_PRICES
    move = _planned_move(state, seen, rules, prices, notes)
    if move == STOP:
        move = _play_what_fits(state, seen, rules)
    return move if move != STOP else draw_on(state, rules, notes)


# scorer

SCORER_PRICES = UNLIMITED_PRICES._replace(recycle=8)
"""Found by trial on tuning deals of draw one."""


@inlined_kernel
def _draw_for_points(state: State, rules: Any, notes: Any) -> int:
    """Draw, or recycle after a pass that earned more than a recycle costs, else `STOP`."""
    if stock_places(state) != 0:
        return DRAW
    cost = rules.recycle if state.recycles >= rules.free_recycles else 0
    if not can_recycle(state, rules) or state.score - notes[SCORE_NOTE] <= -cost:
        return STOP
    notes[SCORE_NOTE] = state.score
    return RECYCLE


@kernel
def choose_scorer(state: State, seen: Any, rules: Any, notes: Any) -> int:
    if notes[STEP_NOTE] == NO_NODE:
        move = any_safe_move_up(state)
        if move != STOP:
            return move
    prices = SCORER_PRICES if rules.redeals < 0 else LIMITED_PRICES
    move = _planned_move(state, seen, rules, prices, notes)
    if move != STOP:
        return move
    if has_unseen_stock(state, seen) and (rules.redeals < 0 or state.recycles < rules.redeals):
        # What is not needed yet can be had in the next pass.
        return DRAW
    move = _play_what_fits(state, seen, rules)
    return move if move != STOP else _draw_for_points(state, rules, notes)


CHOOSE = {
    "random": choose_random,
    "greedy": choose_greedy,
    "planner": choose_planner,
    "scorer": choose_scorer,
}
WANT_RANDOM = {"random"}
