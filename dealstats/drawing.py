"""What the pictures of all games have in common, in a terminal and in a notebook."""

import os
import re
import sys
from collections.abc import Sequence

from dealstats.cards import card_symbol

EMPTY = "·"
GAP = "  "
TOP_CARDS_SHOWN = 12
TERMINAL_RED = "\x1b[31m{}\x1b[0m"
HTML_RED = '<span style="color:#d32f2f">{}</span>'
HTML_CELL_STYLE = "text-align:left;white-space:nowrap;padding:2px 10px"

_RED_CARDS = re.compile(f"(?:[A2-9TJQK{EMPTY}][♦♥])+")


def with_red_suits(text: str, form: str) -> str:
    """The text with its red cards put into a form such as `TERMINAL_RED` or `HTML_RED`."""
    return _RED_CARDS.sub(lambda match: form.format(match[0]), text)


def wants_colour() -> bool:
    """Whether stdout is a terminal whose user did not refuse colours."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of equally many cells as lines, with the cells of each column below one another."""
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    return [GAP.join(map(str.ljust, row, widths)).rstrip() for row in rows]


def html_row(tag: str, cells: Sequence[str]) -> str:
    """A row of an HTML table; `tag` is ``td`` or ``th``."""
    texts = (f'<{tag} style="{HTML_CELL_STYLE}">{cell}</{tag}>' for cell in cells)
    return f"<tr>{''.join(texts)}</tr>"


def cards_text(cards: int) -> str:
    """A number of cards in words."""
    return f"{cards} card{'' if cards == 1 else 's'}"


def top_cards_text(pile: Sequence[int]) -> str:
    """How many cards a face-up pile has, and its top ones; at most 71 characters."""
    if not pile:
        return cards_text(0)
    hidden = "… " if len(pile) > TOP_CARDS_SHOWN else ""
    shown = " ".join(map(card_symbol, pile[-TOP_CARDS_SHOWN:]))
    return f"{cards_text(len(pile))}, the top last: {hidden}{shown}"
