"""The options of Klondike; each one is explained in RULES.md under the id given here."""

from dataclasses import dataclass, replace

from dealstats.errors import ImpossibleRules
from dealstats.rule_options import RuleOptions

EMPTY_PILES = ("king", "any", "none")
FOUNDATION_AWARDS = ("each_time", "first_time")
SIGHTS = ("turned", "stock")
SUITS = 4


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """Points for every step (KL9).

    Attributes
    ----------
    waste_to_tableau, to_foundation, turn_up, from_foundation : int
        Points for each such event.
    recycle : int
        Points for each recycle of the waste after the first `free_recycles`.
    free_recycles : int
        So many recycles cost nothing.
    cleared : int
        Points when all piles of the tableau are empty, once in a game.
    start : int
        Points at the start.
    floor : int or None
        The score never falls below it.
    """

    waste_to_tableau: int
    to_foundation: int
    turn_up: int
    from_foundation: int
    recycle: int
    free_recycles: int
    cleared: int
    start: int
    floor: int | None


STARGAMES = Scoring(
    waste_to_tableau=5,
    to_foundation=10,
    turn_up=10,
    from_foundation=-5,
    recycle=-15,
    free_recycles=0,
    cleared=50,
    start=0,
    floor=None,
)
STANDARD_DRAW_ONE = Scoring(
    waste_to_tableau=5,
    to_foundation=10,
    turn_up=5,
    from_foundation=-15,
    recycle=-100,
    free_recycles=0,
    cleared=0,
    start=0,
    floor=0,
)
STANDARD_DRAW_MORE = replace(STANDARD_DRAW_ONE, recycle=-20, free_recycles=2)
VEGAS = Scoring(
    waste_to_tableau=0,
    to_foundation=5,
    turn_up=0,
    from_foundation=-5,
    recycle=0,
    free_recycles=0,
    cleared=0,
    start=-52,
    floor=None,
)
SCORINGS = ("stargames", "standard", "vegas")


@dataclass(frozen=True, kw_only=True)
class Rules(RuleOptions):
    """One way to play Klondike.

    Parameters
    ----------
    draw : int
        Cards turned from the stock at a time, 1..24 (KL2).
    redeals : int or None
        How often the waste may be turned over to be the stock again; None is unlimited (KL6).
    empty_pile : {"king", "any", "none"}
        What may be laid on an empty pile (KL4): a card of the highest rank, any card, or nothing.
    worrying_back : bool
        Whether the top card of a foundation may return to the tableau (KL5).
    partial_runs : bool
        Whether any face-up part of a pile may move, or only all its face-up cards (KL3).
    start_with_draw : bool
        Whether the first cards of the stock are turned at the start (KL2).
    scoring : {"stargames", "standard", "vegas"}
        The table of points (KL9).
    foundation_award : {"each_time", "first_time"}
        Whether a card earns its foundation points each time, or only the first time (KL9).
    sees : {"turned", "stock"}
        Whether a player knows the stock only once it was turned, or from the start (KL11).
    ranks : int
        1..13; fewer than 13 make a small pack of the ranks from the ace up.
    piles : int
        1..7 piles, dealt as in KL1; what they do not take of the pack is the stock.

    Raises
    ------
    ImpossibleRules
        If an option has a value outside its range, or the pack is too small for the piles.
    """

    draw: int = 1
    redeals: int | None = None
    empty_pile: str = "king"
    worrying_back: bool = True
    partial_runs: bool = True
    start_with_draw: bool = False
    scoring: str = "stargames"
    foundation_award: str = "each_time"
    sees: str = "turned"
    ranks: int = 13
    piles: int = 7

    def __post_init__(self) -> None:
        for name, allowed in (
            ("empty_pile", EMPTY_PILES),
            ("scoring", SCORINGS),
            ("foundation_award", FOUNDATION_AWARDS),
            ("sees", SIGHTS),
        ):
            self.check_choice(name, allowed)
        for name, lowest, highest in (("draw", 1, 24), ("ranks", 1, 13), ("piles", 1, 7)):
            if not lowest <= getattr(self, name) <= highest:
                raise ImpossibleRules(
                    f"{name} {getattr(self, name)!r} is not from {lowest} to {highest}"
                )
        self.check_redeals(self.redeals)
        if self.stock_cards < 0:
            raise ImpossibleRules(
                f"{self.piles} piles take {self.tableau_cards} cards, but {self.ranks} ranks make "
                f"a pack of {self.pack_cards}"
            )

    @property
    def pack_cards(self) -> int:
        """Cards in play."""
        return SUITS * self.ranks

    @property
    def tableau_cards(self) -> int:
        """Cards dealt to the tableau."""
        return self.piles * (self.piles + 1) // 2

    @property
    def stock_cards(self) -> int:
        """Cards that the deal leaves to the stock."""
        return self.pack_cards - self.tableau_cards

    @property
    def points(self) -> Scoring:
        """The table of points (KL9); that of `standard` depends on `draw`."""
        if self.scoring == "standard":
            return STANDARD_DRAW_ONE if self.draw == 1 else STANDARD_DRAW_MORE
        return STARGAMES if self.scoring == "stargames" else VEGAS


PRESETS = {
    "stargames": Rules(start_with_draw=True),
    "draw-one": Rules(scoring="standard"),
    "draw-three": Rules(draw=3, scoring="standard"),
    "vegas": Rules(draw=3, redeals=2, scoring="vegas"),
    "vegas-draw-one": Rules(redeals=0, scoring="vegas"),
    "thoughtful": Rules(draw=3, scoring="standard", sees="stock"),
}
Rules.presets = PRESETS
