"""The command ``klondike duel``."""

from argparse import ArgumentTypeError, Namespace
from typing import Any

from dealstats.command_line import (
    add_format_flag,
    deal_range,
    positive_number,
    print_json,
    seed_number,
)
from dealstats.game_command import add_command
from klondike.players import PLAYERS
from klondike.rule_flags import add_rule_flags, rules_from_flags


def add_duel(commands: Any) -> None:
    """Add the command."""
    parser = add_command(commands, "duel", _duel, "let players compete on the same deals")
    parser.add_argument(
        "--players",
        required=True,
        metavar="A,B",
        help=f"two or more of: {', '.join(PLAYERS)}; each meets each later one",
    )
    parser.add_argument(
        "--deals", required=True, metavar="FIRST:STOP", help="numbers of the deals, such as 0:1000"
    )
    parser.add_argument(
        "--seed", type=seed_number, default=0, metavar="S", help="seed of the deals (default: 0)"
    )
    parser.add_argument(
        "--jobs",
        type=positive_number,
        default=-1,  # as in joblib
        metavar="J",
        help="workers, which change no result (default: one for each CPU)",
    )
    parser.add_argument(
        "--seconds-per-move",
        type=_seconds,
        metavar="S[,S...]",
        help="how long a move takes, for all players or for each one: with equal scores less time "
        "wins, instead of fewer moves, and the table shows minutes a game",
    )
    output = parser.add_mutually_exclusive_group()
    add_format_flag(output)
    output.add_argument("--json", action="store_true", help="print one JSON object for each duel")
    add_rule_flags(parser)


def _seconds(text: str) -> list[float]:
    try:
        return [float(number) for number in text.split(",")]
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is neither a number nor several, as in 1.5,2") from None


def _duel(arguments: Namespace) -> None:
    rules = rules_from_flags(arguments)
    first_deal, stop_deal = deal_range(arguments.deals)

    from klondike.duel import duel

    table = duel(
        arguments.players.split(","),
        first_deal,
        stop_deal - first_deal,
        rules,
        seed=arguments.seed,
        jobs=arguments.jobs,
        seconds_per_move=arguments.seconds_per_move,
    )
    if not arguments.json:
        print(table.formatted(arguments.format), end="")
        return
    for one in table.duels:
        low, mean, high = one.score_difference
        print_json(
            deals=arguments.deals,
            seed=table.seed,
            rules=rules.to_dict(),
            players=one.players,
            wins=one.wins,
            draws=one.draws,
            losses=one.losses,
            mean_score_difference=mean,
            mean_score_difference_interval=[low, high] if one.deals > 1 else None,
            mean_moves=one.mean_moves,
            mean_minutes=one.mean_minutes,
        )
