"""Pictures of a position for people: in a terminal, and in a notebook."""

from itertools import zip_longest

from dealstats.cards import RANK_LETTERS, SUIT_SYMBOLS, card_symbol
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
from klondike.position import Pile, Position

FACE_DOWN = "▒▒"


def draw_board(position: Position, colour: bool = False) -> str:
    """The table as text: the foundations, the piles from bottom to top, the waste, the stock.

    Parameters
    ----------
    position : Position
    colour : bool
        Whether red suits are made red, by ANSI escape sequences.

    Returns
    -------
    str
        Lines of at most 80 characters, the escape sequences not counted. They do not tell which
        cards lie face down.
    """
    tableau = aligned([_pile_names(position), *_rows(position)])
    text = "\n".join([_foundations_line(position), *tableau, *_lines_below(position)])
    return with_red_suits(text, TERMINAL_RED) if colour else text


def board_html(position: Position) -> str:
    """The table as HTML, for notebooks."""
    head = html_row("th", _pile_names(position))
    rows = (html_row("td", row) for row in _rows(position))
    below = "<br>".join(_lines_below(position))
    html = f"<p>{_foundations_line(position)}</p><table>{head}{''.join(rows)}</table><p>{below}</p>"
    return with_red_suits(html, HTML_RED)


def _foundations_line(position: Position) -> str:
    """Every foundation by its top card, or a dot and its suit."""
    tops = (
        (RANK_LETTERS[rank - 1] if rank else EMPTY) + SUIT_SYMBOLS[suit]
        for suit, rank in enumerate(position.foundations)
    )
    return f"foundations: {' '.join(tops)}"


def _pile_names(position: Position) -> list[str]:
    return [str(pile + 1) for pile in range(len(position.piles))]


def _rows(position: Position) -> list[list[str]]:
    """The cards of all piles, the bottom ones first."""
    columns = map(_column, position.piles)
    return [list(row) for row in zip_longest(*columns, fillvalue="")]


def _column(pile: Pile) -> list[str]:
    return [FACE_DOWN] * len(pile.face_down) + list(map(card_symbol, pile.face_up)) or [EMPTY]


def _lines_below(position: Position) -> list[str]:
    lines = [
        f"waste: {top_cards_text(position.waste)}",
        f"stock: {cards_text(len(position.stock))}",
    ]
    if position.recycles_used:
        lines.append(f"recycles used: {position.recycles_used}")
    return lines
