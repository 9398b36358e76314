"""What experiments have in common: their deals, their command line, and their files."""

import argparse
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from deal_ranges import DealRange, deal_range
from matplotlib.figure import Figure

from dealstats.collect import collect
from dealstats.command_line import Parser, run
from dealstats.figures import plot_win_rates, save_figure
from dealstats.labels import runs_from_rows
from dealstats.report import formatted_table
from dealstats.rows import HEADER, Row, format_row, joined
from dealstats.task import Task

UNFINISHED = Path(__file__).parent / "unfinished"
"""Rows of runs that were not played to their end; whoever plays the experiment goes on there."""


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """Runs of players on the deals of the range ``final`` that answer a question together.

    Attributes
    ----------
    name : str
        What its files are called.
    title : str
        The game and what is measured, to be read.
    question : str
        What is asked, and how it is answered: the help of the command.
    game : str
    players : tuple of str
    fast_players : tuple of str
        Those of them that take no more than a few minutes for a million deals.
    player_tasks : callable
        From a player and a seed to the tasks of that player.
    figure : callable
        From rows and a title to the figure.
    note : str
        What a reader of the table must know besides its caption: lines, or nothing.
    """

    name: str
    title: str
    question: str
    game: str
    players: tuple[str, ...]
    fast_players: tuple[str, ...]
    player_tasks: Callable[[str, int], list[Task]]
    figure: Callable[[Sequence[Row], str], Figure]
    note: str = ""

    @property
    def deals(self) -> DealRange:
        """The deals that are quoted."""
        return deal_range(self.game, "final")

    def tasks(self, players: Sequence[str] | None = None) -> list[Task]:
        """The tasks of some players, or of all."""
        names = self.players if players is None else players
        return [task for name in names for task in self.player_tasks(name, self.deals.seed)]

    def table(self, rows: Sequence[Row], format: Literal["text", "markdown"]) -> str:
        """The score table of rows, with its caption and the note."""
        return formatted_table(rows, format) + self.note

    def main(self, argv: Sequence[str] | None = None) -> int:
        """Play what is missing, write rows, table and figure, and return the exit status."""
        return run(self._main, argv)

    def _main(self, argv: Sequence[str] | None) -> int:
        arguments = self._parser().parse_args(argv)
        folder = made_folder(arguments.out)
        players = self.fast_players if arguments.fast else self.players
        tasks = self.tasks(players)
        print(
            f"{self.title}: {len(tasks)} runs of {arguments.deals:,} deals each "
            f"({', '.join(players)})",
            file=sys.stderr,
        )
        blocks = folder / f"{self.name}.blocks.csv"
        begun = UNFINISHED / blocks.name
        is_whole = not arguments.fast and arguments.deals == self.deals.deals
        if is_whole and begun.exists() and not blocks.exists():
            shutil.copyfile(begun, blocks)
        rows = collect(tasks, self.deals.first_deal, arguments.deals, blocks, jobs=arguments.jobs)
        self._write_results(folder, joined(rows))
        return 0

    def _parser(self) -> argparse.ArgumentParser:
        parser = experiment_parser(self.question, self.deals.deals)
        parser.add_argument(
            "--fast", action="store_true", help=f"only {', '.join(self.fast_players)}"
        )
        return parser

    def _write_results(self, folder: Path, rows: Sequence[Row]) -> None:
        lines = "".join(f"{line}\n" for line in (HEADER, *map(format_row, rows)))
        (folder / f"{self.name}.csv").write_text(lines, encoding="utf-8")
        (folder / f"{self.name}.md").write_text(self.table(rows, "markdown"), encoding="utf-8")
        save_figure(self.figure(rows, self.title), folder / f"{self.name}.png")
        print(f"{self.title}\n\n{self.table(rows, 'text')}")
        print(f"rows, table and figure: {folder}/{self.name}.csv, .md, .png\n")


def experiment_parser(question: str, deals: int) -> argparse.ArgumentParser:
    """A parser of the arguments that all experiments take; so many deals are the default."""
    parser = Parser(description=question, formatter_class=argparse.RawDescriptionHelpFormatter)
    help_deals = f"only the first N deals (default: {deals})"
    parser.add_argument("--deals", type=int, default=deals, metavar="N", help=help_deals)
    parser.add_argument("--jobs", type=int, default=-1, metavar="J", help="workers (default: all)")
    parser.add_argument("--out", default="results", metavar="FOLDER", help="default: results")
    return parser


def made_folder(path: str) -> Path:
    """A folder, made if it is missing."""
    folder = Path(path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def win_rates_by_redeals(rows: Sequence[Row], title: str) -> Figure:
    """The share of deals won over the redeals, a line for each player, a panel for each draw."""
    return plot_win_rates(runs_from_rows(rows), along="redeals", panels="draw", title=title)
