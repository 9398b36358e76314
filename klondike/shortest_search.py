"""A search for a win with the fewest moves, placements and draws, all cards known.

It is a best-first search (A*) on the packed textbook state. Each position has a *row*; of two rows
of one position the later one has fewer moves, and the former is *given up*. Rows wait in a *bucket*
for each number of moves that a win through them has at least: the moves so far and those that
:mod:`klondike.moves_bound` says are still to come. The newest row of the lowest bucket is expanded
next, so the first win to be taken out of its bucket is a shortest one. A search in *haste* weighs
the moves to come more than those made: it soon finds wins that are not much longer.

Steps are those of :mod:`klondike.proved_search` with the draws before the move above them::

    bit   26      21    20 .. 0
            draws        step

Which moves are left out, and why a shortest win stays, is told by :data:`SHORTEST_PRUNING`.
"""

from typing import Any, NamedTuple

import numpy as np

from dealstats.jit import inlined_kernel, kernel
from klondike.kernel import (
    MOVES_CEILING,
    ONE,
    PILE_TO_FOUNDATION,
    WASTE_TO_FOUNDATION,
    is_won,
    load_position,
    move_kind,
    store_position,
    with_outside,
)
from klondike.layout import PLACES, POSITION_WORDS, State
from klondike.moves_bound import BoundRoom, make_bound_room, moves_bound, prepare_bound
from klondike.proved_search import (
    NO_ROW,
    ROW_MASK,
    Search,
    after_step,
    list_folded_moves,
    list_table_moves,
    safe_step,
    slot_for,
    slots_for,
    step_move,
)
from klondike.pruning import NO_MOVE, NO_PRUNING

SHORTEST_PRUNING = NO_PRUNING._replace(equal_piles=1, safe_moves=1, idle_moves=1, parts=1)
"""The rules of pruning that keep a shortest win, where all plays and draws count.

Their proofs in :class:`klondike.pruning.Pruning` hold for wins of the fewest plays, swaps apart. Of
these, they show as much for all moves:

* *equal_piles*: the exchanged line has the same moves.
* *safe_moves*: t' has the draws of t at most. Each card that it puts up before t does, it puts up
  once, and spares the placement by which t puts up the card; what t does with such cards until
  then, it leaves out. So it has no more moves. A safe card of the waste is put up only if it is in
  play: to draw it now and not later could make draws vain. And a card that would be safe on its
  foundation is not taken from there, for the next move of some shortest win would put it up again.
* *idle_moves*: t' has a play less, and the same draws.
* *parts*: the swap that t' needs before b goes up is the one that it did not make at first, so it
  has as many moves as t. If b never goes up with other cards on b than on w, it has fewer.

That draws and recycles are put off until the play that needs them changes no number; and after a
second recycle the waste would pass through the same tops again, after more draws. Merging of passes
or of swapped cards, and use at once, would not do: lengths differ by the draws or by the swaps.
"""

FOUND = 0
"""The row that was taken last is a win; without haste, none has fewer moves."""
EXHAUSTED = 1
"""No win has fewer moves than the limit."""
PAUSED = 2
"""So many rows were expanded as the search was allowed to."""
FULL = 3
"""The arrays are too small to go on."""

DRAWS_SHIFT = 21
STEP_MASK = (1 << DRAWS_SHIFT) - 1
STEPS_CEILING = MOVES_CEILING + 8 * PLACES
BUCKETS = 4096
"""Lines of so many moves are not looked at."""
HASTE_SHIFT = 3
GIVEN_UP = -1

COUNT, LOWEST, EXPANDED, LIMIT, HASTE, IS_CUT, LAST = range(7)
"""Notes: rows in use, the lowest bucket that may have rows, rows expanded, the length that a win
must be below, the haste, whether a position was left out for its length, and the row taken last."""
NOTES = 7


class ShortestRoom(NamedTuple):
    """What a search works in.

    Attributes
    ----------
    words : (rows, 4) int64 array
        The position of each row.
    parents, steps, later : (rows,) int32 array
        Where each row comes from, -1 for the first one; and the next row in its bucket, or -1.
    lengths : (rows,) int16 array
        Moves up to each row, or `GIVEN_UP`.
    first_rows : (BUCKETS,) int32 array
        The newest row in each bucket, or -1.
    slots : (a power of two, more than rows) int64 array
        A hash table with open addressing: 0, or a row + 1 and above it 32 bits of its hash.
    notes : (7,) int64 array
    places : (52,) int64 array
        The place in the deck of each kind.
    keys : (2, 4) int64 array
    legal, listed : (STEPS_CEILING,) int64 array
    bound : BoundRoom
    """

    words: Any
    parents: Any
    steps: Any
    later: Any
    lengths: Any
    first_rows: Any
    slots: Any
    notes: Any
    places: Any
    keys: Any
    legal: Any
    listed: Any
    bound: BoundRoom


def bytes_of_room(rows: int) -> int:
    """What a room of so many rows takes."""
    return rows * (8 * POSITION_WORDS + 14) + 8 * slots_for(rows) + 4 * BUCKETS


def make_room(rows: int) -> ShortestRoom:
    """Room for a search of so many rows, at least `STEPS_CEILING` + 1."""
    return ShortestRoom(
        words=np.zeros((rows, POSITION_WORDS), np.int64),
        parents=np.zeros(rows, np.int32),
        steps=np.zeros(rows, np.int32),
        later=np.zeros(rows, np.int32),
        lengths=np.zeros(rows, np.int16),
        first_rows=np.zeros(BUCKETS, np.int32),
        slots=np.zeros(slots_for(rows), np.int64),
        notes=np.zeros(NOTES, np.int64),
        places=np.zeros(PLACES, np.int64),
        keys=np.zeros((2, POSITION_WORDS), np.int64),
        legal=np.zeros(STEPS_CEILING, np.int64),
        listed=np.zeros(STEPS_CEILING, np.int64),
        bound=make_bound_room(),
    )


# Steps.


@inlined_kernel
def _moves_of(step: int) -> int:
    """How many moves a step is: its draws, and the play."""
    return (step >> DRAWS_SHIFT) + 1


@inlined_kernel
def _goes_up(step: int) -> bool:
    kind = move_kind(step_move(step))
    return kind in (PILE_TO_FOUNDATION, WASTE_TO_FOUNDATION)


@kernel
def _list_steps(state: State, search: Search) -> int:
    """All steps to be tried from a position."""
    if search.pruning.safe_moves:
        search.room.listed[0] = safe_step(state, search)
        if search.room.listed[0] != NO_MOVE:
            return 1
    count = list_table_moves(state, np.int64(0), search)
    return list_folded_moves(state, ONE << DRAWS_SHIFT, count, search)


# Rows.


@kernel
def _add_row(state: State, step: int, length: int, parent: int, search: Search) -> None:
    """Let a position wait in a row of its own, unless that cannot lead to a shortest win."""
    room = search.room
    slot, tag = slot_for(state, step, search)
    if room.slots[slot] != 0:
        former = (room.slots[slot] & ROW_MASK) - 1
        if room.lengths[former] <= length:
            return
    bound = moves_bound(state, search.deck, search.rules, room.bound)
    if length + bound >= room.notes[LIMIT]:
        room.notes[IS_CUT] = True
        return
    weighed = length + bound + ((room.notes[HASTE] * bound) >> HASTE_SHIFT)
    bucket = min(weighed, BUCKETS - 1)
    if room.slots[slot] != 0:
        room.lengths[(room.slots[slot] & ROW_MASK) - 1] = GIVEN_UP
    row = room.notes[COUNT]
    room.notes[COUNT] += 1
    room.slots[slot] = tag | (row + 1)
    if search.rules.redeals < 0:
        state = with_outside(state, state.places, state.boundary, np.int64(0))
    store_position(state, room.words[row])
    room.parents[row] = parent
    room.steps[row] = step
    room.lengths[row] = length
    room.later[row] = room.first_rows[bucket]
    room.first_rows[bucket] = row
    room.notes[LOWEST] = min(room.notes[LOWEST], bucket)


@kernel
def _next_row(room: Any) -> int:
    """Take the newest row out of the lowest bucket, or tell that there is `NO_ROW`."""
    notes, first_rows = room.notes, room.first_rows
    while notes[LOWEST] < BUCKETS:
        row = np.int64(first_rows[notes[LOWEST]])
        if row == NO_ROW:
            notes[LOWEST] += 1
            continue
        first_rows[notes[LOWEST]] = room.later[row]
        if room.lengths[row] != GIVEN_UP:
            return row
    return NO_ROW


@kernel
def enter_rows(deck: Any, rules: Any, pruning: Any, room: Any) -> None:
    """Enter all rows into slots that are empty."""
    search = Search(deck, rules, pruning, room)
    for row in range(room.notes[COUNT]):
        if room.lengths[row] != GIVEN_UP:
            state, step = load_position(room.words[row]), np.int64(room.steps[row])
            slot, tag = slot_for(state, step, search)
            room.slots[slot] = tag | (row + 1)


# The search.


@kernel
def _expand(row: int, state: State, search: Search) -> None:
    """Make all steps from a row; those to foundations last, so that they are taken first."""
    room = search.room
    count = _list_steps(state, search)
    for goes_up in range(2):
        for number in range(count):
            step = room.listed[number]
            if _goes_up(step) == goes_up:
                child = after_step(state, step & STEP_MASK, search)
                _add_row(child, step, room.lengths[row] + _moves_of(step), row, search)


@kernel
def begin(
    state: State, deck: Any, rules: Any, pruning: Any, room: Any, limit: int, haste: int
) -> None:
    """Begin a search for a win.

    Parameters
    ----------
    limit : int
        It must have fewer moves.
    haste : int
        How much more the moves to come are to weigh than those made, in eighths.
    """
    for slot in range(len(room.slots)):
        room.slots[slot] = 0
    for bucket in range(BUCKETS):
        room.first_rows[bucket] = NO_ROW
    for note in range(NOTES):
        room.notes[note] = 0
    room.notes[LOWEST] = BUCKETS
    room.notes[LIMIT] = min(limit, BUCKETS)
    room.notes[HASTE] = haste
    for place in range(len(deck)):
        room.places[deck[place]] = place
    prepare_bound(deck, rules, room.bound)
    search = Search(deck, rules, pruning, room)
    _add_row(state, np.int64(0), np.int64(0), NO_ROW, search)


@kernel
def go_on(deck: Any, rules: Any, pruning: Any, room: Any, nodes_end: int) -> int:
    """Go on with a search until it has expanded so many rows in all.

    Returns
    -------
    outcome : int
        `FOUND`, `EXHAUSTED`, `PAUSED`, or `FULL` if there may be too few rows to go on.
    """
    search = Search(deck, rules, pruning, room)
    notes = room.notes
    while True:
        if notes[COUNT] + STEPS_CEILING > len(room.steps):
            return FULL
        if notes[EXPANDED] >= nodes_end:
            return PAUSED
        row = _next_row(room)
        if row == NO_ROW:
            return FULL if notes[IS_CUT] and notes[LIMIT] == BUCKETS else EXHAUSTED
        notes[LAST] = row
        state = load_position(room.words[row])
        if is_won(state):
            return FOUND
        notes[EXPANDED] += 1
        _expand(row, state, search)
