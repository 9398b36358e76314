"""What can be done in a condensed position (:mod:`klondike.condensed`), and what comes of it.

A position is three integers: its *key*, and the sets of face-up cards of the tableau, *visible*,
and of locked cards, *locked*. A move is an integer: the kind of its card in the lower six bits, and
one of `UP` .. `SHIFT` above them.
"""

from typing import Any, NamedTuple

import numpy as np

from dealstats.bits import leading_zeros, set_bits
from dealstats.jit import inlined_kernel
from klondike.condensed import (
    ALL_KINDS,
    BELOW,
    BOTTOMS,
    BOUNDARY_MASK,
    BOUNDARY_SHIFT,
    DONE_KINDS,
    EVEN_KINDS,
    FOUNDATION_STEP,
    LOCK_STEP,
    LOWER_HEIGHT,
    NEXT_KINDS,
    RECYCLES_SHIFT,
    SAFE_KINDS,
    STOCK_BIT,
    STOCK_KINDS,
    STOCK_MASK,
    STOCK_SHIFT,
    TOP_KINDS,
)

FIRST_STRAND = 0x3333333333333

KIND_BITS = 6
KIND_MASK = (1 << KIND_BITS) - 1
UP = 0 << KIND_BITS
"""A face-up card goes to its foundation."""
PLAY_UP = 1 << KIND_BITS
"""A card of waste or stock goes to its foundation."""
PLAY = 2 << KIND_BITS
"""A card of waste or stock is placed."""
TAKE_DOWN = 3 << KIND_BITS
"""The top card of a foundation is placed."""
SHIFT = 4 << KIND_BITS
"""A surface is placed, with all that lies on it."""
MOVE_BITS = KIND_BITS + 3

ONE = np.int64(1)


class Sets(NamedTuple):
    """What there is to know of a position, as sets of cards.

    Attributes
    ----------
    open : int
        The cards of the open types.
    landing : int
        The cards that may be placed.
    spaces : int
        The number of empty piles.
    next_up : int
        The cards that come next on the foundations.
    safe : int
        The cards that may go up at no loss.
    """

    open: int
    landing: int
    spaces: int
    next_up: int
    safe: int


@inlined_kernel
def type_of(kind: int) -> int:
    """The set of a card and its twin."""
    return np.int64(3) << (kind & ~1)


@inlined_kernel
def open_types(visible: int, placed: int) -> int:
    """The set of all cards of the open types."""
    one_visible = (visible | visible >> 1) & EVEN_KINDS
    two_visible = (visible & visible >> 1) & EVEN_KINDS
    one_covered = ((placed | placed >> 1) & EVEN_KINDS) << 4
    two_covered = ((placed & placed >> 1) & EVEN_KINDS) << 4
    return ((one_visible & ~one_covered) | (two_visible & ~two_covered)) * 3


@inlined_kernel
def next_cards(key: int) -> int:
    """The set of the cards that come next on the foundations."""
    return NEXT_KINDS[0, key & 255] | NEXT_KINDS[1, (key >> 8) & 255]


@inlined_kernel
def safe_cards(key: int, rules: Any) -> int:
    """The set of the cards that may go up at no loss (:func:`klondike.pruning.is_safe_up`)."""
    lower = LOWER_HEIGHT[key & 255] | LOWER_HEIGHT[(key >> 8) & 255] << 4
    return SAFE_KINDS[rules.worrying_back, lower]


@inlined_kernel
def sets_of(key: int, visible: int, locked: int, deal: Any, rules: Any) -> Sets:
    """What there is to know of a position."""
    placed = visible & ~locked
    spaces = rules.piles - set_bits(locked & deal[BOTTOMS]) - set_bits(placed & rules.kings)
    types = open_types(visible, placed)
    return Sets(
        types,
        types >> 4 | (rules.kings if spaces > 0 else 0),
        spaces,
        next_cards(key),
        safe_cards(key, rules),
    )


@inlined_kernel
def foundation_tops(key: int) -> int:
    """The set of the top cards of the foundations."""
    return TOP_KINDS[0, key & 255] | TOP_KINDS[1, (key >> 8) & 255]


@inlined_kernel
def foundation_cards(key: int) -> int:
    """The set of all cards of the foundations."""
    return DONE_KINDS[0, key & 255] | DONE_KINDS[1, (key >> 8) & 255]


@inlined_kernel
def next_of_suits(cards: int) -> int:
    """The set of the cards one rank higher in the suits of some cards."""
    # One rank higher the strand changes, and the suit bit stays.
    higher = cards << 4
    first_strand = higher & FIRST_STRAND
    return (first_strand << 2 | (higher >> 2) & FIRST_STRAND) & ALL_KINDS


# Waste and stock.


@inlined_kernel
def stock_set(key: int) -> int:
    """The places of waste and stock whose cards have not been played."""
    return (key >> STOCK_SHIFT) & STOCK_MASK


@inlined_kernel
def boundary_of(key: int) -> int:
    """The place after the top card of the waste, 0 if there is none."""
    return (key >> BOUNDARY_SHIFT) & BOUNDARY_MASK


@inlined_kernel
def waste_cards(key: int) -> int:
    """How many cards are in the waste."""
    return set_bits(stock_set(key) & ((ONE << boundary_of(key)) - 1))


@inlined_kernel
def recycles_of(key: int) -> int:
    """Recycles used."""
    return (key >> RECYCLES_SHIFT) & 7


@inlined_kernel
def cards_at(places: int, deal: Any) -> int:
    """The set of the cards at places of the stock."""
    return (
        deal[STOCK_KINDS + (places & 255)]
        | deal[STOCK_KINDS + 256 + ((places >> 8) & 255)]
        | deal[STOCK_KINDS + 512 + (places >> 16)]
    )


@inlined_kernel
def _drawn_places(stock: int, drawn: Any, phase_after: Any) -> int:
    """The places that come into play when a stock is drawn to its end."""
    if stock == 0:
        return np.int64(0)
    places = drawn[stock & 255]
    phase = phase_after[stock & 255]
    middle = phase + ((stock >> 8) & 255)
    places |= drawn[middle] << 8
    places |= drawn[phase_after[middle] + (stock >> 16)] << 16
    return places | ONE << (63 - leading_zeros(stock))


@inlined_kernel
def places_in_pass(key: int, drawn: Any, phase_after: Any) -> int:
    """The places that come into play without a recycle."""
    stock, boundary = stock_set(key), boundary_of(key)
    places = _drawn_places(stock >> boundary << boundary, drawn, phase_after)
    return places | (ONE << boundary) >> 1


@inlined_kernel
def accessible_places(key: int, rules: Any, drawn: Any, phase_after: Any) -> int:
    """The places that come into play, if need be after one recycle."""
    stock = stock_set(key)
    if rules.draw == 1 and rules.redeals < 0:
        return stock
    places = places_in_pass(key, drawn, phase_after)
    if rules.redeals < 0 or recycles_of(key) < rules.redeals:
        places |= _drawn_places(stock, drawn, phase_after)
    return places


@inlined_kernel
def _after_play(key: int, kind: int, deal: Any, rules: Any, drawn: Any, phase_after: Any) -> int:
    """The key after a card was taken from waste or stock."""
    bit = deal[STOCK_BIT + kind]
    if rules.draw == 1 and rules.redeals < 0:
        return key - bit
    place = bit >> STOCK_SHIFT
    if rules.redeals >= 0 and places_in_pass(key, drawn, phase_after) & place == 0:
        key += ONE << RECYCLES_SHIFT
    key = (key - bit) & ~(np.int64(BOUNDARY_MASK) << BOUNDARY_SHIFT)
    stock = stock_set(key)
    waste = stock & (place - 1)
    if rules.redeals < 0 and (waste == stock or set_bits(waste) % rules.draw == 0):
        return key
    return key | (64 - leading_zeros(waste)) << BOUNDARY_SHIFT


# Moves.


@inlined_kernel
def after_move(
    key: int,
    visible: int,
    locked: int,
    move: int,
    deal: Any,
    rules: Any,
    drawn: Any,
    phase_after: Any,
) -> tuple[int, int, int]:
    """The position after a move that can be made."""
    kind, what = move & KIND_MASK, move & ~KIND_MASK
    bit = ONE << kind
    if what == UP:
        key += FOUNDATION_STEP[kind]
        visible ^= bit
    elif what == PLAY_UP:
        key = _after_play(key, kind, deal, rules, drawn, phase_after) + FOUNDATION_STEP[kind]
    elif what == PLAY:
        key = _after_play(key, kind, deal, rules, drawn, phase_after)
        visible |= bit
    elif what == TAKE_DOWN:
        key -= FOUNDATION_STEP[kind]
        visible |= bit
    if locked & bit != 0:
        key -= deal[LOCK_STEP + kind]
        locked ^= bit
        visible |= deal[BELOW + kind]
    return key, visible, locked
