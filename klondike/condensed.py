"""The condensed position: what is left of a position if it is forgotten how face-up cards lie.

**Where it holds.** Parts of runs may move, and an empty pile takes kings or nothing. (Where only
whole runs move, or any card may go to an empty pile, what can be done depends on how cards lie.)

Call a dealt card *locked* as long as it is where it was at the start, with nothing but locked cards
below it; the last locked card of a pile is its *surface*. All other cards of the tableau are
*placed*. Two cards of equal rank and colour are *twins*; they belong to one *type*, and each
placed card but a king lies on a card of the type one rank higher and of the other colour, its
*parents*. A type is *open* if more cards of it lie face up than placed cards have it for parents.

Claim: which of these things can come to pass, after some moves of parts of runs between twins,
depends only on the sets of face-up and of locked cards, the foundations, waste and stock:

* a face-up card goes to its foundation: if it is the next one, and its type is open;
* a card is placed, by leaving waste, foundation or its place as a surface (with all that lies on
  it): if its parents' type is open, or it is a king and a pile is empty.

*Proof.* If the type of a face-up card x is open, x can be laid bare: at most one of x and its twin
is covered; if x is, its twin is bare, and what lies on x may move there, for it has lower ranks
than both. If a type is not open, each face-up card of it is covered, whatever is moved. And moves
of parts of runs between twins change none of these sets; all other moves of the tableau are in the
list, but that of a king that is the lowest card of its pile, which changes nothing. ∎

So such moves need not be searched, and a position is a number of 64 bits::

    bit   63  61    60   56    55 .. 32    31 .. 16    15          0
          recycles | boundary | stock set | locked    | foundations

* *foundations*: four bits each, clubs, spades, diamonds, hearts: black ones in the lower byte.
* *locked*: how many cards are locked in each pile, as digits of a number of mixed base.
* *stock set*: of waste and stock at the start, in the order of the stock, those not yet played.
* *boundary*: as in :mod:`klondike.layout`, from the first card of the stock on. Without a limit of
  recycles it is 0 whenever a recycle would change nothing: what comes into play is the same if the
  waste has a multiple of `draw` cards, or the stock none.
* *recycles*: those used, where they are limited; else 0.

No position is 0. Sets of cards are 52-bit integers with a bit for each kind, as they are numbered
in :mod:`klondike.layout`: a type is a pair of neighbouring bits, its parents four bits higher.
"""

from itertools import product
from typing import Any, NamedTuple

import numpy as np

from dealstats.cards import make_card, suit_of
from dealstats.errors import InputError
from klondike.layout import card_of, kind_of, surplus_problem
from klondike.position import Position
from klondike.pruning import is_safe_rank
from klondike.rules import SUITS, Rules

SUIT_SHIFTS = (0, 8, 12, 4)
"""Where in a key the foundations of C, D, H and S are."""
LOCKED_SHIFT = 16
STOCK_SHIFT = 32
STOCK_MASK = (1 << 24) - 1
BOUNDARY_SHIFT = 56
BOUNDARY_MASK = 31
RECYCLES_SHIFT = 61
STOCK_CEILING = 24
REDEALS_CEILING = 7

EVEN_KINDS = sum(1 << kind for kind in range(0, 52, 2))
ODD_KINDS = EVEN_KINDS << 1
ALL_KINDS = (1 << 52) - 1

# The tables of a deal, in one array.
BELOW = 0
"""For each kind the set of the locked card right below it, while it is locked itself."""
LOCK_STEP = 64
"""For each kind what its key loses when it is locked no more."""
STOCK_BIT = 128
"""For each kind its bit in the stock set of the key."""
STOCK_KINDS = 256
"""For each byte of the stock set the set of its cards."""
ROOT_KEY, ROOT_VISIBLE, ROOT_LOCKED, BOTTOMS = range(1024, 1028)
"""The start, and the set of the lowest cards of the piles."""
DEAL_WORDS = 1028


class CondensedRules(NamedTuple):
    """The rules as the condensed search takes them.

    Attributes
    ----------
    draw : int
    redeals : int
        -1 for unlimited.
    kings : int
        The set of kinds that an empty pile takes.
    worrying_back : int
    piles : int
    won : int
        The foundations when all cards are up.
    """

    draw: int
    redeals: int
    kings: int
    worrying_back: int
    piles: int
    won: int


def holds_for(rules: Rules) -> bool:
    """Whether positions under these rules can be condensed."""
    return (
        rules.partial_runs
        and rules.empty_pile != "any"
        and rules.stock_cards <= STOCK_CEILING
        and (rules.redeals is None or rules.redeals <= REDEALS_CEILING)
    )


def condensed_rules(rules: Rules) -> CondensedRules:
    """The packed form of rules for which :func:`holds_for` is true."""
    return CondensedRules(
        draw=rules.draw,
        redeals=-1 if rules.redeals is None else rules.redeals,
        kings=0b1111 << SUITS * (rules.ranks - 1) if rules.empty_pile == "king" else 0,
        worrying_back=int(rules.worrying_back),
        piles=rules.piles,
        won=rules.ranks * 0x1111,
    )


def condense(position: Position, rules: Rules) -> Any:
    """The tables of a deal, (DEAL_WORDS,) int64, for the search from a position.

    Raises
    ------
    InputError
        If more cards lie face down in a pile, or are in waste and stock, than a deal puts there.
    """
    problem = surplus_problem(position, rules)
    if problem:
        raise InputError(f"no deal leads to this position: {problem}")
    deal = np.zeros(DEAL_WORDS, np.int64)
    key = sum(rank << SUIT_SHIFTS[suit] for suit, rank in enumerate(position.foundations))
    step = 1 << LOCKED_SHIFT
    for pile in position.piles:
        cards = [kind_of(card) for card in pile.face_down + pile.face_up]
        locked = cards[: len(pile.face_down) + bool(cards)]
        for below, kind in enumerate(locked):
            deal[BELOW + kind] = 1 << locked[below - 1] if below else 0
            deal[LOCK_STEP + kind] = step
            deal[ROOT_LOCKED] |= 1 << kind
        for kind in cards[len(pile.face_down) :]:
            deal[ROOT_VISIBLE] |= 1 << kind
        if locked:
            deal[BOTTOMS] |= 1 << locked[0]
        key += step * len(locked)
        step *= len(locked) + 1
    outside = [kind_of(card) for card in position.waste + position.stock]
    for place, kind in enumerate(outside):
        deal[STOCK_BIT + kind] = 1 << STOCK_SHIFT + place
    for byte in range(3):
        for some in range(256):
            places = (8 * byte + bit for bit in range(8) if some >> bit & 1)
            deal[STOCK_KINDS + 256 * byte + some] = sum(
                1 << outside[place] for place in places if place < len(outside)
            )
    key |= (1 << len(outside)) - 1 << STOCK_SHIFT
    if rules.redeals is not None:
        key |= len(position.waste) << BOUNDARY_SHIFT | position.recycles_used << RECYCLES_SHIFT
    elif position.stock and len(position.waste) % rules.draw:
        key |= len(position.waste) << BOUNDARY_SHIFT
    deal[ROOT_KEY] = np.uint64(key).astype(np.int64)
    return deal


# Tables by a byte of the foundations: those of one colour.


def _kind(rank: int, suit: int) -> int:
    return kind_of(make_card(rank, suit))


def _foundation_tables() -> tuple[Any, Any, Any, Any]:
    following, tops, done = (np.zeros((2, 256), np.int64) for _ in range(3))
    lower = np.zeros(256, np.int64)
    for colour, suits in enumerate(((0, 3), (1, 2))):
        for byte in range(256):
            heights = byte & 15, byte >> 4
            lower[byte] = min(heights)
            for suit, height in zip(suits, heights, strict=True):
                if height < 13:
                    following[colour, byte] |= 1 << _kind(height + 1, suit)
                if 0 < height <= 13:
                    tops[colour, byte] |= 1 << _kind(height, suit)
                for rank in range(1, min(height, 13) + 1):
                    done[colour, byte] |= 1 << _kind(rank, suit)
    return following, tops, done, lower


def _safe_kinds() -> Any:
    """By worrying back, and by the lower heights of both colours: which kinds are safe to go up.

    The lower height of its own colour stands for that of the other suit: if it is that of the
    card's own suit, the card is at most one rank higher.
    """
    safe = np.zeros((2, 256), np.int64)
    for heights in range(256):
        lower = heights & 15, heights >> 4
        for suit in range(SUITS):
            is_red = suit in (1, 2)
            own, other = lower[is_red], lower[not is_red]
            for rank in range(1, 14):
                for worrying_back in (0, 1):
                    if is_safe_rank(rank, other, own, worrying_back):
                        safe[worrying_back, heights] |= 1 << _kind(rank, suit)
    return safe


NEXT_KINDS, TOP_KINDS, DONE_KINDS, LOWER_HEIGHT = _foundation_tables()
SAFE_KINDS = _safe_kinds()
FOUNDATION_STEP = np.array(
    [1 << SUIT_SHIFTS[suit_of(card_of(kind))] for kind in range(52)], np.int64
)
"""For each kind what a key gains when it goes up."""
PREDECESSOR = np.zeros(52, np.int64)
"""For each kind the set of the card one rank lower in its suit."""
for _rank, _suit in product(range(2, 14), range(SUITS)):
    PREDECESSOR[_kind(_rank, _suit)] = 1 << _kind(_rank - 1, _suit)


def access_tables(draw: int) -> tuple[Any, Any]:
    """Tables to find the cards that come into play when the stock is drawn.

    Returns
    -------
    drawn : (256 * draw,) int64 array
        By ``256 * phase + byte``: which bits of a byte of the stock set come into play, if `phase`
        cards were turned since the last one that did.
    phase_after : (256 * draw,) int64 array
        The phase after the byte, times 256.
    """
    drawn = np.zeros(256 * draw, np.int64)
    phase_after = np.zeros(256 * draw, np.int64)
    for phase in range(draw):
        for byte in range(256):
            turned = phase
            for bit in range(8):
                if byte >> bit & 1:
                    turned += 1
                    if turned == draw:
                        drawn[256 * phase + byte] |= 1 << bit
                        turned = 0
            phase_after[256 * phase + byte] = 256 * turned
    return drawn, phase_after


def dominating_counts(draw: int, is_unlimited: bool) -> Any:
    """Which waste dominates which, with the same cards in waste and stock together.

    What a waste of `count` cards lets a player do, a smaller one does as well if it can be drawn to
    become the larger one: if the difference is a multiple of `draw`. Without a limit of recycles
    every position can be drawn to the end and recycled, so a waste of 0 cards is dominated by all
    (and stands for all multiples of `draw`).

    Returns
    -------
    (25,) int64 array
        By the number of cards in the waste: the set of numbers that dominate it, itself included.
    """
    dominating = np.zeros(STOCK_CEILING + 1, np.int64)
    for count in range(STOCK_CEILING + 1):
        for other in range(STOCK_CEILING + 1):
            is_drawn = other <= count and (count - other) % draw == 0
            if is_drawn or (count == 0 and is_unlimited):
                dominating[count] |= 1 << other
    return dominating
