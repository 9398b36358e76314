"""Deals, positions and moves as text, both ways.

Parsing a formatted value gives that value again, and formatting a parsed text gives its canonical
form. Whether a position is sound and a move legal is for :mod:`devilsgrip.reference` to say; here
they only have to be readable, but a deal must hold the whole pack.
"""

from collections.abc import Sequence
from typing import Any

from dealstats.cards import format_card, format_cards, parse_card, parse_cards
from dealstats.errors import UnreadableText
from dealstats.notation import (
    MoveForms,
    format_fields,
    parse_count,
    read_deal,
    read_deals,
    read_fields,
    require_fields,
)
from dealstats.notation import split_moves as split_moves
from devilsgrip.deck import pack
from devilsgrip.position import Move, Position
from devilsgrip.rules import COLUMNS_PER_SUIT, ROWS, Rules

ROW_LETTERS = "ABC"
EMPTY_CELL = "."
POSITION_LABELS = (*ROW_LETTERS, "talon", "stock", "redeals used")
COLUMN_COUNTS = range(COLUMNS_PER_SUIT, 4 * COLUMNS_PER_SUIT + 1, COLUMNS_PER_SUIT)

_CELL = "([A-C][1-9])"
MOVE_FORMS = MoveForms(
    {
        "turn": "turn",
        "redeal": "redeal",
        "place": rf"talon\s*>\s*{_CELL}",
        "build": rf"{_CELL}\s*>\s*{_CELL}(?:\s*:\s*([0-9]{{1,2}}))?",
        "swap": rf"swap\s+{_CELL}\s+{_CELL}",
    },
    examples="turn, redeal, talon>B3, A1>B3, A1>B3:2, swap A1 B3",
)


def cell_name(index: int, columns: int) -> str:
    """Name of a cell, such as ``A1`` for index 0: the row's letter and the column from 1."""
    row, column = divmod(index, columns)
    return f"{ROW_LETTERS[row]}{column + 1}"


def columns_of(position: Position) -> int:
    """Columns of a position's grid."""
    return len(position.grid) // ROWS


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
    return read_deal(text, pack(rules or Rules()))


def parse_deals(text: str, rules: Rules | None = None) -> list[tuple[int, ...]]:
    """Read a deal file: one deal a line, between them blank lines and ``#`` comments.

    Raises
    ------
    UnreadableText
        As :func:`parse_deal` does, with the number of the line.
    """
    return read_deals(text, pack(rules or Rules()))


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
    return format_fields(dict(zip(POSITION_LABELS, contents, strict=True)))


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
    fields = read_fields(text, POSITION_LABELS, _parse_field)
    require_fields(fields, POSITION_LABELS)
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


def _parse_field(label: str, content: str) -> Any:
    if label in ROW_LETTERS:
        return [parse_pile(word) for word in content.split()]
    if label in ("talon", "stock"):
        return tuple(parse_cards(content))
    return parse_count(content, "redeals")


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
    kind, parts = MOVE_FORMS.match(text)
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
