"""Make devilsgrip_perft.csv from the textbook game alone, in about a quarter of an hour.

The file is what the compiled rules are tested against, so nothing compiled is used here.
"""

import csv
from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import product
from pathlib import Path

from joblib import Parallel, delayed

from devilsgrip.deck import deal
from devilsgrip.position import Position, dealt
from devilsgrip.reference import ReferenceGame
from devilsgrip.rules import FILLS, UNITS, Rules

FILE = Path(__file__).with_name("devilsgrip_perft.csv")
HEADER = """\
# Devil's Grip: numbers of distinct positions after exactly 0, 1, .. depth moves, up to swaps and
# the copies of a card. Made by seeds/make_perft.py from devilsgrip/reference.py, the textbook
# game in plain Python. A row ends before it would go beyond a number of positions, or with 0.
"""
COLUMNS = ("rules", "deal", "seed", "depth", "counts")
DEPTH_CEILING = 60
TEXTBOOK = "textbook"


def format_rules(rules: Rules) -> str:
    """Rule options that differ from the textbook, such as ``unit=tail suits=1``."""
    options = ((field.name, getattr(rules, field.name), field.default) for field in fields(rules))
    changes = [f"{name}={value}" for name, value, default in options if value != default]
    return " ".join(changes) or TEXTBOOK


def parse_rules(text: str) -> Rules:
    """The inverse of :func:`format_rules`."""
    changes = dict(change.split("=") for change in text.split() if change != TEXTBOOK)
    return Rules(**{name: _value(value) for name, value in changes.items()})


def _value(text: str) -> int | str:
    return int(text) if text.isdigit() else text


def reference_numbers(position: Position, rules: Rules) -> Iterator[int]:
    """Numbers of distinct positions after 0, 1, 2, .. moves, without end."""
    positions = {ReferenceGame(position, rules).key(): position}
    while True:
        yield len(positions)
        positions = dict(
            child for parent in positions.values() for child in _children(parent, rules)
        )


def _children(position: Position, rules: Rules) -> Iterator[tuple[tuple[object, ...], Position]]:
    game = ReferenceGame(position, rules)
    key = game.key()
    for move in game.legal_moves():
        game.push(move)
        if game.key() != key:
            yield game.key(), game.position
        game.pop()


def reference_row(rules: Rules, index: int, seed: int, most_positions: int) -> dict[str, object]:
    """A row of the file, with at most so many positions in all."""
    counts: list[int] = []
    for number in reference_numbers(dealt(deal(index, seed, rules), rules), rules):
        if sum(counts) + number > most_positions or len(counts) > DEPTH_CEILING:
            break
        counts.append(number)
        if number == 0:
            break
    return {
        "rules": format_rules(rules),
        "deal": index,
        "seed": seed,
        "depth": len(counts) - 1,
        "counts": " ".join(map(str, counts)),
    }


def read_rows() -> list[dict[str, str]]:
    """The rows of the file."""
    with FILE.open(newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def _changed_alone(suits: int) -> list[Rules]:
    """The textbook and each option changed alone.

    Turns of many cards lead to the end of a large stock within few moves.
    """
    stock = Rules(suits=suits).stock_cards
    changes: list[dict[str, object]] = [
        {},
        *({"redeals": number} for number in (0, 1, 2, 5)),
        *({"turn": number} for number in (1, 2, 5, stock // 4, stock // 2, stock)),
        {"fill": "talon_top"},
        *({"unit": unit} for unit in UNITS[1:]),
        {"initial_talon": 3},
    ]
    return [replace(Rules(suits=suits), **change) for change in changes]


def _combined(suits: int, turns: tuple[int, ...]) -> list[Rules]:
    return [
        Rules(suits=suits, redeals=redeals, turn=turn, fill=fill, unit=unit, initial_talon=talon)
        for redeals, turn, fill, unit, talon in product(
            (None, 0, 1, 2), turns, FILLS, UNITS, (0, 3)
        )
    ]


def plan() -> Iterator[tuple[Rules, int, int, int]]:
    """The rows of the file: rules, deal, seed and the most positions in all."""
    for suits, most_positions in ((1, 20_000), (2, 20_000), (3, 15_000), (4, 15_000)):
        for index, rules in enumerate(_changed_alone(suits)):
            yield rules, index, 0, most_positions
    for index, rules in enumerate(_combined(1, turns=(1, 2, 3, 5))):
        yield rules, index, 1, 2_000
    for index, rules in enumerate(_combined(2, turns=(1, 3, 12, 18))[::5]):
        yield rules, index, 2, 3_000
    for suits in (3, 4):
        for index, rules in enumerate(_combined(suits, turns=(3, 5, 24, 36))[suits::13]):
            yield rules, index, 3, 4_000
    for index in range(2):
        yield Rules(), index, 2**63 - 1, 100_000
    for index in range(4):
        yield Rules(suits=1, redeals=index), index, 4, 60_000


def main() -> None:
    """Make the file."""
    rows = Parallel(n_jobs=-1, verbose=1)(delayed(reference_row)(*row) for row in plan())
    with FILE.open("w", newline="") as file:
        file.write(HEADER)
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
