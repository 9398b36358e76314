"""Make devilsgrip_perft.csv and klondike_perft.csv from the textbook games alone.

The files are what the compiled rules are tested against, so nothing compiled is used here. Name
games as arguments to make only their files; the first takes about a quarter of an hour, the other
some minutes.
"""

import csv
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from itertools import product
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed

import devilsgrip.deck
import devilsgrip.position
import devilsgrip.reference
import devilsgrip.rules
import klondike.deck
import klondike.position
import klondike.reference
import klondike.rules

COLUMNS = ("rules", "deal", "seed", "depth", "counts")
DEPTH_CEILING = 60


@dataclass(frozen=True)
class Perft:
    """The counts of a game, and how they are made.

    Attributes
    ----------
    name : str
        That of the package.
    header : str
        Says what the file holds.
    default : str
        How the rules without any change are called.
    rules : type
    deal : function
        Of index, seed and rules, to a deck.
    dealt : function
        Of deck and rules, to a position.
    game : type
        The textbook game.
    plan : function
        Gives the rows of the file: rules, deal, seed and the most positions in all.
    """

    name: str
    header: str
    default: str
    rules: Callable[..., Any]
    deal: Callable[..., Any]
    dealt: Callable[..., Any]
    game: Callable[..., Any]
    plan: Callable[[], Iterator[tuple[Any, int, int, int]]]

    @property
    def file(self) -> Path:
        """Where the counts are."""
        return Path(__file__).with_name(f"{self.name}_perft.csv")

    def format_rules(self, rules: Any) -> str:
        """Rule options that differ from the default, such as ``unit=tail suits=1``."""
        options = (
            (field.name, getattr(rules, field.name), field.default) for field in fields(rules)
        )
        changes = [f"{name}={value}" for name, value, default in options if value != default]
        return " ".join(changes) or self.default

    def parse_rules(self, text: str) -> Any:
        """The inverse of :meth:`format_rules`."""
        changes = dict(change.split("=") for change in text.split() if change != self.default)
        return self.rules(**{name: _value(value) for name, value in changes.items()})

    def root(self, rules: Any, index: int, seed: int) -> Any:
        """The position of a numbered deal."""
        return self.dealt(self.deal(index, seed, rules), rules)

    def numbers(self, position: Any, rules: Any) -> Iterator[int]:
        """Numbers of distinct positions after 0, 1, 2, .. moves, without end."""
        positions = {self.game(position, rules).key(): position}
        while True:
            yield len(positions)
            positions = dict(
                child for parent in positions.values() for child in self._children(parent, rules)
            )

    def _children(self, position: Any, rules: Any) -> Iterator[tuple[tuple[object, ...], Any]]:
        game = self.game(position, rules)
        key = game.key()
        for move in game.legal_moves():
            game.push(move)
            if game.key() != key:
                yield game.key(), game.position
            game.pop()

    def row(self, rules: Any, index: int, seed: int, most_positions: int) -> dict[str, object]:
        """A row of the file, with at most so many positions in all."""
        counts: list[int] = []
        for number in self.numbers(self.root(rules, index, seed), rules):
            if sum(counts) + number > most_positions or len(counts) > DEPTH_CEILING:
                break
            counts.append(number)
            if number == 0:
                break
        return {
            "rules": self.format_rules(rules),
            "deal": index,
            "seed": seed,
            "depth": len(counts) - 1,
            "counts": " ".join(map(str, counts)),
        }

    def root_of(self, row: dict[str, str]) -> tuple[Any, Any]:
        """The position that a row of the file begins with, and the rules."""
        rules = self.parse_rules(row["rules"])
        return self.root(rules, int(row["deal"]), int(row["seed"])), rules

    def read_rows(self) -> list[dict[str, str]]:
        """The rows of the file."""
        with self.file.open(newline="") as file:
            return list(csv.DictReader(line for line in file if not line.startswith("#")))

    def make(self) -> None:
        """Make the file."""
        rows = Parallel(n_jobs=-1, verbose=1)(delayed(self.row)(*row) for row in self.plan())
        with self.file.open("w", newline="") as file:
            file.write(self.header)
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


def counts_of(row: dict[str, str]) -> list[int]:
    """The numbers of positions in a row."""
    return [int(count) for count in row["counts"].split()]


def name_of(row: dict[str, str]) -> str:
    """A short text that no other row has."""
    return f"{row['rules']} deal={row['deal']} seed={row['seed']}"


def _value(text: str) -> int | bool | str:
    if text in ("True", "False"):
        return text == "True"
    return int(text) if text.isdigit() else text


# Devil's Grip


def _devilsgrip_changed_alone(suits: int) -> list[devilsgrip.rules.Rules]:
    """The textbook and each option changed alone.

    Turns of many cards lead to the end of a large stock within few moves.
    """
    textbook = devilsgrip.rules.Rules(suits=suits)
    stock = textbook.stock_cards
    changes: list[dict[str, Any]] = [
        {},
        *({"redeals": number} for number in (0, 1, 2, 5)),
        *({"turn": number} for number in (1, 2, 5, stock // 4, stock // 2, stock)),
        {"fill": "talon_top"},
        *({"unit": unit} for unit in devilsgrip.rules.UNITS[1:]),
        {"initial_talon": 3},
    ]
    return [replace(textbook, **change) for change in changes]


def _devilsgrip_combined(suits: int, turns: tuple[int, ...]) -> list[devilsgrip.rules.Rules]:
    return [
        devilsgrip.rules.Rules(
            suits=suits, redeals=redeals, turn=turn, fill=fill, unit=unit, initial_talon=talon
        )
        for redeals, turn, fill, unit, talon in product(
            (None, 0, 1, 2), turns, devilsgrip.rules.FILLS, devilsgrip.rules.UNITS, (0, 3)
        )
    ]


def _devilsgrip_plan() -> Iterator[tuple[devilsgrip.rules.Rules, int, int, int]]:
    for suits, most_positions in ((1, 20_000), (2, 20_000), (3, 15_000), (4, 15_000)):
        for index, rules in enumerate(_devilsgrip_changed_alone(suits)):
            yield rules, index, 0, most_positions
    for index, rules in enumerate(_devilsgrip_combined(1, turns=(1, 2, 3, 5))):
        yield rules, index, 1, 2_000
    for index, rules in enumerate(_devilsgrip_combined(2, turns=(1, 3, 12, 18))[::5]):
        yield rules, index, 2, 3_000
    for suits in (3, 4):
        combined = _devilsgrip_combined(suits, turns=(3, 5, 24, 36))
        for index, rules in enumerate(combined[suits::13]):
            yield rules, index, 3, 4_000
    for index in range(2):
        yield devilsgrip.rules.Rules(), index, 2**63 - 1, 100_000
    for index in range(4):
        yield devilsgrip.rules.Rules(suits=1, redeals=index), index, 4, 60_000


DEVILSGRIP = Perft(
    name="devilsgrip",
    header="""\
# Devil's Grip: numbers of distinct positions after exactly 0, 1, .. depth moves, up to swaps and
# the copies of a card. Made by seeds/make_perft.py from devilsgrip/reference.py, the textbook
# game in plain Python. A row ends before it would go beyond a number of positions, or with 0.
""",
    default="textbook",
    rules=devilsgrip.rules.Rules,
    deal=devilsgrip.deck.deal,
    dealt=devilsgrip.position.dealt,
    game=devilsgrip.reference.ReferenceGame,
    plan=_devilsgrip_plan,
)


# Klondike


def _klondike_changed_alone(ranks: int, piles: int) -> list[klondike.rules.Rules]:
    """The default rules and each option changed alone."""
    default = klondike.rules.Rules(ranks=ranks, piles=piles)
    changes: list[dict[str, Any]] = [
        {},
        *({"redeals": number} for number in (0, 1, 2, 5)),
        *({"draw": number} for number in (2, 3, 4, 24)),
        *({"empty_pile": kept} for kept in klondike.rules.EMPTY_PILES[1:]),
        {"worrying_back": False},
        {"partial_runs": False},
        {"start_with_draw": True},
    ]
    return [replace(default, **change) for change in changes]


def _klondike_combined(ranks: int, piles: int) -> list[klondike.rules.Rules]:
    options = {
        "draw": (1, 2, 3),
        "redeals": (None, 0, 1, 2),
        "empty_pile": klondike.rules.EMPTY_PILES,
        "worrying_back": (True, False),
        "partial_runs": (True, False),
        "start_with_draw": (False, True),
    }
    return [
        klondike.rules.Rules(ranks=ranks, piles=piles, **dict(zip(options, values, strict=True)))
        for values in product(*options.values())
    ]


def _klondike_without_way_back(
    ranks: int, piles: int, draw: int, redeals: int
) -> klondike.rules.Rules:
    """Rules under which no position comes again, so that every game comes to its end."""
    return klondike.rules.Rules(
        ranks=ranks,
        piles=piles,
        draw=draw,
        redeals=redeals,
        empty_pile="none",
        worrying_back=False,
        partial_runs=False,
    )


def _klondike_plan() -> Iterator[tuple[klondike.rules.Rules, int, int, int]]:
    for ranks, piles, most_positions in ((13, 7, 8_000), (9, 7, 5_000), (6, 4, 5_000)):
        for index, rules in enumerate(_klondike_changed_alone(ranks, piles)):
            yield rules, index, 0, most_positions
    for index, rules in enumerate(_klondike_combined(13, 7)[::7]):
        yield rules, index, 1, 2_000
    for index, rules in enumerate(_klondike_combined(4, 4)[::2]):
        yield rules, index, 2, 1_000
    for index, rules in enumerate(_klondike_combined(2, 2)[::3]):
        yield rules, index, 3, 2_000
    for ranks, piles in ((1, 1), (1, 2), (2, 1), (2, 3), (3, 3), (3, 4), (4, 3), (4, 5)):
        for draw, redeals in product((1, 2, 3), (0, 1)):
            yield _klondike_without_way_back(ranks, piles, draw, redeals), draw, 4, 20_000
    for index, draw in enumerate((1, 3)):
        yield klondike.rules.Rules(draw=draw), index, 2**63 - 1, 40_000


KLONDIKE = Perft(
    name="klondike",
    header="""\
# Klondike: numbers of distinct positions after exactly 0, 1, .. depth moves, with piles in their
# places. Made by seeds/make_perft.py from klondike/reference.py, the textbook game in plain
# Python. A row ends before it would go beyond a number of positions, or with 0.
""",
    default="default",
    rules=klondike.rules.Rules,
    deal=klondike.deck.deal,
    dealt=klondike.position.dealt,
    game=klondike.reference.ReferenceGame,
    plan=_klondike_plan,
)


def main(names: list[str]) -> None:
    """Make the files of the games named, or all."""
    for perft in (DEVILSGRIP, KLONDIKE):
        if perft.name in (names or [perft.name]):
            perft.make()


if __name__ == "__main__":
    main(sys.argv[1:])
