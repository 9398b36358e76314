"""Where the games of a command begin: deals of a file, a numbered deal, or a position."""

from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from dealstats.command_line import Parser, read_source, source_name
from dealstats.deals import SCHEME
from dealstats.errors import InputError, located


@dataclass(frozen=True, kw_only=True)
class DealRoom:
    """What a game knows of its deals and positions.

    Attributes
    ----------
    schemes : sequence of str
        The ways in which a number becomes a deal.
    deal : callable
        The deck of ``(index, seed, rules, scheme)``.
    dealt : callable
        The position of ``(deck, rules)``.
    format_deal, parse_deals : callable
        The line of a deck, and the decks of ``(text, rules)``.
    format_position, parse_position : callable
        The lines of a position, and the position of lines.
    check_position : callable
        Raises `InputError` if ``(position, rules)`` is no sound table.
    """

    schemes: Sequence[str]
    deal: Callable[[int, int, Any, str], tuple[int, ...]]
    dealt: Callable[[tuple[int, ...], Any], Any]
    format_deal: Callable[[Sequence[int]], str]
    parse_deals: Callable[[str, Any], list[tuple[int, ...]]]
    format_position: Callable[[Any], str]
    parse_position: Callable[[str], Any]
    check_position: Callable[[Any, Any], object]


@dataclass(frozen=True)
class Start:
    """Where a game begins.

    Attributes
    ----------
    name : str
        How to speak of it.
    text : str
        Its deal as one line, or its position as several.
    position : object
    number : int
        The number of a numbered deal, else its place in the file from 0.
    """

    name: str
    text: str
    position: Any
    number: int


def add_numbering_flags(parser: Any, room: DealRoom) -> None:
    """Add the flags that say which deal a number means."""
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="stream of deals, from 0")
    parser.add_argument(
        "--scheme", choices=room.schemes, default=SCHEME, help="how a number becomes a deal"
    )


def add_start_arguments(parser: Parser, room: DealRoom) -> None:
    """Add the arguments that :func:`starts` reads."""
    group = parser.add_argument_group("start", "One of DEAL, --deal and --position.")
    group.add_argument(
        "deals", metavar="DEAL", nargs="?", help="a file with a deal on each line, or - for stdin"
    )
    group.add_argument("--deal", metavar="N", type=int, help="a numbered deal")
    add_numbering_flags(group, room)
    group.add_argument("--position", metavar="FILE", help="a position to go on from")


def starts(arguments: Namespace, rules: Any, room: DealRoom) -> list[Start]:
    """All starts that the arguments name; they are sound tables of the rules.

    Raises
    ------
    InputError
        If not exactly one way to start is given, or what it names is wrong.
    """
    ways = (arguments.deals, arguments.deal, arguments.position)
    if sum(way is not None for way in ways) != 1:
        raise InputError("one of DEAL, --deal N and --position FILE must be given")
    if arguments.deal is not None:
        deck = room.deal(arguments.deal, arguments.seed, rules, arguments.scheme)
        return [_deal_start(_deal_name(arguments), deck, rules, arguments.deal, room)]
    if arguments.position is not None:
        return [_position_start(arguments.position, rules, room)]
    return _file_starts(arguments.deals, rules, room)


def _deal_start(name: str, deck: tuple[int, ...], rules: Any, number: int, room: DealRoom) -> Start:
    return Start(name, room.format_deal(deck), room.dealt(deck, rules), number)


def _deal_name(arguments: Namespace) -> str:
    stream = f" of seed {arguments.seed}" if arguments.seed else ""
    scheme = f" of {arguments.scheme}" if arguments.scheme != SCHEME else stream
    return f"deal {arguments.deal}{scheme}"


def _position_start(source: str, rules: Any, room: DealRoom) -> Start:
    with located(source_name(source)):
        position = room.parse_position(read_source(source))
        room.check_position(position, rules)
    return Start(source_name(source), room.format_position(position), position, 0)


def _file_starts(source: str, rules: Any, room: DealRoom) -> list[Start]:
    name = source_name(source)
    with located(name):
        decks = room.parse_deals(read_source(source), rules)
    if not decks:
        raise InputError(f"{name}: there is no deal in it")
    return [
        _deal_start(f"{name}, deal {number + 1}", deck, rules, number, room)
        for number, deck in enumerate(decks)
    ]
