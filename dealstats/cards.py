"""Playing cards and their text.

A card is a small integer ``13 * suit + rank - 1`` with suits C, D, H, S = 0..3 and ranks
ace = 1 .. king = 13, so that the 52 cards of a pack are 0..51 in the order of :data:`PACK`.
"""

from collections.abc import Iterable, Sequence

from dealstats.errors import UnreadableText

RANK_LETTERS = "A23456789TJQK"
SUIT_LETTERS = "CDHS"
SUIT_SYMBOLS = "♣♦♥♠"
PACK = range(52)

_SUIT_OF_LETTER = {
    **{letter: suit for suit, letter in enumerate(SUIT_LETTERS)},
    **{symbol: suit for suit, symbol in enumerate(SUIT_SYMBOLS)},
}
_RANK_OF_TEXT = {letter: rank for rank, letter in enumerate(RANK_LETTERS, start=1)} | {"10": 10}


def make_card(rank: int, suit: int) -> int:
    """The card of this rank (1..13) and suit (0..3)."""
    return 13 * suit + rank - 1


def rank_of(card: int) -> int:
    """Rank of a card, ace = 1 .. king = 13."""
    return card % 13 + 1


def suit_of(card: int) -> int:
    """Suit of a card: clubs 0, diamonds 1, hearts 2, spades 3."""
    return card // 13


def format_card(card: int) -> str:
    """Canonical text of a card, such as ``TS``."""
    return RANK_LETTERS[rank_of(card) - 1] + SUIT_LETTERS[suit_of(card)]


def format_cards(cards: Iterable[int]) -> str:
    """Canonical texts of cards, separated by blanks."""
    return " ".join(map(format_card, cards))


def card_symbol(card: int) -> str:
    """A card as people like to see it, such as ``T♠``."""
    return RANK_LETTERS[rank_of(card) - 1] + SUIT_SYMBOLS[suit_of(card)]


def parse_card(text: str) -> int:
    """Read one card.

    Besides the canonical text, ``10`` for the ten, lower case and suit symbols are understood.

    Raises
    ------
    UnreadableText
        If `text` is not a card.
    """
    rank = _RANK_OF_TEXT.get(text[:-1].upper())
    suit = _SUIT_OF_LETTER.get(text[-1:].upper())
    if rank is None or suit is None:
        raise UnreadableText(
            f"{text!r} is not a card (a card is a rank A23456789TJQK and a suit CDHS)"
        )
    return make_card(rank, suit)


def parse_cards(text: str) -> list[int]:
    """Read cards separated by white space; see :func:`parse_card`."""
    return [parse_card(word) for word in text.split()]


def pack_problem(cards: Sequence[int], pack: Sequence[int]) -> str | None:
    """What keeps `cards` from being exactly the cards of `pack`, in any order.

    Returns
    -------
    str or None
        One line that names the foreign, surplus and missing cards, or None if all is well.
    """
    surplus = _difference(cards, pack)
    foreign = sorted({card for card in surplus if card not in pack})
    doubled = [card for card in surplus if card in pack]
    missing = _difference(pack, cards)
    findings = [
        f"{verdict}: {format_cards(found)}"
        for verdict, found in (
            ("not in this pack", foreign),
            ("too many of", doubled),
            ("missing", missing),
        )
        if found
    ]
    return "; ".join(findings) or None


def _difference(cards: Iterable[int], others: Iterable[int]) -> list[int]:
    """The multiset difference, sorted."""
    left = list(others)
    surplus = []
    for card in sorted(cards):
        if card in left:
            left.remove(card)
        else:
            surplus.append(card)
    return surplus
