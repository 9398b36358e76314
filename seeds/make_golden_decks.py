"""Make golden_decks.csv: numbered deals as scheme philox1 has published them.

A published scheme never changes, so the rows that are there must never change either; a new game
or scheme adds rows. Only plain Python over numpy's generator is used, nothing compiled.
"""

import csv
from collections.abc import Iterator
from pathlib import Path

import devilsgrip.deck
import klondike.deck
from dealstats.cards import format_cards
from devilsgrip.rules import Rules

FILE = Path(__file__).with_name("golden_decks.csv")
HEADER = """\
# Decks of numbered deals of scheme philox1 (dealstats/deals.py), cards in dealing order.
# Made by seeds/make_golden_decks.py from the plain Python version. Rows never change.
"""
COLUMNS = ("game", "suits", "seed", "index", "cards")
LARGEST = 2**63 - 1

NUMBERS = (
    *((0, index) for index in range(8)),
    *((0, index) for index in (5562, 3844, 186, 404)),  # a word is thrown away: 1, 2, 3, 4 suits
    (1, 0),
    (2, 1_000_000),
    (0, 2**32),
    (2**32, 0),
    (0, LARGEST),
    (LARGEST, 0),
    (LARGEST, LARGEST),
)
"""Seeds and indices."""
KLONDIKE_NUMBERS = (*NUMBERS, (0, 50))  # the last one throws a word away


def rows() -> Iterator[dict[str, object]]:
    """Decks of all sizes of Devil's Grip's pack, and of the full pack of Klondike."""
    for suits in range(1, 5):
        for seed, index in NUMBERS:
            deck = devilsgrip.deck.deal(index, seed, Rules(suits=suits))
            yield _row("devilsgrip", suits, seed, index, deck)
    for seed, index in KLONDIKE_NUMBERS:
        yield _row("klondike", 4, seed, index, klondike.deck.deal(index, seed))


def _row(game: str, suits: int, seed: int, index: int, deck: tuple[int, ...]) -> dict[str, object]:
    cards = format_cards(deck)
    return {"game": game, "suits": suits, "seed": seed, "index": index, "cards": cards}


def read_rows() -> list[dict[str, str]]:
    """The rows of the file."""
    with FILE.open(newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def main() -> None:
    """Make the file."""
    with FILE.open("w", newline="") as file:
        file.write(HEADER)
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows())


if __name__ == "__main__":
    main()
