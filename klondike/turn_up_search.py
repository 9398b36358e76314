"""The cheapest way to turn up a card: a search over the cards that a player knows.

What a player learns it learns by turning up cards, and until the next one all that it can do lies
open to it. So a plan is a line of moves that ends with a turn-up, and the best plan is the one of
least cost, by prices that a player sets (:class:`Prices`). Where no card lies face down any more, a
plan ends with a card that comes to its foundation. At a price it may also end with any card played
from the waste.

The search is that of Dijkstra (1959): positions wait in buckets by their cost, the cheapest is
looked at first, and one that was reached before at no greater cost is dropped. A step of it is a
move that is not a draw or recycle; those bring the step's card into play and belong to it. They are
looked at as far as the cards that come into play are known, with one recycle at most. Steps that
can only be detours are left out, which is a choice of the player and no proof:

* A part of a run moves only where the card below it can then go to its foundation, and to the first
  pile that takes it.
* All face-up cards of a pile with none face down are not laid on an empty pile.
* Of empty piles the first one is used.
* After a card taken from a foundation the next step lays cards on it; and so after a card from the
  waste where every card of waste and stock can be reached at any time (draw one, and any number of
  recycles), unless that card ends the plan. (Where a position is also reached with all steps open,
  at no less cost, that way is dropped though it could go on otherwise: those other steps could as
  well have come before the card was laid.)
* Where a recycle is free besides, waste and stock are one reserve: no matter what was drawn, each
  step finds them as if turned over.

Everything is kept in a player's notes (:mod:`dealstats.notes`), from `SEARCH_NOTE` on::

    BEST_COST BEST_PARENT BEST_MOVE BEST_BOUNDARY NODE_COUNT | buckets | table | nodes

A node is a position with the step that led to it: `NODE_NOTES` notes, the fields of the state
first, without the score, then the five below. Node 0 is none, node 1 the root.

MOVE, COST
    The move of the step, and what it cost to come here.
BOUNDARY
    The boundary of waste and stock (:mod:`klondike.layout`) at which the move is made: the player
    draws and recycles up to there. `ANY_BOUNDARY` if the move takes no card of the waste.
LINK
    The node before; in the plan that is handed out, the next one.
NEXT_IN_BUCKET
    Buckets are lists of nodes.

The table finds the nodes by their positions.
"""

from typing import Any, NamedTuple

import numpy as np

from dealstats.bits import trailing_zeros
from dealstats.jit import inlined_kernel, kernel
from dealstats.notes import ROOM_NOTE, UNSEEN
from klondike import kernel as textbook
from klondike import pruning
from klondike.kernel import (
    ALL_ONES,
    FOUNDATION_TO_PILE,
    ONE,
    WASTE_TO_FOUNDATION,
    WASTE_TO_PILE,
    bottom_rank,
    face_down,
    foundation_rank,
    foundation_takes,
    foundation_to_pile_move,
    hidden_in_tableau,
    kind_of_rank_and_suit,
    move_kind,
    move_target,
    pile_field,
    pile_to_foundation_move,
    pile_to_pile_move,
    rank_of_kind,
    strand_of,
    strand_of_kind,
    top_kind,
    top_rank,
    waste_to_pile_move,
    with_outside,
)
from klondike.layout import State
from klondike.rules import SUITS


class Prices(NamedTuple):
    """What steps cost, in units that only compare with each other; none is below 0.

    Plans that cost `COST_CEILING` or more are not looked for.

    Attributes
    ----------
    pile_to_foundation, waste_to_foundation : int
        Price of a card that goes up though it might be of use in the tableau; others go for
        nothing (:func:`is_safe_up`).
    waste_to_pile, pile_to_pile, foundation_to_pile : int
    run_to_space : int
        Price, besides that of the move, of laying a run that covers hidden cards on an empty pile.
    recycle : int
        Price of a recycle on the way.
    pass_by : int
        Price of a draw on the way of a step that begins when no recycle is left. The draws after
        the last recycle, where it belongs to the same step, are paid with `recycle`.
    waste_play : int
        Price, besides that of the move, of ending a plan with a card played from the waste;
        `COST_CEILING` if that is no end. Where no card lies face down, a card that goes up from
        the waste ends a plan without it.
    turn_up : tuple of 7 int
        Price, besides that of the move, of turning up a card, by the number of cards that lie
        face down in its pile, itself included.
    """

    pile_to_foundation: int
    waste_to_foundation: int
    waste_to_pile: int
    pile_to_pile: int
    foundation_to_pile: int
    run_to_space: int
    recycle: int
    pass_by: int
    waste_play: int
    turn_up: tuple[int, int, int, int, int, int, int]


class Search(NamedTuple):
    """What a search looks at all the time, and its notes.

    `all_open` tells that no card lies face down, `is_reserve` that every card of waste and stock
    can be reached at any time. `last_price` is a lower bound of what the end of a plan costs.
    """

    seen: Any
    rules: Any
    prices: Prices
    notes: Any
    all_open: bool
    is_reserve: bool
    last_price: int


class Node(NamedTuple):
    """A position that is looked at.

    Steps from it may lay cards on the piles `targets` only; if these are not all, no card may go
    to its foundation either.
    """

    number: int
    state: State
    cost: int
    targets: int


NODE_BUDGET = 500
"""More positions than this are not looked for: 3 % of the games of draw one would use them."""
EXPANSION_CEILING = 512
"""At least the nodes written after the budget was last found not to be used up.

One position leads to at most 238 others. A card is laid on one of two piles, whose top cards are of
the next rank and the other colour, or on the first empty one. So each of at most 51 cards of waste
and stock has 3 targets and its foundation, 204; each of 7 runs has 2, and goes to an empty pile
only as the end of a plan, 14; each of 4 foundations takes one card that lies on top, 4, or below a
part that makes way, 4, and gives one to 3 piles, 12. The last step of the plan is a node more."""
COST_CEILING = 128
TABLE_BITS = 12
NODE_NOTES = 12
MOVE, BOUNDARY, LINK, COST, NEXT_IN_BUCKET = range(7, NODE_NOTES)

NO_NODE = 0
ANY_BOUNDARY = -1

SEARCH_NOTE = ROOM_NOTE
BEST_COST, BEST_PARENT, BEST_MOVE, BEST_BOUNDARY, NODE_COUNT = range(SEARCH_NOTE, SEARCH_NOTE + 5)
BUCKETS = NODE_COUNT + 1
TABLE = BUCKETS + COST_CEILING
NODES = TABLE + (1 << TABLE_BITS)
SEARCH_NOTES_END = NODES + NODE_NOTES * (NODE_BUDGET + EXPANSION_CEILING)


@inlined_kernel
def is_safe_up(state: State, kind: int) -> bool:
    """Whether a card may go to its foundation at no loss, as if none ever came back from there.

    With worrying back that is a choice of the player in some cases, and no proof.
    """
    return pruning.is_safe_up(state, kind, np.int64(0))


# Nodes.


@inlined_kernel
def node_note(node: int) -> int:
    """Where the notes of a node begin."""
    return NODES + NODE_NOTES * node


@inlined_kernel
def _state_of(node: int, notes: Any) -> State:
    note = node_note(node)
    return State(
        notes[note],
        notes[note + 1],
        notes[note + 2],
        notes[note + 3],
        notes[note + 4],
        notes[note + 5],
        notes[note + 6],
        np.int64(0),
        np.int64(0),
    )


@inlined_kernel
def _is_at(node: int, state: State, notes: Any) -> bool:
    note = node_note(node)
    return (
        notes[note] == state.piles_low
        and notes[note + 1] == state.piles_mid
        and notes[note + 2] == state.piles_high
        and notes[note + 3] == state.foundations
        and notes[note + 4] == state.places
        and notes[note + 5] == state.boundary
        and notes[note + 6] == state.recycles
    )


@inlined_kernel
def _slot_of(state: State) -> int:
    """Where in the table a position is looked for first: its words, well mixed."""
    mixed = state.piles_low * np.int64(-7046029254386353131)
    mixed = ((mixed ^ (mixed >> 32)) + state.piles_mid) * np.int64(-4658895280553007687)
    upper = state.piles_high | state.foundations << 20 | state.recycles << 40
    mixed = ((mixed ^ (mixed >> 32)) + upper) * np.int64(-7723592293110705685)
    outside = state.places ^ state.boundary << 54
    mixed = ((mixed ^ (mixed >> 32)) + outside) * np.int64(-7046029254386353131)
    return (mixed >> (64 - TABLE_BITS)) & ((1 << TABLE_BITS) - 1)


@kernel
def _write_node(state: State, move: int, boundary: int, parent: int, cost: int, notes: Any) -> int:
    """Write a new node and return its number."""
    notes[NODE_COUNT] += 1
    number = notes[NODE_COUNT]
    note = node_note(number)
    notes[note] = state.piles_low
    notes[note + 1] = state.piles_mid
    notes[note + 2] = state.piles_high
    notes[note + 3] = state.foundations
    notes[note + 4] = state.places
    notes[note + 5] = state.boundary
    notes[note + 6] = state.recycles
    notes[note + MOVE] = move
    notes[note + BOUNDARY] = boundary
    notes[note + LINK] = parent
    notes[note + COST] = cost
    return number


@inlined_kernel
def _is_affordable(cost: int, search: Search) -> bool:
    """Whether a plan through a position of this cost could be the cheapest one yet."""
    return cost + search.last_price < search.notes[BEST_COST]


@kernel
def _offer(state: State, move: int, boundary: int, parent: int, cost: int, search: Search) -> None:
    """Let a position wait in its bucket, unless it was reached before at no greater cost.

    The cost must be affordable (:func:`_is_affordable`). A node of the same position and a greater
    cost stays in its bucket, though the table no longer finds it; its steps lead to nothing new.
    """
    notes = search.notes
    if search.is_reserve and search.prices.recycle == 0:
        state = with_outside(state, state.places, np.int64(0), np.int64(0))
    slot = TABLE + _slot_of(state)
    while notes[slot] != NO_NODE and not _is_at(notes[slot], state, notes):
        slot += 1 if slot + 1 < NODES else TABLE - slot
    known = notes[slot]
    if known != NO_NODE and notes[node_note(known) + COST] <= cost:
        return
    number = _write_node(state, move, boundary, parent, cost, notes)
    notes[slot] = number
    notes[node_note(number) + NEXT_IN_BUCKET] = notes[BUCKETS + cost]
    notes[BUCKETS + cost] = number


@inlined_kernel
def _offer_goal(node: Node, move: int, boundary: int, cost: int, search: Search) -> None:
    """Note a step that ends a plan if it is the cheapest one so far."""
    notes = search.notes
    if cost < notes[BEST_COST]:
        notes[BEST_COST] = cost
        notes[BEST_PARENT] = node.number
        notes[BEST_MOVE] = move
        notes[BEST_BOUNDARY] = boundary


# Steps.


@kernel
def _after(state: State, move: int, search: Search) -> State:
    return textbook.after_move(state, move, search.seen, search.rules)


@kernel
def _builders(node: Node, rank: int, strand: int) -> int:
    """The set of piles that take a card of this rank and strand, without empty ones."""
    return textbook.building_piles(node.state, rank, strand) & node.targets


@kernel
def _space(node: Node, rank: int, search: Search) -> int:
    """The set of one empty pile, if there is one and it takes a card of this rank."""
    if rank < search.rules.lowest_on_empty:
        return np.int64(0)
    spaces = textbook.empty_piles(node.state, search.rules)
    return spaces & -spaces & node.targets


@inlined_kernel
def _playable_kinds(node: Node, search: Search) -> int:
    """The set of kinds that may be laid on a pile or a foundation, whatever the node's targets.

    It spares the look at most cards of waste and stock.
    """
    state, rules = node.state, search.rules
    kinds = np.int64(0)
    for pile in range(rules.piles):
        field = pile_field(state, pile)
        if field == 0:
            kinds |= ALL_ONES << 4 * (rules.lowest_on_empty - 1)
        else:
            # Both cards of the rank below and the same strand.
            kinds |= (np.int64(0b11) << 4 * top_rank(field) + 2 * strand_of(field)) >> 8
    for suit in range(SUITS):
        kinds |= ONE << kind_of_rank_and_suit(foundation_rank(state, suit) + 1, suit)
    return kinds


@inlined_kernel
def _offer_each(
    node: Node, state: State, move: int, targets: int, boundary: int, cost: int, search: Search
) -> None:
    """Offer a move to each of the target piles."""
    while targets != 0 and _is_affordable(cost, search):
        onto = move | trailing_zeros(targets) << textbook.TARGET_SHIFT
        _offer(_after(state, onto, search), onto, boundary, node.number, cost, search)
        targets &= targets - 1


@inlined_kernel
def _offer_pile_up(node: Node, pile: int, field: int, search: Search) -> None:
    kind = top_kind(field)
    if node.targets != ALL_ONES or not foundation_takes(node.state, kind):
        return
    hidden = face_down(field)
    move = pile_to_foundation_move(pile)
    cost = node.cost
    if not is_safe_up(node.state, kind):
        cost += search.prices.pile_to_foundation
    if search.all_open:
        _offer_goal(node, move, ANY_BOUNDARY, cost, search)
    elif hidden != 0 and bottom_rank(field) == top_rank(field):
        _offer_goal(node, move, ANY_BOUNDARY, cost + search.prices.turn_up[hidden], search)
    elif _is_affordable(cost, search):
        state = _after(node.state, move, search)
        _offer(state, move, ANY_BOUNDARY, node.number, cost, search)


@inlined_kernel
def _offer_whole_run(node: Node, pile: int, field: int, search: Search) -> None:
    rank, hidden, prices = bottom_rank(field), face_down(field), search.prices
    targets = _builders(node, rank, strand_of(field))
    move = pile_to_pile_move(pile, 0, rank - top_rank(field) + 1)
    cost = node.cost + prices.pile_to_pile
    if hidden == 0:
        _offer_each(node, node.state, move, targets, ANY_BOUNDARY, cost, search)
        return
    if targets == 0:
        targets = _space(node, rank, search)
        cost += prices.run_to_space
    if targets != 0:
        move |= trailing_zeros(targets) << textbook.TARGET_SHIFT
        _offer_goal(node, move, ANY_BOUNDARY, cost + prices.turn_up[hidden], search)


@inlined_kernel
def _offer_parts(node: Node, pile: int, field: int, search: Search) -> None:
    strand, above = strand_of(field), top_rank(field) - 1
    for cards in range(1, bottom_rank(field) - above):
        rank = above + cards
        kind_below = rank << 2 | strand << 1 | (field >> (rank + 1)) & 1
        if foundation_takes(node.state, kind_below):
            targets = _builders(node, rank, strand) | _space(node, rank, search)
            move = pile_to_pile_move(pile, 0, cards)
            cost = node.cost + search.prices.pile_to_pile
            _offer_each(node, node.state, move, targets & -targets, ANY_BOUNDARY, cost, search)


@inlined_kernel
def _offer_foundations(node: Node, search: Search) -> None:
    for suit in range(SUITS):
        rank = foundation_rank(node.state, suit)
        if rank > 1:
            strand = strand_of_kind(kind_of_rank_and_suit(rank, suit))
            targets = _builders(node, rank, strand) | _space(node, rank, search)
            move = foundation_to_pile_move(suit, 0)
            cost = node.cost + search.prices.foundation_to_pile
            _offer_each(node, node.state, move, targets, ANY_BOUNDARY, cost, search)


@inlined_kernel
def _offer_card_in_play(node: Node, state: State, kind: int, cost: int, search: Search) -> None:
    """Offer the steps of a card of the waste; `state` is the position when it is in play."""
    prices = search.prices
    if node.targets == ALL_ONES and foundation_takes(state, kind):
        up = cost if is_safe_up(state, kind) else cost + prices.waste_to_foundation
        move = np.int64(WASTE_TO_FOUNDATION)
        if search.all_open:
            _offer_goal(node, move, state.boundary, up, search)
        else:
            _offer_goal(node, move, state.boundary, up + prices.waste_play, search)
            if _is_affordable(up, search):
                state_up = _after(state, move, search)
                _offer(state_up, move, state.boundary, node.number, up, search)
    rank = rank_of_kind(kind)
    targets = _builders(node, rank, strand_of_kind(kind)) | _space(node, rank, search)
    cost += prices.waste_to_pile
    if targets != 0:
        move = waste_to_pile_move(trailing_zeros(targets))
        _offer_goal(node, move, state.boundary, cost + prices.waste_play, search)
        _offer_each(node, state, waste_to_pile_move(0), targets, state.boundary, cost, search)


@kernel
def _offer_waste_and_stock(node: Node, search: Search) -> None:
    """Offer the steps of the cards that draws, and one recycle, bring into play.

    Where one comes into play that is not known, the way ends.
    """
    rules, prices = search.rules, search.prices
    playable = _playable_kinds(node, search)
    places, boundary = node.state.places, node.state.boundary
    recycles, cost = node.state.recycles, node.cost
    is_last_pass = rules.redeals >= 0 and recycles >= rules.redeals
    tried = np.int64(0)
    while (tried >> boundary) & 1 == 0:
        if boundary != 0:
            tried |= ONE << boundary
            kind = np.int64(search.seen[np.uint64(boundary - 1)])
            if kind == UNSEEN:
                return
            if (playable >> kind) & 1:
                state = with_outside(node.state, places, boundary, recycles)
                _offer_card_in_play(node, state, kind, cost, search)
        rest = places & (ALL_ONES << boundary)
        if rest != 0:
            boundary = textbook.drawn_boundary(rest, rules)
            cost += is_last_pass * prices.pass_by
        elif recycles == node.state.recycles and places != 0 and not is_last_pass:
            boundary = np.int64(0)
            recycles += 1
            cost += prices.recycle
        else:
            return


@inlined_kernel
def _offer_steps(node: Node, search: Search) -> None:
    for pile in range(search.rules.piles):
        field = pile_field(node.state, pile)
        if field != 0:
            _offer_pile_up(node, pile, field, search)
            _offer_whole_run(node, pile, field, search)
            if search.rules.partial_runs:
                _offer_parts(node, pile, field, search)
    if search.rules.worrying_back:
        _offer_foundations(node, search)
    _offer_waste_and_stock(node, search)


# The search.


@inlined_kernel
def _node_of(number: int, search: Search) -> Node:
    notes = search.notes
    note = node_note(number)
    kind, targets = move_kind(notes[note + MOVE]), ALL_ONES
    # Node 1 is the root: no step led to it.
    if number > 1 and (kind == FOUNDATION_TO_PILE or (kind == WASTE_TO_PILE and search.is_reserve)):
        targets = ONE << move_target(notes[note + MOVE])
    return Node(number, _state_of(number, notes), notes[note + COST], targets)


@inlined_kernel
def _clear(notes: Any) -> None:
    notes[NODE_COUNT] = 0
    notes[BEST_COST] = COST_CEILING
    for note in range(BUCKETS, NODES):
        notes[note] = NO_NODE


@inlined_kernel
def _plan(notes: Any) -> int:
    """Write the last step, turn the links round so that each leads on; return the first step.

    The root is no step, and is left out.
    """
    root = np.int64(1)
    state = _state_of(notes[BEST_PARENT], notes)
    step = _write_node(
        state, notes[BEST_MOVE], notes[BEST_BOUNDARY], notes[BEST_PARENT], np.int64(0), notes
    )
    following = np.int64(NO_NODE)
    while step != root:
        link = node_note(step) + LINK
        parent = notes[link]
        notes[link] = following
        following = step
        step = parent
    return following


@inlined_kernel
def _least_last_price(state: State, rules: Any, prices: Prices) -> int:
    least, hidden_cards = prices.waste_play, np.int64(0)
    for pile in range(rules.piles):
        hidden = face_down(pile_field(state, pile))
        hidden_cards += hidden
        if hidden != 0:
            least = min(least, prices.turn_up[hidden])
    return least if hidden_cards != 0 else np.int64(0)


@kernel
def find_plan(state: State, seen: Any, rules: Any, prices: Prices, notes: Any) -> int:
    """Search for the cheapest plan, until it is found or the `NODE_BUDGET` used up.

    In the latter case the plan is the cheapest one seen so far.

    Parameters
    ----------
    state : State
    seen : (4 * ranks,) uint8 array
        Kinds of the cards that the player knows, else `UNSEEN`.
    rules : PackedRules
    prices : Prices
    notes : (>= SEARCH_NOTES_END,) int64 array, modified in place

    Returns
    -------
    first_step : int
        The node with the first step, or `NO_NODE` if no plan was found; its `LINK` leads to the
        next step, to `NO_NODE` at the end.
    """
    search = Search(
        seen,
        rules,
        prices,
        notes,
        hidden_in_tableau(state, rules) == 0,
        rules.draw == 1 and rules.redeals < 0,
        _least_last_price(state, rules, prices),
    )
    _clear(notes)
    _offer(state, np.int64(0), np.int64(ANY_BOUNDARY), np.int64(NO_NODE), np.int64(0), search)
    cost = np.int64(0)
    while _is_affordable(cost, search):
        number = notes[BUCKETS + cost]
        if number == NO_NODE:
            cost += 1
        elif notes[NODE_COUNT] >= NODE_BUDGET:
            break
        else:
            notes[BUCKETS + cost] = notes[node_note(number) + NEXT_IN_BUCKET]
            _offer_steps(_node_of(number, search), search)
    return _plan(notes) if notes[BEST_COST] < COST_CEILING else np.int64(NO_NODE)
