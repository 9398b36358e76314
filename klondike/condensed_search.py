"""Depth-first search in condensed positions: whether a game can be won, all cards known.

Rules that prune, beside the table of positions met:

* *safe*: a card that may go up at no loss goes up at once, and is never taken down
  (:func:`klondike.pruning.is_safe_up`). From waste and stock only if all their cards are always in
  play: when one card is drawn at a time and recycles are not limited.
* *dead*: see :mod:`klondike.dead_test`.
* *late*: see :mod:`klondike.late_moves`. Positions in the midst of a block allow less than they
  would otherwise, so they are not put into the table; what is there need not be looked at again.
* *order*: see :mod:`klondike.stock_order`.

They hold together, and with the table: a shortest line gets no longer by *safe* and *late*, and
what the table has for a position, or *order* finds in another way, has a line as short. So of the
positions from which a game can be won, one with a shortest line and, among these, the most cards up
always has a follower of this kind that is searched.
"""

from typing import Any, NamedTuple

import numpy as np

from dealstats.bits import prefetch, trailing_zeros
from dealstats.jit import inlined_kernel, kernel
from klondike import condensed_moves
from klondike.condensed import (
    BOTTOMS,
    BOUNDARY_MASK,
    BOUNDARY_SHIFT,
    ROOT_LOCKED,
    ROOT_VISIBLE,
)
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
    waste_cards,
)
from klondike.dead_test import may_be_won
from klondike.late_moves import allowed_after, everything, is_late, is_reserve, useful_helpers
from klondike.stock_order import is_stock_move, needing_stock_move

RUNNING, SOLVED, UNSOLVABLE, MEMORY_USED = range(4)

SAFE_RULE, LATE_RULE, DEAD_RULE, ORDER_RULE = 1, 2, 4, 8
ALL_RULES = SAFE_RULE | LATE_RULE | DEAD_RULE | ORDER_RULE

FIRST_TABLE_BITS = 12
TABLE_WORDS = 2
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
        Two words for each set of positions met that differ only in how many of the same cards are
        in the waste: the key without the boundary, and the set of these numbers. A table of
        ``2**bits`` places lies from place ``2**bits`` on, so that it can grow without moving; the
        array has room for twice the largest one.
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
    dominating: Any
    pruning: int
    room: SearchRoom


@inlined_kernel
def _has_rule(search: Search, rule: int) -> bool:
    return search.pruning & rule != 0


# The table.


@inlined_kernel
def _place_of(key: int, bits: int) -> int:
    return ((key * HASH_FACTOR) >> (64 - bits)) & ((1 << bits) - 1)


@inlined_kernel
def _cards_of(key: int) -> int:
    """A key without the boundary."""
    return key & ~(np.int64(BOUNDARY_MASK) << BOUNDARY_SHIFT)


@kernel
def _find(cards: int, table: Any, bits: int) -> int:
    """Where in the table the entry of a key without boundary is, or is to be."""
    last = (np.int64(1) << bits) - 1
    place = _place_of(cards, bits)
    while True:
        entry = TABLE_WORDS * (last + 1 + place)
        if table[entry] == cards or table[entry] == 0:
            return entry
        place = (place + 1) & last


@kernel
def _grow(table: Any, bits: int) -> None:
    """Fill the next larger table from the one of so many bits."""
    size = TABLE_WORDS * np.int64(1) << bits
    for word in range(2 * size, 4 * size):
        table[word] = 0
    for former in range(size, 2 * size, TABLE_WORDS):
        if table[former] != 0:
            entry = _find(table[former], table, bits + 1)
            table[entry] = table[former]
            table[entry + 1] = table[former + 1]


@kernel
def _meet(key: int, search: Search) -> bool:
    """Put a position into the table; returns whether none that is as good is there.

    After `OUTCOME` is set, nothing counts.
    """
    table, control = search.room.table, search.room.control
    if 2 * control[STORED] >= np.int64(1) << control[TABLE_BITS]:
        if 4 * TABLE_WORDS << control[TABLE_BITS] > len(table):
            control[OUTCOME] = MEMORY_USED
            return False
        _grow(table, control[TABLE_BITS])
        control[TABLE_BITS] += 1
    cards, waste = _cards_of(key), waste_cards(key)
    entry = _find(cards, table, control[TABLE_BITS])
    if table[entry] == 0:
        table[entry] = cards
        table[entry + 1] = 0
        control[STORED] += 1
    counts = table[entry + 1]
    table[entry + 1] = counts | ONE << waste
    return counts & search.dominating[waste] == 0


@inlined_kernel
def _is_met(key: int, search: Search) -> bool:
    """Whether a position that is as good is in the table."""
    table = search.room.table
    entry = _find(_cards_of(key), table, search.room.control[TABLE_BITS])
    return table[entry] != 0 and table[entry + 1] & search.dominating[waste_cards(key)] != 0


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


@kernel
def _push_all(what: int, cards: int, at: Place, lifted: int, search: Search) -> None:
    """Push what comes of a move of each of some cards."""
    room = search.room
    stack, control = room.stack, room.control
    bits, top = control[TABLE_BITS], control[TOP]
    while cards != 0:
        move = what | trailing_zeros(cards)
        cards &= cards - 1
        key, visible, locked = condensed_moves.after_move(
            at.key,
            at.visible,
            at.locked,
            move,
            search.deal,
            search.rules,
            search.drawn,
            search.phase_after,
        )
        prefetch(room.table, TABLE_WORDS * ((ONE << bits) + _place_of(_cards_of(key), bits)))
        stack[top] = key
        stack[top + 1] = visible
        stack[top + 2] = locked
        stack[top + 3] = at.number << MOVE_BITS | move
        stack[top + 4] = lifted
        top += ENTRY_WORDS
    control[TOP] = top


@inlined_kernel
def _push_each(what: int, cards: int, at: Place, lifted: int, search: Search) -> None:
    """Push what comes of a move of each of some cards, if there are any."""
    if cards != 0:
        _push_all(what, cards, at, lifted, search)


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
    at: Place,
    move: int,
    lifted: int,
    is_in_block: bool,
    follows_stock_move: bool,
    sets: Sets,
    search: Search,
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
        if is_in_block:
            allowed = allowed_after(move, lifted, at.visible, at.locked, sets, rules)
            up &= allowed.up
            play_up = np.int64(0)
            take_down &= allowed.taken_down | allowed.prepared
            play &= allowed.placed | allowed.prepared
        if is_reserve(rules):
            play &= ~sets.open
        if take_down != 0 or (is_reserve(rules) and play != 0):
            done = foundation_cards(at.key) if rules.worrying_back else np.int64(0)
            useful = useful_helpers(in_play, at.visible, surfaces, done, sets, rules)
            take_down &= useful
            if is_reserve(rules):
                play &= useful
    if follows_stock_move:
        up, shift = needing_stock_move(move, up, shift, at.key, at.visible, at.locked, deal, rules)
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


@inlined_kernel
def _ends_block(parent: int, search: Search) -> bool:
    """Whether a move from a position ends a block: whether one that is late led there."""
    before = search.room.steps[parent] & ((1 << MOVE_BITS) - 1)
    return _has_rule(search, LATE_RULE) and is_late(before, search.deal, search.rules)


@kernel
def _visit(key: int, visible: int, locked: int, step: int, lifted: int, search: Search) -> None:
    """Look at a position: put it into the table, and push what follows from it."""
    room, deal, rules = search.room, search.deal, search.rules
    move = step & ((1 << MOVE_BITS) - 1)
    number = _write_step(step >> MOVE_BITS, move, room)
    sets = sets_of(key, visible, locked, deal, rules)
    is_in_block = _has_rule(search, LATE_RULE) and is_late(move, deal, rules)
    follows_stock_move = (
        _has_rule(search, ORDER_RULE)
        and not is_reserve(rules)
        and not is_in_block
        and is_stock_move(move)
        and not _ends_block(step >> MOVE_BITS, search)
    )
    if not is_in_block:
        safe = _safe_move(key, visible, sets, search)
        while safe != NO_STEP:
            key, visible, locked = _after(key, visible, locked, safe, search)
            number = _write_step(number, safe, room)
            follows_stock_move = False
            sets = sets_of(key, visible, locked, deal, rules)
            safe = _safe_move(key, visible, sets, search)
        if not _meet(key, search):
            return
        if key & 0xFFFF == rules.won:
            room.control[OUTCOME] = SOLVED
            return
    at = Place(key, visible, locked, number)
    _push_followers(at, move, lifted, is_in_block, follows_stock_move, sets, search)


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
            if not _is_met(stack[top], search):
                _visit(
                    stack[top],
                    stack[top + 1],
                    stack[top + 2],
                    stack[top + 3],
                    stack[top + 4],
                    search,
                )
    return control[OUTCOME]


@kernel
def begin_search(search: Search, root_key: int) -> None:
    """Make room for a new search, with the start of a deal as the only open position."""
    room, deal = search.room, search.deal
    for word in range(CONTROL_WORDS):
        room.control[word] = 0
    room.control[TABLE_BITS] = FIRST_TABLE_BITS
    room.control[NEXT_ROTATION] = ROTATION
    size = TABLE_WORDS << FIRST_TABLE_BITS
    for word in range(size, 2 * size):
        room.table[word] = 0
    room.stack[0] = root_key
    room.stack[1] = deal[ROOT_VISIBLE]
    room.stack[2] = deal[ROOT_LOCKED]
    room.stack[3] = np.int64(NO_STEP) << MOVE_BITS | UP
    room.stack[4] = 0
    room.control[TOP] = ENTRY_WORDS
