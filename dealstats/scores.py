"""Statistics of a score over many deals, computed from the number of deals of each score."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dealstats.intervals import Rate, win_rate_interval


@dataclass(frozen=True)
class ScoreScale:
    """What the scores of a game mean.

    Parameters
    ----------
    unit : str
        What is counted, as in "12 cards left".
    lower_is_better : bool
        Whether fewer is better.
    thresholds : tuple of (str, int or None)
        Named limits, best first. "won" stands for the outcome of a deal wherever that is known;
        its limit is None if no score is that of just the won games.
    """

    unit: str
    lower_is_better: bool
    thresholds: tuple[tuple[str, int | None], ...]

    @property
    def limits(self) -> dict[str, int]:
        """The thresholds that are scores, best first."""
        return {name: limit for name, limit in self.thresholds if limit is not None}

    def reaches(self, score: int, limit: int) -> bool:
        """Whether a score is as good as the limit or better."""
        return score <= limit if self.lower_is_better else score >= limit


def mean_score(score_counts: Mapping[int, int]) -> float:
    """Mean score over all deals, in the unit of the scores; ValueError without deals."""
    deals = _number_of_deals(score_counts)
    return sum(score * count for score, count in score_counts.items()) / deals


def median_score(score_counts: Mapping[int, int]) -> float:
    """Median score over all deals, in the unit of the scores.

    Raises
    ------
    ValueError
        There is no deal.

    Examples
    --------
    Where an even number of deals is split between two scores, the median is their midpoint.

    >>> median_score({0: 1, 3: 1})
    1.5
    """
    deals = _number_of_deals(score_counts)
    lower = _score_at_rank(score_counts, (deals - 1) // 2)
    upper = _score_at_rank(score_counts, deals // 2)
    return (lower + upper) / 2


def share_reaching(
    score_counts: Mapping[int, int],
    scale: ScoreScale,
    limit: int,
    confidence: float = 0.95,
    unknown: int = 0,
) -> Rate:
    """Share of deals whose score is as good as a limit or better.

    Parameters
    ----------
    score_counts : mapping of int to int
        Number of deals of each score.
    scale : ScoreScale
        Says which scores are better.
    limit : int
        Worst score that counts.
    confidence : float
        Two-sided confidence level, between 0 and 1.
    unknown : int
        Number of deals whose score is only the best one found. As many of the deals short of the
        limit are counted as unknown, since each of them might yet reach it.

    Returns
    -------
    Rate
        The Wilson interval of `win_rate_interval`, a deal that reaches the limit being "won".
    """
    deals = sum(score_counts.values())
    reached = sum(count for score, count in score_counts.items() if scale.reaches(score, limit))
    undecided = min(unknown, deals - reached)
    return win_rate_interval(reached, deals - reached - undecided, undecided, confidence)


def cumulative_shares(
    score_counts: Mapping[int, int], scale: ScoreScale
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Share of deals at each score or better.

    Parameters
    ----------
    score_counts : mapping of int to int
        Number of deals of each score.
    scale : ScoreScale
        Says which scores are better.

    Returns
    -------
    scores : ndarray of int64, shape (n,)
        The scores that occur, ascending.
    shares : ndarray of float64, shape (n,)
        Share of deals, 0 to 1, at that score or better; 1 at the worst score.

    Raises
    ------
    ValueError
        There is no deal.
    """
    deals = _number_of_deals(score_counts)
    scores = sorted(score for score, count in score_counts.items() if count)
    counts = np.array([score_counts[score] for score in scores], dtype=np.int64)
    at_or_better = counts.cumsum() if scale.lower_is_better else counts[::-1].cumsum()[::-1]
    return np.array(scores, dtype=np.int64), at_or_better / deals


def add_counts(*score_counts: Mapping[int, int]) -> dict[int, int]:
    """Score counts of several disjoint sets of deals together, by ascending score."""
    total: Counter[int] = Counter()
    for counts in score_counts:
        total.update(counts)
    return dict(sorted(total.items()))


def _number_of_deals(score_counts: Mapping[int, int]) -> int:
    deals = sum(score_counts.values())
    if deals < 1:
        raise ValueError("no deals to take statistics of")
    return deals


def _score_at_rank(score_counts: Mapping[int, int], rank: int) -> int:
    """Score of the deal at this place, counted from 0, when deals are sorted by score."""
    for score, count in sorted(score_counts.items()):
        if rank < count:
            return score
        rank -= count
    raise ValueError("rank beyond the last deal")
