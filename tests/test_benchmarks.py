"""The benchmark signature, as the changelog tells it."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def benchmarks(monkeypatch):
    """Let the modules of the benchmarks be imported, as their scripts do."""
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    yield
    for name in ("measured_games", "signature", "solvers"):
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


def test_solvers_are_measured(benchmarks, capsys):
    from solvers import MAIN_RULES, OTHER_RULES, main, rules_text

    assert main(["--deals", "20", "--node-budget", "20000", "--no-peer"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:3] for line in lines[2:4]] == [["draw", "3", "20"], ["draw", "1", "20"]]
    for line in lines[2:4]:
        *_, deals, solved, unsolvable, undecided, mean, _, p99, _ = line.replace(",", "").split()
        assert int(solved) + int(unsolvable) + int(undecided) == int(deals)
        assert 0 < float(mean) <= float(p99)
    assert lines[-2:] == ["disagreements:", "  none"]
    texts = [rules_text(rules) for rules in (*MAIN_RULES, *OTHER_RULES)]
    assert len(set(texts)) == len(texts)


def test_a_peer_is_asked_for_its_rules_and_its_disagreement_told(benchmarks, monkeypatch):
    from solvers import Answer, disagreements_of, peer_of_deals, peer_text

    from klondike.deck import deal
    from klondike.rules import Rules

    asked = []

    class Solitaire:
        def load_solitaire(self, text):
            asked.append(text)

        def reset_game(self):
            asked.append(self.draw_count)

        def solve_fast(self, max_closed_count):
            asked.append(max_closed_count)
            return SimpleNamespace(
                name=("SolvedMinimal", "Impossible", "CouldNotComplete")[len(asked) // 3 - 1]
            )

    monkeypatch.setitem(sys.modules, "pyksolve", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "pyksolve.solver", SimpleNamespace(Solitaire=Solitaire))
    decide = peer_of_deals(Rules(draw=3), 99)
    assert [decide(number)[0] for number in range(3)] == ["solved", "unsolvable", "unknown"]
    assert asked[:3] == [peer_text(deal(0, 2)), 3, 99]
    assert peer_text([0, 25, 51]) == "011132134"
    for rules in (Rules(draw=8), Rules(redeals=0), Rules(worrying_back=False)):
        assert peer_of_deals(rules, 99) is None
    monkeypatch.setitem(sys.modules, "pyksolve.solver", None)
    assert peer_of_deals(Rules(), 99) is None
    ours, its = (
        [Answer(outcome, 1, 1.0) for outcome in outcomes]
        for outcomes in (
            ("solved", "unsolvable", "unknown", "solved"),
            ("unsolvable", "unknown", "solved", "solved"),
        )
    )
    assert disagreements_of("x", ours, its) == ["x, deal 0: solved, the peer says unsolvable"]
