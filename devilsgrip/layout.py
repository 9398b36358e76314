"""The packed state: a position in three 64-bit words, and a fourth that counts redeals.

::

    bit       62       54 53                                                        0
    word 0    boundary  | chain 5  | chain 4  | chain 3  | chain 2  | chain 1 | chain 0
    word 1    71 ... 63 | chain 11 | chain 10 | chain 9  | chain 8  | chain 7 | chain 6
    word 2    62 .............................. places ............................. 0
    word 3    redeals used

* *chain*: the 9-bit state number (:mod:`devilsgrip.chains`) of chain ``3 * suit + sequence``.
* *places*: redealing keeps the order (DG7), so talon and stock are always one fixed order of at
  most 72 cards, of which some have gone. Bit p is set while the card at place p is still there.
* *boundary*: places below it are the talon, the rest is the stock (7 bits, 0..72).

Bit 63 is never set, so signed 64-bit integers will do everywhere. Kernels work on the fields apart
(:class:`State`); `to_words` and `from_words` go between the two. The fixed order itself is an
array of *kinds*: the kind of a card is ``4 * chain + level``.
"""

from typing import Any, NamedTuple

import numpy as np

from dealstats.cards import make_card, pack_problem, rank_of, suit_of
from dealstats.rule_options import REDEALS_CEILING
from devilsgrip.chains import FIRST_BUILDABLE, LEVELS, RUNS, state_numbers, states
from devilsgrip.deck import pack
from devilsgrip.position import Position
from devilsgrip.rules import UNITS, Rules


class State(NamedTuple):
    """The fields of a packed position.

    Attributes
    ----------
    grid_low, grid_high : int
        Chains 0..5 and 6..11.
    stock_low, stock_high : int
        Places 0..62 and 63..71 of the cards in talon and stock.
    boundary : int
        The first place of the stock.
    redeals : int
        Redeals used.
    """

    grid_low: int
    grid_high: int
    stock_low: int
    stock_high: int
    boundary: int
    redeals: int


class PackedRules(NamedTuple):
    """The rules as the kernels take them: plain integers.

    Attributes
    ----------
    redeals : int
        -1 for unlimited.
    unit : int
        Place in UNITS.
    buildable_carry : int
        For each chain of a word, what carries a state number that offers a build that opens a
        space into the ninth bit (see :func:`devilsgrip.kernel.buildable_chain`).
    """

    redeals: int
    turn: int
    fill_talon_top: int
    unit: int
    initial_talon: int
    sees_top: int
    chains: int
    buildable_carry: int


CHAIN_BITS = 9
CHAINS_PER_WORD = 6
CHAIN_MASK = (1 << CHAIN_BITS) - 1
SPARE_SHIFT = CHAIN_BITS * CHAINS_PER_WORD
LOW_PLACES = 63
PLACES = 72
SEQUENCES = 3
FIRST_RANK = 2
CHAINS = 12

LOW_MASK = (1 << LOW_PLACES) - 1
GRID_MASK = (1 << SPARE_SHIFT) - 1
FIELD_CEILINGS = State(
    GRID_MASK, GRID_MASK, LOW_MASK, (1 << (PLACES - LOW_PLACES)) - 1, PLACES, REDEALS_CEILING
)._asdict()

CHAIN_HIGH_BITS = sum(1 << (CHAIN_BITS * field + CHAIN_BITS - 1) for field in range(6))
CHAIN_LOW_BITS = sum((CHAIN_MASK >> 1) << (CHAIN_BITS * field) for field in range(6))


def kind_of(card: int) -> int:
    """The kind (0..47) of a card."""
    level, sequence = divmod(rank_of(card) - FIRST_RANK, SEQUENCES)
    return LEVELS * (SEQUENCES * suit_of(card) + sequence) + level


def card_of(kind: int) -> int:
    """The card of a kind."""
    chain, level = divmod(int(kind), LEVELS)
    suit, sequence = divmod(chain, SEQUENCES)
    return make_card(FIRST_RANK + SEQUENCES * level + sequence, suit)


def pack_kinds(rules: Rules) -> Any:
    """The pack in its own order, from which numbered deals are shuffled, as uint8 kinds.

    Two packs one after the other; in each the suits C, D, H, S and the ranks 2..K.
    """
    return np.array([kind_of(card) for card in pack(rules)], dtype=np.uint8)


def pack_rules(rules: Rules) -> PackedRules:
    """The packed form of rules."""
    unit = UNITS.index(rules.unit)
    carry = (CHAIN_MASK + 1) // 2 - int(FIRST_BUILDABLE[unit])
    return PackedRules(
        redeals=-1 if rules.redeals is None else rules.redeals,
        turn=rules.turn,
        fill_talon_top=int(rules.fill == "talon_top"),
        unit=unit,
        initial_talon=rules.initial_talon,
        sees_top=int(rules.sees == "top"),
        chains=SEQUENCES * rules.suits,
        buildable_carry=_grid_word(CHAINS_PER_WORD * [carry]),
    )


def pack_position(position: Position) -> tuple[State, Any]:
    """The packed form of a position, and the fixed order of its talon and stock.

    Returns
    -------
    state : State
    order : uint8 array
        Kinds of the talon and stock cards.
    """
    runs = [[0] * len(RUNS) for _ in range(CHAINS)]
    for pile in filter(None, position.grid):
        chain, low = divmod(kind_of(pile[0]), LEVELS)
        runs[chain][RUNS.index((low, low + len(pile) - 1))] += 1
    numbers = [state_numbers()[tuple(counts)] for counts in runs]
    cards = position.talon + position.stock
    order = np.array([kind_of(card) for card in cards], dtype=np.uint8)
    there = (1 << len(cards)) - 1
    state = State(
        grid_low=_grid_word(numbers[:CHAINS_PER_WORD]),
        grid_high=_grid_word(numbers[CHAINS_PER_WORD:]),
        stock_low=there & LOW_MASK,
        stock_high=there >> LOW_PLACES,
        boundary=len(position.talon),
        redeals=position.redeals_used,
    )
    return state, order


def _grid_word(numbers: list[int]) -> int:
    return sum(number << (CHAIN_BITS * field) for field, number in enumerate(numbers))


def to_words(state: State) -> Any:
    """The four words of the map above, as a (4,) int64 array."""
    return np.array(
        [
            state.grid_low | state.boundary << SPARE_SHIFT,
            state.grid_high | state.stock_high << SPARE_SHIFT,
            state.stock_low,
            state.redeals,
        ],
        dtype=np.int64,
    )


def from_words(words: Any) -> State:
    """The fields of four words."""
    low, high, stock_low, redeals = words
    return State(
        low & GRID_MASK,
        high & GRID_MASK,
        stock_low,
        high >> SPARE_SHIFT,
        low >> SPARE_SHIFT,
        redeals,
    )


def piles_of(state: State) -> list[tuple[int, ...]]:
    """The piles of a packed state as cards, bottom to top, chain by chain."""
    return [
        tuple(card_of(LEVELS * chain + level) for level in range(low, high + 1))
        for chain, number in enumerate(chain_numbers(state))
        for count, (low, high) in zip(states()[number], RUNS, strict=True)
        for _ in range(count)
    ]


def chain_numbers(state: State) -> list[int]:
    """The state numbers of the twelve chains."""
    return [
        int(word) >> (CHAIN_BITS * field) & CHAIN_MASK
        for word in (state.grid_low, state.grid_high)
        for field in range(CHAINS_PER_WORD)
    ]


def talon_and_stock(state: State, order: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The cards of the talon, bottom to top, and of the stock, next card first."""
    there = _places_there(state)
    places = [place for place in range(PLACES) if there >> place & 1]
    return (
        tuple(card_of(order[place]) for place in places if place < state.boundary),
        tuple(card_of(order[place]) for place in places if place >= state.boundary),
    )


def _places_there(state: State) -> int:
    """The places of the cards in talon and stock, as the bits of one Python integer."""
    return int(state.stock_low) | int(state.stock_high) << LOW_PLACES


def state_problems(state: State, order: Any, rules: Rules) -> list[str]:
    """Every defect of a packed state, one line each; an empty list if it is sound.

    Parameters
    ----------
    order : uint8 array
    """
    problems = [
        f"{field} {int(value)} is out of range"
        for field, value in zip(State._fields, state, strict=True)
        if not 0 <= int(value) <= FIELD_CEILINGS[field]
    ]
    foreign = [number for number in chain_numbers(state) if number >= len(states())]
    if foreign:
        problems.append(f"no chain state has the number {foreign[0]}")
    if _places_there(state) >> len(order):
        problems.append(f"a card is said to be beyond the {len(order)} places")
    # With any of these defects the cards cannot be read.
    return problems or _table_problems(state, order, rules)


def _table_problems(state: State, order: Any, rules: Rules) -> list[str]:
    piles = piles_of(state)
    talon, stock = talon_and_stock(state, order)
    problem = pack_problem([*sum(piles, ()), *talon, *stock], pack(rules))
    problems = [problem] if problem else []
    redeals_left = 1 if rules.redeals is None else rules.redeals - int(state.redeals)
    if redeals_left < 0:
        problems.append(f"redeals {int(state.redeals)} is above the limit of {rules.redeals}")
    talon_fills = redeals_left > 0 or rules.fill == "talon_top"
    if len(piles) > rules.cells:
        problems.append(f"{len(piles)} piles lie in {rules.cells} cells")
    elif len(piles) < rules.cells and (stock or (talon and talon_fills)):
        problems.append(f"{len(piles)} piles lie in {rules.cells} cells, but a card could come in")
    return problems
