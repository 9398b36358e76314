"""Text that every game writes alike: files of deals, labelled lines, and lists of moves."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from dealstats.cards import pack_problem, parse_cards
from dealstats.errors import UnreadableText, located

COMMENT = "#"

_COUNT = re.compile("[0-9]{1,9}")


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that hold more than a comment, without it, and their numbers from 1."""
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.partition(COMMENT)[0].strip()
        if content:
            yield number, content


# Deals.


def read_deal(text: str, pack: Sequence[int]) -> tuple[int, ...]:
    """Read the cards of one deal, separated by white space.

    Raises
    ------
    UnreadableText
        If a card is unreadable, or the cards are not exactly the pack.
    """
    deck = tuple(parse_cards(text))
    problem = pack_problem(deck, pack)
    if problem:
        raise UnreadableText(problem)
    return deck


def read_deals(text: str, pack: Sequence[int]) -> list[tuple[int, ...]]:
    """Read a deal file: one deal a line, between them blank lines and ``#`` comments.

    Raises
    ------
    UnreadableText
        As :func:`read_deal` does, with the number of the line.
    """
    deals = []
    for number, line in numbered_lines(text):
        with located(f"line {number}"):
            deals.append(read_deal(line, pack))
    return deals


# Positions.


def format_fields(fields: Mapping[str, str]) -> str:
    """Labelled lines: the label, a colon and the content."""
    return "\n".join(f"{label}: {content}".rstrip() for label, content in fields.items())


def read_fields(
    text: str, labels: Sequence[str], parse_field: Callable[[str, str], Any]
) -> dict[str, Any]:
    """Read labelled lines in any order; blank lines and ``#`` comments may stand between them.

    Parameters
    ----------
    text : str
    labels : sequence of str
        The labels that there may be.
    parse_field : callable
        Takes a label and the content of its line.

    Raises
    ------
    UnreadableText
        If a line has no such label, or one that was there before, or if `parse_field` says so;
        with the number of the line.
    """
    fields: dict[str, Any] = {}
    for number, line in numbered_lines(text):
        with located(f"line {number}"):
            label, content = _labelled(line, labels)
            if label in fields:
                raise UnreadableText(f"there is another line '{label}:' before")
            fields[label] = parse_field(label, content.strip())
    return fields


def require_fields(fields: Mapping[str, Any], labels: Sequence[str]) -> None:
    """Raise `UnreadableText` if one of these labels has no line."""
    for label in labels:
        if label not in fields:
            raise UnreadableText(f"a position needs a line '{label}:'")


def _labelled(line: str, labels: Sequence[str]) -> tuple[str, str]:
    label, colon, content = line.partition(":")
    for known in labels:
        if colon and label.split() == known.split():
            return known, content
    beginnings = ", ".join(f"'{label}:'" for label in labels)
    raise UnreadableText(f"{line!r} does not begin with {beginnings}")


def parse_count(text: str, unit: str) -> int:
    """Read a number of things from 0.

    Raises
    ------
    UnreadableText
        If `text` is none; the message names the `unit`.
    """
    if not _COUNT.fullmatch(text):
        raise UnreadableText(f"{text!r} is not a number of {unit}")
    return int(text)


# Moves.


class MoveForms:
    """What the moves of a game look like.

    Parameters
    ----------
    forms : mapping of str to str
        For each kind of move a regular expression; neither case nor blanks around a move matter.
    examples : str
        What a message shows as moves.
    """

    def __init__(self, forms: Mapping[str, str], examples: str) -> None:
        self.examples = examples
        self._forms = {
            kind: re.compile(form, re.IGNORECASE | re.ASCII) for kind, form in forms.items()
        }

    def match(self, text: str) -> tuple[str, re.Match[str]]:
        """The kind of a move and the parts of its text.

        Raises
        ------
        UnreadableText
            If `text` has the form of no move.
        """
        for kind, form in self._forms.items():
            if parts := form.fullmatch(text.strip()):
                return kind, parts
        raise UnreadableText(f"{text!r} is not a move (moves are {self.examples})")

    def has(self, text: str) -> bool:
        """Whether a text has the form of a move."""
        return any(form.fullmatch(text.strip()) for form in self._forms.values())


def split_moves(text: str) -> list[str]:
    """The moves of a list, separated by commas or new lines; ``#`` starts a comment."""
    parts = (part for _, line in numbered_lines(text) for part in line.split(","))
    return [part.strip() for part in parts if part.strip()]
