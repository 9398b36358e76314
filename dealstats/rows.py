"""Result rows: one line of a CSV file for each block of deals, and the sums over them.

======================  =========================================================================
column                  meaning
======================  =========================================================================
deals                   deals of the block: ``won + lost + unknown``, and the sum of score_counts
won, lost, unknown      deals by outcome; unknown if a search ended at its budget
seconds                 wall-clock time of the block in its worker, in seconds
nodes                   search nodes, or moves of a player
game, player, seed      from the task, for the eye
first_deal              number of the first deal of the block
strong_id               SHA-256 of json_metadata, in hexadecimal digits
score_counts            deals by final score, ``score:deals`` separated by blanks; or nothing
json_metadata           canonical JSON of the task: everything that can change a result
======================  =========================================================================

A file that keeps the results of single deals has three columns more, which may be empty:

======================  =========================================================================
outcomes                a letter for each deal of the block: ``w`` won, ``l`` lost, ``u`` unknown
scores                  its final scores, separated by blanks
deal_nodes              search nodes of each deal, separated by blanks; their sum is nodes
======================  =========================================================================
"""

import csv
import errno
import io
import math
import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from itertools import groupby, pairwise
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dealstats.deal_results import (
    DealResults,
    format_deals,
    joined_deals,
    parse_deals,
    played_deals,
)
from dealstats.errors import UnusableRows
from dealstats.scores import add_counts
from dealstats.task import Task, sha256_hex

DealRange = tuple[int, int]
"""First deal, and the deal after the last one."""


class BlockResult(NamedTuple):
    """What a game finds out about a block of deals.

    Attributes
    ----------
    won, lost, unknown : int
        Deals by outcome; their sum is the size of the block.
    nodes : int
        Search nodes, or moves of a player.
    score_counts : mapping of int to int
        Deals by final score, without scores that no deal reached; empty where a solver looks for
        wins alone.
    deal_results : DealResults or None
        What became of every single deal, if the game can tell.
    """

    won: int
    lost: int
    unknown: int
    nodes: int
    score_counts: Mapping[int, int]
    deal_results: DealResults | None = None

    @classmethod
    def of_deals(cls, deal_results: DealResults, nodes: int) -> "BlockResult":
        """The result of a block of which every single deal is known."""
        return cls(
            won=deal_results.won,
            lost=deal_results.lost,
            unknown=deal_results.unknown,
            nodes=nodes,
            score_counts=deal_results.score_counts,
            deal_results=deal_results,
        )

    @classmethod
    def of_games(cls, won: NDArray[Any], scores: NDArray[Any], nodes: int) -> "BlockResult":
        """The result of a block of games that were played to their end: none is unknown.

        Parameters
        ----------
        won : (deals,) array
            Whether each game was won.
        scores : (deals,) array of int
        nodes : int
        """
        wins = int(np.count_nonzero(won))
        values, counts = np.unique(scores, return_counts=True)
        return cls(
            won=wins,
            lost=len(won) - wins,
            unknown=0,
            nodes=nodes,
            score_counts=dict(zip(values.tolist(), counts.tolist(), strict=True)),
            deal_results=played_deals(won, scores),
        )


@dataclass(frozen=True)
class Row:
    """The result of one block of deals; the attributes are the columns of the module's tables.

    Raises
    ------
    UnusableRows
        If the columns contradict each other.
    """

    deals: int
    won: int
    lost: int
    unknown: int
    seconds: float
    nodes: int
    game: str
    player: str
    seed: int
    first_deal: int
    strong_id: str
    score_counts: Mapping[int, int]
    json_metadata: str
    deal_results: DealResults | None = None

    def __post_init__(self) -> None:
        problem = self._count_problem() or self._deal_problem() or self._task_problem()
        if problem is not None:
            raise UnusableRows(problem)

    def _count_problem(self) -> str | None:
        outcomes = (self.won, self.lost, self.unknown)
        if self.deals < 1 or min(*outcomes, self.nodes, self.first_deal) < 0:
            return "deals is below 1, or another count below 0"
        if sum(outcomes) != self.deals:
            return f"won + lost + unknown is {sum(outcomes)}, but deals is {self.deals}"
        if sum(self.score_counts.values()) not in (0, self.deals):
            return f"score_counts hold {sum(self.score_counts.values())} deals, not {self.deals}"
        if min(self.score_counts.values(), default=1) <= 0:
            return "score_counts list a score that no deal reached"
        if not (math.isfinite(self.seconds) and self.seconds >= 0):
            return f"{self.seconds} is no number of seconds"
        return None

    def _deal_problem(self) -> str | None:
        results = self.deal_results
        if results is None:
            return None
        if (results.won, results.lost, results.unknown) != (self.won, self.lost, self.unknown):
            return "outcomes do not sum up to won, lost and unknown"
        if results.score_counts != self.score_counts:
            return "scores do not sum up to score_counts"
        if results.nodes and (len(results.nodes), sum(results.nodes)) != (self.deals, self.nodes):
            return "deal_nodes do not sum up to nodes"
        return None

    def _task_problem(self) -> str | None:
        if self.strong_id != sha256_hex(self.json_metadata):
            return f"strong_id {self.strong_id!r} is not the SHA-256 of json_metadata"
        for name in ("game", "player", "seed"):
            if getattr(self, name) != getattr(self.task, name):
                return f"{name} {getattr(self, name)!r} is not the one in json_metadata"
        return None

    @classmethod
    def of_block(
        cls, task: Task, first_deal: int, deals: int, result: BlockResult, seconds: float
    ) -> "Row":
        """The row of the block ``first_deal:first_deal + deals``, played in this many seconds."""
        return cls(
            deals=deals,
            won=result.won,
            lost=result.lost,
            unknown=result.unknown,
            seconds=seconds,
            nodes=result.nodes,
            game=task.game,
            player=task.player,
            seed=task.seed,
            first_deal=first_deal,
            strong_id=task.strong_id,
            score_counts=result.score_counts,
            json_metadata=task.canonical_json,
            deal_results=result.deal_results,
        )

    @property
    def task(self) -> Task:
        """The task that this row belongs to."""
        return _task_of(self.json_metadata)

    @property
    def stop_deal(self) -> int:
        """Number of the deal after the last one of the block."""
        return self.first_deal + self.deals


# A file holds many rows of few tasks.
_task_of = lru_cache(maxsize=64)(Task.from_json)

DEAL_FIELD = "deal_results"
COLUMNS = tuple(field.name for field in fields(Row) if field.name != DEAL_FIELD)
HEADER = ",".join(COLUMNS)
DEAL_COLUMNS = ("outcomes", "scores", "deal_nodes")
DEALS_HEADER = ",".join((*COLUMNS, *DEAL_COLUMNS))
"""The header of a file that keeps the results of single deals."""


def format_row(row: Row, per_deal: bool = False) -> str:
    """The line of a row, without a line end; :func:`parse_row` inverts it.

    Parameters
    ----------
    row : Row
    per_deal : bool
        Whether the line has the columns of `DEALS_HEADER`, or only those of `HEADER`.
    """
    values = {name: getattr(row, name) for name in COLUMNS}
    values["score_counts"] = " ".join(f"{s}:{n}" for s, n in sorted(row.score_counts.items()))
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(values.values())
    return f"{line.getvalue()},{format_deals(row.deal_results)}" if per_deal else line.getvalue()


def format_file(rows: Iterable[Row]) -> str:
    """A whole file of rows, with the results of single deals if any row has them."""
    rows = list(rows)
    per_deal = any(row.deal_results is not None for row in rows)
    lines = [DEALS_HEADER if per_deal else HEADER, *(format_row(row, per_deal) for row in rows)]
    return "".join(f"{line}\n" for line in lines)


def parse_row(line: str, per_deal: bool = False) -> Row:
    """Read the line of a row.

    Raises
    ------
    UnusableRows
        If the line is damaged or its columns contradict each other.
    """
    deal_columns: list[str] = []
    if per_deal:
        # They need no quotes, and may be longer than the csv module lets a column be.
        line, *deal_columns = line.rsplit(",", len(DEAL_COLUMNS))
    try:
        (texts,) = csv.reader([line], strict=True)
        more = len(DEAL_COLUMNS) if per_deal else 0
        if len(texts) != len(COLUMNS) or len(deal_columns) != more:
            raise UnusableRows(
                f"{len(texts) + len(deal_columns)} columns instead of {len(COLUMNS) + more}"
            )
        columns = zip(COLUMNS, _COLUMN_READERS, texts, strict=True)
        return Row(
            **{name: read(text) for name, read, text in columns},
            deal_results=parse_deals(*deal_columns) if per_deal else None,
        )
    except (ValueError, csv.Error) as problem:
        raise UnusableRows(f"not a result row ({problem})") from problem


def _parse_whole_number(text: str) -> int:
    if str(int(text)) != text:  # int() also takes blanks, underscores and leading zeros
        raise UnusableRows(f"{text!r} is not a plain whole number")
    return int(text)


def _parse_score_counts(text: str) -> dict[int, int]:
    pairs = [pair.split(":") for pair in text.split()]
    counts = {_parse_whole_number(score): _parse_whole_number(deals) for score, deals in pairs}
    if len(counts) != len(pairs):
        raise UnusableRows(f"a score is listed twice in {text!r}")
    return counts


_READER_OF_TYPE: dict[Any, Callable[[str], Any]] = {
    int: _parse_whole_number,
    float: float,
    str: str,
    Mapping[int, int]: _parse_score_counts,
}
_COLUMN_READERS = [_READER_OF_TYPE[field.type] for field in fields(Row) if field.name in COLUMNS]


class RowFile(NamedTuple):
    """What a file of rows holds.

    Attributes
    ----------
    rows : list of Row
        As they stand there.
    torn_bytes : int
        Length of the torn last line, in bytes.
    per_deal : bool or None
        Whether it has columns for the results of single deals; None without a whole header.
    """

    rows: list[Row]
    torn_bytes: int
    per_deal: bool | None


def read_rows(path: str | PathLike[str]) -> list[Row]:
    """All rows of a file, as they stand there.

    A last line that is torn, as a killed run may leave it, is left out with a warning.

    Raises
    ------
    UnusableRows
        If the header or any other line is damaged; the message begins ``file:line:``.
    OSError
        If the file cannot be read.
    """
    return read_row_file(path).rows


def read_row_file(path: str | PathLike[str]) -> RowFile:
    """All that a file of rows holds; see :func:`read_rows`."""
    with open(path, "rb") as file:
        lines = file.readlines()
    # A header without line end may be torn too; any other first line is of a foreign file.
    headers = [f"{header}\n".encode() for header in (HEADER, DEALS_HEADER)]
    if lines and not any(header.startswith(lines[0]) for header in headers):
        raise UnusableRows(f"{path}:1: not the header of result rows, {HEADER}")
    per_deal = headers.index(lines[0]) == 1 if lines and lines[0] in headers else None
    rows = []
    torn_bytes = 0
    for number, line in enumerate(lines, start=1):
        try:
            text = _without_line_end(line)
            if number > 1:
                rows.append(parse_row(text, bool(per_deal)))
        except ValueError as problem:
            if number < len(lines):
                raise UnusableRows(f"{path}:{number}: {problem}") from problem
            warnings.warn(f"{path}:{number}: torn last line left out: {problem}", stacklevel=3)
            torn_bytes = len(line)
    return RowFile(rows, torn_bytes, per_deal)


def _without_line_end(line: bytes) -> str:
    if not line.endswith(b"\n"):
        raise UnusableRows("the line end is missing")
    return line[:-1].decode()


def append_row(file: io.FileIO, row: Row, per_deal: bool = False) -> None:
    """Append a row to a file, and before the first row the header, all or nothing.

    The text goes out in one system call, so that a kill leaves a whole row or none and the rows of
    two runs do not mix. After an error the file is as it was.

    Parameters
    ----------
    file : io.FileIO
        Opened unbuffered and for appending.
    row : Row
    per_deal : bool
        Whether the file has columns for the results of single deals.

    Raises
    ------
    OSError
        If the row could not be stored, such as on a full disk.
    """
    length = os.fstat(file.fileno()).st_size
    header = DEALS_HEADER if per_deal else HEADER
    lines = [*([] if length else [header]), format_row(row, per_deal)]
    data = "".join(f"{line}\n" for line in lines).encode()
    try:
        written = file.write(data)
        if written != len(data):
            raise OSError(errno.ENOSPC, f"only {written} of {len(data)} bytes could be written")
        os.fsync(file.fileno())
    except OSError as problem:
        file.truncate(length)
        raise OSError(problem.errno, problem.strerror, file.name) from problem


def combine(rows: Iterable[Row]) -> list[Row]:
    """The union of rows by deal range, task by task.

    A block that occurs twice counts once; its seconds may differ, and the first ones are kept.
    Only one of them need have the results of its single deals.

    Returns
    -------
    list of Row
        By task in the order of first appearance, then by first deal; without overlaps.

    Raises
    ------
    UnusableRows
        If the same deals of a task have other counts, or blocks overlap in part.
    """
    rows_of_task: dict[str, list[Row]] = {}
    for row in rows:
        rows_of_task.setdefault(row.strong_id, []).append(row)
    return [row for task_rows in rows_of_task.values() for row in _united(task_rows)]


def joined(rows: Iterable[Row]) -> list[Row]:
    """The same results in the fewest rows: blocks of a task that meet become one.

    Raises
    ------
    UnusableRows
        If rows contradict each other; see :func:`combine`.
    """
    return [
        _joined_row([row for row in task_rows if first <= row.first_deal < stop])
        for task_rows in rows_by_task(rows)
        for first, stop in covered(task_rows)
    ]


def _joined_row(rows: list[Row]) -> Row:
    total = _total(rows)
    return replace(
        rows[0],
        deals=total.deals,
        won=total.won,
        lost=total.lost,
        unknown=total.unknown,
        seconds=round(total.seconds, 3),
        nodes=total.nodes,
        score_counts=total.score_counts,
        deal_results=single_deals(rows),
    )


def single_deals(rows: Sequence[Row]) -> DealResults | None:
    """The results of all deals of rows, one after the other; None if a row does not have them."""
    results = [row.deal_results for row in rows if row.deal_results is not None]
    return joined_deals(results) if len(results) == len(rows) else None


def rows_by_task(rows: Iterable[Row]) -> list[list[Row]]:
    """The union of rows, in one list for each task."""
    return [list(group) for _, group in groupby(combine(rows), key=lambda row: row.strong_id)]


def _united(rows: list[Row]) -> list[Row]:
    """:func:`combine` for the rows of one task."""
    united: list[Row] = []
    for row in sorted(rows, key=lambda row: row.first_deal):
        last = united[-1] if united else None
        if last is None or last.stop_deal <= row.first_deal:
            united.append(row)
        elif (last.first_deal, last.deals) != (row.first_deal, row.deals):
            raise UnusableRows(f"{_named(last)} overlaps {_named(row)}")
        else:
            united[-1] = _merged(last, row)
    return united


def _merged(first: Row, second: Row) -> Row:
    """One row of two that are about the same block."""
    counts = [replace(row, seconds=0, deal_results=None) for row in (first, second)]
    results = {first.deal_results, second.deal_results} - {None}
    if counts[0] != counts[1] or len(results) > 1:
        raise UnusableRows(f"{_named(second)} occurs twice, with different counts")
    return replace(first, deal_results=results.pop() if results else None)


def _named(row: Row) -> str:
    return (
        f"block {row.first_deal}:{row.stop_deal} of {row.game} {row.player} "
        f"seed {row.seed} ({row.strong_id[:12]})"
    )


def uncovered(rows: Iterable[Row], first_deal: int, stop_deal: int) -> list[DealRange]:
    """The parts of ``first_deal:stop_deal`` that are in no row, in order."""
    missing = []
    position = first_deal
    for start, stop in [*covered(rows), (stop_deal, stop_deal)]:
        if position < min(start, stop_deal):
            missing.append((position, min(start, stop_deal)))
        position = max(position, stop)
    return missing


def covered(rows: Iterable[Row]) -> list[DealRange]:
    """The deals that are in a row, as the fewest ranges, in order."""
    ranges: list[DealRange] = []
    for row in sorted(rows, key=lambda row: row.first_deal):
        if ranges and row.first_deal <= ranges[-1][1]:
            first_deal, stop_deal = ranges.pop()
            ranges.append((first_deal, max(stop_deal, row.stop_deal)))
        else:
            ranges.append((row.first_deal, row.stop_deal))
    return ranges


def gaps(rows: Iterable[Row]) -> list[DealRange]:
    """The deals between the lowest and the highest one of a task that are in none of its rows."""
    return [(left[1], right[0]) for left, right in pairwise(covered(rows))]


@dataclass(frozen=True)
class Total:
    """The sum of all rows of a task.

    Attributes
    ----------
    task : Task
    deals, won, lost, unknown : int
        Deals in all, and by outcome.
    seconds : float
        Worker time, in seconds.
    nodes : int
    score_counts : mapping of int to int
        Deals by final score, scores ascending.
    ranges : list of tuple
        The deals that were summed, as ``(first, stop)``.
    """

    task: Task
    deals: int
    won: int
    lost: int
    unknown: int
    seconds: float
    nodes: int
    score_counts: Mapping[int, int]
    ranges: list[DealRange]


def summed(rows: Iterable[Row]) -> list[Total]:
    """One total for each task, in the order of first appearance.

    Raises
    ------
    UnusableRows
        If rows contradict each other; see :func:`combine`.
    """
    return [_total(task_rows) for task_rows in rows_by_task(rows)]


def _total(rows: list[Row]) -> Total:
    return Total(
        task=rows[0].task,
        deals=sum(row.deals for row in rows),
        won=sum(row.won for row in rows),
        lost=sum(row.lost for row in rows),
        unknown=sum(row.unknown for row in rows),
        seconds=math.fsum(row.seconds for row in rows),
        nodes=sum(row.nodes for row in rows),
        score_counts=add_counts(*(row.score_counts for row in rows)),
        ranges=covered(rows),
    )
