"""Intervals against scipy and exact sums, and rounding that never narrows them."""

import math
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest, norm

from dealstats.intervals import (
    Rate,
    format_percent_interval,
    mean_interval,
    round_outwards,
    win_rate_interval,
)

counts = st.integers(0, 10**9)
confidences = st.floats(0.5, 0.9999)


@given(won=counts, lost=counts, confidence=confidences)
def test_agrees_with_scipys_wilson_interval(won, lost, confidence):
    assume(won + lost > 0)
    expected = binomtest(won, won + lost).proportion_ci(confidence, method="wilson")
    rate = win_rate_interval(won, lost, confidence=confidence)
    assert (rate.low, rate.high) == pytest.approx(tuple(expected), rel=1e-9, abs=1e-12)


def test_few_wins_in_many_deals_keep_full_precision():
    # A case in which centre - half-width cancels: n = 10^12, one win. Low root in exact form.
    deals, z = 10**12, norm.ppf(0.975)
    expected = 1 / deals / (1 + z * z / 2 + z * math.sqrt(1 - 1 / deals + z * z / 4))
    assert win_rate_interval(1, deals - 1).low == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("probability", [0.02, 0.1, 0.25, 0.5, 0.82, 0.905])
@pytest.mark.parametrize("deals", [200, 1000])
def test_covers_the_true_rate_about_as_often_as_promised(deals, probability):
    hits = np.arange(deals + 1)
    covered = np.array(
        [
            rate.low <= probability <= rate.high
            for rate in (win_rate_interval(int(won), int(deals - won)) for won in hits)
        ]
    )
    coverage = binom.pmf(hits, deals, probability)[covered].sum()
    assert 0.93 <= coverage <= 0.97


@given(won=counts, lost=counts, unknown=counts)
def test_interval_holds_whatever_the_unknown_deals_turn_out_to_be(won, lost, unknown):
    rate = win_rate_interval(won, lost, unknown)
    assert rate.low == win_rate_interval(won, lost + unknown).low
    assert rate.high == win_rate_interval(won + unknown, lost).high
    assert 0 <= rate.low <= rate.point_low <= rate.point_high <= rate.high <= 1


@given(
    won=st.integers(0, 1000),
    lost=st.integers(0, 1000),
    unknown=st.integers(0, 1000),
    data=st.data(),
)
def test_deciding_a_deal_never_widens_the_interval(won, lost, unknown, data):
    decided_won = data.draw(st.integers(0, unknown))
    decided_lost = data.draw(st.integers(0, unknown - decided_won))
    before = win_rate_interval(won, lost, unknown)
    after = win_rate_interval(
        won + decided_won, lost + decided_lost, unknown - decided_won - decided_lost
    )
    assert before.low <= after.low
    assert after.high <= before.high


def test_no_deals_say_nothing():
    rate = win_rate_interval(0, 0)
    assert (rate.low, rate.high) == (0, 1)
    assert (rate.point_low, rate.point_high) == (0, 1)


def test_ends_are_exact_when_all_is_won_or_lost():
    assert win_rate_interval(0, 7).low == 0
    assert win_rate_interval(7, 0).high == 1


def test_published_half_width_is_reproduced():
    # 819,187 of 1,000,000 deals: about ±.075 percentage points.
    rate = win_rate_interval(819_187, 180_813)
    assert format_percent_interval(rate) == "[81.843, 81.995]"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"won": -1, "lost": 1}, "won must not be negative, not -1"),
        ({"won": 1, "lost": -2}, "lost must not be negative, not -2"),
        ({"won": 1, "lost": 1, "unknown": -3}, "unknown must not be negative, not -3"),
        ({"won": 1, "lost": 1, "confidence": 0}, "between 0 and 1, not 0"),
        ({"won": 1, "lost": 1, "confidence": 1}, "between 0 and 1, not 1"),
        ({"won": 1, "lost": 1, "confidence": math.nan}, "between 0 and 1, not nan"),
    ],
)
def test_impossible_counts_and_confidences_are_refused(arguments, complaint):
    with pytest.raises(ValueError, match=complaint):
        win_rate_interval(**arguments)


@given(
    score_counts=st.dictionaries(st.integers(-100, 1000), st.integers(0, 50), min_size=1),
    confidence=confidences,
)
def test_mean_interval_agrees_with_the_expanded_list(score_counts, confidence):
    scores = np.repeat(list(score_counts), list(score_counts.values()))
    assume(len(scores) > 1)
    low, mean, high = mean_interval(score_counts, confidence)
    half_width = norm.ppf((1 + confidence) / 2) * scores.std(ddof=1) / math.sqrt(len(scores))
    assert mean == pytest.approx(scores.mean())
    assert high - mean == pytest.approx(half_width, rel=1e-6, abs=1e-9)
    assert mean - low == pytest.approx(half_width, rel=1e-6, abs=1e-9)


def test_small_spread_around_a_large_score_is_not_lost():
    low, _, high = mean_interval({10**9: 50, 10**9 + 1: 50})
    assert (high - low) / 2 == pytest.approx(1.959964 * math.sqrt(25 / 99 / 100), rel=1e-5)


def test_mean_of_one_deal_has_no_limits_and_of_none_does_not_exist():
    assert mean_interval({12: 1}) == (-math.inf, 12, math.inf)
    with pytest.raises(ValueError, match="no deals"):
        mean_interval({12: 0})


@given(
    low=st.floats(-1000, 1000),
    width=st.floats(0, 1000),
    digits=st.integers(0, 6),
)
def test_rounding_outwards_never_narrows_and_moves_less_than_a_step(low, width, digits):
    high = low + width
    rounded_low, rounded_high = round_outwards(low, high, digits)
    step = Fraction(1, 10**digits)
    assert 0 <= Fraction(low) - Fraction(rounded_low) < step
    assert 0 <= Fraction(rounded_high) - Fraction(high) < step


@given(low=st.floats(0, 1), high=st.floats(0, 1), digits=st.integers(0, 6))
def test_per_cent_text_holds_the_interval(low, high, digits):
    low, high = sorted((low, high))
    text = format_percent_interval(Rate(low, high, 0, 0, 0), digits)
    shown_low, shown_high = (Fraction(limit) for limit in text.strip("[]").split(", "))
    assert shown_low <= 100 * Fraction(low)
    assert 100 * Fraction(high) <= shown_high
    assert all(len(limit.partition(".")[2]) == digits for limit in text.strip("[]").split(", "))


def test_per_cent_text_withstands_float_artefacts():
    # 0.29 is a little less than 29 % in binary, and 0.07 a little more than 7 %.
    assert format_percent_interval(Rate(0.29, 0.29, 0, 0, 0), digits=1) == "[28.9, 29.0]"
    assert format_percent_interval(Rate(0.07, 0.07, 0, 0, 0), digits=1) == "[7.0, 7.1]"
    assert format_percent_interval(Rate(0.0, 1.0, 0, 0, 0)) == "[0.000, 100.000]"


def test_statistics_are_free_of_the_slow_imports():
    program = (
        "import sys, dealstats.intervals, dealstats.scores;"
        "sys.exit(not {'pandas', 'matplotlib'}.isdisjoint(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
