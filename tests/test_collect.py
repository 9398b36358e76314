import os
import threading
from dataclasses import replace

import fakegame
import pytest
from collected_tasks import TASKS
from joblib import parallel_config

from dealstats.collect import collect
from dealstats.errors import InputError, UnusableRows
from dealstats.rows import covered, read_rows, summed
from dealstats.task import Task

THREADS = TASKS["threads"]
PROCESSES = TASKS["processes"]

pytestmark = pytest.mark.usefixtures("fake_game")
every_task = pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "rows.csv"


def ranges(rows):
    return [(row.first_deal, row.stop_deal) for row in rows]


def test_rows_hold_what_the_game_found(path):
    rows = collect(THREADS, 5, 25, path)
    scores = [fakegame.score(THREADS, deal) for deal in range(5, 30)]
    (total,) = summed(rows)
    assert ranges(rows) == [(5, 15), (15, 25), (25, 30)]
    assert total.task == THREADS
    assert total.score_counts == {score: scores.count(score) for score in range(5)}
    assert (total.won, total.unknown, total.nodes) == (
        scores.count(0),
        scores.count(1),
        sum(scores),
    )
    assert read_rows(path) == rows


@every_task
def test_sums_depend_on_neither_jobs_nor_block_size(task):
    totals = {
        repr(replace(summed(collect(task, 3, 150, None, jobs, block))[0], seconds=0))
        for jobs in (1, 2)
        for block in (1, 7, 1000)
    }
    assert len(totals) == 1


def test_without_a_path_rows_are_only_returned(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert ranges(collect(THREADS, 0, 20, None)) == [(0, 10), (10, 20)]
    assert list(tmp_path.iterdir()) == []


@every_task
def test_a_finished_run_leaves_the_file_and_the_game_alone(path, task, warmed_up):
    rows = collect(task, 0, 30, path, block_deals=10)
    os.utime(path, ns=(1, 1))
    before = path.read_bytes()
    assert warmed_up == [task]
    assert collect(task, 0, 30, path) == rows
    assert collect(task, 12, 3, path) == rows[1:2]
    assert path.read_bytes() == before
    assert path.stat().st_mtime_ns == 1
    assert warmed_up == [task]


@every_task
def test_deals_that_the_file_holds_are_skipped(path, task):
    collect(task, 10, 10, path, block_deals=4)
    collect(task, 25, 3, path)
    rows = collect(task, 5, 30, path, block_deals=8)
    assert ranges(rows) == [
        *[(5, 10), (10, 14), (14, 18), (18, 20)],
        *[(20, 21), (21, 25), (25, 28), (28, 29), (29, 35)],
    ]
    assert covered(read_rows(path)) == [(5, 35)]
    (total,), (unbroken,) = summed(rows), summed(collect(task, 5, 30, None))
    assert replace(total, seconds=0) == replace(unbroken, seconds=0)


@every_task
def test_tasks_share_a_file(path, task, warmed_up):
    other = replace(task, seed=7)
    rows = collect([task, other, task], 0, 20, path, block_deals=10)
    assert rows == read_rows(path)
    assert {row.task.strong_id: ranges([row]) for row in rows} == {
        task.strong_id: [(10, 20)],
        other.strong_id: [(10, 20)],
    }
    assert warmed_up == [task, other]
    assert collect(other, 0, 20, path) == [row for row in rows if row.task == other]


def test_the_workers_of_the_caller_are_used(monkeypatch):
    threads = set()

    def play_batch(task, first_deal, deals):
        threads.add(threading.current_thread())
        return fakegame_play_batch(task, first_deal, deals)

    fakegame_play_batch = fakegame.play_batch
    monkeypatch.setattr(fakegame, "play_batch", play_batch)
    with parallel_config("threading", n_jobs=2):
        collect(PROCESSES, 0, 100, None)
    assert threads
    assert threading.main_thread() not in threads


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (Task("chess", "threads", {}), "no game is called 'chess'"),
        (replace(THREADS, options={"fail": True}), "asked to fail"),
        (replace(PROCESSES, options={"fail": True}), "asked to fail"),
        *(
            (replace(TASKS[game], **{field: "other"}), message)
            for game in ("devilsgrip", "klondike")
            for field, message in (
                ("player", "no player is called 'other'"),
                ("scheme", "deals of scheme 'other' are not played in batches"),
            )
        ),
        *(
            (replace(TASKS[game], rules={"redeals": -1}), "redeals -1 is neither")
            for game in ("devilsgrip", "klondike")
        ),
    ],
)
def test_a_task_that_cannot_be_done_writes_nothing(path, task, message):
    with pytest.raises(InputError, match=message):
        collect(task, 0, 100, path, jobs=2)
    assert not path.exists()


@pytest.mark.parametrize(
    "arguments",
    [{"first_deal": -1}, {"deals": -1}, {"jobs": 0}, {"block_deals": 0}],
)
def test_numbers_out_of_range_are_refused(path, arguments):
    with pytest.raises(InputError, match=r"0|-1"):
        collect(
            **{"task_or_tasks": THREADS, "first_deal": 0, "deals": 5, "out_path": path} | arguments
        )
    assert not path.exists()


def test_no_deals_are_no_work(path):
    assert collect(THREADS, 0, 0, path) == []
    assert not path.exists()


def test_a_file_that_contradicts_itself_is_refused(path):
    collect(THREADS, 0, 20, path)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines, lines[1].replace(",fake,", "1,fake,")]))
    with pytest.raises(UnusableRows, match="twice, with different counts"):
        collect(THREADS, 0, 30, path)


def test_a_game_that_loses_deals_is_found_out(path, monkeypatch):
    play_batch = fakegame.play_batch
    monkeypatch.setattr(fakegame, "play_batch", lambda task, first, n: play_batch(task, first, 1))
    with pytest.raises(UnusableRows, match="is 1, but deals is 10"):
        collect(THREADS, 0, 10, path)


def test_progress_is_shown_where_it_is_wanted(capfd):
    collect(THREADS, 0, 30, None, progress=True)
    shown = capfd.readouterr().err
    assert "fake threads: 100%" in shown
    assert "30/30" in shown
    assert "deals/s" in shown
    assert "won " in shown
    collect(THREADS, 0, 30, None)
    collect(THREADS, 0, 30, None, progress=False)
    assert capfd.readouterr().err == ""


def test_a_long_compilation_is_announced(capfd, monkeypatch):
    monkeypatch.setenv("FAKEGAME_WARM_UP_SECONDS", "1.2")
    collect(THREADS, 0, 1, None)
    assert (
        capfd.readouterr().err == "preparing kernels (they are compiled in the first run only) …\n"
    )
