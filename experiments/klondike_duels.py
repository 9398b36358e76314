"""Who beats whom at Klondike, deal by deal, by either award for the foundations?

Lets every player meet each other one (KL10) on the first deals of the range ``final`` under the
rules of the preset stargames, and writes all numbers and the tables.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd
from deal_ranges import deal_range
from experiment import experiment_parser, made_folder
from klondike_score_distribution import AWARD_NOTE

from dealstats.command_line import run
from klondike.duel import DuelTable, duel
from klondike.players import PLAYERS
from klondike.rules import FOUNDATION_AWARDS, PRESETS

NAME = Path(__file__).stem
AWARD = "foundation award"
DEALS = 100_000


def main(argv: Sequence[str] | None = None) -> int:
    """Run the experiment and return its exit status."""
    return run(_main, argv)


def _main(argv: Sequence[str] | None) -> int:
    arguments = experiment_parser(__doc__, DEALS).parse_args(argv)
    folder = made_folder(arguments.out)
    print(f"Klondike: duels of {', '.join(PLAYERS)} on {arguments.deals:,} deals", file=sys.stderr)
    write_results(folder, [_duels(award, arguments) for award in reversed(FOUNDATION_AWARDS)])
    return 0


def _duels(award: str, arguments: argparse.Namespace) -> DuelTable:
    deals = deal_range("klondike", "final")
    return duel(
        tuple(PLAYERS),
        deals.first_deal,
        arguments.deals,
        replace(PRESETS["stargames"], foundation_award=award),
        seed=deals.seed,
        jobs=arguments.jobs,
    )


def write_results(folder: Path, tables: Sequence[DuelTable]) -> None:
    """Write the numbers of all tables in one, and the tables as text to read."""
    names = [table.rules.foundation_award.replace("_", "-") for table in tables]
    frames = dict(zip(names, (table.frame() for table in tables), strict=True))
    numbers = pd.concat(frames, names=[AWARD]).reset_index(AWARD)
    numbers.to_csv(folder / f"{NAME}.csv", index=False, lineterminator="\n")
    sections = [
        f"## {AWARD.capitalize()} {name}\n\n{table.formatted('markdown')}"
        for name, table in zip(names, tables, strict=True)
    ]
    text = "\n".join(["# Klondike: duels\n", AWARD_NOTE, *sections])
    (folder / f"{NAME}.md").write_text(text, encoding="utf-8")
    print(f"{text}\nnumbers and tables: {folder}/{NAME}.csv, .md")


if __name__ == "__main__":
    sys.exit(main())
