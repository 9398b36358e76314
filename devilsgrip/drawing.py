"""Pictures of a position for people: in a terminal, and in a notebook."""

import re
from collections.abc import Sequence

from dealstats.cards import card_symbol
from devilsgrip.notation import ROW_LETTERS, columns_of
from devilsgrip.position import Position

EMPTY_CELL = "·"
GAP = "  "
TALON_CARDS_SHOWN = 12
RED_CARDS = re.compile("(?:[A2-9TJQK][♦♥])+")
TERMINAL_RED = "\x1b[31m{}\x1b[0m"
HTML_RED = '<span style="color:#d32f2f">{}</span>'
HTML_CELL_STYLE = "text-align:left;white-space:nowrap;padding:2px 10px"


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
    rows = [_column_names(position), *_grid(position)]
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    lines = [
        f"{letter} {GAP.join(map(str.ljust, row, widths))}".rstrip()
        for letter, row in zip(" " + ROW_LETTERS, rows, strict=True)
    ]
    text = "\n".join([*lines, *_lines_below(position)])
    return _with_red_suits(text, TERMINAL_RED) if colour else text


def board_html(position: Position) -> str:
    """The table as HTML, for notebooks."""
    head = _html_row("th", ["", *_column_names(position)])
    rows = [
        _html_row("td", [f"<b>{letter}</b>", *cells])
        for letter, cells in zip(ROW_LETTERS, _grid(position), strict=True)
    ]
    below = "<br>".join(_lines_below(position))
    html = f"<table>{head}{''.join(rows)}</table><p>{below}</p>"
    return _with_red_suits(html, HTML_RED)


def _column_names(position: Position) -> list[str]:
    return [str(column + 1) for column in range(columns_of(position))]


def _grid(position: Position) -> list[list[str]]:
    """The piles of each row."""
    piles = ["".join(map(card_symbol, pile)) or EMPTY_CELL for pile in position.grid]
    columns = columns_of(position)
    return [piles[first : first + columns] for first in range(0, len(piles), columns)]


def _lines_below(position: Position) -> list[str]:
    lines = [f"talon: {_talon_text(position.talon)}", f"stock: {_count(len(position.stock))}"]
    if position.redeals_used:
        lines.append(f"redeals used: {position.redeals_used}")
    return lines


def _talon_text(talon: Sequence[int]) -> str:
    if not talon:
        return _count(0)
    hidden = "… " if len(talon) > TALON_CARDS_SHOWN else ""
    shown = " ".join(map(card_symbol, talon[-TALON_CARDS_SHOWN:]))
    return f"{_count(len(talon))}, the top last: {hidden}{shown}"


def _count(cards: int) -> str:
    return f"{cards} card{'' if cards == 1 else 's'}"


def _html_row(tag: str, cells: Sequence[str]) -> str:
    texts = (f'<{tag} style="{HTML_CELL_STYLE}">{cell}</{tag}>' for cell in cells)
    return f"<tr>{''.join(texts)}</tr>"


def _with_red_suits(text: str, form: str) -> str:
    return RED_CARDS.sub(lambda match: form.format(match[0]), text)
