"""The search in condensed positions: its verdicts and its lines."""

import random
from itertools import product, repeat

import numpy as np
import pytest

from dealstats.cards import rank_of, suit_of
from klondike import Rules, deal
from klondike.condensed import SAFE_KINDS, condense, dominating_counts, holds_for
from klondike.condensed_deals import decide_deals, make_deals_room
from klondike.condensed_line import textbook_line
from klondike.condensed_search import (
    ALL_RULES,
    DEAD_RULE,
    LATE_RULE,
    MEMORY_USED,
    ORDER_RULE,
    RUNNING,
    SAFE_RULE,
    SOLVED,
    UNSOLVABLE,
)
from klondike.condensed_solver import (
    Decision,
    begin_decision,
    go_on,
    line_found,
    make_decision,
    visits_of,
)
from klondike.deck import pack
from klondike.exhaustive import OUTCOMES, exhaustive_deals
from klondike.layout import kind_of
from klondike.position import Position, dealt
from klondike.solution import replay

TEST_SEED = 3
SMALL_PACKS = ((3, 3), (3, 4), (4, 3), (4, 4), (4, 5), (5, 3), (5, 5), (6, 6))
DEALS_PER_RULES = 40
VERDICTS = {SOLVED: "solved", UNSOLVABLE: "unsolvable"}
LINES_OF = [
    Rules(),
    Rules(worrying_back=False),
    Rules(draw=2, empty_pile="none", ranks=6, piles=6),
    Rules(draw=3),
    Rules(draw=3, redeals=2),
    Rules(redeals=1, start_with_draw=True),
    Rules(draw=4, ranks=9, piles=6),
]


def some_rules(lot: random.Random) -> Rules:
    """Any rules of a small pack for which positions can be condensed."""
    ranks, piles = lot.choice(SMALL_PACKS)
    return Rules(
        ranks=ranks,
        piles=piles,
        draw=lot.choice((1, 1, 2, 3, 4)),
        redeals=lot.choice((None, None, 0, 1, 2, 3)),
        empty_pile=lot.choice(("king", "king", "none")),
        worrying_back=lot.random() < 0.7,
        start_with_draw=lot.random() < 0.2,
    )


def start(index: int, rules: Rules) -> Position:
    return dealt(deal(index, TEST_SEED, rules), rules)


def with_pruning(decision: Decision, pruning: int) -> Decision:
    return decision._replace(
        game=decision.game._replace(pruning=pruning),
        easier=decision.easier._replace(pruning=pruning),
    )


def outcome_of(decision: Decision) -> int:
    begin_decision(decision)
    return next(outcome for one in repeat(decision) if (outcome := go_on(one, 100_000)) != RUNNING)


def decided(start: Position, rules: Rules, megabytes: int = 64) -> tuple[int, Decision]:
    """The outcome, and the decision when it was reached."""
    decision = make_decision(condense(start, rules), rules, megabytes)
    return outcome_of(decision), decision


@pytest.mark.parametrize("number", range(25))
def test_verdicts_are_those_of_exhaustive_search(number: int) -> None:
    lot = random.Random(number)
    rules = some_rules(lot)
    first = lot.randrange(1_000_000)
    truth = exhaustive_deals(first, DEALS_PER_RULES, rules, TEST_SEED, shortest=False).outcome
    decision = make_decision(condense(start(0, rules), rules), rules, 16)
    for index, code in enumerate(truth, start=first):
        decision.game.deal[:] = condense(start(index, rules), rules)
        for pruning in (ALL_RULES, lot.randrange(ALL_RULES + 1)):
            outcome = outcome_of(with_pruning(decision, pruning))
            # Exhaustive search does not come to the end of some of the largest packs.
            assert OUTCOMES[code] in (VERDICTS[outcome], "unknown"), (rules, index, pruning)


@pytest.mark.parametrize(
    ("index", "rules"),
    [
        (764567, Rules(ranks=4, piles=5, draw=2)),
        (388207, Rules(ranks=4, piles=3, draw=4, redeals=2, empty_pile="none")),
    ],
)
def test_placed_cards_need_not_go_up_at_once(index: int, rules: Rules) -> None:
    # It looks as if they might, for they can be taken down again; together with the rules for safe
    # cards that called these deals unsolvable.
    assert decided(start(index, rules), rules)[0] == SOLVED


@pytest.mark.parametrize("rules", LINES_OF, ids=str)
def test_lines_are_legal_and_win(rules: Rules) -> None:
    solved = 0
    for index in range(12):
        outcome, decision = decided(start(index, rules), rules)
        if outcome == SOLVED:
            line = textbook_line(start(index, rules), line_found(decision), rules)
            result = replay(start(index, rules), line, rules)
            assert result.problem is None
            assert result.is_won
            solved += 1
    assert solved > 0


def test_slices_change_nothing() -> None:
    rules = Rules(draw=3)
    for index in range(20):
        whole, decision = decided(start(index, rules), rules)
        sliced = make_decision(condense(start(index, rules), rules), rules, 64)
        begin_decision(sliced)
        slices = (go_on(one, 1) for one in repeat(sliced))
        assert next(outcome for outcome in slices if outcome != RUNNING) == whole
        assert visits_of(sliced) == visits_of(decision)


def test_too_little_memory_is_no_verdict() -> None:
    rules = Rules(draw=3)
    hard = start(next(i for i in range(200) if visits(i, rules) > 200_000), rules)
    outcome, _ = decided(hard, rules, megabytes=1)
    assert outcome == MEMORY_USED


def visits(index: int, rules: Rules) -> int:
    return int(visits_of(decided(start(index, rules), rules)[1]))


def test_safe_cards_are_those_of_the_proof() -> None:
    # A red card whose two black neighbours of the rank below are up might still have to take one of
    # them back, with a red card of the other suit on it.
    for low_red, black in product(range(14), repeat=2):
        heights = black | low_red << 4
        for card in pack(Rules()):
            if suit_of(card) in (1, 2):
                rank, bit = rank_of(card), kind_of(card)
                is_near = rank <= min(black + 2, low_red + 3)
                assert SAFE_KINDS[1, heights] >> bit & 1 == is_near
                assert SAFE_KINDS[0, heights] >> bit & 1 == (is_near or rank <= black + 1)


def test_what_cannot_be_condensed_is_known() -> None:
    assert holds_for(Rules())
    assert not holds_for(Rules(partial_runs=False))
    assert not holds_for(Rules(empty_pile="any"))
    assert not holds_for(Rules(redeals=8))
    assert not holds_for(Rules(piles=6))


@pytest.mark.parametrize(
    "rules",
    [Rules(), Rules(draw=3, redeals=1, start_with_draw=True), Rules(ranks=9, piles=6, draw=2)],
    ids=str,
)
def test_deals_in_a_batch_are_those_dealt_one_by_one(rules: Rules) -> None:
    deals, budget = 20, 200_000
    room = make_deals_room(rules, 64)
    outcomes, visits = np.zeros(deals, np.uint8), np.zeros(deals, np.int64)
    decide_deals(TEST_SEED, 5, deals, budget, room, outcomes, visits)
    for number in range(deals):
        table = condense(start(5 + number, rules), rules)
        decide_deals(TEST_SEED, 5 + number, 1, budget, room, outcomes[number:], visits[number:])
        assert np.array_equal(room.decision.game.deal, table)
        begin_decision(room.decision)
        assert go_on(room.decision, budget) == outcomes[number]
        assert visits_of(room.decision) == visits[number]
    assert SOLVED in outcomes


@pytest.mark.parametrize("draw", [1, 2, 3, 7])
@pytest.mark.parametrize("is_unlimited", [True, False])
def test_a_waste_is_dominated_by_those_that_can_become_it(draw: int, is_unlimited: bool) -> None:
    dominating = dominating_counts(draw, is_unlimited)
    for count in range(25):
        before = set(range(count % draw, count + 1, draw))
        expected = set(range(25)) if is_unlimited and count == 0 else before
        assert {other for other in range(64) if int(dominating[count]) >> other & 1} == expected


@pytest.mark.parametrize("rule", [SAFE_RULE, LATE_RULE, DEAD_RULE, ORDER_RULE])
def test_every_rule_leaves_something_out(rule: int) -> None:
    # Where no win is found early by luck.
    rules = Rules(draw=3, ranks=8)
    total = {ALL_RULES: 0, ALL_RULES ^ rule: 0}
    for index in range(40):
        for pruning in total:
            decision = make_decision(condense(start(index, rules), rules), rules, 64)
            is_unsolvable = outcome_of(with_pruning(decision, pruning)) == UNSOLVABLE
            total[pruning] += is_unsolvable * int(visits_of(decision))
    assert total[ALL_RULES] < total[ALL_RULES ^ rule]
