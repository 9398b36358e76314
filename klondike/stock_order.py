"""What could be done before a card was taken from waste or stock is not done right after it.

Only where waste and stock are no reserve: where more than one card is drawn at a time, or recycles
are limited. Let Q come from another position in the table, P, by a *stock move*: a card d of waste
or stock is placed, or goes up. Let it end no block (:mod:`klondike.late_moves`), and let no safe
card have gone up after it. A move X that is not late, of a face-up card that goes up or of a
surface that is shifted, need not be searched in Q if

* X does not need d: it is not the twin of d that goes up, nor the card that follows d in its suit;
  no surface is shifted to the type of d;
* no safe card could go up after X, even if nothing covered it.

Nor need d go up if it was just placed: it could have gone there at once.

**Claim.** When the search has ended, what comes of X in Q has been met, or something as good
(:func:`klondike.condensed.dominating_counts`), or it cannot be won.

*Proof.* X can be made in P: what it needs was there before d, for what came with d are the
exceptions. After X, d can still be played: two cards that take parents of one type or spaces find
them in either order; so do a card that takes a parent and another parent that goes up. Both orders
lead to the same position; its boundary is that of d.

If X is searched in P, no safe card goes up after it: a card that lies face up then does so after X
in Q too, and the foundations are as high there, so it could go up there, but none can. So the very
position after X is met, or one as good. It is dead only if what comes of X in Q cannot be won. Else
d follows, for stock moves are never left out, and from a position as good it leads to one as good,
with the same boundary, and no more recycles. Again no safe card goes up, for the same reason, and
the position is met, or one as good.

If X is not searched in P, then P came from another position by a stock move in turn. All this holds
for these two as well: there, too, safe cards after X would be so in Q. And so on, up to a position
in which X is searched; each stock move on the way can follow X. ∎
"""

from typing import Any

import numpy as np

from dealstats.bits import trailing_zeros
from dealstats.jit import inlined_kernel
from klondike.condensed import BELOW, BOTTOMS, FOUNDATION_STEP
from klondike.condensed_moves import (
    KIND_MASK,
    ONE,
    PLAY,
    PLAY_UP,
    next_cards,
    next_of_suits,
    safe_cards,
    type_of,
)


@inlined_kernel
def is_stock_move(move: int) -> bool:
    """Whether a move takes a card from waste or stock."""
    return move & ~KIND_MASK == PLAY or move & ~KIND_MASK == PLAY_UP


@inlined_kernel
def needing_stock_move(
    move: int, up: int, shift: int, key: int, visible: int, locked: int, deal: Any, rules: Any
) -> tuple[int, int]:
    """What need be searched in the position after a stock move.

    Parameters
    ----------
    move : int
        The stock move, after which no safe card went up.
    up : int
        The set of face-up cards that can go up.
    shift : int
        The set of surfaces that can be shifted.

    Returns
    -------
    up, shift : int
        Those of them that need be searched; surfaces that leave a space, whose shift is late, are
        among them if they were.
    """
    kind = move & KIND_MASK
    up &= ~(ONE << kind)
    if move & ~KIND_MASK == PLAY:
        need_up, need_shift = type_of(kind), type_of(kind) >> 4
    else:
        need_up, need_shift = next_of_suits(ONE << kind), np.int64(0)
    early = up & ~need_up
    while early != 0:
        bit = early & -early
        early ^= bit
        if not _up_leads_to_safe(bit, key, visible, locked, deal, rules):
            up ^= bit
    early = shift & ~need_shift & ~deal[BOTTOMS]
    safe = next_cards(key) & safe_cards(key, rules)
    if visible & safe == 0:
        while early != 0:
            bit = early & -early
            early ^= bit
            if deal[BELOW + trailing_zeros(bit)] & safe == 0:
                shift ^= bit
    return up, shift


@inlined_kernel
def _up_leads_to_safe(bit: int, key: int, visible: int, locked: int, deal: Any, rules: Any) -> bool:
    """Whether a safe card may go up after one that goes up."""
    kind = trailing_zeros(bit)
    shown = visible ^ bit
    if locked & bit != 0:
        shown |= deal[BELOW + kind]
    key += FOUNDATION_STEP[kind]
    return shown & next_cards(key) & safe_cards(key, rules) != 0
