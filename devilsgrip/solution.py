"""Replaying a list of moves by the textbook rules alone."""

from collections.abc import Iterable
from dataclasses import dataclass

from dealstats.errors import IllegalMove, InputError, UnreadableText
from devilsgrip.game import Game
from devilsgrip.notation import located
from devilsgrip.position import Move, Position
from devilsgrip.rules import Rules


@dataclass(frozen=True)
class ReplayResult:
    """What became of a list of moves.

    Attributes
    ----------
    position : Position
        Where the moves lead, up to the first one that cannot be made.
    moves : tuple of str
        The moves made, in canonical text.
    problem : InputError or None
        Why the next move cannot be made: an `UnreadableText` or `IllegalMove` whose message
        begins with the number of the move, counted from 1. None if all moves are legal.
    """

    position: Position
    moves: tuple[str, ...]
    problem: InputError | None = None

    @property
    def is_legal(self) -> bool:
        """Whether all moves are legal."""
        return self.problem is None

    @property
    def cards_left(self) -> int:
        """The score at the end: cards that are not in the grid."""
        return self.position.cards_left

    @property
    def is_won(self) -> bool:
        """Whether all cards lie in the grid at the end."""
        return self.position.is_won


def replay(position: Position, moves: Iterable[str | Move], rules: Rules) -> ReplayResult:
    """Make moves from a position until one cannot be made.

    Raises
    ------
    UnreadableText
        If the position is not a sound table of these rules.
    """
    game = Game(position, rules)
    problem = None
    for number, move in enumerate(moves, start=1):
        try:
            with located(f"move {number}"):
                game.push(move)
        except (IllegalMove, UnreadableText) as found:
            problem = found
            break
    return ReplayResult(game.position, tuple(game.moves), problem)
