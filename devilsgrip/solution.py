"""Replaying a list of moves by the textbook rules alone."""

from collections.abc import Iterable

from dealstats import game_in_progress
from devilsgrip.game import Game
from devilsgrip.position import Move, Position
from devilsgrip.rules import Rules


class ReplayResult(game_in_progress.ReplayResult[Position]):
    """What became of a list of moves."""

    @property
    def cards_left(self) -> int:
        """The score at the end: cards that are not in the grid."""
        return self.score


def replay(position: Position, moves: Iterable[str | Move], rules: Rules) -> ReplayResult:
    """Make moves from a position until one cannot be made.

    Raises
    ------
    UnreadableText
        If the position is not a sound table of these rules.
    """
    return ReplayResult.of(Game(position, rules), moves)
