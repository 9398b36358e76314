"""The rules as compiled look-ups on the packed state (:mod:`devilsgrip.layout`).

All are pure functions of

state : State
    Six integers, held in registers; a move gives a new state, so that taking it back is to go
    on with the former one.
order : (18 * suits,) uint8 array
    Kinds of the talon and stock cards in their fixed order.
rules : PackedRules

A move is an integer that names the next state of the chain it changes: `TURN`, `REDEAL`,
``PLACE + next`` for the talon's top card, or ``BUILD + 512 * chain + next``. Different builds from
one state lead to different states, so nothing more is needed; piles that are equal are one target.
"""

from typing import Any

import numpy as np

from dealstats.bits import leading_zeros, set_bits, trailing_zeros
from dealstats.jit import inlined_kernel, kernel
from devilsgrip.chains import (
    BUILD_COUNT,
    BUILD_NEXT,
    BUILDS,
    FILL_NEXT,
    LEVELS,
    PILE_COUNT,
    PLACE_NEXT,
    SINGLE_CARDS,
)
from devilsgrip.layout import (
    CHAIN_BITS,
    CHAIN_HIGH_BITS,
    CHAIN_LOW_BITS,
    CHAIN_MASK,
    CHAINS_PER_WORD,
    LOW_PLACES,
    State,
)
from devilsgrip.rules import UNITS

TURN = 0
REDEAL = 1
PLACE = 1 << CHAIN_BITS
BUILD = 2 << CHAIN_BITS
MOVES_CEILING = 2 + LEVELS - 1 + 12 * len(BUILDS)
STOP = -1
NO_PLACE = -1
NO_CHAIN = -1
TAIL = UNITS.index("tail")

ONE = np.int64(1)
ALL_ONES = np.int64(-1)


# Talon and stock.


@inlined_kernel
def first_place_from(state: State, place: int) -> int:
    """The first place at or after `place` whose card is still there, or -1."""
    if place < LOW_PLACES:
        rest = state.stock_low & (ALL_ONES << place)
        if rest != 0:
            return trailing_zeros(rest)
        place = LOW_PLACES
    rest = state.stock_high & (ALL_ONES << (place - LOW_PLACES))
    return LOW_PLACES + trailing_zeros(rest) if rest != 0 else NO_PLACE


@inlined_kernel
def last_place_below(state: State, place: int) -> int:
    """The last place before `place` whose card is still there, or -1."""
    if place > LOW_PLACES:
        rest = state.stock_high & ~(ALL_ONES << (place - LOW_PLACES))
        if rest != 0:
            return LOW_PLACES + 63 - leading_zeros(rest)
        place = LOW_PLACES
    rest = state.stock_low & ~(ALL_ONES << place)
    return 63 - leading_zeros(rest)


@inlined_kernel
def talon_top(state: State) -> int:
    """The place of the card in play, or -1 if the talon is empty."""
    return last_place_below(state, state.boundary)


@inlined_kernel
def next_stock(state: State) -> int:
    """The place of the next stock card, or -1 if the stock is empty."""
    return first_place_from(state, state.boundary)


@inlined_kernel
def cards_left(state: State) -> int:
    """The score (DG8): cards that are not in the grid."""
    return set_bits(state.stock_low) + set_bits(state.stock_high)


@inlined_kernel
def is_won(state: State) -> bool:
    """Whether all cards lie in the grid."""
    return state.stock_low == 0 and state.stock_high == 0


@inlined_kernel
def with_stock(state: State, low: int, high: int) -> State:
    """The state with other cards in talon and stock."""
    return State(state.grid_low, state.grid_high, low, high, state.boundary, state.redeals)


@inlined_kernel
def with_boundary(state: State, boundary: int, redeals: int) -> State:
    """The state with another first place of the stock."""
    return State(
        state.grid_low, state.grid_high, state.stock_low, state.stock_high, boundary, redeals
    )


@inlined_kernel
def without_place(state: State, place: int) -> State:
    """The state without the card at a place."""
    if place < LOW_PLACES:
        return with_stock(state, state.stock_low ^ (ONE << place), state.stock_high)
    return with_stock(state, state.stock_low, state.stock_high ^ (ONE << (place - LOW_PLACES)))


# The grid.


@inlined_kernel
def _upper_half(chain: int) -> int:
    """All ones for a chain of grid_high, else 0: a branch would be mispredicted half the time."""
    return (CHAINS_PER_WORD - 1 - chain) >> 63


@inlined_kernel
def _shift(chain: int) -> int:
    return CHAIN_BITS * (chain - (_upper_half(chain) & CHAINS_PER_WORD))


@inlined_kernel
def chain_state(state: State, chain: int) -> int:
    """The state number of a chain."""
    word = state.grid_low ^ ((state.grid_low ^ state.grid_high) & _upper_half(chain))
    return (word >> _shift(chain)) & CHAIN_MASK


@inlined_kernel
def with_chain_state(state: State, chain: int, former: int, number: int) -> State:
    """The state with chain state `former` replaced by `number`."""
    change = (np.int64(number) - former) << _shift(chain)
    high_change = change & _upper_half(chain)
    return State(
        state.grid_low + (change - high_change),
        state.grid_high + high_change,
        state.stock_low,
        state.stock_high,
        state.boundary,
        state.redeals,
    )


@inlined_kernel
def with_card_in_space(state: State, kind: int) -> State:
    """The state with a card more, which begins a pile."""
    chain = kind >> 2
    former = chain_state(state, chain)
    return with_chain_state(state, chain, former, FILL_NEXT[former, kind & 3])


@inlined_kernel
def _buildable(word: int, rules: Any) -> int:
    """The highest bit of each chain of a word in which a build can open a space.

    Those are the chains whose state number is at least ``FIRST_BUILDABLE <= 256``: their lower
    eight bits plus 256 - FIRST_BUILDABLE carry into the ninth, and never beyond it.
    """
    carried = (word & CHAIN_LOW_BITS) + rules.buildable_carry
    return (carried | word) & CHAIN_HIGH_BITS


@inlined_kernel
def buildable_chain(state: State, rules: Any) -> int:
    """A chain in which a build can open a space, or -1: the first of 0, 6, 1, 7, .. 5, 11."""
    bits = (_buildable(state.grid_low, rules) >> (CHAIN_BITS - 1)) | (
        _buildable(state.grid_high, rules) >> (CHAIN_BITS - 2)
    )
    if bits == 0:
        return NO_CHAIN
    bit = trailing_zeros(bits)
    field = bit // CHAIN_BITS
    return field + CHAINS_PER_WORD * (bit - CHAIN_BITS * field)


# The deal.


@inlined_kernel
def deal_state(deck: Any, rules: Any) -> State:
    """Lay out a deal (DG2); the stock's fixed order is ``deck[6 * suits:]``.

    Parameters
    ----------
    deck : (24 * suits,) uint8 array
        Kinds in dealing order.
    """
    cells = len(deck) // LEVELS
    cards = len(deck) - cells
    # Counting the cards first, two bits a level, does not wait for a look-up at each card.
    low_counts = np.int64(0)
    high_counts = np.int64(0)
    for card in range(cells):
        kind = np.int64(deck[card])
        count = ONE << (_shift(kind >> 2) + 2 * (kind & 3))
        high_count = count & _upper_half(kind >> 2)
        low_counts += count - high_count
        high_counts += high_count
    return State(
        _single_cards(low_counts),
        _single_cards(high_counts),
        ~(ALL_ONES << min(cards, LOW_PLACES)),
        ~(ALL_ONES << max(cards - LOW_PLACES, 0)),
        np.int64(rules.initial_talon),
        np.int64(0),
    )


@inlined_kernel
def _single_cards(counts: int) -> int:
    """Six chains of piles of one card, from how many of each level there are."""
    word = np.int64(0)
    for field in range(CHAINS_PER_WORD):
        shift = CHAIN_BITS * field
        word |= np.int64(SINGLE_CARDS[(counts >> shift) & CHAIN_MASK]) << shift
    return word


# Moves.


@inlined_kernel
def can_redeal(state: State, rules: Any) -> bool:
    """Whether the talon may be turned over (DG7)."""
    return (
        (rules.redeals < 0 or state.redeals < rules.redeals)
        and next_stock(state) == NO_PLACE
        and talon_top(state) != NO_PLACE
    )


@inlined_kernel
def placement_move(following: int) -> int:
    """The placement that takes the chain of the talon's top card to its state `following`."""
    return PLACE + following


@inlined_kernel
def build_move(chain: int, following: int) -> int:
    """The build that takes a chain to its state `following`."""
    return BUILD + (np.int64(chain) << CHAIN_BITS) + following


@kernel
def legal_moves(state: State, order: Any, rules: Any, moves_out: Any) -> int:
    """Write all legal moves and return their number.

    Parameters
    ----------
    moves_out : (>= 245,) int64 array, modified in place
    """
    count = 0
    if next_stock(state) != NO_PLACE:
        moves_out[count] = TURN
        count += 1
    if can_redeal(state, rules):
        moves_out[count] = REDEAL
        count += 1
    place = talon_top(state)
    if place != NO_PLACE:
        kind = np.int64(order[place])
        number = chain_state(state, kind >> 2)
        for low in range(kind & 3):
            following = PLACE_NEXT[number, kind & 3, low]
            if following >= 0:
                moves_out[count] = PLACE + following
                count += 1
    for chain in range(rules.chains):
        number = chain_state(state, chain)
        builds_left = BUILD_COUNT[rules.unit, number]
        build = 0
        while builds_left > 0:
            following = BUILD_NEXT[rules.unit, number, build]
            build += 1
            if following >= 0:
                builds_left -= 1
                moves_out[count] = build_move(chain, following)
                count += 1
    return count


@inlined_kernel
def after_move(state: State, move: int, order: Any, rules: Any) -> State:
    """The state after a legal move and the fill (DG5) that follows it."""
    if move == TURN:
        return _after_turn(state, rules)
    if move >= BUILD:
        return _after_build(state, move, order, rules)
    if move >= PLACE:
        return _after_placement(state, move & CHAIN_MASK, order)
    return _after_redeal(state)


@inlined_kernel
def opens_space(state: State, move: int, rules: Any) -> bool:
    """Whether a build moves a whole pile: one pile less is left then."""
    if rules.unit != TAIL:
        return True
    former = chain_state(state, (move - BUILD) >> CHAIN_BITS)
    return PILE_COUNT[move & CHAIN_MASK] < PILE_COUNT[former]


@inlined_kernel
def _after_turn(state: State, rules: Any) -> State:
    if state.boundary < LOW_PLACES:
        rest = state.stock_low & (ALL_ONES << state.boundary)
        for _ in range(rules.turn - 1):
            rest &= rest - 1
        if rest != 0:
            return with_boundary(state, trailing_zeros(rest) + 1, state.redeals)
    return _after_last_turns(state, rules)


@inlined_kernel
def _after_last_turns(state: State, rules: Any) -> State:
    """A turn that reaches the places of stock_high, or the end of the stock."""
    boundary = state.boundary
    for _ in range(rules.turn):
        place = first_place_from(state, boundary)
        if place == NO_PLACE:
            break
        boundary = place + 1
    return with_boundary(state, boundary, state.redeals)


@inlined_kernel
def _after_redeal(state: State) -> State:
    return with_boundary(state, np.int64(0), state.redeals + 1)


@inlined_kernel
def _after_placement(state: State, following: int, order: Any) -> State:
    place = talon_top(state)
    chain = np.int64(order[place]) >> 2
    state = with_chain_state(state, chain, chain_state(state, chain), following)
    return without_place(state, place)


@inlined_kernel
def _after_build(state: State, move: int, order: Any, rules: Any) -> State:
    chain = (move - BUILD) >> CHAIN_BITS
    following = with_chain_state(state, chain, chain_state(state, chain), move & CHAIN_MASK)
    return _after_fill(following, order, rules) if opens_space(state, move, rules) else following


@inlined_kernel
def _after_fill(state: State, order: Any, rules: Any) -> State:
    """Let the next card into the open space (DG5, DG5b), if there is one."""
    place = next_stock(state)
    if place == NO_PLACE:
        if rules.fill_talon_top:
            place = talon_top(state)
        elif can_redeal(state, rules):
            state = _after_redeal(state)
            place = next_stock(state)
    if place == NO_PLACE:
        return state
    return with_card_in_space(without_place(state, place), np.int64(order[place]))


# Keys.


@kernel
def state_key(state: State, order: Any, rules: Any) -> State:
    """The key of a position: equal for positions that only swaps and copies tell apart.

    Of two copies with nothing between them the first counts as gone only if both are, and the
    boundary moves down to the talon's top card. Redeals used matter only where they are limited.
    The key is itself a state, with the same future.
    """
    key = state
    boundary = np.int64(0)
    former = np.int64(NO_PLACE)
    place = first_place_from(state, np.int64(0))
    while place != NO_PLACE:
        earlier = place - 1
        while earlier > former and order[earlier] != order[place]:
            earlier -= 1
        if earlier > former:
            key = without_place(without_place(key, place), earlier)
            former = earlier
        else:
            former = place
        if place < state.boundary:
            boundary = former + 1
        place = first_place_from(state, place + 1)
    return with_boundary(key, boundary, state.redeals if rules.redeals >= 0 else np.int64(0))
