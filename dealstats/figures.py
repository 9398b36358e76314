"""Figures of score distributions and win rates, drawn without a display and saved reproducibly."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from dealstats.errors import InputError
from dealstats.intervals import win_rate_interval
from dealstats.scores import ScoreScale, cumulative_shares
from dealstats.tables import Run

if TYPE_CHECKING:
    from matplotlib.typing import RcKeyType

# Okabe and Ito, "Color Universal Design" (2008), for every kind of colour vision; without their
# yellow, which is too pale for a line on white.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000")
LINE_STYLES = ("-", "--", ":")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
PANEL_WIDTH = 4.0  # inches

STYLE: "dict[RcKeyType, Any]" = {
    "figure.dpi": 100,
    "savefig.dpi": 200,
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "dealstats",  # element names in an SVG file are random without it
}

# The metadata that name the moment or the version of matplotlib, left out.
METADATA: dict[str, dict[str, None]] = {
    ".png": {"Software": None},
    ".svg": {"Date": None, "Creator": None},
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


def plot_score_distribution(
    runs: Sequence[Run],
    scale: ScoreScale,
    title: str | None = None,
    shown_scores: tuple[int, int] | None = None,
) -> Figure:
    """Draw which share of the deals comes to each score or better, one line a run.

    Parameters
    ----------
    runs : sequence of Run
        One line each. The legend names them by the labels in which they differ.
    scale : ScoreScale
        Unit and direction of the scores; its thresholds are marked by thin vertical lines.
    title : str, optional
        Title above the figure.
    shown_scores : (int, int), optional
        Lowest and highest score on the axis, where rare scores far out would squeeze the others;
        by default it holds all scores and thresholds.

    Returns
    -------
    matplotlib.figure.Figure
        Independent of pyplot and of any display.

    Raises
    ------
    ValueError
        There is no run, or a run without deals.
    """
    if not runs:
        raise ValueError("no runs to plot")
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7.5, 4.8), layout="constrained")  # inches
        axes = figure.add_subplot()
        _set_up_axes(axes, scale, shown_scores or _all_scores(runs, scale))
        _mark_thresholds(axes, scale)
        for number, run in enumerate(runs):
            _draw_run(axes, run, scale, number)
        names = _telling_labels(runs)
        entries = [", ".join(filter(None, (run.label.get(name) for name in names))) for run in runs]
        _add_legend(figure, axes.get_lines()[-len(runs) :], entries, ", ".join(names))
        _finish(figure, title)
    return figure


def plot_win_rates(
    runs: Sequence[Run], along: str, panels: str, title: str | None = None
) -> Figure:
    """Draw win rates with their 95 % intervals along one setting, for each value of another.

    Parameters
    ----------
    runs : sequence of Run
        Those that agree in all labels but `along` make a line.
    along : str
        The label whose values, in the order of the runs, are the places on the horizontal axis.
    panels : str
        The label that has a panel for each of its values.
    title : str, optional
        Title above the figure.

    Returns
    -------
    matplotlib.figure.Figure
        Independent of pyplot and of any display.

    Raises
    ------
    ValueError
        There is no run.
    """
    if not runs:
        raise ValueError("no runs to plot")
    places, values = _values(runs, along), _values(runs, panels)
    lines: dict[str, list[Run]] = {}
    for run in runs:
        lines.setdefault(_other_labels(run, along, panels), []).append(run)
    with matplotlib.rc_context(STYLE):
        width = PANEL_WIDTH * max(2, len(values))
        figure = Figure(figsize=(width, 4.2), layout="constrained")  # inches
        all_axes = figure.subplots(1, len(values), sharey=True, squeeze=False)[0]
        for axes, value in zip(all_axes, values, strict=True):
            for number, line in enumerate(lines.values()):
                shown = [run for run in line if run.label.get(panels, "") == value]
                _draw_win_rates(axes, shown, along, places, number)
            _set_up_rate_axes(axes, along, places)
            axes.set_title(f"{panels} {value}" if value else "", fontsize="medium")
        all_axes[0].set_ylabel("share of deals won")
        _add_legend(figure, all_axes[0].containers, list(lines))
        _finish(figure, title)
    return figure


def save_figure(figure: Figure, path: str | Path) -> None:
    """Write a figure as PNG, SVG or PDF, by the suffix of the path.

    The same figure gives the same bytes, whenever it is saved.

    Raises
    ------
    InputError
        The suffix is not .png, .svg or .pdf.
    OSError
        The file cannot be written.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in METADATA:
        raise InputError(f"cannot tell a figure format from '{path}' (use .png, .svg or .pdf)")
    with matplotlib.rc_context(STYLE):
        figure.savefig(path, metadata=METADATA[suffix])


def _finish(figure: Figure, title: str | None) -> None:
    """Lay a figure out, once and for all: each further drawing would shift everything a little."""
    if title is not None:
        figure.suptitle(title)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")


def _all_scores(runs: Sequence[Run], scale: ScoreScale) -> tuple[int, int]:
    """The lowest and the highest of all scores and thresholds, and zero."""
    limits = scale.limits.values()
    scores = [score for run in runs for score, count in run.score_counts.items() if count]
    return min(0, *scores, *limits), max(1, *scores, *limits)


def _set_up_axes(axes: Axes, scale: ScoreScale, shown_scores: tuple[int, int]) -> None:
    lowest, highest = shown_scores
    margin = 0.015  # share of the axes that keeps lines along the border in full view
    axes.set_xlim(lowest - margin * (highest - lowest), highest + margin * (highest - lowest))
    axes.set_ylim(-margin, 1 + margin)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(PercentFormatter(xmax=1, decimals=0, symbol=" %"))
    axes.grid(axis="y", color="0.9", linewidth=0.8)
    axes.set_axisbelow(True)
    bound = "at most" if scale.lower_is_better else "at least"
    axes.set_xlabel(f"{bound} this many {scale.unit}")
    axes.set_ylabel("share of deals")


def _mark_thresholds(axes: Axes, scale: ScoreScale) -> None:
    """Draw a thin line at each threshold and write its name above the axes.

    Names of close thresholds are pushed apart, away from the best one; a slanted stroke still
    leads from each to its line.
    """
    left, right = axes.get_xlim()
    direction = 1 if scale.lower_is_better else -1
    gap = 0.03 * (right - left)  # width of an upright name
    place = -np.inf
    for name, limit in sorted(scale.limits.items(), key=lambda threshold: direction * threshold[1]):
        place = max(direction * limit, place + gap)
        axes.axvline(limit, color="0.6", linewidth=0.8, zorder=1)
        axes.annotate(
            name,
            xy=(limit, 1.0),
            xytext=(direction * place, 1.04),
            xycoords=axes.get_xaxis_transform(),
            rotation=90,
            ha="center",
            va="bottom",
            fontsize="small",
            color="0.3",
            arrowprops={
                "arrowstyle": "-",
                "color": "0.6",
                "linewidth": 0.8,
                "shrinkB": 0,
                "relpos": (0.5, 0),
            },
        )


def _draw_run(axes: Axes, run: Run, scale: ScoreScale, number: int) -> None:
    scores, shares = cumulative_shares(run.score_counts, scale)
    left, right = axes.get_xlim()
    share_left, share_right = (0, 1) if scale.lower_is_better else (1, 0)
    axes.step(
        np.concatenate(([left], scores, [right])),
        np.concatenate(([share_left], shares, [share_right])),
        # Between two scores the share is that of the better one.
        where="post" if scale.lower_is_better else "pre",
        color=COLOURS[number % len(COLOURS)],
        linestyle=LINE_STYLES[number // len(COLOURS) % len(LINE_STYLES)],
        linewidth=1.8,
    )


def _set_up_rate_axes(axes: Axes, along: str, places: Sequence[str]) -> None:
    margin = 0.25  # of the distance between two places
    axes.set_xlim(-margin, len(places) - 1 + margin)
    axes.set_ylim(bottom=0)
    axes.set_xticks(range(len(places)), places)
    axes.yaxis.set_major_formatter(PercentFormatter(xmax=1, symbol=" %"))
    axes.grid(axis="y", color="0.9", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_xlabel(along)


def _draw_win_rates(
    axes: Axes, runs: Sequence[Run], along: str, places: Sequence[str], number: int
) -> None:
    """Draw a line through the shares known to be won, with Wilson's interval at each."""
    rates = [win_rate_interval(run.won, run.lost, run.unknown) for run in runs]
    axes.errorbar(
        [places.index(run.label.get(along, "")) for run in runs],
        [rate.point_low for rate in rates],
        yerr=[
            [rate.point_low - rate.low for rate in rates],
            [rate.high - rate.point_low for rate in rates],
        ],
        color=COLOURS[number % len(COLOURS)],
        marker=MARKERS[number % len(MARKERS)],
        linestyle=LINE_STYLES[number % len(LINE_STYLES)],
        linewidth=1.8,
        markersize=6,
        capsize=4,
        clip_on=False,  # where nothing is won, markers are whole
        zorder=3,  # and before the axis
    )


def _add_legend(
    figure: Figure, handles: Sequence[Any], entries: Sequence[str], title: str | None = None
) -> None:
    if not any(entries):
        return
    columns = max(1, min(3, 75 // max(map(len, entries))))
    # Outside of the axes no line can run through it; the figure grows so as not to squeeze them.
    figure.set_figheight(figure.get_figheight() + 0.22 * math.ceil(len(entries) / columns))
    figure.legend(
        handles,
        entries,
        title=title,
        loc="outside lower center",
        ncols=columns,
        frameon=False,
    )


def _telling_labels(runs: Sequence[Run]) -> list[str]:
    """Names of the labels that tell the runs apart, or of all where none does."""
    names = list(dict.fromkeys(name for run in runs for name in run.label))
    telling = [name for name in names if len(_values(runs, name)) > 1]
    return telling or names


def _other_labels(run: Run, *names: str) -> str:
    """What a run is called apart from these labels."""
    return ", ".join(text for name, text in run.label.items() if name not in names)


def _values(runs: Sequence[Run], name: str) -> list[str]:
    """The values of a label in the order of the runs."""
    return list(dict.fromkeys(run.label.get(name, "") for run in runs))
