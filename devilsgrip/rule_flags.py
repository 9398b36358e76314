"""The options of the rules as flags of a command."""

import argparse
from dataclasses import fields

from devilsgrip.rules import FILLS, PRESETS, SIGHTS, UNITS, Rules

UNLIMITED = "unlimited"


def add_rule_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the rules to a parser; :func:`rules_from_flags` reads them."""
    group = parser.add_argument_group(
        "rules", "The textbook game unless a preset is named; flags override the preset."
    )
    group.add_argument("--preset", metavar="NAME", default="textbook", help=", ".join(PRESETS))
    for option, metavar, kind, explanation in (
        ("redeals", f"N|{UNLIMITED}", _redeals, "how often the talon may be turned over (DG7)"),
        ("turn", "N", int, "cards turned at a time (DG6)"),
        ("fill", _flag_words(FILLS), _option_word, "what fills a space without a stock (DG5b)"),
        ("unit", _flag_words(UNITS), _option_word, "what may be moved in the grid (DG4)"),
        ("initial_talon", "0|3", int, "cards on the talon at the start (DG2)"),
        ("sees", _flag_words(SIGHTS), _option_word, "what a player remembers (DG10)"),
        ("suits", "1..4", int, "small packs: the first suits of C, D, H, S"),
    ):
        group.add_argument(
            f"--{option.replace('_', '-')}",
            metavar=metavar,
            type=kind,
            default=argparse.SUPPRESS,
            help=explanation,
        )


def rules_from_flags(arguments: argparse.Namespace) -> Rules:
    """The rules that parsed flags ask for.

    Raises
    ------
    ImpossibleRules
        If there is no such preset, or no game can be played by these options.
    """
    given = vars(arguments)
    changes = {field.name: given[field.name] for field in fields(Rules) if field.name in given}
    return Rules.preset(arguments.preset, **changes)


def _redeals(text: str) -> int | None:
    if text == UNLIMITED:
        return None
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is neither a number nor {UNLIMITED}") from None


def _flag_words(words: tuple[str, ...]) -> str:
    return "|".join(words).replace("_", "-")


def _option_word(text: str) -> str:
    return text.replace("-", "_")
