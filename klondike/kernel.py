"""The rules as compiled bit operations on the packed state (:mod:`klondike.layout`).

All are pure functions of

state : State
    Nine integers, held in registers; a move gives a new state, so that taking it back is to go
    on with the former one.
deck : (4 * ranks,) uint8 array
    Kinds in dealing order. Players have what they have seen instead (:mod:`klondike.playing`):
    that is enough for everything here but a move that turns up an unknown card.
rules : PackedRules

A set of piles is an integer with bit p for pile p. A move is an integer::

    bit      12  9     8    6     5    3     2  0
             cards  |  target  |  source  |  kind

with the kinds `DRAW` .. `FOUNDATION_TO_PILE`; source and target are piles 0..6, or the suit 0..3 as
the source of `FOUNDATION_TO_PILE`. What a kind has no use for is 0; only `PILE_TO_PILE` has cards.
"""

from typing import Any

import numpy as np

from dealstats.bits import leading_zeros, set_bits, trailing_zeros
from dealstats.jit import inlined_kernel, kernel
from klondike.layout import (
    BOUNDARY_SHIFT,
    CLEARED,
    FACE_DOWN_SHIFT,
    FOUNDATION_BITS,
    FOUNDATION_MASK,
    FOUNDATIONS_MASK,
    FOUNDATIONS_SHIFT,
    PILE_BITS,
    PILE_MASK,
    PLACES_MASK,
    RECYCLES_SHIFT,
    RUN_MASK,
    STRAND_BIT,
    STRAND_SHIFT,
    State,
)
from klondike.position import Move
from klondike.rules import SUITS

DRAW = 0
RECYCLE = 1
WASTE_TO_PILE = 2
WASTE_TO_FOUNDATION = 3
PILE_TO_FOUNDATION = 4
PILE_TO_PILE = 5
FOUNDATION_TO_PILE = 6
KIND_NAMES = (
    "draw",
    "recycle",
    "waste_to_pile",
    "waste_to_foundation",
    "pile_to_foundation",
    "pile_to_pile",
    "foundation_to_pile",
)
SOURCE_SHIFT = 3
TARGET_SHIFT = 6
CARDS_SHIFT = 9
FIELD_MASK = 7
MOVES_CEILING = 256
"""More than there can be: 1 draw or recycle; 8 of the waste; 7 to, 28 from foundations; 42 from
pile to pile; and onto 3 or 4 empty piles at most 3 * 52 or 4 * 39 parts of the other piles."""
STOP = -1
NO_PLACE = -1

ONE = np.int64(1)
ALL_ONES = np.int64(-1)

EVERY_PILE = 1 | 1 << PILE_BITS | 1 << 2 * PILE_BITS
"""Multiplied by it, a field is repeated for the three piles of a word."""
SUIT_OF_KIND = sum(suit << 2 * kind for kind, suit in enumerate((0, 3, 1, 2, 1, 2, 0, 3)))
"""Two bits for the suit of each kind modulo 8: C S D H for odd ranks, D H C S for even ones."""


# Moves as numbers.


@inlined_kernel
def move_kind(move: int) -> int:
    """The kind of a move: `DRAW` .. `FOUNDATION_TO_PILE`."""
    return move & FIELD_MASK


@inlined_kernel
def move_source(move: int) -> int:
    """The pile that a move takes from, or the suit of its foundation."""
    return (move >> SOURCE_SHIFT) & FIELD_MASK


@inlined_kernel
def move_target(move: int) -> int:
    """The pile that a move lays on."""
    return (move >> TARGET_SHIFT) & FIELD_MASK


@inlined_kernel
def move_cards(move: int) -> int:
    """How many cards a `PILE_TO_PILE` moves."""
    return move >> CARDS_SHIFT


@inlined_kernel
def waste_to_pile_move(target: int) -> int:
    """Lay the waste's top card on a pile."""
    return WASTE_TO_PILE | target << TARGET_SHIFT


@inlined_kernel
def pile_to_foundation_move(source: int) -> int:
    """Lay the top card of a pile on its foundation."""
    return PILE_TO_FOUNDATION | source << SOURCE_SHIFT


@inlined_kernel
def pile_to_pile_move(source: int, target: int, cards: int) -> int:
    """Lay the top `cards` cards of a pile on another."""
    return PILE_TO_PILE | source << SOURCE_SHIFT | target << TARGET_SHIFT | cards << CARDS_SHIFT


@inlined_kernel
def foundation_to_pile_move(suit: int, target: int) -> int:
    """Lay the top card of a foundation on a pile."""
    return FOUNDATION_TO_PILE | suit << SOURCE_SHIFT | target << TARGET_SHIFT


def plain_move(move: int) -> Move:
    """The move of a number, as all rooms exchange it."""
    kind, source = int(move) & FIELD_MASK, int(move) >> SOURCE_SHIFT & FIELD_MASK
    return Move(
        KIND_NAMES[kind],
        source if kind >= PILE_TO_FOUNDATION else -1,
        int(move) >> TARGET_SHIFT & FIELD_MASK
        if kind in (WASTE_TO_PILE, PILE_TO_PILE, FOUNDATION_TO_PILE)
        else -1,
        int(move) >> CARDS_SHIFT,
    )


def packed_move(move: Move) -> int:
    """The number of a move."""
    return (
        KIND_NAMES.index(move.kind)
        | max(move.source, 0) << SOURCE_SHIFT
        | max(move.target, 0) << TARGET_SHIFT
        | move.cards << CARDS_SHIFT
    )


# Cards and piles.


@inlined_kernel
def rank_of_kind(kind: int) -> int:
    """Rank of a kind, ace = 1 .. king = 13."""
    return (kind >> 2) + 1


@inlined_kernel
def strand_of_kind(kind: int) -> int:
    """Strand of a kind."""
    return (kind >> 1) & 1


@inlined_kernel
def suit_of_kind(kind: int) -> int:
    """Suit 0..3 of a kind."""
    return (SUIT_OF_KIND >> 2 * (kind & 7)) & 3


@inlined_kernel
def kind_of_rank_and_suit(rank: int, suit: int) -> int:
    """The kind of a card."""
    strand = (suit ^ (suit >> 1) ^ (rank - 1)) & 1
    return 4 * (rank - 1) + 2 * strand + (suit >> 1)


@inlined_kernel
def pile_field(state: State, pile: int) -> int:
    """The 19 bits of a pile."""
    word = state.piles_low
    field = pile
    if pile >= 3:
        word = state.piles_mid
        field = pile - 3
    if pile >= 6:
        word = state.piles_high
        field = pile - 6
    return (word >> PILE_BITS * field) & PILE_MASK


@inlined_kernel
def with_pile_field(state: State, pile: int, former: int, field: int) -> State:
    """The state with the bits `former` of a pile replaced by `field`."""
    # All ones from pile 3 on, and from pile 6 on: branches would often be mispredicted.
    not_low = np.int64(2 - pile) >> 63
    high = np.int64(5 - pile) >> 63
    change = (field - former) << PILE_BITS * (pile - (not_low & 3) - (high & 3))
    return State(
        state.piles_low + (change & ~not_low),
        state.piles_mid + (change & not_low & ~high),
        state.piles_high + (change & high),
        state.foundations,
        state.places,
        state.boundary,
        state.recycles,
        state.score,
        state.earned,
    )


@inlined_kernel
def face_down(field: int) -> int:
    """How many cards of a pile lie face down."""
    return field >> FACE_DOWN_SHIFT


@inlined_kernel
def strand_of(field: int) -> int:
    """Strand of the run of a pile."""
    return (field >> STRAND_SHIFT) & 1


@inlined_kernel
def top_rank(field: int) -> int:
    """Rank of the top card of a pile that is not empty."""
    return trailing_zeros(field) + 1


@inlined_kernel
def bottom_rank(field: int) -> int:
    """Rank of the lowest face-up card of a pile that is not empty: the highest one of its run."""
    return 62 - leading_zeros(field & RUN_MASK)


@inlined_kernel
def top_kind(field: int) -> int:
    """Kind of the top card of a pile that is not empty."""
    end = trailing_zeros(field)
    return (end << 2) | strand_of(field) << 1 | (field >> (end + 1)) & 1


@inlined_kernel
def pile_of_card(kind: int) -> int:
    """The field of a pile that is this card alone."""
    return ((5 + 2 * (kind & 1)) << (kind >> 2)) | strand_of_kind(kind) << STRAND_SHIFT


@inlined_kernel
def _zero_piles(low: int, mid: int, high: int) -> int:
    """The piles whose fields are zero in words with no bit beyond 15 set in any field."""
    # Unless a field is zero, adding sixteen ones carries into its bit 16.
    ones = EVERY_PILE * (STRAND_BIT | RUN_MASK)
    low = (~(low + ones) >> FACE_DOWN_SHIFT) & EVERY_PILE
    mid = (~(mid + ones) >> FACE_DOWN_SHIFT) & EVERY_PILE
    high = (~(high + ones) >> FACE_DOWN_SHIFT) & 1
    # Now bits 0, 19, 38 stand for the piles of each word; they come together without collision.
    scattered = low | mid << 3 | high << 6
    return (scattered | scattered >> (PILE_BITS - 1) | scattered >> 2 * (PILE_BITS - 1)) & 127


@inlined_kernel
def empty_piles(state: State, rules: Any) -> int:
    """The set of empty piles."""
    run = EVERY_PILE * RUN_MASK
    empty = _zero_piles(state.piles_low & run, state.piles_mid & run, state.piles_high & RUN_MASK)
    return empty & ~(ALL_ONES << rules.piles)


@inlined_kernel
def _matching_piles(state: State, looked_at: int, wanted: int) -> int:
    """The piles in which those of the sixteen lower bits that are looked at are as wanted."""
    looked_at = EVERY_PILE * looked_at
    wanted = EVERY_PILE * wanted
    return _zero_piles(
        (state.piles_low & looked_at) ^ wanted,
        (state.piles_mid & looked_at) ^ wanted,
        (state.piles_high & looked_at) ^ wanted,
    )


@inlined_kernel
def building_piles(state: State, rank: int, strand: int) -> int:
    """The set of piles on whose top card one of this rank and strand may be laid."""
    # Their runs end at bit `rank`: all below it is clear.
    end = ONE << rank
    return _matching_piles(state, (2 * end - 1) | STRAND_BIT, end | strand << STRAND_SHIFT)


@inlined_kernel
def piles_with_top(state: State, kind: int) -> int:
    """The set of the pile, if there is one, on which this card is the top card."""
    end = ONE << (kind >> 2)
    return _matching_piles(
        state,
        (4 * end - 1) | STRAND_BIT,
        (1 + 2 * (kind & 1)) * end | strand_of_kind(kind) << STRAND_SHIFT,
    )


@inlined_kernel
def target_piles(state: State, rank: int, strand: int, rules: Any) -> int:
    """The set of piles, empty ones too, on which a card of this rank and strand may be laid."""
    targets = building_piles(state, rank, strand)
    if rank >= rules.lowest_on_empty:
        targets |= empty_piles(state, rules)
    return targets


@inlined_kernel
def is_cleared(state: State) -> bool:
    """Whether all piles are empty."""
    return (state.piles_low | state.piles_mid | state.piles_high) == 0


@inlined_kernel
def tableau_place(pile: int, row: int, rules: Any) -> int:
    """The place in the deck of the card that is dealt to a pile in a row (KL1), from 0."""
    return row * (rules.piles - 1) - ((row * (row - 1)) >> 1) + pile


@inlined_kernel
def hidden_in_tableau(state: State, rules: Any) -> int:
    """The set of places of the deck whose cards lie face down in the tableau."""
    hidden = np.int64(0)
    for pile in range(rules.piles):
        for row in range(face_down(pile_field(state, pile))):
            hidden |= ONE << tableau_place(pile, row, rules)
    return hidden


# Foundations.


@inlined_kernel
def foundation_rank(state: State, suit: int) -> int:
    """Rank of the top card of a foundation, 0 if there is none."""
    return (state.foundations >> FOUNDATION_BITS * suit) & FOUNDATION_MASK


@inlined_kernel
def foundation_takes(state: State, kind: int) -> bool:
    """Whether a card may be laid on its foundation (KL5)."""
    return foundation_rank(state, suit_of_kind(kind)) == kind >> 2


@inlined_kernel
def piles_going_up(state: State) -> int:
    """The set of piles whose top card may be laid on its foundation (KL5)."""
    piles = np.int64(0)
    for suit in range(SUITS):
        kind = kind_of_rank_and_suit(foundation_rank(state, suit) + 1, suit)
        piles |= piles_with_top(state, kind)
    return piles


@inlined_kernel
def cards_up(state: State) -> int:
    """Cards on the foundations."""
    pairs = (state.foundations & 0x0F0F) + ((state.foundations >> FOUNDATION_BITS) & 0x0F0F)
    return (pairs & 0xFF) + (pairs >> 8)


@inlined_kernel
def is_won(state: State) -> bool:
    """Whether all cards are on the foundations (KL8)."""
    return is_cleared(state) and state.places == 0


# Waste and stock.


@inlined_kernel
def waste_top(state: State) -> int:
    """The place of the card in play, or -1 if the waste is empty."""
    return state.boundary - 1


@inlined_kernel
def first_stock_place(rules: Any) -> int:
    """The place of the deck's first card that is not dealt to the tableau."""
    return (rules.piles * (rules.piles + 1)) >> 1


@inlined_kernel
def stock_places(state: State) -> int:
    """The set of places of the stock."""
    return state.places & (ALL_ONES << state.boundary)


@inlined_kernel
def next_stock(state: State) -> int:
    """The place of the next stock card, or -1 if the stock is empty."""
    rest = stock_places(state)
    return trailing_zeros(rest) if rest != 0 else NO_PLACE


@inlined_kernel
def cards_outside(state: State) -> int:
    """Cards in waste and stock."""
    return set_bits(state.places)


@inlined_kernel
def can_recycle(state: State, rules: Any) -> bool:
    """Whether the waste may be turned over (KL6)."""
    return (
        (rules.redeals < 0 or state.recycles < rules.redeals)
        and stock_places(state) == 0
        and state.places != 0
    )


@inlined_kernel
def with_outside(state: State, places: int, boundary: int, recycles: int) -> State:
    """The state with other waste and stock."""
    return State(
        state.piles_low,
        state.piles_mid,
        state.piles_high,
        state.foundations,
        places,
        boundary,
        recycles,
        state.score,
        state.earned,
    )


@inlined_kernel
def without_waste_top(state: State) -> State:
    """The state without the card in play."""
    places = state.places ^ (ONE << (state.boundary - 1))
    waste = places & ~(ALL_ONES << state.boundary)
    return with_outside(state, places, 64 - leading_zeros(waste), state.recycles)


# Points.


@inlined_kernel
def score(state: State) -> int:
    """Points so far (KL9)."""
    return state.score


@inlined_kernel
def with_points(state: State, points: int, earned: int, rules: Any) -> State:
    """The state with points more, but never below the floor, and the bits `earned` set."""
    return State(
        state.piles_low,
        state.piles_mid,
        state.piles_high,
        state.foundations,
        state.places,
        state.boundary,
        state.recycles,
        max(state.score + points, rules.floor),
        state.earned | earned,
    )


# The deal.


@inlined_kernel
def deal_state(deck: Any, rules: Any) -> State:
    """Lay out a deal (KL1), and draw if the game begins with it (KL2)."""
    state = State(
        np.int64(0),
        np.int64(0),
        np.int64(0),
        np.int64(0),
        (ALL_ONES << first_stock_place(rules)) & ~(ALL_ONES << len(deck)),
        np.int64(0),
        np.int64(0),
        np.int64(rules.start),
        np.int64(0),
    )
    for pile in range(rules.piles):
        kind = np.int64(deck[np.uint64(tableau_place(pile, pile, rules))])
        state = with_pile_field(state, pile, 0, pile << FACE_DOWN_SHIFT | pile_of_card(kind))
    if rules.start_with_draw and state.places != 0:
        state = _after_draw(state, rules)
    return state


# Moves.


@kernel
def legal_moves(state: State, deck: Any, rules: Any, moves_out: Any) -> int:
    """Write all legal moves and return their number.

    Parameters
    ----------
    moves_out : (>= 256,) int64 array, modified in place
    """
    count = 0
    if stock_places(state) != 0:
        moves_out[count] = DRAW
        count += 1
    if can_recycle(state, rules):
        moves_out[count] = RECYCLE
        count += 1
    count = _list_waste_moves(state, deck, rules, moves_out, count)
    for pile in range(rules.piles):
        field = pile_field(state, pile)
        if field != 0:
            count = _list_pile_moves(state, pile, field, rules, moves_out, count)
    if rules.worrying_back:
        for suit in range(SUITS):
            rank = foundation_rank(state, suit)
            if rank != 0:
                strand = strand_of_kind(kind_of_rank_and_suit(rank, suit))
                targets = target_piles(state, rank, strand, rules)
                move = foundation_to_pile_move(suit, 0)
                count = _list_targets(move, targets, moves_out, count)
    return count


@inlined_kernel
def _list_targets(move: int, targets: int, moves_out: Any, count: int) -> int:
    """Write a move for each of the target piles; return the number of moves written so far."""
    while targets != 0:
        moves_out[count] = move | trailing_zeros(targets) << TARGET_SHIFT
        count += 1
        targets &= targets - 1
    return count


@inlined_kernel
def _list_waste_moves(state: State, deck: Any, rules: Any, moves_out: Any, count: int) -> int:
    place = waste_top(state)
    if place == NO_PLACE:
        return count
    kind = np.int64(deck[np.uint64(place)])
    if foundation_takes(state, kind):
        moves_out[count] = WASTE_TO_FOUNDATION
        count += 1
    targets = target_piles(state, rank_of_kind(kind), strand_of_kind(kind), rules)
    return _list_targets(np.int64(WASTE_TO_PILE), targets, moves_out, count)


@inlined_kernel
def _list_pile_moves(
    state: State, pile: int, field: int, rules: Any, moves_out: Any, count: int
) -> int:
    if foundation_takes(state, top_kind(field)):
        moves_out[count] = pile_to_foundation_move(pile)
        count += 1
    above = top_rank(field) - 1
    length = bottom_rank(field) - above
    for cards in range(1 if rules.partial_runs else length, length + 1):
        targets = target_piles(state, above + cards, strand_of(field), rules)
        move = pile_to_pile_move(pile, 0, cards)
        count = _list_targets(move, targets, moves_out, count)
    return count


@inlined_kernel
def after_move(state: State, move: int, deck: Any, rules: Any) -> State:
    """The state after a legal move and the turn-up (KL7) that follows it, with their points."""
    kind = move_kind(move)
    if kind == DRAW:
        return _after_draw(state, rules)
    if kind >= PILE_TO_PILE:
        if kind == PILE_TO_PILE:
            return _after_pile_to_pile(state, move, deck, rules)
        return _after_foundation_to_pile(state, move, rules)
    if kind == PILE_TO_FOUNDATION:
        return _after_pile_to_foundation(state, move_source(move), deck, rules)
    if kind == RECYCLE:
        return _after_recycle(state, rules)
    card = np.int64(deck[np.uint64(waste_top(state))])
    state = without_waste_top(state)
    if kind == WASTE_TO_FOUNDATION:
        return _with_card_up(state, card, rules)
    state = with_points(state, rules.waste_to_tableau, 0, rules)
    return _with_card_on_pile(state, move_target(move), card)


@inlined_kernel
def drawn_boundary(rest: int, rules: Any) -> int:
    """The boundary after a draw from a stock at these places, at least one."""
    for _ in range(rules.draw - 1):
        later = rest & (rest - 1)
        if later != 0:
            rest = later
    return trailing_zeros(rest) + 1


@inlined_kernel
def _after_draw(state: State, rules: Any) -> State:
    boundary = drawn_boundary(stock_places(state), rules)
    return with_outside(state, state.places, boundary, state.recycles)


@inlined_kernel
def _after_recycle(state: State, rules: Any) -> State:
    points = rules.recycle if state.recycles >= rules.free_recycles else 0
    state = with_points(state, points, 0, rules)
    return with_outside(state, state.places, np.int64(0), state.recycles + 1)


@inlined_kernel
def _after_pile_to_pile(state: State, move: int, deck: Any, rules: Any) -> State:
    pile, cards = move_source(move), move_cards(move)
    field = pile_field(state, pile)
    rank = top_rank(field) - 1 + cards
    part = field & ((2 << rank) - 1)
    state = _with_part(state, move_target(move), part, rank, strand_of(field))
    return _without_part(state, pile, rank, deck, rules)


@inlined_kernel
def _after_pile_to_foundation(state: State, pile: int, deck: Any, rules: Any) -> State:
    field = pile_field(state, pile)
    state = _with_card_up(state, top_kind(field), rules)
    state = _without_part(state, pile, top_rank(field), deck, rules)
    if is_cleared(state) and (state.earned & CLEARED) == 0:
        state = with_points(state, rules.cleared, CLEARED, rules)
    return state


@inlined_kernel
def _after_foundation_to_pile(state: State, move: int, rules: Any) -> State:
    suit = move_source(move)
    kind = kind_of_rank_and_suit(foundation_rank(state, suit), suit)
    state = _with_foundations(state, state.foundations - (ONE << FOUNDATION_BITS * suit))
    state = with_points(state, rules.from_foundation, 0, rules)
    return _with_card_on_pile(state, move_target(move), kind)


@inlined_kernel
def _with_foundations(state: State, foundations: int) -> State:
    return State(
        state.piles_low,
        state.piles_mid,
        state.piles_high,
        foundations,
        state.places,
        state.boundary,
        state.recycles,
        state.score,
        state.earned,
    )


@inlined_kernel
def _with_card_up(state: State, kind: int, rules: Any) -> State:
    """The state with a card more on its foundation, and the points for it."""
    shift = FOUNDATION_BITS * suit_of_kind(kind)
    state = _with_foundations(state, state.foundations + (ONE << shift))
    is_first_time = 1 ^ ((state.earned >> kind) & 1)
    points = rules.to_foundation * (is_first_time | rules.award_each_time)
    return with_points(state, points, ONE << kind, rules)


@inlined_kernel
def _with_part(state: State, pile: int, part: int, rank: int, strand: int) -> State:
    """The state with cards laid on a pile.

    Parameters
    ----------
    part : int
        The bits of the cards and of the end below them.
    rank, strand : int
        Those of the lowest card, the one of the highest rank.
    """
    former = pile_field(state, pile)
    if former != 0:
        # The former run's end at bit `rank` gives way.
        field = former + part - (ONE << rank)
    else:
        field = part | strand << STRAND_SHIFT | (np.int64(2) << rank)
    return with_pile_field(state, pile, former, field)


@inlined_kernel
def _with_card_on_pile(state: State, pile: int, kind: int) -> State:
    rank = rank_of_kind(kind)
    part = (1 + 2 * (kind & 1)) << (rank - 1)
    return _with_part(state, pile, part, rank, strand_of_kind(kind))


@inlined_kernel
def _without_part(state: State, pile: int, rank: int, deck: Any, rules: Any) -> State:
    """The state without a pile's cards up to a rank; a card that this lays bare is turned up."""
    former = pile_field(state, pile)
    rest = former & (ALL_ONES << (rank + 1))
    if (rest & RUN_MASK) != (2 << rank):
        return with_pile_field(state, pile, former, rest | (ONE << rank))
    hidden = face_down(former)
    if hidden == 0:
        return with_pile_field(state, pile, former, 0)
    row = hidden - 1
    kind = np.int64(deck[np.uint64(tableau_place(pile, row, rules))])
    state = with_points(state, rules.turn_up, 0, rules)
    return with_pile_field(state, pile, former, row << FACE_DOWN_SHIFT | pile_of_card(kind))


# Keys.


@inlined_kernel
def state_key(state: State, rules: Any) -> State:
    """The key of a position, piles in their places: all but the score sheet.

    Recycles used matter only where they are limited. The key is itself a state.
    """
    return State(
        state.piles_low,
        state.piles_mid,
        state.piles_high,
        state.foundations,
        state.places,
        state.boundary,
        state.recycles if rules.redeals >= 0 else np.int64(0),
        np.int64(0),
        np.int64(0),
    )


@inlined_kernel
def load_position(words: Any) -> State:
    """The compiled twin of :func:`klondike.layout.from_words`, without a score sheet."""
    return State(
        words[0],
        words[1],
        words[2] & PILE_MASK,
        (words[2] >> FOUNDATIONS_SHIFT) & FOUNDATIONS_MASK,
        words[3] & PLACES_MASK,
        words[3] >> BOUNDARY_SHIFT,
        words[2] >> RECYCLES_SHIFT,
        np.int64(0),
        np.int64(0),
    )


@inlined_kernel
def store_position(state: State, words_out: Any) -> None:
    """The compiled twin of :func:`klondike.layout.to_words`, without the score sheet."""
    words_out[0] = state.piles_low
    words_out[1] = state.piles_mid
    words_out[2] = (
        state.piles_high | state.foundations << FOUNDATIONS_SHIFT | state.recycles << RECYCLES_SHIFT
    )
    words_out[3] = state.places | state.boundary << BOUNDARY_SHIFT
