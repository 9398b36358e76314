"""The rule options that tests of Devil's Grip go through."""

from itertools import product

from devilsgrip.rules import FILLS, UNITS, Rules

OPTIONS = {
    "redeals": (None, 0, 1, 2, 5),
    "turn": (1, 2, 3, 4),
    "fill": FILLS,
    "unit": UNITS,
    "initial_talon": (0, 3),
}
SUITS = (1, 2, 3, 4)


def every_rules(suits):
    """All combinations of the options; what a player sees makes no difference to the rules."""
    return [
        Rules(suits=suits, **dict(zip(OPTIONS, values, strict=True)))
        for values in product(*OPTIONS.values())
    ]
