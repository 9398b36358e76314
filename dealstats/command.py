"""The command ``dealstats``: play numbered deals, and show what became of them.

Whatever takes long to import is imported where it is used.
"""

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dealstats.command_line import (
    Parser,
    add_format_flag,
    deal_range,
    positive_number,
    run,
    seed_number,
)
from dealstats.comparison import formatted_comparison
from dealstats.errors import InputError
from dealstats.games import GAMES, load_game
from dealstats.labels import runs_from_rows, score_scale_of, telling_labels
from dealstats.report import formatted_table, ranges_text, settings_text
from dealstats.rows import (
    Row,
    combine,
    format_file,
    gaps,
    joined,
    read_rows,
    rows_by_task,
    uncovered,
)

if TYPE_CHECKING:
    from dealstats.task import Task


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    return run(_main, argv)


def _main(argv: Sequence[str] | None) -> int:
    words = sys.argv[1:] if argv is None else list(argv)
    arguments = _parser(words).parse_args(words)
    arguments.execute(arguments)
    return 0


def _parser(words: list[str]) -> Parser:
    """The parser of the command; what ``collect`` takes depends on the game that it names."""
    parser = Parser(
        prog="dealstats",
        description="Play numbered solitaire deals by the million, and show what became of them.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND", title="commands")
    _add_collect(commands, _named_game(words))
    _add_combine(commands)
    _add_table(commands)
    _add_plot(commands)
    _add_compare(commands)
    _add_deals(commands)
    return parser


def _named_game(words: list[str]) -> str | None:
    if words[:1] != ["collect"]:
        return None
    parser = Parser(prog="dealstats collect", add_help=False)
    parser.add_argument("--game")
    game: str | None = parser.parse_known_args(words)[0].game
    return game


def _add_collect(commands: Any, game: str | None) -> None:
    games = ", ".join(GAMES)
    parser = commands.add_parser(
        "collect",
        help="play numbered deals in parallel and keep the results",
        description="Play numbered deals in parallel, append the results to a file, and print a "
        "table of them. A run that was stopped goes on where it was when it is started again "
        "with the same arguments, and a finished one is not repeated.",
        epilog=None
        if game
        else "Players and rules depend on the game; they are listed by: "
        "dealstats collect --game GAME --help",
    )
    parser.add_argument("--game", required=True, help=f"one of: {games}")
    parser.add_argument(
        "--deals",
        required=True,
        metavar="FIRST:STOP",
        help="numbers of the deals, from FIRST up to but without STOP, such as 0:1000000",
    )
    parser.add_argument(
        "--out", required=True, metavar="FILE", help="file of result rows (CSV) to make or go on"
    )
    parser.add_argument(
        "--seed", type=seed_number, default=0, metavar="S", help="seed of the deals (default: 0)"
    )
    parser.add_argument(
        "--jobs",
        type=positive_number,
        default=-1,  # as in joblib
        metavar="J",
        help="workers, which change no result (default: one for each CPU)",
    )
    parser.add_argument(
        "--block-deals",
        type=positive_number,
        metavar="B",
        help="deals of a result row (default: what the game proposes)",
    )
    parser.add_argument(
        "--per-deal",
        action="store_true",
        help="also keep the outcome and score of every deal, which dealstats compare needs",
    )
    parser.add_argument("--no-progress", action="store_true", help="show no progress bar")
    parser.set_defaults(execute=_collect)
    if game is not None:
        load_game(game).add_task_arguments(parser)


def _add_combine(commands: Any) -> None:
    parser = commands.add_parser(
        "combine",
        help="unite files of results",
        description="Unite result rows by their deals. A block of deals that is in several files "
        "counts once; files that contradict each other or overlap in part are refused.",
    )
    _add_files(parser)
    parser.add_argument("--out", required=True, metavar="FILE", help="file of all rows (CSV)")
    parser.add_argument("--join", action="store_true", help="make one row of all blocks that meet")
    parser.set_defaults(execute=_combine)


def _add_table(commands: Any) -> None:
    parser = commands.add_parser(
        "table",
        help="print scores and win rates",
        description="Print mean and median scores and win rates with their 95 % intervals, one "
        "line for each player and variant of the rules.",
    )
    _add_files(parser)
    _add_table_output(parser)
    parser.set_defaults(execute=_table)


def _add_plot(commands: Any) -> None:
    parser = commands.add_parser(
        "plot",
        help="draw the distribution of scores",
        description="Draw which share of the deals comes to each score or better, one line for "
        "each player and variant of the rules.",
    )
    _add_files(parser)
    parser.add_argument("--out", required=True, metavar="FILE", help="a .png, .svg or .pdf file")
    parser.add_argument("--title", help="title above the figure")
    parser.set_defaults(execute=_plot)


def _add_compare(commands: Any) -> None:
    parser = commands.add_parser(
        "compare",
        help="compare runs on the same deals",
        description="Compare runs deal by deal: win rates by McNemar's exact test and Tango's "
        "interval, scores by the interval of their mean difference. All runs must be on the same "
        "deals and have been collected with --per-deal.",
    )
    _add_files(parser)
    _add_table_output(parser)
    parser.set_defaults(execute=_compare)


def _add_deals(commands: Any) -> None:
    parser = commands.add_parser(
        "deals",
        help="list every single deal",
        description="Write a line for every deal: its outcome, and score and nodes where they are "
        "known. The runs must have been collected with --per-deal.",
    )
    _add_files(parser)
    parser.add_argument(
        "--out", required=True, metavar="FILE", help="a .csv file, or .parquet (needs pyarrow)"
    )
    parser.set_defaults(execute=_deals)


def _add_table_output(parser: argparse.ArgumentParser) -> None:
    add_format_flag(parser)
    parser.add_argument("--out", metavar="FILE", help="write to this file instead of printing")


def _add_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="ROWS", help="file of result rows (CSV)")


def _collect(arguments: argparse.Namespace) -> None:
    from dealstats.collect import collect

    first_deal, stop_deal = deal_range(arguments.deals)
    task = load_game(arguments.game).task_from_arguments(arguments)
    try:
        rows = collect(
            task,
            first_deal,
            stop_deal - first_deal,
            arguments.out,
            jobs=arguments.jobs,
            block_deals=arguments.block_deals,
            progress=False if arguments.no_progress else None,
            per_deal=arguments.per_deal,
        )
    except KeyboardInterrupt:
        held = _deals_held(arguments.out, task, first_deal, stop_deal)
        raise KeyboardInterrupt(
            f"stopped; {held} of {stop_deal - first_deal} deals are in {arguments.out}; "
            "the same command goes on from there"
        ) from None
    print(formatted_table(rows, "text"), end="")


def _deals_held(path: str, task: "Task", first_deal: int, stop_deal: int) -> int:
    """How many of these deals a file holds; none if there is no file."""
    rows = read_rows(path) if os.path.exists(path) else []
    missing = uncovered(
        (row for row in rows if row.strong_id == task.strong_id), first_deal, stop_deal
    )
    return stop_deal - first_deal - sum(stop - start for start, stop in missing)


def _combine(arguments: argparse.Namespace) -> None:
    rows = _united_rows(arguments)
    if arguments.join:
        rows = joined(rows)
    _write(arguments.out, format_file(rows))
    _report_gaps(rows)


def _table(arguments: argparse.Namespace) -> None:
    rows = _united_rows(arguments)
    _print_or_write(arguments.out, formatted_table(rows, arguments.format))
    _report_gaps(rows)


def _compare(arguments: argparse.Namespace) -> None:
    rows = _united_rows(arguments)
    _print_or_write(arguments.out, formatted_comparison(rows, arguments.format))
    _report_gaps(rows)


def _deals(arguments: argparse.Namespace) -> None:
    from dealstats.deal_table import deal_table, write_deal_table

    rows = _united_rows(arguments)
    write_deal_table(deal_table(rows), arguments.out)
    _report_gaps(rows)


def _print_or_write(path: str | None, text: str) -> None:
    if path is None:
        print(text, end="")
    else:
        _write(path, text)


def _plot(arguments: argparse.Namespace) -> None:
    rows = _united_rows(arguments)
    scale = score_scale_of(rows)

    from dealstats.figures import plot_score_distribution, save_figure

    figure = plot_score_distribution(runs_from_rows(rows), scale, arguments.title)
    save_figure(figure, arguments.out)
    _report_gaps(rows)


def _united_rows(arguments: argparse.Namespace) -> list[Row]:
    """The rows of all files to read, none of which is the one to write."""
    return combine(row for path in arguments.files for row in _rows_beside(path, arguments.out))


def _rows_beside(path: str, out: str | None) -> list[Row]:
    rows = read_rows(path)
    if not rows:
        raise InputError(f"{path}: holds no result rows")
    if out is not None and os.path.exists(out) and os.path.samefile(path, out):
        raise InputError(f"--out {out!r} would overwrite the rows that are read from it")
    return rows


def _report_gaps(rows: Iterable[Row]) -> None:
    """Say on stderr which deals are missing between the rows of a task."""
    rows_of_tasks = rows_by_task(rows)
    labels = telling_labels([task_rows[0].task for task_rows in rows_of_tasks])
    for task_rows, label in zip(rows_of_tasks, labels, strict=True):
        if missing := gaps(task_rows):
            print(
                f"warning: {settings_text(label)}: no rows of deals {ranges_text(missing)}",
                file=sys.stderr,
            )


def _write(path: str, text: str) -> None:
    """Write a whole file or, after an error, nothing; the file at `path` is replaced at once."""
    target = Path(os.path.realpath(path))  # what is a link stays one
    if target.exists() and not target.is_file():
        raise InputError(f"--out {path!r} is not a file")
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        draft.write_text(text, encoding="utf-8", newline="")
        draft.replace(target)
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror, path) from problem
    finally:
        with suppress(OSError):
            draft.unlink()
