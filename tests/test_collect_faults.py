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

import fakegame
import pytest

from dealstats import games
from dealstats.collect import collect
from dealstats.rows import read_rows

DEALS, BLOCK = 200, 5
WHOLE_ROWS = 20


@pytest.fixture(autouse=True)
def _fake_game(monkeypatch):
    monkeypatch.setitem(games.GAMES, "fake", "fakegame")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "rows.csv"


def start(path, player, block_seconds=0.0, **options):
    """A run with two workers, in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, fakegame.__file__, path, str(DEALS), str(BLOCK), "2", player],
        env=os.environ | {"FAKEGAME_BLOCK_SECONDS": str(block_seconds)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **options,
    )


def ending(run):
    """Exit status and stderr of a run."""
    _, errors = run.communicate(timeout=30)
    return run.returncode, errors


def wait_for_rows(path, more_than_bytes=0):
    deadline = time.monotonic() + 30
    while not path.exists() or path.stat().st_size <= more_than_bytes:
        assert time.monotonic() < deadline, "the run wrote nothing"
        time.sleep(0.002)


def without_seconds(rows):
    return [replace(row, seconds=0) for row in rows]


def unbroken_rows(player):
    return without_seconds(collect(fakegame.make_task(player), 0, DEALS, None, block_deals=BLOCK))


@pytest.mark.parametrize("player", ["threads", "processes"])
def test_a_run_killed_again_and_again_ends_like_an_unbroken_one(path, player):
    chance = random.Random(player)
    for _ in range(3):
        held_bytes = path.stat().st_size if path.exists() else 0
        run = start(path, player, block_seconds=0.03)
        wait_for_rows(path, held_bytes)
        time.sleep(chance.uniform(0, 0.1))
        os.killpg(run.pid, signal.SIGKILL)
        assert ending(run)[0] == -signal.SIGKILL
    held_rows = len(path.read_text().splitlines()) - 1
    assert 3 <= held_rows < DEALS // BLOCK
    assert ending(start(path, player))[0] == 0
    assert without_seconds(read_rows(path)) == unbroken_rows(player)


@pytest.mark.parametrize("player", ["threads", "processes"])
@pytest.mark.parametrize("send", [os.kill, os.killpg])
def test_an_interrupted_run_stops_within_a_second(path, player, send):
    run = start(path, player, block_seconds=0.2)
    wait_for_rows(path)
    send(run.pid, signal.SIGINT)
    began = time.monotonic()
    status, errors = ending(run)
    assert time.monotonic() - began < 1
    assert status == 130
    assert "Traceback" not in errors  # joblib may still remark on a semaphore of its own
    held_rows = without_seconds(read_rows(path))
    assert ending(start(path, player))[0] == 0
    resumed_rows = without_seconds(read_rows(path))
    assert resumed_rows == unbroken_rows(player)
    assert resumed_rows[: len(held_rows)] == held_rows


def test_a_full_disk_leaves_whole_rows(path):
    rows = collect(fakegame.make_task("threads"), 0, DEALS, path, block_deals=BLOCK)
    lines = path.read_bytes().splitlines(keepends=True)
    room = sum(map(len, lines[:WHOLE_ROWS])) + 50
    path.unlink()

    def limit_file_size():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    status, errors = ending(start(path, "threads", preexec_fn=limit_file_size))
    assert status == 2
    assert re.fullmatch(r"error: .*bytes could be written: '.*rows\.csv'\n", errors)
    assert without_seconds(read_rows(path)) == without_seconds(rows[: WHOLE_ROWS - 1])
    assert ending(start(path, "threads")) == (0, "")
    assert without_seconds(read_rows(path)) == without_seconds(rows)


@pytest.mark.parametrize("name", ["", "missing/rows.csv"])
def test_an_unwritable_path_fails_before_anything_is_computed(tmp_path, name):
    fakegame.warmed_up.clear()
    with pytest.raises(OSError, match=str(tmp_path)):
        collect(fakegame.make_task("threads"), 0, DEALS, tmp_path / name)
    assert fakegame.warmed_up == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.filterwarnings("ignore:.*torn last line left out")
@pytest.mark.parametrize("whole_rows", [0, 2])
def test_a_last_line_torn_anywhere_is_mended(path, whole_rows):
    task = fakegame.make_task("threads")
    rows = collect(task, 0, BLOCK * (whole_rows + 1), path, block_deals=BLOCK)
    whole = path.read_bytes()
    torn_from = sum(map(len, whole.splitlines(keepends=True)[: whole_rows and whole_rows + 1]))
    for length in range(torn_from, len(whole)):
        path.write_bytes(whole[:length])
        mended = collect(task, 0, BLOCK * (whole_rows + 1), path, block_deals=BLOCK)
        assert without_seconds(mended) == without_seconds(rows)
        assert read_rows(path) == mended
