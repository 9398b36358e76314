"""The packed state: a position in four 64-bit words, and the score sheet in two more.

::

    bit       57        52 51      38 37      19 18       0
    word 0               | pile 2   | pile 1   | pile 0
    word 1               | pile 5   | pile 4   | pile 3
    word 2     recycles 54..35 | foundations   | pile 6
    word 3    boundary   | 51 ........ places ........... 0
    word 4    score
    word 5    earned

    bit       18     16     15     14                     0
    pile      face down | strand | run

    bit       34  31    30  27     26      23    22   19
    word 2    spades  | hearts   | diamonds    | clubs

* *run*: the face-up cards of a pile. Their ranks follow one another, so bit r belongs to the card
  of rank r. It tells which of the two suits of its colour the card has: 0 for clubs and diamonds,
  1 for hearts and spades. Two more set bits are the ends, one above the bottom card and one below
  the top card. T♥ 9♠ 8♦ is ``...1 1 1 0 1 000000 0``: end 11, hearts 10, spades 9, diamonds 8,
  end 7. Zero is an empty pile. A part of a run keeps its bits wherever it moves.
* *strand*: the colours of a run, which alternate: 1 if its ace would be red. A card lies on another
  if it is one rank lower and its strand is the same.
* *face down*: how many cards lie face down below the run. Such cards never change their order, so
  they are still where the deck has them: see :func:`klondike.kernel.tableau_place`.
* *foundations*: for each suit the rank of its top card, 0 if there is none.
* *places*: recycling keeps the order (KL6), so waste and stock are always the deck's last cards, of
  which some have gone. Bit p is set while the card at place p of the deck is still there.
* *boundary*: places below it are the waste, the rest is the stock. It is the place after the
  waste's top card, or 0 if the waste is empty, so a position has only one form.
* *earned*: bit k is set once the card of kind k has come to its foundation (KL9 `first_time`), and
  bit 52 once the tableau has been cleared.

Bit 63 is never set but in a score below 0, so signed 64-bit integers will do everywhere. Kernels
work on the fields apart (:class:`State`), the piles by three as they are in the words; `to_words`
and `from_words` go between the two. The *deck* is an array of kinds in dealing order: the kind of
a card is ``4 * (rank - 1) + 2 * strand + suit bit``, so that cards of one strand are a multiple of
four apart, but for the suit bit.
"""

from typing import Any, NamedTuple

import numpy as np

from dealstats.cards import make_card, pack_problem, rank_of, suit_of
from dealstats.errors import InputError
from dealstats.rule_options import REDEALS_CEILING
from klondike.deck import pack
from klondike.position import Pile, Position
from klondike.rules import SUITS, Rules


class State(NamedTuple):
    """The fields of a packed position and its score.

    Attributes
    ----------
    piles_low, piles_mid, piles_high : int
        Piles 0..2, 3..5 and 6.
    foundations : int
        Four bits a suit.
    places : int
        Places of the deck whose cards are in waste or stock.
    boundary : int
        The place after the waste's top card, 0 if the waste is empty.
    recycles : int
        Recycles used.
    score : int
        Points so far (KL9).
    earned : int
        Kinds that have earned their foundation points, and `CLEARED`.
    """

    piles_low: int
    piles_mid: int
    piles_high: int
    foundations: int
    places: int
    boundary: int
    recycles: int
    score: int
    earned: int


class PackedRules(NamedTuple):
    """The rules as the kernels take them: plain integers.

    Attributes
    ----------
    redeals : int
        -1 for unlimited.
    lowest_on_empty : int
        The lowest rank that may be laid on an empty pile.
    floor : int
        So low that it is never met where there is none.
    """

    draw: int
    redeals: int
    lowest_on_empty: int
    worrying_back: int
    partial_runs: int
    start_with_draw: int
    sees_stock: int
    piles: int
    award_each_time: int
    waste_to_tableau: int
    to_foundation: int
    turn_up: int
    from_foundation: int
    recycle: int
    free_recycles: int
    cleared: int
    start: int
    floor: int


PILE_BITS = 19
PILES_PER_WORD = 3
PILES = 7
RUN_BITS = 15
STRAND_SHIFT = RUN_BITS
FACE_DOWN_SHIFT = STRAND_SHIFT + 1
FOUNDATION_BITS = 4
FOUNDATIONS_SHIFT = PILE_BITS
RECYCLES_SHIFT = FOUNDATIONS_SHIFT + SUITS * FOUNDATION_BITS
PLACES = 52
BOUNDARY_SHIFT = PLACES
HIGHEST_RANK = 13

PILE_MASK = (1 << PILE_BITS) - 1
PILES_MASK = (1 << PILES_PER_WORD * PILE_BITS) - 1
RUN_MASK = (1 << RUN_BITS) - 1
STRAND_BIT = 1 << STRAND_SHIFT
FOUNDATION_MASK = (1 << FOUNDATION_BITS) - 1
FOUNDATIONS_MASK = (1 << SUITS * FOUNDATION_BITS) - 1
PLACES_MASK = (1 << PLACES) - 1
CLEARED = 1 << PLACES
NO_FLOOR = -(1 << 60)
POSITION_WORDS = 4
FIELD_CEILINGS = {
    "piles_low": PILES_MASK,
    "piles_mid": PILES_MASK,
    "piles_high": PILE_MASK,
    "foundations": FOUNDATIONS_MASK,
    "places": PLACES_MASK,
    "boundary": PLACES,
    "recycles": REDEALS_CEILING,
    "earned": CLEARED | PLACES_MASK,
}


def kind_of(card: int) -> int:
    """The kind (0..51) of a card."""
    rank, suit = rank_of(card), suit_of(card)
    return SUITS * (rank - 1) + 2 * _strand(rank, suit) + (suit >> 1)


def card_of(kind: int) -> int:
    """The card of a kind."""
    rank = int(kind) // SUITS + 1
    strand, suit_bit = divmod(int(kind) % SUITS, 2)
    suits = (suit for suit in range(SUITS) if suit >> 1 == suit_bit)
    return next(make_card(rank, suit) for suit in suits if _strand(rank, suit) == strand)


def _strand(rank: int, suit: int) -> int:
    is_red = (suit ^ suit >> 1) & 1
    return is_red ^ (rank - 1 & 1)


def pack_kinds(rules: Rules) -> Any:
    """The pack in its own order, from which numbered deals are shuffled, as uint8 kinds."""
    return np.array([kind_of(card) for card in pack(rules)], dtype=np.uint8)


def pack_rules(rules: Rules) -> PackedRules:
    """The packed form of rules."""
    points = rules.points
    lowest_on_empty = {"king": rules.ranks, "any": 1, "none": HIGHEST_RANK + 1}
    return PackedRules(
        draw=rules.draw,
        redeals=-1 if rules.redeals is None else rules.redeals,
        lowest_on_empty=lowest_on_empty[rules.empty_pile],
        worrying_back=int(rules.worrying_back),
        partial_runs=int(rules.partial_runs),
        start_with_draw=int(rules.start_with_draw),
        sees_stock=int(rules.sees == "stock"),
        piles=rules.piles,
        award_each_time=int(rules.foundation_award == "each_time"),
        waste_to_tableau=points.waste_to_tableau,
        to_foundation=points.to_foundation,
        turn_up=points.turn_up,
        from_foundation=points.from_foundation,
        recycle=points.recycle,
        free_recycles=points.free_recycles,
        cleared=points.cleared,
        start=points.start,
        floor=NO_FLOOR if points.floor is None else points.floor,
    )


def pack_position(position: Position, rules: Rules) -> tuple[State, Any]:
    """The packed form of a position at the start of a game, and a deck that suits it.

    Cards on the foundations and a cleared tableau count as having earned their points already.

    Parameters
    ----------
    position : Position
        A sound table of these rules.

    Returns
    -------
    state : State
    deck : (pack_cards,) uint8 array
        Kinds. Face-down cards, waste and stock lie where a deal would have put them; the other
        places hold the other cards in any order.

    Raises
    ------
    InputError
        If more cards lie face down in a pile, or are in waste and stock, than a deal puts there.
    """
    problem = surplus_problem(position, rules)
    if problem:
        raise InputError(f"no deal leads to this position: {problem}")
    piles = [_packed_pile(pile) for pile in position.piles] + [0] * (PILES - rules.piles)
    first_stock = rules.tableau_cards
    outside = len(position.waste) + len(position.stock)
    state = State(
        piles_low=_word(piles[:3]),
        piles_mid=_word(piles[3:6]),
        piles_high=piles[6],
        foundations=sum(
            rank << FOUNDATION_BITS * suit for suit, rank in enumerate(position.foundations)
        ),
        places=((1 << outside) - 1) << first_stock,
        boundary=first_stock + len(position.waste) if position.waste else 0,
        recycles=position.recycles_used,
        score=rules.points.start,
        earned=sum(1 << kind_of(card) for card in cards_up_of(position))
        | (CLEARED if position.is_cleared else 0),
    )
    return state, _deck_of(position, rules)


def surplus_problem(position: Position, rules: Rules) -> str | None:
    """What keeps any deal from leading to a position: more cards than it puts there, or None."""
    for dealt, pile in enumerate(position.piles):
        if len(pile.face_down) > dealt:
            return (
                f"pile {dealt + 1} has {len(pile.face_down)} cards face down, not at most {dealt}"
            )
    outside = len(position.waste) + len(position.stock)
    if outside > rules.stock_cards:
        return f"waste and stock have {outside} cards, not at most {rules.stock_cards}"
    return None


def _packed_pile(pile: Pile) -> int:
    if not pile.face_up:
        return 0
    kinds = [kind_of(card) for card in pile.face_up]
    bottom_rank, top_rank = rank_of(pile.face_up[0]), rank_of(pile.face_up[-1])
    run = 1 << bottom_rank + 1 | 1 << top_rank - 1
    for card, kind in zip(pile.face_up, kinds, strict=True):
        run |= (kind & 1) << rank_of(card)
    strand = kinds[0] >> 1 & 1
    return len(pile.face_down) << FACE_DOWN_SHIFT | strand << STRAND_SHIFT | run


def _word(piles: list[int]) -> int:
    return sum(pile << PILE_BITS * field for field, pile in enumerate(piles))


def cards_up_of(position: Position) -> list[int]:
    """The cards on the foundations of a position."""
    return [
        make_card(rank, suit)
        for suit, top_rank in enumerate(position.foundations)
        for rank in range(1, top_rank + 1)
    ]


def _deck_of(position: Position, rules: Rules) -> Any:
    deck: list[int | None] = [None] * rules.pack_cards
    columns = dealt_places(rules)
    for pile, column in zip(position.piles, columns, strict=True):
        for card, place in zip(pile.face_down, column, strict=False):
            deck[place] = card
    for place, card in enumerate(position.waste + position.stock, start=rules.tableau_cards):
        deck[place] = card
    others = (card for card in pack(rules) if card not in set(deck))
    cards = [next(others) if card is None else card for card in deck]
    return np.array([kind_of(card) for card in cards], dtype=np.uint8)


def dealt_places(rules: Rules) -> list[list[int]]:
    """For each pile the places of the deck that are dealt to it (KL1), bottom to top."""
    columns: list[list[int]] = [[] for _ in range(rules.piles)]
    place = 0
    for row in range(rules.piles):
        for pile in range(row, rules.piles):
            columns[pile].append(place)
            place += 1
    return columns


def to_words(state: State) -> Any:
    """The six words of the map above, as a (6,) int64 array."""
    return np.array(
        [
            state.piles_low,
            state.piles_mid,
            state.piles_high
            | state.foundations << FOUNDATIONS_SHIFT
            | state.recycles << RECYCLES_SHIFT,
            state.places | state.boundary << BOUNDARY_SHIFT,
            state.score,
            state.earned,
        ],
        dtype=np.int64,
    )


def from_words(words: Any) -> State:
    """The fields of six words."""
    low, mid, high, outside, score, earned = words
    return State(
        low,
        mid,
        high & PILE_MASK,
        high >> FOUNDATIONS_SHIFT & FOUNDATIONS_MASK,
        outside & PLACES_MASK,
        outside >> BOUNDARY_SHIFT,
        high >> RECYCLES_SHIFT,
        score,
        earned,
    )


def unpack_position(state: State, deck: Any, rules: Rules) -> Position:
    """The position of a packed state.

    Parameters
    ----------
    deck : (pack_cards,) uint8 array
    """
    fields = _pile_fields(state)[: rules.piles]
    columns = dealt_places(rules)
    waste, stock = _waste_and_stock(state, deck)
    return Position(
        foundations=_foundation_ranks(state),
        piles=tuple(
            Pile(
                tuple(card_of(deck[place]) for place in column[: field >> FACE_DOWN_SHIFT]),
                _run_cards(field),
            )
            for field, column in zip(fields, columns, strict=True)
        ),
        waste=waste,
        stock=stock,
        recycles_used=int(state.recycles),
    )


def _pile_fields(state: State) -> list[int]:
    words = (state.piles_low, state.piles_mid, state.piles_high)
    return [
        int(words[pile // PILES_PER_WORD]) >> PILE_BITS * (pile % PILES_PER_WORD) & PILE_MASK
        for pile in range(PILES)
    ]


def _run_cards(field: int) -> tuple[int, ...]:
    run, strand = field & RUN_MASK, field >> STRAND_SHIFT & 1
    bottom_rank = run.bit_length() - 2
    top_rank = (run & -run).bit_length()
    return tuple(
        card_of(SUITS * (rank - 1) + 2 * strand + (run >> rank & 1))
        for rank in range(bottom_rank, top_rank - 1, -1)
    )


def _foundation_ranks(state: State) -> tuple[int, int, int, int]:
    clubs, diamonds, hearts, spades = (
        int(state.foundations) >> FOUNDATION_BITS * suit & FOUNDATION_MASK for suit in range(SUITS)
    )
    return clubs, diamonds, hearts, spades


def _waste_and_stock(state: State, deck: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    places = [place for place in range(PLACES) if int(state.places) >> place & 1]
    return (
        tuple(card_of(deck[place]) for place in places if place < state.boundary),
        tuple(card_of(deck[place]) for place in places if place >= state.boundary),
    )


def state_problems(state: State, deck: Any, rules: Rules) -> list[str]:
    """Every defect of a packed state, one line each; an empty list if it is sound.

    Parameters
    ----------
    deck : (pack_cards,) uint8 array
    """
    problems = [
        f"{name} {int(getattr(state, name))} is out of range"
        for name, ceiling in FIELD_CEILINGS.items()
        if not 0 <= int(getattr(state, name)) <= ceiling
    ]
    problems += [
        f"pile {pile + 1}: {problem}"
        for pile, field in enumerate(_pile_fields(state))
        if (problem := _pile_problem(pile, field, rules))
    ]
    problems += _outside_problems(state, rules)
    if problems:
        return problems
    return _card_problems(state, deck, rules)


def _pile_problem(pile: int, field: int, rules: Rules) -> str | None:
    run, face_down = field & RUN_MASK, field >> FACE_DOWN_SHIFT
    if pile >= rules.piles:
        return "there is no such pile" if field else None
    if not run:
        return "without a card face up there is no strand and no card face down" if field else None
    upper_end, lower_end = run.bit_length() - 1, (run & -run).bit_length() - 1
    if not 2 <= upper_end - lower_end <= upper_end <= rules.ranks + 1:
        return "the run has no card, or ranks that are not in the pack"
    if face_down > pile:
        return f"{face_down} cards lie face down, more than were dealt"
    return None


def _outside_problems(state: State, rules: Rules) -> list[str]:
    problems = []
    places, boundary = int(state.places), int(state.boundary)
    dealt_to_stock = ((1 << rules.stock_cards) - 1) << rules.tableau_cards
    if places & ~dealt_to_stock:
        problems.append("places of the tableau, or beyond the pack, are in waste or stock")
    if boundary and not places >> boundary - 1 & 1:
        problems.append(f"boundary {boundary} does not lie after the waste's top card")
    return problems


def _card_problems(state: State, deck: Any, rules: Rules) -> list[str]:
    if max(_foundation_ranks(state)) > rules.ranks:
        return ["a foundation is higher than the pack has ranks"]
    position = unpack_position(state, deck, rules)
    up = cards_up_of(position)
    tableau = [card for pile in position.piles for card in pile.face_down + pile.face_up]
    problem = pack_problem([*up, *tableau, *position.waste, *position.stock], pack(rules))
    problems = [problem] if problem else []
    if any(not int(state.earned) >> kind_of(card) & 1 for card in up):
        problems.append("a card lies on its foundation that is not marked as having earned that")
    return problems
