"""Devil's Grip decks: the pack, and numbered deals of it."""

from dealstats.cards import make_card
from dealstats.deals import SCHEME, shuffled
from dealstats.errors import InputError
from devilsgrip.rules import Rules

PACKS = 2
PACK_RANKS = range(2, 14)
SCHEMES = (SCHEME, "pysolfc")


def pack(rules: Rules) -> list[int]:
    """The pack in its own order (DG1): two packs, in each the suits C, D, H, S, ranks 2..K."""
    return PACKS * [make_card(rank, suit) for suit in range(rules.suits) for rank in PACK_RANKS]


def deal(
    index: int, seed: int = 0, rules: Rules | None = None, scheme: str = SCHEME
) -> tuple[int, ...]:
    """All cards of a numbered deal in dealing order: the grid row by row, then the stock.

    Parameters
    ----------
    index : int
        Number of the deal, at least 0.
    seed : int
        Names a stream of deals.
    rules : Rules, optional
        Only `suits` matters.
    scheme : {"philox1", "pysolfc"}
        How the number becomes a deal; `seed` is not used by ``pysolfc``.

    Raises
    ------
    InputError
        If there is no such scheme or deal.
    """
    if scheme == "pysolfc":
        from devilsgrip.pysolfc import pysolfc_deck

        return pysolfc_deck(index)
    if scheme != SCHEME:
        raise InputError(f"no scheme is called {scheme!r}; there are {', '.join(SCHEMES)}")
    return tuple(shuffled(pack(rules or Rules()), seed, index))
