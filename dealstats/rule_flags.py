"""The options of a game's rules as flags of a command.

The rules are a frozen dataclass with a classmethod ``preset(name, **changes)``.
"""

import argparse
from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import Any

UNLIMITED = "unlimited"


def add_rule_group(parser: argparse.ArgumentParser, about: str, presets: Iterable[str]) -> Any:
    """Add a group for the flags of the rules to a parser, with the flag ``--preset``."""
    group = parser.add_argument_group("rules", about)
    group.add_argument("--preset", metavar="NAME", help=", ".join(presets))
    return group


def add_option(
    group: Any, option: str, metavar: str, kind: Callable[[str], Any], explanation: str
) -> None:
    """Add the flag of an option that takes a value; `kind` reads it."""
    group.add_argument(
        f"--{option.replace('_', '-')}",
        metavar=metavar,
        type=kind,
        default=argparse.SUPPRESS,
        help=explanation,
    )


def add_switch(group: Any, flag: str, option: str, value: bool, explanation: str) -> None:
    """Add a flag without a value that gives a boolean option this one."""
    group.add_argument(
        flag,
        dest=option,
        action="store_const",
        const=value,
        default=argparse.SUPPRESS,
        help=explanation,
    )


def chosen_rules(arguments: argparse.Namespace, rules_class: Any) -> Any:
    """The rules that parsed flags ask for: those of the preset, changed by the other flags.

    Raises
    ------
    ImpossibleRules
        If there is no such preset, or no game can be played by these options.
    """
    given = vars(arguments)
    changes = {
        field.name: given[field.name] for field in fields(rules_class) if field.name in given
    }
    if arguments.preset is None:
        return rules_class(**changes)
    return rules_class.preset(arguments.preset, **changes)


def count_or_unlimited(text: str) -> int | None:
    """Read a number, or None for ``unlimited``."""
    if text == UNLIMITED:
        return None
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is neither a number nor {UNLIMITED}") from None


def flag_words(words: Iterable[str]) -> str:
    """The values of an option as flags have them, for help texts."""
    return "|".join(words).replace("_", "-")


def option_word(text: str) -> str:
    """Read a value as flags have it."""
    return text.replace("-", "_")
