"""A lower bound for the moves that a position still needs: placements and draws.

**What is proved.** Let a win be given; what it does with the cards as they lie now tells the moves
apart:

1. Each card that is not up goes up at least once: a placement on a foundation.
2. Some cards must first be laid on a pile. The cards of a pile are *blocks*: each card face down
   is one, and all cards face up together are another. A card is *straight* if it leaves its place
   only to go up. If not all cards of a block are straight, some placement takes cards of the block
   from where they lie now to another pile. Different blocks have different ones: of two in the
   same pile the upper one has left before the lower one is turned up.

   A straight card goes up when it leaves, so after all lower cards of its suit, and after all that
   now lies on any of these has left its place. Hence a card that lies over a lower one of its suit
   in its pile is not straight. Nor are both of two cards in different piles, each of which lies
   over a card that is lower than the other one and of its suit. Each block of the first kind
   counts one, and so does each pair of the second kind if no block is counted twice.
3. Each card of the stock is drawn at least once, at most `draw` of them by one move.
4. A card of the waste that lies over a lower one of its suit is not straight either: it is laid on
   a pile, which is one more placement, or it is still there at the next recycle. Then it and all
   cards below it are drawn once more. If that happens to any such card, let x be the highest: those
   above it cost a placement each, and the cards up to x are drawn again.

   The same holds for a card of the stock with a lower one of its suit before it, if both come to
   the waste by the same draw. As long as the stock is not recycled, it is known which do. Here at
   least these two cards are drawn again, if the upper one is not laid on a pile.

   If one card is drawn at a time, each card of the waste is a block too, and that it is not
   straight costs at least one placement or draw; so they can be in the pairs of 2.

As all this counts different moves, it is the sum that bounds their number.
"""

from typing import Any, NamedTuple

import numpy as np

from dealstats.bits import set_bits, trailing_zeros
from dealstats.jit import inlined_kernel, kernel
from klondike.kernel import (
    ALL_ONES,
    ONE,
    bottom_rank,
    cards_up,
    face_down,
    pile_field,
    rank_of_kind,
    stock_places,
    strand_of,
    suit_of_kind,
    tableau_place,
    top_rank,
)
from klondike.layout import HIGHEST_RANK, PILES, PLACES, State

BLOCKS_CEILING = PLACES


class BoundRoom(NamedTuple):
    """What the bound looks up, and works in. A set of cards has bit 13 * suit + rank - 1 for each.

    Attributes
    ----------
    lower : (52,) int64 array
        For each kind the set of lower cards of its suit.
    under : (7, 8) int64 array
        For each pile and row the set of the cards that are dealt below.
    block_lower, block_under : (52,) int64 array
        For blocks that may be straight: the cards that must go up before all of it can, and the
        cards that lie below it.
    """

    lower: Any
    under: Any
    block_lower: Any
    block_under: Any


def make_bound_room() -> BoundRoom:
    """Room for the bound of one deck."""
    return BoundRoom(
        lower=np.zeros(PLACES, np.int64),
        under=np.zeros((PILES, PILES + 1), np.int64),
        block_lower=np.zeros(BLOCKS_CEILING, np.int64),
        block_under=np.zeros(BLOCKS_CEILING, np.int64),
    )


@inlined_kernel
def _bit_of(kind: int) -> int:
    return ONE << (HIGHEST_RANK * suit_of_kind(kind) + rank_of_kind(kind) - 1)


@kernel
def prepare_bound(deck: Any, rules: Any, room: Any) -> None:
    """Fill what depends on the deck only."""
    for kind in range(len(deck)):
        bit = _bit_of(np.int64(kind))
        room.lower[kind] = bit - (ONE << HIGHEST_RANK * suit_of_kind(np.int64(kind)))
    for pile in range(rules.piles):
        room.under[pile, 0] = 0
        for row in range(pile + 1):
            kind = np.int64(deck[tableau_place(pile, row, rules)])
            room.under[pile, row + 1] = room.under[pile, row] | _bit_of(kind)


@inlined_kernel
def _lower_than_run(field: int, room: Any) -> int:
    """The cards that must go up before all face-up cards of a pile can."""
    lower = np.int64(0)
    for rank in range(top_rank(field), bottom_rank(field) + 1):
        lower |= room.lower[(rank - 1) << 2 | strand_of(field) << 1 | (field >> rank) & 1]
    return lower


@kernel
def _list_pile_blocks(state: State, deck: Any, rules: Any, room: Any) -> tuple[int, int]:
    """Count the blocks of piles that are not straight, and list the others.

    Returns
    -------
    bent, listed : int
    """
    bent, listed = np.int64(0), np.int64(0)
    for pile in range(rules.piles):
        field = pile_field(state, pile)
        hidden = face_down(field)
        if hidden == 0:
            continue
        for row in range(1, hidden + 1):
            if row == hidden:
                lower = _lower_than_run(field, room)
            else:
                lower = room.lower[deck[tableau_place(pile, row, rules)]]
            under = room.under[pile, row]
            if lower & under:
                bent += 1
            else:
                room.block_lower[listed] = lower
                room.block_under[listed] = under
                listed += 1
    return bent, listed


@kernel
def _list_waste_blocks(state: State, deck: Any, listed: int, room: Any) -> tuple[int, int]:
    """The same for the cards of the waste, if one is drawn at a time."""
    bent, under = np.int64(0), np.int64(0)
    waste = state.places & ~(ALL_ONES << state.boundary)
    while waste != 0:
        kind = np.int64(deck[trailing_zeros(waste)])
        waste &= waste - 1
        if room.lower[kind] & under:
            bent += 1
        elif under != 0:
            room.block_lower[listed] = room.lower[kind]
            room.block_under[listed] = under
            listed += 1
        under |= _bit_of(kind)
    return bent, listed


@kernel
def _pairs(listed: int, room: Any) -> int:
    """Pairs of blocks that are not both straight, each block in one of them."""
    lower, under = room.block_lower, room.block_under
    pairs = np.int64(0)
    for first in range(listed):
        if lower[first] == 0:
            continue
        for second in range(first + 1, listed):
            if (lower[first] & under[second]) != 0 and (lower[second] & under[first]) != 0:
                pairs += 1
                lower[second] = 0
                break
    return pairs


@inlined_kernel
def _draws_for(cards: int, rules: Any) -> int:
    return (cards + rules.draw - 1) // rules.draw


@kernel
def _bent_in_stock(state: State, deck: Any, rules: Any, room: Any) -> int:
    """The draws to come, up to a recycle, that bring a card over a lower one of its suit."""
    bent, under, drawn, is_bent = np.int64(0), np.int64(0), np.int64(0), False
    rest = stock_places(state)
    while rest != 0:
        kind = np.int64(deck[trailing_zeros(rest)])
        rest &= rest - 1
        is_bent |= (room.lower[kind] & under) != 0
        under |= _bit_of(kind)
        drawn += 1
        if drawn == rules.draw or rest == 0:
            bent += is_bent
            under, drawn, is_bent = np.int64(0), np.int64(0), False
    return bent


@kernel
def _outside_bound(state: State, deck: Any, rules: Any, room: Any) -> int:
    """Draws and placements on piles that waste and stock cost if several are drawn at a time.

    See 3 and 4 at the top.
    """
    drawn = set_bits(stock_places(state)) + 2 * _bent_in_stock(state, deck, rules, room)
    least = _draws_for(drawn, rules)
    under, cards = np.int64(0), np.int64(0)
    waste = state.places & ~(ALL_ONES << state.boundary)
    while waste != 0:
        kind = np.int64(deck[trailing_zeros(waste)])
        waste &= waste - 1
        cards += 1
        if room.lower[kind] & under:
            # It is laid on a pile like those above; or it is the highest that is drawn again.
            least = min(least + 1, _draws_for(drawn + cards, rules))
        under |= _bit_of(kind)
    return least


@kernel
def moves_bound(state: State, deck: Any, rules: Any, room: Any) -> int:
    """So many placements and draws, or more, are between a position and any win.

    Parameters
    ----------
    room : BoundRoom
        Prepared for the deck.
    """
    bent, listed = _list_pile_blocks(state, deck, rules, room)
    bound = len(deck) - cards_up(state) + bent
    if rules.draw == 1:
        bent, listed = _list_waste_blocks(state, deck, listed, room)
        bound += set_bits(stock_places(state)) + bent
    else:
        bound += _outside_bound(state, deck, rules, room)
    return bound + _pairs(listed, room)
