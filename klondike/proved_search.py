"""A complete search for a win, all cards known, that leaves out only what is proved needless.

It is a depth-first search on the packed textbook state. Each position gets a *row* when it is met
first, and no position a second one (:mod:`klondike.search_key`). A row keeps the row and the step
before it, so that the line to a win can be told. A *step* is a move as in :mod:`klondike.kernel`,
with more bits::

    bit    20        19        18  13    12   0
        recycle   then up     boundary    move

* *boundary*: that of a move of the waste; draws lead to it, and a *recycle* if that bit is set.
* *then up*: the move is a swap, and the card that it exposes goes to its foundation.

Rows that wait to be expanded are a ring. The newest is taken, so that the search goes deep; but at
every `ROTATION`-th time the oldest, so that no bad choice near the root keeps the search for long.

Everything that a search knows is in the arrays of its room. It can stop after any row and go on
later, also in larger arrays.
"""

from typing import Any, NamedTuple

import numpy as np

from dealstats.bits import trailing_zeros
from dealstats.jit import inlined_kernel, kernel
from dealstats.shuffle_kernel import deal_numbered
from dealstats.word_keys import FACTOR, are_same_words, hash_of_words
from klondike.kernel import (
    ALL_ONES,
    DRAW,
    EVERY_PILE,
    MOVES_CEILING,
    ONE,
    PILE_TO_FOUNDATION,
    PILE_TO_PILE,
    RECYCLE,
    WASTE_TO_FOUNDATION,
    WASTE_TO_PILE,
    after_move,
    bottom_rank,
    can_recycle,
    deal_state,
    drawn_boundary,
    face_down,
    foundation_rank,
    foundation_takes,
    is_won,
    kind_of_rank_and_suit,
    legal_moves,
    load_position,
    move_cards,
    move_kind,
    move_source,
    move_target,
    pile_field,
    pile_to_foundation_move,
    stock_places,
    store_position,
    top_kind,
    top_rank,
    waste_to_pile_move,
    with_outside,
)
from klondike.layout import FACE_DOWN_SHIFT, PLACES, POSITION_WORDS, State
from klondike.pruning import (
    NO_MOVE,
    is_dropped,
    is_safe_up,
    lowest_targets,
    safe_pile_move,
    swap_to_free,
)
from klondike.rules import SUITS
from klondike.search_key import lateness, store_search_key

SOLVED = 0
UNSOLVABLE = 1
PAUSED = 2
"""So many rows were expanded as the search was allowed to."""
FULL = 3
"""The arrays are too small to go on."""

MOVE_BITS = 13
MOVE_MASK = (1 << MOVE_BITS) - 1
BOUNDARY_MASK = 63
THEN_UP = 1 << MOVE_BITS + 6
RECYCLE_FIRST = 1 << MOVE_BITS + 7

STEPS_CEILING = MOVES_CEILING + 8 * PLACES + SUITS
"""The moves of a position, those of each card that can be drawn, and a swap for each suit."""
ROTATION = 200
NO_ROW = -1
EVERY_FACE_DOWN = EVERY_PILE * (7 << FACE_DOWN_SHIFT)

COUNT, OLDEST, WAITING, EXPANDED = range(4)
"""Notes of a search: rows in use, where the ring begins, rows in it, and rows expanded."""
NOTES = 4
URGENCIES = 4
ROW_MASK = (1 << 32) - 1
TAG_MASK = ~ROW_MASK


class Room(NamedTuple):
    """What a search works in.

    Attributes
    ----------
    words : (rows, 4) int64 array
        The position of each row.
    parents, steps : (rows,) int32 array
        Where each row comes from, -1 for the first one.
    ring : (rows,) int32 array
        Rows to be expanded.
    slots : (a power of two, more than rows) int64 array
        A hash table with open addressing: 0, or a row + 1 and above it 32 bits of its hash.
    notes : (4,) int64 array
    places : (52,) int64 array
        The place in the deck of each kind.
    keys : (2, 4) int64 array
    legal, listed : (STEPS_CEILING,) int64 array
    """

    words: Any
    parents: Any
    steps: Any
    ring: Any
    slots: Any
    notes: Any
    places: Any
    keys: Any
    legal: Any
    listed: Any


def bytes_of_room(rows: int) -> int:
    """What a room takes at most when it grows to so many rows.

    The former slots and a copy of the ring are there at the same time.
    """
    return rows * (8 * POSITION_WORDS + 16) + 16 * slots_for(rows)


def slots_for(rows: int) -> int:
    """Slots of a table for so many rows."""
    return 1 << (rows + rows // 4).bit_length()


def make_room(rows: int) -> Room:
    """Room for a search of so many positions, at least `STEPS_CEILING` + 1."""
    return Room(
        words=np.zeros((rows, POSITION_WORDS), np.int64),
        parents=np.zeros(rows, np.int32),
        steps=np.zeros(rows, np.int32),
        ring=np.zeros(rows, np.int32),
        slots=np.zeros(slots_for(rows), np.int64),
        notes=np.zeros(NOTES, np.int64),
        places=np.zeros(PLACES, np.int64),
        keys=np.zeros((2, POSITION_WORDS), np.int64),
        legal=np.zeros(STEPS_CEILING, np.int64),
        listed=np.zeros(STEPS_CEILING, np.int64),
    )


class Search(NamedTuple):
    """What the kernels of a search have in common."""

    deck: Any
    rules: Any
    pruning: Any
    room: Any


# Steps.


@inlined_kernel
def step_move(step: int) -> int:
    """The move of a step."""
    return step & MOVE_MASK


@inlined_kernel
def step_boundary(step: int) -> int:
    """The boundary at which a step plays the waste; 0 if it needs none."""
    return (step >> MOVE_BITS) & BOUNDARY_MASK


@kernel
def _after(state: State, move: int, search: Search) -> State:
    return after_move(state, move, search.deck, search.rules)


@inlined_kernel
def after_step(state: State, step: int, search: Search) -> State:
    """The state after a step."""
    boundary = step_boundary(step)
    if boundary != 0:
        recycles = state.recycles + ((step & RECYCLE_FIRST) != 0)
        state = with_outside(state, state.places, boundary, recycles)
    move = step_move(step)
    state = _after(state, move, search)
    if step & THEN_UP:
        state = _after(state, pile_to_foundation_move(move_source(move)), search)
    return state


@inlined_kernel
def _urgency(state: State, step: int, rules: Any) -> int:
    """How soon to try a step: 3 if it turns up a card, then foundations, the waste, the rest.

    A recycle waits to the last where they are limited.
    """
    if step & RECYCLE_FIRST and rules.redeals >= 0:
        return 0
    move = step_move(step)
    kind = move_kind(move)
    if kind in (PILE_TO_FOUNDATION, PILE_TO_PILE):
        field = pile_field(state, move_source(move))
        cards = move_cards(move) + ((step & THEN_UP) != 0)
        cards += kind == PILE_TO_FOUNDATION
        if face_down(field) != 0 and cards == bottom_rank(field) - top_rank(field) + 1:
            return 3
        return 2 if kind == PILE_TO_FOUNDATION or step & THEN_UP else 0
    if kind == WASTE_TO_FOUNDATION:
        return 2
    return 1 if kind == WASTE_TO_PILE else 0


# Which steps there are. Each of these functions writes some, and returns how many there are now.


@inlined_kernel
def list_table_moves(state: State, count: int, search: Search) -> int:
    """The moves of piles and foundations."""
    rules, room = search.rules, search.room
    bare = with_outside(state, np.int64(0), np.int64(0), np.int64(0))
    for number in range(legal_moves(bare, search.deck, rules, room.legal)):
        move = room.legal[number]
        if not is_dropped(state, move, rules, search.pruning):
            room.listed[count] = move
            count += 1
    if search.pruning.twins:
        for suit in range(SUITS):
            swap = swap_to_free(state, suit, rules)
            if swap != NO_MOVE:
                room.listed[count] = swap | THEN_UP
                count += 1
    return count


@inlined_kernel
def _list_waste_moves(state: State, boundary: int, before: int, count: int, search: Search) -> int:
    """The moves of the card that is in play at a boundary.

    Parameters
    ----------
    before : int
        What their steps say of the recycle and the draws before them.
    """
    listed, rules = search.room.listed, search.rules
    kind = np.int64(search.deck[np.uint64(boundary - 1)])
    at = boundary << MOVE_BITS | before
    if foundation_takes(state, kind):
        listed[count] = at | WASTE_TO_FOUNDATION
        count += 1
    targets = lowest_targets(state, kind, rules, search.pruning)
    while targets != 0:
        listed[count] = at | waste_to_pile_move(trailing_zeros(targets))
        count += 1
        targets &= targets - 1
    return count


@kernel
def list_folded_moves(state: State, draw_step: int, count: int, search: Search) -> int:
    """The moves of all cards that draws, and one recycle, bring into play.

    Parameters
    ----------
    draw_step : int
        What each of the draws adds to the step of a move.
    """
    rules = search.rules
    places, boundary = state.places, state.boundary
    may_recycle = places != 0 and (rules.redeals < 0 or state.recycles < rules.redeals)
    tried, recycled, drawn = np.int64(0), np.int64(0), np.int64(0)
    while (tried >> boundary) & 1 == 0:
        if boundary != 0:
            tried |= ONE << boundary
            count = _list_waste_moves(state, boundary, recycled + drawn, count, search)
        rest = places & (ALL_ONES << boundary)
        if rest != 0:
            boundary = drawn_boundary(rest, rules)
            drawn += draw_step
        elif may_recycle and recycled == 0:
            boundary = np.int64(0)
            recycled = np.int64(RECYCLE_FIRST)
        else:
            break
    return count


@kernel
def _list_plain_moves(state: State, count: int, search: Search) -> int:
    """The moves of the card in play, the draw and the recycle."""
    if state.boundary != 0:
        count = _list_waste_moves(state, state.boundary, np.int64(0), count, search)
    if stock_places(state) != 0:
        search.room.listed[count] = DRAW
        count += 1
    if can_recycle(state, search.rules):
        search.room.listed[count] = RECYCLE
        count += 1
    return count


@kernel
def safe_step(state: State, search: Search) -> int:
    """A safe step to a foundation, or `NO_MOVE`."""
    rules = search.rules
    move = safe_pile_move(state, rules)
    if move != NO_MOVE or rules.draw != 1:
        return move
    has_reserve = search.pruning.folded_draws and rules.redeals < 0
    for suit in range(SUITS):
        kind = kind_of_rank_and_suit(foundation_rank(state, suit) + 1, suit)
        if kind < len(search.deck) and is_safe_up(state, kind, rules.worrying_back):
            place = search.room.places[kind]
            is_at_hand = has_reserve or place + 1 == state.boundary
            if is_at_hand and (state.places >> place) & 1:
                return (place + 1) << MOVE_BITS | WASTE_TO_FOUNDATION
    return NO_MOVE


@inlined_kernel
def _uses(step: int, pile: int) -> bool:
    """Whether a step lays something on a pile."""
    move = step_move(step)
    kind = move_kind(move)
    return kind != PILE_TO_FOUNDATION and kind != WASTE_TO_FOUNDATION and move_target(move) == pile


@kernel
def _list_steps(state: State, pile_to_use: int, search: Search) -> int:
    """All steps to be tried from a position.

    Parameters
    ----------
    pile_to_use : int
        The pile that the next play must use, or -1.
    """
    listed = search.room.listed
    if search.pruning.safe_moves and pile_to_use < 0:
        listed[0] = safe_step(state, search)
        if listed[0] != NO_MOVE:
            return 1
    count = list_table_moves(state, np.int64(0), search)
    if search.pruning.folded_draws:
        count = list_folded_moves(state, np.int64(0), count, search)
    else:
        count = _list_plain_moves(state, count, search)
    if pile_to_use < 0:
        return count
    used = 0
    for number in range(count):
        if _uses(listed[number], pile_to_use):
            listed[used] = listed[number]
            used += 1
    return used


# Rows.


@inlined_kernel
def _pile_to_use(step: int, pruning: Any) -> int:
    """The pile that must be used after a step, or -1."""
    move = step_move(step)
    if pruning.use_at_once and move_kind(move) == WASTE_TO_PILE:
        return move_target(move)
    return np.int64(-1)


@kernel
def _store_key(state: State, step: int, search: Search, key_out: Any) -> None:
    """Write the key of the position after a step."""
    pile = _pile_to_use(step, search.pruning)
    used_next = top_kind(pile_field(state, pile)) + 1 if pile >= 0 else np.int64(0)
    store_search_key(state, used_next, search.rules, search.pruning, key_out)


@inlined_kernel
def _has_key(row: int, key: Any, search: Search) -> bool:
    room = search.room
    other = room.keys[1]
    _store_key(load_position(room.words[row]), np.int64(room.steps[row]), search, other)
    return are_same_words(key, other, POSITION_WORDS)


@kernel
def slot_for(state: State, step: int, search: Search) -> tuple[int, int]:
    """The slot of a position's row, or of one to be, and the tag that belongs into it."""
    slots, key = search.room.slots, search.room.keys[0]
    _store_key(state, step, search, key)
    mixed = np.int64(hash_of_words(key, POSITION_WORDS) * FACTOR)
    tag = mixed & TAG_MASK
    slot = mixed & (len(slots) - 1)
    while slots[slot] != 0:
        if slots[slot] & TAG_MASK == tag and _has_key((slots[slot] & ROW_MASK) - 1, key, search):
            break
        slot = (slot + 1) & (len(slots) - 1)
    return slot, tag


@kernel
def _add_row(state: State, step: int, parent: int, search: Search) -> bool:
    """Let a position wait in a row of its own; tell whether it does.

    It need not if there is a row with its key that is not later in the passes. A later one gives
    up its slot, but is still the parent of others.
    """
    room = search.room
    slot, tag = slot_for(state, step, search)
    if room.slots[slot] != 0:
        former = load_position(room.words[(room.slots[slot] & ROW_MASK) - 1])
        rules, pruning = search.rules, search.pruning
        if lateness(former, rules, pruning) <= lateness(state, rules, pruning):
            return False
    row = room.notes[COUNT]
    room.slots[slot] = tag | (row + 1)
    if search.rules.redeals < 0:
        state = with_outside(state, state.places, state.boundary, np.int64(0))
    store_position(state, room.words[row])
    room.parents[row] = parent
    room.steps[row] = step
    place = room.notes[OLDEST] + room.notes[WAITING]
    room.ring[place - (len(room.ring) if place >= len(room.ring) else 0)] = row
    room.notes[WAITING] += 1
    room.notes[COUNT] += 1
    return True


@inlined_kernel
def _next_row(room: Any) -> int:
    """Take a row out of the ring."""
    notes, ring = room.notes, room.ring
    notes[WAITING] -= 1
    notes[EXPANDED] += 1
    place = notes[OLDEST]
    if notes[EXPANDED] % ROTATION != 0:
        place += notes[WAITING]
        place -= len(ring) if place >= len(ring) else 0
    else:
        notes[OLDEST] = place + 1 if place + 1 < len(ring) else 0
    return np.int64(ring[place])


@kernel
def rebuild_slots(deck: Any, rules: Any, pruning: Any, room: Any) -> None:
    """Enter all rows into slots that are empty."""
    search = Search(deck, rules, pruning, room)
    for row in range(room.notes[COUNT]):
        state, step = load_position(room.words[row]), np.int64(room.steps[row])
        slot, tag = slot_for(state, step, search)
        room.slots[slot] = tag | (row + 1)


# The search.


@inlined_kernel
def _is_decided(state: State, search: Search) -> bool:
    """Whether a position is won, or it is known that it can be."""
    if not search.pruning.early_end:
        return is_won(state)
    hidden = (state.piles_low | state.piles_mid | state.piles_high) & EVERY_FACE_DOWN
    is_at_hand = state.places == 0 or (search.rules.draw == 1 and search.rules.redeals < 0)
    return hidden == 0 and is_at_hand


@kernel
def _expand(row: int, search: Search) -> int:
    """Make all steps from a row; return the row of a win if there is one, or `NO_ROW`."""
    room = search.room
    state = load_position(room.words[row])
    pile_to_use = np.int64(-1)
    if row != 0:
        pile_to_use = _pile_to_use(np.int64(room.steps[row]), search.pruning)
    count = _list_steps(state, pile_to_use, search)
    # The last one that is added is the first one that is taken.
    for urgency in range(URGENCIES):
        for number in range(count - 1, -1, -1):
            step = room.listed[number]
            if _urgency(state, step, search.rules) == urgency:
                child = after_step(state, step, search)
                if _add_row(child, step, row, search) and _is_decided(child, search):
                    return room.notes[COUNT] - 1
    return NO_ROW


@kernel
def begin(state: State, deck: Any, rules: Any, pruning: Any, room: Any) -> int:
    """Begin a search; the outcome is `PAUSED` unless the position is won at once."""
    search = Search(deck, rules, pruning, room)
    for slot in range(len(room.slots)):
        room.slots[slot] = 0
    for note in range(NOTES):
        room.notes[note] = 0
    for place in range(len(deck)):
        room.places[deck[place]] = place
    _add_row(state, np.int64(0), NO_ROW, search)
    return SOLVED if _is_decided(state, search) else PAUSED


@kernel
def go_on(deck: Any, rules: Any, pruning: Any, room: Any, nodes_end: int) -> int:
    """Go on with a search until it has expanded so many rows in all.

    Returns
    -------
    outcome : int
        `SOLVED`, with the won position in the last row, `UNSOLVABLE`, `PAUSED` or `FULL`.
    """
    search = Search(deck, rules, pruning, room)
    notes = room.notes
    while notes[WAITING] != 0:
        if notes[EXPANDED] >= nodes_end:
            return PAUSED
        if notes[COUNT] + STEPS_CEILING > len(room.steps):
            return FULL
        if _expand(_next_row(room), search) != NO_ROW:
            return SOLVED
    return UNSOLVABLE


# Numbered deals.


@kernel
def solve_deals(
    seed: int,
    first_deal: int,
    rules: Any,
    pruning: Any,
    nodes_end: int,
    dealer: Any,
    room: Any,
    outcomes_out: Any,
    nodes_out: Any,
) -> None:
    """Search for wins of the deals ``first_deal, first_deal + 1, ..``, each within one room.

    Parameters
    ----------
    dealer : Dealer
        Of kinds.
    outcomes_out : (deals,) int64 array, modified in place
        `SOLVED` or `UNSOLVABLE`, or how the search broke off.
    nodes_out : (deals,) int64 array, modified in place
        Rows expanded.
    """
    deck = dealer.deck
    for number in range(len(outcomes_out)):
        deal_numbered(dealer, seed, first_deal + number)
        outcome = begin(deal_state(deck, rules), deck, rules, pruning, room)
        if outcome == PAUSED:
            outcome = go_on(deck, rules, pruning, room, nodes_end)
        outcomes_out[number] = outcome
        nodes_out[number] = room.notes[EXPANDED]
