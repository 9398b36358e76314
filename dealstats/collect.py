"""Play many numbered deals in parallel, so that a run can be killed and resumed at any time."""

import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from os import PathLike
from threading import Timer
from typing import Any

from joblib import Parallel, delayed
from tqdm import tqdm

from dealstats.deal_results import DealResults, joined_deals
from dealstats.errors import InputError
from dealstats.games import GameBatch, load_game
from dealstats.rows import (
    BlockResult,
    DealRange,
    Row,
    RowFile,
    append_row,
    combine,
    read_row_file,
    uncovered,
)
from dealstats.task import Task

PREPARING_KERNELS = "preparing kernels (they are compiled in the first run only) …"
PlayBatch = Callable[[Task, int, int], BlockResult]


def collect(
    task_or_tasks: Task | Iterable[Task],
    first_deal: int,
    deals: int,
    out_path: str | PathLike[str] | None,
    jobs: int | None = None,
    block_deals: int | None = None,
    progress: bool | None = None,
    per_deal: bool = False,
) -> list[Row]:
    """Play deals and append their rows to a file, except for what the file already holds.

    A row is appended when its block and all blocks before it are finished. So a run that was
    killed and is started again with the same arguments leaves the same rows as an unbroken one,
    seconds apart, and a finished run leaves the file untouched. Sums over the rows do not depend
    on `jobs` or `block_deals`.

    A task may have a second round, in which unknown deals are tried again. Where the file holds
    the single results of its first round, only the second one is played: then seconds are those
    of the second round alone, but nodes those of both.

    Parameters
    ----------
    task_or_tasks : Task or iterable of Task
        Tasks are played one after the other.
    first_deal, deals : int
        The deals ``first_deal:first_deal + deals`` of each task.
    out_path : path or None
        CSV file of rows, made if missing; None keeps rows in memory only.
    jobs : int or None
        Workers, negative as in joblib; None leaves it to a surrounding
        :class:`joblib.parallel_config`, without which there is one.
    block_deals : int or None
        Deals of a row; None leaves it to the game.
    progress : bool or None
        Whether to show progress on stderr; None does if stderr is a terminal.
    per_deal : bool
        Whether to keep the outcome and score of every single deal too, as a comparison of runs
        needs them. A file without room for them, or with rows that lack them, is refused.

    Returns
    -------
    list of Row
        The rows of these tasks that hold the deals asked for, as :func:`~dealstats.rows.combine`
        orders them. Rows from the file may reach beyond these deals.

    Raises
    ------
    InputError
        If an argument is out of range, or a game cannot do a task.
    UnusableRows
        If the file holds something else, or rows that contradict each other.
    OSError
        If the file cannot be read or written. Finished rows stay in the file.
    KeyboardInterrupt
        As usual; finished rows stay in the file.
    """
    if first_deal < 0 or deals < 0:
        raise InputError(f"there are no deals {first_deal}:{first_deal + deals}")
    if jobs == 0 or (block_deals is not None and block_deals < 1):
        raise InputError(f"jobs {jobs} or block size {block_deals} is zero or less")
    tasks = [task_or_tasks] if isinstance(task_or_tasks, Task) else dict.fromkeys(task_or_tasks)
    held = _held_rows(out_path)
    if per_deal and held.per_deal is False:
        raise InputError(f"{out_path}: the file has no columns for the results of single deals")
    runs = [_TaskRun(task, first_deal, deals, held.rows, per_deal) for task in tasks]
    unfinished = [run for run in runs if run.missing]
    if unfinished:
        with _row_file(out_path, held, per_deal) as append:
            for run in unfinished:
                run.finish(append, jobs, block_deals, progress)
    return combine(row for run in runs for row in run.rows)


class _TaskRun:
    """The deals asked for of one task, and the rows that hold them so far."""

    def __init__(
        self, task: Task, first_deal: int, deals: int, known_rows: list[Row], per_deal: bool
    ) -> None:
        stop_deal = first_deal + deals
        self.task = task
        self.first_deal = first_deal
        self.deals = deals
        self.per_deal = per_deal
        self.rows = [
            row
            for row in known_rows
            if row.strong_id == task.strong_id
            and row.first_deal < stop_deal
            and row.stop_deal > first_deal
        ]
        if per_deal and any(row.deal_results is None for row in self.rows):
            raise InputError("the file holds some of these deals without their single results")
        self.missing = uncovered(self.rows, first_deal, stop_deal)
        self.known_rows = known_rows

    def finish(
        self,
        append: Callable[[Row], None],
        jobs: int | None,
        block_deals: int | None,
        progress: bool | None,
    ) -> None:
        """Play what is missing, and append each row as soon as it is there."""
        game = load_game(self.task.game)
        with announced_if_slow(PREPARING_KERNELS):
            game.warm_up(self.task)
        blocks = self._blocks(block_deals or game.block_deals(self.task))
        work = ((block, self._play_batch(game, block)) for block in blocks)
        played = _played(game, self.task, work, jobs, self.per_deal)
        with played as rows, self._bar(progress) as bar:
            won = sum(row.won for row in self.rows)
            deals = sum(row.deals for row in self.rows)
            for row in rows:
                append(row)
                self.rows.append(row)
                won += row.won
                deals += row.deals
                bar.set_postfix_str(f"won {won / deals:.2%}", refresh=False)
                bar.update(row.deals)

    def _play_batch(self, game: GameBatch, block: DealRange) -> PlayBatch:
        """What plays a block: all of it, or its second round alone if the first one is known."""
        first_round = getattr(game, "first_round", lambda task: None)(self.task)
        if first_round is not None:
            known = known_deals(self.known_rows, first_round, block)
            if known is not None:
                return partial(_second_round, game, known)
        return game.play_batch

    def _blocks(self, block_deals: int) -> Iterator[DealRange]:
        """What is missing, cut where an unbroken run from the first deal on would cut it."""
        for start, stop in self.missing:
            while start < stop:
                cut = start + block_deals - (start - self.first_deal) % block_deals
                yield start, min(cut, stop)
                start = cut

    def _bar(self, progress: bool | None) -> tqdm:
        return tqdm(
            desc=f"{self.task.game} {self.task.player}",
            total=self.deals,
            initial=self.deals - sum(stop - start for start, stop in self.missing),
            unit=" deals",
            disable=None if progress is None else not progress,
        )


@contextmanager
def _played(
    game: GameBatch,
    task: Task,
    work: Iterable[tuple[DealRange, PlayBatch]],
    jobs: int | None,
    per_deal: bool,
) -> Iterator[Iterator[Row]]:
    """The rows of blocks in order, each as soon as it is there; workers stop at the end."""
    parallel = Parallel(
        n_jobs=jobs,
        prefer="threads" if game.prefers_threads(task) else "processes",
        return_as="generator",
        batch_size=1,  # a batch of several blocks would be lost as a whole
        pre_dispatch="2*n_jobs",
        initializer=_ignore_interrupts,
    )
    rows = parallel(
        delayed(_play_block)(play_batch, task, block, per_deal) for block, play_batch in work
    )
    try:
        yield rows
    finally:
        with warnings.catch_warnings():
            # After an error or an interruption, joblib warns that it drops unfinished blocks.
            warnings.simplefilter("ignore", UserWarning)
            rows.close()


def _ignore_interrupts() -> None:
    """In worker processes: Ctrl-C reaches them too, but stopping them is up to the main one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _play_block(play_batch: PlayBatch, task: Task, block: DealRange, per_deal: bool) -> Row:
    """Play one block; this is what a worker does."""
    first_deal, stop_deal = block
    deals = stop_deal - first_deal
    began = time.perf_counter()
    result = play_batch(task, first_deal, deals)
    seconds = round(time.perf_counter() - began, 6)
    if not per_deal:
        result = result._replace(deal_results=None)
    elif result.deal_results is None:
        raise InputError(f"{task.game} {task.player} does not tell the results of single deals")
    return Row.of_block(task, first_deal, deals, result, seconds)


def _second_round(
    game: Any, known: DealResults, task: Task, first_deal: int, deals: int
) -> BlockResult:
    """A `PlayBatch` that needs no first round."""
    result: BlockResult = game.play_again(task, first_deal, known)
    return result


def known_deals(rows: Iterable[Row], task: Task, block: DealRange) -> DealResults | None:
    """What rows tell of every single deal of a block and of the nodes it took; None if not all.

    Parameters
    ----------
    rows : iterable of Row
        Of any tasks; those of one have no overlaps and are in order, as in a union.
    """
    first_deal, stop_deal = block
    parts, reached = [], first_deal
    for row in rows:
        is_next = row.first_deal <= reached < min(row.stop_deal, stop_deal)
        if is_next and row.strong_id == task.strong_id:
            if row.deal_results is None or not row.deal_results.nodes:
                return None
            stop = min(row.stop_deal, stop_deal)
            parts.append(row.deal_results.part(reached - row.first_deal, stop - row.first_deal))
            reached = stop
    return joined_deals(parts) if reached == stop_deal else None


def _held_rows(path: str | PathLike[str] | None) -> RowFile:
    """What a file already has, its rows united."""
    if path is None or not os.path.exists(path):
        return RowFile([], 0, None)
    held = read_row_file(path)
    return held._replace(rows=combine(held.rows))


@contextmanager
def _row_file(
    path: str | PathLike[str] | None, held: RowFile, per_deal: bool
) -> Iterator[Callable[[Row], None]]:
    """What appends rows to a file, without its torn end; a new one without rows is removed."""
    if path is None:
        yield lambda row: None
        return
    is_new = not os.path.exists(path)
    with open(path, "ab", buffering=0) as file:
        if held.torn_bytes:
            file.truncate(file.seek(0, os.SEEK_END) - held.torn_bytes)
        has_columns = per_deal if held.per_deal is None else held.per_deal
        try:
            yield lambda row: append_row(file, row, has_columns)
        finally:
            if is_new and os.path.getsize(path) == 0:
                os.unlink(path)


@contextmanager
def announced_if_slow(text: str, patience_seconds: float = 1.0) -> Iterator[None]:
    """Print a line on stderr if the body takes longer than this."""
    timer = Timer(patience_seconds, print, [text], {"file": sys.stderr, "flush": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
