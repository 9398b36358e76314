"""Confidence intervals for win rates and mean scores, and their outward rounding."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from statistics import NormalDist


@dataclass(frozen=True)
class Rate:
    """The share of deals won, between two limits.

    There is no single estimate: while deals are unknown, the observed share itself lies anywhere
    between `point_low` and `point_high`.

    Parameters
    ----------
    low, high : float
        Limits of the interval, 0 to 1.
    won, lost, unknown : int
        Numbers of deals by outcome.
    """

    low: float
    high: float
    won: int
    lost: int
    unknown: int

    @property
    def deals(self) -> int:
        """Number of deals of any outcome."""
        return self.won + self.lost + self.unknown

    @property
    def point_low(self) -> float:
        """Observed share with every unknown deal counted as lost; 0 without deals."""
        return self.won / self.deals if self.deals else 0.0

    @property
    def point_high(self) -> float:
        """Observed share with every unknown deal counted as won; 1 without deals."""
        return (self.won + self.unknown) / self.deals if self.deals else 1.0


def win_rate_interval(won: int, lost: int, unknown: int = 0, confidence: float = 0.95) -> Rate:
    """Wilson score interval of a win rate, honest about unknown deals.

    Unknown deals count as lost at the low end and as won at the high end, so the interval holds
    whatever they turn out to be. Without any deal it is [0, 1].

    Parameters
    ----------
    won, lost, unknown : int
        Numbers of deals by outcome.
    confidence : float
        Two-sided confidence level, between 0 and 1.

    Returns
    -------
    Rate
        Limits as shares (0 to 1), with the counts they come from.

    Raises
    ------
    ValueError
        A count is negative, or the confidence is not between 0 and 1.

    References
    ----------
    E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
    Journal of the American Statistical Association 22 (1927) 209-212; no continuity correction.

    Examples
    --------
    >>> rate = win_rate_interval(won=819, lost=180, unknown=1)
    >>> format_percent_interval(rate, digits=1)
    '[79.3, 84.3]'
    """
    for name, count in (("won", won), ("lost", lost), ("unknown", unknown)):
        if count < 0:
            raise ValueError(f"{name} must not be negative, not {count}")
    z = normal_quantile(confidence)
    low = _wilson_low(won, lost + unknown, z)
    high = 1.0 - _wilson_low(lost, won + unknown, z)
    return Rate(low, high, won, lost, unknown)


def mean_interval(
    score_counts: Mapping[int, int], confidence: float = 0.95
) -> tuple[float, float, float]:
    """Normal-approximation interval of a mean score.

    Mean ± z·s/√n with the n - 1 variance s², which the central limit theorem justifies for the
    hundreds of deals and more that score tables rest on.

    Parameters
    ----------
    score_counts : mapping of int to int
        Number of deals of each score.
    confidence : float
        Two-sided confidence level, between 0 and 1.

    Returns
    -------
    low, mean, high : float
        In the unit of the scores. One deal says nothing about the spread: its limits are infinite.

    Raises
    ------
    ValueError
        There is no deal, or the confidence is not between 0 and 1.
    """
    z = normal_quantile(confidence)
    deals = sum(score_counts.values())
    if deals < 1:
        raise ValueError("no deals to take a mean of")
    total = sum(score * count for score, count in score_counts.items())
    mean = total / deals
    if deals == 1:
        return -math.inf, mean, math.inf
    # In whole numbers, so that large scores with a small spread lose nothing to cancellation.
    square_total = sum(score * score * count for score, count in score_counts.items())
    variance = (deals * square_total - total * total) / (deals * (deals - 1))
    half_width = z * math.sqrt(variance / deals)
    return mean - half_width, mean, mean + half_width


def round_outwards(low: float, high: float, digits: int) -> tuple[Decimal, Decimal]:
    """Round an interval to decimals without ever making it narrower.

    Parameters
    ----------
    low, high : float
        Finite limits.
    digits : int
        Decimals to keep.

    Returns
    -------
    low, high : Decimal
        The low limit rounded down and the high limit rounded up.
    """
    step = Decimal(1).scaleb(-digits)
    # Decimal(float) is exact, so only the true binary value decides which way it rounds.
    return Decimal(low).quantize(step, ROUND_FLOOR), Decimal(high).quantize(step, ROUND_CEILING)


def format_percent_interval(rate: Rate, digits: int = 3) -> str:
    """Text of an interval in per cent, rounded outwards: ``[81.901, 81.999]``."""
    # Rounded as a share before the shift to per cent: a float times 100 could round inwards.
    low, high = round_outwards(rate.low, rate.high, digits + 2)
    return f"[{low.scaleb(2):f}, {high.scaleb(2):f}]"


def normal_quantile(confidence: float) -> float:
    """Number of standard deviations either side of the mean that hold `confidence`."""
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, not {confidence}")
    return -NormalDist().inv_cdf((1 - confidence) / 2)


def _wilson_low(hits: int, misses: int, z: float) -> float:
    """Low limit of Wilson's interval; the high one is that of the misses, taken from 1.

    The textbook form, centre - half-width, subtracts nearly equal numbers when hits are few.
    Both limits solve a quadratic whose roots have the product hits² / (n (n + z²)); dividing it
    by the high root gives the low one to full precision.
    """
    if hits == 0:
        return 0.0
    deals = hits + misses
    spread = z * math.sqrt(hits * misses / deals + z * z / 4)
    return hits * hits / deals / (hits + z * z / 2 + spread)
