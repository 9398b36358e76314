"""Settings of all tests."""

import io
import os
import signal
import sys
from importlib import import_module
from pathlib import Path

import hypothesis
import pytest

from dealstats import games

# How long an example takes depends on what else the machine does.
hypothesis.settings.register_profile("unhurried", deadline=None)
hypothesis.settings.load_profile("unhurried")


def pytest_configure(config):
    # A background job of a shell ignores Ctrl-C, and so would the commands that tests start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # Without compilation the words of the shuffle are numpy scalars, which warn where 64-bit
    # arithmetic wraps around; in compiled kernels that is silent and meant.
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        config.addinivalue_line("filterwarnings", "ignore:overflow encountered:RuntimeWarning")


@pytest.fixture
def experiment_script(monkeypatch):
    """Import the script of an experiment by its name."""
    monkeypatch.syspath_prepend(Path(__file__).parents[1] / "experiments")
    return import_module


# For tests of collection.


@pytest.fixture
def fake_game(monkeypatch):
    """Let the fake game be known like the others."""
    monkeypatch.setitem(games.GAMES, "fake", "fakegame")


@pytest.fixture
def warmed_up(fake_game, monkeypatch):
    """The tasks that games were asked to warm up for, one after the other."""
    tasks = []

    def watch(game):
        warm_up = game.warm_up
        monkeypatch.setattr(game, "warm_up", lambda task: (tasks.append(task), warm_up(task)))

    for name in games.GAMES:
        watch(games.load_game(name))
    return tasks


# For tests of a command: their module has its `main`, or a fixture of that name.


@pytest.fixture
def main(request):
    return request.module.main


@pytest.fixture
def run(main, capsys, monkeypatch):
    """Run the command in this process; returns status, stdout and stderr."""

    def run(*argv, stdin=b""):
        stream = io.TextIOWrapper(io.BytesIO(stdin))
        monkeypatch.setattr(sys, "stdin", stream)
        return main([str(word) for word in argv]), *capsys.readouterr()

    return run


@pytest.fixture
def good(run):
    """Run a command that must succeed; returns what it prints."""

    def good(*argv, **options):
        status, printed, errors = run(*argv, **options)
        assert (status, errors) == (0, "")
        return printed

    return good


@pytest.fixture
def bad(run):
    """Run a command that must fail; returns the one line it says about that."""

    def bad(*argv, **options):
        status, printed, errors = run(*argv, **options)
        assert (status, printed) == (2, "")
        assert errors.startswith("error: ")
        assert errors.count("\n") == 1
        return errors.removeprefix("error: ").rstrip("\n")

    return bad


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Write a file into the current directory and return its name."""
    monkeypatch.chdir(tmp_path)

    def file(content, name="given.txt"):
        Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    return file
