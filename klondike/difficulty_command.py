"""The command ``klondike difficulty``."""

from argparse import Namespace
from collections.abc import Iterator
from functools import partial
from typing import Any

from dealstats.command_line import (
    add_format_flag,
    deal_range,
    positive_number,
    print_json,
    print_text,
)
from dealstats.errors import InputError
from dealstats.game_command import add_command
from dealstats.starts import DealRoom, Start, add_start_arguments, starts
from klondike.deal_difficulty import (
    OPENING_MOVES,
    PLAYOUTS,
    Difficulty,
    difficulty,
    difficulty_table,
)
from klondike.rule_flags import add_rule_flags, rules_from_flags
from klondike.rules import Rules
from klondike.solver_flags import add_budget_flags, budgets_from_flags


def add_difficulty(commands: Any, deals: DealRoom) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "difficulty",
        partial(_difficulty, deals),
        "tell how much work a solver has with a deal, and how often simple play wins it",
    )
    add_start_arguments(parser, deals)
    parser.add_argument(
        "--deals",
        dest="numbers",
        metavar="FIRST:STOP",
        help="numbers of several deals, such as 0:100, instead of one start",
    )
    parser.add_argument(
        "--playouts",
        type=positive_number,
        default=PLAYOUTS,
        metavar="N",
        help="games of each player on a deal (default: %(default)s)",
    )
    output = parser.add_mutually_exclusive_group()
    add_format_flag(output)
    output.add_argument("--json", action="store_true", help="print one JSON object for each deal")
    add_budget_flags(parser)
    add_rule_flags(parser)


def _difficulty(deals: DealRoom, arguments: Namespace) -> None:
    rules = rules_from_flags(arguments)

    lines = []
    for start in _starts(arguments, rules, deals):
        one = difficulty(
            start.position,
            rules,
            playouts=arguments.playouts,
            seed=arguments.seed,
            number=start.number,
            **budgets_from_flags(arguments),
        )
        if arguments.json:
            _print_json(start, rules, one)
        lines.append((start.name, one))
    if arguments.json:
        return

    from dealstats.tables import format_table

    print(format_table(difficulty_table(lines), arguments.format), end="")
    if arguments.format != "csv":
        print_text(
            f"\nShares of {arguments.playouts} playouts won, [ ] their 95 % confidence intervals, "
            f"rounded outwards;\nplanner begins with {OPENING_MOVES} moves by lot."
        )


def _starts(arguments: Namespace, rules: Rules, deals: DealRoom) -> Iterator[Start]:
    """The starts that the arguments name, each made when its turn comes."""
    if arguments.numbers is None:
        return iter(starts(arguments, rules, deals))
    if (arguments.deals, arguments.deal, arguments.position) != (None, None, None):
        raise InputError("--deals FIRST:STOP stands instead of DEAL, --deal N and --position FILE")
    first_deal, stop_deal = deal_range(arguments.numbers)
    return _numbered_starts(range(first_deal, stop_deal), arguments, rules, deals)


def _numbered_starts(
    numbers: range, arguments: Namespace, rules: Rules, deals: DealRoom
) -> Iterator[Start]:
    for number in numbers:
        deck = deals.deal(number, arguments.seed, rules, arguments.scheme)
        yield Start(str(number), deals.format_deal(deck), deals.dealt(deck, rules), number)


def _print_json(start: Start, rules: Rules, one: Difficulty) -> None:
    planner, random = one.planner_share, one.random_share
    print_json(
        deal=start.text,
        rules=rules.to_dict(),
        outcome=one.outcome,
        reason=one.reason,
        nodes=one.nodes,
        playouts=one.playouts,
        planner_opening_moves=OPENING_MOVES,
        planner_won=one.planner_won,
        planner_interval=[planner.low, planner.high],
        random_won=one.random_won,
        random_interval=[random.low, random.high],
    )
