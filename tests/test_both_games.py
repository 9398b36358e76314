"""What every game keeps to, whatever its rules; a third one joins by a line of the table."""

import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

import devilsgrip
import klondike
from dealstats.cards import pack_problem
from devilsgrip.kernel import cards_left
from devilsgrip.kernel import state_key as devilsgrip_key
from devilsgrip.layout import pack_position as packed_devilsgrip
from devilsgrip.narration import kernel_move
from klondike.kernel import packed_move, score
from klondike.kernel import state_key as klondike_key
from klondike.layout import cards_up_of
from klondike.layout import pack_position as packed_klondike

PLIES = 50
SEEDS = range(4)
PASSING = -1


class Adapter(NamedTuple):
    """A game: its package, rules to try, and what its functions call by other names.

    Attributes
    ----------
    packed : callable
        A state, and the cards that kernels want with it, of ``(position, rules)``.
    key, score : callable
        Of ``(state, cards, packed_rules)``, and of a state.
    kernel_move : callable
        The kernel's integer for ``(move, position)``; None if it changes nothing for kernels.
    cards : callable
        All cards of a position.
    passing : tuple of str
        The moves of a pass through the stock.
    """

    package: ModuleType
    rules: tuple[Any, ...]
    packed: Callable[[Any, Any], tuple[Any, Any]]
    key: Callable[[Any, Any, Any], Any]
    score: Callable[[Any], int]
    kernel_move: Callable[[Any, Any], int | None]
    cards: Callable[[Any], list[int]]
    passing: tuple[str, ...]

    def room(self, name: str) -> ModuleType:
        return import_module(f"{self.package.__name__}.{name}")


ADAPTERS = (
    Adapter(
        devilsgrip,
        (
            *devilsgrip.PRESETS.values(),
            devilsgrip.Rules(suits=1, redeals=1, turn=2),
            devilsgrip.Rules(suits=2, unit="single", fill="talon_top", redeals=0),
            devilsgrip.Rules(suits=3, unit="tail", initial_talon=3, turn=1),
        ),
        packed=lambda position, rules: packed_devilsgrip(position),
        key=devilsgrip_key,
        score=cards_left,
        kernel_move=kernel_move,
        cards=lambda position: [*sum(position.grid, ()), *position.talon, *position.stock],
        passing=("turn", "redeal"),
    ),
    Adapter(
        klondike,
        (
            *klondike.PRESETS.values(),
            klondike.Rules(empty_pile="any", foundation_award="first_time", redeals=1, draw=2),
            klondike.Rules(worrying_back=False, partial_runs=False, start_with_draw=True),
            klondike.Rules(ranks=5, piles=3, empty_pile="none", draw=24, scoring="vegas"),
            klondike.Rules(ranks=2, piles=2),
        ),
        packed=packed_klondike,
        key=lambda state, cards, packed_rules: klondike_key(state, packed_rules),
        score=score,
        kernel_move=lambda move, position: packed_move(move),
        cards=lambda position: [
            *(card for pile in position.piles for card in pile.face_down + pile.face_up),
            *(*position.waste, *position.stock, *cards_up_of(position)),
        ],
        passing=("draw", "recycle"),
    ),
)

every_game = pytest.mark.parametrize(
    "adapter", ADAPTERS, ids=[adapter.package.__name__ for adapter in ADAPTERS]
)
every_rules = pytest.mark.parametrize(
    ("adapter", "rules"),
    [
        pytest.param(adapter, rules, id=f"{adapter.package.__name__}-{number}")
        for adapter in ADAPTERS
        for number, rules in enumerate(adapter.rules)
    ],
)


def start_of(adapter, rules, index=5):
    return adapter.package.dealt(adapter.package.deal(index, rules=rules), rules)


def facts(game):
    """All that a game says of itself but the moves that it came by."""
    return game.position, game.score, game.is_won, game.legal_moves()


def random_play(adapter, rules, seed=0):
    """A game just dealt, again after each move of a random game, and the same object always.

    The seed `PASSING` stands for a game that does nothing but look through the stock.
    """
    chance, game = Random(seed), adapter.package.Game(start_of(adapter, rules), rules)
    yield game
    while len(game.moves) < PLIES and (choice := moves_to_choose_from(adapter, game, seed)):
        game.push(chance.choice(choice))
        yield game


def moves_to_choose_from(adapter, game, seed):
    return [move for move in game.legal_moves() if seed != PASSING or move in adapter.passing]


# The friendly game


@every_rules
def test_moves_taken_back_lead_to_the_deal(adapter, rules):
    history = []
    for game in random_play(adapter, rules):
        history.append(facts(game))
    moves = game.moves
    assert len(moves) == len(history) - 1 > 0
    while game.moves:
        assert facts(game) == history.pop()
        assert game.pop() == moves.pop()
    assert [facts(game)] == history
    assert game.position == start_of(adapter, rules)


@every_rules
def test_every_legal_move_can_be_made_and_taken_back(adapter, rules):
    for game in random_play(adapter, rules):
        before = facts(game)
        for move in before[-1]:
            game.push(move)
            assert game.pop() == move
        assert facts(game) == before


@every_rules
def test_moves_made_replay_to_the_same_end(adapter, rules):
    positions = []
    for game in random_play(adapter, rules):
        positions.append(game.position)
    result = adapter.package.replay(positions[0], game.moves, rules)
    assert result.is_legal
    assert result.moves == tuple(game.moves)
    assert (result.position, result.score, result.is_won) == facts(game)[:3]
    middle = len(positions) // 2
    later = adapter.package.replay(positions[middle], game.moves[middle:], rules)
    assert (later.position, later.moves) == (result.position, result.moves[middle:])


@every_rules
def test_no_card_gets_lost(adapter, rules):
    pack, problems = adapter.room("deck").pack, adapter.room("reference").position_problems
    for game in random_play(adapter, rules):
        assert pack_problem(adapter.cards(game.position), pack(rules)) is None
        assert problems(game.position, rules) == []


# Text


@every_rules
def test_texts_are_read_as_they_are_written(adapter, rules):
    package = adapter.package
    deck = package.deal(5, rules=rules)
    assert package.parse_deal(package.format_deal(deck), rules) == deck
    for game in random_play(adapter, rules):
        position = game.position
        assert package.parse_position(package.format_position(position)) == position
        for move in game.legal_moves():
            assert game._formatted(package.parse_move(move.lower(), position)) == move


# Kernels


def both_play(adapter, rules, seed=0):
    """A random game by the textbook and by the kernels: the game, and a state and its cards."""
    kernel, packed_rules = adapter.room("kernel"), adapter.room("layout").pack_rules(rules)
    state, cards = adapter.packed(start_of(adapter, rules), rules)
    former = None
    for game in random_play(adapter, rules, seed):
        number = None if former is None else kernel_move_of(adapter, game.moves[-1], former)
        if number is not None:
            state = as_ints(kernel.after_move(state, number, cards, packed_rules))
        former = game.position
        yield game, state, cards


def kernel_move_of(adapter, text, position):
    return adapter.kernel_move(adapter.package.parse_move(text, position), position)


def as_ints(state):
    return type(state)(*map(int, state))


def kernel_legal_moves(adapter, state, cards, rules):
    kernel, packed_rules = adapter.room("kernel"), adapter.room("layout").pack_rules(rules)
    room = np.zeros(kernel.MOVES_CEILING, np.int64)
    return room[: kernel.legal_moves(state, cards, packed_rules, room)].tolist()


@pytest.mark.kernel_nets
@every_rules
def test_kernels_deal_what_is_packed(adapter, rules):
    layout = adapter.room("layout")
    kinds = [layout.kind_of(card) for card in adapter.package.deal(5, rules=rules)]
    dealt = adapter.room("kernel").deal_state(np.array(kinds, np.uint8), layout.pack_rules(rules))
    assert as_ints(dealt) == adapter.packed(start_of(adapter, rules), rules)[0]


@pytest.mark.kernel_nets
@every_rules
def test_kernels_play_by_the_textbook(adapter, rules):
    kernel, layout = adapter.room("kernel"), adapter.room("layout")
    for game, state, cards in both_play(adapter, rules):
        assert layout.state_problems(state, cards, rules) == []
        assert as_ints(layout.from_words(layout.to_words(state))) == state
        assert (adapter.score(state), kernel.is_won(state)) == (game.score, game.is_won)
        moves = {kernel_move_of(adapter, text, game.position) for text in game.legal_moves()}
        assert sorted(kernel_legal_moves(adapter, state, cards, rules)) == sorted(moves - {None})


@pytest.mark.kernel_nets
@every_rules
def test_a_position_packed_on_the_way_is_as_good(adapter, rules):
    for game, state, cards in both_play(adapter, rules):
        packed, packed_cards = adapter.packed(game.position, rules)
        assert adapter.room("layout").state_problems(packed, packed_cards, rules) == []
        assert kernel_legal_moves(adapter, packed, packed_cards, rules) == kernel_legal_moves(
            adapter, state, cards, rules
        )


@pytest.mark.kernel_nets
@every_rules
def test_keys_are_equal_where_positions_are(adapter, rules):
    """By the textbook, in the state played on, and packed anew: three names of one position."""
    packed_rules, names = adapter.room("layout").pack_rules(rules), set()
    for seed in (PASSING, *SEEDS):
        for game, state, cards in both_play(adapter, rules, seed):
            packed, packed_cards = adapter.packed(game.position, rules)
            names.add(
                (
                    game._textbook.key(),
                    as_ints(adapter.key(state, cards, packed_rules)),
                    (as_ints(adapter.key(packed, packed_cards, packed_rules)), bytes(packed_cards)),
                )
            )
    assert [len(set(column)) for column in zip(*names, strict=True)] == 3 * [len(names)]


@pytest.mark.kernel_nets
@every_rules
def test_every_move_of_a_kernel_leads_elsewhere(adapter, rules):
    kernel, packed_rules = adapter.room("kernel"), adapter.room("layout").pack_rules(rules)
    for _, state, cards in both_play(adapter, rules):
        moves = kernel_legal_moves(adapter, state, cards, rules)
        states = [state, *(kernel.after_move(state, move, cards, packed_rules) for move in moves)]
        keys = {as_ints(adapter.key(each, cards, packed_rules)) for each in states}
        assert len(keys) == len(states)


def kernel_moves(adapter, rules, start, texts):
    """The kernel's integers for moves from a start, but for those that it hears nothing of."""
    game, numbers = adapter.package.Game(start, rules), []
    for text in texts:
        numbers.append(kernel_move_of(adapter, text, game.position))
        game.push(text)
    return [number for number in numbers if number is not None]


@pytest.mark.kernel_nets
@every_rules
def test_moves_of_kernels_are_told_and_replay(adapter, rules):
    start = start_of(adapter, rules)
    *_, (game, state, _) = both_play(adapter, rules)
    numbers = kernel_moves(adapter, rules, start, game.moves)
    told = adapter.room("narration").narrate(start, numbers, rules)
    assert kernel_moves(adapter, rules, start, told.moves) == numbers
    result = adapter.package.replay(start, told.moves, rules)
    assert (result.is_legal, result.position) == (True, told.position)
    assert (result.score, result.is_won) == (adapter.score(state), game.is_won)


# The package


@every_game
def test_the_public_names_are_there(adapter):
    assert all(hasattr(adapter.package, name) for name in adapter.package.__all__)


@every_game
def test_the_game_needs_no_compiler(adapter):
    code = (
        f"import sys; from {adapter.package.__name__} import *\n"
        "game = Game(deal(7)); game.push(game.legal_moves()[0])\n"
        "print(sorted({'numba', 'pandas', 'matplotlib'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
