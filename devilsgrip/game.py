"""The friendly game: for notebooks, scripts and whoever plays by hand."""

from collections.abc import Sequence

from dealstats.game_in_progress import GameInProgress
from devilsgrip.drawing import board_html, draw_board
from devilsgrip.notation import format_move, parse_move
from devilsgrip.position import Move, Position, dealt
from devilsgrip.reference import ReferenceGame
from devilsgrip.rules import Rules


class Game(GameInProgress[Position, Move]):
    """A game of Devil's Grip in progress.

    A move is a text such as ``talon>B3``, or a `Move`; a cell that it empties is filled at once
    (DG5). The legal moves that are listed leave out the swaps, which are always possible (DG3).

    Parameters
    ----------
    start : sequence of int or Position
        The cards of a deal in dealing order, or a position to go on from.
    rules : Rules, optional
        The textbook rules if not given.

    Raises
    ------
    UnreadableText
        If the start is not a sound table of these rules.

    Examples
    --------
    >>> from devilsgrip import Game, deal
    >>> game = Game(deal(7))
    >>> game.push("turn")
    >>> game.score
    72
    """

    def __init__(self, start: Sequence[int] | Position, rules: Rules | None = None) -> None:
        self.rules = rules or Rules()
        position = start if isinstance(start, Position) else dealt(tuple(start), self.rules)
        super().__init__(ReferenceGame(position, self.rules))

    @property
    def score(self) -> int:
        """Cards that are not in the grid (DG8): low is good, 0 is a win."""
        return self.position.cards_left

    def _parsed(self, text: str) -> Move:
        return parse_move(text, self.position)

    def _formatted(self, move: Move) -> str:
        return format_move(move, self.position)

    def __str__(self) -> str:
        return draw_board(self.position)

    def __repr__(self) -> str:
        return f"<Game after {len(self._moves)} moves, {self.score} cards left>"

    def _repr_html_(self) -> str:
        return board_html(self.position)
