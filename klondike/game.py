"""The friendly game: for notebooks, scripts and whoever plays by hand."""

from collections.abc import Sequence

from dealstats.game_in_progress import GameInProgress
from klondike.drawing import board_html, draw_board
from klondike.notation import format_move, parse_move
from klondike.position import Move, Position, dealt
from klondike.reference import ReferenceGame
from klondike.rules import Rules


class Game(GameInProgress[Position, Move]):
    """A game of Klondike in progress.

    A move is a text such as ``4>6:3``, or a `Move`; a face-down card that it lays bare is turned
    up at once (KL7).

    Parameters
    ----------
    start : sequence of int or Position
        The cards of a deal in dealing order, or a position to go on from.
    rules : Rules, optional
        The default rules if not given.

    Raises
    ------
    UnreadableText
        If the start is not a sound table of these rules.

    Examples
    --------
    >>> from klondike import Game, deal
    >>> game = Game(deal(7))
    >>> game.push("draw")
    >>> game.score
    0
    """

    def __init__(self, start: Sequence[int] | Position, rules: Rules | None = None) -> None:
        self.rules = rules or Rules()
        position = start if isinstance(start, Position) else dealt(tuple(start), self.rules)
        super().__init__(ReferenceGame(position, self.rules))

    @property
    def score(self) -> int:
        """Points made since the start (KL9): high is good."""
        return int(self._textbook.score)

    def _parsed(self, text: str) -> Move:
        return parse_move(text, self.position)

    def _formatted(self, move: Move) -> str:
        return format_move(move)

    def __str__(self) -> str:
        return draw_board(self.position)

    def __repr__(self) -> str:
        return f"<Game after {len(self._moves)} moves, {self.score} points>"

    def _repr_html_(self) -> str:
        return board_html(self.position)
