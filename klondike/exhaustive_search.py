"""Searches of all positions that a game can reach, compiled: no move is left out, none preferred.

A search keeps every position that it meets in a row of its own, in the order of discovery, and
compares whole keys, so that no two positions are ever taken for one. The only rule that it knows
beside those of :mod:`klondike.kernel` is that the same position need not be looked at twice.
"""

from typing import Any, NamedTuple

import numpy as np

from dealstats.jit import inlined_kernel, kernel
from dealstats.shuffle_kernel import deal_numbered
from dealstats.word_keys import are_same_words, hash_of_words
from klondike.kernel import (
    MOVES_CEILING,
    RECYCLE,
    after_move,
    deal_state,
    is_won,
    legal_moves,
    load_position,
    score,
    state_key,
    store_position,
    with_outside,
    with_points,
)
from klondike.layout import POSITION_WORDS, State

SOLVED = 0
UNSOLVABLE = 1
UNKNOWN = 2
"""There are more positions than the table has rows for."""
NO_ROW = -1
NOT_KNOWN = -1

EARNED_WORD = POSITION_WORDS
KEY_WORDS = POSITION_WORDS + 1


class Table(NamedTuple):
    """A set of keys, with open addressing.

    Attributes
    ----------
    keys : (rows + 1, 5) int64 array
        The words of a position and `earned`, which is 0 where points do not count. The first free
        row takes the key that is looked for.
    homes : (rows + 1,) int32 array
        The slot of each row.
    slots : (at least 2 * rows, a power of two) int32 array
        Rows. A slot is empty unless its row is in use and has it as its home; so a search begins
        with an empty table, whatever an earlier one has left.
    """

    keys: Any
    homes: Any
    slots: Any


class SolutionRoom(NamedTuple):
    """What :func:`search_shortest` and :func:`search_any` work in.

    Attributes
    ----------
    table : Table
    is_expanded : (rows + 1,) uint8 array
        Whether the moves from each row have been made.
    parents : (rows + 1,) int32 array
        The row before each row on its way from the start, -1 for the start itself.
    moves : (rows + 1,) int16 array
        The move that leads from there.
    waiting : (rows + 1,) int32 array
        Rows to be expanded.
    legal : (256,) int64 array
    """

    table: Table
    is_expanded: Any
    parents: Any
    moves: Any
    waiting: Any
    legal: Any


class ScoreRoom(NamedTuple):
    """What :func:`search_score` works in.

    Attributes
    ----------
    table : Table
    scores : (rows + 1,) int64 array
        The best score found for each row.
    is_due : (rows + 1,) uint8 array
        Whether its moves are to be made, perhaps again.
    legal : (256,) int64 array
    """

    table: Table
    scores: Any
    is_due: Any
    legal: Any


class Verdicts(NamedTuple):
    """What :func:`search_deals` finds out, as (deals,) int64 arrays.

    Attributes
    ----------
    outcome : `SOLVED`, `UNSOLVABLE` or `UNKNOWN`
    positions : distinct positions met
    fewest_moves : those of a shortest solution; -1 if there is none, or it was not looked for
    """

    outcome: Any
    positions: Any
    fewest_moves: Any


def _make_table(rows: int) -> Table:
    return Table(
        keys=np.zeros((rows + 1, KEY_WORDS), np.int64),
        homes=np.zeros(rows + 1, np.int32),
        slots=np.zeros(1 << (2 * rows - 1).bit_length(), np.int32),
    )


def make_solution_room(rows: int) -> SolutionRoom:
    """Room for a search of at most so many positions."""
    return SolutionRoom(
        table=_make_table(rows),
        is_expanded=np.zeros(rows + 1, np.uint8),
        parents=np.zeros(rows + 1, np.int32),
        moves=np.zeros(rows + 1, np.int16),
        waiting=np.zeros(rows + 1, np.int32),
        legal=np.zeros(MOVES_CEILING, np.int64),
    )


def make_score_room(rows: int) -> ScoreRoom:
    """Room for a search of at most so many positions with what they have earned."""
    return ScoreRoom(
        table=_make_table(rows),
        scores=np.zeros(rows + 1, np.int64),
        is_due=np.zeros(rows + 1, np.uint8),
        legal=np.zeros(MOVES_CEILING, np.int64),
    )


def make_verdicts(deals: int) -> Verdicts:
    """Room for what is found out about so many deals."""
    return Verdicts(*(np.zeros(deals, np.int64) for _ in Verdicts._fields))


# The table.


@inlined_kernel
def _find_or_add(table: Any, count: int) -> int:
    """The row with the key that row `count` has: one of those before it, or else itself."""
    slots = len(table.slots)
    slot = np.int64(hash_of_words(table.keys[count], KEY_WORDS) & np.uint64(slots - 1))
    row = np.int64(table.slots[slot])
    while row < count and table.homes[row] == slot:
        if are_same_words(table.keys[row], table.keys[count], KEY_WORDS):
            return row
        slot = (slot + 1) & (slots - 1)
        row = np.int64(table.slots[slot])
    table.slots[slot] = count
    table.homes[count] = slot
    return count


# Solutions.


@kernel
def search_shortest(state: State, deck: Any, rules: Any, room: Any) -> tuple[int, int, int]:
    """Look for a solution with the fewest moves, recycles not counted.

    This is a breadth-first search: rows are expanded in the order of their distance from the
    start, which is that of their discovery. But what a recycle leads to is as far away as where it
    was made, so it is expanded next. It never leads to another recycle: the stock is then full.

    Returns
    -------
    outcome : int
        `UNSOLVABLE` only if all positions that can be reached are in the table.
    positions : int
        Rows of the table in use.
    row : int
        The won position, or -1.
    """
    _put_first(state_key(state, rules), room)
    if is_won(state):
        return SOLVED, 1, 0
    count = 1
    first = 0
    while first < count:
        row = first
        while row != NO_ROW:
            count, row, won_row = _expand(row, count, deck, rules, room)
            if won_row != NO_ROW:
                return SOLVED, count, won_row
            if count == len(room.parents):
                return UNKNOWN, count - 1, NO_ROW
        while first < count and room.is_expanded[first]:
            first += 1
    return UNSOLVABLE, count, NO_ROW


@kernel
def search_any(state: State, deck: Any, rules: Any, room: Any) -> tuple[int, int, int]:
    """Look for any solution: :func:`search_shortest`, but depth first.

    Where there is a solution, this mostly meets a small part of the positions only.
    """
    _put_first(state_key(state, rules), room)
    if is_won(state):
        return SOLVED, 1, 0
    count = 1
    room.waiting[0] = 0
    waiting = 1
    while waiting > 0:
        waiting -= 1
        former_count = count
        row = np.int64(room.waiting[waiting])
        count, _, won_row = _expand(row, count, deck, rules, room)
        if won_row != NO_ROW:
            return SOLVED, count, won_row
        if count == len(room.parents):
            return UNKNOWN, count - 1, NO_ROW
        for row in range(count - 1, former_count - 1, -1):
            room.waiting[waiting] = row
            waiting += 1
    return UNSOLVABLE, count, NO_ROW


@inlined_kernel
def _put_first(key: State, room: Any) -> None:
    store_position(key, room.table.keys[0])
    room.table.keys[0, EARNED_WORD] = 0
    _find_or_add(room.table, 0)
    room.is_expanded[0] = False
    room.parents[0] = NO_ROW


@kernel
def _expand(row: int, count: int, deck: Any, rules: Any, room: Any) -> tuple[int, int, int]:
    """Make all moves from a row.

    Returns
    -------
    count : int
        Rows in use afterwards; one more than there may be if the table is too small.
    recycled_row : int
        The row that a recycle leads to if it is still to be expanded, or -1.
    won_row : int
        A won position, or -1.
    """
    table = room.table
    room.is_expanded[row] = True
    recycled_row = NO_ROW
    state = load_position(table.keys[row])
    for number in range(legal_moves(state, deck, rules, room.legal)):
        move = room.legal[number]
        child = after_move(state, move, deck, rules)
        store_position(state_key(child, rules), table.keys[count])
        table.keys[count, EARNED_WORD] = 0
        found = _find_or_add(table, count)
        if found == count:
            count += 1
            room.is_expanded[found] = False
        elif move != RECYCLE or room.is_expanded[found]:
            continue
        room.parents[found] = row
        room.moves[found] = move
        if move == RECYCLE:
            recycled_row = found
        if count == len(room.parents):
            break
        if is_won(child):
            return count, recycled_row, found
    return count, recycled_row, NO_ROW


@inlined_kernel
def _moves_to(row: int, room: Any) -> int:
    """Moves from the start to a row, recycles not counted."""
    moves = 0
    while room.parents[row] != NO_ROW:
        if room.moves[row] != RECYCLE:
            moves += 1
        row = room.parents[row]
    return moves


@kernel
def search_deals(
    seed: int,
    first_deal: int,
    numbers: Any,
    rules: Any,
    is_shortest: bool,
    dealer: Any,
    room: Any,
    verdicts_out: Any,
) -> None:
    """Decide the deals ``first_deal + number`` for some numbers.

    Parameters
    ----------
    numbers : (n,) int64 array
        Places in the verdicts.
    is_shortest : bool
        Whether to look for shortest solutions, or any.
    dealer : Dealer
        Of kinds.
    room : SolutionRoom
    verdicts_out : Verdicts, modified in place
    """
    deck = dealer.deck
    for number in numbers:
        deal_numbered(dealer, seed, first_deal + number)
        state = deal_state(deck, rules)
        if is_shortest:
            outcome, positions, row = search_shortest(state, deck, rules, room)
        else:
            outcome, positions, row = search_any(state, deck, rules, room)
        is_known = is_shortest and outcome == SOLVED
        verdicts_out.outcome[number] = outcome
        verdicts_out.positions[number] = positions
        verdicts_out.fewest_moves[number] = _moves_to(row, room) if is_known else NOT_KNOWN


# The best score.


@kernel
def search_score(state: State, deck: Any, rules: Any, room: Any) -> tuple[int, int, int]:
    """Look for the best score that can be reached (see :func:`klondike.exhaustive.best_score`).

    Whenever a row is reached with a better score than before, its moves are due again. The search
    ends if no row's moves are due.

    Returns
    -------
    outcome : int
        `SOLVED`, or `UNKNOWN` if the table is too small.
    rows : int
        Rows of the table in use.
    best : int
        The best score, if the outcome is `SOLVED`.
    """
    count = _reach(state, 0, rules, room)
    is_done = False
    while not is_done:
        is_done = True
        row = 0
        while row < count:
            if room.is_due[row]:
                is_done = False
                count = _make_moves(row, count, deck, rules, room)
                if count == len(room.scores):
                    return UNKNOWN, count - 1, 0
            row += 1
    best = room.scores[0]
    for row in range(count):
        best = max(best, room.scores[row])
    return SOLVED, count, best


@kernel
def _make_moves(row: int, count: int, deck: Any, rules: Any, room: Any) -> int:
    """Make all moves from a row; return the rows in use afterwards.

    That is one more than there may be if the table is too small.
    """
    room.is_due[row] = False
    key = room.table.keys[row]
    state = with_points(load_position(key), room.scores[row], key[EARNED_WORD], rules)
    for number in range(legal_moves(state, deck, rules, room.legal)):
        count = _reach(after_move(state, room.legal[number], deck, rules), count, rules, room)
        if count == len(room.scores):
            break
    return count


@inlined_kernel
def _reach(state: State, count: int, rules: Any, room: Any) -> int:
    """Note that a state can be reached with its score; return the rows in use afterwards."""
    # Recycles used matter where they are limited, and until they cost points.
    recycles = state.recycles
    if rules.redeals < 0:
        recycles = min(recycles, rules.free_recycles)
    key = with_outside(state, state.places, state.boundary, recycles)
    store_position(key, room.table.keys[count])
    room.table.keys[count, EARNED_WORD] = state.earned
    found = _find_or_add(room.table, count)
    is_new = found == count
    if is_new or score(state) > room.scores[found]:
        room.scores[found] = score(state)
        room.is_due[found] = True
    return count + is_new
