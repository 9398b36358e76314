"""Score tables: the right numbers in the frame, and texts that can be read and parsed back."""

import io
import re

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealstats.intervals import mean_interval, win_rate_interval
from dealstats.scores import ScoreScale
from dealstats.tables import Run, format_table, score_table

SCALE = ScoreScale("cards left", True, (("won", 0), ("good", 10)))


def make_run(won, lost, unknown=0, score_counts=None, **label):
    counts = score_counts or {0: won, 20: lost + unknown}
    return Run(label, won, lost, unknown, counts, seconds=1.0, nodes=10)


MILLION = make_run(12_030, 987_970, player="greedy", redeals="2")
HUNDRED = make_run(80, 17, 3, player="thoughtful")


def test_frame_holds_a_row_for_each_run_with_its_labels_first():
    frame = score_table([MILLION, HUNDRED], SCALE)
    assert list(frame.columns[:3]) == ["player", "redeals", "deals"]
    assert frame["player"].tolist() == ["greedy", "thoughtful"]
    assert frame["redeals"].tolist() == ["2", ""]
    assert frame["deals"].tolist() == [1_000_000, 100]


def test_frame_numbers_are_those_of_the_statistics():
    run = make_run(3, 4, score_counts={0: 3, 9: 1, 11: 3}, player="x")
    row = score_table([run], SCALE, confidence=0.9).iloc[0]
    _, mean, high = mean_interval(run.score_counts, 0.9)
    assert row["mean cards left"] == mean
    assert row["mean cards left ±"] == high - mean
    assert row["median cards left"] == 9
    won, good = win_rate_interval(3, 4, confidence=0.9), win_rate_interval(4, 3, confidence=0.9)
    for name, rate in (("won", won), ("good", good)):
        assert row[f"{name} %"] == pytest.approx(100 * rate.point_low)
        assert row[f"{name} % low"] == pytest.approx(100 * rate.low)
        assert row[f"{name} % high"] == pytest.approx(100 * rate.high)


def test_won_goes_by_the_outcome_and_not_by_the_score():
    points = ScoreScale("points", False, (("won", 700),))
    row = score_table([make_run(1, 3, score_counts={700: 4})], points).iloc[0]
    assert row["won %"] == 25


def test_won_needs_no_score_of_its_own():
    points = ScoreScale("points", False, (("won", None),))
    row = score_table([make_run(1, 3, score_counts={700: 4})], points).iloc[0]
    assert row["won %"] == 25


def test_unknown_deals_widen_every_share_and_show_in_a_column_only_if_there_are_any():
    assert "unknown" not in score_table([MILLION], SCALE)
    frame = score_table([MILLION, HUNDRED], SCALE)
    assert frame["unknown"].tolist() == [0, 3]
    expected = win_rate_interval(80, 17, 3)
    for name in ("won", "good"):
        assert frame[f"{name} % high"][1] == pytest.approx(100 * expected.high)


def test_text_reads_as_a_table():
    scale = ScoreScale("points", False, (("won", 700),))
    frame = score_table([MILLION, make_run(80, 20, player="thoughtful")], scale)
    assert format_table(frame, "text").splitlines() == [
        "player      redeals      deals       mean points  median points                 won %",
        "----------  -------  ---------  ----------------  -------------  --------------------",
        "greedy      2        1,000,000  19.7594 ± 0.0043             20  1.203 [1.181, 1.225]",
        "thoughtful                 100         4.0 ± 1.6              0     80.0 [71.1, 86.7]",
    ]


def test_markdown_is_a_table_aligned_in_its_source():
    run = make_run(1, 3, player="a|b")
    lines = format_table(score_table([MILLION, run], SCALE), "markdown").splitlines()
    assert len({len(line) for line in lines}) == 1
    assert all(line.startswith("| ") and line.endswith(" |") for line in lines)
    cells = [[cell.strip() for cell in line.replace(r"\|", "¦")[1:-1].split("|")] for line in lines]
    assert {len(row) for row in cells} == {7}
    assert cells[3][0] == "a¦b"
    rules = cells[1]
    assert all(set(rule.strip(":")) == {"-"} and len(rule) >= 3 for rule in rules)
    assert [rule[-1] == ":" for rule in rules] == [False, False, True, True, True, True, True]
    assert cells[2][2] == "1,000,000"


def test_csv_gives_the_frame_back():
    frame = score_table([MILLION, HUNDRED], SCALE)
    text = format_table(frame, "csv")
    again = pd.read_csv(io.StringIO(text), dtype={"redeals": str}, keep_default_na=False)
    pd.testing.assert_frame_equal(again, frame, check_dtype=False)
    assert "1000000" in text


@given(won=st.integers(0, 3000), lost=st.integers(2, 3000), unknown=st.integers(0, 50))
def test_shown_intervals_hold_the_exact_ones(won, lost, unknown):
    frame = score_table(
        [make_run(won, lost, unknown)], ScoreScale("cards left", True, (("won", 0),))
    )
    exact = frame.iloc[0]
    row = format_table(frame, "text").splitlines()[2]
    mean, half_width = map(float, re.search(r"(\S+) ± (\S+)", row).groups())
    share, low, high = map(float, re.search(r"(\S+) \[(\S+), (\S+)\]", row).groups())
    assert low <= exact["won % low"] <= exact["won % high"] <= high
    assert low <= share <= high
    exact_mean, exact_half_width = exact["mean cards left"], exact["mean cards left ±"]
    assert mean - half_width <= exact_mean - exact_half_width + 1e-9
    assert exact_mean + exact_half_width <= mean + half_width + 1e-9


def test_a_midpoint_median_shows_its_half():
    odd, even = make_run(1, 1, score_counts={0: 1, 3: 1}), make_run(0, 1, score_counts={7: 1})
    lines = format_table(score_table([odd, even], SCALE), "text").splitlines()
    assert " 1.5 " in lines[2]
    assert " 7.0 " in lines[3]


def test_one_deal_leaves_the_mean_open():
    assert "7.0 ± ∞" in format_table(
        score_table([make_run(0, 1, score_counts={7: 1})], SCALE), "text"
    )


def test_a_run_whose_counts_disagree_is_refused():
    with pytest.raises(ValueError, match="3 deals have outcomes but 2 have scores"):
        make_run(1, 2, score_counts={0: 2})


def test_tables_of_nothing_are_refused():
    with pytest.raises(ValueError, match="no runs"):
        score_table([], SCALE)
    with pytest.raises(ValueError, match="no deals"):
        score_table([make_run(0, 0, score_counts={5: 0})], SCALE)


def test_unknown_formats_are_refused():
    with pytest.raises(ValueError, match="'html'"):
        format_table(score_table([MILLION], SCALE), "html")
