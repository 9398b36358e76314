"""How many cards do the players of Devil's Grip leave, with 0, 1, 2 and unlimited redeals?

Plays every player on the deals of the range ``final`` and writes rows, table and figure. A run
that was stopped goes on where it was; a finished one only writes table and figure again.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from deal_ranges import deal_range

from dealstats.collect import collect
from dealstats.command_line import Parser, run
from dealstats.figures import plot_score_distribution, save_figure
from dealstats.labels import runs_from_rows, score_scale_of
from dealstats.report import formatted_table
from dealstats.rows import HEADER, Row, format_row, joined
from dealstats.task import Task
from devilsgrip.batch import player_task
from devilsgrip.players import PLAYERS
from devilsgrip.rules import Rules

REDEALS = (0, 1, 2, None)
FAST_PLAYERS = ("random", "greedy", "keeper", "matcher")
NAME = "devilsgrip_score_distribution"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the experiment and return its exit status."""
    return run(_main, argv)


def _main(argv: Sequence[str] | None) -> int:
    arguments = _parser().parse_args(argv)
    folder = Path(arguments.out)
    folder.mkdir(parents=True, exist_ok=True)
    deals = deal_range("devilsgrip", "final")
    count = deals.deals if arguments.deals is None else arguments.deals
    players = FAST_PLAYERS if arguments.fast else tuple(PLAYERS)
    tasks = [
        player_task(player, Rules(redeals=redeals), deals.seed)
        for player in players
        for redeals in REDEALS
    ]
    print(
        f"Devil's Grip: {len(tasks)} runs of {count:,} deals each "
        f"({', '.join(players)}; redeals 0, 1, 2, unlimited)",
        file=sys.stderr,
    )
    rows = collect(
        tasks, deals.first_deal, count, folder / f"{NAME}.blocks.csv", jobs=arguments.jobs
    )
    _write_results(folder, joined(rows), tasks)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = Parser(description=__doc__)
    parser.add_argument("--fast", action="store_true", help=f"only {', '.join(FAST_PLAYERS)}")
    parser.add_argument("--deals", type=int, metavar="N", help="only the first N deals")
    parser.add_argument("--jobs", type=int, default=-1, metavar="J", help="workers (default: all)")
    parser.add_argument("--out", default="results", metavar="FOLDER", help="default: results")
    return parser


def _write_results(folder: Path, rows: Sequence[Row], tasks: Sequence[Task]) -> None:
    lines = [HEADER, *map(format_row, rows)]
    (folder / f"{NAME}.csv").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    (folder / f"{NAME}.md").write_text(formatted_table(rows, "markdown"), encoding="utf-8")
    shown = [row for row in rows if _is_drawn(row.task)]
    figure = plot_score_distribution(
        runs_from_rows(shown), score_scale_of(shown), "Devil's Grip: cards left"
    )
    save_figure(figure, folder / f"{NAME}.png")
    print(formatted_table(rows, "text"))
    print(f"rows, table and figure: {folder}/{NAME}.csv, .md, .png")


def _is_drawn(task: Task) -> bool:
    """Whether a run is in the figure: with few redeals, most players are like greedy or worse."""
    redeals = task.rules["redeals"]
    return redeals is None or task.player == "greedy" or (task.player == "rollout" and redeals > 0)


if __name__ == "__main__":
    sys.exit(main())
