"""The solver for shortest wins: runs :mod:`klondike.shortest_search` and tells its lines.

Any win is the first line. Searches in less and less haste then look for shorter ones; the last, in
no haste, proves. Each need only look at what may lead to a shorter line than is known, so the last
one is spared most positions.
"""

from collections.abc import Callable

import numpy as np

from klondike.game import Game
from klondike.layout import pack_position, pack_rules
from klondike.position import Position
from klondike.proved_search import slots_for
from klondike.proved_solver import (
    FIRST_ROWS,
    NODES_PER_SLICE,
    add_rows,
    make_steps,
    more_rows,
    steps_to,
)
from klondike.pruning import Pruning, pruning_for
from klondike.rules import Rules
from klondike.shortest_search import (
    BUCKETS,
    EXHAUSTED,
    EXPANDED,
    FOUND,
    FULL,
    LAST,
    PAUSED,
    SHORTEST_PRUNING,
    begin,
    bytes_of_room,
    enter_rows,
    go_on,
    make_room,
)
from klondike.solvers import Found, length_of

HASTES = (16, 8, 4, 2)
HASTY_NODES = 100_000
HASTY_PART = 4
"""A hasty search takes no more than one part in so many of the nodes that are left."""
REASONS = {PAUSED: "node_budget", FULL: "memory_budget"}


def find_shortest(
    position: Position,
    rules: Rules,
    find_win: Callable[..., Found],
    node_budget: int,
    memory_budget: int,
    pruning: Pruning = SHORTEST_PRUNING,
) -> tuple[Found, bool]:
    """Search for a shortest win from a position.

    Parameters
    ----------
    find_win : callable
        Finds any win, with the other parameters; it gets half of the nodes.
    pruning : Pruning, optional
        The rules of pruning to use, of those in `SHORTEST_PRUNING`, as far as they hold for the
        rules of the game.

    Returns
    -------
    found : Found
        With the shortest line that was found.
    is_proved : bool
        Whether no line is shorter; if there is none, whether that is known.
    """
    first = find_win(position, rules, max(1, node_budget // 2), memory_budget)
    if first.outcome == "unsolvable":
        return first, True
    search = _Search(position, rules, first, memory_budget, pruning)
    for haste in HASTES:
        nodes = min(HASTY_NODES, (node_budget - search.nodes) // HASTY_PART)
        if not search.is_done:
            search.run(nodes, haste)
    if not search.is_done:
        search.run(node_budget - search.nodes, 0)
    return search.result()


class _Search:
    """The best line so far, and what it took to find it."""

    def __init__(
        self,
        position: Position,
        rules: Rules,
        first: Found,
        memory_budget: int,
        pruning: Pruning,
    ) -> None:
        self.position, self.rules, self.memory_budget = position, rules, memory_budget
        self.moves = first.moves if first.outcome == "solved" else None
        self.nodes = first.nodes
        self.is_done = self.moves == ()
        self.state, self.deck = pack_position(position, rules)
        self.given = (self.deck, pack_rules(rules), pruning_for(rules, pruning))
        self.room = make_room(FIRST_ROWS)
        self.outcome = PAUSED

    def run(self, node_budget: int, haste: int) -> None:
        """Search for a shorter line than the best so far."""
        limit = BUCKETS if self.moves is None else length_of(self.moves)
        begin(self.state, *self.given, self.room, limit, haste)
        self.outcome = PAUSED
        while self.outcome == PAUSED and self._expanded < node_budget:
            nodes_end = min(node_budget, self._expanded + NODES_PER_SLICE)
            self.outcome = go_on(*self.given, self.room, nodes_end)
            if self.outcome == FULL:
                self._grow()
        self.nodes += self._expanded
        if self.outcome == FOUND:
            self.moves = self._line()
        self.is_done = self.outcome == EXHAUSTED or (self.outcome == FOUND and haste == 0)

    def result(self) -> tuple[Found, bool]:
        reason = None if self.is_done else REASONS[self.outcome]
        if self.moves is not None:
            outcome = "solved"
        else:
            outcome = "unsolvable" if self.is_done else "unknown"
        return Found(outcome, reason, self.moves or (), self.nodes), self.is_done

    @property
    def _expanded(self) -> int:
        return int(self.room.notes[EXPANDED])

    def _grow(self) -> None:
        """Make the room larger, if there is memory, and go on."""
        rows = more_rows(len(self.room.steps), self.memory_budget, bytes_of_room)
        if rows == len(self.room.steps):
            return
        room = self.room = self.room._replace(slots=np.zeros(0, np.int64))
        add_rows(rows, room.words, room.parents, room.steps, room.later, room.lengths)
        self.room = room._replace(slots=np.zeros(slots_for(rows), np.int64))
        enter_rows(*self.given, self.room)
        self.outcome = PAUSED

    def _line(self) -> tuple[str, ...]:
        """The moves that lead to the row that was taken last."""
        game = Game(self.position, self.rules)
        make_steps(game, steps_to(int(self.room.notes[LAST]), self.room), self.deck)
        return tuple(game.moves)
