"""Deals, positions and moves as text, both ways.

Parsing a formatted value gives that value again, and formatting a parsed text gives its canonical
form. Whether a position is sound and a move legal is for :mod:`devilsgrip.reference` to say; here
they only have to be readable, but a deal must hold the whole pack.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from dealstats.cards import format_card, format_cards, pack_problem, parse_card, parse_cards
from dealstats.errors import InputError, UnreadableText
from devilsgrip.deck import pack
from devilsgrip.position import Move, Position
from devilsgrip.rules import COLUMNS_PER_SUIT, ROWS, Rules

ROW_LETTERS = "ABC"
EMPTY_CELL = "."
COMMENT = "#"
POSITION_LABELS = (*ROW_LETTERS, "talon", "stock", "redeals used")
COLUMN_COUNTS = range(COLUMNS_PER_SUIT, 4 * COLUMNS_PER_SUIT + 1, COLUMNS_PER_SUIT)
MOVE_FORMS = "turn, redeal, talon>B3, A1>B3, A1>B3:2, swap A1 B3"

_COUNT = re.compile("[0-9]{1,9}")
_CELL = "([A-C][1-9])"
_MOVES = {
    kind: re.compile(form, re.IGNORECASE | re.ASCII)
    for kind, form in (
        ("turn", "turn"),
        ("redeal", "redeal"),
        ("place", rf"talon\s*>\s*{_CELL}"),
        ("build", rf"{_CELL}\s*>\s*{_CELL}(?:\s*:\s*([0-9]{{1,2}}))?"),
        ("swap", rf"swap\s+{_CELL}\s+{_CELL}"),
    )
}


def cell_name(index: int, columns: int) -> str:
    """Name of a cell, such as ``A1`` for index 0: the row's letter and the column from 1."""
    row, column = divmod(index, columns)
    return f"{ROW_LETTERS[row]}{column + 1}"


def columns_of(position: Position) -> int:
    """Columns of a position's grid."""
    return len(position.grid) // ROWS


@contextmanager
def located(place: str) -> Iterator[None]:
    """Let the message of any `InputError` begin with the place where the input is wrong."""
    try:
        yield
    except InputError as problem:
        raise type(problem)(f"{place}: {problem}") from problem


# Deals.


def format_deal(deck: Sequence[int]) -> str:
    """A deal as one line: the grid row by row, then the stock, next card first."""
    return format_cards(deck)


def parse_deal(text: str, rules: Rules | None = None) -> tuple[int, ...]:
    """Read the line of one deal.

    Parameters
    ----------
    text : str
        Cards separated by white space; see :func:`dealstats.cards.parse_card`.
    rules : Rules, optional
        Only `suits` matters: it names the pack.

    Raises
    ------
    UnreadableText
        If a card is unreadable, or the cards are not exactly the pack.
    """
    deck = tuple(parse_cards(text))
    problem = pack_problem(deck, pack(rules or Rules()))
    if problem:
        raise UnreadableText(problem)
    return deck


def parse_deals(text: str, rules: Rules | None = None) -> list[tuple[int, ...]]:
    """Read a deal file: one deal a line, between them blank lines and ``#`` comments.

    Raises
    ------
    UnreadableText
        As :func:`parse_deal` does, with the number of the line.
    """
    deals = []
    for number, line in _numbered_lines(text):
        with located(f"line {number}"):
            deals.append(parse_deal(line, rules))
    return deals


def _numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that hold more than a comment, without it, and their numbers from 1."""
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.partition(COMMENT)[0].strip()
        if content:
            yield number, content


# Positions.


def format_position(position: Position) -> str:
    """A position as six lines: the rows of the grid, the talon, the stock, the redeals used."""
    columns = columns_of(position)
    piles = [format_pile(pile) for pile in position.grid]
    contents = [
        *(" ".join(piles[row * columns : (row + 1) * columns]) for row in range(ROWS)),
        format_cards(position.talon),
        format_cards(position.stock),
        str(position.redeals_used),
    ]
    labelled = zip(POSITION_LABELS, contents, strict=True)
    return "\n".join(f"{label}: {content}".rstrip() for label, content in labelled)


def format_pile(pile: Sequence[int]) -> str:
    """A pile from bottom to top, such as ``2S-5S-8S``; ``.`` for an empty cell."""
    return "-".join(map(format_card, pile)) or EMPTY_CELL


def parse_position(text: str) -> Position:
    """Read a position; blank lines and ``#`` comments may stand between its lines.

    Raises
    ------
    UnreadableText
        If a line is unreadable, missing or there twice, or if the rows do not make a grid.
    """
    fields = _position_fields(text)
    rows = [fields[letter] for letter in ROW_LETTERS]
    columns = len(rows[0])
    if columns not in COLUMN_COUNTS or any(len(row) != columns for row in rows):
        piles = ", ".join(map(str, map(len, rows)))
        raise UnreadableText(f"the rows of the grid have {piles} cells, not 2, 4, 6 or 8 each")
    return Position(
        grid=tuple(pile for row in rows for pile in row),
        talon=fields["talon"],
        stock=fields["stock"],
        redeals_used=fields["redeals used"],
    )


def parse_pile(text: str) -> tuple[int, ...]:
    """Read a pile; see :func:`format_pile`."""
    return () if text == EMPTY_CELL else tuple(map(parse_card, text.split("-")))


def _position_fields(text: str) -> dict[str, Any]:
    """What the lines of a position say, by their labels."""
    fields: dict[str, Any] = {}
    for number, line in _numbered_lines(text):
        with located(f"line {number}"):
            label, content = _labelled(line)
            if label in fields:
                raise UnreadableText(f"there is another line '{label}:' before")
            fields[label] = _parse_field(label, content)
    for label in POSITION_LABELS:
        if label not in fields:
            raise UnreadableText(f"a position needs a line '{label}:'")
    return fields


def _labelled(line: str) -> tuple[str, str]:
    label, colon, content = line.partition(":")
    for known in POSITION_LABELS:
        if colon and label.split() == known.split():
            return known, content
    beginnings = ", ".join(f"'{label}:'" for label in POSITION_LABELS)
    raise UnreadableText(f"{line!r} does not begin with {beginnings}")


def _parse_field(label: str, content: str) -> Any:
    if label in ROW_LETTERS:
        return [parse_pile(word) for word in content.split()]
    if label in ("talon", "stock"):
        return tuple(parse_cards(content))
    if not _COUNT.fullmatch(content.strip()):
        raise UnreadableText(f"{content.strip()!r} is not a number of redeals")
    return int(content)


# Moves.


def format_move(move: Move, position: Position) -> str:
    """A move that is to be made in a position.

    Raises
    ------
    ValueError
        If there is no such kind of move.
    """
    columns = columns_of(position)
    match move.kind:
        case "turn" | "redeal":
            return move.kind
        case "place":
            return f"talon>{cell_name(move.target, columns)}"
        case "build":
            is_whole = move.cards == len(position.grid[move.source])
            text = f"{cell_name(move.source, columns)}>{cell_name(move.target, columns)}"
            return text if is_whole else f"{text}:{move.cards}"
        case "swap":
            return f"swap {cell_name(move.source, columns)} {cell_name(move.target, columns)}"
        case _:
            raise ValueError(f"{move.kind!r} is not a kind of move")


def parse_move(text: str, position: Position) -> Move:
    """Read a move that is to be made in a position.

    The position tells how many cards ``A1>B3`` moves, and which cells there are.

    Raises
    ------
    UnreadableText
        If `text` is not a move, or names a cell that is not in the grid.
    """
    for kind, form in _MOVES.items():
        if parts := form.fullmatch(text.strip()):
            return _move_of_text(kind, parts, position)
    raise UnreadableText(f"{text!r} is not a move (moves are {MOVE_FORMS})")


def is_move_text(text: str) -> bool:
    """Whether a text has the form of a move in some position."""
    return any(form.fullmatch(text.strip()) for form in _MOVES.values())


def _move_of_text(kind: str, parts: re.Match[str], position: Position) -> Move:
    cells = [_cell_index(name.upper(), position) for name in parts.groups()[:2]]
    match kind, cells:
        case "place", [target]:
            return Move(kind, target=target)
        case "build", [source, target]:
            return Move(kind, source, target, int(parts[3] or len(position.grid[source])))
        case "swap", [source, target]:
            return Move(kind, source, target)
        case _:
            return Move(kind)


def _cell_index(name: str, position: Position) -> int:
    columns = columns_of(position)
    row, column = ROW_LETTERS.index(name[0]), int(name[1]) - 1
    if column >= columns:
        raise UnreadableText(f"there is no cell {name!r}, the grid has {columns} columns")
    return row * columns + column


def split_moves(text: str) -> list[str]:
    """The moves of a list, separated by commas or new lines; ``#`` starts a comment."""
    parts = (part for _, line in _numbered_lines(text) for part in line.split(","))
    return [part.strip() for part in parts if part.strip()]
