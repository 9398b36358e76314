"""The compiled rules against the textbook game, in random games over all rule options."""

from collections import Counter, deque
from functools import cache
from itertools import product
from random import Random
from typing import NamedTuple

import numba
import numpy as np
import pytest
from devilsgrip_options import SUITS, every_rules

from dealstats.cards import format_card, rank_of, suit_of
from dealstats.jit import kernel
from devilsgrip import kernel as rules_kernel
from devilsgrip import reference
from devilsgrip.chains import RUNS, state_numbers
from devilsgrip.deck import deal, pack
from devilsgrip.kernel import (
    BUILD,
    MOVES_CEILING,
    PLACE,
    REDEAL,
    TURN,
    after_move,
    buildable_chain,
    cards_left,
    deal_state,
    is_won,
    legal_moves,
    state_key,
)
from devilsgrip.layout import (
    State,
    card_of,
    from_words,
    kind_of,
    pack_kinds,
    pack_position,
    pack_rules,
    piles_of,
    state_problems,
    talon_and_stock,
    to_words,
)
from devilsgrip.position import Position, dealt
from devilsgrip.reference import ReferenceGame, position_problems, precedes
from devilsgrip.rules import FILLS, UNITS, Rules

NO_CHAIN = -1
PLIES = {1: 32, 2: 50, 3: 70, 4: 100}
DEALS = {1: 4, 2: 1, 3: 1, 4: 1}
GAMES_OF_A_DEAL = {1: 20, 2: 3, 3: 2, 4: 2}


@pytest.fixture(autouse=True)
def _quick_reference(monkeypatch):
    """Remember which card precedes which; the textbook game works it out again and again."""
    monkeypatch.setattr(reference, "precedes", cache(reference.precedes))


# A model of the grid that knows the numbers of the chain states, but none of the tables


@cache
def chain_and_run(pile):
    """The chain 0..11 of a pile and the place of its run among the RUNS."""
    level, sequence = divmod(rank_of(pile[0]) - 2, 3)
    return 3 * suit_of(pile[0]) + sequence, RUNS.index((level, level + len(pile) - 1))


def chain_counts(grid):
    """For each chain, how many piles of each run lie in the grid."""
    counts = [[0] * len(RUNS) for _ in range(12)]
    for pile in filter(None, grid):
        chain, run = chain_and_run(pile)
        counts[chain][run] += 1
    return counts


def number_after(counts, gone, come):
    """The state number of a chain after some piles have gone and others come."""
    following = list(counts)
    for piles, change in ((gone, -1), (come, +1)):
        for pile in filter(None, piles):
            following[chain_and_run(pile)[1]] += change
    return state_numbers()[tuple(following)]


def kernel_move(position, counts, move):
    """The integer that the kernel has for a move, or None for an exchange of equal piles."""
    if move.kind in ("turn", "redeal"):
        return {"turn": TURN, "redeal": REDEAL}[move.kind]
    base = position.grid[move.target]
    chain = chain_and_run(base)[0]
    if move.kind == "place":
        return PLACE + number_after(counts[chain], [base], [base + position.talon[-1:]])
    pile = position.grid[move.source]
    staying, moving = pile[: -move.cards], pile[-move.cards :]
    if staying == base:
        return None
    return BUILD + 512 * chain + number_after(counts[chain], [pile, base], [base + moving, staying])


def grid_words(counts):
    """The state numbers of the chains, nine bits each."""
    numbers = [state_numbers()[tuple(runs)] for runs in counts]
    return tuple(
        sum(number << 9 * field for field, number in enumerate(half))
        for half in (numbers[:6], numbers[6:])
    )


class Seen(NamedTuple):
    """A position of a game and what is to be said of it."""

    position: Position
    key: tuple
    grid: tuple[int, int]
    legal: dict
    buildable: set


def look(game, looks):
    """What is to be said of the position of a game, kept in `looks` for when it comes again."""
    if game.position not in looks:
        looks[game.position] = _look(game)
    return looks[game.position]


def _look(game):
    position = game.position
    counts = chain_counts(position.grid)
    listed = game.legal_moves()
    legal = {move: kernel_move(position, counts, move) for move in listed}
    buildable = {
        chain_and_run(position.grid[move.target])[0]
        for move in listed
        if move.kind == "build" and move.cards == len(position.grid[move.source])
    }
    return Seen(position, game.key(), grid_words(counts), legal, buildable)


def random_game(table, chance, plies):
    """The positions of a game by the textbook, and the kernel's integers for its moves.

    Placements and builds are more likely than turns. Exchanges of equal piles come up too; they
    must leave the key as it is, and the kernel hears nothing of them.
    """
    game = ReferenceGame(table.root, table.rules)
    path, moves = [look(game, table.looks)], []
    for _ in range(plies):
        listed = list(path[-1].legal)
        if not listed:
            break
        progress = [move for move in listed if move.kind in ("place", "build")]
        move = chance.choice(progress if progress and chance.random() < 0.8 else listed)
        former, number = path[-1], path[-1].legal[move]
        game.push(move)
        if number is None:
            path.pop()
            assert game.key() == former.key
        else:
            moves.append(number)
        path.append(look(game, table.looks))
    return path, moves


# The same game by the kernel


class Trace(NamedTuple):
    """What the kernel says of each position of a game, one row each."""

    states: np.ndarray
    keys: np.ndarray
    facts: np.ndarray
    legal: np.ndarray


def make_trace(plies):
    return Trace(
        np.zeros((plies + 1, 6), np.int64),
        np.zeros((plies + 1, 6), np.int64),
        np.zeros((plies + 1, 4), np.int64),
        np.zeros((plies + 1, MOVES_CEILING), np.int64),
    )


@kernel
def store(state, row_out):
    row_out[0] = state.grid_low
    row_out[1] = state.grid_high
    row_out[2] = state.stock_low
    row_out[3] = state.stock_high
    row_out[4] = state.boundary
    row_out[5] = state.redeals


@kernel
def load(row):
    return State(row[0], row[1], row[2], row[3], row[4], row[5])


@kernel
def after(state, move, order, rules):
    """What :func:`after_move` says, which would be compiled in each caller anew."""
    return after_move(state, move, order, rules)


@kernel
def retrace(state, order, rules, moves, trace):
    """Play the moves from a state; write a row of the trace for each position."""
    for ply in range(len(moves) + 1):
        store(state, trace.states[ply])
        store(state_key(state, order, rules), trace.keys[ply])
        trace.facts[ply, 0] = legal_moves(state, order, rules, trace.legal[ply])
        trace.facts[ply, 1] = cards_left(state)
        trace.facts[ply, 2] = is_won(state)
        trace.facts[ply, 3] = buildable_chain(state, rules)
        if ply < len(moves):
            state = after(state, moves[ply], order, rules)


@kernel
def differences_on_the_way_back(order, rules, moves, trace, row):
    """Go back to the root by the former states, and see whether each leads to the next again."""
    differences = 0
    for ply in range(len(moves) - 1, -1, -1):
        former = load(trace.states[ply])
        store(after(former, moves[ply], order, rules), row)
        for field in range(6):
            differences += row[field] != trace.states[ply + 1, field]
    return differences


class Table(NamedTuple):
    """A deal under some rules, for the kernel and for the textbook."""

    rules: Rules
    packed_rules: tuple
    root: Position
    state: State
    order: np.ndarray
    order_cards: tuple
    looks: dict
    outsides: dict


def lay_out(rules, index, seed):
    """A numbered deal, dealt by the kernel."""
    deck = deal(index, seed, rules)
    kinds = np.array([kind_of(card) for card in deck], np.uint8)
    state = deal_state(kinds, pack_rules(rules))
    return make_table(rules, dealt(deck, rules), state, kinds[rules.cells :])


def lay_out_endgame(rules, chance):
    """A table on which many cards are in order, with the others in talon and stock."""
    piles, others = [], []
    for chain in range(3 * rules.suits):
        lower, upper = chance.choices(range(1, 5), weights=(1, 1, 1, 6 * rules.suits), k=2)
        split = chance.random() * rules.suits < 0.3
        runs = [(0, 2), (2, 3 + upper // 3)] if split else [(0, lower), (0, upper)]
        levels = [range(low, high) for low, high in runs]
        piles += [tuple(card_of(4 * chain + level) for level in run) for run in levels]
        left = Counter([0, 1, 2, 3, 0, 1, 2, 3]) - Counter([*levels[0], *levels[1]])
        others += [card_of(4 * chain + level) for level in left.elements()]
    chance.shuffle(others)
    middle = chance.choice((len(others), chance.randint(0, len(others))))
    position = Position(tuple(piles), tuple(others[:middle]), tuple(others[middle:]))
    return make_table(rules, position, *pack_position(position))


def make_table(rules, position, state, order):
    cards = tuple(card_of(kind) for kind in order)
    return Table(rules, pack_rules(rules), position, state, order, cards, looks={}, outsides={})


def outside(table, state):
    """The cards of talon and stock, read from the bits of a state."""
    bits = tuple(state[2:5])
    if bits not in table.outsides:
        table.outsides[bits] = _outside(table, state)
    return table.outsides[bits]


def _outside(table, state):
    there = state[2] | state[3] << 63
    places = [place for place in range(len(table.order_cards)) if there >> place & 1]
    assert there.bit_count() == len(places)
    talon = tuple(table.order_cards[place] for place in places if place < state[4])
    return talon, tuple(table.order_cards[place] for place in places[len(talon) :])


def assert_same(table, seen, state, key, facts, legal):
    """Compare what both say of one position."""
    position = seen.position
    assert sorted({number for number in seen.legal.values() if number is not None}) == sorted(legal)
    assert facts[1:3] == [position.cards_left, position.is_won]
    assert facts[3] in seen.buildable or (facts[3] == NO_CHAIN and not seen.buildable)
    limited = table.rules.redeals is not None
    for words, redeals in (
        (state, position.redeals_used),
        (key, position.redeals_used if limited else 0),
    ):
        assert (words[0], words[1]) == seen.grid
        assert outside(table, words) == (position.talon, position.stock)
        assert words[5] == redeals


def assert_packing_agrees(table, position, state):
    """Compare the packed state with the plain position, by the functions of the layout."""
    for packed, order in ((State(*state), table.order), pack_position(position)):
        assert state_problems(packed, order, table.rules) == []
        assert sorted(piles_of(packed)) == sorted(filter(None, position.grid))
        assert talon_and_stock(packed, order) == (position.talon, position.stock)
        assert from_words(to_words(packed)) == packed


class Keys:
    """Sees to it that keys of one kind are equal just where those of the other are."""

    def __init__(self):
        self.of_reference, self.of_kernel = {}, {}

    def assert_paired(self, of_reference, of_kernel):
        assert self.of_reference.setdefault(of_kernel, of_reference) == of_reference
        assert self.of_kernel.setdefault(of_reference, of_kernel) == of_kernel


def check_game(table, chance, trace, keys):
    """Play a random game by the textbook and by the kernel, and compare them all the way."""
    plies = len(trace.states) - 1
    path, moves = random_game(table, chance, plies)
    order = table.order.copy()
    numbers = np.array(moves, np.int64)
    retrace(table.state, table.order, table.packed_rules, numbers, trace)
    states, tuples, facts, legal = (
        rows[: len(path)].tolist() for rows in (trace.states, trace.keys, trace.facts, trace.legal)
    )
    for ply, seen in enumerate(path):
        count = facts[ply][0]
        assert_same(table, seen, states[ply], tuples[ply], facts[ply], legal[ply][:count])
        keys.assert_paired(seen.key, tuple(tuples[ply]))
    row = np.zeros(6, np.int64)
    back = differences_on_the_way_back(table.order, table.packed_rules, numbers, trace, row)
    assert back == 0
    assert (table.order == order).all()
    return path[-1].position, states[len(path) - 1]


def check_games(table, chance, games):
    """Play several games from one table."""
    trace, keys = make_trace(PLIES[table.rules.suits]), Keys()
    for _ in range(games):
        position, state = check_game(table, chance, trace, keys)
        yield position
    assert_packing_agrees(table, position, state)


def check_deals(every_rule, deals, games, seed=0):
    """Play some deals under each of the rules, other ones for each, and each several times."""
    for number, rules in enumerate(every_rule):
        for index in range(deals * number, deals * (number + 1)):
            chance = Random(str((rules, index, seed)))
            deque(check_games(lay_out(rules, index, seed), chance, games), maxlen=0)


BY_RULES = pytest.mark.parametrize(
    ("suits", "unit", "fill"), list(product(SUITS, UNITS, FILLS)), ids=str
)


def rules_with(suits, unit, fill):
    return [rules for rules in every_rules(suits) if (rules.unit, rules.fill) == (unit, fill)]


@BY_RULES
def test_random_games(suits, unit, fill):
    check_deals(rules_with(suits, unit, fill), DEALS[suits], GAMES_OF_A_DEAL[suits])


def test_random_games_are_twenty_thousand():
    games = [len(every_rules(suits)) * DEALS[suits] * GAMES_OF_A_DEAL[suits] for suits in SUITS]
    assert sum(games) >= 20_000
    assert min(games) >= 480


@pytest.mark.slow
@BY_RULES
def test_three_hundred_thousand_random_games(suits, unit, fill):
    check_deals(rules_with(suits, unit, fill), 15 * DEALS[suits], GAMES_OF_A_DEAL[suits], seed=1)


@pytest.mark.kernel_nets
@pytest.mark.parametrize("suits", SUITS)
def test_a_few_random_games(suits):
    check_deals(Random(suits).sample(every_rules(suits), 12 // suits), 1, 2)


@pytest.mark.parametrize("suits", SUITS)
def test_random_endgames(suits):
    """Near the end come the wins, and the spaces that nothing can fill."""
    won = spaces = 0
    for rules in every_rules(suits)[::suits]:
        chance = Random(str(rules))
        for position in check_games(lay_out_endgame(rules, chance), chance, 4):
            won += position.is_won
            spaces += () in position.grid and not position.is_won
    assert won >= 10
    assert spaces >= 3


@pytest.mark.parametrize("suits", SUITS)
@pytest.mark.parametrize("options", [{}, {"initial_talon": 3, "unit": "tail"}, {"redeals": 2}])
def test_deal_is_the_packed_deal(suits, options):
    rules = Rules(suits=suits, **options)
    for index in range(100):
        table = lay_out(rules, index, 0)
        state, order = pack_position(table.root)
        assert state == table.state
        assert order.tolist() == table.order.tolist()


# What may lie on what

CARDS = sorted(set(pack(Rules())))


def moves_from(grid, talon, **options):
    """The kernel's moves on a table of just these cards."""
    state, order = pack_position(Position(grid, talon, ()))
    moves = np.zeros(MOVES_CEILING, np.int64)
    number = legal_moves(state, order, pack_rules(Rules(redeals=0, **options)), moves)
    return moves[:number].tolist()


def test_placements_follow_the_order_of_the_cards():
    for lower, upper in product(CARDS, CARDS):
        moves = moves_from(((lower,),), (upper,))
        kinds = [PLACE <= move < BUILD for move in moves]
        assert kinds == [True] * precedes(lower, upper)


@pytest.mark.parametrize("unit", UNITS)
def test_builds_follow_the_order_of_the_cards(unit):
    for lower, upper in product(CARDS, CARDS):
        moves = moves_from(((lower,), (upper,)), (), unit=unit)
        kinds = [move >= BUILD for move in moves]
        assert kinds == [True] * (precedes(lower, upper) or precedes(upper, lower))


def test_kinds_are_cards():
    kinds = [kind_of(card) for card in CARDS]
    assert sorted(kinds) == list(range(48))
    assert [card_of(kind) for kind in kinds] == CARDS
    assert [card_of(kind) for kind in pack_kinds(Rules(suits=2))] == 2 * CARDS[:24]
    for lower, upper in product(CARDS, CARDS):
        follows = kind_of(upper) == kind_of(lower) + 1 and kind_of(upper) % 4 > 0
        assert follows == precedes(lower, upper)


# Keys


def test_keys_pair_up_over_all_positions_of_small_games():
    """Along all ways through small games, not just those that a random game takes."""
    for rules in Random(1).sample(every_rules(1), 24):
        table, keys = lay_out(rules, 2, 0), Keys()
        trail = [(ReferenceGame(table.root, rules).position, table.state)]
        seen = set()
        while trail and len(seen) < 400:
            position, state = trail.pop(0)
            key = state_key(state, table.order, table.packed_rules)
            game = ReferenceGame(position, rules)
            keys.assert_paired(game.key(), tuple(key))
            if (position, state) not in seen:
                seen.add((position, state))
                trail += following(game, table, state)


def following(game, table, state):
    """All positions one move on, with their packed states."""
    looked = look(game, table.looks)
    for move, number in looked.legal.items():
        if number is not None:
            game.push(move)
            state_after = after(state, number, table.order, table.packed_rules)
            yield game.position, State(*map(int, state_after))
            game.pop()


def test_key_is_a_state_with_the_same_future():
    """It is its own key, and offers the same moves, which lead to the same keys."""
    moves, key_moves = np.zeros((2, MOVES_CEILING), np.int64)
    for suits in SUITS:
        for rules in Random(suits).sample(every_rules(suits), 10):
            table, chance = lay_out(rules, 5, 0), Random(suits)
            state, (order, packed_rules) = table.state, (table.order, table.packed_rules)
            for _ in range(PLIES[suits]):
                key = state_key(state, order, packed_rules)
                assert state_key(key, order, packed_rules) == key
                number = legal_moves(state, order, packed_rules, moves)
                assert legal_moves(key, order, packed_rules, key_moves) == number
                assert (moves[:number] == key_moves[:number]).all()
                if number == 0:
                    break
                move = chance.choice(moves[:number])
                state = after(state, move, order, packed_rules)
                key_after = after(key, move, order, packed_rules)
                assert state_key(state, order, packed_rules) == state_key(
                    key_after, order, packed_rules
                )


# Defects of a state


@pytest.mark.parametrize(
    ("changes", "problems"),
    [
        ({}, []),
        ({"boundary": 73}, ["boundary 73 is out of range"]),
        ({"redeals": -1}, ["redeals -1 is out of range"]),
        ({"redeals": 3}, ["redeals 3 is above the limit of 2"]),
        ({"grid_low": 405}, ["no chain state has the number 405"]),
        ({"grid_low": 1 << 54}, ["grid_low 18014398509481984 is out of range"]),
        ({"stock_low": 1 << 18}, ["a card is said to be beyond the 18 places"]),
        (
            {"stock_high": -1},
            ["stock_high -1 is out of range", "a card is said to be beyond the 18 places"],
        ),
    ],
)
def test_defects_of_a_state_are_named(changes, problems):
    table = lay_out(Rules(suits=1, redeals=2), 0, 0)
    assert state_problems(table.state._replace(**changes), table.order, table.rules) == problems


def test_missing_cards_are_a_defect():
    table = lay_out(Rules(suits=1), 0, 0)
    state = table.state._replace(stock_low=(1 << 17) - 1)
    problems = state_problems(state, table.order, table.rules)
    assert problems == [f"missing: {format_card(table.order_cards[17])}"]


def test_too_many_piles_are_a_defect():
    rules = Rules(suits=1)
    state, order = pack_position(Position(tuple((card,) for card in pack(rules)), (), ()))
    assert state_problems(state, order, rules) == ["24 piles lie in 6 cells"]


@pytest.mark.parametrize(
    ("options", "boundary", "filled"),
    [
        ({}, 0, True),
        ({}, 19, True),
        ({"redeals": 1}, 18, True),
        ({"redeals": 1}, 19, True),
        ({"redeals": 0}, 18, True),
        ({"redeals": 0}, 19, False),
        ({"redeals": 0, "fill": "talon_top"}, 19, True),
    ],
)
def test_an_open_space_is_a_defect_if_a_card_could_come_in(options, boundary, filled):
    rules = Rules(suits=1, **options)
    cards = deal(0, 0, rules)
    grid, others = tuple((card,) for card in cards[:5]), cards[5:]
    position = Position((*grid, ()), others[:boundary], others[boundary:])
    state, order = pack_position(position)
    problem = "5 piles lie in 6 cells, but a card could come in"
    assert state_problems(state, order, rules) == [problem] * filled
    assert len(position_problems(position, rules)) == filled


# Types


def kernels_and_arguments():
    """Each kernel of the module and what to call it with."""
    rules = pack_rules(Rules(unit="tail"))
    root = dealt(deal(0), Rules())
    state, order = pack_position(root)
    deck = np.array([kind_of(card) for card in deal(0)], np.uint8)
    moves = np.zeros(MOVES_CEILING, np.int64)
    known = {"state": state, "order": order, "rules": rules, "deck": deck, "moves_out": moves}
    for name, function in vars(rules_kernel).items():
        if hasattr(function, "py_func"):
            names = function.py_func.__code__.co_varnames[: function.py_func.__code__.co_argcount]
            yield name, function, [known.get(argument, np.int64(1)) for argument in names]


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_kernels_return_int64_everywhere():
    """No operation may turn into one of unsigned integers or floats."""
    state = numba.typeof(State(*6 * [1]))
    assert state.types == 6 * (numba.int64,)
    predicates = {"is_won", "can_redeal", "opens_space"}
    for name, function, arguments in kernels_and_arguments():
        function(*arguments)
        allowed = {numba.boolean} if name in predicates else {numba.int64, state}
        assert {signature.return_type for signature in function.nopython_signatures} <= allowed
