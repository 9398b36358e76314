"""Score tables: one row per run, as a frame of numbers and as text to read."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from typing import Literal, NamedTuple

import pandas as pd

from dealstats.intervals import Rate, mean_interval, round_outwards, win_rate_interval
from dealstats.scores import ScoreScale, median_score, share_reaching

P_VALUE = "p"
"""The column of p-values: shown with three significant digits."""


@dataclass(frozen=True)
class Run:
    """What one player or solver made of a set of deals.

    Parameters
    ----------
    label : mapping of str to str
        What sets the run apart, such as ``{"player": "greedy", "redeals": "2"}``.
    won, lost, unknown : int
        Numbers of deals by outcome.
    score_counts : mapping of int to int
        Number of deals of each score; of an unknown deal, the best score found. Empty if the run
        has no scores.
    seconds : float
        Computing time of all deals together.
    nodes : int
        Search nodes of all deals together.

    Raises
    ------
    ValueError
        The outcomes and the scores do not count the same number of deals.
    """

    label: Mapping[str, str]
    won: int
    lost: int
    unknown: int
    score_counts: Mapping[int, int]
    seconds: float
    nodes: int

    def __post_init__(self) -> None:
        scored = sum(self.score_counts.values())
        if scored not in (0, self.deals):
            raise ValueError(f"{self.deals} deals have outcomes but {scored} have scores")

    @property
    def deals(self) -> int:
        """Number of deals of any outcome."""
        return self.won + self.lost + self.unknown


def score_table(runs: Sequence[Run], scale: ScoreScale, confidence: float = 0.95) -> pd.DataFrame:
    """Compare runs by their scores and the shares of deals that reach each threshold.

    Parameters
    ----------
    runs : sequence of Run
        One row each, in this order.
    scale : ScoreScale
        Unit, direction and thresholds of the scores.
    confidence : float
        Two-sided confidence level of all intervals, between 0 and 1.

    Returns
    -------
    pandas.DataFrame
        Unrounded numbers. After a column for each label:

        ``deals``
            number of deals;
        ``mean UNIT``, ``mean UNIT ±``
            mean score and the half-width of its interval;
        ``median UNIT``
            median score;
        ``NAME %``, ``NAME % low``, ``NAME % high``
            for each threshold, the share of deals known to reach it and its interval, per cent;
            unknown deals widen it upwards. "won" goes by the outcomes, not by the scores;
        ``unknown``
            number of unknown deals, if any run has one.

        A run without scores leaves gaps (NaN); columns of nothing else are left out.

    Raises
    ------
    ValueError
        There is no run, or a run without deals.
    """
    if not runs:
        raise ValueError("no runs to tabulate")
    label_names = dict.fromkeys(name for run in runs for name in run.label)
    frame = pd.DataFrame(
        {name: run.label.get(name, "") for name in label_names} | _numbers(run, scale, confidence)
        for run in runs
    ).dropna(axis="columns", how="all")
    if any(run.unknown for run in runs):
        frame["unknown"] = [run.unknown for run in runs]
    return frame


def format_table(frame: pd.DataFrame, format: Literal["text", "markdown", "csv"]) -> str:
    """Write a score table out.

    Parameters
    ----------
    frame : pandas.DataFrame
        As made by `score_table`.
    format : {"text", "markdown", "csv"}
        "csv" keeps every column at full precision. The other two join a number with its interval,
        rounded outwards, and show as many decimals as the width of that interval warrants.

    Returns
    -------
    str
        Lines that each end in a newline.

    Raises
    ------
    ValueError
        The format is not one of the three.
    """
    if format == "csv":
        return frame.to_csv(index=False, lineterminator="\n")
    if format == "text":
        return _text_lines(_shown_columns(frame))
    if format == "markdown":
        return _markdown_lines(_shown_columns(frame))
    raise ValueError(f"unknown table format {format!r} (text, markdown or csv)")


def _numbers(run: Run, scale: ScoreScale, confidence: float) -> dict[str, float]:
    mean = high = median = math.nan
    if run.score_counts:
        _, mean, high = mean_interval(run.score_counts, confidence)
        median = median_score(run.score_counts)
    numbers = {
        "deals": run.deals,
        f"mean {scale.unit}": mean,
        f"mean {scale.unit} ±": high - mean,
        f"median {scale.unit}": median,
    }
    for name, _ in scale.thresholds:
        rate = _threshold_rate(run, scale, name, confidence)
        numbers[f"{name} %"] = 100 * rate.won / rate.deals
        numbers[f"{name} % low"] = 100 * rate.low
        numbers[f"{name} % high"] = 100 * rate.high
    return numbers


def _threshold_rate(run: Run, scale: ScoreScale, name: str, confidence: float) -> Rate:
    if name == "won":
        return win_rate_interval(run.won, run.lost, run.unknown, confidence)
    return share_reaching(run.score_counts, scale, scale.limits[name], confidence, run.unknown)


class _Column(NamedTuple):
    """A column as shown: its header and cells, and whether they stand to the right."""

    header: str
    cells: list[str]
    right: bool

    @property
    def width(self) -> int:
        """Characters of the widest cell, but room for a Markdown rule such as ``:--``."""
        return max(3, *(len(cell) for cell in (self.header, *self.cells)))

    def pad(self, cell: str) -> str:
        return cell.rjust(self.width) if self.right else cell.ljust(self.width)

    def escaped(self) -> "_Column":
        """The same column with the bars that would end a Markdown cell made harmless."""
        cells = [cell.replace("|", r"\|") for cell in self.cells]
        return self._replace(header=self.header.replace("|", r"\|"), cells=cells)


def _shown_columns(frame: pd.DataFrame) -> list[_Column]:
    joined = {f"{name}{end}" for name in frame for end in (" ±", " low", " high")}
    return [_shown_column(frame, name) for name in frame if name not in joined]


def _shown_column(frame: pd.DataFrame, name: str) -> _Column:
    values = frame[name]
    cells: Iterable[str]
    if values.isna().any():
        known = _shown_column(frame[values.notna()], name)
        cells = iter(known.cells)
        return known._replace(cells=["" if gap else next(cells) for gap in values.isna()])
    if f"{name} ±" in frame:
        cells = map(_mean_text, values, frame[f"{name} ±"])
    elif f"{name} low" in frame:
        cells = map(_share_text, values, frame[f"{name} low"], frame[f"{name} high"])
    elif name == P_VALUE:
        cells = map(_p_text, values)
    elif pd.api.types.is_float_dtype(values):
        # One decimal shows a midpoint; where a column has none, the decimal would be noise.
        digits = 0 if values.mod(1).eq(0).all() else 1
        cells = (f"{value:,.{digits}f}" for value in values)
    elif pd.api.types.is_integer_dtype(values):
        cells = (f"{value:,}" for value in values)
    else:
        return _Column(name, [str(value) for value in values], right=False)
    return _Column(name, list(cells), right=True)


def _mean_text(mean: float, half_width: float) -> str:
    """A mean ± its half-width, widened so that the rounded interval holds the exact one."""
    if math.isinf(half_width):
        return f"{mean:,.1f} ± ∞"
    step = Decimal(1).scaleb(-_decimals(half_width))
    shown = Decimal(mean).quantize(step)
    widened = Decimal(half_width) + abs(shown - Decimal(mean))
    return f"{shown:,f} ± {widened.quantize(step, ROUND_CEILING):,f}"


def _share_text(percent: float, low: float, high: float) -> str:
    digits = _decimals((high - low) / 2)
    rounded_low, rounded_high = round_outwards(low, high, digits)
    return f"{percent:.{digits}f} [{rounded_low:f}, {rounded_high:f}]"


def _p_text(p_value: float) -> str:
    return f"{p_value:.3g}" if p_value >= 0.0001 else "< 0.0001"


def _decimals(half_width: float) -> int:
    """Decimals that show two significant digits of the half-width, at least one."""
    if half_width == 0:
        return 1
    return max(1, 1 - math.floor(math.log10(half_width)))


def _text_lines(columns: list[_Column]) -> str:
    header, *rows = _padded_rows(columns)
    rule = ["-" * column.width for column in columns]
    return "".join("  ".join(row).rstrip() + "\n" for row in (header, rule, *rows))


def _markdown_lines(columns: list[_Column]) -> str:
    columns = [column.escaped() for column in columns]
    header, *rows = _padded_rows(columns)
    rule = [
        "-" * (column.width - 1) + ":" if column.right else ":" + "-" * (column.width - 1)
        for column in columns
    ]
    return "".join(f"| {' | '.join(row)} |\n" for row in (header, rule, *rows))


def _padded_rows(columns: list[_Column]) -> list[list[str]]:
    """Header and rows as cells of equal width."""
    by_column = [
        [column.pad(cell) for cell in (column.header, *column.cells)] for column in columns
    ]
    return [list(row) for row in zip(*by_column, strict=True)]
