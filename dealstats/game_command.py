"""The commands that every game has: deals printed, shown, played, replayed and counted.

A game describes itself by a :class:`CommandGame`; nothing here knows a rule. What needs compiled
kernels is imported where it is used, for that takes seconds.
"""

import os
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

from dealstats.command_line import (
    STDIN,
    Parser,
    print_json,
    print_text,
    read_source,
    source_name,
)
from dealstats.deals import player_word
from dealstats.errors import InputError, UnreadableText, located
from dealstats.game_in_progress import GameInProgress, ReplayResult
from dealstats.notation import MoveForms, split_moves
from dealstats.starts import (
    DealRoom,
    Start,
    add_numbering_flags,
    add_start_arguments,
    starts,
)

MOVES_PER_LINE = 8


@dataclass(frozen=True, kw_only=True)
class CommandGame:
    """What the commands have to know of a game.

    Attributes
    ----------
    name : str
        The name of its command and of its package. Of that, three functions are imported when
        they are called: ``batch.play_one``, which gives the kernel's moves of ``(player,
        position, rules, random_word)``; ``narration.narrate``, which plays these from a
        ``(position, kernel_moves, rules)``; and ``perft.distinct_positions``, which gives
        numbers for ``(position, rules, depth)``.
    players : mapping
        By name; each has an `idea`, one line for users.
    find_player : callable
        Raises `InputError` if there is no player of a name.
    deals : DealRoom
    move_forms : MoveForms
    score_name : str
        What JSON calls the score.
    verdict : callable
        The end of a game in words, from ``(is_won, score)``.
    add_rule_flags, rules_from_flags : callable
        Ask for the rules, and read them.
    board : callable
        A position drawn for the terminal.
    new_game, replay : callable
        A game of ``(position, rules)``, and what becomes of ``(position, moves, rules)``.
    """

    name: str
    players: Mapping[str, Any]
    find_player: Callable[[str], object]
    deals: DealRoom
    move_forms: MoveForms
    score_name: str
    verdict: Callable[[bool, int], str]
    add_rule_flags: Callable[[ArgumentParser], None]
    rules_from_flags: Callable[[Namespace], Any]
    board: Callable[[Any], str]
    new_game: Callable[[Any, Any], GameInProgress[Any, Any]]
    replay: Callable[[Any, Sequence[str], Any], ReplayResult[Any]]

    def room(self, name: str) -> Any:
        """Import a module of the package."""
        return import_module(f"{self.name}.{name}")


def add_game_commands(commands: Any, game: CommandGame) -> None:
    """Add the commands that every game has."""
    for add in (_add_deal, _add_show, _add_play, _add_players, _add_replay, _add_perft):
        add(commands, game)


def add_command(commands: Any, name: str, execute: Any, explanation: str) -> Parser:
    """Add a command; ``execute(arguments)`` does it."""
    parser: Parser = commands.add_parser(
        name, help=explanation, description=f"{explanation.capitalize()}."
    )
    parser.set_defaults(execute=execute)
    return parser


def add_json_flag(parser: Any) -> None:
    """Add the flag ``--json``."""
    parser.add_argument("--json", action="store_true", help="print one JSON object for each deal")


# deal, show and players


def _add_deal(commands: Any, game: CommandGame) -> None:
    parser = add_command(commands, "deal", partial(_deal, game), "print numbered deals, one a line")
    parser.add_argument("deal", metavar="N", type=int, help="number of the first deal, from 0")
    parser.add_argument("--count", metavar="K", type=int, default=1, help="how many deals")
    parser.add_argument("--format", choices=("text",), default="text")
    add_numbering_flags(parser, game.deals)
    game.add_rule_flags(parser)


def _deal(game: CommandGame, arguments: Namespace) -> None:
    rules = game.rules_from_flags(arguments)
    if arguments.count < 1:
        raise InputError(f"count {arguments.count} is not at least 1")
    for number in range(arguments.deal, arguments.deal + arguments.count):
        deck = game.deals.deal(number, arguments.seed, rules, arguments.scheme)
        print_text(game.deals.format_deal(deck))


def _add_show(commands: Any, game: CommandGame) -> None:
    parser = add_command(commands, "show", partial(_show, game), "draw the board")
    add_start_arguments(parser, game.deals)
    game.add_rule_flags(parser)


def _show(game: CommandGame, arguments: Namespace) -> None:
    for start in starts(arguments, game.rules_from_flags(arguments), game.deals):
        print_text(f"{start.name}\n{game.board(start.position)}")


def _add_players(commands: Any, game: CommandGame) -> None:
    add_command(commands, "players", partial(_players, game), "list the players")


def _players(game: CommandGame, arguments: Namespace) -> None:
    width = max(map(len, game.players))
    for name, player in game.players.items():
        print_text(f"{name:{width}}  {player.idea}")


# play


def _add_play(commands: Any, game: CommandGame) -> None:
    parser = add_command(
        commands, "play", partial(_play, game), "let a player play that sees no hidden card"
    )
    add_start_arguments(parser, game.deals)
    parser.add_argument("--player", metavar="NAME", required=True, help=f"see {game.name} players")
    output = parser.add_mutually_exclusive_group()
    add_json_flag(output)
    output.add_argument("--trace", action="store_true", help="draw the board after every move")
    game.add_rule_flags(parser)


def _play(game: CommandGame, arguments: Namespace) -> None:
    rules = game.rules_from_flags(arguments)
    all_starts = starts(arguments, rules, game.deals)
    game.find_player(arguments.player)
    for start in all_starts:
        played, seconds = _played(game, start, arguments, rules)
        if arguments.json:
            print_json(
                deal=start.text,
                rules=rules.to_dict(),
                player=arguments.player,
                won=played.is_won,
                **{game.score_name: played.score},
                moves=played.moves,
                seconds=seconds,
            )
            continue
        summary = f"# {start.name}, played by {arguments.player}: {_outcome(game, played)}"
        if arguments.trace:
            _print_trace(game, start, played.moves, rules)
            print_text(summary)
        else:
            print_text(f"{summary}\n{move_lines(played.moves)}")


def _played(
    game: CommandGame, start: Start, arguments: Namespace, rules: Any
) -> tuple[GameInProgress[Any, Any], float]:
    """A game by a player, and how many seconds it took."""
    random_word = player_word(arguments.seed, start.number)
    play_one = game.room("batch").play_one
    began = time.perf_counter()
    kernel_moves = play_one(arguments.player, start.position, rules, random_word)
    seconds = time.perf_counter() - began
    return game.room("narration").narrate(start.position, kernel_moves, rules), round(seconds, 6)


def _print_trace(game: CommandGame, start: Start, moves: Sequence[str], rules: Any) -> None:
    played = game.new_game(start.position, rules)
    print_text(f"{start.name}\n{game.board(played.position)}\n")
    for number, move in enumerate(moves, start=1):
        played.push(move)
        print_text(f"{number}. {move}\n{game.board(played.position)}\n")


def _outcome(game: CommandGame, end: GameInProgress[Any, Any] | ReplayResult[Any]) -> str:
    return f"{game.verdict(end.is_won, end.score)} after {len(end.moves)} moves"


def move_lines(moves: Sequence[str]) -> str:
    """A list of moves that ``replay`` reads."""
    firsts = range(0, len(moves), MOVES_PER_LINE)
    return ",\n".join(", ".join(moves[first : first + MOVES_PER_LINE]) for first in firsts)


# replay


def _add_replay(commands: Any, game: CommandGame) -> None:
    parser = add_command(
        commands, "replay", partial(_replay, game), "make a list of moves by the rules alone"
    )
    add_start_arguments(parser, game.deals)
    parser.add_argument(
        "moves",
        metavar="MOVES",
        help="a file of moves, - for stdin, or the moves themselves; new lines or commas part them",
    )
    add_json_flag(parser)
    game.add_rule_flags(parser)


def _replay(game: CommandGame, arguments: Namespace) -> None:
    rules = game.rules_from_flags(arguments)
    moves = _moves(game, arguments)
    # Nothing is printed before all is known to be legal.
    results = [
        _legal_replay(game, start, moves, rules) for start in starts(arguments, rules, game.deals)
    ]
    for result in results:
        position = game.deals.format_position(result.position)
        if arguments.json:
            print_json(
                legal=result.is_legal,
                won=result.is_won,
                **{game.score_name: result.score},
                moves=result.moves,
                position=position,
            )
        else:
            print_text(f"{position}\n# {_outcome(game, result)}")


def _moves(game: CommandGame, arguments: Namespace) -> list[str]:
    """The moves in the file that the argument names, or else in the argument itself."""
    source = arguments.moves
    if source == STDIN and STDIN in (arguments.deals, arguments.position):
        raise InputError("stdin cannot give both the start and the moves")
    if source != STDIN and not os.path.exists(source):
        moves = split_moves(source)
        if len(moves) == 1 and not game.move_forms.has(source):
            examples = game.move_forms.examples
            raise UnreadableText(f"{source!r} is neither a file nor a move ({examples})")
        return moves
    with located(source_name(source)):
        return split_moves(read_source(source))


def _legal_replay(
    game: CommandGame, start: Start, moves: Sequence[str], rules: Any
) -> ReplayResult[Any]:
    result = game.replay(start.position, moves, rules)
    if result.problem is not None:
        with located(start.name):
            raise result.problem
    return result


# perft


def _add_perft(commands: Any, game: CommandGame) -> None:
    parser = add_command(
        commands,
        "perft",
        partial(_perft, game),
        "count the distinct positions after each number of moves",
    )
    add_start_arguments(parser, game.deals)
    parser.add_argument("--depth", metavar="D", type=int, required=True, help="moves, from 0")
    add_json_flag(parser)
    game.add_rule_flags(parser)


def _perft(game: CommandGame, arguments: Namespace) -> None:
    rules = game.rules_from_flags(arguments)
    all_starts = starts(arguments, rules, game.deals)
    if arguments.depth < 0:
        raise InputError(f"depth {arguments.depth} is not at least 0")
    distinct_positions = game.room("perft").distinct_positions
    for start in all_starts:
        numbers = distinct_positions(start.position, rules, arguments.depth)
        if arguments.json:
            print_json(distinct_positions=numbers)
            continue
        print_text(f"# {start.name}: distinct positions after 0, 1, .. moves")
        for depth, number in enumerate(numbers):
            print_text(f"{depth:3} {number:12}")
