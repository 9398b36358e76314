"""A quick proof that a position cannot be won: even an easier game could not turn up all cards.

In the easier game nothing that was once possible is ever lost: a card that lay face up can still be
built on, one that reached its foundation is still in the tableau too, every card of waste and stock
is at hand once any of them could be played, an empty pile stays empty. So what is possible only
grows, and is found by adding to it until nothing changes. Whatever can happen in the game can
happen in the easier one; if some card can never be turned up there, the position is dead.
"""

from typing import Any

import numpy as np

from dealstats.bits import trailing_zeros
from dealstats.jit import kernel
from klondike.condensed import BELOW, BOTTOMS
from klondike.condensed_moves import (
    cards_at,
    foundation_cards,
    next_of_suits,
    open_types,
    stock_set,
)

ACES = 0b1111


@kernel
def may_be_won(
    key: int, visible: int, locked: int, in_play: int, spaces: int, deal: Any, rules: Any
) -> bool:
    """Whether the easier game can turn up all cards.

    Parameters
    ----------
    in_play : int
        The set of cards that come into play.
    spaces : int
        The number of empty piles.
    """
    bottoms = deal[BOTTOMS]
    whole_stock = cards_at(stock_set(key), deal)
    shown = visible
    done = foundation_cards(key)
    placed = visible & ~locked
    surfaces = visible & locked
    covered = locked & ~bottoms
    has_space = spaces > 0
    while covered != 0:
        # A placed card that may go up need not cover its parents.
        types = open_types(shown, placed & ~done)
        landing = types >> 4
        if has_space or placed & done & rules.kings != 0:
            landing |= rules.kings
        next_up = next_of_suits(done) | ACES
        if in_play & (landing | next_up) != 0:
            in_play = whole_stock
        new_done = done | (next_up & ((shown & types) | in_play))
        from_foundation = done if rules.worrying_back else np.int64(0)
        new_shown = shown | ((in_play | from_foundation) & landing)
        freed = surfaces & (landing | new_done)
        gives_space = freed & bottoms & (new_done | ~rules.kings) != 0
        # A king at the bottom of its pile need not move to where it is.
        freed &= ~bottoms
        if (
            new_done == done
            and new_shown == shown
            and freed == 0
            and (has_space or not gives_space)
        ):
            return False
        has_space = has_space or gives_space
        while freed != 0:
            surface = freed & -freed
            below = deal[BELOW + trailing_zeros(surface)]
            surfaces ^= surface | below
            covered ^= surface
            new_shown |= below
            freed ^= surface
        shown, done = new_shown, new_done
    return True
