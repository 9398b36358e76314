"""A score table of result rows, as users read it: with a caption that says what it shows."""

from collections.abc import Mapping, Sequence
from typing import Literal

from dealstats.labels import runs_from_rows, score_scale_of, shared_settings
from dealstats.rows import DealRange, Row, summed

RANGES_SHOWN = 4
"""So many ranges of deals are named in a line before it breaks off."""


def formatted_table(rows: Sequence[Row], format: Literal["text", "markdown", "csv"]) -> str:
    """The score table of rows of one game, with a caption unless it is CSV.

    Raises
    ------
    InputError
        If there are no rows, or rows of several games, or rows that contradict each other.
    """
    from dealstats.tables import format_table, score_table

    table = format_table(score_table(runs_from_rows(rows), score_scale_of(rows)), format)
    return table if format == "csv" else f"{table}\n{_caption(rows)}"


def _caption(rows: Sequence[Row]) -> str:
    """What the numbers of a table are, and what holds for all of its runs."""
    totals = summed(rows)
    settings = shared_settings([total.task for total in totals])
    settings.pop("player", None)  # has a column
    deals = {ranges_text(total.ranges) for total in totals}
    if len(deals) == 1:
        settings["deals"] = deals.pop()
    lines = [
        "± and [ ] are 95 % confidence intervals, rounded outwards.",
        f"All runs: {settings_text(settings)}.",
    ]
    if deals:
        lines.append("Not all runs are of the same deals.")
    if any(total.unknown for total in totals):
        lines.append("Unknown deals count as lost at the low end and as won at the high end.")
    return "".join(f"{line}\n" for line in lines)


def settings_text(settings: Mapping[str, str]) -> str:
    """Settings in a line, such as ``player greedy, redeals 2``."""
    return ", ".join(f"{name} {text}" for name, text in settings.items())


def ranges_text(ranges: Sequence[DealRange]) -> str:
    """Ranges of deals in a line, such as ``0:10 20:30``."""
    texts = [f"{start}:{stop}" for start, stop in ranges[:RANGES_SHOWN]]
    if len(ranges) > RANGES_SHOWN:
        texts.append(f"… ({len(ranges)} ranges, {sum(b - a for a, b in ranges)} deals)")
    return " ".join(texts)
