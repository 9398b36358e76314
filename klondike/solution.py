"""Replaying and making lists of moves by the textbook rules alone."""

from collections.abc import Iterable

from dealstats.game_in_progress import ReplayResult
from klondike.game import Game
from klondike.position import DRAW, RECYCLE, Move, Position
from klondike.rules import Rules


def replay(position: Position, moves: Iterable[str | Move], rules: Rules) -> ReplayResult[Position]:
    """Make moves from a position until one cannot be made.

    Raises
    ------
    UnreadableText
        If the position is not a sound table of these rules.
    """
    return ReplayResult.of(Game(position, rules), moves)


def draw_until(game: Game, card: int) -> None:
    """Draw, and recycle where the stock ends, until a card of waste or stock is in play.

    Raises
    ------
    IllegalMove
        If that would take more recycles than there are.
    """
    while game.position.waste[-1:] != (card,):
        game.push(DRAW if game.position.stock else RECYCLE)
