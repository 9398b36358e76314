"""Counts of positions: the compiled rules against the file that the textbook game has made."""

import runpy
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import pytest
from klondike_options import some_rules

from klondike import perft
from klondike.deck import deal
from klondike.kernel import MOVES_CEILING, after_move, legal_moves, state_key
from klondike.layout import State, pack_position, pack_rules
from klondike.perft import distinct_positions
from klondike.position import dealt
from klondike.reference import ReferenceGame
from klondike.rules import EMPTY_PILES, Rules

MAKER = runpy.run_path(str(Path(__file__).parents[1] / "seeds" / "make_perft.py"))
PERFT, counts_of, name_of = (MAKER[name] for name in ("KLONDIKE", "counts_of", "name_of"))
ROWS = PERFT.read_rows()
CHEAP_ROWS = [row for row in ROWS if sum(counts_of(row)) < 1000]
FEW_ROWS = [row for row in ROWS if sum(counts_of(row)) < 300]


# The file


@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_kernel_counts_what_the_file_says(row):
    assert distinct_positions(*PERFT.root_of(row), int(row["depth"])) == counts_of(row)


@pytest.mark.kernel_nets
@pytest.mark.parametrize("row", FEW_ROWS[::2], ids=name_of)
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
    full = [rules for rules in every_rule if (rules.ranks, rules.piles) == (13, 7)]
    tiny = [rules for rules in every_rule if (rules.ranks, rules.piles) == (2, 2)]
    for of_size in (full, tiny):
        assert Rules(ranks=of_size[0].ranks, piles=of_size[0].piles) in of_size
        assert {rules.draw for rules in of_size} >= {1, 2, 3}
        assert {rules.redeals for rules in of_size} >= {None, 0, 1, 2}
        assert {rules.empty_pile for rules in of_size} == set(EMPTY_PILES)
        assert {rules.worrying_back for rules in of_size} == {True, False}
        assert {rules.partial_runs for rules in of_size} == {True, False}
        assert {rules.start_with_draw for rules in of_size} == {True, False}
    assert {rules.piles for rules in every_rule} >= {1, 2, 3, 4, 5, 7}
    assert sum(counts_of(row)[-1] == 0 for row in ROWS) >= 20
    assert sum(counts_of(row)[-1] == 0 for row in ROWS if "ranks=4" in row["rules"]) >= 4


@pytest.mark.parametrize(
    "rules", [Rules(), Rules(redeals=0, empty_pile="any", worrying_back=False, draw=24)]
)
def test_rules_of_the_file_read_back(rules):
    assert PERFT.parse_rules(PERFT.format_rules(rules)) == rules


# From the middle of a game


def played_position(rules, chance, plies):
    game = ReferenceGame(dealt(deal(chance.randrange(1000), 0, rules), rules), rules)
    for _ in range(plies):
        moves = game.legal_moves()
        if not moves:
            break
        progress = [move for move in moves if move.kind != "foundation_to_pile"]
        game.push(chance.choice(progress or moves))
    return game.position


@pytest.mark.parametrize(
    ("ranks", "depth", "plies"), [(2, 8, 6), (4, 5, 20), (6, 4, 30), (9, 3, 50), (13, 3, 80)]
)
def test_kernel_counts_like_the_textbook_from_the_middle_of_a_game(ranks, depth, plies):
    chance = Random(ranks + plies)
    for rules in some_rules(ranks, 20, seed=3):
        position = played_position(rules, chance, plies)
        expected = list(islice(PERFT.numbers(position, rules), depth + 1))
        assert distinct_positions(position, rules, depth) == expected


# The parts


def test_depth_zero_is_the_position_itself():
    assert distinct_positions(dealt(deal(0), Rules()), Rules(), 0) == [1]


def test_little_room_makes_no_difference(monkeypatch):
    rules = Rules(ranks=6, piles=4, empty_pile="any")
    root = dealt(deal(3, rules=rules), rules)
    at_once = distinct_positions(root, rules, 8)
    monkeypatch.setattr(perft, "ROOM", perft.MOVES_CEILING)
    assert distinct_positions(root, rules, 8) == at_once


@pytest.mark.kernel_nets
@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_no_move_leaves_the_position_as_it_is(ranks):
    """So none is to be left out of the counts, be it by the kernel or by the textbook."""
    moves = np.zeros(MOVES_CEILING, np.int64)
    for rules in some_rules(ranks, 30, seed=4):
        packed_rules, position = pack_rules(rules), dealt(deal(1, 0, rules), rules)
        state, deck = pack_position(position, rules)
        trail = [State(*map(int, state_key(state, packed_rules)))]
        seen = set(trail)
        for state in trail:
            for move in moves[: legal_moves(state, deck, packed_rules, moves)].tolist():
                following = state_key(after_move(state, move, deck, packed_rules), packed_rules)
                assert following != state
                if following not in seen and len(trail) < 200:
                    seen.add(following)
                    trail.append(following)
