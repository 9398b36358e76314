"""Runs that end badly: killed, interrupted, without room; and what a second run makes of them."""

import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from dataclasses import replace

import collected_tasks
import pytest
from collected_tasks import TASKS

from dealstats.collect import PREPARING_KERNELS, collect
from dealstats.rows import read_rows

DEALS, BLOCK = 200, 5
WHOLE_ROWS = 20


pytestmark = pytest.mark.usefixtures("fake_game")
every_name = pytest.mark.parametrize("name", TASKS)
every_name_with_threads = pytest.mark.parametrize(
    "name", [name for name in TASKS if name != "processes"]
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "rows.csv"


def start(path, name, extra_block_seconds=0.0, **options):
    """A run with two workers, in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, collected_tasks.__file__, path, name, str(DEALS), str(BLOCK)],
        env=os.environ | {"EXTRA_BLOCK_SECONDS": str(extra_block_seconds)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **options,
    )


def ending(run):
    """Exit status and stderr of a run, which may take its time to load kernels."""
    _, errors = run.communicate(timeout=30)
    return run.returncode, errors.replace(f"{PREPARING_KERNELS}\n", "")


def wait_for_rows(path, more_than_bytes=0):
    deadline = time.monotonic() + 30
    while not path.exists() or path.stat().st_size <= more_than_bytes:
        assert time.monotonic() < deadline, "the run wrote nothing"
        time.sleep(0.002)


def without_seconds(rows):
    return [replace(row, seconds=0) for row in rows]


def rows_to_the_end(name, path=None):
    """The rows of a run, or of the rest of one, in this process."""
    return without_seconds(collect(TASKS[name], 0, DEALS, path, block_deals=BLOCK))


@every_name
def test_a_run_killed_again_and_again_ends_like_an_unbroken_one(path, name):
    unbroken, chance = rows_to_the_end(name), random.Random(name)
    for _ in range(3):
        held_bytes = path.stat().st_size if path.exists() else 0
        run = start(path, name, extra_block_seconds=0.03)
        wait_for_rows(path, held_bytes)
        time.sleep(chance.uniform(0, 0.1))
        os.killpg(run.pid, signal.SIGKILL)
        assert ending(run)[0] == -signal.SIGKILL
    held_rows = len(path.read_text().splitlines()) - 1
    assert 3 <= held_rows < DEALS // BLOCK
    assert rows_to_the_end(name, path) == unbroken == without_seconds(read_rows(path))


# Threads are no processes of their own, to which Ctrl-C would go too.
@pytest.mark.parametrize(
    ("name", "send"), [*((name, os.kill) for name in TASKS), ("processes", os.killpg)]
)
def test_an_interrupted_run_stops_within_a_second(path, name, send):
    unbroken = rows_to_the_end(name)
    run = start(path, name, extra_block_seconds=0.2)
    wait_for_rows(path)
    send(run.pid, signal.SIGINT)
    began = time.monotonic()
    status, errors = ending(run)
    assert time.monotonic() - began < 1
    assert status == 130
    assert "Traceback" not in errors  # joblib may still remark on a semaphore of its own
    held_rows = without_seconds(read_rows(path))
    assert held_rows == unbroken[: len(held_rows)] != unbroken
    assert rows_to_the_end(name, path) == unbroken == without_seconds(read_rows(path))


@every_name_with_threads
def test_a_full_disk_leaves_whole_rows(path, name):
    rows = rows_to_the_end(name, path)
    lines = path.read_bytes().splitlines(keepends=True)
    room = sum(map(len, lines[:WHOLE_ROWS])) + 50
    path.unlink()

    def limit_file_size():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    status, errors = ending(start(path, name, preexec_fn=limit_file_size))
    assert status == 2
    assert re.fullmatch(r"error: .*bytes could be written: '.*rows\.csv'\n", errors)
    assert without_seconds(read_rows(path)) == rows[: WHOLE_ROWS - 1]
    assert rows_to_the_end(name, path) == rows == without_seconds(read_rows(path))


@every_name
@pytest.mark.parametrize("file_name", ["", "missing/rows.csv"])
def test_an_unwritable_path_fails_before_anything_is_computed(tmp_path, name, file_name, warmed_up):
    with pytest.raises(OSError, match=str(tmp_path)):
        collect(TASKS[name], 0, DEALS, tmp_path / file_name)
    assert warmed_up == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.filterwarnings("ignore:.*torn last line left out")
@pytest.mark.parametrize(
    ("name", "step_bytes"), [("threads", 1), ("devilsgrip", 11), ("klondike", 11)]
)
@pytest.mark.parametrize("whole_rows", [0, 2])
def test_a_last_line_torn_anywhere_is_mended(path, name, step_bytes, whole_rows):
    task = TASKS[name]
    rows = collect(task, 0, BLOCK * (whole_rows + 1), path, block_deals=BLOCK)
    whole = path.read_bytes()
    torn_from = sum(map(len, whole.splitlines(keepends=True)[: whole_rows and whole_rows + 1]))
    for length in range(torn_from, len(whole), step_bytes):
        path.write_bytes(whole[:length])
        mended = collect(task, 0, BLOCK * (whole_rows + 1), path, block_deals=BLOCK)
        assert without_seconds(mended) == without_seconds(rows)
        assert read_rows(path) == mended
