"""The solvers of Klondike by name, and how far they go by default."""

from collections.abc import Iterable
from functools import partial
from typing import Any, NamedTuple

from dealstats.players import Player, player_named
from klondike.notation import format_move
from klondike.position import RECYCLE as RECYCLE_MOVE

OBJECTIVES = ("win", "moves")
NODE_BUDGET = 20_000_000
MEMORY_BUDGET = 2_000_000_000
"""Bytes."""
RECYCLE = format_move(RECYCLE_MOVE)
LEAST_MEMORY = 1_000_000
"""Bytes; the first room of a search takes half of it."""


SOLVERS = {
    solver.name: solver
    for solver in (
        Player(
            "fast",
            "forgets how face-up cards lie, except where whole runs move, any card may go to an "
            "empty pile, or recycles are limited to more than 7: there it is proved",
            200,
        ),
        Player("proved", "keeps every card in its place, under all rules", 100),
    )
}


find_solver = partial(player_named, SOLVERS, role="solver")
"""The solver of a name; raises `InputError` if there is none."""


class Found(NamedTuple):
    """What a search has found out.

    Attributes
    ----------
    outcome : {"solved", "unsolvable", "unknown"}
    reason : {None, "node_budget", "memory_budget"}
        Why the outcome is unknown, or a line is not proved best.
    moves : tuple of str
        If solved, the moves to a win.
    nodes : int
        Positions whose moves were looked at.
    """

    outcome: str
    reason: str | None
    moves: tuple[str, ...]
    nodes: int


class Verdicts(NamedTuple):
    """What a search has found out about numbered deals, in their order.

    Attributes
    ----------
    outcomes : list of str
        As in `Found`.
    nodes : (deals,) int64 array
    """

    outcomes: list[str]
    nodes: Any


def length_of(moves: Iterable[str]) -> int:
    """How many moves of a line count if it is to be short: draws and cards laid somewhere.

    Recycles do not; turn-ups are no moves.
    """
    return sum(move != RECYCLE for move in moves)
