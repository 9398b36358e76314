"""The friendly game, replays, and kernels' moves told between cells."""

from random import Random

import pytest

import devilsgrip
from dealstats.cards import make_card
from dealstats.errors import IllegalMove, UnreadableText
from devilsgrip import Game, Move, Rules, deal, dealt, parse_position, replay
from devilsgrip.batch import play_one
from devilsgrip.drawing import board_html, draw_board
from devilsgrip.kernel import legal_moves
from devilsgrip.layout import pack_position, pack_rules
from devilsgrip.narration import kernel_move, narrate
from devilsgrip.playing import make_room

ONE_SUIT = Rules(suits=1)
NEARLY_WON = parse_position(
    """
    A: 4C-7C-TC-KC  3C-6C-9C-QC
    B: 2C-5C-8C-JC  4C-7C-TC-KC
    C: 3C-6C-9C-QC  2C-5C-8C
    talon: JC
    stock:
    redeals used: 0
    """
)
EQUALS = parse_position(
    """
    A: 2C-5C 2C
    B: 3C 3C
    C: 4C 4C
    talon:
    stock: 5C 6C 7C 8C 9C TC JC QC KC 6C 7C 8C 9C TC JC QC KC
    redeals used: 0
    """
)


def random_moves(rules, seed, count=80):
    """The start of a random game, and its moves as texts."""
    random = Random(seed)
    game = Game(deal(seed, rules=rules), rules)
    start = game.position
    for _ in range(count):
        choice = game.legal_moves()
        if not choice:
            break
        game.push(random.choice(choice))
    return start, game


# The game.


def test_a_game_begins_with_a_deal():
    game = Game(deal(7))
    assert game.rules == Rules()
    assert game.position == dealt(deal(7), Rules())
    assert (game.score, game.is_won, game.moves) == (72, False, [])


def test_a_game_may_begin_with_a_position():
    game = Game(NEARLY_WON, ONE_SUIT)
    assert game.position == NEARLY_WON
    assert game.legal_moves() == ["talon>C2", "redeal"]


def test_moves_are_made_and_taken_back():
    game = Game(deal(7))
    start = game.position
    assert "C5>A1" in game.legal_moves()
    game.push("turn")
    game.push("c5 > a1")
    game.push(Move("swap", 0, 1))
    assert game.moves == ["turn", "C5>A1", "swap A1 A2"]
    assert game.score == 72 - 1
    assert (game.pop(), game.pop(), game.pop()) == ("swap A1 A2", "C5>A1", "turn")
    assert game.position == start
    assert game.moves == []


def test_nothing_to_take_back():
    with pytest.raises(IndexError):
        Game(deal(7)).pop()


def test_the_history_is_a_copy():
    game = Game(deal(7))
    game.moves.append("turn")
    assert game.moves == []


@pytest.mark.parametrize(
    ("move", "problem"),
    [
        ("redeal", r"^'redeal' is illegal: the stock is not empty \(DG7\)$"),
        ("A1>B1", r"^'A1>B1' is illegal: B1: 5H does not follow 9C \(DG4\)$"),
        (Move("place", target=0), r"^Move\(kind='place'.*\) is illegal: the talon is empty"),
        (Move("jump"), "is illegal: 'jump' is not one of the moves"),
        (Move("swap", 0, 99), "is illegal: target 99 is not a cell"),
    ],
)
def test_illegal_moves_change_nothing(move, problem):
    game = Game(deal(7))
    start = game.position
    with pytest.raises(IllegalMove, match=problem):
        game.push(move)
    assert game.position == start
    assert game.moves == []


def test_unreadable_moves():
    with pytest.raises(UnreadableText, match="'castle' is not a move"):
        Game(deal(7)).push("castle")


@pytest.mark.parametrize("start", [deal(7)[:-1], deal(7, rules=ONE_SUIT), NEARLY_WON, ()])
def test_a_start_that_is_no_table_of_the_rules(start):
    with pytest.raises(UnreadableText, match="missing"):
        Game(start)


def test_a_win():
    game = Game(NEARLY_WON, ONE_SUIT)
    game.push("talon>C2")
    assert game.is_won
    assert game.score == 0
    assert game.legal_moves() == []


def test_the_game_draws_itself():
    game = Game(deal(7))
    game.push("turn")
    assert str(game) == draw_board(game.position)
    assert game._repr_html_() == board_html(game.position)
    assert repr(game) == "<Game after 1 moves, 72 cards left>"


# Replays.


def test_a_replay_stops_at_the_first_move_that_cannot_be_made():
    start = dealt(deal(7), Rules())
    result = replay(start, ["turn", "C5>A1", "A8>B7", "turn"], Rules())
    assert not result.is_legal
    assert isinstance(result.problem, IllegalMove)
    assert str(result.problem) == ("move 3: 'A8>B7' is illegal: B7: 7S does not follow TC (DG4)")
    assert result.moves == ("turn", "C5>A1")
    assert result.cards_left == 71


def test_a_replay_stops_at_the_first_move_that_cannot_be_read():
    result = replay(dealt(deal(7), Rules()), ["turn", "turn left"], Rules())
    assert isinstance(result.problem, UnreadableText)
    assert str(result.problem).startswith("move 2: 'turn left' is not a move")


def test_a_replay_of_nothing():
    result = replay(NEARLY_WON, [], ONE_SUIT)
    assert result.is_legal
    assert result.position == NEARLY_WON


def test_the_rules_count_in_a_replay():
    position = Game(deal(7)).position
    moves = ["turn"] * 24 + ["redeal"]
    assert replay(position, moves, Rules()).is_legal
    problem = replay(position, moves, Rules(redeals=0)).problem
    assert str(problem) == "move 25: 'redeal' is illegal: the limit of redeals, 0, is reached (DG7)"


# Kernels' moves between cells.


def test_every_legal_move_has_its_kernel_move():
    rules = Rules(suits=2, unit="tail")
    packed, room = pack_rules(rules), make_room(rules, moves=300)
    start, game = random_moves(rules, seed=2, count=40)
    for text in game.moves:
        played = Game(start, rules)
        state, order = pack_position(start)
        count = legal_moves(state, order, packed, room.moves)
        moves = [devilsgrip.parse_move(legal, start) for legal in played.legal_moves()]
        assert {kernel_move(move, start) for move in moves} - {None} == set(
            room.moves[:count].tolist()
        )
        played.push(text)
        start = played.position


@pytest.mark.parametrize("text", ["swap A1 B1", "A1>A2:1"])
def test_moves_that_are_none_for_kernels(text):
    Game(EQUALS, Rules(suits=1, unit="tail")).push(text)
    assert kernel_move(devilsgrip.parse_move(text, EQUALS), EQUALS) is None


def test_a_win_is_told_with_its_picture():
    move = kernel_move(Move("place", target=5), NEARLY_WON)
    told = narrate(NEARLY_WON, [move], ONE_SUIT)
    assert told.is_won
    assert told.moves[0] == "talon>C2"
    assert [move.split()[0] for move in told.moves[1:]] == ["swap"] * 3
    assert [[pile[-1] for pile in told.position.grid[row : row + 2]] for row in (0, 2, 4)] == [
        [make_card(rank, 0)] * 2 for rank in (11, 12, 13)
    ]


def test_kernel_moves_that_are_not_legal():
    with pytest.raises(ValueError, match=r"^move 2: no legal move is the kernel's 1$"):
        narrate(dealt(deal(7), Rules()), [0, 1], Rules())


def test_the_game_of_a_player_is_told():
    start = dealt(deal(7), Rules())
    told = narrate(start, play_one("greedy", start, Rules()), Rules())
    assert told.score < 72
    assert replay(start, told.moves, Rules()).position == told.position
