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
    """Outcome, score and nodes of each deal, in the order of the deals.

    Attributes
    ----------
    outcomes : str
        A letter for each deal: `WON`, `LOST` or `UNKNOWN`.
    scores : tuple of int
        As many, or none; of an unknown deal, the best score found.
    nodes : tuple of int
        As many, or none: search nodes.
    """

    outcomes: str
    scores: tuple[int, ...]
    nodes: tuple[int, ...] = ()

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

    def part(self, first: int, stop: int) -> "DealResults":
        """The results of some of the deals, counted from 0."""
        return DealResults(
            self.outcomes[first:stop], self.scores[first:stop], self.nodes[first:stop]
        )


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
        # Nodes of some deals alone would be taken for those of others.
        nodes=tuple(nodes for part in parts for nodes in part.nodes)
        if all(part.nodes for part in parts)
        else (),
    )


def format_deals(results: DealResults | None) -> str:
    """Three columns of a row: ``wlu,0 12 3,7 7 99``; all are empty for None."""
    if results is None:
        return ",,"
    return f"{results.outcomes},{_joined(results.scores)},{_joined(results.nodes)}"


def parse_deals(outcomes: str, scores: str, nodes: str) -> DealResults | None:
    """Read what :func:`format_deals` has written, column by column.

    Raises
    ------
    UnusableRows
        If an outcome, a score or nodes cannot be read.
    """
    if not (outcomes or scores or nodes):
        return None
    if not set(outcomes) <= {WON, LOST, UNKNOWN}:
        raise UnusableRows(f"outcomes have other letters than {WON}, {LOST} and {UNKNOWN}")
    results = DealResults(outcomes, _parted(scores), _parted(nodes))
    # int() takes more than plain numbers.
    if format_deals(results) != f"{outcomes},{scores},{nodes}":
        raise UnusableRows("scores or nodes are not plain whole numbers with a blank between")
    return results


def _joined(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _parted(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(" "))) if text else ()
