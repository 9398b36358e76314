"""The committed results are whole, and the documents say what they say."""

from pathlib import Path

import pandas as pd
import pytest

from dealstats.rows import read_rows, summed
from dealstats.tables import format_table

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "experiments" / "results"
DEVILSGRIP = RESULTS / "devilsgrip_score_distribution.csv"
UNFINISHED = RESULTS.parent / "unfinished"
DUELS = RESULTS / "klondike_duels.csv"
"""The only file that holds no rows."""
WHOLE = {
    "devilsgrip_score_distribution",
    "klondike_score_distribution",
    "klondike_win_rates",
}
"""The experiments of which no run may be missing; others are still being played."""
MILLION = 1_000_000
LIMITS = (2, 5, 10)

each_rows_file = pytest.mark.parametrize(
    "rows_file", sorted(set(RESULTS.glob("*.csv")) - {DUELS}), ids=lambda path: path.stem
)


@pytest.fixture
def experiment(rows_file, experiment_script):
    """The experiment that a file of rows belongs to."""
    return experiment_script(rows_file.stem).EXPERIMENT


@each_rows_file
def test_tables_are_those_of_the_rows(rows_file, experiment) -> None:
    table = rows_file.with_suffix(".md").read_text(encoding="utf-8")
    assert table == experiment.table(read_rows(rows_file), "markdown")
    assert rows_file.with_suffix(".png").exists()


@each_rows_file
def test_every_run_is_one_of_the_experiment_as_it_is_now_and_has_a_million_deals(
    rows_file, experiment
) -> None:
    totals = summed(read_rows(rows_file))
    # The identity of a task holds its rules and versions: rows of older ones are found here.
    played = {total.task.strong_id for total in totals}
    asked = {task.strong_id for task in experiment.tasks()}
    assert played <= asked
    assert all(total.ranges == [(0, MILLION)] for total in totals)
    if experiment.name in WHOLE:
        assert played == asked


@pytest.mark.parametrize("rows_file", sorted(UNFINISHED.glob("*.csv")), ids=lambda path: path.stem)
def test_unfinished_runs_are_those_of_an_experiment(rows_file, experiment_script) -> None:
    experiment = experiment_script(rows_file.name.removesuffix(".blocks.csv")).EXPERIMENT
    asked = {task.strong_id for task in experiment.tasks()}
    totals = summed(read_rows(rows_file))
    assert {total.task.strong_id for total in totals} <= asked
    assert all(0 <= start < stop <= MILLION for total in totals for start, stop in total.ranges)


def test_whole_results_are_there() -> None:
    assert {path.stem for path in RESULTS.glob("*.csv")} >= WHOLE


def test_tables_of_duels_are_those_of_the_numbers() -> None:
    text = DUELS.with_suffix(".md").read_text(encoding="utf-8")
    numbers = pd.read_csv(DUELS)
    for award, duels in numbers.groupby("foundation award"):
        heading = f"## Foundation award {award}\n\n"
        table = format_table(duels.drop(columns="foundation award"), "markdown")
        assert heading + table in text


def readme_tables() -> list[list[str]]:
    """The cells of all lines of tables in the README."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = [line for line in readme.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]


def assert_rounded(text: str, value: float) -> None:
    digits = len(text.partition(".")[2])
    assert float(text) == pytest.approx(value, abs=0.51 * 10**-digits)


def test_the_readme_quotes_the_rows() -> None:
    quoted = {(line[0], line[1]): line[2:] for line in readme_tables() if len(line) == 7}
    checked = 0
    for total in summed(read_rows(DEVILSGRIP)):
        redeals = total.task.rules["redeals"]
        key = (total.task.player, "unlimited" if redeals is None else str(redeals))
        if key not in quoted:
            continue
        checked += 1
        scores = total.score_counts
        mean = sum(score * deals for score, deals in scores.items()) / MILLION
        reached = [sum(n for s, n in scores.items() if s <= limit) for limit in (0, *LIMITS)]
        expected = [mean, *(100 * deals / MILLION for deals in reached)]
        for text, value in zip(quoted[key], expected, strict=True):
            assert_rounded(text, value)
    assert checked >= 10


def test_the_readme_quotes_the_duels() -> None:
    """In a table of five columns: how many per cent of the deals a line wins from a column."""
    header, *lines = [line for line in readme_tables() if len(line) == 5]
    quoted = {
        (line[0], column): cell
        for line in lines
        for column, cell in zip(header[1:], line[1:], strict=True)
        if column != line[0]
    }
    duels = pd.read_csv(DUELS)
    for duel in duels[duels["foundation award"] == "first-time"].to_dict("records"):
        assert_rounded(quoted.pop((duel["A"], duel["B"])), duel["A wins %"])
        assert_rounded(quoted.pop((duel["B"], duel["A"])), duel["B wins %"])
    assert not quoted
