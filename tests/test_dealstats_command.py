"""The command ``dealstats`` with the fake game; as a script, the command itself, slowed down.

EXTRA_BLOCK_SECONDS says by how much.
"""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import fakegame
import pytest
from collected_tasks import TASKS, slow_down

from dealstats import games
from dealstats.collect import PREPARING_KERNELS
from dealstats.command import main
from dealstats.errors import InputError
from dealstats.labels import runs_from_rows, score_scale_of, shared_settings, telling_labels
from dealstats.rows import BlockResult, Row, append_row, combine, read_rows
from dealstats.task import Task

TASK = fakegame.make_task("threads")


def add_task_arguments(parser):
    group = parser.add_argument_group("fake game")
    group.add_argument("--player", required=True)
    group.add_argument("--draw", type=int, default=3, help="cards to draw")


def task_from_arguments(arguments):
    if arguments.draw > 3:
        raise InputError(f"draw {arguments.draw} is too much")
    return Task("fake", arguments.player, {"draw": arguments.draw}, seed=arguments.seed)


@pytest.fixture(autouse=True)
def _fake_game(fake_game, monkeypatch, tmp_path):
    monkeypatch.setattr(fakegame, "add_task_arguments", add_task_arguments, raising=False)
    monkeypatch.setattr(fakegame, "task_from_arguments", task_from_arguments, raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def dealstats(capsys):
    """Run the command; give exit status, stdout and stderr."""
    return lambda *words: (main([str(word) for word in words]), *capsys.readouterr())


COLLECT = ("collect", "--game", "fake", "--player", "threads", "--out", "rows.csv")


def row_of(task, first_deal, deals, scores=None):
    scores = scores or {0: 1, 2: deals - 1}
    won = scores.get(0, 0)
    return Row.of_block(
        task, first_deal, deals, BlockResult(won, deals - won, 0, 7, scores), seconds=0.5
    )


def write_rows(path, *rows):
    with open(path, "ab", buffering=0) as file:
        for row in rows:
            append_row(file, row)


# Help and arguments


@pytest.mark.parametrize(
    "words", [(), *(("collect", "--game", game) for game in ("devilsgrip", "klondike"))]
)
def test_help_is_quick(words):
    code = (
        "import sys\nfrom dealstats.command import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: print(*{'numba', 'pandas', 'matplotlib', 'joblib'} & set(sys.modules))"
    )
    began = time.perf_counter()
    shown = subprocess.check_output([sys.executable, "-c", code, *words, "--help"], text=True)
    assert time.perf_counter() - began < 5  # 0.4 s on an idle machine
    *help_lines, loaded = shown.splitlines()
    assert loaded == ""
    expected = ("--player", "--redeals") if words else ("collect", "combine", "table", "plot")
    for word in expected:
        assert any(line.split()[:1] == [word] for line in help_lines)


@pytest.mark.parametrize("words", [["table", "x"], ["combine", "x", "--out", "y"]])
@pytest.mark.parametrize("name", ["threads", "devilsgrip", "klondike"])
def test_reading_results_needs_no_numba(words, name):
    write_rows("x", row_of(TASKS[name], 0, 5))
    run = subprocess.run(
        [sys.executable, "-X", "importtime", __file__, *words], capture_output=True, text=True
    )
    imported = {line.split("|")[-1].strip() for line in run.stderr.splitlines()}
    assert run.returncode == 0
    assert "dealstats.rows" in imported
    assert "numba" not in imported


def test_help_of_collect_tells_how_to_see_the_options_of_a_game(capsys):
    with pytest.raises(SystemExit, match=r"^0$"):
        main(["collect", "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert "one of: devilsgrip, klondike, fake" in shown
    assert "dealstats collect --game GAME --help" in shown
    assert "--draw" not in shown


@pytest.mark.parametrize("words", [["--game", "fake", "--help"], ["--help", "--game=fake"]])
def test_help_of_collect_lists_the_options_of_the_game(capsys, words):
    with pytest.raises(SystemExit, match=r"^0$"):
        main(["collect", *words])
    shown = capsys.readouterr().out
    assert "--draw DRAW" in shown
    assert "cards to draw" in shown


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["colect"], "invalid choice: 'colect'"),
        (["collect"], "required: --game, --deals, --out"),
        (["collect", "--game"], "argument --game: expected one argument"),
        (["collect", "--game", "chess"], "no game is called 'chess'; there are devilsgrip, klond"),
        (["collect", "--game", "fake"], "required: --deals, --out, --player"),
        ([*COLLECT, "--deals", "5:3"], "--deals '5:3' are no deals: STOP must be above FIRST"),
        ([*COLLECT, "--deals", "5:5"], "--deals '5:5' are no deals"),
        ([*COLLECT, "--deals", "7"], "--deals '7' is not FIRST:STOP"),
        ([*COLLECT, "--deals", "0:1e6"], "--deals '0:1e6' is not FIRST:STOP"),
        ([*COLLECT, "--deals=-1:3"], "--deals '-1:3' is not FIRST:STOP"),
        ([*COLLECT, "--deals", f"0:{2**63 + 1}"], "are no deals: STOP must be above FIRST, up to"),
        ([*COLLECT, "--deals", "0:" + "9" * 5000], "is not FIRST:STOP"),
        ([*COLLECT, "--deals", "0:5", "--jobs", "0"], "--jobs: '0' is no whole number from 1"),
        ([*COLLECT, "--deals", "0:5", "--block-deals", "x"], "--block-deals: 'x' is no whole"),
        ([*COLLECT, "--deals", "0:5", "--seed", "-1"], "--seed: '-1' is no whole number from 0"),
        ([*COLLECT, "--deals", "0:5", "--seed", 2**63], f"--seed: '{2**63}' is no whole number"),
        ([*COLLECT, "--deals", "0:5", "--draw", "4"], "draw 4 is too much"),
        ([*COLLECT, "--deals", "0:5", "--turn", "4"], "unrecognized arguments: --turn 4"),
        ([*COLLECT, "--deals", "0:5", "--out", "no/rows.csv"], "no/rows.csv: No such file"),
        *(
            ([*COLLECT, "--deals", "0:5", "--game", game, *words], message)
            for game in ("devilsgrip", "klondike")
            for words, message in (
                ((), "no player is called 'threads'; there are random, greedy"),
                (("--player", "random", "--redeals", "-1"), "redeals -1 is neither unlimited nor"),
                (("--player", "random", "--preset", "x"), "no preset is called 'x'; there are "),
                (("--player", "random", "--out", "no/rows.csv"), "no/rows.csv: No such file"),
            )
        ),
        (["table"], "required: ROWS"),
        (["table", "rows.csv", "--format", "tex"], "invalid choice: 'tex'"),
        (["combine", "rows.csv"], "required: --out"),
    ],
)
def test_wrong_arguments_are_one_line(dealstats, words, message):
    status, out, err = dealstats(*words)
    assert (status, out) == (2, "")
    assert err.startswith("error: ")
    assert message in err
    assert err.count("\n") == 1
    assert os.listdir() == []


# collect


def test_collect_plays_and_prints_the_table(dealstats):
    words = [*COLLECT, "--deals", "5:30", "--draw", "2", "--seed", "4", "--jobs", "2"]
    status, out, err = dealstats(*words, "--block-deals", "8")
    rows = read_rows("rows.csv")
    assert (status, err) == (0, "")
    assert [(row.first_deal, row.stop_deal) for row in rows] == [
        (5, 13),
        (13, 21),
        (21, 29),
        (29, 30),
    ]
    assert {row.task for row in rows} == {Task("fake", "threads", {"draw": 2}, seed=4)}
    header, _, line, *_, caption, _ = out.splitlines()
    assert header.startswith("player   deals  mean points left  median points left")
    assert line.startswith("threads     25  ")
    assert caption == "All runs: game fake, draw 2, seed 4, scheme philox1, deals 5:30."
    held = Path("rows.csv").read_bytes()
    assert dealstats(*words) == (0, out, "")
    assert Path("rows.csv").read_bytes() == held


def test_the_progress_bar_can_be_left_out(dealstats, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert "fake threads: 100%" in dealstats(*COLLECT, "--deals", "0:10")[2]
    assert dealstats(*COLLECT, "--deals", "10:20", "--no-progress")[2] == ""


@pytest.mark.parametrize(
    ("game", "player"), [("fake", "threads"), ("devilsgrip", "random"), ("klondike", "random")]
)
def test_an_interrupted_collection_goes_on(dealstats, game, player):
    words = ["collect", "--game", game, "--player", player, "--out", "rows.csv"]
    words += ["--deals", "0:200", "--jobs", "2", "--block-deals", "10"]
    run = subprocess.Popen(
        [sys.executable, __file__, *words],
        env=os.environ | {"EXTRA_BLOCK_SECONDS": "0.05"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 30
    while not os.path.exists("rows.csv") or os.path.getsize("rows.csv") == 0:
        assert time.monotonic() < deadline, "the run wrote nothing"
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=30)
    held = sum(row.deals for row in read_rows("rows.csv"))
    assert (run.returncode, out) == (130, "")
    assert 0 < held < 200
    assert err.replace(f"{PREPARING_KERNELS}\n", "") == (
        f"stopped; {held} of 200 deals are in rows.csv; the same command goes on from there\n"
    )
    assert dealstats(*words)[0] == 0
    assert sum(row.deals for row in read_rows("rows.csv")) == 200


def test_an_interruption_before_the_first_row_leaves_no_file(dealstats, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(fakegame, "play_batch", interrupted)
    status, _, err = dealstats(*COLLECT, "--deals", "0:20", "--jobs", "1")
    assert status == 130
    assert err.startswith("stopped; 0 of 20 deals are in rows.csv; ")
    assert os.listdir() == []


# What all commands that read rows have in common


@pytest.fixture(params=["table", "combine", "plot"])
def reading(request):
    """The words of a command that reads rows, without its files."""
    return {"table": ["table"], "combine": ["combine", "--out", "all.csv"]}.get(
        request.param, ["plot", "--out", "all.png"]
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "bad.csv: No such file or directory"),
        ("", "bad.csv: holds no result rows"),
        ("HEADER\n", "bad.csv: holds no result rows"),
        ("a,b\n1,2\n", "bad.csv:1: not the header of result rows"),
        ("HEADER\nROW\n1,2\nROW\n", "bad.csv:3: not a result row (2 columns instead of 13)"),
    ],
)
def test_bad_files_are_one_line_and_nothing_is_written(dealstats, reading, text, message):
    write_rows("good.csv", row_of(TASK, 0, 5))
    header, row = Path("good.csv").read_text().splitlines()
    names = ["good.csv"]
    if text is not None:
        names.append("bad.csv")
        Path("bad.csv").write_text(text.replace("HEADER", header).replace("ROW", row))
    status, out, err = dealstats(*reading, "good.csv", "bad.csv")
    assert (status, out) == (2, "")
    assert err.startswith(f"error: {message}")
    assert err.count("\n") == 1
    assert set(os.listdir()) == set(names)


@pytest.mark.filterwarnings("always")
def test_a_torn_last_line_is_a_warning_of_one_line(dealstats, reading):
    write_rows("rows.csv", row_of(TASK, 0, 5), row_of(TASK, 5, 5))
    os.truncate("rows.csv", os.path.getsize("rows.csv") - 9)
    status, _, err = dealstats(*reading, "rows.csv")
    assert status == 0
    assert err.startswith("warning: rows.csv:3: torn last line left out: ")
    assert err.count("\n") == 1


def test_contradicting_files_are_refused(dealstats, reading):
    write_rows("a.csv", row_of(TASK, 0, 5))
    write_rows("b.csv", row_of(TASK, 0, 5, {0: 2, 1: 3}))
    status, _, err = dealstats(*reading, "a.csv", "b.csv")
    assert status == 2
    assert "block 0:5 of fake threads" in err
    assert sorted(os.listdir()) == ["a.csv", "b.csv"]


def test_gaps_are_reported_for_each_run(dealstats, reading):
    write_rows("a.csv", row_of(TASK, 0, 5), row_of(TASK, 10, 5), row_of(TASK, 17, 5))
    write_rows("b.csv", row_of(replace(TASK, rules={"draw": 1}), 0, 22))
    status, _, err = dealstats(*reading, "a.csv", "b.csv")
    assert status == 0
    assert err == "warning: player threads, draw 3: no rows of deals 5:10 15:17\n"


def test_many_gaps_are_cut_short(dealstats, reading):
    write_rows("a.csv", *(row_of(TASK, 10 * number, 5) for number in range(9)))
    assert dealstats(*reading, "a.csv")[2].endswith(
        "deals 5:10 15:20 25:30 35:40 … (8 ranges, 40 deals)\n"
    )


@pytest.mark.parametrize("command", ["combine", "table", "plot"])
def test_no_input_is_overwritten(dealstats, command):
    write_rows("rows.csv", row_of(TASK, 0, 5))
    held = Path("rows.csv").read_bytes()
    os.symlink("rows.csv", "link.csv")
    for out in ("./rows.csv", "link.csv"):
        status, _, err = dealstats(command, "rows.csv", "--out", out)
        assert (status, err) == (
            2,
            f"error: --out {out!r} would overwrite the rows that are read from it\n",
        )
    assert Path("rows.csv").read_bytes() == held


# combine


def test_combine_is_a_union(dealstats):
    first, second, third = (row_of(TASK, deal, 5) for deal in (0, 5, 10))
    other = row_of(replace(TASK, seed=1), 0, 5)
    write_rows("a.csv", third, first, other)
    write_rows("b.csv", second, replace(first, seconds=9.0))
    assert dealstats("combine", "a.csv", "b.csv", "--out", "all.csv") == (0, "", "")
    assert read_rows("all.csv") == combine([first, second, third, other])
    again = Path("all.csv").read_bytes()
    assert dealstats("combine", "all.csv", "a.csv", "--out", "again.csv")[0] == 0
    assert Path("again.csv").read_bytes() == again
    assert sorted(os.listdir()) == ["a.csv", "again.csv", "all.csv", "b.csv"]


def test_combine_replaces_an_older_file_through_a_link(dealstats):
    write_rows("a.csv", row_of(TASK, 0, 5))
    write_rows("older.csv", row_of(TASK, 5, 5))
    os.symlink("older.csv", "link.csv")
    assert dealstats("combine", "a.csv", "--out", "link.csv")[0] == 0
    assert os.path.islink("link.csv")
    assert Path("older.csv").read_text() == Path("a.csv").read_text()


@pytest.mark.parametrize(
    ("out", "message"),
    [
        ("no/all.csv", "no/all.csv: No such file or directory"),
        ("a.csv/all.csv", "a.csv/all.csv: Not a directory"),
        (".", "--out '.' is not a file"),
        ("/dev/null", "--out '/dev/null' is not a file"),
    ],
)
def test_combine_names_the_place_that_it_cannot_write(dealstats, out, message):
    write_rows("a.csv", row_of(TASK, 0, 5))
    assert dealstats("combine", "a.csv", "--out", out) == (2, "", f"error: {message}\n")
    assert os.listdir() == ["a.csv"]


def test_a_failure_while_writing_leaves_the_older_file(dealstats, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device", "draft")

    write_rows("a.csv", row_of(TASK, 0, 5))
    write_rows("all.csv", row_of(TASK, 5, 5))
    monkeypatch.setattr("pathlib.Path.replace", full)
    assert dealstats("combine", "a.csv", "--out", "all.csv") == (
        *(2, ""),
        "error: all.csv: No space left on device\n",
    )
    assert read_rows("all.csv") == [row_of(TASK, 5, 5)]
    assert sorted(os.listdir()) == ["a.csv", "all.csv"]


# table


@pytest.fixture
def two_runs():
    write_rows("a.csv", row_of(TASK, 0, 50), row_of(TASK, 50, 50))
    write_rows(
        "b.csv", row_of(Task("fake", "a_better_one", {"draw": None}), 0, 100, {0: 90, 3: 10})
    )


def test_table_as_text(dealstats, two_runs):
    assert dealstats("table", "a.csv", "b.csv") == (
        0,
        """\
player        draw       deals  mean points left  median points left              won %
------------  ---------  -----  ----------------  ------------------  -----------------
threads       3            100     1.960 ± 0.056                   2     2.0 [0.5, 7.1]
a_better_one  unlimited    100       0.30 ± 0.18                   0  90.0 [82.5, 94.5]

± and [ ] are 95 % confidence intervals, rounded outwards.
All runs: game fake, seed 0, scheme philox1, deals 0:100.
""",
        "",
    )


def test_table_says_what_deals_it_does_not_compare(dealstats, two_runs):
    write_rows("a.csv", row_of(TASK, 100, 5))
    assert dealstats("table", "a.csv", "b.csv")[1].endswith(
        "All runs: game fake, seed 0, scheme philox1.\nNot all runs are of the same deals.\n"
    )


def test_table_says_what_unknown_deals_count_as(dealstats):
    row = Row.of_block(TASK, 0, 9, BlockResult(4, 4, 1, 7, {0: 4, 1: 5}), seconds=0.5)
    write_rows("a.csv", row)
    assert dealstats("table", "a.csv")[1].endswith(
        "Unknown deals count as lost at the low end and as won at the high end.\n"
    )


def test_table_as_markdown(dealstats, two_runs):
    _, out, _ = dealstats("table", "a.csv", "b.csv", "--format", "markdown")
    header, rule, first, *_ = out.splitlines()
    assert header.startswith("| player       | draw      | deals |")
    assert rule.startswith("| :----------- | :-------- | ----: |")
    assert first.startswith("| threads      | 3         |   100 |")
    assert "95 % confidence intervals" in out


def test_table_as_csv_into_a_file(dealstats, two_runs):
    assert dealstats("table", "a.csv", "b.csv", "--format", "csv", "--out", "t.csv") == (0, "", "")
    lines = Path("t.csv").read_text().splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("player,draw,deals,mean points left,mean points left ±,")
    assert lines[1].startswith("threads,3,100,1.96,")


@pytest.mark.parametrize("words", [["table"], ["plot", "--out", "x.png"]])
def test_games_are_not_compared(dealstats, words):
    write_rows("a.csv", row_of(TASK, 0, 5), row_of(replace(TASK, game="chess"), 0, 5))
    status, _, err = dealstats(*words, "a.csv")
    assert status == 2
    assert err == "error: scores of different games (fake, chess) cannot be compared\n"


# plot


@pytest.mark.parametrize(
    ("name", "beginning"), [("x.png", b"\x89PNG"), ("x.SVG", b"<?xml"), ("x.pdf", b"%PDF")]
)
def test_plot_writes_what_the_suffix_says(dealstats, two_runs, name, beginning):
    assert dealstats("plot", "a.csv", "b.csv", "--out", name) == (0, "", "")
    assert Path(name).read_bytes().startswith(beginning)


def test_plot_has_title_and_labels(dealstats, two_runs):
    assert dealstats("plot", "a.csv", "b.csv", "--out", "x.svg", "--title", "Two players")[0] == 0
    drawn = Path("x.svg").read_text()
    for text in ("Two players", "threads, 3", "a_better_one, unlimited"):
        assert f"<!-- {text} -->" in drawn


def test_plot_of_another_kind_is_refused(dealstats, two_runs):
    status, _, err = dealstats("plot", "a.csv", "--out", "x.gif")
    assert (status, err) == (
        2,
        "error: cannot tell a figure format from 'x.gif' (use .png, .svg or .pdf)\n",
    )


# Labels


def test_labels_are_the_player_and_what_differs():
    tasks = [
        Task("g", "a_b", {"top_up": "talon_top", "limit": None, "old": 1}, versions={"kernel": 1}),
        Task("g", "a_b", {"top_up": "none", "limit": True, "old": 1}, versions={"kernel": 2}),
        Task("g", "c", {"top_up": "none", "limit": [1, 2], "old": 1}, 7, options={"budget": 10}),
    ]
    assert telling_labels(tasks) == [
        {
            "player": "a_b",
            "top up": "talon-top",
            "limit": "unlimited",
            "seed": "0",
            "kernel version": "1",
        },
        {"player": "a_b", "top up": "none", "limit": "yes", "seed": "0", "kernel version": "2"},
        {"player": "c", "top up": "none", "limit": "[1, 2]", "budget": "10", "seed": "7"},
    ]
    assert shared_settings(tasks) == {"game": "g", "old": "1", "scheme": "philox1"}
    assert telling_labels(tasks[:1]) == [{"player": "a_b"}]
    assert shared_settings(tasks[:1])["player"] == "a_b"


def test_runs_hold_the_sums_of_the_rows():
    rows = [row_of(TASK, 0, 5), row_of(TASK, 5, 7)]
    (run,) = runs_from_rows(rows)
    assert run.label == {"player": "threads"}
    assert (run.won, run.lost, run.unknown, run.seconds, run.nodes) == (2, 10, 0, 1.0, 14)
    assert run.score_counts == {0: 2, 2: 10}
    assert score_scale_of(rows) is fakegame.score_scale


def test_no_rows_are_no_runs_and_have_no_scale():
    assert runs_from_rows([]) == []
    with pytest.raises(InputError, match="no result rows"):
        score_scale_of([])


if __name__ == "__main__":
    games.GAMES["fake"] = "fakegame"
    vars(fakegame).update(
        add_task_arguments=add_task_arguments, task_from_arguments=task_from_arguments
    )
    if "EXTRA_BLOCK_SECONDS" in os.environ:
        for game in games.GAMES:
            slow_down(game)
    sys.exit(main())
