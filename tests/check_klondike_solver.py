"""Compare the solvers with exhaustive search on many small packs of all options; takes hours.

    python tests/check_klondike_solver.py --deals 1000000 --rows check.csv --summary check.md

Each block of deals has rules by lot. Each solver that holds for these decides it with all rules of
pruning, and with another selection of them that changes from block to block. A run that was stopped
goes on where it was.
"""

import csv
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from klondike_options import OPTIONS
from klondike_small_packs import SEED, SmallBlock, small_block

from dealstats.command_line import Parser, positive_number, run
from klondike import condensed_deals
from klondike.condensed import holds_for
from klondike.condensed_search import ALL_RULES
from klondike.proved_solver import find_wins
from klondike.pruning import NO_PRUNING, Pruning
from klondike.rules import Rules
from klondike.solvers import Verdicts

DEALS_PER_BLOCK = 50
NODE_BUDGET = 200_000
MEMORY_BUDGET = 100_000_000
ROW_FIELDS = ("block", "deals", "solved", "unsolvable", "unclear", "fast", "wrong", "rules")
SHOWN_OPTIONS = ("ranks", "piles", *(name for name in OPTIONS if name not in (
    "scoring", "foundation_award")))  # fmt: skip

ALONE = {name: NO_PRUNING._replace(**{name: 1}) for name in Pruning._fields}
# They are rules about folded draws.
for name in ("earlier_passes", "use_at_once"):
    ALONE[name] = ALONE[name]._replace(folded_draws=1)
LEFT_OUT = {name: Pruning()._replace(**{name: 0}) for name in Pruning._fields}
FAST_SELECTIONS = range(ALL_RULES)
SELECTIONS = (*ALONE.values(), *LEFT_OUT.values(), NO_PRUNING)


class Comparison(NamedTuple):
    """Where the solver and exhaustive search both know the outcome of a deal.

    Attributes
    ----------
    outcomes : list of str
        Those of exhaustive search.
    wrong : list of tuple
        Rules, number of the deal, true outcome and the solver's, where these differ.
    """

    outcomes: list[str]
    wrong: list[tuple[Rules, int, str, str]]


def compared(block: SmallBlock, pruning: Pruning | None = None) -> Comparison:
    """Let the proved solver decide the deals of a block."""
    deals = len(block.outcomes)
    return _comparison(
        block,
        find_wins(block.first_deal, deals, block.rules, SEED, NODE_BUDGET, MEMORY_BUDGET, pruning),
    )


def fast_compared(block: SmallBlock, pruning: int = ALL_RULES) -> Comparison:
    """Let the fast solver decide the deals of a block, if it holds for the rules."""
    if not holds_for(block.rules):
        return Comparison([], [])
    find, deals = condensed_deals.find_wins, len(block.outcomes)
    return _comparison(
        block, find(block.first_deal, deals, block.rules, SEED, NODE_BUDGET, MEMORY_BUDGET, pruning)
    )


def _comparison(block: SmallBlock, found: Verdicts) -> Comparison:
    clear = [
        (block.rules, block.first_deal + number, truth, verdict)
        for number, (truth, verdict) in enumerate(zip(block.outcomes, found.outcomes, strict=True))
        if "unknown" not in (truth, verdict)
    ]
    return Comparison([case[2] for case in clear], [case for case in clear if case[2] != case[3]])


def checked_row(number: int) -> dict[str, object]:
    """Make block `number` and compare it; wrong verdicts are printed at once."""
    block = small_block(Random(number), DEALS_PER_BLOCK, ranks=(2, 3, 4, 4, 5, 5, 6, 7))
    with_all = compared(block)
    with_some = compared(block, SELECTIONS[number % len(SELECTIONS)])
    fast = fast_compared(block)
    fast_with_some = fast_compared(block, FAST_SELECTIONS[number % len(FAST_SELECTIONS)])
    wrong = with_all.wrong + with_some.wrong + fast.wrong + fast_with_some.wrong
    for case in wrong:
        print("WRONG", number, *case, flush=True)
    solved = with_all.outcomes.count("solved")
    unsolvable = with_all.outcomes.count("unsolvable")
    return {
        "block": number,
        "deals": DEALS_PER_BLOCK,
        "solved": solved,
        "unsolvable": unsolvable,
        "unclear": DEALS_PER_BLOCK - solved - unsolvable,
        "fast": len(fast.outcomes),
        "wrong": len(wrong),
        "rules": json.dumps(block.rules.to_dict()),
    }


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a file without a torn end, which is cut off."""
    if not path.exists():
        return []
    whole = path.read_bytes()
    whole = whole[: whole.rfind(b"\n") + 1]
    path.write_bytes(whole)
    return list(csv.DictReader(whole.decode().splitlines()))


def summary(rows: list[dict[str, str]]) -> Iterator[str]:
    """Lines of a table in Markdown: deals by each value of each option."""
    yield "| option | value | deals | solved | unsolvable | unclear | fast | wrong |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|"
    counts: dict[tuple[str, str], Counter[str]] = {}
    for row in rows:
        rules = json.loads(row["rules"])
        for key in (("all", ""), *((name, json.dumps(rules[name])) for name in SHOWN_OPTIONS)):
            counter = counts.setdefault(key, Counter())
            counter.update({name: int(row[name]) for name in ROW_FIELDS[1:-1]})
    for (option, value), counter in sorted(counts.items()):
        numbers = " | ".join(f"{counter[name]:,}" for name in ROW_FIELDS[1:-1])
        yield f"| {option} | {value} | {numbers} |"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the check; the exit status is 1 if any verdict is wrong."""
    parser = Parser(description=__doc__)
    parser.add_argument("--deals", type=positive_number, default=1_000_000)
    parser.add_argument("--rows", type=Path, required=True, help="CSV file to make or go on")
    parser.add_argument("--summary", type=Path, help="Markdown file to write")
    arguments = parser.parse_args(argv)
    first_block = len(read_rows(arguments.rows))
    with open(arguments.rows, "a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ROW_FIELDS, lineterminator="\n")
        if first_block == 0 and file.tell() == 0:
            writer.writeheader()
        for number in range(first_block, -(-arguments.deals // DEALS_PER_BLOCK)):
            writer.writerow(checked_row(number))
            file.flush()
    rows = read_rows(arguments.rows)
    text = "\n".join(summary(rows)) + "\n"
    print(text, end="")
    if arguments.summary:
        arguments.summary.write_text(text, encoding="utf-8")
    return int(any(int(row["wrong"]) for row in rows))


if __name__ == "__main__":
    sys.exit(run(main))
