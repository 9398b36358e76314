"""The hidden-information players: what they may know, how they end, and what is known of them."""

import random
from dataclasses import replace

import numpy as np
import pytest
from klondike_options import some_rules

from dealstats.deals import PLAYER_STREAM
from dealstats.errors import InputError
from dealstats.jit import inlined_kernel, kernel_from
from dealstats.notes import UNSEEN
from dealstats.shuffle_kernel import philox_block
from klondike.batch import VERSIONS, play_batch, play_one, player_task
from klondike.deck import deal
from klondike.kernel import packed_move, plain_move
from klondike.layout import card_of, pack_position, pack_rules
from klondike.narration import narrate
from klondike.player_kernels import CHOOSE, STOP
from klondike.players import PLAYERS, find_player
from klondike.playing import IDLE_MOVES_CEILING, MOVES_PER_GAME_CEILING, _play_game, make_room
from klondike.position import DRAW, RECYCLE, Move, Pile, Position, dealt
from klondike.reference import ReferenceGame
from klondike.rules import SIGHTS, Rules

TEST_SEED = 3
SOME_RULES = [
    Rules(),
    Rules.preset("stargames", foundation_award="first_time"),
    Rules.preset("draw-three"),
    Rules.preset("thoughtful", redeals=1),
    Rules.preset("vegas"),
    Rules(redeals=0, empty_pile="any", partial_runs=False),
    Rules(draw=5, empty_pile="none", worrying_back=False),
    Rules(draw=24, sees="stock", worrying_back=False),
    Rules(ranks=5, piles=4, redeals=1, empty_pile="any"),
    Rules(ranks=9, piles=1, draw=2),
]


def rules_id(rules: Rules) -> str:
    return f"d{rules.draw}-r{rules.redeals}-{rules.sees}-{rules.empty_pile}-{rules.ranks}"


def start(index: int, rules: Rules) -> Position:
    return dealt(deal(index, TEST_SEED, rules), rules)


def unknown_cards(position: Position, moves: list[Move], rules: Rules) -> list[set[int]]:
    """For each number of moves made, the cards that KL11 lets a player not know."""
    game = ReferenceGame(position, rules)
    turned = set(position.stock) if rules.sees == "stock" or position.recycles_used else set()
    history = []
    for move in [None, *moves]:
        if move is not None:
            game.push(move)
        turned |= set(game.position.waste)
        face_down = {card for pile in game.position.piles for card in pile.face_down}
        history.append(face_down | set(game.position.stock) - turned)
    return history


# What players see


def with_cards_shuffled(position: Position, some: set[int], lot: random.Random) -> Position:
    """The same table with some of its cards exchanged among each other."""
    shuffled = sorted(some)
    lot.shuffle(shuffled)
    other = dict(zip(sorted(some), shuffled, strict=True))

    def exchanged(cards: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(other.get(card, card) for card in cards)

    return replace(
        position,
        piles=tuple(Pile(exchanged(pile.face_down), pile.face_up) for pile in position.piles),
        stock=exchanged(position.stock),
    )


@pytest.mark.parametrize("player", CHOOSE)
@pytest.mark.parametrize("rules", SOME_RULES, ids=rules_id)
def test_unseen_cards_do_not_change_a_choice(player: str, rules: Rules) -> None:
    lot = random.Random(7)
    for index in range(6):
        position = start(index, rules)
        moves = play_one(player, position, rules, random_word=index)
        unknown = unknown_cards(position, [plain_move(move) for move in moves], rules)
        for made in sorted(lot.sample(range(len(moves)), min(6, len(moves)))):
            other = with_cards_shuffled(position, unknown[made], lot)
            same = play_one(player, other, rules, random_word=index)
            assert same[: made + 1] == moves[: made + 1]


def test_the_shuffle_of_unseen_cards_is_no_empty_test() -> None:
    position = start(0, Rules())
    moves = play_one("greedy", position, Rules())
    unknown = unknown_cards(position, [plain_move(move) for move in moves], Rules())
    other = with_cards_shuffled(position, unknown[3], random.Random(1))
    assert other != position
    assert play_one("greedy", other, Rules()) != moves


SCRIPT = 1
LOG = 1 + IDLE_MOVES_CEILING


@inlined_kernel
def choose_by_script(state, seen, rules, notes):
    """Make the moves that the notes tell, and note all that is seen before each."""
    ply = notes[0]
    notes[0] += 1
    for place in range(len(seen)):
        notes[LOG + ply * len(seen) + place] = seen[place]
    return notes[SCRIPT + ply]


def unseen_by_script(position: Position, moves: list[Move], rules: Rules) -> list[set[int]]:
    """For each number of moves made, the cards that the driver does not show a player.

    Those that it shows must be the right ones.
    """
    play = kernel_from(_play_game, "play_script", choose=choose_by_script)
    state, deck = pack_position(position, rules)
    notes = np.zeros(LOG + (len(moves) + 1) * len(deck), np.int64)
    notes[SCRIPT : LOG - 1] = STOP
    notes[SCRIPT : SCRIPT + len(moves)] = [packed_move(move) for move in moves]
    room = make_room(rules)
    play(state, deck, room.seen, notes, pack_rules(rules), room.moves)
    shown = notes[LOG:].reshape(-1, len(deck))[: notes[0]]
    assert ((shown == UNSEEN) | (shown == deck)).all()
    return [{card_of(kind) for kind in deck[row == UNSEEN]} for row in shown]


@pytest.mark.kernel_nets
@pytest.mark.parametrize("ranks", [1, 3, 5, 8, 13])
def test_players_see_just_what_they_may_after_every_move(ranks: int) -> None:
    lot = random.Random(ranks)
    for options in some_rules(ranks, 20):
        rules = replace(options, sees=lot.choice(SIGHTS))
        position = start(lot.randrange(100), rules)
        for _ in range(2):
            following, moves = random_moves(position, rules, lot, 150)
            unseen = unseen_by_script(position, moves, rules)
            assert len(unseen) >= len(moves)
            assert unseen == unknown_cards(position, moves, rules)[: len(unseen)]
            position = following


def random_moves(
    position: Position, rules: Rules, lot: random.Random, most: int
) -> tuple[Position, list[Move]]:
    """Some moves of a game, not beyond a win, and where they lead."""
    game, moves = ReferenceGame(position, rules), []
    while len(moves) < most and not game.is_won and (legal := game.legal_moves()):
        moves.append(lot.choice(legal))
        game.push(moves[-1])
    return game.position, moves


# Where games end


def random_word(index: int) -> int:
    """What a batch lets the ``random`` player begin with."""
    words = np.zeros(4, np.uint64)
    philox_block(words, 0, index, TEST_SEED, PLAYER_STREAM)
    return int(words[0].astype(np.int64))


@pytest.mark.kernel_nets
@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("rules", SOME_RULES, ids=rules_id)
def test_games_follow_the_textbook_and_end_where_the_batch_says(player: str, rules: Rules) -> None:
    batch = play_batch(player_task(player, rules, TEST_SEED), 0, 4)
    nodes = 0
    for index, score in enumerate(batch.deal_results.scores):
        moves = play_one(player, start(index, rules), rules, random_word(index))
        game = narrate(start(index, rules), moves, rules)
        nodes += len(moves)
        assert game.score == score
        assert (batch.deal_results.outcomes[index] == "w") == game.is_won
    assert batch.nodes == nodes


@pytest.mark.parametrize("player", PLAYERS)
def test_games_end(player: str) -> None:
    """Whatever the rules are; they are far from the ceiling that makes them."""
    for ranks in (1, 2, 4, 7, 10, 13):
        for rules in some_rules(ranks, 60, seed=1):
            for index in range(3):
                moves = play_one(player, start(index, rules), rules, random_word=index)
                assert len(moves) < MOVES_PER_GAME_CEILING // 4


@inlined_kernel
def choose_to_idle(state, seen, rules, notes):
    """Draw and recycle for ever."""
    return 0 if (state.places >> state.boundary) != 0 else 1


def test_idle_games_are_ended() -> None:
    play = kernel_from(_play_game, "play_idly", choose=choose_to_idle)
    state, deck = pack_position(start(0, Rules()), Rules())
    room = make_room(Rules(), moves=300)
    _, moves = play(state, deck, room.seen, room.notes, pack_rules(Rules()), room.moves)
    assert moves == IDLE_MOVES_CEILING
    assert {plain_move(move) for move in room.moves[:moves]} == {DRAW, RECYCLE}


# What is known of each


def greedy_by_the_textbook(position: Position, rules: Rules) -> list[int]:
    """Play up, else turn up, else play the waste, else draw, else recycle unless in vain."""
    game, moves, left_before = ReferenceGame(position, rules), [], 0
    while not game.is_won and (move := greedy_move(game)):
        if move == RECYCLE:
            left, left_before = left_before, len(game.position.waste)
            if left == left_before:
                break
        game.push(move)
        moves.append(packed_move(move))
    return moves


def greedy_move(game: ReferenceGame) -> Move | None:
    """What a greedy player does, the recycle even if in vain."""
    legal, piles = game.legal_moves(), game.position.piles

    def of_kind(kind: str) -> list[Move]:
        return [move for move in legal if move.kind == kind]

    turning = [
        move
        for move in of_kind("pile_to_pile")
        if piles[move.source].face_down and move.cards == len(piles[move.source].face_up)
    ]
    wishes = [
        *sorted(of_kind("pile_to_foundation")),
        *sorted(turning, key=lambda move: (-move.source, move.target)),
        *of_kind("waste_to_foundation"),
        *sorted(of_kind("waste_to_pile")),
        *(move for move in legal if move in (DRAW, RECYCLE)),
    ]
    return wishes[0] if wishes else None


@pytest.mark.parametrize("rules", SOME_RULES, ids=rules_id)
def test_greedy_is_the_plain_greedy_game(rules: Rules) -> None:
    for index in range(20):
        position = start(index, rules)
        assert play_one("greedy", position, rules) == greedy_by_the_textbook(position, rules)


def test_greedy_is_better_than_random() -> None:
    won = {
        player: play_batch(player_task(player, Rules(), TEST_SEED), 0, 2000).won
        for player in ("random", "greedy")
    }
    assert won["greedy"] > won["random"] + 20


def test_random_plays_differently_on_each_deal_and_alike_each_time() -> None:
    task = player_task("random", Rules(), TEST_SEED)
    assert play_batch(task, 0, 200) == play_batch(task, 0, 200)
    position = start(0, Rules())
    games = {tuple(play_one("random", position, Rules(), word)) for word in range(10)}
    assert len(games) == 10


def test_random_makes_every_legal_move_about_as_often() -> None:
    position = start(0, Rules())
    expected = len(ReferenceGame(position, Rules()).legal_moves())
    games = 600 * expected
    first = [play_one("random", position, Rules(), word * 2**40)[0] for word in range(games)]
    counts = [first.count(move) for move in set(first)]
    assert len(counts) == expected
    assert all(abs(count - 600) < 6 * 600**0.5 for count in counts)


@pytest.mark.parametrize("player", PLAYERS)
def test_a_batch_is_the_sum_of_its_parts(player: str) -> None:
    task = player_task(player, Rules(draw=3, redeals=1), TEST_SEED)
    whole = play_batch(task, 40, 60)
    first, second = play_batch(task, 40, 25), play_batch(task, 65, 35)
    assert whole.nodes == first.nodes + second.nodes
    assert whole.deal_results.scores == first.deal_results.scores + second.deal_results.scores
    assert whole.won == first.won + second.won


def test_players_that_are_listed_are_those_that_choose() -> None:
    assert list(PLAYERS) == list(CHOOSE)


def test_unknown_player() -> None:
    with pytest.raises(InputError, match="no player is called 'nobody'; there are random, greedy"):
        find_player("nobody")


def test_everything_that_can_change_a_result_is_in_the_task() -> None:
    task = player_task("greedy", Rules(redeals=1), 5)
    assert task.rules == Rules(redeals=1).to_dict()
    assert (task.seed, task.player, task.versions) == (5, "greedy", VERSIONS)
