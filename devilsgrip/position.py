"""What lies on the table, and what a player can do: the plain values that all rooms exchange.

Nothing here knows the rules; cards are the integers of :mod:`dealstats.cards`.
"""

from dataclasses import dataclass
from typing import NamedTuple

from devilsgrip.rules import Rules


@dataclass(frozen=True)
class Position:
    """A table, with its cells in their places.

    Attributes
    ----------
    grid : tuple of tuples
        One pile per cell, row by row (A1, A2, ... then B1 ...), each from bottom to top;
        an empty tuple is an empty cell.
    talon : tuple of int
        From bottom to top; the last card is in play.
    stock : tuple of int
        Face down; the first card is the next to come.
    redeals_used : int
        How often the talon has been turned over.
    """

    grid: tuple[tuple[int, ...], ...]
    talon: tuple[int, ...]
    stock: tuple[int, ...]
    redeals_used: int = 0

    @property
    def cards_left(self) -> int:
        """Cards that are not in the grid: the score (DG8), low is good."""
        return len(self.talon) + len(self.stock)

    @property
    def is_won(self) -> bool:
        """Whether all cards lie in the grid."""
        return self.cards_left == 0


class Move(NamedTuple):
    """One move between cells.

    Attributes
    ----------
    kind : {"turn", "redeal", "place", "build", "swap"}
        `place` lays the talon's top card on `target`; `build` moves the top `cards` cards of
        `source` onto `target`; `swap` exchanges two piles.
    source, target : int
        Indices into :attr:`Position.grid`; -1 where the kind has none.
    cards : int
        Cards moved by a `build`; 0 for the other kinds.
    """

    kind: str
    source: int = -1
    target: int = -1
    cards: int = 0


TURN = Move("turn")
REDEAL = Move("redeal")


def dealt(deck: tuple[int, ...], rules: Rules) -> Position:
    """The table just after the deal (DG2).

    Parameters
    ----------
    deck : tuple of int
        All cards of the pack in dealing order: the grid row by row, then the stock.
    rules : Rules
        `suits` gives the size of the grid, `initial_talon` the cards turned at the start.
    """
    grid = tuple((card,) for card in deck[: rules.cells])
    stock = deck[rules.cells :]
    return Position(grid, stock[: rules.initial_talon], stock[rules.initial_talon :])
