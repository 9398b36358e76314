"""The solver whose verdicts are proved: runs :mod:`klondike.proved_search` and tells its lines."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from dealstats.shuffle_kernel import make_dealer
from klondike.deck import deal
from klondike.game import Game
from klondike.kernel import plain_move
from klondike.layout import card_of, pack_kinds, pack_position, pack_rules
from klondike.position import DRAW, RECYCLE, Move, Position, dealt
from klondike.proved_search import (
    COUNT,
    EXPANDED,
    FULL,
    MOVE_MASK,
    NO_ROW,
    OLDEST,
    PAUSED,
    SOLVED,
    THEN_UP,
    UNSOLVABLE,
    Room,
    begin,
    bytes_of_room,
    go_on,
    make_room,
    rebuild_slots,
    slots_for,
    solve_deals,
    step_boundary,
)
from klondike.pruning import Pruning, has_reserve, pruning_for
from klondike.rules import Rules
from klondike.solution import draw_until
from klondike.solvers import Found, Verdicts

FIRST_NODES = 1_000
DRAW_ONE_NODES = 50_000
FIRST_ROWS = 1 << 13
ROWS_GROWTH = 4
NODES_PER_SLICE = 50_000
"""A fraction of a second, after which Ctrl-C is heard."""
OUTCOMES = {
    SOLVED: ("solved", None),
    UNSOLVABLE: ("unsolvable", None),
    PAUSED: ("unknown", "node_budget"),
    FULL: ("unknown", "memory_budget"),
}


def find_win(
    position: Position,
    rules: Rules,
    node_budget: int,
    memory_budget: int,
    pruning: Pruning | None = None,
) -> Found:
    """Search for a win from a position; the parameters are those of :func:`klondike.solve`.

    Parameters
    ----------
    pruning : Pruning, optional
        The rules of pruning to use as far as they hold for the rules of the game; all if not given.
    """
    main = _Search(position, rules, pruning)
    main.go_on(min(node_budget, FIRST_NODES), memory_budget)
    nodes_elsewhere = 0
    if main.outcome == PAUSED and (pruning or Pruning()).draw_one_first and not has_reserve(rules):
        easier = _Search(position, replace(rules, draw=1, redeals=None), pruning)
        easier.go_on(min(node_budget - main.nodes, DRAW_ONE_NODES), memory_budget)
        nodes_elsewhere = easier.nodes
        if easier.outcome == UNSOLVABLE:
            return Found("unsolvable", None, (), main.nodes + nodes_elsewhere)
        del easier
    main.go_on(node_budget - nodes_elsewhere, memory_budget)
    moves = _line(position, main.room, main.deck, rules) if main.outcome == SOLVED else ()
    return Found(*OUTCOMES[main.outcome], moves, main.nodes + nodes_elsewhere)


class _Search:
    """A search that has begun."""

    def __init__(self, position: Position, rules: Rules, pruning: Pruning | None) -> None:
        state, self.deck = pack_position(position, rules)
        self.given = (self.deck, pack_rules(rules), pruning_for(rules, pruning))
        self.room = make_room(FIRST_ROWS)
        self.outcome = begin(state, *self.given, self.room)

    @property
    def nodes(self) -> int:
        return int(self.room.notes[EXPANDED])

    def go_on(self, node_budget: int, memory_budget: int) -> None:
        """Search until the outcome is known, or one of the budgets is used in all."""
        while self.outcome == PAUSED and self.nodes < node_budget:
            nodes_end = min(node_budget, self.nodes + NODES_PER_SLICE)
            self.outcome = go_on(*self.given, self.room, nodes_end)
            rows = more_rows(len(self.room.steps), memory_budget, bytes_of_room)
            if self.outcome == FULL and rows > len(self.room.steps):
                self.room = _grown(self.room, rows)
                rebuild_slots(*self.given, self.room)
                self.outcome = PAUSED


def find_wins(
    first_deal: int,
    deals: int,
    rules: Rules,
    seed: int,
    node_budget: int,
    memory_budget: int,
    pruning: Pruning | None = None,
) -> Verdicts:
    """Do for numbered deals what :func:`find_win` does for one, but for the lines.

    The many deals that are easy are decided in one compiled call; the others are then looked at
    one by one, with more memory.
    """
    codes, nodes = np.zeros(deals, np.int64), np.zeros(deals, np.int64)
    solve_deals(
        seed,
        first_deal,
        pack_rules(rules),
        pruning_for(rules, pruning),
        min(node_budget, FIRST_NODES),
        make_dealer(pack_kinds(rules)),
        make_room(FIRST_ROWS),
        codes,
        nodes,
    )
    outcomes = [OUTCOMES[code][0] for code in codes.tolist()]
    for number in np.flatnonzero((codes == FULL) | (codes == PAUSED)).tolist():
        start = dealt(deal(first_deal + number, seed, rules), rules)
        found = find_win(start, rules, node_budget, memory_budget, pruning)
        outcomes[number], nodes[number] = found.outcome, found.nodes
    return Verdicts(outcomes, nodes)


# Rooms that grow.


def more_rows(rows: int, memory_budget: int, bytes_of_room: Callable[[int], int]) -> int:
    """How many rows to go on with when a room is full: as many as before if there is no memory."""
    more = ROWS_GROWTH * rows
    while more > rows and bytes_of_room(more) > memory_budget:
        more -= rows // 4
    return max(more, rows)


def _grown(room: Room, rows: int) -> Room:
    """A larger room with the same rows, whose slots are still empty."""
    oldest = room.notes[OLDEST]
    ring = np.concatenate((room.ring[oldest:], room.ring[:oldest]))
    room.notes[OLDEST] = 0
    larger = room._replace(ring=ring, slots=np.zeros(slots_for(rows), np.int64))
    add_rows(rows, larger.words, larger.parents, larger.steps, larger.ring)
    return larger


def add_rows(rows: int, *arrays: Any) -> None:
    """Make arrays longer in place, so that there are never two copies of the largest ones."""
    for array in arrays:
        array.resize((rows, *array.shape[1:]), refcheck=False)


# Lines.


def _line(position: Position, room: Room, deck: Any, rules: Rules) -> tuple[str, ...]:
    """The moves that lead to the last row, and from there to the win."""
    game = Game(position, rules)
    make_steps(game, steps_to(int(room.notes[COUNT]) - 1, room), deck)
    _put_all_up(game)
    return tuple(game.moves)


def steps_to(row: int, room: Any) -> list[int]:
    """The steps that lead to a row."""
    steps: list[int] = []
    while room.parents[row] != NO_ROW:
        steps.append(int(room.steps[row]))
        row = int(room.parents[row])
    return steps[::-1]


def make_steps(game: Game, steps: Iterable[int], deck: Any) -> None:
    """Make the moves of steps in a game."""
    for step in steps:
        boundary = step_boundary(step)
        if boundary:
            draw_until(game, card_of(deck[boundary - 1]))
        move = plain_move(step & MOVE_MASK)
        game.push(move)
        if step & THEN_UP:
            game.push(Move("pile_to_foundation", move.source))


def _put_all_up(game: Game) -> None:
    """Win a game of which it is known that every card is at hand."""
    while not game.is_won:
        ups = [move for move in game.legal_moves() if move.endswith(">F")]
        if ups:
            game.push(ups[0])
        else:
            game.push(DRAW if game.position.stock else RECYCLE)
