"""The command ``devilsgrip``: deals printed, shown, played, replayed and counted.

Whatever needs compiled kernels is imported where it is used, for that takes seconds.
"""

import json
import os
import sys
import time
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dealstats.cards import SUIT_LETTERS, SUIT_SYMBOLS
from dealstats.command_line import Parser, run
from dealstats.deals import PLAYER_STREAM, SCHEME
from dealstats.errors import InputError, UnreadableText
from devilsgrip.deck import SCHEMES, deal
from devilsgrip.drawing import draw_board
from devilsgrip.game import Game
from devilsgrip.notation import (
    MOVE_FORMS,
    format_deal,
    format_position,
    is_move_text,
    located,
    parse_deals,
    parse_position,
    split_moves,
)
from devilsgrip.players import PLAYERS, find_player
from devilsgrip.position import Position, dealt
from devilsgrip.reference import ReferenceGame
from devilsgrip.rule_flags import add_rule_flags, rules_from_flags
from devilsgrip.rules import Rules
from devilsgrip.solution import ReplayResult, replay

STDIN = "-"
MOVES_PER_LINE = 8
NUMBER_CEILING = 2**63
PLAIN_TEXT = str.maketrans(SUIT_SYMBOLS + "·…", SUIT_LETTERS + ".~")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    return run(_main, argv)


def _main(argv: Sequence[str] | None) -> int:
    arguments = _parser().parse_args(argv)
    arguments.execute(arguments)
    return 0


# Arguments.


def _parser() -> Parser:
    parser = Parser(
        prog="devilsgrip",
        description="Devil's Grip, a two-pack solitaire: numbered deals, players, replays, counts.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND", title="commands")
    _add_deal(commands)
    _add_show(commands)
    _add_play(commands)
    _add_players(commands)
    _add_replay(commands)
    _add_perft(commands)
    return parser


def _add_command(commands: Any, name: str, execute: Any, explanation: str) -> Parser:
    parser: Parser = commands.add_parser(
        name, help=explanation, description=f"{explanation.capitalize()}."
    )
    parser.set_defaults(execute=execute)
    return parser


def _add_deal(commands: Any) -> None:
    parser = _add_command(commands, "deal", _deal, "print numbered deals, one a line")
    parser.add_argument("deal", metavar="N", type=int, help="number of the first deal, from 0")
    parser.add_argument("--count", metavar="K", type=int, default=1, help="how many deals")
    parser.add_argument("--format", choices=("text",), default="text")
    _add_numbering_flags(parser)
    add_rule_flags(parser)


def _add_show(commands: Any) -> None:
    parser = _add_command(commands, "show", _show, "draw the board")
    _add_start_arguments(parser)
    add_rule_flags(parser)


def _add_play(commands: Any) -> None:
    parser = _add_command(commands, "play", _play, "let a player play that sees no hidden card")
    _add_start_arguments(parser)
    parser.add_argument("--player", metavar="NAME", required=True, help="see devilsgrip players")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print one JSON object for each deal")
    output.add_argument("--trace", action="store_true", help="draw the board after every move")
    add_rule_flags(parser)


def _add_players(commands: Any) -> None:
    _add_command(commands, "players", _players, "list the players")


def _add_replay(commands: Any) -> None:
    parser = _add_command(commands, "replay", _replay, "make a list of moves by the rules alone")
    _add_start_arguments(parser)
    parser.add_argument(
        "moves",
        metavar="MOVES",
        help="a file of moves, - for stdin, or the moves themselves; new lines or commas part them",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object for each deal")
    add_rule_flags(parser)


def _add_perft(commands: Any) -> None:
    parser = _add_command(
        commands, "perft", _perft, "count the distinct positions after each number of moves"
    )
    _add_start_arguments(parser)
    parser.add_argument("--depth", metavar="D", type=int, required=True, help="moves, from 0")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each deal")
    add_rule_flags(parser)


def _add_numbering_flags(parser: Any) -> None:
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="stream of deals, from 0")
    parser.add_argument(
        "--scheme", choices=SCHEMES, default=SCHEME, help="how a number becomes a deal"
    )


def _add_start_arguments(parser: Parser) -> None:
    group = parser.add_argument_group("start", "One of DEAL, --deal and --position.")
    group.add_argument(
        "deals", metavar="DEAL", nargs="?", help="a file with a deal on each line, or - for stdin"
    )
    group.add_argument("--deal", metavar="N", type=int, help="a numbered deal")
    _add_numbering_flags(group)
    group.add_argument("--position", metavar="FILE", help="a position to go on from")


# Starts of games.


@dataclass(frozen=True)
class Start:
    """Where a game begins.

    Attributes
    ----------
    name : str
        How to speak of it.
    text : str
        Its deal as one line, or its position as six.
    position : Position
    number : int
        The number of a numbered deal, else its place in the file from 0.
    """

    name: str
    text: str
    position: Position
    number: int


def _starts(arguments: Namespace, rules: Rules) -> list[Start]:
    """All starts that the arguments name; they are sound tables of the rules."""
    ways = (arguments.deals, arguments.deal, arguments.position)
    if sum(way is not None for way in ways) != 1:
        raise InputError("one of DEAL, --deal N and --position FILE must be given")
    if arguments.deal is not None:
        deck = _numbered_deal(arguments.deal, arguments, rules)
        return [_deal_start(_deal_name(arguments), deck, rules, arguments.deal)]
    if arguments.position is not None:
        return [_position_start(arguments.position, rules)]
    return _file_starts(arguments.deals, rules)


def _deal_start(name: str, deck: tuple[int, ...], rules: Rules, number: int) -> Start:
    return Start(name, format_deal(deck), dealt(deck, rules), number)


def _position_start(source: str, rules: Rules) -> Start:
    with located(_source_name(source)):
        position = parse_position(_read(source))
        ReferenceGame(position, rules)
    return Start(_source_name(source), format_position(position), position, 0)


def _file_starts(source: str, rules: Rules) -> list[Start]:
    name = _source_name(source)
    with located(name):
        decks = parse_deals(_read(source), rules)
    if not decks:
        raise InputError(f"{name}: there is no deal in it")
    return [
        _deal_start(f"{name}, deal {number + 1}", deck, rules, number)
        for number, deck in enumerate(decks)
    ]


def _numbered_deal(number: int, arguments: Namespace, rules: Rules) -> tuple[int, ...]:
    if arguments.scheme == "pysolfc" and rules.pack_cards != Rules().pack_cards:
        raise InputError("the scheme pysolfc has no small packs")
    return deal(number, arguments.seed, rules, arguments.scheme)


def _deal_name(arguments: Namespace) -> str:
    stream = f" of seed {arguments.seed}" if arguments.seed else ""
    scheme = f" of {arguments.scheme}" if arguments.scheme != SCHEME else stream
    return f"deal {arguments.deal}{scheme}"


def _source_name(source: str) -> str:
    return "stdin" if source == STDIN else source


def _read(source: str) -> str:
    data = sys.stdin.buffer.read() if source == STDIN else Path(source).read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableText("this is not text in UTF-8") from None


# Commands.


def _deal(arguments: Namespace) -> None:
    rules = rules_from_flags(arguments)
    if arguments.count < 1:
        raise InputError(f"count {arguments.count} is not at least 1")
    for number in range(arguments.deal, arguments.deal + arguments.count):
        _print(format_deal(_numbered_deal(number, arguments, rules)))


def _show(arguments: Namespace) -> None:
    starts = _starts(arguments, rules_from_flags(arguments))
    for start in starts:
        _print(f"{start.name}\n{_board(start.position)}")


def _play(arguments: Namespace) -> None:
    rules = rules_from_flags(arguments)
    starts = _starts(arguments, rules)
    find_player(arguments.player)
    for start in starts:
        game, seconds = _played(start, arguments.player, arguments.seed, rules)
        summary = (
            f"# {start.name}, played by {arguments.player}: {_outcome(game.score, game.moves)}"
        )
        if arguments.json:
            _print_json(
                deal=start.text,
                rules=rules.to_dict(),
                player=arguments.player,
                won=game.is_won,
                cards_left=game.score,
                moves=game.moves,
                seconds=seconds,
            )
        elif arguments.trace:
            _print_trace(start, game.moves, rules)
            _print(summary)
        else:
            _print(summary)
            _print(_move_lines(game.moves))


def _players(arguments: Namespace) -> None:
    width = max(map(len, PLAYERS))
    for name, player in PLAYERS.items():
        _print(f"{name:{width}}  {player.idea}")


def _replay(arguments: Namespace) -> None:
    rules = rules_from_flags(arguments)
    moves = _moves(arguments)
    starts = _starts(arguments, rules)
    # Nothing is printed before all is known to be legal.
    results = [_replayed(start, moves, rules) for start in starts]
    for result in results:
        if arguments.json:
            _print_json(
                legal=result.is_legal,
                won=result.is_won,
                cards_left=result.cards_left,
                moves=result.moves,
                position=format_position(result.position),
            )
        else:
            _print(format_position(result.position))
            _print(f"# {_outcome(result.cards_left, result.moves)}")


def _perft(arguments: Namespace) -> None:
    rules = rules_from_flags(arguments)
    starts = _starts(arguments, rules)
    if arguments.depth < 0:
        raise InputError(f"depth {arguments.depth} is not at least 0")
    from devilsgrip.perft import distinct_positions

    for start in starts:
        numbers = distinct_positions(start.position, rules, arguments.depth)
        if arguments.json:
            _print_json(distinct_positions=numbers)
            continue
        _print(f"# {start.name}: distinct positions after 0, 1, .. moves")
        for depth, number in enumerate(numbers):
            _print(f"{depth:3} {number:12}")


# Games.


def _played(start: Start, player: str, seed: int, rules: Rules) -> tuple[Game, float]:
    """A game by a player, and how many seconds it took."""
    from devilsgrip.batch import play_one
    from devilsgrip.narration import narrate

    began = time.perf_counter()
    kernel_moves = play_one(player, start.position, rules, _random_word(seed, start.number))
    seconds = time.perf_counter() - began
    return narrate(start.position, kernel_moves, rules), round(seconds, 6)


def _random_word(seed: int, number: int) -> int:
    """The signed number that batches, too, give a player of this deal that wants chance."""
    if not 0 <= seed < NUMBER_CEILING:
        raise InputError(f"seed {seed} is not from 0 to 2^63 - 1")
    index = number % NUMBER_CEILING  # PySolFC's numbers go beyond it
    generator = np.random.Philox(key=[seed, PLAYER_STREAM], counter=[0, index, 0, 0])
    return int(np.uint64(generator.random_raw()).astype(np.int64))


def _moves(arguments: Namespace) -> list[str]:
    """The moves in the file that the argument names, or else in the argument itself."""
    source = arguments.moves
    if source == STDIN and STDIN in (arguments.deals, arguments.position):
        raise InputError("stdin cannot give both the start and the moves")
    if source != STDIN and not os.path.exists(source):
        moves = split_moves(source)
        if len(moves) == 1 and not is_move_text(source):
            raise UnreadableText(f"{source!r} is neither a file nor a move ({MOVE_FORMS})")
        return moves
    with located(_source_name(source)):
        return split_moves(_read(source))


def _replayed(start: Start, moves: Sequence[str], rules: Rules) -> ReplayResult:
    result = replay(start.position, moves, rules)
    if result.problem is not None:
        with located(start.name):
            raise result.problem
    return result


# Output.


def _print_trace(start: Start, moves: Sequence[str], rules: Rules) -> None:
    game = Game(start.position, rules)
    _print(f"{start.name}\n{_board(game.position)}\n")
    for number, move in enumerate(moves, start=1):
        game.push(move)
        _print(f"{number}. {move}\n{_board(game.position)}\n")


def _board(position: Position) -> str:
    wants_colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    return draw_board(position, colour=wants_colour)


def _outcome(cards_left: int, moves: Sequence[str]) -> str:
    verdict = "won" if cards_left == 0 else f"{cards_left} cards left"
    return f"{verdict} after {len(moves)} moves"


def _move_lines(moves: Sequence[str]) -> str:
    """A list of moves that ``devilsgrip replay`` reads."""
    firsts = range(0, len(moves), MOVES_PER_LINE)
    return ",\n".join(", ".join(moves[first : first + MOVES_PER_LINE]) for first in firsts)


def _print_json(**result: Any) -> None:
    _print(json.dumps(result))


def _print(text: str = "") -> None:
    """Print at once, in letters where the terminal has no suit symbols."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.translate(PLAIN_TEXT).encode(encoding, "replace").decode(encoding)
    print(text, flush=True)
