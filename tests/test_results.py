"""The committed results are whole, and the documents say what they say."""

from pathlib import Path

import pytest

from dealstats.report import formatted_table
from dealstats.rows import read_rows, summed

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "experiments" / "results"
DEVILSGRIP = RESULTS / "devilsgrip_score_distribution.csv"
MILLION = 1_000_000
LIMITS = (2, 5, 10)


@pytest.mark.parametrize("rows_file", sorted(RESULTS.glob("*.csv")), ids=lambda path: path.stem)
def test_tables_are_those_of_the_rows(rows_file: Path) -> None:
    table = rows_file.with_suffix(".md").read_text(encoding="utf-8")
    assert table == formatted_table(read_rows(rows_file), "markdown")


def test_every_player_of_devilsgrip_played_a_million_deals_with_each_number_of_redeals() -> None:
    from devilsgrip.batch import VERSIONS
    from devilsgrip.players import PLAYERS

    totals = summed(read_rows(DEVILSGRIP))
    assert {(total.task.player, total.task.rules["redeals"]) for total in totals} == {
        (player, redeals) for player in PLAYERS for redeals in (0, 1, 2, None)
    }
    for total in totals:
        assert total.ranges == [(0, MILLION)]
        assert total.task.versions == VERSIONS


def test_the_readme_quotes_the_rows() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = [line.strip("| ").split(" | ") for line in readme.splitlines()]
    quoted = {(line[0], line[1]): line[2:] for line in lines if len(line) == 7}
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
            digits = len(text.partition(".")[2])
            assert float(text) == pytest.approx(value, abs=0.51 * 10**-digits)
    assert checked >= 10
