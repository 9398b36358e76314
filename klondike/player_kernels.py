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

from dealstats.bits import trailing_zeros
from dealstats.jit import inlined_kernel
from dealstats.notes import ROOM_NOTE, random_below
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
    top_rank,
    waste_to_pile_move,
    waste_top,
)
from klondike.layout import State

LEFT_NOTE = 1
"""Cards in waste and stock when the player last turned the waste over (0 before that)."""
QUIET_NOTE = 2
"""Whether the tableau is known to offer no move of its own."""
NOTES = ROOM_NOTE + MOVES_CEILING


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


CHOOSE = {
    "random": choose_random,
    "greedy": choose_greedy,
}
WANT_RANDOM = {"random"}
