"""Thoughtful Klondike: whether a game can be won by a player who knows all cards, and how.

This is the door to all searches; :mod:`klondike.solvers` names them. An answer repeats on any
machine, for searches are bounded by nodes and memory, never by time.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dealstats.errors import InputError
from klondike.game import Game
from klondike.position import Position
from klondike.rules import Rules
from klondike.solution import replay
from klondike.solvers import (
    LEAST_MEMORY,
    MEMORY_BUDGET,
    NODE_BUDGET,
    OBJECTIVES,
    Found,
    Verdicts,
    find_solver,
    length_of,
)
from klondike.tidy import tidied


@dataclass(frozen=True)
class Solution:
    """What a solver has found out about a game.

    Attributes
    ----------
    outcome : {"solved", "unsolvable", "unknown"}
        Unknown if the search came to the end of a budget.
    reason : {None, "node_budget", "memory_budget"}
        Why the outcome is unknown, or the line is not proved best.
    moves : tuple of str
        If solved, the moves to a win, for the objective ``win`` without what they do not need
        (:mod:`klondike.tidy`); they have been replayed by the textbook rules.
    score : int or None
        If solved, the score of these moves (KL9).
    upper_bound : int or None
        No line has a better score; None where that was not the objective.
    nodes : int
        Positions whose moves were looked at.
    seconds : float
    proved : bool or None
        Whether no line is better, or, with the outcome unsolvable, there is none; None where any
        win will do.
    length : int or None
        If solved, how many of the moves are draws or lay cards somewhere: all but the recycles.
    turn_ups : int or None
        If solved, the cards that the moves turn up (KL7), which are not among them.
    """

    outcome: str
    reason: str | None
    moves: tuple[str, ...]
    score: int | None
    upper_bound: int | None
    nodes: int
    seconds: float
    proved: bool | None = None
    length: int | None = None
    turn_ups: int | None = None


def solve(
    start: Sequence[int] | Position,
    rules: Rules | None = None,
    *,
    objective: str = "win",
    mode: str = "fast",
    node_budget: int = NODE_BUDGET,
    memory_budget: int = MEMORY_BUDGET,
) -> Solution:
    """Find out whether a game can be won if all cards are known, and by which moves.

    Parameters
    ----------
    start : sequence of int or Position
        The cards of a deal in dealing order, or a position to go on from.
    rules : Rules, optional
        The default rules if not given.
    objective : {"win", "moves"}
        What to look for: any win, or one of the least `length`. Where that is not found and proved
        within the budgets, the answer is the best line so far.
    mode : {"fast", "proved"}
        The solver: ``fast`` forgets how face-up cards lie where it can
        (:mod:`klondike.condensed`), ``proved`` never does (:mod:`klondike.pruning`). Shortest
        wins are looked for by :mod:`klondike.shortest_search`, once it has found any.
    node_budget : int
        The search gives up after looking at the moves of so many positions.
    memory_budget : int
        It gives up before it takes more bytes, at least a million.

    Raises
    ------
    InputError
        If the start is not a sound table of these rules that a deal can lead to, a budget is too
        small, or there is no such mode or objective.

    Examples
    --------
    >>> from klondike import Rules, deal, solve
    >>> solve(deal(7), Rules(draw=3)).outcome
    'solved'
    """
    _check(mode, objective, node_budget, memory_budget)
    rules = rules or Rules()
    position = Game(start, rules).position
    began = time.perf_counter()
    find_win, _ = _searches(mode, rules)
    if objective == "moves":
        from klondike.shortest_solver import find_shortest

        found, proved = find_shortest(position, rules, find_win, node_budget, memory_budget)
    else:
        found, proved = find_win(position, rules, node_budget, memory_budget), None
    moves, score, length, turn_ups = found.moves, None, None, None
    if found.outcome == "solved":
        if objective == "win":
            moves = tidied(position, moves, rules)
        played = replay(position, moves, rules)
        if not played.is_won:
            raise RuntimeError(f"these moves of a solver do not win: {', '.join(moves)}")
        score, length = played.score, length_of(moves)
        turn_ups = sum(len(pile.face_down) for pile in position.piles)
    return Solution(
        outcome=found.outcome,
        reason=found.reason,
        moves=moves,
        score=score,
        upper_bound=None,
        nodes=found.nodes,
        seconds=round(time.perf_counter() - began, 6),
        proved=proved,
        length=length,
        turn_ups=turn_ups,
    )


def solve_block(
    first_deal: int,
    deals: int,
    rules: Rules,
    seed: int = 0,
    *,
    mode: str = "fast",
    node_budget: int = NODE_BUDGET,
    memory_budget: int = MEMORY_BUDGET,
) -> Verdicts:
    """Find out which of the deals ``first_deal .. first_deal + deals - 1`` can be won.

    Parameters
    ----------
    mode, node_budget, memory_budget
        As for :func:`solve`; the budgets are those of each deal.

    Raises
    ------
    InputError
        If there is no such mode, or a budget is too small.
    """
    _check(mode, "win", node_budget, memory_budget)
    _, find_wins = _searches(mode, rules)
    return find_wins(first_deal, deals, rules, seed, node_budget, memory_budget)


def _searches(mode: str, rules: Rules) -> tuple[Callable[..., Found], Callable[..., Verdicts]]:
    """What finds a win, and wins of numbered deals; imported late, for kernels take seconds."""
    from klondike import condensed_deals, condensed_solver, proved_solver
    from klondike.condensed import holds_for

    if mode == "fast" and holds_for(rules):
        return condensed_solver.find_win, condensed_deals.find_wins
    return proved_solver.find_win, proved_solver.find_wins


def _check(mode: str, objective: str, node_budget: int, memory_budget: int) -> None:
    find_solver(mode)
    if objective not in OBJECTIVES:
        raise InputError(f"no objective is called {objective!r}; there are {', '.join(OBJECTIVES)}")
    for name, budget, least in (
        ("node_budget", node_budget, 1),
        ("memory_budget", memory_budget, LEAST_MEMORY),
    ):
        if budget < least:
            raise InputError(f"{name} {budget} is below {least}")
