"""A table with a line for every single deal, of rows that keep them."""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from dealstats.deal_results import LOST, UNKNOWN, WON
from dealstats.errors import InputError
from dealstats.rows import Row

OUTCOMES = {WON: "won", LOST: "lost", UNKNOWN: "unknown"}


def deal_table(rows: Iterable[Row]) -> pd.DataFrame:
    """What became of each deal.

    Parameters
    ----------
    rows : iterable of Row
        Without overlaps, as :func:`dealstats.rows.combine` gives them.

    Returns
    -------
    pandas.DataFrame
        With the columns ``game``, ``player``, ``seed``, ``strong_id`` of the task, ``deal``,
        ``outcome`` ("won", "lost" or "unknown"), and ``score`` and ``nodes``, which are missing
        where they were not kept.

    Raises
    ------
    InputError
        If a row does not have the results of its single deals, or there is no row.
    """
    frames = [_frame(row) for row in rows]
    if not frames:
        raise InputError("there are no rows, and so no deals")
    return pd.concat(frames, ignore_index=True)


def _frame(row: Row) -> pd.DataFrame:
    results = row.deal_results
    if results is None:
        raise InputError(
            f"the row of the deals {row.first_deal}:{row.stop_deal} of {row.player} was collected "
            "without --per-deal"
        )
    gaps = [None] * row.deals
    return pd.DataFrame(
        {
            "game": row.game,
            "player": row.player,
            "seed": row.seed,
            "strong_id": row.strong_id,
            "deal": range(row.first_deal, row.stop_deal),
            "outcome": [OUTCOMES[letter] for letter in results.outcomes],
            "score": pd.array(results.scores or gaps, "Int64"),
            "nodes": pd.array(results.nodes or gaps, "Int64"),
        }
    )


def write_deal_table(frame: pd.DataFrame, path: str) -> None:
    """Write such a table to a file.

    Parameters
    ----------
    path : str
        Ends in ``.parquet``, which needs the extra of that name, or else in ``.csv``.

    Raises
    ------
    InputError
        If the name has another end, or nothing is installed that writes Parquet.
    OSError
        If the file cannot be written.
    """
    match Path(path).suffix:
        case ".csv":
            frame.to_csv(path, index=False, lineterminator="\n")
        case ".parquet":
            try:
                frame.to_parquet(path, index=False)
            except ImportError as problem:
                raise InputError(
                    f"{path}: Parquet needs pyarrow: pip install 'dealstats[parquet]'"
                ) from problem
        case _:
            raise InputError(f"{path}: a table of deals is written to .csv or .parquet")
