"""Small packs of Klondike of all kinds of options, whose truth exhaustive search tells."""

from dataclasses import replace
from random import Random
from typing import NamedTuple

import numpy as np
from klondike_options import OPTIONS, possible_piles

from klondike.exhaustive import OUTCOMES, exhaustive_deals
from klondike.rules import Rules

SEED = 3
POSITION_BUDGET = 20_000


class SmallBlock(NamedTuple):
    """Deals ``first_deal, first_deal + 1, ..`` of some rules, and the outcomes that are known."""

    rules: Rules
    first_deal: int
    outcomes: list[str]


def random_rules(chance: Random, ranks: int) -> Rules:
    """Rules by lot, in which each option takes each of its values as often."""
    return Rules(
        ranks=ranks,
        piles=chance.choice(possible_piles(ranks)),
        **{name: chance.choice(values) for name, values in OPTIONS.items()},
    )


def small_block(chance: Random, deals: int, ranks=(2, 3, 4, 5), **changes) -> SmallBlock:
    """Deals of rules by lot, and what becomes of them; unknown where there are many positions."""
    rules = replace(random_rules(chance, chance.choice(ranks)), **changes)
    first_deal = chance.randrange(10**6)
    verdicts = exhaustive_deals(first_deal, deals, rules, SEED, POSITION_BUDGET, shortest=False)
    outcomes = [OUTCOMES[number] for number in np.asarray(verdicts.outcome).tolist()]
    return SmallBlock(rules, first_deal, outcomes)
