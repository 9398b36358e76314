"""Shortest solutions: against exhaustive search, known answers, and the bound along lines."""

import csv
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from check_klondike_shortest import checked, find_nothing, some_game
from check_klondike_shortest import main as check
from klondike_small_packs import SEED

from klondike import shortest_solver
from klondike.deck import deal
from klondike.exhaustive import exhaustive
from klondike.game import Game
from klondike.layout import pack_position, pack_rules
from klondike.moves_bound import make_bound_room, moves_bound, prepare_bound
from klondike.notation import parse_deal
from klondike.position import Pile, Position, dealt
from klondike.proved_search import slots_for
from klondike.proved_solver import find_win
from klondike.pruning import NO_PRUNING, pruning_for
from klondike.rules import Rules
from klondike.shortest_search import SHORTEST_PRUNING, STEPS_CEILING, bytes_of_room, make_room
from klondike.shortest_solver import FIRST_ROWS, find_shortest
from klondike.solver import solve
from klondike.solvers import LEAST_MEMORY, Found, length_of

MEMORY = 100_000_000
KNOWN_DEALS = Path(__file__).parents[1] / "seeds" / "klondike_known_deals.csv"
IN_USE = [name for name, is_used in SHORTEST_PRUNING._asdict().items() if is_used]


# Against exhaustive search


def test_shortest_solutions_are_those_of_exhaustive_search():
    outcomes = Counter(checked(number) for number in range(600))
    assert {*outcomes} == {"solved", "unsolvable", "unclear"}
    assert outcomes["solved"] >= 150
    assert outcomes["solved"] + outcomes["unsolvable"] >= 350


@pytest.mark.parametrize("name", IN_USE)
def test_each_rule_of_pruning_alone_and_all_others_without_it(name):
    for pruning in (NO_PRUNING._replace(**{name: 1}), SHORTEST_PRUNING._replace(**{name: 0})):
        outcomes = Counter(checked(number, pruning) for number in range(1000, 1060))
        assert {*outcomes} <= {"solved", "unsolvable", "unclear"}
        assert outcomes["solved"] >= 15


@pytest.mark.slow
def test_many_shortest_solutions_are_those_of_exhaustive_search():
    assert check(["--deals", "20000", "--first", "10000"]) == 0


@pytest.mark.kernel_nets
def test_a_few_shortest_solutions():
    for number in (0, 1, 2, 3, 6, 9):
        assert not checked(number, ranks=(2, 3)).startswith("wrong")


# The bound


def bounds_along(position, moves, rules):
    """The bound at each position of a line, and the moves from there that count."""
    room, packed_rules = make_bound_room(), pack_rules(rules)
    game = Game(position, rules)
    for number, move in enumerate((*moves, None)):
        state, deck = pack_position(game.position, rules)
        prepare_bound(deck, packed_rules, room)
        yield moves_bound(state, deck, packed_rules, room), length_of(moves[number:])
        if move is not None:
            game.push(move)


def test_bound_is_never_above_what_a_line_needs():
    chance, positions = Random(1), 0
    for _ in range(150):
        position, rules = some_game(chance, ranks=(3, 4, 5, 6, 7))
        found = find_win(position, rules, 2_000, MEMORY)
        for bound, left in bounds_along(position, found.moves, rules):
            if found.outcome == "solved":
                assert bound <= left
                positions += 1
    assert positions >= 1_000


@pytest.mark.parametrize(
    "rules", [Rules(), Rules(draw=3), Rules(draw=2, redeals=2), Rules(empty_pile="any", draw=4)]
)
def test_bound_is_never_above_what_a_line_of_a_full_pack_needs(rules):
    solved = 0
    for index in range(6):
        position = dealt(deal(index, SEED), rules)
        solution = solve(position, rules, objective="moves", node_budget=20_000)
        if solution.outcome == "solved":
            bounds = list(bounds_along(position, solution.moves, rules))
            assert all(bound <= left for bound, left in bounds)
            assert bounds[-1] == (0, 0)
            assert bounds[0][0] >= 60
            solved += 1
    assert solved >= 1


# Known answers


def known_shortest():
    with open(KNOWN_DEALS, encoding="utf-8") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            if row["min_moves"]:
                yield pytest.param(row, id=row["name"])


def solved_row(row, **budgets):
    rules = Rules(
        draw=int(row["draw"]),
        redeals=int(row["redeals"]) if row["redeals"] else None,
        worrying_back=row["worrying_back"] == "1",
    )
    return solve(parse_deal(row["deal"]), rules, objective="moves", **budgets)


@pytest.mark.parametrize("row", [*known_shortest()])
def test_known_lengths_are_not_contradicted(row):
    solution = solved_row(row, node_budget=500_000)
    assert solution.outcome == "solved"
    assert solution.turn_ups == 21
    if solution.proved:
        assert (solution.length, solution.reason) == (int(row["min_moves"]), None)
    else:
        assert int(row["min_moves"]) <= solution.length <= int(row["min_moves"]) + 15
        assert solution.reason == "node_budget"


@pytest.mark.slow
@pytest.mark.parametrize("row", [*known_shortest()])
def test_known_lengths_are_proved_within_the_default_budgets(row):
    solution = solved_row(row)
    assert (solution.length, solution.proved) == (int(row["min_moves"]), True)


# Special starts and wrong lines


def test_won_game_needs_no_move():
    won = Position((2, 2, 2, 2), (Pile(),), (), ())
    solution = solve(won, Rules(ranks=2, piles=1), objective="moves")
    assert (solution.outcome, solution.moves, solution.length) == ("solved", (), 0)
    assert solution.proved


def test_any_win_says_nothing_of_shortness():
    solution = solve(deal(7), Rules(draw=3))
    assert solution.proved is None
    assert solution.length == length_of(solution.moves)


@pytest.mark.parametrize("mode", ["fast", "proved"])
def test_unsolvable_is_proved_too(mode):
    rules = Rules(ranks=4, piles=4, redeals=0, draw=3)
    outcomes = set()
    for index in range(15):
        solution = solve(deal(index, SEED, rules), rules, objective="moves", mode=mode)
        truth = exhaustive(deal(index, SEED, rules), rules)
        assert (solution.outcome, solution.length) == (truth.outcome, truth.fewest_moves)
        assert solution.proved
        outcomes.add(truth.outcome)
    assert len(outcomes) == 2


def test_line_that_does_not_win_is_never_returned(monkeypatch):
    found = Found("solved", None, ("draw",), 1), True
    monkeypatch.setattr(shortest_solver, "find_shortest", lambda *_: found)
    with pytest.raises(RuntimeError, match="do not win: draw"):
        solve(deal(0), objective="moves")


# Budgets and rooms


def test_node_budget_is_never_exceeded():
    for budget in (1, 2, 17, 1_000, 30_000):
        lengths = []
        for index in range(4):
            solution = solve(deal(index), Rules(draw=3), objective="moves", node_budget=budget)
            assert solution.nodes <= budget
            assert not solution.proved
            assert solution.reason == "node_budget"
            assert (solution.outcome == "solved") is (solution.length is not None)
            lengths.append(solution.length)
        # In between it depends on how soon a first win is found.
        assert budget not in (1, 30_000) or (None in lengths) is (budget == 1)


def test_memory_budget_is_never_exceeded(monkeypatch):
    sizes = []

    def noted_slots_for(rows):
        sizes.append(rows)
        return slots_for(rows)

    monkeypatch.setattr(shortest_solver, "slots_for", noted_slots_for)
    solution = solve(deal(0), objective="moves", memory_budget=5_000_000)
    assert (solution.outcome, solution.reason) == ("solved", "memory_budget")
    assert not solution.proved
    assert max(sizes) > 50_000
    assert bytes_of_room(max(sizes)) <= 5_000_000


def test_room_takes_what_it_is_said_to():
    for rows in (FIRST_ROWS, 100_000):
        room = make_room(rows)
        taken = sum(part.nbytes for part in (*room[:-1], *room.bound))
        assert 0 <= taken - bytes_of_room(rows) <= 25_000
    assert bytes_of_room(FIRST_ROWS) <= 0.6 * LEAST_MEMORY


@pytest.mark.parametrize("rules", [Rules(draw=3), Rules(redeals=0)])
def test_growth_and_pauses_make_no_difference(rules, monkeypatch):
    def everything():
        return [
            find_shortest(dealt(deal(index), rules), rules, find_nothing, 20_000, MEMORY)
            for index in range(4)
        ]

    as_it_is = everything()
    monkeypatch.setattr(shortest_solver, "FIRST_ROWS", STEPS_CEILING + 1)
    monkeypatch.setattr(shortest_solver, "NODES_PER_SLICE", 97)
    assert everything() == as_it_is
    monkeypatch.setattr(shortest_solver, "FIRST_ROWS", 1 << 20)
    assert everything() == as_it_is


def test_rules_of_pruning_are_those_that_hold():
    assert pruning_for(Rules(partial_runs=False), SHORTEST_PRUNING).parts == 0
    assert not pruning_for(Rules(), SHORTEST_PRUNING).twins
