"""The friendly game: for notebooks, scripts and whoever plays by hand."""

from collections.abc import Sequence

from dealstats.errors import IllegalMove
from devilsgrip.drawing import board_html, draw_board
from devilsgrip.notation import format_move, parse_move
from devilsgrip.position import Move, Position, dealt
from devilsgrip.reference import ReferenceGame
from devilsgrip.rules import Rules


class Game:
    """A game of Devil's Grip in progress.

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
        self._game = ReferenceGame(position, self.rules)
        self._moves: list[str] = []

    @property
    def position(self) -> Position:
        """The table as it lies now; it does not change with later moves."""
        return self._game.position

    @property
    def score(self) -> int:
        """Cards that are not in the grid (DG8): low is good, 0 is a win."""
        return self._game.cards_left

    @property
    def is_won(self) -> bool:
        """Whether all cards lie in the grid."""
        return self._game.is_won

    @property
    def moves(self) -> list[str]:
        """The moves made so far, in canonical text."""
        return list(self._moves)

    def legal_moves(self) -> list[str]:
        """All legal moves but the swaps, which are always possible (DG3)."""
        return [format_move(move, self.position) for move in self._game.legal_moves()]

    def push(self, move: str | Move) -> None:
        """Make a move, such as ``talon>B3``; a cell that it empties is filled at once (DG5).

        Raises
        ------
        UnreadableText
            If the text is not a move.
        IllegalMove
            If the rules forbid the move; nothing changes then.
        """
        position = self.position
        meant = parse_move(move, position) if isinstance(move, str) else move
        problem = self._game.problem_with(meant)
        if problem:
            raise IllegalMove(f"{move!r} is illegal: {problem}")
        self._game.push(meant)
        self._moves.append(format_move(meant, position))

    def pop(self) -> str:
        """Take back the last move and return it.

        Raises
        ------
        IndexError
            If no move has been made.
        """
        self._game.pop()
        return self._moves.pop()

    def __str__(self) -> str:
        return draw_board(self.position)

    def __repr__(self) -> str:
        return f"<Game after {len(self._moves)} moves, {self.score} cards left>"

    def _repr_html_(self) -> str:
        return board_html(self.position)
