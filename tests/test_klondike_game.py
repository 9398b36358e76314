"""The friendly game, replays, and kernels' moves told on the table."""

from random import Random

import pytest

from dealstats.errors import IllegalMove, UnreadableText
from klondike import Game, Move, Rules, deal, dealt, parse_position, replay
from klondike.batch import play_one
from klondike.drawing import board_html, draw_board
from klondike.narration import narrate

FIVES = Rules(ranks=5, piles=3)
NEARLY_WON = parse_position(
    """
    foundations: 4C 5D 4H 5S
    1:
    2: [5C] 5H
    3:
    waste:
    stock:
    recycles used: 0
    """
)


# The game.


def test_a_game_begins_with_a_deal():
    game = Game(deal(7))
    assert game.rules == Rules()
    assert game.position == dealt(deal(7), Rules())
    assert (game.score, game.is_won, game.moves) == (0, False, [])


def test_a_game_may_begin_with_a_draw():
    game = Game(deal(7), Rules(start_with_draw=True, scoring="vegas"))
    assert len(game.position.waste) == 1
    assert (game.score, game.moves) == (-52, [])


def test_a_game_may_begin_with_a_position():
    game = Game(NEARLY_WON, FIVES)
    assert game.position == NEARLY_WON
    assert game.legal_moves() == [
        *("2>F", "2>1:1", "2>3:1", "C>2", "D>1", "D>3", "S>1", "S>3"),
    ]


def test_moves_are_made_and_taken_back():
    game = Game(deal(7))
    start = game.position
    assert "4>F" in game.legal_moves()
    game.push("draw")
    game.push("4 > f")
    game.push(Move("pile_to_foundation", 1))
    game.push("7>4")
    assert game.moves == ["draw", "4>F", "2>F", "7>4:1"]
    assert game.score == 2 * (10 + 10) + 10
    assert [game.pop() for _ in range(4)] == ["7>4:1", "2>F", "4>F", "draw"]
    assert (game.position, game.score, game.moves) == (start, 0, [])


def test_nothing_to_take_back():
    with pytest.raises(IndexError):
        Game(deal(7)).pop()


def test_the_history_is_a_copy():
    game = Game(deal(7))
    game.moves.append("draw")
    assert game.moves == []


@pytest.mark.parametrize(
    ("move", "problem"),
    [
        ("recycle", r"^'recycle' is illegal: the stock is not empty \(KL6\)$"),
        ("1>2", r"^'1>2' is illegal: pile 2: 3D does not follow 2C \(KL3\)$"),
        ("1>F", r"^'1>F' is illegal: foundation D waits for AD, not 3D \(KL5\)$"),
        ("H>1", r"^'H>1' is illegal: foundation H is empty \(KL5\)$"),
        ("7>1:2", r"^'7>1:2' is illegal: a card face down never moves, and pile 7 has 1 face up"),
        ("7>1:8", r"^'7>1:8' is illegal: 8 cards cannot be moved from the 7 of pile 7 \(KL3\)$"),
        ("7>1:0", r"^'7>1:0' is illegal: 0 cards cannot be moved from the 7 of pile 7 \(KL3\)$"),
        (
            Move("waste_to_pile", target=0),
            r"^Move\(kind='waste_.*\) is illegal: the waste is empty",
        ),
        (Move("jump"), "is illegal: 'jump' is not one of the moves"),
        (Move("pile_to_pile", 0, 9, 1), "is illegal: the target, pile 10, is not one of the piles"),
    ],
)
def test_illegal_moves_change_nothing(move, problem):
    game = Game(deal(7))
    start = game.position
    with pytest.raises(IllegalMove, match=problem):
        game.push(move)
    assert (game.position, game.moves) == (start, [])


@pytest.mark.parametrize("empty_pile", ["king", "any"])
def test_a_card_face_down_never_moves(empty_pile):
    rules = Rules(empty_pile=empty_pile, piles=7)
    random = Random(5)
    for seed in range(8):
        game = Game(deal(seed), rules)
        for _ in range(40):
            for source, pile in enumerate(game.position.piles):
                face_up, size = len(pile.face_up), len(pile.face_up) + len(pile.face_down)
                for cards in range(face_up + 1, size + 1):
                    for target in range(7):
                        with pytest.raises(IllegalMove):
                            game.push(f"{source + 1}>{target + 1}:{cards}")
            hidden = [pile.face_down for pile in game.position.piles]
            game.push(random.choice(game.legal_moves()))
            for before, pile in zip(hidden, game.position.piles, strict=True):
                assert pile.face_down in (before, before[:-1])


def test_unreadable_moves():
    with pytest.raises(UnreadableText, match="'castle' is not a move"):
        Game(deal(7)).push("castle")


@pytest.mark.parametrize(
    ("start", "problem"),
    [
        (deal(7)[:-1], "missing"),
        (deal(7, rules=Rules(ranks=12)), "missing"),
        (NEARLY_WON, "the tableau has 3 piles instead of 7"),
    ],
)
def test_a_start_that_is_no_table_of_the_rules(start, problem):
    with pytest.raises(UnreadableText, match=problem):
        Game(start)


def test_a_win():
    game = Game(NEARLY_WON, FIVES)
    game.push("2>F")
    assert (game.is_won, game.score) == (False, 10 + 10)
    game.push("2>F")
    assert (game.is_won, game.score) == (True, 10 + 10 + 10 + 50)


def test_the_literal_score_has_no_best():
    game = Game(NEARLY_WON, FIVES)
    for _ in range(100):
        game.push("S>1")
        game.push("1>F")
    assert game.score == 100 * (10 - 5)


def test_the_game_draws_itself():
    game = Game(deal(7))
    game.push("draw")
    assert str(game) == draw_board(game.position)
    assert game._repr_html_() == board_html(game.position)
    assert repr(game) == "<Game after 1 moves, 0 points>"


# Replays.


def test_a_replay_stops_at_the_first_move_that_cannot_be_made():
    start = dealt(deal(7), Rules())
    result = replay(start, ["draw", "4>F", "1>2:1", "draw"], Rules())
    assert not result.is_legal
    assert isinstance(result.problem, IllegalMove)
    assert str(result.problem) == (
        "move 3: '1>2:1' is illegal: pile 2: 3D does not follow 2C (KL3)"
    )
    assert result.moves == ("draw", "4>F")
    assert result.score == 20


def test_a_replay_stops_at_the_first_move_that_cannot_be_read():
    result = replay(dealt(deal(7), Rules()), ["draw", "draw two"], Rules())
    assert isinstance(result.problem, UnreadableText)
    assert str(result.problem).startswith("move 2: 'draw two' is not a move")


def test_a_replay_of_nothing():
    result = replay(NEARLY_WON, [], FIVES)
    assert result.is_legal
    assert result.position == NEARLY_WON


def test_the_rules_count_in_a_replay():
    position = Game(deal(7)).position
    moves = ["draw"] * 24 + ["recycle"]
    assert replay(position, moves, Rules()).score == -15
    assert replay(position, moves, Rules.preset("draw-one")).score == 0
    problem = replay(position, moves, Rules(redeals=0)).problem
    assert str(problem) == (
        "move 25: 'recycle' is illegal: the limit of redeals, 0, is reached (KL6)"
    )


# Kernels' moves on the table.


def test_kernel_moves_that_are_not_legal():
    with pytest.raises(ValueError, match=r"^move 2: the kernel's 1 is no legal move$"):
        narrate(dealt(deal(7), Rules()), [0, 1], Rules())


@pytest.mark.parametrize("player", ["random", "greedy"])
def test_the_game_of_a_player_is_told(player):
    start = dealt(deal(7), Rules())
    told = narrate(start, play_one(player, start, Rules(), random_word=3), Rules())
    assert told.position.cards_up > 0
    assert replay(start, told.moves, Rules()).score == told.score
