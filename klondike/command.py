"""The command ``klondike``: deals printed, shown, played, replayed and counted."""

from collections.abc import Sequence

from dealstats.command_line import Parser, run
from dealstats.drawing import wants_colour
from dealstats.errors import UnreadableText
from dealstats.game_command import CommandGame, add_game_commands
from dealstats.starts import DealRoom
from klondike.deck import SCHEMES, deal
from klondike.difficulty_command import add_difficulty
from klondike.drawing import draw_board
from klondike.duel_command import add_duel
from klondike.game import Game
from klondike.notation import (
    MOVE_FORMS,
    format_deal,
    format_position,
    parse_deals,
    parse_position,
)
from klondike.players import PLAYERS, find_player
from klondike.position import Position, dealt
from klondike.rule_flags import add_rule_flags, rules_from_flags
from klondike.rules import Rules
from klondike.solution import replay
from klondike.solve_command import add_solve


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    return run(_main, argv)


def _main(argv: Sequence[str] | None) -> int:
    arguments = _parser().parse_args(argv)
    arguments.execute(arguments)
    return 0


def _parser() -> Parser:
    parser = Parser(
        prog="klondike",
        description="Klondike, a one-pack solitaire: numbered deals, players, replays, counts.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND", title="commands")
    game = _game()
    add_game_commands(commands, game)
    add_solve(commands, game.deals)
    add_difficulty(commands, game.deals)
    add_duel(commands)
    return parser


def _game() -> CommandGame:
    """What the shared commands have to know of Klondike."""
    return CommandGame(
        name="klondike",
        players=PLAYERS,
        find_player=find_player,
        deals=DealRoom(
            schemes=SCHEMES,
            deal=deal,
            dealt=dealt,
            format_deal=format_deal,
            parse_deals=parse_deals,
            format_position=format_position,
            parse_position=parse_position,
            check_position=_check_position,
        ),
        move_forms=MOVE_FORMS,
        score_name="score",
        verdict=_verdict,
        add_rule_flags=add_rule_flags,
        rules_from_flags=rules_from_flags,
        board=_board,
        new_game=Game,
        replay=replay,
    )


def _check_position(position: Position, rules: Rules) -> None:
    """Refuse what is no sound table, and what no deal leads to: kernels have no room for it."""
    Game(position, rules)
    for number, pile in enumerate(position.piles):
        if len(pile.face_down) > number:
            raise UnreadableText(
                f"pile {number + 1} has {len(pile.face_down)} cards face down, but a deal puts "
                f"{number} there (KL1)"
            )
    outside = len(position.waste) + len(position.stock)
    if outside > rules.stock_cards:
        raise UnreadableText(
            f"waste and stock have {outside} cards, but a deal puts {rules.stock_cards} there (KL1)"
        )


def _verdict(is_won: bool, score: int) -> str:
    return f"{'won with' if is_won else 'not won,'} {score} points"


def _board(position: Position) -> str:
    return draw_board(position, colour=wants_colour())
