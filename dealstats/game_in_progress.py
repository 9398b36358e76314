"""A game played in text, move by move: what the friendly game of every package is made of."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

from dealstats.errors import IllegalMove, InputError, UnreadableText, located

AnyPosition = TypeVar("AnyPosition")
AnyMove = TypeVar("AnyMove")


class GameInProgress(ABC, Generic[AnyPosition, AnyMove]):
    """A game in progress.

    A package says how its moves are written and its tables drawn; whether a move is legal and
    where it leads is for its textbook game.

    Parameters
    ----------
    textbook : object
        The game by plain rules, with `position`, `is_won`, `legal_moves()`,
        `problem_with(move)`, `push(move)` and `pop()`.
    """

    def __init__(self, textbook: Any) -> None:
        self._textbook = textbook
        self._moves: list[str] = []

    @property
    @abstractmethod
    def score(self) -> int:
        """The score as it is now."""

    @abstractmethod
    def _parsed(self, text: str) -> AnyMove:
        """The move of a text."""

    @abstractmethod
    def _formatted(self, move: AnyMove) -> str:
        """The canonical text of a move."""

    @property
    def position(self) -> AnyPosition:
        """The table as it lies now; it does not change with later moves."""
        position: AnyPosition = self._textbook.position
        return position

    @property
    def is_won(self) -> bool:
        """Whether the game is won."""
        return bool(self._textbook.is_won)

    @property
    def moves(self) -> list[str]:
        """The moves made so far, in canonical text."""
        return list(self._moves)

    def legal_moves(self) -> list[str]:
        """All legal moves, in canonical text."""
        return [self._formatted(move) for move in self._textbook.legal_moves()]

    def push(self, move: str | AnyMove) -> None:
        """Make a move; what follows from it by itself, follows at once.

        Raises
        ------
        UnreadableText
            If the text is not a move.
        IllegalMove
            If the rules forbid the move; nothing changes then.
        """
        meant = self._parsed(move) if isinstance(move, str) else move
        problem = self._textbook.problem_with(meant)
        if problem:
            raise IllegalMove(f"{move!r} is illegal: {problem}")
        text = self._formatted(meant)
        self._textbook.push(meant)
        self._moves.append(text)

    def pop(self) -> str:
        """Take back the last move and return it.

        Raises
        ------
        IndexError
            If no move has been made.
        """
        self._textbook.pop()
        return self._moves.pop()


@dataclass(frozen=True)
class ReplayResult(Generic[AnyPosition]):
    """What became of a list of moves.

    Attributes
    ----------
    position : Position
        Where the moves lead, up to the first one that cannot be made.
    moves : tuple of str
        The moves made, in canonical text.
    score : int
        The score at the end.
    is_won : bool
        Whether the game is won at the end.
    problem : InputError or None
        Why the next move cannot be made: an `UnreadableText` or `IllegalMove` whose message
        begins with the number of the move, counted from 1. None if all moves are legal.
    """

    position: AnyPosition
    moves: tuple[str, ...]
    score: int
    is_won: bool
    problem: InputError | None = None

    @classmethod
    def of(cls, game: GameInProgress[AnyPosition, AnyMove], moves: Iterable[str | AnyMove]) -> Self:
        """Make moves in a game until one cannot be made."""
        problem = None
        for number, move in enumerate(moves, start=1):
            try:
                with located(f"move {number}"):
                    game.push(move)
            except (IllegalMove, UnreadableText) as found:
                problem = found
                break
        return cls(game.position, tuple(game.moves), game.score, game.is_won, problem)

    @property
    def is_legal(self) -> bool:
        """Whether all moves are legal."""
        return self.problem is None
