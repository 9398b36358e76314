"""Counts of positions: the compiled rules against the file that the textbook game has made."""

import runpy
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from devilsgrip_options import every_rules

from devilsgrip import perft
from devilsgrip.deck import deal
from devilsgrip.perft import distinct_positions
from devilsgrip.position import dealt
from devilsgrip.reference import ReferenceGame
from devilsgrip.rules import FILLS, UNITS, Rules

MAKER = runpy.run_path(str(Path(__file__).parents[1] / "seeds" / "make_perft.py"))
PERFT, counts_of, name_of = (MAKER[name] for name in ("DEVILSGRIP", "counts_of", "name_of"))
ROWS = PERFT.read_rows()
CHEAP_ROWS = [row for row in ROWS if sum(counts_of(row)) < 1000]
FEW_ROWS = [row for row in ROWS if sum(counts_of(row)) < 300]


# The file


@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_kernel_counts_what_the_file_says(row):
    assert distinct_positions(*PERFT.root_of(row), int(row["depth"])) == counts_of(row)


@pytest.mark.kernel_nets
@pytest.mark.parametrize("row", FEW_ROWS[::4], ids=name_of)
def test_kernel_counts_a_few_rows(row):
    assert distinct_positions(*PERFT.root_of(row), int(row["depth"])) == counts_of(row)


@pytest.mark.parametrize("row", CHEAP_ROWS[::5], ids=name_of)
def test_textbook_game_still_counts_what_the_file_says(row):
    counts = counts_of(row)
    assert list(islice(PERFT.numbers(*PERFT.root_of(row)), len(counts))) == counts


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_textbook_game_makes_each_row_of_the_file_again(row):
    counts = counts_of(row)
    assert list(islice(PERFT.numbers(*PERFT.root_of(row)), len(counts))) == counts


def test_file_covers_the_options():
    every_rule = [PERFT.root_of(row)[1] for row in ROWS]
    assert len({name_of(row) for row in ROWS}) == len(ROWS)
    for suits in (1, 2, 3, 4):
        of_size = [rules for rules in every_rule if rules.suits == suits]
        assert Rules(suits=suits) in of_size
        assert {rules.redeals for rules in of_size} >= {None, 0, 1, 2, 5}
        assert {rules.turn for rules in of_size} >= {1, 2, 3, 5}
        assert {(rules.fill, rules.unit) for rules in of_size} == {
            (fill, unit) for fill in FILLS for unit in UNITS
        }
        assert {rules.initial_talon for rules in of_size} == {0, 3}
    assert sum(counts_of(row)[-1] == 0 for row in ROWS) >= 10
    assert sum(len(counts_of(row)) > 12 for row in ROWS if "suits=1" in row["rules"]) >= 10


@pytest.mark.parametrize("rules", [Rules(), Rules(redeals=0, unit="tail", suits=2, turn=36)])
def test_rules_of_the_file_read_back(rules):
    assert PERFT.parse_rules(PERFT.format_rules(rules)) == rules


# From the middle of a game


def played_position(rules, chance, plies):
    game = ReferenceGame(dealt(deal(chance.randrange(1000), 0, rules), rules), rules)
    for _ in range(plies):
        moves = game.legal_moves()
        if not moves:
            break
        progress = [move for move in moves if move.kind in ("place", "build")]
        game.push(chance.choice(progress or moves))
    return game.position


@pytest.mark.parametrize(
    ("suits", "depth", "plies"), [(1, 8, 12), (1, 6, 25), (2, 4, 30), (3, 2, 60), (4, 2, 90)]
)
def test_kernel_counts_like_the_textbook_from_the_middle_of_a_game(suits, depth, plies):
    chance = Random(suits + plies)
    for rules in chance.sample(every_rules(suits), 20):
        position = played_position(rules, chance, plies)
        expected = list(islice(PERFT.numbers(position, rules), depth + 1))
        assert distinct_positions(position, rules, depth) == expected


# The parts


def test_depth_zero_is_the_position_itself():
    assert distinct_positions(dealt(deal(0), Rules()), Rules(), 0) == [1]


def test_little_room_makes_no_difference(monkeypatch):
    rules = Rules(suits=2, unit="tail", turn=1)
    root = dealt(deal(3, rules=rules), rules)
    at_once = distinct_positions(root, rules, 8)
    monkeypatch.setattr(perft, "ROOM", perft.MOVES_CEILING)
    assert distinct_positions(root, rules, 8) == at_once
