"""Pictures of a position for people: in a terminal, and in a notebook."""

from dealstats.cards import card_symbol
from dealstats.drawing import (
    EMPTY,
    HTML_RED,
    TERMINAL_RED,
    aligned,
    cards_text,
    html_row,
    top_cards_text,
    with_red_suits,
)
from devilsgrip.notation import ROW_LETTERS, columns_of
from devilsgrip.position import Position


def draw_board(position: Position, colour: bool = False) -> str:
    """The table as text: the grid with its piles from bottom to top, the talon, the stock.

    Parameters
    ----------
    position : Position
    colour : bool
        Whether red suits are made red, by ANSI escape sequences.

    Returns
    -------
    str
        Lines of at most 80 characters, the escape sequences not counted.
    """
    rows = aligned([_column_names(position), *_grid(position)])
    lines = [f"{letter} {row}" for letter, row in zip(" " + ROW_LETTERS, rows, strict=True)]
    text = "\n".join([*lines, *_lines_below(position)])
    return with_red_suits(text, TERMINAL_RED) if colour else text


def board_html(position: Position) -> str:
    """The table as HTML, for notebooks."""
    head = html_row("th", ["", *_column_names(position)])
    rows = [
        html_row("td", [f"<b>{letter}</b>", *cells])
        for letter, cells in zip(ROW_LETTERS, _grid(position), strict=True)
    ]
    below = "<br>".join(_lines_below(position))
    html = f"<table>{head}{''.join(rows)}</table><p>{below}</p>"
    return with_red_suits(html, HTML_RED)


def _column_names(position: Position) -> list[str]:
    return [str(column + 1) for column in range(columns_of(position))]


def _grid(position: Position) -> list[list[str]]:
    """The piles of each row."""
    piles = ["".join(map(card_symbol, pile)) or EMPTY for pile in position.grid]
    columns = columns_of(position)
    return [piles[first : first + columns] for first in range(0, len(piles), columns)]


def _lines_below(position: Position) -> list[str]:
    lines = [
        f"talon: {top_cards_text(position.talon)}",
        f"stock: {cards_text(len(position.stock))}",
    ]
    if position.redeals_used:
        lines.append(f"redeals used: {position.redeals_used}")
    return lines
