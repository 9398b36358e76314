"""Many games of one deal by the same player, each with other chance.

A player that does not choose by lot would play the same game again and again, so a playout may
begin with moves by lot: any legal move with equal chance, draws and recycles among them.
"""

import functools
from typing import Any

import numpy as np

from dealstats.jit import kernel, kernel_from
from dealstats.notes import RANDOM_NOTE, ROOM_NOTE, clear_notes, random_below
from klondike.kernel import after_move, is_won, legal_moves
from klondike.layout import State, pack_position, pack_rules
from klondike.playing import game_kernel, make_room
from klondike.position import Position
from klondike.rules import Rules


def playouts_won(
    player: str, position: Position, rules: Rules, random_words: Any, opening_moves: int = 0
) -> int:
    """How many of the playouts of a player win.

    Parameters
    ----------
    position : Position
        As for :func:`klondike.batch.play_one`.
    random_words : (playouts,) int64 array
        What the lot of each playout begins with.
    opening_moves : int
        Moves by lot at the start of each; the player remembers nothing of them that the table
        does not show.
    """
    state, deck = pack_position(position, rules)
    won: int = _playouts_kernel(player)(
        state, deck, pack_rules(rules), make_room(rules), random_words, opening_moves
    )
    return won


# The name that the template below leaves open.
play_game: Any = None


@functools.cache
def _playouts_kernel(player: str) -> Any:
    return kernel_from(_play_playouts, f"play_playouts_{player}", play_game=game_kernel(player))


def _play_playouts(
    start: State, deck: Any, rules: Any, room: Any, random_words: Any, opening_moves: int
) -> int:
    """Play a deal once for each random word; returns the games won."""
    won = np.int64(0)
    for playout in range(len(random_words)):
        clear_notes(room.notes)
        room.notes[RANDOM_NOTE] = random_words[playout]
        state = after_opening(start, deck, room.notes, rules, opening_moves)
        state, _ = play_game(state, deck, room.seen, room.notes, rules, room.moves)
        won += is_won(state)
    return won


@kernel
def after_opening(state: State, deck: Any, notes: Any, rules: Any, opening_moves: int) -> State:
    """The state after so many moves by lot, or fewer if there are no more."""
    moves = notes[ROOM_NOTE:]
    for _ in range(opening_moves):
        count = legal_moves(state, deck, rules, moves)
        if count == 0 or is_won(state):
            break
        state = after_move(state, moves[random_below(notes, count)], deck, rules)
    return state
