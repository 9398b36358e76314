"""The games, and the rules by which they are measured."""

from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

import devilsgrip
import klondike

SEED = 2
"""That of the range `benchmark` of both games in ``seeds/ranges.csv``."""


class MeasuredGame(NamedTuple):
    """A game and what it is measured by.

    Attributes
    ----------
    speed_rules : tuple of Rules
        Few, and far apart in speed.
    signature_rules : tuple of Rules
        They reach all parts of the kernels.
    """

    package: ModuleType
    speed_rules: tuple[Any, ...]
    signature_rules: tuple[Any, ...]

    @property
    def name(self) -> str:
        return self.package.__name__

    @property
    def batch(self) -> Any:
        return import_module(f"{self.name}.batch")

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(import_module(f"{self.name}.players").PLAYERS)


GAMES = {
    game.name: game
    for game in (
        MeasuredGame(
            devilsgrip,
            speed_rules=(devilsgrip.Rules(), devilsgrip.Rules(redeals=1)),
            signature_rules=(
                devilsgrip.Rules(),
                devilsgrip.Rules(redeals=1),
                devilsgrip.Rules(redeals=2, unit="tail", fill="talon_top"),
            ),
        ),
        MeasuredGame(
            klondike,
            speed_rules=(klondike.Rules(), klondike.Rules(draw=3)),
            signature_rules=(
                klondike.Rules(),
                klondike.Rules(draw=3, redeals=2, scoring="vegas", sees="stock"),
                klondike.Rules(
                    draw=2,
                    empty_pile="any",
                    worrying_back=False,
                    partial_runs=False,
                    start_with_draw=True,
                    scoring="standard",
                    foundation_award="first_time",
                ),
            ),
        ),
    )
}
