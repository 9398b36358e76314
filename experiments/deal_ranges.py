"""The named deal ranges of ``seeds/ranges.csv``."""

import csv
from pathlib import Path
from typing import NamedTuple

RANGES_FILE = Path(__file__).parents[1] / "seeds" / "ranges.csv"


class DealRange(NamedTuple):
    """Deals ``first_deal .. first_deal + deals - 1`` of a seed, kept for one use."""

    game: str
    name: str
    seed: int
    first_deal: int
    deals: int
    use: str


def read_deal_ranges() -> list[DealRange]:
    """All named ranges."""
    with open(RANGES_FILE, encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return [
            DealRange(
                row["game"],
                row["name"],
                int(row["seed"]),
                int(row["first_deal"]),
                int(row["deals"]),
                row["use"],
            )
            for row in rows
        ]


def deal_range(game: str, name: str) -> DealRange:
    """One named range of a game."""
    return next(one for one in read_deal_ranges() if (one.game, one.name) == (game, name))
