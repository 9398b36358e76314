"""Exhaustive searches against the plainest search there is, made of the textbook game alone."""

import heapq
from dataclasses import replace
from itertools import count
from random import Random

import pytest
from klondike_options import possible_piles, some_rules

from dealstats.cards import make_card
from dealstats.errors import InputError, UnreadableText
from klondike import exhaustive as exhaustive_module
from klondike.deck import deal
from klondike.exhaustive import OUTCOMES, best_score, exhaustive, exhaustive_deals
from klondike.position import RECYCLE, Pile, Position, dealt
from klondike.reference import ReferenceGame
from klondike.rules import Rules
from klondike.solution import replay

SEED = 3
FEW = 400
"""So many positions the plain search can look at in a test."""


def steps(position, tally, rules):
    """All moves from a position with a tally of points, and where they lead."""
    game = ReferenceGame(position, rules)
    game._tally = tally or game._tally
    for move in game.legal_moves():
        game.push(move)
        yield move, game.key(), game.position, game._tally
        game.pop()


def plain_solution(start, rules):
    """Outcome, positions and fewest moves by Dijkstra's algorithm on a dictionary."""
    numbers = count()
    fewest = {ReferenceGame(start, rules).key(): 0}
    queue = [(0, next(numbers), start)]
    while queue:
        moves, _, position = heapq.heappop(queue)
        if position.cards_up == rules.pack_cards:
            return "solved", None, moves
        for move, key, following, _ in steps(position, None, rules):
            cost = moves + (move != RECYCLE)
            if cost < fewest.get(key, cost + 1):
                fewest[key] = cost
                heapq.heappush(queue, (cost, next(numbers), following))
    return "unsolvable", len(fewest), None


def plain_best_score(start, rules, keeps_scores_apart):
    """The best score, and the number of states, by trying all moves from all states.

    States that differ by the score only are all looked at, or only those with the best score.
    """
    root = ReferenceGame(start, rules)
    best = {}
    waiting = [(root.key(), start, root._tally)]
    while waiting:
        key, position, tally = waiting.pop()
        recycles = min(position.recycles_used, rules.points.free_recycles)
        state = (key, recycles, tally.awarded, tally.was_cleared)
        state += (tally.score,) * keeps_scores_apart
        if tally.score > best.get(state, tally.score - 1):
            best[state] = tally.score
            waiting += (step[1:] for step in steps(position, tally, rules))
    return max(best.values()), len(best)


def tiny_games(number, seed, **changes):
    """Games of all kinds of options whose positions are few, each with its rules."""
    chance = Random(seed)
    drawn = [rules for ranks in (2, 3, 4, 5) for rules in some_rules(ranks, 150, seed)]
    chance.shuffle(drawn)
    games = []
    for rules in drawn:
        piles = chance.choice([piles for piles in possible_piles(rules.ranks) if piles <= 4])
        rules = replace(rules, **{"piles": piles} | changes)
        start = dealt(deal(chance.randrange(10**6), SEED, rules), rules)
        for _ in range(40):
            if exhaustive(start, rules, FEW).outcome != "unknown":
                games.append((start, rules))
                break
            start = played_on(start, rules, chance)
        if len(games) == number:
            return games
    raise AssertionError(f"only {len(games)} games")


def played_on(start, rules, chance):
    """The position after some moves by lot, those to the foundations first."""
    game = ReferenceGame(start, rules)
    for _ in range(3):
        moves = game.legal_moves()
        if not moves:
            break
        up = [move for move in moves if move.kind.endswith("to_foundation")]
        game.push(chance.choice(up or moves))
    return game.position


# Solutions


def test_solutions_are_those_of_the_plain_search():
    outcomes = []
    for start, rules in tiny_games(200, seed=1):
        found = exhaustive(start, rules)
        outcome, positions, fewest_moves = plain_solution(start, rules)
        assert (found.outcome, found.fewest_moves) == (outcome, fewest_moves)
        if outcome == "unsolvable":
            assert found.positions == positions
            assert found.moves is None
            assert exhaustive(start, rules, shortest=False) == found
        outcomes.append(outcome)
    assert min(outcomes.count(outcome) for outcome in OUTCOMES[:2]) >= 40


def test_solutions_replay_to_a_win():
    recycled = 0
    for start, rules in tiny_games(200, seed=2):
        shortest = exhaustive(start, rules)
        if shortest.outcome == "solved":
            anyhow = exhaustive(start, rules, shortest=False)
            assert anyhow.fewest_moves is None
            for found in (shortest, anyhow):
                game = replay(start, found.moves, rules)
                assert game.is_legal
                assert game.is_won
            moves = [sum(move != RECYCLE for move in one.moves) for one in (shortest, anyhow)]
            assert moves[0] == shortest.fewest_moves <= moves[1]
            recycled += RECYCLE in shortest.moves
    assert recycled >= 5


def test_any_solutions_of_larger_packs_replay_to_a_win():
    for rules in some_rules(5, 30, seed=8):
        start = dealt(deal(1, SEED, rules), rules)
        found = exhaustive(start, rules, 50_000, shortest=False)
        if found.outcome == "solved":
            assert replay(start, found.moves, rules).is_won


@pytest.mark.kernel_nets
def test_a_few_deals_are_decided_like_the_plain_search():
    for start, rules in tiny_games(8, seed=4, ranks=2, piles=2, redeals=0):
        found = exhaustive(start, rules)
        outcome, positions, fewest_moves = plain_solution(start, rules)
        assert (found.outcome, found.fewest_moves) == (outcome, fewest_moves)
        assert exhaustive(start, rules, shortest=False).outcome == outcome
        assert outcome == "solved" or found.positions == positions


def test_won_game_needs_no_move():
    won = Position((2, 2, 2, 2), (Pile(),), (), ())
    found = exhaustive(won, Rules(ranks=2, piles=1))
    assert found == ("solved", 1, 0, ())


def test_deal_and_its_position_are_the_same():
    rules = Rules(ranks=2, piles=3)
    deck = deal(5, SEED, rules)
    assert exhaustive(deck, rules) == exhaustive(dealt(deck, rules), rules)


def test_last_cards_of_a_full_pack():
    chance, outcomes = Random(9), set()
    for draw in (1, 2, 3) * 4:
        rules = Rules(draw=draw, empty_pile="none", redeals=chance.choice((0, None)))
        cards = [make_card(rank, suit) for rank in (12, 13) for suit in range(4)]
        chance.shuffle(cards)
        piles = (Pile(), Pile((cards[0],), (cards[1],)), Pile((cards[2], cards[3]), (cards[4],)))
        start = Position((11, 11, 11, 11), piles + (Pile(),) * 4, (), tuple(cards[5:]))
        found = exhaustive(start, rules)
        outcome, _, fewest_moves = plain_solution(start, rules)
        assert (found.outcome, found.fewest_moves) == (outcome, fewest_moves)
        outcomes.add(outcome)
    assert outcomes == {"solved", "unsolvable"}


# Budget and tables


@pytest.mark.parametrize("rules", [Rules(ranks=2, piles=2), Rules(ranks=3, piles=3, redeals=0)])
def test_small_budget_makes_the_outcome_unknown(rules):
    for index in range(20):
        deck = deal(index, SEED, rules)
        found = exhaustive(deck, rules)
        assert found.outcome != "unknown"
        assert exhaustive(deck, rules, found.positions) == found
        for budget in {1, found.positions // 2, found.positions - 1} - {0}:
            assert exhaustive(deck, rules, budget) == ("unknown", budget, None, None)
        anyhow = exhaustive(deck, rules, shortest=False)
        for budget in {1, anyhow.positions - 1} - {0}:
            unknown = exhaustive(deck, rules, budget, shortest=False)
            assert unknown == ("unknown", budget, None, None)


def test_small_budget_leaves_the_best_score_unknown():
    for start, rules, found in scores_of_games(10, seed=7):
        assert best_score(start, rules, found.states) == found
        assert best_score(start, rules, found.states - 1) == (None, found.states - 1)


@pytest.mark.parametrize("search", [exhaustive, best_score])
def test_no_budget_is_an_error(search):
    rules = Rules(ranks=2, piles=2, scoring="vegas")
    with pytest.raises(InputError, match="position_budget 0 is below 1"):
        search(deal(0, SEED, rules), rules, 0)


def test_growth_of_the_table_makes_no_difference(monkeypatch):
    rules = Rules(ranks=2, piles=2, redeals=1, scoring="vegas", worrying_back=False)
    decks = [deal(index, SEED, rules) for index in range(8)]

    def everything():
        verdicts = exhaustive_deals(0, 8, rules, SEED)
        return (
            [exhaustive(deck, rules) for deck in decks],
            [exhaustive(deck, rules, shortest=False) for deck in decks],
            [best_score(deck, rules) for deck in decks],
            [column.tolist() for column in verdicts],
        )

    as_it_is = everything()
    monkeypatch.setattr(exhaustive_module, "FIRST_ROWS", 1)
    monkeypatch.setattr(exhaustive_module, "ROWS_GROWTH", 3)
    assert everything() == as_it_is
    monkeypatch.setattr(exhaustive_module, "FIRST_ROWS", 10**5)
    assert everything() == as_it_is


# Numbered deals


@pytest.mark.kernel_nets
@pytest.mark.parametrize("shortest", [True, False])
@pytest.mark.parametrize("budget", [300, 800])
def test_numbered_deals_are_decided_like_each_of_them_alone(budget, shortest):
    for rules in (
        Rules(ranks=2, piles=2, redeals=0),
        Rules(ranks=2, piles=3, draw=2, start_with_draw=True),
        Rules(ranks=3, piles=4, draw=3, redeals=0, worrying_back=False),
    ):
        verdicts = exhaustive_deals(7, 6, rules, SEED, budget, shortest)
        for number, verdict in enumerate(zip(*verdicts, strict=True)):
            found = exhaustive(deal(7 + number, SEED, rules), rules, budget, shortest)
            fewest_moves = -1 if found.fewest_moves is None else found.fewest_moves
            assert verdict == (OUTCOMES.index(found.outcome), found.positions, fewest_moves)


def test_no_deals():
    assert [len(column) for column in exhaustive_deals(0, 0, Rules(ranks=2, piles=2))] == [0, 0, 0]


# The best score


def scores_of_games(number, seed, **changes):
    for start, rules in tiny_games(number, seed, foundation_award="first_time", **changes):
        found = best_score(start, rules, FEW)
        if found.score is not None:
            yield start, rules, found


def test_best_scores_are_those_of_the_plain_search():
    games = list(scores_of_games(120, seed=5))
    assert len(games) >= 60
    for start, rules, found in games:
        assert found == plain_best_score(start, rules, keeps_scores_apart=False)


def test_lower_scores_never_lead_higher_where_there_is_a_floor():
    games = list(scores_of_games(60, seed=6, scoring="standard"))
    assert len(games) >= 30
    for start, rules, found in games:
        assert found.score == plain_best_score(start, rules, keeps_scores_apart=True)[0]


@pytest.mark.kernel_nets
@pytest.mark.parametrize("scoring", ["standard", "vegas"])
def test_best_scores_with_awards_each_time(scoring):
    rules = Rules(ranks=1, piles=2, scoring=scoring, empty_pile="any")
    for index in range(4):
        start = dealt(deal(index, SEED, rules), rules)
        assert best_score(start, rules) == plain_best_score(start, rules, keeps_scores_apart=False)


def test_points_without_end_are_an_error():
    rules = Rules(ranks=2, piles=2)
    deck = deal(0, SEED, rules)
    with pytest.raises(InputError, match="gains 5 points each time"):
        best_score(deck, rules)
    for bounded in ({"foundation_award": "first_time"}, {"worrying_back": False}):
        assert best_score(deck, replace(rules, **bounded)).score >= 0


def test_points_of_a_floor_are_won_back_once():
    """A card taken from its foundation at no points costs nothing, and earns when it goes back."""
    rules = Rules(ranks=2, piles=1, scoring="standard", empty_pile="any")
    start = Position((2, 2, 2, 2), (Pile(),), (), ())
    assert best_score(start, rules).score == 10
    assert best_score(start, replace(rules, foundation_award="first_time")).score == 0


# Input


@pytest.mark.parametrize("search", [exhaustive, best_score])
def test_start_must_be_sound(search):
    rules = Rules(ranks=2, piles=2, scoring="vegas")
    with pytest.raises(UnreadableText):
        search(deal(0, SEED, rules)[:-1], rules)
