"""The command ``dealstats compare`` with the fake game and with Devil's Grip."""

import io
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import fakegame
import pandas as pd
import pytest

from dealstats.command import main
from dealstats.deal_results import DealResults
from dealstats.pairing import tango_interval
from dealstats.rows import BlockResult, Row, append_row
from dealstats.task import Task

A = Task("fake", "first", {"draw": 3})
B = Task("fake", "second", {"draw": 3})


@pytest.fixture(autouse=True)
def _fake_game(fake_game, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def dealstats(capsys):
    """Run the command; give exit status, stdout and stderr."""
    return lambda *words: (main([str(word) for word in words]), *capsys.readouterr())


def write_run(path, task, outcomes, scores=None, first_deal=0, block=4, per_deal=True):
    """A file with a run of these outcomes; a deal that is not won leaves 3 points."""
    scores = scores or [0 if outcome == "w" else 3 for outcome in outcomes]
    with open(path, "ab", buffering=0) as file:
        for start in range(0, len(outcomes), block):
            part = slice(start, start + block)
            results = DealResults(outcomes[part], tuple(scores[part]))
            row = Row.of_block(
                *(task, first_deal + start, len(results.outcomes)),
                BlockResult.of_deals(results, nodes=1),
                seconds=0.5,
            )
            append_row(file, row if per_deal else replace(row, deal_results=None), per_deal)


def test_a_comparison_as_text(dealstats):
    write_run("a.csv", A, "w" + "l" * 7 + "w" + "l" * 12)
    write_run("b.csv", B, "l" + "w" * 7 + "w" + "l" * 12, block=100)
    status, out, err = dealstats("compare", "a.csv", "b.csv")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "A      B       deals  won by A alone  won by B alone          won A - B %       p  "
        "mean points left A - B",
        "-----  ------  -----  --------------  --------------  -------------------  ------  "
        "----------------------",
        "first  second     21               1               7  -28.6 [-51.8, -2.6]  0.0703  "
        "           0.86 ± 0.73",
        "",
        "± and [ ] are 95 % confidence intervals, rounded outwards; p is of McNemar's exact test.",
        "Fewer points left are better.",
        "All runs: game fake, draw 3, seed 0, scheme philox1, deals 0:21.",
    ]


def test_csv_gives_the_numbers(dealstats):
    write_run("a.csv", A, "wwlwl", [0, 0, 5, 0, 2])
    write_run("b.csv", B, "wllul", [0, 1, 5, 4, 4])
    assert dealstats("compare", "a.csv", "b.csv", "--format", "csv", "--out", "t.csv")[0] == 0
    (row,) = pd.read_csv("t.csv").to_dict("records")
    assert (row["A"], row["B"], row["deals"], row["unknown"]) == ("first", "second", 5, 1)
    assert (row["won by A alone"], row["won by B alone"]) == (1, 0)
    assert row["won A - B %"] == pytest.approx(20)
    assert row["won A - B % low"] == pytest.approx(100 * tango_interval(1, 0, 5)[0])
    assert row["won A - B % high"] == pytest.approx(100 * tango_interval(2, 0, 5)[1])
    assert row["p"] == 1
    assert row["mean points left A - B"] == pytest.approx((0 - 1 + 0 - 4 - 2) / 5)


def test_unknown_deals_are_explained(dealstats):
    write_run("a.csv", A, "wwlu")
    write_run("b.csv", B, "llww")
    out = dealstats("compare", "a.csv", "b.csv", "--format", "markdown")[1]
    assert out.splitlines()[0].split("|")[-2].strip() == "unknown"
    assert "Unknown deals count against A at the low end and for A at the high end" in out


def test_every_pair_of_runs_is_compared(dealstats):
    write_run("all.csv", A, "wwll")
    write_run("all.csv", B, "llll")
    write_run("all.csv", replace(A, rules={"draw": 1}), "wwww")
    out = dealstats("compare", "all.csv", "--format", "csv")[1]
    frame = pd.read_csv(io.StringIO(out))
    assert list(zip(frame["A"], frame["B"], strict=True)) == [
        ("first, draw 3", "second, draw 3"),
        ("first, draw 3", "first, draw 1"),
        ("second, draw 3", "first, draw 1"),
    ]
    assert frame["won by B alone"].tolist() == [0, 2, 4]


def test_blocks_may_differ_and_ranges_may_have_gaps(dealstats):
    for name, task, block in (("a.csv", A, 2), ("b.csv", B, 3)):
        write_run(name, task, "wlwlwl", block=block)
        write_run(name, task, "wlwlwl", first_deal=10, block=block)
    status, out, err = dealstats("compare", "a.csv", "b.csv")
    assert status == 0
    assert "deals 0:6 10:16." in out
    assert err.count("no rows of deals 6:10") == 2


@pytest.mark.parametrize(
    ("other", "first_deal", "outcomes", "message"),
    [
        (replace(B, seed=1), 0, "wlwl", "first, seed 0 has seed 0, but second, seed 1 has seed 1"),
        (replace(B, scheme="old"), 0, "wlwl", "has scheme philox1, but second, scheme old has sch"),
        (replace(B, rules={"draw": 3, "pack": 2}), 0, "wlwl", "has pack None, but second, pack 2"),
        (B, 1, "wlwl", "first has deals 0:4, but second has deals 1:5"),
        (B, 0, "wlwlw", "first has deals 0:4, but second has deals 0:5"),
    ],
)
def test_runs_on_different_deals_are_refused(dealstats, other, first_deal, outcomes, message):
    write_run("a.csv", A, "wlwl")
    write_run("b.csv", other, outcomes, first_deal=first_deal)
    status, out, err = dealstats("compare", "a.csv", "b.csv", "--out", "t.txt")
    assert (status, out) == (2, "")
    assert err.startswith("error: runs on different deals cannot be compared: ")
    assert message in err
    assert err.count("\n") == 1
    assert sorted(os.listdir()) == ["a.csv", "b.csv"]


def test_different_games_are_refused(dealstats):
    write_run("a.csv", A, "wlwl")
    write_run("b.csv", replace(B, game="chess"), "wlwl")
    assert dealstats("compare", "a.csv", "b.csv") == (
        *(2, ""),
        "error: scores of different games (fake, chess) cannot be compared\n",
    )


def test_a_run_alone_is_refused(dealstats):
    write_run("a.csv", A, "wlwl")
    for files in (["a.csv"], ["a.csv", "a.csv"]):
        assert dealstats("compare", *files) == (
            *(2, ""),
            "error: there is nothing to compare: first alone\n",
        )


def test_runs_without_single_deals_are_refused(dealstats):
    write_run("a.csv", A, "wlwl")
    write_run("b.csv", B, "wlwl", per_deal=False)
    assert dealstats("compare", "a.csv", "b.csv") == (
        *(2, ""),
        "error: the rows of second lack the results of single deals; "
        "collect them with --per-deal\n",
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "required: ROWS"),
        (["no.csv"], "no.csv: No such file"),
        (["a.csv", "--out", "a.csv"], "would overwrite the rows"),
        (["a.csv", "--format", "tex"], "invalid choice: 'tex'"),
    ],
)
def test_wrong_arguments_are_one_line(dealstats, words, message):
    write_run("a.csv", A, "wlwl")
    status, out, err = dealstats("compare", *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_combined_files_can_still_be_compared(dealstats):
    write_run("a.csv", A, "wlwl", block=2)
    write_run("b.csv", B, "llwl", block=4)
    expected = dealstats("compare", "a.csv", "b.csv")
    assert dealstats("combine", "a.csv", "b.csv", "--join", "--out", "all.csv")[0] == 0
    assert dealstats("compare", "all.csv") == expected


@pytest.mark.parametrize(
    ("game", "players", "unit"),
    [
        ("devilsgrip", ("greedy", "keeper"), "cards left"),
        ("klondike", ("greedy", "random"), "points"),
    ],
)
def test_runs_of_a_real_game_are_collected_and_compared(dealstats, game, players, unit):
    for player in players:
        words = ("collect", "--game", game, "--player", player, "--deals", "0:300")
        assert dealstats(*words, "--redeals", "1", "--per-deal", "--out", f"{player}.csv")[0] == 0
    files = [f"{player}.csv" for player in players]
    status, out, err = dealstats("compare", *files, "--format", "csv")
    assert (status, err) == (0, "")
    (row,) = pd.read_csv(io.StringIO(out)).to_dict("records")
    means = [pd.read_csv(file)["scores"].str.split().explode().astype(int).mean() for file in files]
    assert row[f"mean {unit} A - B"] == pytest.approx(means[0] - means[1])
    assert row["deals"] == 300


def test_comparing_needs_no_numba():
    write_run("a.csv", A, "wlwl")
    write_run("a.csv", B, "llwl")
    program = (
        f"import sys; sys.path.insert(0, {os.path.dirname(__file__)!r})\n"
        "from dealstats import command, games; games.GAMES['fake'] = 'fakegame'\n"
        "sys.exit(command.main(['compare', 'a.csv']) or 'numba' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
    assert Path(fakegame.__file__).parent == Path(__file__).parent
