"""Replaying a list of moves by the textbook rules alone."""

from collections.abc import Iterable

from dealstats.game_in_progress import ReplayResult
from klondike.game import Game
from klondike.position import Move, Position
from klondike.rules import Rules


def replay(position: Position, moves: Iterable[str | Move], rules: Rules) -> ReplayResult[Position]:
    """Make moves from a position until one cannot be made.

    Raises
    ------
    UnreadableText
        If the position is not a sound table of these rules.
    """
    return ReplayResult.of(Game(position, rules), moves)
