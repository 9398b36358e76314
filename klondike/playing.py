"""Games with hidden cards: the table keeps the secrets, a player sees what KL11 lets it see.

A player is a kernel ``choose(state, seen, rules, notes) -> move`` (see
:mod:`klondike.player_kernels`). It never gets the deck, only `seen`, so it cannot know more than
it may. A game ends when the player stops, at a win (KL8), or after `IDLE_MOVES_CEILING` moves in a
row that change nothing for good.
"""

import functools
from typing import Any, NamedTuple

import numpy as np

from dealstats.deals import PLAYER_STREAM
from dealstats.jit import inlined_kernel, kernel_from
from dealstats.notes import RANDOM_NOTE, UNSEEN, clear_notes
from dealstats.shuffle_kernel import Dealer, deal_numbered, philox_block, shuffle_plan
from klondike.kernel import (
    DRAW,
    PILE_TO_FOUNDATION,
    PILE_TO_PILE,
    after_move,
    deal_state,
    face_down,
    first_stock_place,
    hidden_in_tableau,
    is_won,
    move_kind,
    move_source,
    pile_field,
    score,
    stock_places,
    tableau_place,
)
from klondike.layout import PLACES, State
from klondike.player_kernels import (
    CHOOSE,
    NOTES,
    STOP,
    WANT_RANDOM,
)
from klondike.rules import Rules


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
        seen=np.zeros(rules.pack_cards, np.uint8),
        notes=np.zeros(NOTES, np.int64),
        moves=np.zeros(moves, np.int64),
        deck=np.zeros(rules.pack_cards, np.uint8),
        words=np.zeros(4, np.uint64),
        plan=shuffle_plan(rules.pack_cards),
    )


class Results(NamedTuple):
    """How the games of a block ended, as (deals,) int64 arrays.

    Attributes
    ----------
    won : 1 or 0
    score : points (KL9)
    moves : moves made
    """

    won: Any
    score: Any
    moves: Any


def make_results(deals: int) -> Results:
    """Room for the results of so many games."""
    return Results(*(np.zeros(deals, np.int64) for _ in Results._fields))


IDLE_MOVES_CEILING = 200
"""A game ends after so many moves in a row that change nothing for good.

What stays for good is a card that was played from the waste, one turned up, and one that came to
its foundation for the first time. Two whole passes of single cards through the largest stock are
104 moves, through that of seven piles 50; no player can go on for ever.
"""

MOVES_PER_GAME_CEILING = (2 * PLACES + 2) * IDLE_MOVES_CEILING
"""Each card is played from the waste or turned up at most once, and earns its foundation once;
the tableau is cleared once. Idle moves may follow each, and precede the first."""


@inlined_kernel
def _is_progress(state: State, following: State, pile: int) -> bool:
    """Whether a move from `state` to `following` changed something for good.

    `pile` is the only one in which it can have turned up a card.
    """
    turned_up = face_down(pile_field(state, pile)) - face_down(pile_field(following, pile))
    return (turned_up | (state.places ^ following.places) | (state.earned ^ following.earned)) != 0


@inlined_kernel
def _show_start(state: State, deck: Any, rules: Any, seen: Any) -> int:
    """Let the player see what it knows at the start of a game.

    Returns the first place of the stock that it does not know.
    """
    hidden = hidden_in_tableau(state, rules)
    seen_places = len(deck)
    # After a recycle each card of the stock has been turned once.
    if not rules.sees_stock and state.recycles == 0:
        hidden |= stock_places(state)
        seen_places = max(state.boundary, first_stock_place(rules))
    for place in range(len(deck)):
        seen[place] = UNSEEN if (hidden >> place) & 1 else deck[place]
    return seen_places


@inlined_kernel
def _show_drawn(state: State, seen_places: int, deck: Any, seen: Any) -> int:
    """Let the player see the cards drawn; returns what :func:`_show_start` does."""
    while seen_places < state.boundary:
        # An unsigned index spares the test for a negative one.
        seen[np.uint64(seen_places)] = deck[np.uint64(seen_places)]
        seen_places += 1
    return seen_places


@inlined_kernel
def _show_turned_up(state: State, pile: int, deck: Any, rules: Any, seen: Any) -> None:
    """Let the player see the last card of a pile that was turned up, be it new or long known."""
    place = np.uint64(tableau_place(pile, face_down(pile_field(state, pile)), rules))
    seen[place] = deck[place]


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
    state: State, deck: Any, seen: Any, notes: Any, rules: Any, moves_out: Any
) -> tuple[State, int]:
    """Play a game to its end; return the last state and the number of moves.

    Parameters
    ----------
    seen : (4 * ranks,) uint8 array, modified in place
    notes : (NOTES,) int64 array, modified in place
    moves_out : int64 array, modified in place
        Takes the moves, as many as it has room for.
    """
    seen_places = _show_start(state, deck, rules, seen)
    moves = 0
    last_useful_move = 0
    while moves - last_useful_move < IDLE_MOVES_CEILING and not is_won(state):
        move = choose(state, seen, rules, notes)
        if move == STOP:
            break
        if moves < len(moves_out):
            moves_out[moves] = move
        moves += 1
        following = after_move(state, move, deck, rules)
        kind = move_kind(move)
        if kind == DRAW:
            seen_places = _show_drawn(following, seen_places, deck, seen)
        elif PILE_TO_FOUNDATION <= kind <= PILE_TO_PILE:
            _show_turned_up(following, move_source(move), deck, rules, seen)
        if _is_progress(state, following, move_source(move)):
            last_useful_move = moves
        state = following
    return state, moves


def _play_deals(
    pack: Any,
    seed: int,
    first_deal: int,
    deals: int,
    rules: Any,
    room: Any,
    results_out: Any,
) -> None:
    """Play numbered deals.

    Parameters
    ----------
    pack : (4 * ranks,) uint8 array
        Kinds in the pack's own order.
    room : Room
    results_out : Results, modified in place
    """
    for number in range(deals):
        deal = first_deal + number
        deal_numbered(Dealer(pack, room.deck, room.plan), seed, deal)
        clear_notes(room.notes)
        if wants_random:
            philox_block(room.words, 0, deal, seed, PLAYER_STREAM)
            room.notes[RANDOM_NOTE] = np.int64(room.words[0])
        state = deal_state(room.deck, rules)
        state, moves = play_game(state, room.deck, room.seen, room.notes, rules, room.moves)
        results_out.won[number] = is_won(state)
        results_out.score[number] = score(state)
        results_out.moves[number] = moves
