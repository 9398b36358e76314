"""Klondike decks: the pack, and numbered deals of it."""

from dealstats.cards import make_card, rank_of, suit_of
from dealstats.deals import SCHEME, shuffled
from dealstats.errors import InputError
from klondike.rules import SUITS, Rules

SCHEMES = (SCHEME,)


def pack(rules: Rules) -> list[int]:
    """The pack in its own order: the suits C, D, H, S, in each the ranks from the ace up."""
    return [make_card(rank, suit) for suit in range(SUITS) for rank in range(1, rules.ranks + 1)]


def twin_of(card: int) -> int:
    """The other card of the same rank and colour."""
    return make_card(rank_of(card), SUITS - 1 - suit_of(card))


def deal(
    index: int, seed: int = 0, rules: Rules | None = None, scheme: str = SCHEME
) -> tuple[int, ...]:
    """All cards of a numbered deal in dealing order: the tableau row by row, then the stock.

    Parameters
    ----------
    index : int
        Number of the deal, at least 0.
    seed : int
        Names a stream of deals.
    rules : Rules, optional
        Only `ranks` matters.
    scheme : {"philox1"}
        How the number becomes a deal.

    Raises
    ------
    InputError
        If there is no such scheme or deal.
    """
    if scheme != SCHEME:
        raise InputError(f"no scheme is called {scheme!r}; there are {', '.join(SCHEMES)}")
    return tuple(shuffled(pack(rules or Rules()), seed, index))
