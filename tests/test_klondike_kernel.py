"""The compiled rules against the textbook game, in random games over all rule options."""

from collections import Counter, deque
from functools import cache
from itertools import product
from random import Random
from typing import NamedTuple

import numba
import numpy as np
import pytest
from klondike_options import RANKS, possible_piles, some_rules
from test_klondike_reference import (
    WASTE_UP,
    back,
    cards,
    down,
    shift,
    small,
    table,
    up,
    won_from_the_top,
)

from dealstats.cards import PACK, format_card, rank_of, suit_of
from dealstats.jit import kernel
from klondike import kernel as rules_kernel
from klondike import layout, reference
from klondike.deck import deal
from klondike.kernel import (
    KIND_NAMES,
    MOVES_CEILING,
    NO_PLACE,
    after_move,
    can_recycle,
    cards_outside,
    cards_up,
    deal_state,
    foundation_to_pile_move,
    hidden_in_tableau,
    is_cleared,
    is_won,
    kind_of_rank_and_suit,
    legal_moves,
    load_position,
    move_cards,
    move_kind,
    move_source,
    move_target,
    next_stock,
    packed_move,
    pile_to_foundation_move,
    pile_to_pile_move,
    plain_move,
    rank_of_kind,
    score,
    state_key,
    store_position,
    suit_of_kind,
    tableau_place,
    waste_to_pile_move,
    waste_top,
)
from klondike.layout import (
    POSITION_WORDS,
    State,
    card_of,
    dealt_places,
    from_words,
    kind_of,
    pack_kinds,
    pack_position,
    pack_rules,
    state_problems,
    to_words,
    unpack_position,
)
from klondike.position import DRAW, RECYCLE, Pile, Position, dealt
from klondike.reference import ReferenceGame, precedes
from klondike.rules import EMPTY_PILES, FOUNDATION_AWARDS, SCORINGS, Rules

FIELDS = len(State._fields)
EVERY_OPTION = 4320
DEALS = {1: 100, 2: 800, 3: 1000, 4: EVERY_OPTION, 5: 120, 6: 60, 7: 25, 13: 150}
GAMES_OF_A_DEAL = {1: 8, 4: 1, 5: 2}
PLIES = {1: 10, 3: 12, 4: 16, 5: 30, 7: 50, 10: 80, 13: 120}


def of_size(numbers, ranks):
    """The number that goes with a pack: that of the largest size named up to its own."""
    return numbers[max(size for size in numbers if size <= ranks)]


@pytest.fixture(autouse=True)
def _quick_plain_python(monkeypatch):
    """Remember small answers that the textbook game and the layout work out again and again."""
    for module, names in (
        (reference, ("precedes", "_on_foundations")),
        (layout, ("_run_cards", "cards_up_of", "dealt_places", "card_of", "kind_of", "pack")),
    ):
        for name in names:
            monkeypatch.setattr(module, name, cache(getattr(module, name)))


# A game by the textbook


class Seen(NamedTuple):
    """A position of a game and what is to be said of it."""

    position: Position
    key: tuple
    legal: dict
    facts: list


def look(game, table):
    """What is to be said of the position of a game, kept by the table for when it comes again."""
    if game.position not in table.looks:
        table.looks[game.position] = _look(game, table)
    return table.looks[game.position]


def _look(game, table):
    position = game.position
    legal = {packed_move(move): move for move in game.legal_moves()}
    return Seen(position, game.key(), legal, facts_of(position, table, RECYCLE in legal.values()))


def facts_of(position, table, may_recycle):
    """What :func:`write_facts` should write, but for the score."""
    hidden = {card for pile in position.piles for card in pile.face_down}
    return [
        len(position.waste) + len(position.stock),
        position.cards_up,
        position.cards_up == table.rules.pack_cards,
        position.is_cleared,
        may_recycle,
        table.place_of[position.stock[0]] if position.stock else NO_PLACE,
        table.place_of[position.waste[-1]] if position.waste else NO_PLACE,
        sum(1 << table.place_of[card] for card in hidden),
    ]


def any_move(legal, chance):
    """A legal move by lot, all kinds being equally likely."""
    kind = chance.choice(sorted({move.kind for move in legal.values()}))
    return chance.choice([number for number, move in legal.items() if move.kind == kind])


def random_game(table, chance, plies):
    """The positions and scores of a game by the textbook, and the kernel's numbers of its moves."""
    game = ReferenceGame(table.root, table.rules)
    path, scores, moves = [look(game, table)], [game.score], []
    for _ in range(plies):
        if not path[-1].legal:
            break
        moves.append(any_move(path[-1].legal, chance))
        game.push(path[-1].legal[moves[-1]])
        path.append(look(game, table))
        scores.append(game.score)
    return path, scores, moves


# The same game by the kernel


class Trace(NamedTuple):
    """What the kernel says of each position of a game, one row each."""

    states: np.ndarray
    keys: np.ndarray
    facts: np.ndarray
    legal: np.ndarray


def make_trace(plies):
    return Trace(
        np.zeros((plies + 1, FIELDS), np.int64),
        np.zeros((plies + 1, FIELDS), np.int64),
        np.zeros((plies + 1, 10), np.int64),
        np.zeros((plies + 1, MOVES_CEILING), np.int64),
    )


@kernel
def store(state, row_out):
    row_out[0] = state.piles_low
    row_out[1] = state.piles_mid
    row_out[2] = state.piles_high
    row_out[3] = state.foundations
    row_out[4] = state.places
    row_out[5] = state.boundary
    row_out[6] = state.recycles
    row_out[7] = state.score
    row_out[8] = state.earned


@kernel
def load(row):
    return State(row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], row[8])


@kernel
def after(state, move, deck, rules):
    """What :func:`after_move` says, which would be compiled in each caller anew."""
    return after_move(state, move, deck, rules)


@kernel
def write_facts(state, rules, row_out):
    row_out[0] = cards_outside(state)
    row_out[1] = cards_up(state)
    row_out[2] = is_won(state)
    row_out[3] = is_cleared(state)
    row_out[4] = can_recycle(state, rules)
    row_out[5] = next_stock(state)
    row_out[6] = waste_top(state)
    row_out[7] = hidden_in_tableau(state, rules)
    row_out[8] = score(state)


@kernel
def retrace(state, deck, rules, moves, trace):
    """Play the moves from a state; write a row of the trace for each position."""
    for ply in range(len(moves) + 1):
        store(state, trace.states[ply])
        store(state_key(state, rules), trace.keys[ply])
        write_facts(state, rules, trace.facts[ply])
        trace.facts[ply, 9] = legal_moves(state, deck, rules, trace.legal[ply])
        if ply < len(moves):
            state = after(state, moves[ply], deck, rules)


@kernel
def differences_on_the_way_back(deck, rules, moves, trace, row):
    """Go back to the root by the former states, and see whether each leads to the next again."""
    differences = 0
    for ply in range(len(moves) - 1, -1, -1):
        former = load(trace.states[ply])
        store(after(former, moves[ply], deck, rules), row)
        for field in range(len(row)):
            differences += row[field] != trace.states[ply + 1, field]
    return differences


class Table(NamedTuple):
    """A deal under some rules, for the kernel and for the textbook."""

    rules: Rules
    packed_rules: tuple
    root: Position
    state: State
    deck: np.ndarray
    place_of: dict
    looks: dict
    unpacked: dict


def lay_out(rules, index, seed):
    """A numbered deal, dealt by the kernel."""
    order = deal(index, seed, rules)
    deck = np.array([kind_of(card) for card in order], np.uint8)
    return make_table(rules, dealt(order, rules), deal_state(deck, pack_rules(rules)), deck)


def lay_out_endgame(rules, chance):
    """A table with most cards on the foundations and the others anywhere."""
    foundations = tuple(max(rules.ranks - chance.choice((0, 0, 1, 2, 3)), 0) for _ in range(4))
    others = [card for card in layout.pack(rules) if rank_of(card) > foundations[suit_of(card)]]
    chance.shuffle(others)
    fewest = max(len(others) - rules.tableau_cards, 0)
    outside = chance.randint(fewest, min(len(others), rules.stock_cards))
    slots = [pile for pile in range(rules.piles) for _ in range(pile + 1)]
    taken = Counter(chance.sample(slots, len(others) - outside))
    columns = [[others.pop() for _ in range(taken[pile])] for pile in range(rules.piles)]
    piles = tuple(Pile(tuple(column[:-1]), tuple(column[-1:])) for column in columns)
    middle = chance.randint(0, outside)
    position = Position(foundations, piles, tuple(others[:middle]), tuple(others[middle:]))
    return make_table(rules, position, *pack_position(position, rules))


def make_table(rules, root, state, deck):
    place_of = {card_of(kind): place for place, kind in enumerate(deck)}
    return Table(rules, pack_rules(rules), root, state, deck, place_of, looks={}, unpacked={})


def position_of(table, row):
    """The position of a state that has no defect, as the layout reads it."""
    position_fields = tuple(row[:7])
    if position_fields not in table.unpacked:
        state = State(*row)
        assert state_problems(state, table.deck, table.rules) == []
        assert_words_lead_back(state)
        table.unpacked[position_fields] = unpack_position(state, table.deck, table.rules)
    return table.unpacked[position_fields]


def assert_words_lead_back(state):
    """Compare the plain and the compiled way to words, and from them."""
    words, stored = to_words(state), np.zeros(POSITION_WORDS, np.int64)
    assert from_words(words) == state
    store_position(State(*map(np.int64, state)), stored)
    assert (stored == words[:POSITION_WORDS]).all()
    assert load_position(stored) == state._replace(score=0, earned=0)


def assert_face_down_cards_stay(position, legal):
    """No move takes more cards than lie face up."""
    for number in legal:
        move = plain_move(number)
        if move.kind == "pile_to_pile":
            assert 1 <= move.cards <= len(position.piles[move.source].face_up)


def assert_same(table, seen, row, facts, legal):
    """Compare what both say of one position."""
    assert sorted(seen.legal) == sorted(legal)
    assert_face_down_cards_stay(seen.position, legal)
    assert position_of(table, row) == seen.position
    assert facts == seen.facts


class Keys:
    """Sees to it that keys of one kind are equal just where those of the other are."""

    def __init__(self):
        self.of_reference, self.of_kernel = {}, {}

    def assert_paired(self, of_reference, of_kernel):
        assert self.of_reference.setdefault(of_kernel, of_reference) == of_reference
        assert self.of_kernel.setdefault(of_reference, of_kernel) == of_kernel


def check_game(table, chance, trace, keys):
    """Play a random game by the textbook and by the kernel, and compare them all the way."""
    path, scores, moves = random_game(table, chance, len(trace.states) - 1)
    deck, numbers = table.deck.copy(), np.array(moves, np.int64)
    retrace(table.state, table.deck, table.packed_rules, numbers, trace)
    rows, tuples, facts, legal = (part[: len(path)].tolist() for part in trace)
    assert [row[8] for row in facts] == scores
    for ply, seen in enumerate(path):
        assert_same(table, seen, rows[ply], facts[ply][:8], legal[ply][: facts[ply][9]])
        keys.assert_paired(seen.key, tuple(tuples[ply]))
    row = np.zeros(FIELDS, np.int64)
    back = differences_on_the_way_back(table.deck, table.packed_rules, numbers, trace, row)
    assert back == 0
    assert (table.deck == deck).all()
    return path[-1]


def assert_packing_agrees(table, seen):
    """Pack the plain position anew, and see that it is the same and offers the same moves."""
    state, deck = pack_position(seen.position, table.rules)
    assert state_problems(state, deck, table.rules) == []
    assert unpack_position(state, deck, table.rules) == seen.position
    moves = np.zeros(MOVES_CEILING, np.int64)
    number = legal_moves(state, deck, table.packed_rules, moves)
    assert sorted(moves[:number].tolist()) == sorted(seen.legal)


def check_games(table, chance, games):
    """Play several games from one table."""
    trace, keys = make_trace(of_size(PLIES, table.rules.ranks)), Keys()
    for _ in range(games):
        last = check_game(table, chance, trace, keys)
        yield last.position
    assert_packing_agrees(table, last)


def check_deals(every_rule, games, seed=0):
    """Play a deal under each of the rules, another one for each, and each several times."""
    for index, rules in enumerate(every_rule):
        table, chance = lay_out(rules, index, seed), Random(str((rules, index, seed)))
        deque(check_games(table, chance, games), maxlen=0)


@pytest.mark.parametrize("ranks", RANKS)
def test_random_games(ranks):
    check_deals(some_rules(ranks, of_size(DEALS, ranks)), of_size(GAMES_OF_A_DEAL, ranks))


def test_random_games_are_twenty_thousand():
    games = [of_size(DEALS, ranks) * of_size(GAMES_OF_A_DEAL, ranks) for ranks in RANKS]
    assert sum(games) >= 20_000
    assert min(games) >= 50
    assert games[-1] >= 300
    assert len(set(some_rules(4, DEALS[4]))) == EVERY_OPTION


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 16))
@pytest.mark.parametrize("ranks", RANKS)
def test_three_hundred_thousand_random_games(ranks, seed):
    every_rule = some_rules(ranks, of_size(DEALS, ranks), seed)
    check_deals(every_rule, of_size(GAMES_OF_A_DEAL, ranks), seed)


@pytest.mark.kernel_nets
@pytest.mark.parametrize("ranks", RANKS)
def test_a_few_random_games(ranks):
    check_deals(some_rules(ranks, 6, seed=ranks), 1)


@pytest.mark.parametrize("ranks", [2, 4, 7, 10, 13])
def test_random_endgames(ranks):
    """Near the end come the wins, and the empty tableaus."""
    won = cleared = 0
    for rules in some_rules(ranks, 50):
        chance = Random(str(rules))
        for position in check_games(lay_out_endgame(rules, chance), chance, 4):
            won += position.cards_up == rules.pack_cards
            cleared += position.is_cleared
    assert won >= 5
    assert cleared >= won


@pytest.mark.parametrize("options", [{}, {"draw": 3, "start_with_draw": True}, {"draw": 24}])
@pytest.mark.parametrize("ranks", RANKS)
def test_deal_is_the_packed_deal(ranks, options):
    for piles in possible_piles(ranks):
        rules = Rules(ranks=ranks, piles=piles, **options)
        for index in range(10):
            table = lay_out(rules, index, 0)
            state, deck = pack_position(table.root, rules)
            assert state == table.state
            assert unpack_position(state, deck, rules) == table.root
            dealt_to_stock = table.deck[rules.tableau_cards :]
            assert (deck[rules.tableau_cards :] == dealt_to_stock).all()


# What may lie on what


def moves_from(tableau, waste=(), foundations=(0, 0, 0, 0), **options):
    """The kernel's moves on a table of just these cards."""
    rules = Rules(**options)
    state, deck = pack_position(Position(foundations, tableau, waste, ()), rules)
    moves = np.zeros(MOVES_CEILING, np.int64)
    number = legal_moves(state, deck, pack_rules(rules), moves)
    return [plain_move(move) for move in moves[:number]]


def test_cards_of_the_waste_follow_as_in_the_textbook():
    for lower, upper in product(PACK, PACK):
        moves = moves_from((Pile((), (lower,)),), (upper,), foundations=(13, 13, 13, 13), piles=1)
        assert (down(0) in moves) == precedes(lower, upper)


def test_cards_of_piles_follow_as_in_the_textbook():
    for lower, upper in product(PACK, PACK):
        moves = moves_from((Pile((), (lower,)), Pile((), (upper,))), piles=2)
        assert (shift(1, 0) in moves) == precedes(lower, upper)
        assert (shift(0, 1) in moves) == precedes(upper, lower)


def test_cards_of_foundations_follow_as_in_the_textbook():
    for lower, upper in product(PACK, PACK):
        foundations = tuple(rank_of(upper) * (suit == suit_of(upper)) for suit in range(4))
        moves = moves_from((Pile((), (lower,)),), foundations=foundations, piles=1)
        assert (back(suit_of(upper), 0) in moves) == precedes(lower, upper)


def test_foundations_take_the_next_of_their_suit():
    for card, suit, rank in product(PACK, range(4), range(14)):
        foundations = tuple(rank * (other == suit) for other in range(4))
        moves = moves_from((Pile((), (card,)),), (card,), foundations=foundations, piles=1)
        is_next = rank_of(card) == foundations[suit_of(card)] + 1
        assert (up(0) in moves) == (WASTE_UP in moves) == is_next


@pytest.mark.parametrize("ranks", [1, 2, 12, 13])
@pytest.mark.parametrize("empty_pile", EMPTY_PILES)
def test_empty_piles_take_what_the_rules_say(empty_pile, ranks):
    for card in range(ranks):
        moves = moves_from((Pile(),), (card,), empty_pile=empty_pile, ranks=ranks, piles=1)
        is_king = card == ranks - 1
        assert (down(0) in moves) == {"king": is_king, "any": True, "none": False}[empty_pile]


def test_the_most_moves_of_a_pile_onto_empty_ones_find_room():
    """Four runs of a whole suit each, and three empty piles."""
    runs = ["KC-QH", "KD-QS", "KH-QC", "KS-QD"]
    columns = []
    for run in runs:
        column = list(cards(run))
        while rank_of(column[-1]) > 1:
            column.append(column[-2] - 2)
        columns.append(Pile((), tuple(column)))
    moves = moves_from((*columns, Pile(), Pile(), Pile()), empty_pile="any")
    assert len(moves) == 3 * 52 + 4
    assert {move for move in moves if move.kind == "pile_to_pile"} == {
        shift(source, target, count)
        for source, target, count in product(range(4), range(4, 7), range(1, 14))
    }


def test_kinds_are_cards():
    assert sorted(map(kind_of, PACK)) == list(range(52))
    assert pack_kinds(Rules(ranks=7)).tolist() == [kind_of(c) for c in layout.pack(Rules(ranks=7))]
    for card in PACK:
        kind, rank, suit = kind_of(card), rank_of(card), suit_of(card)
        assert card_of(kind) == card
        assert (rank_of_kind(kind), suit_of_kind(kind)) == (rank, suit)
        assert kind_of_rank_and_suit(rank, suit) == kind


def test_places_of_the_tableau_are_those_of_the_deal():
    for piles in range(1, 8):
        rules = Rules(piles=piles)
        for pile, column in enumerate(dealt_places(rules)):
            places = [tableau_place(pile, row, pack_rules(rules)) for row in range(pile + 1)]
            assert places == column


# Moves as numbers


def test_moves_are_numbers():
    piles, suits, counts = range(7), range(4), range(1, 14)
    numbers = {0: DRAW, 1: RECYCLE, 3: WASTE_UP}
    numbers |= {waste_to_pile_move(target): down(target) for target in piles}
    numbers |= {pile_to_foundation_move(source): up(source) for source in piles}
    numbers |= {
        foundation_to_pile_move(suit, target): back(suit, target)
        for suit, target in product(suits, piles)
    }
    numbers |= {
        pile_to_pile_move(source, target, count): shift(source, target, count)
        for source, target, count in product(piles, piles, counts)
    }
    assert len(numbers) == 3 + 7 + 7 + 28 + 49 * 13
    for number, move in numbers.items():
        assert plain_move(number) == move
        assert packed_move(move) == number
        assert KIND_NAMES[move_kind(number)] == move.kind
        assert (move_source(number), move_target(number)) == (
            max(move.source, 0),
            max(move.target, 0),
        )
        assert move_cards(number) == move.cards


# Points


def gains(position, rules, *moves):
    """The points that each of some moves makes, which kernel and textbook must agree on."""
    game, packed_rules = ReferenceGame(position, rules), pack_rules(rules)
    state, deck = pack_position(position, rules)
    points = []
    for move in moves:
        game.push(move)
        following = after(state, packed_move(move), deck, packed_rules)
        points.append(int(score(following) - score(state)))
        state = following
        assert score(state) == game.score
        assert unpack_position(state, deck, rules) == game.position
    return points


EVENTS = {
    "waste to tableau": ("5H . 2H", "4S", down(0)),
    "waste to foundation": ("5H . 2H", "4C", WASTE_UP),
    "tableau to foundation": ("5H 4C 2H", "", up(1)),
    "turn-up": ("5H 2D|4S 2H", "", shift(1, 0)),
    "tableau to foundation with turn-up": ("5H 2D|4C 2H", "", up(1)),
    "foundation to tableau": ("4H . 2H", "", back(0, 0)),
    "tableau to tableau": ("5H 4S 2H", "", shift(1, 0)),
    "whole pile to an empty one": ("5H . 2H", "", shift(0, 1)),
    "part of a run": ("5H-4S-3D 4C 2H", "", shift(0, 1)),
    "draw": ("5H 4S 2H", "", DRAW),
}
POINTS = {
    "stargames": [5, 10, 10, 10, 20, -5, 0, 0, 0, 0],
    "standard": [5, 10, 10, 5, 15, -15, 0, 0, 0, 0],
    "vegas": [0, 5, 5, 0, 5, -5, 0, 0, 0, 0],
}


def warmed_up(tableau, waste, rules):
    """A table, and moves from its pile 4 that give the score some room above a floor."""
    position = table(f"{tableau} 5D-5C-3S|2S", waste, foundations="3C AS", rules=rules)
    return position, (up(3), up(3))


@pytest.mark.kernel_nets
@pytest.mark.parametrize("scoring", SCORINGS)
@pytest.mark.parametrize("number", range(len(EVENTS)), ids=list(EVENTS))
def test_each_event_makes_its_points(scoring, number):
    tableau, waste, move = list(EVENTS.values())[number]
    rules = small(scoring=scoring, piles=4)
    position, warming = warmed_up(tableau, waste, rules)
    assert gains(position, rules, *warming, move)[-1] == POINTS[scoring][number]


@pytest.mark.parametrize(("scoring", "start"), [("stargames", 0), ("standard", 0), ("vegas", -52)])
def test_the_score_at_the_start(scoring, start):
    rules = Rules(scoring=scoring)
    assert score(lay_out(rules, 7, 0).state) == start
    assert score(pack_position(dealt(deal(7), rules), rules)[0]) == start


# After 12 cards of the tableau went up, 24 wait in the stock.
READY_TO_CYCLE = "KH-QC-JH . . 4C-3C-2C|AC 4D-3D-2D|AD 4H-3H-2H|AH ."


@pytest.mark.parametrize(
    ("options", "used", "charges"),
    [
        ({"scoring": "stargames"}, 0, [-15, -15, -15, -15]),
        ({"scoring": "stargames", "draw": 3}, 0, [-15, -15, -15, -15]),
        ({"scoring": "standard"}, 0, [-100, -65, 0, 0]),
        ({"scoring": "standard", "draw": 2}, 0, [0, 0, -20, -20]),
        ({"scoring": "standard", "draw": 3}, 0, [0, 0, -20, -20]),
        ({"scoring": "standard", "draw": 3}, 1, [0, -20, -20, -20]),
        ({"scoring": "standard", "draw": 3}, 2, [-20, -20, -20, -20]),
        ({"scoring": "vegas"}, 0, [0, 0, 0, 0]),
        ({"scoring": "vegas", "draw": 3}, 5, [0, 0, 0, 0]),
    ],
)
def test_recycles_are_charged(options, used, charges):
    rules = Rules(**options)
    position = table(READY_TO_CYCLE, foundations="KS", recycles_used=used, rules=rules)
    draws = 24 // rules.draw
    rounds = [*[DRAW] * draws, RECYCLE] * len(charges)
    points = gains(position, rules, *[up(3)] * 4, *[up(4)] * 4, *[up(5)] * 4, *rounds)[12:]
    assert points == [point for charge in charges for point in [*[0] * draws, charge]]


def test_standard_never_falls_below_zero():
    position, rules = table("4H . .", foundations="3C 5D"), small(scoring="standard")
    assert gains(position, rules, back(0, 0), up(0), back(0, 0), up(0)) == [0, 10, -10, 10]


@pytest.mark.parametrize(("scoring", "charge"), [("stargames", -15), ("vegas", 0)])
def test_other_scores_may_fall_below_their_start(scoring, charge):
    position = table("4H . .", foundations="3C 5D", rest="waste")
    assert gains(position, small(scoring=scoring), RECYCLE, back(0, 0)) == [charge, -5]


@pytest.mark.kernel_nets
def test_the_literal_award_lets_a_card_gain_points_for_ever():
    position, rules = table("4H . .", foundations="3C 5D"), small(foundation_award="each_time")
    assert gains(position, rules, *[back(0, 0), up(0)] * 200) == [-5, 10] * 200


@pytest.mark.parametrize("award", FOUNDATION_AWARDS)
@pytest.mark.parametrize(
    ("scoring", "loss", "award_points"), [("stargames", -5, 10), ("standard", -15, 10)]
)
def test_what_a_round_from_and_to_the_foundation_gains(scoring, loss, award_points, award):
    rules = small(scoring=scoring, foundation_award=award, piles=4)
    position, warming = warmed_up("4H . 2H", "", rules)
    again = award_points if award == "each_time" else 0
    points = gains(position, rules, *warming, back(0, 0), up(0))
    assert points[2:] == [loss, again]


@pytest.mark.kernel_nets
def test_first_time_awards_each_card_once():
    position = table("4H 4C .", "4D", foundations="3C 3D")
    rules = small(foundation_award="first_time")
    moves = back(0, 0), up(0), up(1), WASTE_UP, back(0, 1), up(1)
    assert gains(position, small(empty_pile="any"), *moves) == [-5, 10, 10, 10, -5, 10]
    assert gains(position, rules, *moves[:4]) == [-5, 0, 10, 10]
    rules = small(foundation_award="first_time", empty_pile="any")
    assert gains(position, rules, *moves) == [-5, 0, 10, 10, -5, 0]


@pytest.mark.kernel_nets
@pytest.mark.parametrize(("scoring", "cleared"), [("stargames", 50), ("standard", 0), ("vegas", 0)])
def test_the_cleared_tableau_is_awarded_once(scoring, cleared):
    position = table("4C . .", "5D 4D", foundations="3C 3D 5H")
    rules = small(scoring=scoring, empty_pile="any")
    up_points, back_points = rules.points.to_foundation, rules.points.from_foundation
    points = gains(position, rules, up(0), WASTE_UP, back(0, 1), up(1))
    assert points == [up_points + cleared, up_points, back_points, up_points]


def test_turning_up_and_clearing_come_with_the_move():
    assert gains(table(". 5C|4C .", foundations="3C 5D"), small(), up(1), up(1)) == [20, 60]


def test_a_tableau_that_is_empty_at_the_start_has_been_cleared():
    position, rules = table(". . .", foundations="5C 3D"), small(empty_pile="any")
    assert gains(position, rules, back(1, 0), up(0)) == [-5, 10]


@pytest.mark.parametrize("award", FOUNDATION_AWARDS)
@pytest.mark.parametrize("scoring", SCORINGS)
def test_a_whole_game_scores_as_in_the_textbook(scoring, award):
    played = won_from_the_top(scoring=scoring, foundation_award=award)
    best = played.score
    moves = [played.pop() for _ in range(played.moves_made)][::-1]
    assert played.rules.points.start + sum(gains(played.position, played.rules, *moves)) == best


# Keys


def test_keys_pair_up_over_all_positions_of_small_games():
    """Along all ways through small games, not just those that a random game takes."""
    for rules in [*some_rules(2, 12), *some_rules(3, 12)]:
        table, keys = lay_out(rules, 2, 0), Keys()
        trail = deque([(table.root, table.state)])
        seen = set()
        while trail and len(seen) < 300:
            position, state = trail.popleft()
            game = ReferenceGame(position, rules)
            keys.assert_paired(game.key(), tuple(state_key(state, table.packed_rules)))
            if position not in seen:
                seen.add(position)
                trail += following(game, table, state)


def following(game, table, state):
    """All positions one move on, with their packed states."""
    for number, move in look(game, table).legal.items():
        game.push(move)
        yield game.position, as_ints(after(state, number, table.deck, table.packed_rules))
        game.pop()


def as_ints(state):
    return State(*map(int, state))


def test_key_is_a_state_with_the_same_future():
    """It is its own key, and offers the same moves, which lead to the same keys."""
    for ranks in RANKS:
        for rules in some_rules(ranks, 10, seed=2):
            assert_key_has_the_same_future(lay_out(rules, 5, 0), Random(ranks))


def assert_key_has_the_same_future(table, chance):
    state, deck, rules = table.state, table.deck, table.packed_rules
    moves, key_moves = np.zeros((2, MOVES_CEILING), np.int64)
    for _ in range(of_size(PLIES, table.rules.ranks)):
        key = state_key(state, rules)
        assert state_key(key, rules) == key
        number = legal_moves(state, deck, rules, moves)
        assert legal_moves(key, deck, rules, key_moves) == number
        assert (moves[:number] == key_moves[:number]).all()
        if number == 0:
            break
        move = chance.choice(moves[:number])
        state = after(state, move, deck, rules)
        assert state_key(state, rules) == state_key(after(key, move, deck, rules), rules)
        assert state_key(state, rules) != key


# Defects of a state


@pytest.mark.parametrize(
    ("changes", "problems"),
    [
        ({}, []),
        ({"boundary": 53}, ["boundary 53 is out of range"]),
        ({"boundary": 6}, ["boundary 6 does not lie after the waste's top card"]),
        ({"boundary": 20}, []),
        ({"recycles": -1}, ["recycles -1 is out of range"]),
        ({"foundations": 1 << 16}, ["foundations 65536 is out of range"]),
        ({"foundations": 6}, ["a foundation is higher than the pack has ranks"]),
        ({"earned": 1 << 53}, ["earned 9007199254740992 is out of range"]),
        ({"piles_mid": 1}, ["pile 4: there is no such pile"]),
        (
            {"places": (1 << 20) - (1 << 5)},
            ["places of the tableau, or beyond the pack, are in waste or stock"],
        ),
    ],
)
def test_defects_of_a_state_are_named(changes, problems):
    table = lay_out(small(), 0, 0)
    found = state_problems(table.state._replace(**changes), table.deck, table.rules)
    assert found[: len(problems) or None] == problems


@pytest.mark.parametrize(
    ("field", "problem"),
    [
        (1 << layout.STRAND_SHIFT, "without a card face up there is no strand and no card face"),
        (1 << layout.FACE_DOWN_SHIFT, "without a card face up there is no strand and no card face"),
        (0b11, "the run has no card"),
        (0b10100000, "the run has no card, or ranks that are not in the pack"),
        (1 << layout.FACE_DOWN_SHIFT | 0b101, "1 cards lie face down, more than were dealt"),
    ],
)
def test_defects_of_a_pile_are_named(field, problem):
    table = lay_out(small(), 0, 0)
    piles_low = (int(table.state.piles_low) & ~layout.PILE_MASK) | field
    (found,) = state_problems(table.state._replace(piles_low=piles_low), table.deck, table.rules)
    assert found.startswith(f"pile 1: {problem}")


def test_missing_cards_are_a_defect():
    table = lay_out(small(), 0, 0)
    state = table.state._replace(places=int(table.state.places) ^ 1 << 19)
    problems = state_problems(state, table.deck, table.rules)
    assert problems == [f"missing: {format_card(card_of(table.deck[19]))}"]


def test_cards_up_have_earned_their_points():
    position = table("4H . .", foundations="3C 5D")
    state, deck = pack_position(position, small())
    problems = state_problems(state._replace(earned=0), deck, small())
    assert problems == ["a card lies on its foundation that is not marked as having earned that"]


# Types


def kernels_and_arguments():
    """Each kernel of the module and what to call it with."""
    rules = pack_rules(Rules(start_with_draw=True))
    deck = np.array([kind_of(card) for card in deal(0)], np.uint8)
    moves = np.zeros(MOVES_CEILING, np.int64)
    words = to_words(deal_state(deck, rules))
    known = {"state": deal_state(deck, rules), "deck": deck, "rules": rules, "moves_out": moves}
    known |= {"words": words, "words_out": words}
    for name, function in vars(rules_kernel).items():
        if hasattr(function, "py_func"):
            names = function.py_func.__code__.co_varnames[: function.py_func.__code__.co_argcount]
            yield name, function, [known.get(argument, np.int64(1)) for argument in names]


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_kernels_return_int64_everywhere():
    """No operation may turn into one of unsigned integers or floats."""
    state = numba.typeof(State(*FIELDS * [1]))
    assert state.types == FIELDS * (numba.int64,)
    predicates = {"is_won", "is_cleared", "can_recycle", "foundation_takes"}
    for name, function, arguments in kernels_and_arguments():
        function(*arguments)
        allowed = {numba.boolean} if name in predicates else {numba.int64, numba.none, state}
        assert {signature.return_type for signature in function.nopython_signatures} <= allowed
