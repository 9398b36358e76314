"""How difficult a deal is: the work of a solver, and how often simple play wins.

Two players play it many times without seeing the hidden cards:

- `random` makes any move by lot.
- `planner` is a strong simple player, but it plays a deal always in the same way. So each of its
  playouts begins with `OPENING_MOVES` moves by lot, and its share tells how often it wins from
  there: how forgiving the deal is, not whether the planner wins the deal itself.

A share is that of the playouts won, between the limits of Wilson's 95 % interval, which is about
playouts of this one deal.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dealstats.deals import player_words
from dealstats.errors import InputError
from dealstats.intervals import Rate, win_rate_interval
from klondike.game import Game
from klondike.position import Position
from klondike.rules import Rules
from klondike.solver import solve
from klondike.solvers import MEMORY_BUDGET, NODE_BUDGET

if TYPE_CHECKING:
    import pandas as pd

OPENING_MOVES = 10
"""Draws and recycles count too."""
PLAYOUTS = 1_000


@dataclass(frozen=True)
class Difficulty:
    """What makes a deal easy or difficult.

    Attributes
    ----------
    outcome, reason : str
        Of the fast solver; see :class:`klondike.Solution`.
    nodes : int
        Positions that it looked at.
    playouts : int
        Games of each player.
    random_won, planner_won : int
        How many of these were won.
    """

    outcome: str
    reason: str | None
    nodes: int
    playouts: int
    random_won: int
    planner_won: int

    @property
    def random_share(self) -> Rate:
        """The share of playouts that `random` wins, with its interval."""
        return win_rate_interval(self.random_won, self.playouts - self.random_won)

    @property
    def planner_share(self) -> Rate:
        """The share of playouts that `planner` wins after moves by lot, with its interval."""
        return win_rate_interval(self.planner_won, self.playouts - self.planner_won)

    def numbers(self) -> dict[str, Any]:
        """The line of a table, by column; shares are in per cent."""
        line: dict[str, Any] = {"outcome": self.outcome, "nodes": self.nodes}
        for player, rate in (("planner", self.planner_share), ("random", self.random_share)):
            line[f"{player} %"] = 100 * rate.point_low
            line[f"{player} % low"] = 100 * rate.low
            line[f"{player} % high"] = 100 * rate.high
        return line


def difficulty(
    start: Sequence[int] | Position,
    rules: Rules | None = None,
    *,
    playouts: int = PLAYOUTS,
    seed: int = 0,
    number: int = 0,
    node_budget: int = NODE_BUDGET,
    memory_budget: int = MEMORY_BUDGET,
) -> Difficulty:
    """Find out how difficult a game is.

    Parameters
    ----------
    start : sequence of int or Position
        The cards of a deal in dealing order, or a position to go on from.
    rules : Rules, optional
        The default rules if not given.
    playouts : int
        Games of each player.
    seed, number : int
        What the chance of the playouts follows from, best those of the deal.
    node_budget, memory_budget : int
        Those of the solver; see :func:`klondike.solve`.

    Raises
    ------
    InputError
        If the start is not a sound table of these rules that a deal can lead to, or a number is
        too small.

    Examples
    --------
    >>> from klondike import deal, difficulty
    >>> difficulty(deal(7), playouts=100).outcome
    'solved'
    """
    if playouts < 1:
        raise InputError(f"{playouts} playouts are too few")
    rules = rules or Rules()
    position = Game(start, rules).position
    words = player_words(seed, number, playouts)
    solution = solve(position, rules, node_budget=node_budget, memory_budget=memory_budget)

    from klondike.playouts import playouts_won

    return Difficulty(
        outcome=solution.outcome,
        reason=solution.reason,
        nodes=solution.nodes,
        playouts=playouts,
        random_won=playouts_won("random", position, rules, words),
        planner_won=playouts_won("planner", position, rules, words, OPENING_MOVES),
    )


def difficulty_table(lines: Iterable[tuple[str, Difficulty]]) -> "pd.DataFrame":
    """The difficulties of deals of these names, one row each, unrounded."""
    import pandas as pd

    return pd.DataFrame([{"deal": name} | one.numbers() for name, one in lines])
