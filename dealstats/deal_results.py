"""What became of every single deal of a block; kept only where it is asked for."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dealstats.errors import UnusableRows

WON, LOST, UNKNOWN = "w", "l", "u"
"""The letters of the outcomes."""


class DealResults(NamedTuple):
    """Outcome and score of each deal, in the order of the deals.

    Attributes
    ----------
    outcomes : str
        A letter for each deal: `WON`, `LOST` or `UNKNOWN`.
    scores : tuple of int
        As many, or none; of an unknown deal, the best score found.
    """

    outcomes: str
    scores: tuple[int, ...]

    @property
    def won(self) -> int:
        """Deals won."""
        return self.outcomes.count(WON)

    @property
    def lost(self) -> int:
        """Deals lost."""
        return self.outcomes.count(LOST)

    @property
    def unknown(self) -> int:
        """Deals of which nobody knows yet."""
        return self.outcomes.count(UNKNOWN)

    @property
    def score_counts(self) -> dict[int, int]:
        """Deals by score, scores ascending."""
        return dict(sorted(Counter(self.scores).items()))


def played_deals(won: NDArray[Any], scores: NDArray[Any]) -> DealResults:
    """The results of games that were played to their end: each is won or lost.

    Parameters
    ----------
    won : (deals,) array
        Whether each deal was won.
    scores : (deals,) array of int
    """
    letters = np.where(won, ord(WON), ord(LOST)).astype(np.uint8)
    return DealResults(letters.tobytes().decode(), tuple(scores.tolist()))


def joined_deals(parts: Iterable[DealResults]) -> DealResults:
    """The results of blocks that follow each other, as those of one block."""
    parts = list(parts)
    return DealResults(
        outcomes="".join(part.outcomes for part in parts),
        scores=tuple(score for part in parts for score in part.scores),
    )


def format_deals(results: DealResults | None) -> str:
    """Two columns of a row: ``wlu,0 12 3``; both are empty for None."""
    if results is None:
        return ","
    return f"{results.outcomes},{' '.join(map(str, results.scores))}"


def parse_deals(outcomes: str, scores: str) -> DealResults | None:
    """Read what :func:`format_deals` has written, column by column.

    Raises
    ------
    UnusableRows
        If an outcome or a score cannot be read.
    """
    if not outcomes and not scores:
        return None
    if not set(outcomes) <= {WON, LOST, UNKNOWN}:
        raise UnusableRows(f"outcomes have other letters than {WON}, {LOST} and {UNKNOWN}")
    results = DealResults(outcomes, tuple(map(int, scores.split(" "))) if scores else ())
    if format_deals(results) != f"{outcomes},{scores}":  # int() takes more than plain numbers
        raise UnusableRows("scores are not plain whole numbers with a blank between")
    return results
