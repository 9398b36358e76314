"""Lines made shorter: they still win, by the textbook, and are never longer."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from klondike_options import some_rules
from klondike_small_packs import SEED, random_rules

from dealstats.cards import parse_card
from klondike.card_plays import SPACE, UP, Play, PlayTable, moves_of, plays_of
from klondike.condensed import holds_for
from klondike.condensed_solver import find_win as find_win_fast
from klondike.deck import deal
from klondike.game import Game
from klondike.notation import format_move, parse_position
from klondike.position import DRAW, RECYCLE, Position, dealt
from klondike.proved_solver import find_win
from klondike.reference import ReferenceGame
from klondike.rules import Rules
from klondike.solution import replay
from klondike.solver import solve
from klondike.tidy import tidied

MEMORY = 100_000_000


def checked(position, moves, rules, **options):
    """A line made shorter, of which all is true that it promises."""
    shorter = tidied(position, moves, rules, **options)
    played = replay(position, shorter, rules)
    assert played.is_legal
    assert played.is_won
    assert len(shorter) <= len(moves)
    return shorter


def wandering_line(position, rules, chance, moves):
    """A win by `find_win` after some moves by lot, or None where none is found."""
    game = Game(position, rules)
    for _ in range(moves):
        if game.is_won or not game.legal_moves():
            break
        game.push(chance.choice(game.legal_moves()))
    found = find_win(game.position, rules, 5_000, MEMORY)
    return (*game.moves, *found.moves) if found.outcome == "solved" else None


# Whole lines


@settings(deadline=None, max_examples=150)
@given(st.randoms(use_true_random=False), st.sampled_from((2, 3, 4, 5)))
def test_lines_of_small_packs_under_all_rules(chance, ranks):
    rules = random_rules(chance, ranks)
    position = dealt(deal(chance.randrange(10**6), SEED, rules), rules)
    moves = wandering_line(position, rules, chance, moves=chance.choice((0, 5, 40)))
    if moves is not None:
        shorter = checked(position, moves, rules)
        assert checked(position, shorter, rules) == shorter


@settings(deadline=None, max_examples=40)
@given(
    st.integers(0, 10**6),
    st.sampled_from([1, 2, 3, 7]),
    st.sampled_from([None, 0, 2]),
    st.booleans(),
    st.booleans(),
)
def test_lines_of_full_packs_by_both_solvers(index, draw, redeals, worrying_back, partial_runs):
    rules = Rules(
        draw=draw, redeals=redeals, worrying_back=worrying_back, partial_runs=partial_runs
    )
    position = dealt(deal(index, SEED, rules), rules)
    for search in (find_win, *([find_win_fast] if holds_for(rules) else [])):
        found = search(position, rules, 3_000, MEMORY)
        if found.outcome == "solved":
            checked(position, found.moves, rules)


def test_long_ways_become_short():
    before = after = 0
    for index in range(12):
        position = dealt(deal(index, SEED), Rules())
        found = find_win_fast(position, Rules(), 50_000, MEMORY)
        if found.outcome == "solved":
            before += len(found.moves)
            after += len(checked(position, found.moves, Rules()))
    assert 0 < after < 0.8 * before


def test_what_solve_shows_is_tidied():
    for mode in ("fast", "proved"):
        for index in range(4):
            solution = solve(deal(index, SEED), Rules(draw=3), mode=mode, node_budget=20_000)
            if solution.outcome == "solved":
                position = dealt(deal(index, SEED), Rules(draw=3))
                assert checked(position, solution.moves, Rules(draw=3)) == solution.moves
                assert replay(position, solution.moves, Rules(draw=3)).score == solution.score


def test_no_trial_without_a_budget():
    position, rules = dealt(deal(0, SEED), Rules()), Rules()
    moves = find_win_fast(position, rules, 50_000, MEMORY).moves
    untried = checked(position, moves, rules, play_budget=0)
    assert len(checked(position, moves, rules)) < len(untried)


def test_a_line_that_does_not_win_stays_as_it_is():
    assert tidied(dealt(deal(0), Rules()), ("draw", "draw"), Rules()) == ("draw", "draw")
    won = Position((1, 1, 1, 1), (), (), ())
    assert tidied(won, (), Rules(ranks=1, piles=1)) == ()


# Single changes

ALMOST_WON = """foundations: KC KD QH QS
1: KH
2: KS
3:
4:
5:
6:
7:
waste:
stock:
recycles used: 0"""


@pytest.mark.parametrize(
    "moves",
    [
        "1>F 2>F",
        "1>3:1 3>4:1 4>F 2>F",
        "1>3:1 3>1:1 1>F 2>F",
        "1>3:1 2>1:1 3>F 1>F",
        "C>3 3>F 1>F 2>F",
        "C>3 1>F 3>F 2>F",
        "1>F H>1 1>F H>5 5>F 2>F",
    ],
)
def test_detours_are_left_out(moves):
    shorter = checked(parse_position(ALMOST_WON), moves.split(), Rules())
    assert sorted(shorter) == ["1>F", "2>F"]


def test_stock_is_passed_once_where_that_is_enough():
    position = parse_position("foundations: AD\n1:\nwaste:\nstock: AC AH AS\nrecycles used: 0")
    moves = ["draw", "draw", "draw", "waste>F", "recycle", "draw", "waste>F", "draw", "waste>F"]
    shorter = checked(position, moves, Rules(ranks=1, piles=1))
    assert sorted(shorter) == ["draw"] * 3 + ["waste>F"] * 3


# Plays


@pytest.mark.parametrize("rules", some_rules(4, 40) + some_rules(13, 16), ids=str)
def test_plays_tell_games_as_the_textbook_does(rules):
    chance = Random(7)
    position = dealt(deal(chance.randrange(10**6), SEED, rules), rules)
    game, moves = ReferenceGame(position, rules), []
    for _ in range(80):
        legal = game.legal_moves()
        if not legal:
            break
        moves.append(chance.choice(legal))
        game.push(moves[-1])
    plays = plays_of(position, moves, rules)
    assert len(plays) == sum(move not in (DRAW, RECYCLE) for move in moves)
    table = PlayTable(position, rules)
    costs = [table.make(play) for play in plays]
    assert None not in costs
    told = moves_of(position, plays, rules)
    assert len(told) == sum(costs) <= len(moves)
    played = replay(position, told, rules)
    assert played.is_legal
    again = PlayTable(played.position, rules)
    assert again.key() == table.key()
    assert played.position.foundations == tuple(table.ranks_up)
    # Turns that come before no waste play are not told.
    assert PlayTable(game.position, rules).key()[:-1] == table.key()[:-1]


def test_plays_that_cannot_be_made():
    position = parse_position(
        "foundations: 2C\n1: 9H 8S\n2: 9D\n3: [KC] 5D\n4:\n5:\n6:\n7:\n"
        "waste: 3C 4H\nstock: 4S 6S\nrecycles used: 0"
    )
    card = {text: parse_card(text) for text in ("2C", "3C", "5D", "8S", "9H", "9D", "KC", "4S")}
    limited = Rules(draw=2, redeals=0, partial_runs=False, worrying_back=False)

    def cost(play, rules):
        return PlayTable(position, rules).make(Play(*play))

    assert cost((card["3C"], UP), Rules()) == 5
    assert cost((card["3C"], UP), limited) is None
    assert cost((card["4S"], card["5D"]), Rules()) == 2
    assert cost((card["4S"], card["5D"]), limited) is None
    assert cost((card["4S"], card["5D"]), Rules(draw=2, redeals=0)) is None
    assert cost((card["8S"], card["9D"]), Rules()) == 1
    assert cost((card["8S"], card["9D"]), limited) is None
    assert cost((card["8S"], card["9H"]), limited) == 0
    assert cost((card["KC"], SPACE), Rules()) == 0
    assert cost((card["5D"], UP), Rules()) is None
    assert cost((card["2C"], card["9H"]), limited) is None
    assert [format_move(move) for move in moves_of(position, [Play(card["3C"], UP)], Rules())] == [
        "draw",
        "draw",
        "recycle",
        "draw",
        "waste>F",
    ]
