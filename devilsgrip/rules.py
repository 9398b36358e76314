"""The options of Devil's Grip; each one is explained in RULES.md under the id given here."""

from dataclasses import dataclass

from dealstats.errors import ImpossibleRules
from dealstats.rule_options import RuleOptions

FILLS = ("turn_over", "talon_top")
UNITS = ("pile", "tail", "single")
SIGHTS = ("turned", "top")
ROWS = 3
COLUMNS_PER_SUIT = 2
PACK_CARDS_PER_SUIT = 24


@dataclass(frozen=True, kw_only=True)
class Rules(RuleOptions):
    """One way to play Devil's Grip.

    Parameters
    ----------
    redeals : int or None
        How often the talon may be turned over to be the stock again; None is unlimited (DG7).
    turn : int
        Cards turned at a time, at least 1 (DG6).
    fill : {"turn_over", "talon_top"}
        What fills a space when the stock is empty (DG5b).
    unit : {"pile", "tail", "single"}
        What may be moved from the grid: whole piles, any top part of a pile, or only piles of one
        card (DG4).
    initial_talon : {0, 3}
        Cards that lie on the talon from the start (DG2).
    sees : {"turned", "top"}
        What a player remembers of the cards turned (DG10).
    suits : int
        1..4; fewer than four make a small pack of the first suits in the order C, D, H, S, with a
        grid of two columns a suit.

    Raises
    ------
    ImpossibleRules
        If an option has a value outside its range.
    """

    redeals: int | None = None
    turn: int = 3
    fill: str = "turn_over"
    unit: str = "pile"
    initial_talon: int = 0
    sees: str = "turned"
    suits: int = 4

    def __post_init__(self) -> None:
        for name, allowed in (
            ("fill", FILLS),
            ("unit", UNITS),
            ("initial_talon", (0, 3)),
            ("sees", SIGHTS),
            ("suits", (1, 2, 3, 4)),
        ):
            self.check_choice(name, allowed)
        self.check_redeals(self.redeals)
        if not 1 <= self.turn <= self.stock_cards:
            raise ImpossibleRules(f"turn {self.turn!r} is not from 1 to {self.stock_cards} cards")

    @property
    def columns(self) -> int:
        """Columns of the grid."""
        return COLUMNS_PER_SUIT * self.suits

    @property
    def cells(self) -> int:
        """Cells of the grid, which are also the complete piles of a won game."""
        return ROWS * self.columns

    @property
    def pack_cards(self) -> int:
        """Cards in play."""
        return PACK_CARDS_PER_SUIT * self.suits

    @property
    def stock_cards(self) -> int:
        """Cards of the pack that the deal leaves outside the grid."""
        return self.pack_cards - self.cells


PRESETS = {
    "textbook": Rules(),
    "single-pass": Rules(redeals=0),
    "two-pass": Rules(redeals=1),
    "three-pass": Rules(redeals=2),
    "pysolfc": Rules(initial_talon=3, fill="talon_top", unit="tail"),
}
Rules.presets = PRESETS
