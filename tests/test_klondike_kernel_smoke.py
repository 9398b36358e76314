"""Games by the compiled rules alone: players see what they may, and blocks are single games."""

from random import Random

import numba
import numpy as np
import pytest

from dealstats.errors import InputError
from dealstats.notes import RANDOM_NOTE, UNSEEN
from klondike.deck import deal
from klondike.kernel import (
    DRAW,
    MOVES_CEILING,
    after_move,
    deal_state,
    legal_moves,
    state_key,
)
from klondike.layout import (
    State,
    kind_of,
    pack_kinds,
    pack_position,
    pack_rules,
    unpack_position,
)
from klondike.perft import distinct_positions
from klondike.players import PLAYERS
from klondike.playing import batch_kernel, game_kernel, make_results, make_room
from klondike.position import Pile, Position, dealt
from klondike.rules import EMPTY_PILES, FOUNDATION_AWARDS, SCORINGS, SIGHTS, Rules

SIZES = ((13, 7), (13, 1), (9, 7), (7, 7), (5, 4), (2, 2), (1, 1))
DRAWS = (1, 2, 3, 5, 24)
REDEALS = (None, 0, 1, 3)


def rules_by_lot(chance):
    ranks, piles = chance.choice(SIZES)
    return Rules(
        draw=chance.choice(DRAWS),
        redeals=chance.choice(REDEALS),
        empty_pile=chance.choice(EMPTY_PILES),
        worrying_back=chance.random() < 0.5,
        partial_runs=chance.random() < 0.5,
        start_with_draw=chance.random() < 0.5,
        scoring=chance.choice(SCORINGS),
        foundation_award=chance.choice(FOUNDATION_AWARDS),
        sees=chance.choice(SIGHTS),
        ranks=ranks,
        piles=piles,
    )


def kinds_of_deal(index, rules):
    return np.array([kind_of(card) for card in deal(index, 0, rules)], np.uint8)


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
def test_states_are_of_int64():
    rules = Rules()
    deck, packed_rules = kinds_of_deal(0, rules), pack_rules(rules)
    state = deal_state(deck, packed_rules)
    state_key(after_move(state, DRAW, deck, packed_rules), packed_rules)
    for function in (deal_state, after_move, state_key):
        for signature in function.nopython_signatures:
            assert signature.return_type.types == len(State._fields) * (numba.int64,)


def by_lot(state, deck, rules, plies, chance):
    """The state after some random moves."""
    moves = np.zeros(MOVES_CEILING, np.int64)
    for _ in range(plies):
        count = legal_moves(state, deck, pack_rules(rules), moves)
        if count:
            move = chance.choice(moves[:count].tolist())
            state = after_move(state, move, deck, pack_rules(rules))
    return state


def replayed(start, moves, deck, rules):
    """The positions of a game; each move must be legal."""
    packed_rules, legal = pack_rules(rules), np.zeros(MOVES_CEILING, np.int64)
    positions = [unpack_position(start, deck, rules)]
    for move in moves:
        assert move in legal[: legal_moves(start, deck, packed_rules, legal)]
        start = after_move(start, move, deck, packed_rules)
        positions.append(unpack_position(start, deck, rules))
    return positions


def unseen_at_the_end(positions, rules):
    """The kinds that a player may not know, from the positions of its game alone."""
    may_know_stock = rules.sees == "stock" or positions[0].recycles_used
    unseen = set() if may_know_stock else set(positions[0].stock)
    for position in positions:
        unseen &= set(position.stock)
    return {*map(kind_of, unseen), *(kind_of(c) for p in position.piles for c in p.face_down)}


@pytest.mark.kernel_nets
@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("seed", range(20))
def test_players_see_what_they_may(player, seed):
    chance = Random(seed)
    rules = rules_by_lot(chance)
    packed_rules, room = pack_rules(rules), make_room(rules, moves=5_000)
    deck = kinds_of_deal(seed, rules)
    start = deal_state(deck, packed_rules)
    if seed % 2:
        later = by_lot(start, deck, rules, chance.randrange(100), chance)
        start, deck = pack_position(unpack_position(later, deck, rules), rules)
    room.notes[RANDOM_NOTE] = seed
    end, count = game_kernel(player)(start, deck, room.seen, room.notes, packed_rules, room.moves)
    positions = replayed(start, room.moves[:count].tolist(), deck, rules)
    assert unpack_position(end, deck, rules) == positions[-1]
    unseen = unseen_at_the_end(positions, rules)
    assert room.seen.tolist() == [UNSEEN if kind in unseen else kind for kind in deck.tolist()]


@pytest.mark.kernel_nets
@pytest.mark.parametrize("player", PLAYERS)
def test_blocks_of_deals_are_single_games(player):
    rules = Rules(draw=3, redeals=1)
    packed_rules, results = pack_rules(rules), make_results(5)
    play_deals = batch_kernel(player)
    play_deals(pack_kinds(rules), 7, 3, 5, packed_rules, make_room(rules), results)
    for number in range(5):
        single = make_results(1)
        play_deals(pack_kinds(rules), 7, 3 + number, 1, packed_rules, make_room(rules), single)
        assert [column[number] for column in results] == [column[0] for column in single]


def test_positions_that_no_deal_leads_to_are_refused():
    rules = Rules(ranks=2, piles=2)
    with pytest.raises(InputError, match="pile 1 has 1 cards face down"):
        pack_position(Position((0, 0, 0, 0), (Pile((0,), (1,)), Pile()), (), ()), rules)
    with pytest.raises(InputError, match="waste and stock have 6 cards"):
        pack_position(Position((0, 0, 0, 0), (Pile(), Pile()), (0, 1), (2, 3, 4, 5)), rules)


@pytest.mark.kernel_nets
def test_counts_of_a_pack_of_aces():
    # One ace on the table, three in the stock; every ace can only go up, if it is in reach.
    rules = Rules(ranks=1, piles=1, redeals=0, worrying_back=False)
    position = dealt(deal(0, 0, rules), rules)
    assert distinct_positions(position, rules, 2) == [1, 2, 3]
