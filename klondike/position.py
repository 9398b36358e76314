"""What lies on the table, and what a player can do: the plain values that all rooms exchange.

Nothing here knows the rules; cards are the integers of :mod:`dealstats.cards`.
"""

from dataclasses import dataclass
from typing import NamedTuple

from klondike.rules import Rules


@dataclass(frozen=True)
class Pile:
    """A pile of the tableau, both parts from bottom to top."""

    face_down: tuple[int, ...] = ()
    face_up: tuple[int, ...] = ()


@dataclass(frozen=True)
class Position:
    """A table, with its piles in their places.

    Attributes
    ----------
    foundations : tuple of 4 int
        For each suit C, D, H, S the rank of its top card, 0 if there is none.
    piles : tuple of Pile
    waste : tuple of int
        From bottom to top; the last card is in play.
    stock : tuple of int
        Face down; the first card is the next to come.
    recycles_used : int
        How often the waste has been turned over.
    """

    foundations: tuple[int, int, int, int]
    piles: tuple[Pile, ...]
    waste: tuple[int, ...]
    stock: tuple[int, ...]
    recycles_used: int = 0

    @property
    def cards_up(self) -> int:
        """Cards on the foundations."""
        return sum(self.foundations)

    @property
    def is_cleared(self) -> bool:
        """Whether all piles of the tableau are empty."""
        return not any(pile.face_down or pile.face_up for pile in self.piles)


class Move(NamedTuple):
    """One move.

    Attributes
    ----------
    kind : {"draw", "recycle", "waste_to_pile", "waste_to_foundation", "pile_to_foundation", \
"pile_to_pile", "foundation_to_pile"}
    source, target : int
        Piles 0..6, or for `foundation_to_pile` the suit 0..3 as source; -1 where the kind has none.
    cards : int
        Cards moved by a `pile_to_pile`; 0 for the other kinds.
    """

    kind: str
    source: int = -1
    target: int = -1
    cards: int = 0


DRAW = Move("draw")
RECYCLE = Move("recycle")


def dealt(deck: tuple[int, ...], rules: Rules) -> Position:
    """The table just after the deal (KL1), and after the first draw if the rules begin with it.

    Parameters
    ----------
    deck : tuple of int
        All cards of the pack in dealing order: the tableau row by row, then the stock.
    rules : Rules
        `piles` gives the size of the tableau.
    """
    columns: list[list[int]] = [[] for _ in range(rules.piles)]
    cards = iter(deck)
    for row in range(rules.piles):
        for pile in range(row, rules.piles):
            columns[pile].append(next(cards))
    stock = tuple(cards)
    turned = rules.draw if rules.start_with_draw else 0
    return Position(
        foundations=(0, 0, 0, 0),
        piles=tuple(Pile(tuple(column[:-1]), (column[-1],)) for column in columns),
        waste=stock[:turned],
        stock=stock[turned:],
    )
