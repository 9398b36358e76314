"""How sure is the difference of two runs, A and B, on the same deals?

What deals have in common cancels out of a paired difference, so that far fewer of them show as
much as two independent samples would.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dealstats.deal_results import LOST, UNKNOWN, WON
from dealstats.intervals import mean_interval, normal_quantile

BISECTIONS = 60
"""More halve no interval of doubles between -1 and 1."""


@dataclass(frozen=True)
class RateDifference:
    """The win rate of A minus that of B.

    Parameters
    ----------
    low, high : float
        Limits of the interval, -1 to 1.
    p_value : float
        Of McNemar's exact test that the win rates are equal, 0 to 1.
    only_a, only_b : int
        Deals that one won and the other lost.
    unknown : int
        Deals of which at least one outcome is unknown.
    deals : int
        All pairs.
    """

    low: float
    high: float
    p_value: float
    only_a: int
    only_b: int
    unknown: int
    deals: int

    @property
    def point(self) -> float:
        """Observed difference, as if deals with an unknown outcome did not differ."""
        return (self.only_a - self.only_b) / self.deals if self.deals else 0.0


def count_pairs(outcomes_a: Iterable[str], outcomes_b: Iterable[str]) -> Counter[tuple[str, str]]:
    """Number of deals by both outcomes, ``(A, B)``.

    Parameters
    ----------
    outcomes_a, outcomes_b : iterable of str
        Outcomes of the same deals in the same order, as the letters of
        :mod:`dealstats.deal_results`.

    Raises
    ------
    ValueError
        They are not equally many.
    """
    return Counter(zip(outcomes_a, outcomes_b, strict=True))


def win_rate_difference(
    pairs: Mapping[tuple[str, str], int], confidence: float = 0.95
) -> RateDifference:
    """Interval and test of the difference of two win rates on the same deals.

    The interval is :func:`tango_interval`. Unknown outcomes count against A at its low end and
    for A at its high end, and the p-value is the highest that they leave possible. So both hold
    whatever the outcomes turn out to be.

    Parameters
    ----------
    pairs : mapping of (str, str) to int
        Number of deals by both outcomes; see :func:`count_pairs`.
    confidence : float
        Two-sided confidence level, between 0 and 1.

    Raises
    ------
    ValueError
        An outcome is none of the letters, a count is negative, or the confidence is not between
        0 and 1.
    """
    for pair, count in pairs.items():
        if not set(pair) <= {WON, LOST, UNKNOWN} or count < 0:
            raise ValueError(f"{count} deals with the outcomes {pair} cannot be")
    deals = sum(pairs.values())
    only_a, most_a = pairs.get((WON, LOST), 0), _may_be(pairs, WON, LOST)
    only_b, most_b = pairs.get((LOST, WON), 0), _may_be(pairs, LOST, WON)
    if only_a > most_b:
        p_value = mcnemar_p_value(only_a, most_b)
    elif only_b > most_a:
        p_value = mcnemar_p_value(most_a, only_b)
    else:  # the discordant deals may be equally many
        p_value = 1.0
    return RateDifference(
        low=tango_interval(only_a, most_b, deals, confidence)[0],
        high=tango_interval(most_a, only_b, deals, confidence)[1],
        p_value=p_value,
        only_a=only_a,
        only_b=only_b,
        unknown=sum(count for pair, count in pairs.items() if UNKNOWN in pair),
        deals=deals,
    )


def _may_be(pairs: Mapping[tuple[str, str], int], a: str, b: str) -> int:
    """Number of deals that end as ``(a, b)`` if all unknown outcomes fall that way."""
    return sum(pairs.get((x, y), 0) for x in (a, UNKNOWN) for y in (b, UNKNOWN))


def mcnemar_p_value(only_a: int, only_b: int) -> float:
    """Two-sided p-value of McNemar's test in its exact form, for any number of deals.

    If neither run is better, each deal that only one of them won is as likely to be A's as B's:
    `only_a` is binomial with probability 1/2. The p-value is twice the smaller tail, at most 1.

    References
    ----------
    Q. McNemar, "Note on the sampling error of the difference between correlated proportions or
    percentages", Psychometrika 12 (1947) 153-157.
    """
    discordant = only_a + only_b
    count = min(only_a, only_b)
    if 2 * count == discordant:
        return 1.0
    # From the largest term of the tail downwards, each from the one before.
    term = math.exp(
        math.lgamma(discordant + 1)
        - math.lgamma(count + 1)
        - math.lgamma(discordant - count + 1)
        - discordant * math.log(2)
    )
    tail = 0.0
    while term > tail * 1e-17:
        tail += term
        term *= count / (discordant - count + 1)
        count -= 1
    return min(1.0, 2 * tail)


def tango_interval(
    only_a: int, only_b: int, deals: int, confidence: float = 0.95
) -> tuple[float, float]:
    """Score interval of the difference of two proportions that were observed in pairs.

    It holds the differences that a score test does not reject, as Wilson's interval does for one
    proportion; for no difference that test is McNemar's. Without any deal it is [-1, 1].

    Parameters
    ----------
    only_a, only_b : int
        Deals that only A or only B won.
    deals : int
        All deals.
    confidence : float
        Two-sided confidence level, between 0 and 1.

    Returns
    -------
    low, high : float
        Limits of the share of A minus that of B.

    References
    ----------
    T. Tango, "Equivalence test and confidence interval for the difference in proportions for the
    paired-sample design", Statistics in Medicine 17 (1998) 891-908. Recommended by M. W.
    Fagerland, S. Lydersen and P. Laake, "Recommended tests and confidence intervals for paired
    binomial proportions", Statistics in Medicine 33 (2014) 2850-2875.

    Examples
    --------
    >>> low, high = tango_interval(1, 7, 21)
    >>> round(low, 3), round(high, 3)
    (-0.517, -0.026)
    """
    z = normal_quantile(confidence)
    return -_tango_high(only_b, only_a, deals, z), _tango_high(only_a, only_b, deals, z)


def _tango_high(only_a: int, only_b: int, deals: int, z: float) -> float:
    """The highest difference that is not rejected."""
    if deals == 0:
        return 1.0
    kept = (only_a - only_b) / deals
    rejected = 1.0
    for _ in range(BISECTIONS):
        difference = (kept + rejected) / 2
        if _tango_score(difference, only_a, only_b, deals) < -z:
            rejected = difference
        else:
            kept = difference
    return rejected


def _tango_score(difference: float, only_a: int, only_b: int, deals: int) -> float:
    """Standardized deviation of the observed difference from another one, above -1, below 1.

    The variance is that under the hypothesis, with the share of deals that only B wins at its
    most likely value there: a root of ``2 n q**2 + slope q + constant``.
    """
    slope = (2 * deals - only_a + only_b) * difference - only_a - only_b
    constant = -only_b * difference * (1 - difference)
    root = math.sqrt(slope * slope - 8 * deals * constant)
    share = (root - slope) / (4 * deals)
    variance = deals * (2 * share + difference * (1 - difference))
    deviation = only_a - only_b - deals * difference
    return deviation / math.sqrt(variance) if variance > 0 else math.copysign(math.inf, deviation)


def mean_difference_interval(
    scores_a: Sequence[int], scores_b: Sequence[int], confidence: float = 0.95
) -> tuple[float, float, float]:
    """Interval of the mean score of A minus that of B on the same deals.

    The normal interval of :func:`~dealstats.intervals.mean_interval` for the differences deal by
    deal.

    Parameters
    ----------
    scores_a, scores_b : sequence of int
        Scores of the same deals in the same order.
    confidence : float
        Two-sided confidence level, between 0 and 1.

    Returns
    -------
    low, mean, high : float
        In the unit of the scores; infinite limits for one deal.

    Raises
    ------
    ValueError
        There is no deal, they are not equally many, or the confidence is not between 0 and 1.
    """
    differences = Counter(a - b for a, b in zip(scores_a, scores_b, strict=True))
    return mean_interval(differences, confidence)
