"""Paired differences: against scipy, published figures and exhaustive small cases."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import binomtest, norm

from dealstats.pairing import (
    count_pairs,
    mcnemar_p_value,
    mean_difference_interval,
    tango_interval,
    win_rate_difference,
)

OUTCOMES = "wlu"
counts = st.integers(0, 400)


def pairs_of(*texts):
    """Pairs such as "wl" and how often each occurs."""
    return count_pairs(*zip(*texts, strict=True)) if texts else {}


def test_pairs_are_counted_in_order():
    assert count_pairs("wwlu", "lwlw") == {
        ("w", "l"): 1,
        ("w", "w"): 1,
        ("l", "l"): 1,
        ("u", "w"): 1,
    }
    with pytest.raises(ValueError, match="zip"):
        count_pairs("ww", "w")


# McNemar


@given(counts, counts)
def test_the_p_value_is_that_of_an_exact_binomial_test(only_a, only_b):
    expected = binomtest(only_a, only_a + only_b).pvalue if only_a + only_b else 1
    assert mcnemar_p_value(only_a, only_b) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("only_a", "only_b"), [(500_500, 500_000), (520_000, 500_000), (0, 10**6)])
def test_the_p_value_holds_for_large_numbers(only_a, only_b):
    expected = binomtest(only_a, only_a + only_b).pvalue
    assert mcnemar_p_value(only_a, only_b) == pytest.approx(expected, rel=1e-6)


# Tango's interval


@pytest.mark.parametrize(
    ("only_a", "only_b", "deals", "limits"),
    [
        # Fagerland, Lydersen and Laake 2014: airway hyper-responsiveness.
        (1, 7, 21, (-0.517, -0.026)),
        # By hand, as Wilson's interval: z^2 / (n + z^2).
        (0, 0, 10, (-0.278, 0.278)),
        (10, 0, 10, (0.445, 1.0)),
        (0, 0, 0, (-1, 1)),
    ],
)
def test_known_intervals(only_a, only_b, deals, limits):
    assert tango_interval(only_a, only_b, deals) == pytest.approx(limits, abs=5e-4)


def score_by_maximum_likelihood(difference, only_a, only_b, deals):
    """The score statistic, its nuisance parameter found by a numerical search."""

    def surprise(share):  # of B alone, given the difference
        shares = (share + difference, share, 1 - 2 * share - difference)
        counts = (only_a, only_b, deals - only_a - only_b)
        return -sum(n * math.log(max(p, 1e-300)) for n, p in zip(counts, shares, strict=True) if n)

    bounds = max(0.0, -difference), (1 - difference) / 2
    share = minimize_scalar(surprise, bounds=bounds, method="bounded", options={"xatol": 1e-12}).x
    variance = 2 * share + difference - difference**2
    return (only_a - only_b - deals * difference) / math.sqrt(deals * variance)


@pytest.mark.parametrize(
    ("only_a", "only_b", "deals"),
    [(1, 7, 21), (40, 20, 160), (3, 0, 50), (9, 11, 20), (5, 5, 1000)],
)
def test_limits_are_where_the_score_test_begins_to_reject(only_a, only_b, deals):
    z = norm.ppf(0.95)
    low, high = tango_interval(only_a, only_b, deals, confidence=0.9)
    point = (only_a - only_b) / deals
    arguments = (only_a, only_b, deals)
    assert low == pytest.approx(
        brentq(lambda d: score_by_maximum_likelihood(d, *arguments) - z, -0.999, point), abs=1e-5
    )
    assert high == pytest.approx(
        brentq(lambda d: score_by_maximum_likelihood(d, *arguments) + z, point, 0.999), abs=1e-5
    )


@given(only_a=counts, only_b=counts, agreed=counts)
def test_the_interval_agrees_with_the_test_without_exactness(only_a, only_b, agreed):
    low, high = tango_interval(only_a, only_b, only_a + only_b + agreed)
    score = (only_a - only_b) / math.sqrt(max(1, only_a + only_b))
    if abs(abs(score) - norm.ppf(0.975)) > 1e-9:
        assert (low <= 0 <= high) == (abs(score) < norm.ppf(0.975))


def test_for_many_deals_it_is_the_textbook_interval():
    low, high = tango_interval(200_000, 190_000, 1_000_000)
    spread = math.sqrt((0.39 - 0.01**2) / 1_000_000)
    assert (low, high) == pytest.approx(
        (0.01 - 1.95996 * spread, 0.01 + 1.95996 * spread), abs=1e-7
    )


def test_both_ends_rise_with_the_deals_of_a_and_fall_with_those_of_b():
    # What the honesty about unknown outcomes rests on.
    for deals in range(1, 15):
        for a, b in product(range(deals + 1), repeat=2):
            if a + b > deals:
                continue
            limits = tango_interval(a, b, deals)
            assert limits[0] <= (a - b) / deals <= limits[1]
            for more_a, less_b in ((1, 0), (0, 1), (1, 1)):
                if a + more_a + b - less_b <= deals and b >= less_b:
                    higher = tango_interval(a + more_a, b - less_b, deals)
                    assert higher[0] >= limits[0] - 1e-12
                    assert higher[1] >= limits[1] - 1e-12


# Differences with unknown outcomes


def test_without_unknown_outcomes():
    result = win_rate_difference(pairs_of("wl", "lw", *["lw"] * 6, *["ww"] * 5, *["ll"] * 8))
    assert (result.only_a, result.only_b, result.unknown, result.deals) == (1, 7, 0, 21)
    assert (result.low, result.high) == tango_interval(1, 7, 21)
    assert result.p_value == mcnemar_p_value(1, 7)
    assert result.point == pytest.approx(-6 / 21)


def test_unknown_outcomes_count_against_a_and_then_for_a():
    result = win_rate_difference(pairs_of("wl", "wl", "wu", "ul", "uu", "uw", "lu", "ww"))
    assert (result.only_a, result.only_b, result.unknown, result.deals) == (2, 0, 5, 8)
    assert result.low == tango_interval(2, 3, 8)[0]
    assert result.high == tango_interval(5, 0, 8)[1]
    assert result.p_value == 1


def ways_to_decide(texts):
    """All outcomes that pairs with unknown ones can come to."""
    choices = [["wl" if letter == "u" else letter for letter in text] for text in texts]
    return product(*(["".join(way) for way in product(*choice)] for choice in choices))


@given(st.lists(st.sampled_from([a + b for a, b in product(OUTCOMES, repeat=2)]), max_size=4))
def test_interval_and_p_value_hold_however_the_unknown_deals_end(texts):
    result = win_rate_difference(pairs_of(*texts))
    for decided in ways_to_decide(texts):
        truth = win_rate_difference(pairs_of(*decided))
        assert result.low <= truth.low <= truth.high <= result.high
        assert truth.p_value <= result.p_value + 1e-12


@given(st.lists(st.sampled_from([a + b for a, b in product(OUTCOMES, repeat=2)])))
def test_exchanged_runs_give_the_opposite(texts):
    result = win_rate_difference(pairs_of(*texts))
    other = win_rate_difference(pairs_of(*(text[::-1] for text in texts)))
    assert (other.low, other.high, other.point) == (-result.high, -result.low, -result.point)
    assert other.p_value == result.p_value


@pytest.mark.parametrize("pairs", [{("w", "x"): 1}, {("w", "w"): -1}])
def test_impossible_pairs_are_refused(pairs):
    with pytest.raises(ValueError, match="cannot be"):
        win_rate_difference(pairs)


# Scores


@given(st.lists(st.tuples(st.integers(-100, 800), st.integers(-100, 800)), min_size=2))
def test_scores_are_compared_by_their_differences(scores):
    a, b = zip(*scores, strict=True)
    differences = np.subtract(a, b)
    half_width = norm.ppf(0.995) * differences.std(ddof=1) / math.sqrt(len(scores))
    low, mean, high = mean_difference_interval(a, b, confidence=0.99)
    assert mean == pytest.approx(differences.mean(), abs=1e-9)
    assert (high - mean, mean - low) == pytest.approx((half_width, half_width), abs=1e-6)


def test_pairing_takes_out_what_the_deals_have_in_common():
    scores = list(range(1000))
    assert mean_difference_interval([s + 1 for s in scores], scores) == (1, 1, 1)
    with pytest.raises(ValueError, match="no deals"):
        mean_difference_interval([], [])
    with pytest.raises(ValueError, match="zip"):
        mean_difference_interval([1, 2], [1])
