"""The rule options that tests of Klondike go through."""

from itertools import product
from random import Random

from klondike.rules import EMPTY_PILES, FOUNDATION_AWARDS, SCORINGS, Rules

OPTIONS = {
    "draw": (1, 2, 3, 4, 5, 24),
    "redeals": (None, 0, 1, 2, 3),
    "empty_pile": EMPTY_PILES,
    "worrying_back": (True, False),
    "partial_runs": (True, False),
    "start_with_draw": (False, True),
    "scoring": SCORINGS,
    "foundation_award": FOUNDATION_AWARDS,
}
RANKS = range(1, 14)


def possible_piles(ranks):
    """The numbers of piles for which a pack has enough cards."""
    return [piles for piles in range(1, 8) if piles * (piles + 1) // 2 <= 4 * ranks]


def every_rules(ranks):
    """All combinations of the options, each with some number of piles, often the largest one.

    What a player sees makes no difference to the rules.
    """
    chance, piles = Random(ranks), possible_piles(ranks)
    return [
        Rules(
            ranks=ranks,
            piles=chance.choice((piles[-1], chance.choice(piles))),
            **dict(zip(OPTIONS, values, strict=True)),
        )
        for values in product(*OPTIONS.values())
    ]


def some_rules(ranks, number, seed=0):
    """So many of the combinations by lot, or all if they are no more."""
    every_rule = every_rules(ranks)
    return Random(seed).sample(every_rule, min(number, len(every_rule)))
