"""The experiments on a few deals: they write what they promise, and play what they say."""

import argparse
import re
from pathlib import Path

import pytest

from dealstats.rows import read_rows
from klondike.batch import add_task_arguments, task_from_arguments

ROOT = Path(__file__).parents[1]
NAMES = ("devilsgrip_score_distribution", "klondike_score_distribution", "klondike_win_rates")


@pytest.fixture(params=NAMES)
def experiment(request, experiment_script):
    return experiment_script(request.param).EXPERIMENT


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def klondike_task(flags):
    """The task that ``dealstats collect --game klondike`` plays with these flags."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    add_task_arguments(parser)
    return task_from_arguments(parser.parse_args(flags.split()))


def test_fast_runs_write_rows_table_and_figure_and_play_nothing_twice(experiment, tmp_path, capsys):
    arguments = ("--fast", "--deals", "10", "--jobs", "1", "--out", str(tmp_path / "new"))
    assert experiment.main(arguments) == 0
    written = contents(tmp_path / "new")
    endings = (".blocks.csv", ".csv", ".md", ".png")
    assert written.keys() == {f"{experiment.name}{ending}" for ending in endings}
    rows = read_rows(tmp_path / "new" / f"{experiment.name}.csv")
    assert [row.strong_id for row in rows] == [
        task.strong_id for task in experiment.tasks(experiment.fast_players)
    ]
    printed, said = capsys.readouterr()
    assert experiment.table(rows, "text") in printed
    assert f"{len(rows)} runs of 10 deals each ({', '.join(experiment.fast_players)})" in said
    assert experiment.main(arguments) == 0
    assert contents(tmp_path / "new") == written


def test_fast_players_are_some_of_the_players(experiment):
    assert set(experiment.fast_players) < set(experiment.players)


def test_make_run_plays_both_games_on_all_their_deals(experiment_script):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    commands = re.findall(r"experiments/(\w+)\.py (.*)", makefile)
    played = [experiment_script(name).EXPERIMENT for name, _ in commands]
    assert [experiment.game for experiment in played] == ["devilsgrip", "klondike"]
    assert {arguments for _, arguments in commands} == {"--fast --out results"}
    assert {experiment.deals.deals for experiment in played} == {1_000_000}


def test_tasks_of_klondike_are_those_of_commands(experiment_script):
    points = experiment_script("klondike_score_distribution").EXPERIMENT.tasks()
    assert points == [
        klondike_task(f"--player {player} --preset stargames --foundation-award {award}")
        for player in ("random", "greedy", "planner", "scorer")
        for award in ("first-time", "each-time")
    ]
    win_rates = experiment_script("klondike_win_rates").EXPERIMENT.tasks()
    assert win_rates == [
        klondike_task(f"--player {player} --preset draw-{draw} --redeals {redeals}")
        for player in ("random", "greedy", "planner")
        for draw in ("one", "three")
        for redeals in ("0", "1", "2", "unlimited")
    ]


def test_duels_write_numbers_and_tables(experiment_script, tmp_path, monkeypatch, capsys):
    duels = experiment_script("klondike_duels")
    monkeypatch.setattr(duels, "PLAYERS", ("random", "greedy"))
    assert duels.main(["--deals", "20", "--jobs", "1", "--out", str(tmp_path)]) == 0
    written = contents(tmp_path)
    assert written.keys() == {"klondike_duels.csv", "klondike_duels.md"}
    tables = written["klondike_duels.md"].decode()
    headings = ["## Foundation award first-time", "## Foundation award each-time"]
    assert [line for line in tables.splitlines() if line.startswith("## ")] == headings
    numbers = written["klondike_duels.csv"].decode().splitlines()
    assert [line.split(",")[:4] for line in numbers[1:]] == [
        ["first-time", "random", "greedy", "20"],
        ["each-time", "random", "greedy", "20"],
    ]
    assert tables in capsys.readouterr().out
