"""Depth-first search in condensed positions: whether a game can be won, all cards known.

Rules that prune, beside the table of positions met:

* *safe*: a card that may go up at no loss goes up at once, and is never taken down
  (:func:`klondike.pruning.is_safe_up`). From waste and stock only if all their cards are always in
  play: when one card is drawn at a time and recycles are not limited.
* *dead*: see :mod:`klondike.dead_test`.
* *late*: see :mod:`klondike.late_moves`. Positions in the midst of a block allow less than they
  would otherwise, so they are not put into the table.

They hold together, and with the table: a shortest line gets no longer by *safe* and *late*. So of
the positions from which a game can be won, one with a shortest line and, among these, the most
cards up always has a follower of this kind that is searched.
"""

from typing import Any, NamedTuple

import numpy as np

from dealstats.bits import trailing_zeros
from dealstats.jit import inlined_kernel, kernel
from klondike import condensed_moves
from klondike.condensed import BOTTOMS, ROOT_LOCKED, ROOT_VISIBLE
from klondike.condensed_moves import (
    KIND_MASK,
    MOVE_BITS,
    ONE,
    PLAY,
    PLAY_UP,
    SHIFT,
    TAKE_DOWN,
    UP,
    Sets,
    accessible_places,
    cards_at,
    foundation_cards,
    foundation_tops,
    sets_of,
    stock_set,
)
from klondike.dead_test import may_be_won
from klondike.late_moves import allowed_after, everything, is_late, is_reserve, useful_helpers

RUNNING, SOLVED, UNSOLVABLE, MEMORY_USED = range(4)

SAFE_RULE, LATE_RULE, DEAD_RULE = 1, 2, 4
ALL_RULES = SAFE_RULE | LATE_RULE | DEAD_RULE

FIRST_TABLE_BITS = 12
ENTRY_WORDS = 5
"""On the stack: key, visible, locked, the step (the parent's number with the move), and the set of
lifted cards (:mod:`klondike.late_moves`)."""
CHILDREN_CEILING = 256
"""More than there can be: each of 52 cards up or placed."""
ROTATION = 150
"""Visits after which the oldest open position comes to the top of the stack."""

# What a search keeps between slices.
BOTTOM, TOP, TABLE_BITS, STORED, STEPS, VISITS, NEXT_ROTATION, OUTCOME = range(8)
CONTROL_WORDS = 8

HASH_FACTOR = np.int64(-7046029254386353131)
NO_STEP = -1


class SearchRoom(NamedTuple):
    """The arrays that a search works in.

    Attributes
    ----------
    table : int64 array
        Keys met. A table of ``2**bits`` places lies from ``2**bits`` on, so that it can grow
        without moving; the array's length is twice the largest one.
    stack : int64 array
    steps : int64 array
        By number of a position: that of its parent, and the move between them.
    control : (CONTROL_WORDS,) int64 array
    """

    table: Any
    stack: Any
    steps: Any
    control: Any


class Place(NamedTuple):
    """A position that is looked at, and its number."""

    key: int
    visible: int
    locked: int
    number: int


class Search(NamedTuple):
    """What a search looks at all the time."""

    deal: Any
    rules: Any
    drawn: Any
    phase_after: Any
    pruning: int
    room: SearchRoom


@inlined_kernel
def _has_rule(search: Search, rule: int) -> bool:
    return search.pruning & rule != 0


# The table.


@inlined_kernel
def _place_of(key: int, bits: int) -> int:
    return ((key * HASH_FACTOR) >> (64 - bits)) & ((1 << bits) - 1)


@kernel
def _insert(key: int, table: Any, bits: int) -> bool:
    """Put a key into the table, or find that it is there; returns whether it is new."""
    size = np.int64(1) << bits
    place = _place_of(key, bits)
    while table[size + place] != 0:
        if table[size + place] == key:
            return False
        place = (place + 1) & (size - 1)
    table[size + place] = key
    return True


@kernel
def _grow(table: Any, bits: int) -> None:
    """Fill the next larger table from the one of so many bits."""
    size = np.int64(1) << bits
    for place in range(2 * size, 4 * size):
        table[place] = 0
    for place in range(size, 2 * size):
        if table[place] != 0:
            _insert(table[place], table, bits + 1)


@kernel
def _meet(key: int, room: SearchRoom) -> bool:
    """Whether a position is met for the first time; after `OUTCOME` is set, nothing counts."""
    control = room.control
    if 2 * control[STORED] >= np.int64(1) << control[TABLE_BITS]:
        if 4 << control[TABLE_BITS] > len(room.table):
            control[OUTCOME] = MEMORY_USED
            return False
        _grow(room.table, control[TABLE_BITS])
        control[TABLE_BITS] += 1
    is_new = _insert(key, room.table, control[TABLE_BITS])
    control[STORED] += is_new
    return is_new


# Steps and the stack.


@kernel
def _after(key: int, visible: int, locked: int, move: int, search: Search) -> tuple[int, int, int]:
    return condensed_moves.after_move(
        key,
        visible,
        locked,
        move,
        search.deal,
        search.rules,
        search.drawn,
        search.phase_after,
    )


@inlined_kernel
def _write_step(parent: int, move: int, room: SearchRoom) -> int:
    """Number a position by how it was reached."""
    number = room.control[STEPS]
    room.steps[number] = parent << MOVE_BITS | move
    room.control[STEPS] = number + 1
    return number


@inlined_kernel
def _push_each(what: int, cards: int, at: Place, lifted: int, search: Search) -> None:
    """Push what comes of a move of each of some cards."""
    stack, control = search.room.stack, search.room.control
    while cards != 0:
        move = what | trailing_zeros(cards)
        cards &= cards - 1
        key, visible, locked = _after(at.key, at.visible, at.locked, move, search)
        top = control[TOP]
        stack[top] = key
        stack[top + 1] = visible
        stack[top + 2] = locked
        stack[top + 3] = at.number << MOVE_BITS | move
        stack[top + 4] = lifted
        control[TOP] = top + ENTRY_WORDS


@inlined_kernel
def _rotate(room: SearchRoom) -> None:
    """Bring the oldest open position to the top, so that no bad start holds up the search."""
    stack, control = room.stack, room.control
    for word in range(ENTRY_WORDS):
        stack[control[TOP] + word] = stack[control[BOTTOM] + word]
    control[TOP] += ENTRY_WORDS
    control[BOTTOM] += ENTRY_WORDS
    control[NEXT_ROTATION] = control[VISITS] + ROTATION


@inlined_kernel
def _has_room(room: SearchRoom) -> bool:
    """Whether stack and steps have room for one more visit; the stack is moved down if need be."""
    stack, control = room.stack, room.control
    need = ENTRY_WORDS * (CHILDREN_CEILING + 1)
    if control[TOP] + need > len(stack):
        shift = control[BOTTOM]
        if 2 * shift < len(stack):
            return False
        for word in range(control[BOTTOM], control[TOP]):
            stack[word - shift] = stack[word]
        control[TOP] -= shift
        control[BOTTOM] = 0
    return control[STEPS] + CHILDREN_CEILING <= len(room.steps)


# Visits.


@inlined_kernel
def _safe_move(key: int, visible: int, sets: Sets, search: Search) -> int:
    """A move that takes a card up at no loss, or `NO_STEP`."""
    if not _has_rule(search, SAFE_RULE):
        return NO_STEP
    cards = sets.next_up & sets.safe
    bare = visible & sets.open & cards
    if bare != 0:
        return UP | trailing_zeros(bare)
    if is_reserve(search.rules):
        cards &= cards_at(stock_set(key), search.deal)
        if cards != 0:
            return PLAY_UP | trailing_zeros(cards)
    return NO_STEP


@inlined_kernel
def _push_followers(
    at: Place, move: int, lifted: int, is_in_block: bool, sets: Sets, search: Search
) -> None:
    deal, rules, bottoms = search.deal, search.rules, search.deal[BOTTOMS]
    in_play = cards_at(accessible_places(at.key, rules, search.drawn, search.phase_after), deal)
    up = at.visible & sets.open & sets.next_up
    play_up = in_play & sets.next_up
    play = in_play & sets.landing
    shift = at.visible & at.locked & sets.landing & ~(bottoms & rules.kings)
    tops = foundation_tops(at.key) if rules.worrying_back else np.int64(0)
    take_down = tops & sets.landing
    if (
        _has_rule(search, DEAD_RULE)
        and not is_in_block
        and at.locked & ~bottoms != 0
        and not may_be_won(at.key, at.visible, at.locked, in_play, sets.spaces, deal, rules)
    ):
        return
    if _has_rule(search, SAFE_RULE):
        take_down &= ~sets.safe
    allowed = everything()
    if _has_rule(search, LATE_RULE):
        surfaces = at.visible & at.locked & ~(bottoms & rules.kings)
        if sets.spaces > 0 or rules.kings & (in_play | surfaces | tops) == 0:
            shift &= ~bottoms
        done = foundation_cards(at.key) if rules.worrying_back else np.int64(0)
        useful = useful_helpers(in_play, at.visible, surfaces, done, sets, rules)
        take_down &= useful
        if is_reserve(rules):
            play &= ~sets.open & useful
        if is_in_block:
            allowed = allowed_after(move, lifted, at.visible, at.locked, sets, rules)
            up &= allowed.up
            play_up = np.int64(0)
    if allowed.late_only:
        shift &= bottoms
        if not is_reserve(rules):
            play = np.int64(0)
    if allowed.prepared != 0:
        now_lifted = lifted | ONE << (move & KIND_MASK)
        _push_each(np.int64(TAKE_DOWN), take_down & allowed.prepared, at, now_lifted, search)
        if is_reserve(rules):
            _push_each(np.int64(PLAY), play & allowed.prepared, at, now_lifted, search)
        _push_each(np.int64(SHIFT), shift & allowed.prepared & bottoms, at, now_lifted, search)
    take_down &= allowed.taken_down
    awaited = take_down & allowed.awaited
    _push_each(np.int64(TAKE_DOWN), awaited, at, lifted ^ allowed.last_lifted, search)
    _push_each(np.int64(TAKE_DOWN), take_down ^ awaited, at, lifted, search)
    _push_each(np.int64(PLAY), play & allowed.placed, at, lifted, search)
    _push_each(np.int64(SHIFT), shift & allowed.placed, at, lifted, search)
    _push_each(np.int64(PLAY_UP), play_up, at, lifted, search)
    _push_each(np.int64(UP), up, at, lifted, search)


@kernel
def _visit(key: int, visible: int, locked: int, step: int, lifted: int, search: Search) -> None:
    """Look at a position: put it into the table, and push what follows from it."""
    room, deal, rules = search.room, search.deal, search.rules
    move = step & ((1 << MOVE_BITS) - 1)
    number = _write_step(step >> MOVE_BITS, move, room)
    sets = sets_of(key, visible, locked, deal, rules)
    is_in_block = _has_rule(search, LATE_RULE) and is_late(move, deal, rules)
    if not is_in_block:
        safe = _safe_move(key, visible, sets, search)
        while safe != NO_STEP:
            key, visible, locked = _after(key, visible, locked, safe, search)
            number = _write_step(number, safe, room)
            sets = sets_of(key, visible, locked, deal, rules)
            safe = _safe_move(key, visible, sets, search)
        if not _meet(key, room):
            return
        if key & 0xFFFF == rules.won:
            room.control[OUTCOME] = SOLVED
            return
    at = Place(key, visible, locked, number)
    _push_followers(at, move, lifted, is_in_block, sets, search)


@kernel
def run_search(search: Search, visits: int) -> int:
    """Go on with a search for at most so many visits; returns the outcome so far."""
    room = search.room
    stack, control = room.stack, room.control
    stop = control[VISITS] + visits
    while control[OUTCOME] == RUNNING and control[VISITS] < stop:
        if control[TOP] == control[BOTTOM]:
            control[OUTCOME] = UNSOLVABLE
        elif not _has_room(room):
            control[OUTCOME] = MEMORY_USED
        else:
            if control[VISITS] >= control[NEXT_ROTATION]:
                _rotate(room)
            control[VISITS] += 1
            control[TOP] -= ENTRY_WORDS
            top = control[TOP]
            key, visible, locked = stack[top], stack[top + 1], stack[top + 2]
            _visit(key, visible, locked, stack[top + 3], stack[top + 4], search)
    return control[OUTCOME]


@kernel
def begin_search(search: Search, root_key: int) -> None:
    """Make room for a new search, with the start of a deal as the only open position."""
    room, deal = search.room, search.deal
    for word in range(CONTROL_WORDS):
        room.control[word] = 0
    room.control[TABLE_BITS] = FIRST_TABLE_BITS
    room.control[NEXT_ROTATION] = ROTATION
    for place in range(1 << FIRST_TABLE_BITS, 2 << FIRST_TABLE_BITS):
        room.table[place] = 0
    room.stack[0] = root_key
    room.stack[1] = deal[ROOT_VISIBLE]
    room.stack[2] = deal[ROOT_LOCKED]
    room.stack[3] = np.int64(NO_STEP) << MOVE_BITS | UP
    room.stack[4] = 0
    room.control[TOP] = ENTRY_WORDS
