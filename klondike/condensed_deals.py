"""Deciding numbered deals by the thousand: dealing and searching in one compiled call."""

from typing import Any, NamedTuple

import numpy as np

from dealstats.jit import kernel
from dealstats.shuffle_kernel import Dealer, deal_numbered, make_dealer
from klondike.condensed import (
    BELOW,
    BOTTOMS,
    BOUNDARY_SHIFT,
    DEAL_WORDS,
    LOCK_STEP,
    LOCKED_SHIFT,
    ROOT_KEY,
    ROOT_LOCKED,
    ROOT_VISIBLE,
    STOCK_BIT,
    STOCK_KINDS,
    STOCK_SHIFT,
)
from klondike.condensed_moves import ONE
from klondike.condensed_search import ALL_RULES, RUNNING
from klondike.condensed_solver import (
    MEGABYTE,
    OUTCOMES,
    Decision,
    begin_decision,
    go_on,
    make_decision,
    visits_of,
)
from klondike.kernel import first_stock_place, tableau_place
from klondike.layout import pack_kinds
from klondike.rules import Rules
from klondike.solvers import Verdicts

SLICE_VISITS = 1_000_000


class DealsRoom(NamedTuple):
    """What deals are made with, and the searches.

    Attributes
    ----------
    dealer : Dealer
        Of kinds.
    drawn_first : int
        Cards turned at the start, if recycles are limited.
    decision : Decision
    """

    dealer: Dealer
    drawn_first: int
    decision: Decision


def make_deals_room(rules: Rules, megabytes: int, pruning: int = ALL_RULES) -> DealsRoom:
    """Room to decide numbered deals under rules for which positions can be condensed."""
    counts = rules.start_with_draw and rules.redeals is not None
    return DealsRoom(
        dealer=make_dealer(pack_kinds(rules)),
        drawn_first=min(rules.draw, rules.stock_cards) if counts else 0,
        decision=make_decision(np.zeros(DEAL_WORDS, np.int64), rules, megabytes, pruning),
    )


def find_wins(
    first_deal: int,
    deals: int,
    rules: Rules,
    seed: int,
    node_budget: int,
    memory_budget: int,
    pruning: int = ALL_RULES,
) -> Verdicts:
    """Do for numbered deals what :func:`klondike.condensed_solver.find_win` does for one."""
    room = make_deals_room(rules, memory_budget // MEGABYTE, pruning)
    outcomes, visits = np.zeros(deals, np.uint8), np.zeros(deals, np.int64)
    decide_deals(seed, first_deal, deals, node_budget, room, outcomes, visits)
    return Verdicts([OUTCOMES[code][0] for code in outcomes.tolist()], visits)


@kernel
def condense_deal(deck: Any, rules: Any, drawn_first: int, deal: Any) -> None:
    """Write the tables of a deal; what :func:`klondike.condensed.condense` does, from a deck."""
    for word in range(STOCK_KINDS):
        deal[word] = 0
    key, step, visible, locked, bottoms = (
        np.int64(0),
        ONE << LOCKED_SHIFT,
        np.int64(0),
        np.int64(0),
        np.int64(0),
    )
    for pile in range(rules.piles):
        below = np.int64(0)
        for row in range(pile + 1):
            kind = np.int64(deck[tableau_place(pile, row, rules)])
            deal[BELOW + kind] = below
            deal[LOCK_STEP + kind] = step
            below = ONE << kind
            locked |= below
            if row == 0:
                bottoms |= below
        visible |= below
        key += step * (pile + 1)
        step *= pile + 2
    stock_cards = len(deck) - first_stock_place(rules)
    _condense_stock(deck, first_stock_place(rules), deal)
    key |= ((ONE << stock_cards) - 1) << STOCK_SHIFT
    deal[ROOT_KEY] = key | drawn_first << BOUNDARY_SHIFT
    deal[ROOT_VISIBLE] = visible
    deal[ROOT_LOCKED] = locked
    deal[BOTTOMS] = bottoms


@kernel
def _condense_stock(deck: Any, first_place: int, deal: Any) -> None:
    for place in range(24):
        bit = np.int64(0)
        if first_place + place < len(deck):
            kind = np.int64(deck[first_place + place])
            bit = ONE << kind
            deal[STOCK_BIT + kind] = ONE << (STOCK_SHIFT + place)
        table = STOCK_KINDS + 256 * (place >> 3)
        half = 1 << (place & 7)
        if half == 1:
            deal[table] = 0
        for some in range(half):
            deal[table + half + some] = deal[table + some] | bit


@kernel
def decide_deals(
    seed: int,
    first_deal: int,
    deals: int,
    visit_budget: int,
    room: DealsRoom,
    outcomes_out: Any,
    visits_out: Any,
) -> None:
    """Decide numbered deals.

    Parameters
    ----------
    visit_budget : int
        A search stops after so many visits.
    outcomes_out : (deals,) uint8 array, modified in place
        `SOLVED`, `UNSOLVABLE`, `RUNNING` (budget) or `MEMORY_USED`.
    visits_out : (deals,) int64 array, modified in place
    """
    decision = room.decision
    for number in range(deals):
        deal_numbered(room.dealer, seed, first_deal + number)
        condense_deal(room.dealer.deck, decision.game.rules, room.drawn_first, decision.game.deal)
        begin_decision(decision)
        outcome = RUNNING
        while outcome == RUNNING and visits_of(decision) < visit_budget:
            outcome = go_on(decision, min(SLICE_VISITS, visit_budget - visits_of(decision)))
        outcomes_out[number] = outcome
        visits_out[number] = visits_of(decision)
