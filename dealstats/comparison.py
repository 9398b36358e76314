"""A table that compares runs on the same deals in pairs, as users read it."""

import math
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from dealstats.deal_results import DealResults
from dealstats.errors import InputError
from dealstats.games import load_game
from dealstats.labels import score_scale_of, shared_settings, telling_labels
from dealstats.pairing import count_pairs, mean_difference_interval, win_rate_difference
from dealstats.report import ranges_text, settings_text
from dealstats.rows import DealRange, Row, covered, rows_by_task, single_deals
from dealstats.scores import ScoreScale
from dealstats.task import Task

if TYPE_CHECKING:
    import pandas as pd


class ComparedRun(NamedTuple):
    """A run with the result of every deal.

    Attributes
    ----------
    name : str
        The player, and the settings that tell the run from the others.
    task : Task
    ranges : list of tuple
        Its deals, as ``(first, stop)``.
    results : DealResults
        In the order of the deals.
    """

    name: str
    task: Task
    ranges: list[DealRange]
    results: DealResults


def runs_to_compare(rows: Iterable[Row]) -> list[ComparedRun]:
    """The runs that rows hold, made sure to be on the same deals.

    Raises
    ------
    InputError
        If there are not several runs, or they are of different games or on different deals, or a
        row lacks the results of its single deals, or rows contradict each other.
    """
    rows_of_runs = rows_by_task(rows)
    tasks = [run_rows[0].task for run_rows in rows_of_runs]
    names = [_run_name(label) for label in telling_labels(tasks)]
    if len(tasks) < 2:
        raise InputError(f"there is nothing to compare: {names[0] if names else 'no run'} alone")
    score_scale_of([run_rows[0] for run_rows in rows_of_runs])  # refuses different games
    _check_deals(names, [_deals_of(run_rows) for run_rows in rows_of_runs])
    return [
        ComparedRun(name, task, covered(run_rows), _results(name, run_rows))
        for name, task, run_rows in zip(names, tasks, rows_of_runs, strict=True)
    ]


def comparison_table(
    runs: Sequence[ComparedRun], scale: ScoreScale, confidence: float = 0.95
) -> "pd.DataFrame":
    """Compare each run with each later one.

    Returns
    -------
    pandas.DataFrame
        Unrounded numbers, one row for each pair of runs:

        ``A``, ``B``
            names of the runs;
        ``deals``
            number of deals;
        ``won by A alone``, ``won by B alone``
            deals that one won and the other lost;
        ``won A - B %``, and its ``low`` and ``high``
            difference of the win rates and its interval, percentage points;
        ``p``
            p-value of the hypothesis that the win rates are equal;
        ``mean UNIT A - B``, and its ``±``
            mean difference of the scores and the half-width of its interval, if both have scores;
        ``unknown``
            deals of which an outcome is unknown, if there are any.
    """
    import pandas as pd

    pairs = [_compare(a, b, scale, confidence) for a, b in combinations(runs, 2)]
    frame = pd.DataFrame(pairs).dropna(axis="columns", how="all")
    return frame if frame["unknown"].any() else frame.drop(columns="unknown")


def _compare(
    a: ComparedRun, b: ComparedRun, scale: ScoreScale, confidence: float
) -> dict[str, Any]:
    from dealstats.tables import P_VALUE

    wins = win_rate_difference(count_pairs(a.results.outcomes, b.results.outcomes), confidence)
    mean = high = math.nan
    if a.results.scores and b.results.scores:
        _, mean, high = mean_difference_interval(a.results.scores, b.results.scores, confidence)
    return {
        "A": a.name,
        "B": b.name,
        "deals": wins.deals,
        "won by A alone": wins.only_a,
        "won by B alone": wins.only_b,
        "won A - B %": 100 * wins.point,
        "won A - B % low": 100 * wins.low,
        "won A - B % high": 100 * wins.high,
        P_VALUE: wins.p_value,
        f"mean {scale.unit} A - B": mean,
        f"mean {scale.unit} A - B ±": high - mean,
        "unknown": wins.unknown,
    }


def formatted_comparison(rows: Sequence[Row], format: Literal["text", "markdown", "csv"]) -> str:
    """The comparison of all runs in rows, with a caption unless it is CSV.

    Raises
    ------
    InputError
        If the runs cannot be compared; see :func:`runs_to_compare`.
    """
    runs = runs_to_compare(rows)
    scale = score_scale_of(rows)

    from dealstats.tables import format_table

    table = format_table(comparison_table(runs, scale), format)
    return table if format == "csv" else f"{table}\n{_caption(runs, scale)}"


def _caption(runs: Sequence[ComparedRun], scale: ScoreScale) -> str:
    settings = shared_settings([run.task for run in runs])
    settings["deals"] = ranges_text(runs[0].ranges)
    lines = [
        "± and [ ] are 95 % confidence intervals, rounded outwards; p is of McNemar's exact test.",
        f"{'Fewer' if scale.lower_is_better else 'More'} {scale.unit} are better.",
        f"All runs: {settings_text(settings)}.",
    ]
    if any(run.results.unknown for run in runs):
        lines.append(
            "Unknown deals count against A at the low end and for A at the high end; p is the "
            "highest that they leave possible, and their scores are the best ones found."
        )
    return "".join(f"{line}\n" for line in lines)


def _run_name(label: dict[str, str]) -> str:
    """A name such as ``greedy, redeals 2``."""
    settings = {name: text for name, text in label.items() if name != "player"}
    return ", ".join(filter(None, (label["player"], settings_text(settings))))


def _deals_of(rows: Sequence[Row]) -> dict[str, Any]:
    """All that decides which deals a run is about, by readable name."""
    task = rows[0].task
    options = load_game(task.game).deal_options
    return {
        "seed": task.seed,
        "scheme": task.scheme,
        **{name: task.rules.get(name) for name in options},
        "deals": covered(rows),
    }


def _check_deals(names: Sequence[str], deals: Sequence[dict[str, Any]]) -> None:
    for name, others in zip(names[1:], deals[1:], strict=True):
        for setting, value in deals[0].items():
            if others[setting] != value:
                raise InputError(
                    f"runs on different deals cannot be compared: "
                    f"{names[0]} has {_deal_text(setting, value)}, "
                    f"but {name} has {_deal_text(setting, others[setting])}"
                )


def _deal_text(setting: str, value: Any) -> str:
    return f"{setting} {ranges_text(value) if setting == 'deals' else value}"


def _results(name: str, rows: Sequence[Row]) -> DealResults:
    results = single_deals(rows)
    if results is None:
        raise InputError(
            f"the rows of {name} lack the results of single deals; collect them with --per-deal"
        )
    return results
