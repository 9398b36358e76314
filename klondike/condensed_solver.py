"""Deciding a game by searching condensed positions.

If more than one card is drawn at a time, or recycles are limited, the game is an easier one when
one card is drawn and recycles are not limited: every card that came into play then comes into play
here. That one has far fewer positions, so after a short search of the game itself a longer one of
the easier game is tried, and then both go on by turns until one is decided. If the easier one
cannot be won, nor can the game.
"""

from typing import Any, NamedTuple

import numpy as np

from dealstats.jit import kernel
from klondike.condensed import (
    BOUNDARY_SHIFT,
    ROOT_KEY,
    CondensedRules,
    access_tables,
    condense,
    condensed_rules,
    dominating_counts,
)
from klondike.condensed_line import textbook_line
from klondike.condensed_moves import MOVE_BITS, ONE
from klondike.condensed_search import (
    ALL_RULES,
    CONTROL_WORDS,
    ENTRY_WORDS,
    FIRST_TABLE_BITS,
    MEMORY_USED,
    OUTCOME,
    RUNNING,
    SOLVED,
    STEPS,
    TABLE_WORDS,
    UNSOLVABLE,
    VISITS,
    Search,
    SearchRoom,
    begin_search,
    run_search,
)
from klondike.late_moves import is_reserve
from klondike.position import Position
from klondike.rules import Rules
from klondike.solvers import Found

FIRST_VISITS = 3_000
"""In the game itself, before the easier one is tried."""
EASIER_VISITS = 60_000
"""In the easier game, before the game itself goes on."""
SLICE_VISITS = 100_000
"""By turns after that."""
MEGABYTE = 1 << 20
IN_EASIER_GAME, VISITS_LEFT = range(2)


class Decision(NamedTuple):
    """The searches of a game and of the easier one.

    Attributes
    ----------
    game, easier : Search
    turn : (2,) int64 array
        Whether it is the easier game's turn, and how many visits are left of it.
    """

    game: Search
    easier: Search
    turn: Any


OUTCOMES = {
    SOLVED: ("solved", None),
    UNSOLVABLE: ("unsolvable", None),
    RUNNING: ("unknown", "node_budget"),
    MEMORY_USED: ("unknown", "memory_budget"),
}
VISITS_PER_CALL = 500_000
"""A fraction of a second, after which Ctrl-C is heard."""


def find_win(position: Position, rules: Rules, node_budget: int, memory_budget: int) -> Found:
    """Search for a win from a position; the parameters are those of :func:`klondike.solve`.

    Positions under the rules must be such as can be condensed.
    """
    decision = make_decision(condense(position, rules), rules, memory_budget // MEGABYTE)
    begin_decision(decision)
    outcome = RUNNING
    while outcome == RUNNING and visits_of(decision) < node_budget:
        outcome = go_on(decision, min(VISITS_PER_CALL, node_budget - visits_of(decision)))
    moves: tuple[str, ...] = ()
    if outcome == SOLVED:
        moves = textbook_line(position, line_found(decision), rules)
    return Found(*OUTCOMES[outcome], moves, int(visits_of(decision)))


def make_search_room(megabytes: int) -> SearchRoom:
    """Room for a search that takes at most so much memory; what is not used takes none."""
    largest_table = megabytes * MEGABYTE // 2 // (2 * 8 * TABLE_WORDS)
    bits = max(FIRST_TABLE_BITS, largest_table.bit_length() - 1)
    rest = megabytes * MEGABYTE // 8 - (2 * TABLE_WORDS << bits)
    stack = max(1 << 14, rest // 4)
    return SearchRoom(
        table=np.zeros(2 * TABLE_WORDS << bits, np.int64),
        stack=np.zeros(stack - stack % ENTRY_WORDS, np.int64),
        steps=np.zeros(max(1 << 14, rest - stack), np.int64),
        control=np.zeros(CONTROL_WORDS, np.int64),
    )


def make_decision(deal: Any, rules: Rules, megabytes: int, pruning: int = ALL_RULES) -> Decision:
    """The searches of a game; nothing is searched yet."""
    packed = condensed_rules(rules)
    easier = packed._replace(draw=1, redeals=-1)
    room = make_search_room(megabytes * 3 // 4)
    easier_room = make_search_room(megabytes // 4)
    return Decision(
        game=_search(deal, packed, pruning, room),
        easier=_search(deal, easier, pruning, easier_room),
        turn=np.zeros(2, np.int64),
    )


def _search(deal: Any, rules: CondensedRules, pruning: int, room: SearchRoom) -> Search:
    drawn, phase_after = access_tables(rules.draw)
    dominating = dominating_counts(rules.draw, rules.redeals < 0)
    return Search(deal, rules, drawn, phase_after, dominating, pruning, room)


@kernel
def begin_decision(decision: Decision) -> None:
    """Begin anew, with the deal as it stands in the table of the deal."""
    decision.turn[IN_EASIER_GAME] = 0
    decision.turn[VISITS_LEFT] = FIRST_VISITS
    begin_search(decision.game, decision.game.deal[ROOT_KEY])
    if is_reserve(decision.game.rules):
        return
    # The easier game knows neither boundary nor recycles.
    all_but_boundary = (ONE << BOUNDARY_SHIFT) - 1
    begin_search(decision.easier, decision.game.deal[ROOT_KEY] & all_but_boundary)


@kernel
def visits_of(decision: Decision) -> int:
    """Positions visited in both games."""
    return decision.game.room.control[VISITS] + decision.easier.room.control[VISITS]


@kernel
def go_on(decision: Decision, visits: int) -> int:
    """Search on until the game is decided, memory is used up, or so many more visits are made.

    The visits do not depend on how often this is called.
    """
    game, easier, turn = decision.game, decision.easier, decision.turn
    if is_reserve(game.rules):
        return run_search(game, visits)
    stop = visits_of(decision) + visits
    outcome = RUNNING
    while outcome == RUNNING and visits_of(decision) < stop:
        former = visits_of(decision)
        some = min(stop - former, turn[VISITS_LEFT])
        if turn[IN_EASIER_GAME] == 0:
            outcome = run_search(game, some)
        elif run_search(easier, some) == UNSOLVABLE:
            outcome = UNSOLVABLE
        turn[VISITS_LEFT] -= visits_of(decision) - former
        if turn[VISITS_LEFT] == 0 or (
            turn[IN_EASIER_GAME] != 0 and easier.room.control[OUTCOME] != RUNNING
        ):
            _take_turns(decision)
    return outcome


@kernel
def _take_turns(decision: Decision) -> None:
    """Let the easier game have the next turn if it had fewer visits and can go on."""
    game, easier = decision.game.room.control, decision.easier.room.control
    is_first = easier[VISITS] == 0
    is_behind = easier[VISITS] < game[VISITS] and easier[OUTCOME] == RUNNING
    gets_turn = is_behind and decision.turn[IN_EASIER_GAME] == 0
    decision.turn[IN_EASIER_GAME] = gets_turn
    decision.turn[VISITS_LEFT] = EASIER_VISITS if gets_turn and is_first else SLICE_VISITS


def line_found(decision: Decision) -> list[int]:
    """The condensed moves of the line that solved the game."""
    room = decision.game.room
    number = int(room.control[STEPS]) - 1
    moves = []
    # Position 0 is the start.
    while number > 0:
        step = int(room.steps[number])
        moves.append(step & (1 << MOVE_BITS) - 1)
        number = step >> MOVE_BITS
    return moves[::-1]
