"""Deals, positions and moves as text, both ways.

Parsing a formatted value gives that value again, and formatting a parsed text gives its canonical
form. Whether a position is sound and a move legal is for :mod:`klondike.reference` to say; here
they only have to be readable, but a deal must hold the whole pack.

A move from pile to pile is written with its number of cards, as in ``4>6:3``. Without a number,
``4>6`` is read as the move of all cards that lie face up on pile 4.
"""

from collections.abc import Sequence
from typing import Any

from dealstats.cards import (
    SUIT_LETTERS,
    format_card,
    format_cards,
    make_card,
    parse_card,
    parse_cards,
    rank_of,
    suit_of,
)
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
from klondike.deck import pack
from klondike.position import Move, Pile, Position
from klondike.rules import Rules

PILES = 7
PILE_LABELS = tuple(str(pile + 1) for pile in range(PILES))
POSITION_LABELS = ("foundations", *PILE_LABELS, "waste", "stock", "recycles used")

_PILE = "([1-9])"
MOVE_FORMS = MoveForms(
    {
        "draw": "draw",
        "recycle": "recycle",
        "waste_to_pile": rf"waste\s*>\s*{_PILE}",
        "waste_to_foundation": r"waste\s*>\s*F",
        "pile_to_foundation": rf"{_PILE}\s*>\s*F",
        "pile_to_pile": rf"{_PILE}\s*>\s*{_PILE}(?:\s*:\s*([0-9]{{1,2}}))?",
        "foundation_to_pile": rf"([{SUIT_LETTERS}])\s*>\s*{_PILE}",
    },
    examples="draw, recycle, waste>4, waste>F, 4>F, 4>6:3, H>4",
)


# Deals.


def format_deal(deck: Sequence[int]) -> str:
    """A deal as one line: the tableau row by row, then the stock, next card first."""
    return format_cards(deck)


def parse_deal(text: str, rules: Rules | None = None) -> tuple[int, ...]:
    """Read the line of one deal.

    Parameters
    ----------
    text : str
        Cards separated by white space; see :func:`dealstats.cards.parse_card`.
    rules : Rules, optional
        Only `ranks` matters: it names the pack.

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
    """A position as lines: the foundations, each pile, the waste, the stock, the recycles used."""
    return format_fields(
        {
            "foundations": format_foundations(position.foundations),
            **dict(zip(PILE_LABELS, map(format_pile, position.piles), strict=False)),
            "waste": format_cards(position.waste),
            "stock": format_cards(position.stock),
            "recycles used": str(position.recycles_used),
        }
    )


def format_foundations(foundations: Sequence[int]) -> str:
    """The top cards of the foundations that have one, such as ``3C AD KS``."""
    return format_cards(make_card(rank, suit) for suit, rank in enumerate(foundations) if rank)


def format_pile(pile: Pile) -> str:
    """A pile from bottom to top, with cards face down in brackets, such as ``[9C] 5H 4S``."""
    face_down = (f"[{format_card(card)}]" for card in pile.face_down)
    return " ".join((*face_down, *map(format_card, pile.face_up)))


def parse_position(text: str) -> Position:
    """Read a position; blank lines and ``#`` comments may stand between its lines.

    Raises
    ------
    UnreadableText
        If a line is unreadable, missing or there twice.
    """
    fields = read_fields(text, POSITION_LABELS, _parse_field)
    last_pile = max((int(label) for label in PILE_LABELS if label in fields), default=1)
    piles = PILE_LABELS[:last_pile]
    require_fields(fields, ("foundations", *piles, "waste", "stock", "recycles used"))
    return Position(
        foundations=fields["foundations"],
        piles=tuple(fields[label] for label in piles),
        waste=fields["waste"],
        stock=fields["stock"],
        recycles_used=fields["recycles used"],
    )


def parse_foundations(text: str) -> tuple[int, int, int, int]:
    """Read the top cards of foundations; see :func:`format_foundations`."""
    ranks = [0, 0, 0, 0]
    for card in parse_cards(text):
        if ranks[suit_of(card)]:
            raise UnreadableText(f"{format_card(card)} is another card of the same foundation")
        ranks[suit_of(card)] = rank_of(card)
    clubs, diamonds, hearts, spades = ranks
    return clubs, diamonds, hearts, spades


def parse_pile(text: str) -> Pile:
    """Read a pile; see :func:`format_pile`."""
    face_down: list[int] = []
    face_up: list[int] = []
    for word in text.split():
        if not word.startswith("["):
            face_up.append(parse_card(word))
        elif not word.endswith("]"):
            raise UnreadableText(f"{word!r} has no closing bracket")
        elif face_up:
            raise UnreadableText(f"{word!r} lies face down on a card that lies face up")
        else:
            face_down.append(parse_card(word[1:-1]))
    return Pile(tuple(face_down), tuple(face_up))


def _parse_field(label: str, content: str) -> Any:
    match label:
        case "foundations":
            return parse_foundations(content)
        case "waste" | "stock":
            return tuple(parse_cards(content))
        case "recycles used":
            return parse_count(content, "recycles")
        case _:
            return parse_pile(content)


# Moves.


def format_move(move: Move) -> str:
    """A move as text.

    Raises
    ------
    ValueError
        If there is no such kind of move.
    """
    source, target = move.source + 1, move.target + 1
    match move.kind:
        case "draw" | "recycle":
            return move.kind
        case "waste_to_pile":
            return f"waste>{target}"
        case "waste_to_foundation":
            return "waste>F"
        case "pile_to_foundation":
            return f"{source}>F"
        case "pile_to_pile":
            return f"{source}>{target}:{move.cards}"
        case "foundation_to_pile":
            return f"{SUIT_LETTERS[move.source]}>{target}"
        case _:
            raise ValueError(f"{move.kind!r} is not a kind of move")


def parse_move(text: str, position: Position) -> Move:
    """Read a move that is to be made in a position.

    The position tells how many cards ``4>6`` moves, and which piles there are.

    Raises
    ------
    UnreadableText
        If `text` is not a move, or names a pile that is not in the tableau.
    """
    kind, parts = MOVE_FORMS.match(text)
    match kind, parts.groups():
        case "waste_to_pile", [target]:
            return Move(kind, target=_pile_index(target, position))
        case "pile_to_foundation", [source]:
            return Move(kind, _pile_index(source, position))
        case "pile_to_pile", [source, target, number]:
            pile = _pile_index(source, position)
            cards = int(number) if number else len(position.piles[pile].face_up)
            return Move(kind, pile, _pile_index(target, position), cards)
        case "foundation_to_pile", [suit, target]:
            return Move(kind, SUIT_LETTERS.index(suit.upper()), _pile_index(target, position))
        case _:
            return Move(kind)


def _pile_index(name: str, position: Position) -> int:
    piles = len(position.piles)
    if int(name) > piles:
        raise UnreadableText(f"there is no pile {name!r}, the tableau has {piles}")
    return int(name) - 1
