"""How difficult deals are: the figures, from Python and by ``klondike difficulty``."""

import csv
import io
import json
from random import Random

import numpy as np
import pytest
from klondike_options import some_rules

import klondike
from dealstats.deals import player_word, player_words
from dealstats.errors import InputError
from dealstats.intervals import win_rate_interval
from klondike.batch import play_one
from klondike.command import main
from klondike.deal_difficulty import OPENING_MOVES, Difficulty, difficulty
from klondike.deck import deal
from klondike.exhaustive import exhaustive
from klondike.layout import pack_position, pack_rules
from klondike.narration import narrate
from klondike.notation import format_position
from klondike.playing import make_room
from klondike.playouts import after_opening, playouts_won
from klondike.position import dealt
from klondike.rules import Rules

SEED = 4
SMALL = Rules(ranks=5, piles=3, draw=2)


def won(player, position, rules, word):
    return narrate(position, play_one(player, position, rules, int(word)), rules).is_won


def test_words_of_playouts_begin_with_that_of_the_game():
    words = player_words(SEED, 7, 50)
    assert words[0] == player_word(SEED, 7)
    assert len(set(words.tolist())) == 50
    assert (words[:20] == player_words(SEED, 7, 20)).all()
    with pytest.raises(InputError, match="seed -1"):
        player_words(-1, 0, 1)


@pytest.mark.parametrize("player", ["random", "planner"])
def test_playouts_without_opening_are_games_of_the_player(player):
    for index in range(10):
        position = dealt(deal(index, SEED, SMALL), SMALL)
        words = player_words(SEED, index, 20)
        games = sum(won(player, position, SMALL, word) for word in words)
        assert playouts_won(player, position, SMALL, words) == games


def test_random_playouts_of_a_deal_differ():
    shares = [
        playouts_won(
            "random", dealt(deal(index, SEED, SMALL), SMALL), SMALL, player_words(SEED, index, 100)
        )
        for index in range(20)
    ]
    assert any(0 < share < 100 for share in shares)


@pytest.mark.parametrize("rules", some_rules(5, 12), ids=str)
def test_unsolvable_deals_are_won_by_no_playout(rules):
    for index in range(4):
        position = dealt(deal(index, SEED, rules), rules)
        if exhaustive(position, rules, 20_000, shortest=False).outcome == "unsolvable":
            words = player_words(SEED, index, 50)
            assert playouts_won("random", position, rules, words, 3) == 0
            assert playouts_won("planner", position, rules, words, OPENING_MOVES) == 0


@pytest.mark.kernel_nets
def test_openings_are_legal_moves_by_lot():
    chance, seen = Random(1), set()
    for _ in range(60):
        position = dealt(deal(chance.randrange(10**6), SEED, SMALL), SMALL)
        state, deck = pack_position(position, SMALL)
        room, rules = make_room(SMALL), pack_rules(SMALL)
        assert after_opening(state, deck, room.notes, rules, 0) == state
        room.notes[0] = np.int64(chance.getrandbits(62))
        seen.add(tuple(after_opening(state, deck, room.notes, rules, OPENING_MOVES)) != state)
        following = after_opening(state, deck, room.notes, rules, 1)
        assert tuple(following) != tuple(state)
    assert seen == {True}


def test_difficulty_of_a_deal():
    rules = Rules(draw=3)
    one = difficulty(deal(8), rules, playouts=200, number=8)
    assert one == difficulty(deal(8), rules, playouts=200, number=8)
    solution = klondike.solve(deal(8), rules)
    assert (one.outcome, one.nodes) == ("solved", solution.nodes)
    assert one.random_won == 0
    assert 0 < one.planner_won < 100
    assert one.planner_share == win_rate_interval(one.planner_won, 200 - one.planner_won)
    assert klondike.difficulty is difficulty
    assert klondike.Difficulty is Difficulty
    with pytest.raises(InputError, match="0 playouts are too few"):
        difficulty(deal(8), playouts=0)


def test_command_prints_tables_and_objects(capsys, tmp_path):
    words = ["difficulty", "--playouts", "50", "--draw", "3"]
    assert main([*words, "--deals", "8:11", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["deal"] for row in rows] == ["8", "9", "10"]
    assert main([*words, "--deals", "8:11", "--json"]) == 0
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for number, row, one in zip((8, 9, 10), rows, objects, strict=True):
        alone = difficulty(deal(number), Rules(draw=3), playouts=50, number=number)
        assert (one["outcome"], one["nodes"]) == (row["outcome"], int(row["nodes"]))
        assert (one["planner_won"], one["random_won"]) == (alone.planner_won, alone.random_won)
        assert float(row["planner %"]) == pytest.approx(2 * alone.planner_won)
        assert one["planner_interval"][0] == alone.planner_share.low
    assert main([*words, "--deal", "9"]) == 0
    text = capsys.readouterr().out
    assert "deal 9" in text
    assert "planner begins with 10 moves by lot" in text
    path = tmp_path / "position"
    path.write_text(format_position(dealt(deal(9), Rules(draw=3))))
    assert main([*words, "--position", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["nodes"] == objects[1]["nodes"]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ([], "one of DEAL, --deal N and --position FILE must be given"),
        (["--deals", "0:2", "--deal", "1"], "--deals FIRST:STOP stands instead of"),
        (["--deals", "2:2"], "'2:2' are no deals"),
        (["--deal", "1", "--playouts", "0"], "'0' is no whole number"),
    ],
)
def test_command_refuses(capsys, words, problem):
    assert main(["difficulty", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert problem in err
