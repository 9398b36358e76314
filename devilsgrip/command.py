"""The command ``devilsgrip``: deals printed, shown, played, replayed and counted."""

from collections.abc import Sequence

from dealstats.command_line import Parser, run
from dealstats.drawing import wants_colour
from dealstats.errors import InputError
from dealstats.game_command import CommandGame, add_game_commands
from dealstats.starts import DealRoom
from devilsgrip.deck import SCHEMES, deal
from devilsgrip.drawing import draw_board
from devilsgrip.game import Game
from devilsgrip.notation import (
    MOVE_FORMS,
    format_deal,
    format_position,
    parse_deals,
    parse_position,
)
from devilsgrip.players import PLAYERS, find_player
from devilsgrip.position import Position, dealt
from devilsgrip.rule_flags import add_rule_flags, rules_from_flags
from devilsgrip.rules import Rules
from devilsgrip.solution import replay


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    return run(_main, argv)


def _main(argv: Sequence[str] | None) -> int:
    arguments = _parser().parse_args(argv)
    arguments.execute(arguments)
    return 0


def _parser() -> Parser:
    parser = Parser(
        prog="devilsgrip",
        description="Devil's Grip, a two-pack solitaire: numbered deals, players, replays, counts.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND", title="commands")
    add_game_commands(commands, _game())
    return parser


def _game() -> CommandGame:
    """What the shared commands have to know of Devil's Grip."""
    return CommandGame(
        name="devilsgrip",
        players=PLAYERS,
        find_player=find_player,
        deals=DealRoom(
            schemes=SCHEMES,
            deal=_numbered_deal,
            dealt=dealt,
            format_deal=format_deal,
            parse_deals=parse_deals,
            format_position=format_position,
            parse_position=parse_position,
            check_position=Game,
        ),
        move_forms=MOVE_FORMS,
        score_name="cards_left",
        verdict=_verdict,
        add_rule_flags=add_rule_flags,
        rules_from_flags=rules_from_flags,
        board=_board,
        new_game=Game,
        replay=replay,
    )


def _numbered_deal(index: int, seed: int, rules: Rules, scheme: str) -> tuple[int, ...]:
    if scheme == "pysolfc" and rules.pack_cards != Rules().pack_cards:
        raise InputError("the scheme pysolfc has no small packs")
    return deal(index, seed, rules, scheme)


def _verdict(is_won: bool, cards_left: int) -> str:
    return "won" if is_won else f"{cards_left} cards left"


def _board(position: Position) -> str:
    return draw_board(position, colour=wants_colour())
