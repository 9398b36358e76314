"""The options of the rules as flags of a command."""

import argparse

from dealstats.rule_flags import (
    UNLIMITED,
    add_option,
    add_rule_group,
    add_switch,
    chosen_rules,
    count_or_unlimited,
    flag_words,
    option_word,
)
from klondike.rules import EMPTY_PILES, FOUNDATION_AWARDS, PRESETS, SCORINGS, SIGHTS, Rules


def add_rule_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the rules to a parser; :func:`rules_from_flags` reads them."""
    group = add_rule_group(
        parser,
        "One card drawn at a time, unlimited redeals, kings on empty piles and the points of "
        "stargames, unless a preset is named; flags override the preset.",
        PRESETS,
    )
    for flag in (
        ("draw", "N", int, "cards turned at a time (KL2)"),
        (
            "redeals",
            f"N|{UNLIMITED}",
            count_or_unlimited,
            "how often the waste may be turned over (KL6)",
        ),
        ("empty_pile", flag_words(EMPTY_PILES), option_word, "what enters an empty pile (KL4)"),
        ("scoring", flag_words(SCORINGS), option_word, "the table of points (KL9)"),
        (
            "foundation_award",
            flag_words(FOUNDATION_AWARDS),
            option_word,
            "how often a card earns its foundation points (KL9)",
        ),
        ("sees", flag_words(SIGHTS), option_word, "what a player knows of the stock (KL11)"),
        ("ranks", "1..13", int, "small packs: the ranks from the ace up"),
        ("piles", "1..7", int, "small packs: the piles of the tableau"),
    ):
        add_option(group, *flag)
    for switch in (
        ("--no-worrying-back", "worrying_back", False, "no card leaves a foundation (KL5)"),
        ("--whole-runs", "partial_runs", False, "only all face-up cards of a pile move (KL3)"),
        ("--start-with-draw", "start_with_draw", True, "the game starts after a draw (KL2)"),
    ):
        add_switch(group, *switch)


def rules_from_flags(arguments: argparse.Namespace) -> Rules:
    """The rules that parsed flags ask for.

    Raises
    ------
    ImpossibleRules
        If there is no such preset, or no game can be played by these options.
    """
    return chosen_rules(arguments, Rules)
