"""Score statistics against the same statistics of the expanded list of scores."""

import statistics
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealstats.intervals import win_rate_interval
from dealstats.scores import (
    ScoreScale,
    add_counts,
    cumulative_shares,
    mean_score,
    median_score,
    share_reaching,
)

CARDS_LEFT = ScoreScale("cards left", True, (("won", 0), ("good", 10)))
POINTS = ScoreScale("points", False, (("won", 700), ("good", 300)))

score_lists = st.lists(st.integers(-20, 100), min_size=1, max_size=60)
scales = st.sampled_from([CARDS_LEFT, POINTS])
limits = st.integers(-25, 105)


def test_reaching_a_limit_follows_the_direction_of_the_scale():
    assert [CARDS_LEFT.reaches(score, 10) for score in (9, 10, 11)] == [True, True, False]
    assert [POINTS.reaches(score, 10) for score in (9, 10, 11)] == [False, True, True]


@given(scores=score_lists)
def test_mean_and_median_are_those_of_the_list(scores):
    assert mean_score(Counter(scores)) == pytest.approx(statistics.mean(scores))
    assert median_score(Counter(scores)) == statistics.median(scores)


def test_median_of_an_even_split_is_the_midpoint_even_across_a_gap():
    assert median_score({0: 5, 4: 0, 9: 5}) == 4.5
    assert median_score({0: 5, 9: 6}) == 9


@given(scores=score_lists, scale=scales, limit=limits)
def test_share_reaching_counts_the_limit_itself(scores, scale, limit):
    reached = sum(score <= limit if scale is CARDS_LEFT else score >= limit for score in scores)
    rate = share_reaching(Counter(scores), scale, limit, confidence=0.9)
    assert rate == win_rate_interval(reached, len(scores) - reached, confidence=0.9)


@given(scores=score_lists, scale=scales, limit=limits, data=st.data())
def test_share_reaching_allows_unknown_deals_to_improve(scores, scale, limit, data):
    unknown = data.draw(st.integers(0, len(scores)))
    certain = share_reaching(Counter(scores), scale, limit)
    rate = share_reaching(Counter(scores), scale, limit, unknown=unknown)
    assert rate.won == certain.won
    assert rate.deals == len(scores)
    assert rate.low == certain.low
    assert rate.high >= certain.high
    assert rate.unknown == min(unknown, certain.lost)


@given(scores=score_lists, scale=scales)
def test_cumulative_shares_are_the_share_of_the_list_at_each_score_or_better(scores, scale):
    at, shares = cumulative_shares({**Counter(scores), 999: 0}, scale)
    assert at.tolist() == sorted(set(scores))
    for score, share in zip(at, shares, strict=True):
        assert share == np.mean([scale.reaches(other, score) for other in scores])
    assert max(shares) == 1
    assert shares[-1 if scale.lower_is_better else 0] == 1


@given(parts=st.lists(score_lists, max_size=4))
def test_added_counts_are_those_of_all_deals_together(parts):
    together = add_counts(*map(Counter, parts))
    assert together == Counter(score for part in parts for score in part)
    assert list(together) == sorted(together)


def test_adding_leaves_its_arguments_alone():
    first = {3: 1}
    add_counts(first, {3: 2})
    assert first == {3: 1}


@pytest.mark.parametrize("counts", [{}, {5: 0}])
def test_statistics_of_no_deals_are_refused(counts):
    for statistic in (mean_score, median_score):
        with pytest.raises(ValueError, match="no deals"):
            statistic(counts)
    with pytest.raises(ValueError, match="no deals"):
        cumulative_shares(counts, CARDS_LEFT)
