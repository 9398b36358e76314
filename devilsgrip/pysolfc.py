"""The numbered Devil's Grip deals of PySolFC (its game 932), by the package ``pysol-cards``.

Below 32000 the number seeds the generator of Microsoft's FreeCell, from there on Python's Mersenne
Twister. PySolFC shuffles the two packs without their aces and deals from the end.
"""

from dealstats.cards import SUIT_LETTERS, make_card
from dealstats.errors import InputError

FIRST_MERSENNE_NUMBER = 32000
LAST_NUMBER = 10**20
PACKS = 2
ACE = 1


def pysolfc_deck(number: int) -> tuple[int, ...]:
    """All cards of a numbered deal of PySolFC: the grid row by row, three talon cards, the stock.

    Parameters
    ----------
    number : int
        PySolFC's number of the deal, from 1 to 10**20.

    Returns
    -------
    tuple of int
        With the preset ``pysolfc`` the three talon cards are turned at the start, the third on
        top; else they are the first three cards of the stock.

    Raises
    ------
    InputError
        If there is no such deal, or ``pysol-cards`` is not installed.
    """
    if not 1 <= number <= LAST_NUMBER:
        raise InputError(f"deal {number} of PySolFC is not from 1 to 10^20")
    try:
        from pysol_cards.cards import createCards
        from pysol_cards.random import LCRandom31, MTRandom
    except ImportError as problem:
        raise InputError(
            "deals of PySolFC need the package pysol-cards: pip install dealstats[pysolfc]"
        ) from problem
    generator = (LCRandom31 if number < FIRST_MERSENNE_NUMBER else MTRandom)(number)
    cards = generator.shuffle([card for card in createCards(PACKS) if card.rank != ACE])
    return tuple(make_card(card.rank, SUIT_LETTERS.index(card.suit_s())) for card in cards[::-1])
