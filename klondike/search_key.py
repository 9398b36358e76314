"""What tells the positions of a search apart: a key of four words, the same for merged ones.

Which positions are merged, and why they may be, is said in :mod:`klondike.pruning`. Keys are exact:
they are the whole description of what is left to tell apart, and are compared in full.

A position with a card that must be used next (``use_at_once``) is another one than that without:
the card, or rather its kind + 1, stands where the boundary would, which then is always 0.
"""

from typing import Any

import numpy as np

from dealstats.bits import set_bits
from dealstats.jit import inlined_kernel, kernel
from klondike.kernel import (
    ALL_ONES,
    ONE,
    bottom_rank,
    face_down,
    pile_field,
    stock_places,
    store_position,
    strand_of,
    with_outside,
    with_pile_field,
)
from klondike.layout import BOUNDARY_SHIFT, FOUNDATION_BITS, PILES, State
from klondike.rules import SUITS

FACE_DOWN_BITS = 3
PASS_BITS = 6
"""Enough for the number of cards in the waste."""


@kernel
def lateness(state: State, rules: Any, pruning: Any) -> int:
    """How late in the passes a position is, compared with others of the same key.

    The earlier one has all wins of the later one.
    """
    if not pruning.earlier_passes:
        return np.int64(0)
    waste = set_bits(state.places & ~(ALL_ONES << state.boundary))
    if rules.redeals < 0:
        return np.int64(0) if stock_places(state) == 0 or waste % rules.draw == 0 else waste
    return waste if waste % rules.draw != 0 else state.recycles << PASS_BITS | waste


@inlined_kernel
def _with_merged_passes(state: State, rules: Any, pruning: Any) -> State:
    """The state with boundary and recycles only as far as keys tell them apart."""
    boundary, recycles = state.boundary, state.recycles
    if rules.redeals < 0 or state.places == 0:
        recycles = np.int64(0)
    if pruning.folded_draws:
        waste = set_bits(state.places & ~(ALL_ONES << boundary))
        residue = waste % rules.draw
        if rules.redeals < 0 and (residue == 0 or stock_places(state) == 0):
            boundary = np.int64(0)
        elif pruning.earlier_passes:
            boundary = residue
            if residue == 0:
                recycles = np.int64(0)
    return with_outside(state, state.places, boundary, recycles)


@inlined_kernel
def _with_sorted_piles(state: State) -> State:
    """The state with those piles in order that have no cards face down."""
    for pile in range(1, PILES):
        for lower in range(pile):
            upper_field, lower_field = pile_field(state, pile), pile_field(state, lower)
            is_fixed = face_down(upper_field) | face_down(lower_field)
            if is_fixed == 0 and lower_field > upper_field:
                state = with_pile_field(state, pile, upper_field, lower_field)
                state = with_pile_field(state, lower, lower_field, upper_field)
    return state


@inlined_kernel
def _store_without_swaps(state: State, key_out: Any) -> None:
    """Store the words of the position but, for the piles, what swaps leave as it is.

    That is how many cards lie face down in each, and the set of the lowest cards of the others.
    Foundations, waste and stock then tell which cards are face up. Where cards lie face down, the
    lowest card face up is always the one that lay there first when their number came to be so.
    """
    lowest_cards, hidden = np.int64(0), np.int64(0)
    for pile in range(PILES):
        field = pile_field(state, pile)
        hidden |= face_down(field) << FACE_DOWN_BITS * pile
        if field != 0 and face_down(field) == 0:
            rank = bottom_rank(field)
            lowest_cards |= ONE << ((rank - 1) << 2 | strand_of(field) << 1 | (field >> rank) & 1)
    key_out[0] = lowest_cards
    key_out[1] = state.foundations | hidden << SUITS * FOUNDATION_BITS
    key_out[2] = state.recycles
    key_out[3] = state.places | state.boundary << BOUNDARY_SHIFT


@kernel
def store_search_key(state: State, used_next: int, rules: Any, pruning: Any, key_out: Any) -> None:
    """Write the key of a position.

    Parameters
    ----------
    used_next : int
        The kind + 1 of the card that the next play must use, else 0.
    key_out : (4,) int64 array, modified in place
    """
    state = _with_merged_passes(state, rules, pruning)
    if pruning.twins:
        _store_without_swaps(state, key_out)
    else:
        if pruning.equal_piles:
            state = _with_sorted_piles(state)
        store_position(state, key_out)
    key_out[3] |= used_next << BOUNDARY_SHIFT
