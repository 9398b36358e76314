"""The benchmark signature, as the changelog tells it."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def benchmarks(monkeypatch):
    """Let the modules of the benchmarks be imported, as their scripts do."""
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    yield
    for name in ("measured_games", "signature"):
        sys.modules.pop(name, None)


def told_rows():
    """The latest signature that the changelog has."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    _, section = changelog.split("### Benchmark signature", maxsplit=2)[:2]
    return [line for line in section.split("\n#")[0].splitlines() if line.startswith("|")][2:]


def test_the_signature_of_every_player_is_told(benchmarks):
    from measured_games import GAMES

    expected = [[game.name, player] for game in GAMES.values() for player in game.players]
    assert [row.strip("| ").split(" | ")[:2] for row in told_rows()] == expected


@pytest.mark.slow
def test_the_signature_is_what_is_told(benchmarks):
    from signature import signature_rows

    assert signature_rows() == told_rows()


def test_benchmarks_keep_to_their_deals(benchmarks, monkeypatch):
    from measured_games import GAMES, SEED

    monkeypatch.syspath_prepend(ROOT / "experiments")
    from deal_ranges import deal_range

    assert [deal_range(game, "benchmark").seed for game in GAMES] == len(GAMES) * [SEED]
