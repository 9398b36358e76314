"""Games with hidden cards: the table keeps the secrets, a player sees what DG10 lets it see.

A player is a kernel ``choose(state, seen, rules, notes) -> move`` (see
:mod:`devilsgrip.player_kernels`). It never gets the order of the stock, only `seen`, so it cannot
know more than it may.
"""

import functools
from typing import Any, NamedTuple

import numpy as np

from dealstats.deals import PLAYER_STREAM
from dealstats.jit import inlined_kernel, kernel_from
from dealstats.notes import RANDOM_NOTE, UNSEEN, clear_notes
from dealstats.shuffle_kernel import Dealer, deal_numbered, philox_block, shuffle_plan
from devilsgrip.chains import LEVELS
from devilsgrip.kernel import (
    BUILD,
    NO_PLACE,
    PLACE,
    STOP,
    TURN,
    after_move,
    cards_left,
    deal_state,
    opens_space,
    talon_top,
)
from devilsgrip.layout import PLACES, State
from devilsgrip.player_kernels import (
    CHOOSE,
    NOTES,
    WANT_RANDOM,
)
from devilsgrip.rules import Rules


class Room(NamedTuple):
    """The arrays that a game works in; kernels do not allocate."""

    seen: Any
    notes: Any
    moves: Any
    deck: Any
    words: Any
    plan: Any


def make_room(rules: Rules, moves: int = 0) -> Room:
    """Room for games of these rules, of which the first `moves` moves are kept."""
    return Room(
        seen=np.zeros(PLACES, np.uint8),
        notes=np.zeros(NOTES, np.int64),
        moves=np.zeros(moves, np.int64),
        deck=np.zeros(rules.pack_cards, np.uint8),
        words=np.zeros(4, np.uint64),
        plan=shuffle_plan(rules.pack_cards),
    )


IDLE_MOVES_CEILING = 200
"""A game ends after so many moves in a row that lay no card from the talon and open no space.

Two whole passes of single turned cards are 146 moves, so any player may look through the stock
twice; no player can go on for ever.
"""

MOVES_PER_GAME_CEILING = (96 + 1) * IDLE_MOVES_CEILING
"""Useful are at most 72 moves that use up a card of talon or stock and 24 that leave a space open;
idle moves may follow each, and precede the first."""


@inlined_kernel
def _show(state: State, seen_places: int, order: Any, rules: Any, seen: Any) -> int:
    """Let the player see what lies face up, given that it knows the first `seen_places`.

    Returns the number of first places that it knows now.
    """
    if rules.sees_top:
        place = talon_top(state)
        if place != NO_PLACE:
            seen[place] = order[place]
        return seen_places
    while seen_places < state.boundary:
        # An unsigned index spares the test for a negative one.
        seen[np.uint64(seen_places)] = order[np.uint64(seen_places)]
        seen_places += 1
    return seen_places


# The names that the templates below leave open; each player's kernels bind their own.
choose: Any = None
play_game: Any = None
wants_random: bool = False


@functools.cache
def game_kernel(player: str) -> Any:
    """The kernel that plays one game with a player: :func:`_play_game` with its `choose`."""
    return kernel_from(_play_game, f"play_game_{player}", choose=CHOOSE[player])


@functools.cache
def batch_kernel(player: str) -> Any:
    """The kernel that plays numbered deals with a player: :func:`_play_deals`."""
    return kernel_from(
        _play_deals,
        f"play_deals_{player}",
        play_game=game_kernel(player),
        wants_random=player in WANT_RANDOM,
    )


def _play_game(
    state: State, order: Any, seen: Any, notes: Any, rules: Any, moves_out: Any
) -> tuple[State, int]:
    """Play a game to its end; return the last state and the number of moves.

    Parameters
    ----------
    seen : (72,) uint8 array, modified in place
    notes : (NOTES,) int64 array, modified in place
    moves_out : int64 array, modified in place
        Takes the moves, as many as it has room for.
    """
    for place in range(len(seen)):
        seen[place] = UNSEEN
    seen_places = _show(state, 0, order, rules, seen)
    moves = 0
    last_useful_move = 0
    while moves - last_useful_move < IDLE_MOVES_CEILING:
        move = choose(state, seen, rules, notes)
        if move == STOP:
            break
        if moves < len(moves_out):
            moves_out[moves] = move
        moves += 1
        if move >= PLACE and (move < BUILD or opens_space(state, move, rules)):
            last_useful_move = moves
        state = after_move(state, move, order, rules)
        if move == TURN or rules.sees_top:
            seen_places = _show(state, seen_places, order, rules, seen)
    return state, moves


def _play_deals(
    pack: Any, seed: int, first_deal: int, deals: int, rules: Any, room: Any, scores_out: Any
) -> int:
    """Play numbered deals; return the number of moves made.

    Parameters
    ----------
    pack : (24 * suits,) uint8 array
        Kinds in the pack's own order.
    room : Room
    scores_out : (deals,) int64 array, modified in place
        Cards left in each deal.
    """
    total_moves = 0
    for number in range(deals):
        deal = first_deal + number
        deal_numbered(Dealer(pack, room.deck, room.plan), seed, deal)
        state = deal_state(room.deck, rules)
        order = room.deck[len(pack) // LEVELS :]
        clear_notes(room.notes)
        if wants_random:
            philox_block(room.words, 0, deal, seed, PLAYER_STREAM)
            room.notes[RANDOM_NOTE] = np.int64(room.words[0])
        state, moves = play_game(state, order, room.seen, room.notes, rules, room.moves)
        total_moves += moves
        scores_out[number] = cards_left(state)
    return total_moves
