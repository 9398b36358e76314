"""The solver: its verdicts against exhaustive search, known answers, and each other."""

import csv
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from check_klondike_solver import ALONE, LEFT_OUT, compared
from check_klondike_solver import main as check
from klondike_small_packs import SEED, small_block

import klondike
from dealstats.collect import collect
from dealstats.command import main as dealstats_main
from dealstats.comparison import formatted_comparison
from dealstats.errors import InputError, UnreadableText
from dealstats.report import formatted_table
from dealstats.rows import read_rows
from klondike import proved_solver
from klondike.batch import LETTERS, player_task, solver_task
from klondike.deck import deal
from klondike.exhaustive import exhaustive
from klondike.notation import parse_deal
from klondike.position import Pile, Position, dealt
from klondike.proved_search import STEPS_CEILING
from klondike.proved_solver import find_win, find_wins
from klondike.pruning import NO_PRUNING, Pruning, pruning_for
from klondike.reference import ReferenceGame
from klondike.rules import Rules
from klondike.solution import replay
from klondike.solver import solve, solve_block
from klondike.solvers import MEMORY_BUDGET, SOLVERS, Found

NODES = 200_000
MEMORY = 100_000_000
KNOWN_DEALS = Path(__file__).parents[1] / "seeds" / "klondike_known_deals.csv"


def agree(prunings, blocks, deals, seed, **changes):
    """Compare blocks by lot with exhaustive search; returns how many deals had each outcome."""
    chance, outcomes = Random(seed), Counter()
    for _ in range(blocks):
        block = small_block(chance, deals, **changes)
        for pruning in prunings:
            found = compared(block, pruning)
            assert found.wrong == []
            outcomes.update(found.outcomes)
    return outcomes


# Verdicts


def test_verdicts_are_those_of_exhaustive_search():
    outcomes = agree([None], blocks=560, deals=10, seed=1)
    assert outcomes.total() >= 5_000
    assert min(outcomes.values()) >= 1_000


@pytest.mark.parametrize("name", Pruning._fields)
def test_each_rule_of_pruning_alone_and_all_others_without_it(name):
    outcomes = agree([ALONE[name], LEFT_OUT[name]], blocks=12, deals=8, seed=2)
    assert outcomes.total() >= 120


def test_without_any_pruning():
    assert agree([NO_PRUNING], blocks=12, deals=8, seed=3).total() >= 60


@pytest.mark.parametrize(
    "changes",
    [
        {"draw": 1, "redeals": None},
        {"draw": 1, "redeals": None, "empty_pile": "any"},
        {"draw": 1, "redeals": None, "partial_runs": False},
        {"draw": 2, "redeals": 1},
        {"draw": 3, "redeals": None},
        {"empty_pile": "any", "partial_runs": True},
        {"worrying_back": True, "empty_pile": "none"},
    ],
)
def test_options_that_rules_of_pruning_are_made_for(changes):
    assert agree([None], blocks=30, deals=10, seed=4, **changes).total() >= 150


@pytest.mark.slow
def test_many_verdicts_are_those_of_exhaustive_search(tmp_path):
    assert check(["--deals", "200000", "--rows", str(tmp_path / "rows.csv")]) == 0


def test_check_of_many_verdicts_goes_on_where_it_was(tmp_path, capsys):
    rows, whole = tmp_path / "rows.csv", tmp_path / "whole.csv"
    assert check(["--deals", "200", "--rows", str(whole)]) == 0
    assert check(["--deals", "100", "--rows", str(rows)]) == 0
    with open(rows, "a", encoding="utf-8") as file:
        file.write("2,50,")
    capsys.readouterr()
    assert check(["--deals", "200", "--rows", str(rows)]) == 0
    assert rows.read_text() == whole.read_text()
    assert "| all |  | 200 |" in capsys.readouterr().out


@pytest.mark.kernel_nets
def test_a_few_verdicts_with_each_kind_of_key():
    for rules in (
        Rules(ranks=2, piles=2),
        Rules(ranks=2, piles=3, draw=2, redeals=1),
        Rules(ranks=3, piles=4, partial_runs=False, empty_pile="any", worrying_back=False),
    ):
        for index in range(3):
            position = dealt(deal(index, SEED, rules), rules)
            truth = exhaustive(position, rules, shortest=False).outcome
            for pruning in (None, NO_PRUNING):
                assert find_win(position, rules, NODES, MEMORY, pruning).outcome == truth


def test_rules_of_pruning_are_used_only_where_they_are_proved():
    assert pruning_for(Rules()) == Pruning(parts=0)
    assert pruning_for(Rules(), Pruning(folded_draws=0)).earlier_passes == 0
    assert pruning_for(Rules(), Pruning(folded_draws=0)).use_at_once == 0
    assert pruning_for(Rules(draw=3)).use_at_once == 0
    assert pruning_for(Rules(redeals=5)).use_at_once == 0
    whole_runs = pruning_for(Rules(partial_runs=False))
    assert (whole_runs.twins, whole_runs.parts) == (0, 0)
    assert pruning_for(Rules(), Pruning(twins=0)).parts == 1


# Lines


def played_on(position, rules, chance):
    """The position after some moves by lot."""
    game = ReferenceGame(position, rules)
    for _ in range(chance.randrange(12)):
        moves = game.legal_moves()
        if moves:
            game.push(chance.choice(moves))
    return game.position


@pytest.mark.parametrize("pruning", [None, NO_PRUNING, Pruning(twins=0), Pruning(early_end=0)])
def test_lines_from_any_position_replay_to_a_win(pruning):
    chance, outcomes = Random(5), Counter()
    for _ in range(25):
        block = small_block(chance, 4)
        for number in range(4):
            deck = deal(block.first_deal + number, SEED, block.rules)
            position = played_on(dealt(deck, block.rules), block.rules, chance)
            found = find_win(position, block.rules, NODES, MEMORY, pruning)
            truth = exhaustive(position, block.rules, 20_000, shortest=False).outcome
            assert truth in (found.outcome, "unknown")
            outcomes[found.outcome] += 1
            assert replay(position, found.moves, block.rules).is_won is (found.outcome == "solved")
    assert min(outcomes["solved"], outcomes["unsolvable"]) >= 15


@pytest.mark.parametrize(
    "rules",
    [
        Rules(),
        Rules(draw=3),
        Rules(draw=3, worrying_back=False),
        Rules(draw=2, redeals=3),
        Rules(empty_pile="any", draw=5),
        Rules(partial_runs=False, draw=2, start_with_draw=True),
    ],
)
def test_lines_of_full_packs(rules):
    solved = 0
    for index in range(12):
        solution = solve(deal(index, SEED), rules, node_budget=20_000)
        if solution.outcome == "solved":
            game = replay(dealt(deal(index, SEED), rules), solution.moves, rules)
            assert game.is_won
            assert game.score == solution.score
            solved += 1
    assert solved >= 3


def test_won_game_needs_no_move():
    won = Position((2, 2, 2, 2), (Pile(),), (), ())
    solution = solve(won, Rules(ranks=2, piles=1))
    assert (solution.outcome, solution.moves) == ("solved", ())
    assert solution.nodes <= 1


def test_line_that_does_not_win_is_never_returned(monkeypatch):
    found = Found("solved", None, ("draw",), 1)
    for mode, search in (("proved", "proved_solver"), ("fast", "condensed_solver")):
        monkeypatch.setattr(f"klondike.{search}.find_win", lambda *_: found)
        with pytest.raises(RuntimeError, match="do not win: draw"):
            solve(deal(0), mode=mode)


# Budgets and rooms


def test_incomplete_search_is_unknown():
    for index in range(20):
        whole = solve(deal(index, SEED), Rules(draw=3), node_budget=100_000)
        if whole.outcome != "unknown":
            nodes = whole.nodes
            assert solve(deal(index, SEED), Rules(draw=3), node_budget=nodes).nodes == nodes
            for budget in {1, nodes // 2, nodes - 1} - {0, -1}:
                part = solve(deal(index, SEED), Rules(draw=3), node_budget=budget)
                assert (part.outcome, part.reason) == ("unknown", "node_budget")
                assert (part.nodes, part.moves, part.score) == (budget, (), None)


def test_memory_is_a_budget_too():
    rules = Rules(redeals=0)
    small = [solve(deal(index), rules, memory_budget=10**6) for index in range(12)]
    assert {one.reason for one in small if one.outcome == "unknown"} == {"memory_budget"}
    for index, one in enumerate(small):
        if one.outcome != "unknown":
            large = solve(deal(index), rules)
            assert (large.outcome, large.moves) == (one.outcome, one.moves)


@pytest.mark.parametrize("rules", [Rules(draw=3), Rules(redeals=0), Rules(partial_runs=False)])
def test_growth_and_pauses_make_no_difference(rules, monkeypatch):
    def everything():
        found = [
            find_win(dealt(deal(index, SEED), rules), rules, 15_000, MEMORY) for index in range(12)
        ]
        block = find_wins(0, 12, rules, SEED, 15_000, MEMORY)
        assert block.outcomes == [one.outcome for one in found]
        assert block.nodes.tolist() == [one.nodes for one in found]
        return found

    as_it_is = everything()
    monkeypatch.setattr(proved_solver, "FIRST_ROWS", STEPS_CEILING + 1)
    monkeypatch.setattr(proved_solver, "ROWS_GROWTH", 2)
    monkeypatch.setattr(proved_solver, "NODES_PER_SLICE", 97)
    assert everything() == as_it_is
    monkeypatch.setattr(proved_solver, "FIRST_ROWS", 1 << 20)
    assert everything() == as_it_is


# Numbered deals in batches


@pytest.mark.parametrize("solver", SOLVERS)
def test_collected_deals_have_the_outcomes_of_each_alone(tmp_path, solver):
    rules, path = Rules(draw=3), tmp_path / "solved.csv"
    task = solver_task(solver, rules, SEED, node_budget=2_000)
    rows = collect(task, 5, 40, path, block_deals=16, per_deal=True)
    alone = [
        solve(deal(5 + number, SEED), rules, mode=solver, node_budget=2_000) for number in range(40)
    ]
    letters = "".join(row.deal_results.outcomes for row in rows)
    assert letters == "".join(LETTERS[one.outcome] for one in alone)
    assert {*letters} == {"w", "l", "u"}
    assert [row.won for row in rows] == [row.deal_results.outcomes.count("w") for row in rows]
    assert sum(row.nodes for row in rows) == sum(one.nodes for one in alone)
    assert all(row.score_counts == {} for row in rows)
    assert read_rows(path) == rows
    in_one_block = collect(task, 5, 40, None, block_deals=40, per_deal=True)
    assert in_one_block[0].deal_results.outcomes == letters


def test_table_and_comparison_of_solvers_and_players():
    tasks = [solver_task("proved", Rules(), SEED), player_task("greedy", Rules(), SEED)]
    rows = collect(tasks, 0, 30, None, per_deal=True)
    for shown, has_scores in ((rows, True), (rows[:1], False)):
        table = formatted_table(shown, "text")
        assert "solver:proved" in table
        assert ("mean points" in table) is has_scores
        assert "nan" not in table.lower()
    compared = formatted_comparison(rows, "text")
    assert "mean points" not in compared


def test_collect_command_takes_a_solver(tmp_path, capsys):
    path = tmp_path / "rows.csv"
    words = ["collect", "--game", "klondike", "--deals", "0:8", "--jobs", "1"]
    words += ["--no-progress", "--out", str(path)]
    assert dealstats_main([*words, "--solver", "proved", "--node-budget", "900"]) == 0
    assert "won %" in capsys.readouterr().out
    (row,) = read_rows(path)
    assert row.player == "solver:proved"
    assert row.task.options == {"node_budget": 900, "memory_budget": MEMORY_BUDGET}
    for flags, problem in (
        ((), "one of the arguments --player --solver is required"),
        (("--solver", "x"), "no solver is called 'x'; there are fast, proved"),
        (("--solver", "proved", "--player", "greedy"), "not allowed with argument"),
        (("--player", "greedy", "--node-budget", "9"), "node_budget: only a solver has budgets"),
        (("--solver", "proved", "--memory-budget", "9"), "memory_budget 9 is below 1000000"),
    ):
        assert dealstats_main([*words, *flags]) == 2
        assert problem in capsys.readouterr().err


# Relations


RELATIONS = {
    "one more redeal": ({"redeals": 1}, {"redeals": 2}),
    "unlimited redeals": ({"redeals": 2}, {"redeals": None}),
    "worrying back": ({"worrying_back": False}, {"worrying_back": True}),
    "parts of runs": ({"partial_runs": False}, {"partial_runs": True}),
    "kings on empty piles": ({"empty_pile": "none"}, {"empty_pile": "king"}),
    "any card on empty piles": ({"empty_pile": "king"}, {"empty_pile": "any"}),
    "draw 1 for 3": ({"draw": 3}, {"draw": 1}),
}


@pytest.mark.parametrize("name", RELATIONS)
def test_more_freedom_never_hurts(name):
    less, more = RELATIONS[name]
    chance, decided = Random(6), 0
    for _ in range(60):
        block = small_block(chance, 0, ranks=(4, 5, 6, 7))
        rules = [replace(block.rules, **changes) for changes in (less, more)]
        two = [find_wins(block.first_deal, 12, one, SEED, 5_000, MEMORY).outcomes for one in rules]
        for pair in zip(*two, strict=True):
            assert pair != ("solved", "unsolvable")
            decided += "unknown" not in pair
    assert decided >= 500


# Known answers


def known_deals():
    with open(KNOWN_DEALS, encoding="utf-8") as file:
        yield from csv.DictReader(line for line in file if not line.startswith("#"))


@pytest.mark.parametrize("row", [pytest.param(row, id=row["name"]) for row in known_deals()])
def test_known_verdicts_are_not_contradicted(row):
    rules = Rules(
        draw=int(row["draw"]),
        redeals=int(row["redeals"]) if row["redeals"] else None,
        worrying_back=row["worrying_back"] == "1",
    )
    solution = solve(parse_deal(row["deal"]), rules, node_budget=100_000)
    assert solution.outcome in (row["verdict"], "unknown")


# Input


@pytest.mark.parametrize(
    ("wishes", "problem"),
    [
        ({"mode": "magic"}, "no solver is called 'magic'; there are fast, proved"),
        ({"objective": "fun"}, "no objective is called 'fun'; there are win, moves"),
        ({"node_budget": 0}, "node_budget 0 is below 1"),
        ({"memory_budget": 999_999}, "memory_budget 999999 is below 1000000"),
    ],
)
def test_impossible_wishes(wishes, problem):
    with pytest.raises(InputError, match=problem):
        solve(deal(0), **wishes)
    if "objective" not in wishes:
        with pytest.raises(InputError, match=problem):
            solve_block(0, 1, Rules(), **wishes)


def test_start_must_be_sound():
    with pytest.raises(UnreadableText):
        solve(deal(0)[:-1])
    too_deep = Position(
        (13, 13, 13, 11),
        (Pile((50,), (51,)), *(Pile(),) * 6),
        (),
        (),
    )
    with pytest.raises(InputError):
        solve(too_deep)


def test_package_offers_the_solver():
    assert klondike.solve is solve
    with pytest.raises(AttributeError, match="no attribute 'solver_of_all'"):
        _ = klondike.solver_of_all
