"""What is true of small packs: whether a deal can be won, in how few moves, and its best score.

All cards are known. Every position that can be reached is looked at, by the compiled textbook
rules, and nothing is pruned: this is what cleverer solvers are checked against. Positions of a
full pack are too many.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from dealstats.errors import InputError
from dealstats.shuffle_kernel import make_dealer
from klondike.exhaustive_search import (
    SOLVED,
    UNKNOWN,
    SolutionRoom,
    Verdicts,
    make_score_room,
    make_solution_room,
    make_verdicts,
    search_any,
    search_deals,
    search_score,
    search_shortest,
)
from klondike.game import Game
from klondike.kernel import plain_move
from klondike.layout import pack_kinds, pack_position, pack_rules
from klondike.position import RECYCLE, Move, Position
from klondike.rules import Rules

POSITION_BUDGET = 1_000_000
"""Positions are kept in some 70 bytes each."""
OUTCOMES = ("solved", "unsolvable", "unknown")
"""Named by the outcomes of the kernels."""
FIRST_ROWS = 1 << 10
ROWS_GROWTH = 8


class Solution(NamedTuple):
    """Whether a game can be won.

    Attributes
    ----------
    outcome : {"solved", "unsolvable", "unknown"}
        Unknown if the search would have needed more positions than its budget.
    positions : int
        Distinct positions met; if the game is unsolvable, all that can be reached.
    fewest_moves : int or None
        Moves of a shortest solution, if that was looked for: draws and cards laid somewhere.
        Turn-ups are no moves, and recycles are not counted.
    moves : tuple of Move or None
        The solution found, with its recycles.
    """

    outcome: str
    positions: int
    fewest_moves: int | None = None
    moves: tuple[Move, ...] | None = None


class BestScore(NamedTuple):
    """The best that a player can reach who knows all cards and may stop at any time (KL8).

    Attributes
    ----------
    score : int or None
        None if the search would have needed more states than its budget.
    states : int
        Distinct states met: positions together with what has been earned.
    """

    score: int | None
    states: int


def exhaustive(
    start: Sequence[int] | Position,
    rules: Rules,
    position_budget: int = POSITION_BUDGET,
    shortest: bool = True,
) -> Solution:
    """Decide by looking at all positions whether a game can be won, and in how few moves.

    Parameters
    ----------
    start : sequence of int or Position
        The cards of a deal in dealing order, or a position.
    rules : Rules
    position_budget : int
        The search gives up before it keeps more positions than that, at least 1.
    shortest : bool
        If false, any solution will do. Many games are then solved after a thousandth of the
        positions; those that are unsolvable take as many as before.

    Raises
    ------
    InputError
        If the start is not a sound table of these rules that a deal can lead to, or the budget is
        below 1.
    """
    state, deck = pack_position(Game(start, rules).position, rules)
    packed_rules = pack_rules(rules)
    search_positions = search_shortest if shortest else search_any

    def search(rows: int) -> tuple[bool, Solution]:
        room = make_solution_room(rows)
        outcome, positions, row = search_positions(state, deck, packed_rules, room)
        if outcome != SOLVED:
            return outcome != UNKNOWN, Solution(OUTCOMES[outcome], positions)
        moves = _moves_to(row, room)
        fewest_moves = sum(move != RECYCLE for move in moves) if shortest else None
        return True, Solution(OUTCOMES[outcome], positions, fewest_moves, moves)

    return _within_budget(search, position_budget)


def exhaustive_deals(
    first_deal: int,
    deals: int,
    rules: Rules,
    seed: int = 0,
    position_budget: int = POSITION_BUDGET,
    shortest: bool = True,
) -> Verdicts:
    """Do for numbered deals what :func:`exhaustive` does for one.

    Parameters
    ----------
    first_deal, deals : int
        The deals are ``first_deal .. first_deal + deals - 1``.

    Returns
    -------
    Verdicts
        (deals,) int64 arrays: `outcome` as the place of its name in `OUTCOMES`, `positions`, and
        `fewest_moves`, -1 if there is no solution or the shortest was not looked for.

    Raises
    ------
    InputError
        If the budget is below 1.
    """
    verdicts = make_verdicts(deals)
    packed_rules, dealer = pack_rules(rules), make_dealer(pack_kinds(rules))
    undecided = np.arange(deals)

    def search(rows: int) -> tuple[bool, Verdicts]:
        nonlocal undecided
        room = make_solution_room(rows)
        search_deals(seed, first_deal, undecided, packed_rules, shortest, dealer, room, verdicts)
        undecided = np.flatnonzero(verdicts.outcome == UNKNOWN)
        return len(undecided) == 0, verdicts

    return _within_budget(search, position_budget)


def best_score(
    start: Sequence[int] | Position, rules: Rules, position_budget: int = POSITION_BUDGET
) -> BestScore:
    """Find the best score (KL9) of a game, all cards known, by looking at all states.

    A state is a position with the cards that have earned their foundation points, whether the
    tableau has been cleared, and the recycles used as far as they matter. For each state the best
    score is kept with which it can be reached. That is enough: which moves are legal does not
    depend on the score, and points p turn a score s into max(s + p, floor), which never falls as s
    grows. So by induction on its length, any line of moves leads at least as high from a higher
    score as from a lower one, floor or not.

    The search goes on while any state is reached with a higher score than before. It ends, because
    no loop gains points again and again. From a state back to itself no card leaves the waste or is
    turned up, and the tableau is not cleared for the first time. Each card that comes to its
    foundation on the way also returns from it. For both together there are no points above 0:
    with `first_time` the card has earned its points before, and rules by which it is otherwise are
    refused. Recycles never earn. So a loop turns s into max(s + p, c) with some c and p <= 0: it
    never leads above the higher one of s and c.

    Parameters
    ----------
    start : sequence of int or Position
        The cards of a deal in dealing order, or a position; the points of the moves before do not
        count.
    rules : Rules
    position_budget : int
        The search gives up before it keeps more states than that, at least 1.

    Raises
    ------
    InputError
        If points can be gained for ever, so that no score is the best; if the start is not a sound
        table of these rules that a deal can lead to; or if the budget is below 1.
    """
    points = rules.points
    if (
        rules.worrying_back
        and rules.foundation_award == "each_time"
        and points.to_foundation + points.from_foundation > 0
    ):
        raise InputError(
            f"no score is the best: with scoring {rules.scoring!r} and foundation_award "
            f"{rules.foundation_award!r} a card that goes to its foundation and back gains "
            f"{points.to_foundation + points.from_foundation} points each time (KL9)"
        )
    state, deck = pack_position(Game(start, rules).position, rules)
    packed_rules = pack_rules(rules)

    def search(rows: int) -> tuple[bool, BestScore]:
        outcome, states, score = search_score(state, deck, packed_rules, make_score_room(rows))
        if outcome == UNKNOWN:
            return False, BestScore(None, states)
        return True, BestScore(score, states)

    return _within_budget(search, position_budget)


def _within_budget(search: Callable[[int], tuple[bool, Any]], position_budget: int) -> Any:
    """Search with larger and larger tables until all is decided or the budget is used.

    Most deals need a small table only, which stays in the caches of the processor.
    """
    if position_budget < 1:
        raise InputError(f"position_budget {position_budget} is below 1")
    rows = min(FIRST_ROWS, position_budget)
    is_decided, result = search(rows)
    while not is_decided and rows < position_budget:
        rows = min(ROWS_GROWTH * rows, position_budget)
        is_decided, result = search(rows)
    return result


def _moves_to(row: int, room: SolutionRoom) -> tuple[Move, ...]:
    """The moves from the start to a row."""
    moves = []
    while room.parents[row] >= 0:
        moves.append(plain_move(room.moves[row]))
        row = room.parents[row]
    return tuple(reversed(moves))
