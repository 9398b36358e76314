"""The ways in which input can be wrong, one class per cause."""

from collections.abc import Iterator
from contextlib import contextmanager


class InputError(ValueError):
    """Something a user gave cannot be used.

    The message is one line that quotes the offending text and says what is wrong with it; the
    commands print it after ``error:`` and exit with status 2.
    """


class UnreadableText(InputError):
    """A card, deal, position or move that does not follow its notation."""


class ImpossibleRules(InputError):
    """A combination of rule options that no game can be played by."""


class IllegalMove(InputError):
    """A well-written move that the rules forbid in this position."""


class UnusableRows(InputError):
    """Result rows that are damaged or contradict each other."""


@contextmanager
def located(place: str) -> Iterator[None]:
    """Let the message of any `InputError` begin with the place where the input is wrong."""
    try:
        yield
    except InputError as problem:
        raise type(problem)(f"{place}: {problem}") from problem
