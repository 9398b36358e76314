"""The options of the rules as flags of a command."""

import argparse

from dealstats.rule_flags import (
    UNLIMITED,
    add_option,
    add_rule_group,
    chosen_rules,
    count_or_unlimited,
    flag_words,
    option_word,
)
from devilsgrip.rules import FILLS, PRESETS, SIGHTS, UNITS, Rules


def add_rule_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the rules to a parser; :func:`rules_from_flags` reads them."""
    group = add_rule_group(
        parser, "The textbook game unless a preset is named; flags override the preset.", PRESETS
    )
    for flag in (
        (
            "redeals",
            f"N|{UNLIMITED}",
            count_or_unlimited,
            "how often the talon may be turned over (DG7)",
        ),
        ("turn", "N", int, "cards turned at a time (DG6)"),
        ("fill", flag_words(FILLS), option_word, "what fills a space without a stock (DG5b)"),
        ("unit", flag_words(UNITS), option_word, "what may be moved in the grid (DG4)"),
        ("initial_talon", "0|3", int, "cards on the talon at the start (DG2)"),
        ("sees", flag_words(SIGHTS), option_word, "what a player remembers (DG10)"),
        ("suits", "1..4", int, "small packs: the first suits of C, D, H, S"),
    ):
        add_option(group, *flag)


def rules_from_flags(arguments: argparse.Namespace) -> Rules:
    """The rules that parsed flags ask for.

    Raises
    ------
    ImpossibleRules
        If there is no such preset, or no game can be played by these options.
    """
    return chosen_rules(arguments, Rules)
