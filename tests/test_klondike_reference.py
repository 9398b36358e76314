"""The textbook game of Klondike, rule by rule (the ids are those of RULES.md)."""

from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise, product
from random import Random

import pytest

from dealstats.cards import PACK, format_card, parse_card, rank_of, suit_of
from dealstats.errors import IllegalMove, UnreadableText
from klondike.deck import deal, pack
from klondike.position import DRAW, RECYCLE, Move, Pile, Position, dealt
from klondike.reference import ReferenceGame, position_problems, precedes
from klondike.rules import EMPTY_PILES, FOUNDATION_AWARDS, SCORINGS, SIGHTS, Rules

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
WASTE_UP = Move("waste_to_foundation")


def small(**options):
    """Rules of a game of 20 cards, ace to five, and three piles; the fives play the kings' part."""
    return Rules(**{"ranks": 5, "piles": 3} | options)


def cards(text):
    """Cards from text in which ``-`` separates like a blank."""
    return tuple(parse_card(word) for word in text.replace("-", " ").split())


def a_pile(text):
    """A pile from text such as ``2C-3C|5H-4S``, face down before the bar, or ``.``."""
    face_down, _, face_up = text.strip(".").rpartition("|")
    return Pile(cards(face_down), cards(face_up))


def table(
    tableau, waste="", stock="", foundations="", recycles_used=0, *, rules=None, rest="stock"
):
    """A position whose unnamed cards come last in the stock, or lie lowest in the waste."""
    ranks = [0] * 4
    for card in cards(foundations):
        ranks[suit_of(card)] = rank_of(card)
    named = Position(
        tuple(ranks), tuple(map(a_pile, tableau.split())), cards(waste), cards(stock), recycles_used
    )
    unnamed = tuple(sorted(set(pack(rules or small())) - set(cards_of(named))))
    if rest == "stock":
        return replace(named, stock=named.stock + unnamed)
    return replace(named, waste=unnamed + named.waste)


def cards_up(position):
    """The cards on the foundations."""
    return {card for card in PACK if rank_of(card) <= position.foundations[suit_of(card)]}


def cards_of(position):
    """All cards of a position, those of the foundations included."""
    return [
        *cards_up(position),
        *(card for pile in position.piles for card in pile.face_down + pile.face_up),
        *position.waste,
        *position.stock,
    ]


def game(tableau, waste="", stock="", foundations="", recycles_used=0, *, rest="stock", **options):
    rules = small(**options)
    position = table(tableau, waste, stock, foundations, recycles_used, rules=rules, rest=rest)
    return ReferenceGame(position, rules)


def down(target):
    return Move("waste_to_pile", target=target)


def up(source):
    return Move("pile_to_foundation", source)


def shift(source, target, count=1):
    return Move("pile_to_pile", source, target, count)


def back(suit, target):
    return Move("foundation_to_pile", suit, target)


def moves_of(played, kind):
    return {move for move in played.legal_moves() if move.kind == kind}


def piles_text(position):
    """The tableau in the notation of these tests."""

    def joined(part):
        return "-".join(map(format_card, part))

    return " ".join(
        joined(pile.face_down) + "|" * bool(pile.face_down) + joined(pile.face_up) or "."
        for pile in position.piles
    )


def push_all(played, *moves):
    """Make moves; the points that each of them made."""
    gains = []
    for move in moves:
        score = played.score
        played.push(move)
        gains.append(played.score - score)
    return gains


def shuffled_deal(rules, seed):
    deck = pack(rules)
    Random(seed).shuffle(deck)
    return dealt(tuple(deck), rules)


# KL1: the pack and the deal


def test_a_deal_has_piles_of_one_to_seven_cards_and_a_stock():
    played = ReferenceGame(dealt(deal(7), Rules()), Rules())
    position = played.position
    assert [len(pile.face_down) for pile in position.piles] == list(range(7))
    assert [len(pile.face_up) for pile in position.piles] == [1] * 7
    assert (len(position.waste), len(position.stock)) == (0, 24)
    assert sorted(cards_of(position)) == list(PACK)
    assert (position.foundations, played.moves_made, played.is_won) == ((0, 0, 0, 0), 0, False)


@pytest.mark.parametrize(("ranks", "piles"), [(1, 1), (1, 2), (2, 3), (7, 7), (13, 1)])
def test_small_packs_are_dealt_and_played_alike(ranks, piles):
    rules = Rules(ranks=ranks, piles=piles)
    position = shuffled_deal(rules, 1)
    assert position_problems(position, rules) == []
    assert sorted(cards_of(position)) == pack(rules)


# Defects of a position


def test_a_good_position_has_no_problems():
    position = table("5H-4S AD-2D|5C .", waste="3C AH", stock="3D", foundations="2S")
    assert position_problems(position, small()) == []


@pytest.mark.parametrize(
    ("position", "options", "fragments"),
    [
        (table("5H 4S"), {}, ["2 piles instead of 3 (KL1)"]),
        (table("5H 4S . ."), {}, ["4 piles instead of 3 (KL1)"]),
        (replace(table("5H 4S .", stock="AC"), stock=cards("AC")), {}, ["missing: 2C 3C"]),
        (table("5H 5H|4S ."), {}, ["too many of: 5H (KL1)"]),
        (table("5H 3C .", foundations="3C"), {}, ["too many of: 3C (KL1)"]),
        (table("6H 5C .", waste="KD"), {}, ["not in this pack: KD 6H (KL1)"]),
        (replace(table(". . ."), waste=(99, -1)), {}, ["not a card: -1 99 (KL1)"]),
        (table("5H-4D . ."), {}, ["pile 1: 4D does not follow 5H (KL3)"]),
        (table("5H . 2C|5S-4H-2S"), {}, ["pile 3: 2S does not follow 4H (KL3)"]),
        (table("5H . 4S-5S"), {}, ["pile 3: 5S does not follow 4S (KL3)"]),
        (table("5H 3C-2D| ."), {}, ["pile 2 has cards face down, but none face up (KL7)"]),
        (
            table("5H 4S .", foundations="6D"),
            {},
            ["not in this pack: 6D (KL1)", "foundation D has the rank 6, not one from 0 to 5"],
        ),
        (
            replace(table("5H 4S ."), foundations=(0, 0, -1, 0)),
            {},
            ["foundation H has the rank -1, not one from 0 to 5 (KL5)"],
        ),
        (table("5H 4S .", recycles_used=-1), {}, ["recycles used is -1 (KL6)"]),
        (
            table("5H 4S .", recycles_used=3),
            {"redeals": 2},
            ["recycles used is 3, above the limit of 2 (KL6)"],
        ),
    ],
)
def test_defects_are_named(position, options, fragments):
    rules = small(**options)
    lines = position_problems(position, rules)
    assert all(fragment in line for fragment, line in zip(fragments, lines, strict=True))
    assert not any("\n" in line for line in lines)
    with pytest.raises(UnreadableText) as error:
        ReferenceGame(position, rules)
    assert str(error.value) == "; ".join(lines)


def test_every_defect_is_listed():
    position = table("5H-3S 2C| 4S .", waste="KD", foundations="6D", recycles_used=-1)
    assert len(position_problems(position, small())) == 6


def test_a_rank_beyond_the_king_is_a_defect():
    position = replace(table("5H . ."), foundations=(14, 0, 0, 0))
    assert any("rank 14" in line for line in position_problems(position, small()))


def test_hidden_cards_in_any_order_and_many_unlimited_recycles_are_no_defects():
    position = table("AC-5C-AD|5H-4S-3D . .", foundations="AS", recycles_used=99)
    assert position_problems(position, small()) == []


# KL2: drawing


@pytest.mark.parametrize(
    ("draw", "waste", "stock"),
    [
        (1, "AC 2D", "3D 4D 5D"),
        (2, "AC 2D 3D", "4D 5D"),
        (3, "AC 2D 3D 4D", "5D"),
        (4, "AC 2D 3D 4D 5D", ""),
        (24, "AC 2D 3D 4D 5D", ""),
    ],
)
def test_cards_are_turned_in_groups_the_last_on_top(draw, waste, stock):
    played = game("AD . .", "AC", "2D 3D 4D 5D", rest="waste", draw=draw)
    unnamed = played.position.waste[:-1]
    played.push(DRAW)
    assert played.position.waste == unnamed + cards(waste)
    assert played.position.stock == cards(stock)


def test_a_short_last_group_is_turned_as_it_is():
    played = game("AD . .", "", "2D 3D 4D 5D", rest="waste", draw=3)
    push_all(played, DRAW, DRAW)
    assert played.position.waste[-4:] == cards("2D 3D 4D 5D")
    assert DRAW not in played.legal_moves()


def test_only_the_top_waste_card_is_played():
    played = game("5H 5D .", "AC 4C 4S")
    assert moves_of(played, "waste_to_pile") == {down(0), down(1)}
    played.push(down(1))
    assert played.position.waste == cards("AC 4C")
    assert piles_text(played.position) == "5H 5D-4S ."
    played.push(down(0))
    assert WASTE_UP in played.legal_moves()


@pytest.mark.parametrize("draw", [1, 3])
def test_the_first_cards_may_be_turned_at_the_start(draw):
    rules = Rules(draw=draw, start_with_draw=True)
    position = ReferenceGame(dealt(deal(7), rules), rules).position
    assert position.waste == deal(7)[28 : 28 + draw]
    assert position.stock == deal(7)[28 + draw :]


def test_drawing_is_allowed_while_cards_can_be_moved():
    assert game("5H 4S .").legal_moves() == [shift(0, 2), shift(1, 0), DRAW]


# KL3: building in the tableau


def test_precedes_goes_down_in_rank_and_alternates_the_colours():
    for lower, upper in product(PACK, PACK):
        (rank, suit), (lower_rank, lower_suit) = map(format_card, (upper, lower))
        one_lower = rank + lower_rank in "A23456789TJQK"
        other_colour = (suit in "CS") != (lower_suit in "CS")
        assert precedes(lower, upper) == (one_lower and other_colour)


def test_any_face_up_part_of_a_pile_moves():
    played = game("5H-4S-3D-2S 3H|4C 5D", partial_runs=True)
    assert moves_of(played, "pile_to_pile") == {shift(0, 1, 2), shift(0, 2, 3), shift(1, 2)}
    played.push(shift(0, 1, 2))
    assert piles_text(played.position) == "5H-4S 3H|4C-3D-2S 5D"


def test_whole_runs_only():
    played = game("5H-4S-3D-2S 3H|4C 5D", partial_runs=False)
    assert moves_of(played, "pile_to_pile") == {shift(1, 2)}
    played = game("5H-4S-3D-2S 3C|4D-3S 5C", partial_runs=False)
    assert moves_of(played, "pile_to_pile") == {shift(1, 2, 2)}
    played.push(shift(1, 2, 2))
    assert piles_text(played.position) == "5H-4S-3D-2S 3C 5C-4D-3S"


def test_whole_runs_only_still_lets_top_cards_go_to_the_foundation():
    assert up(0) in game("5H-4S-3D-2S . .", foundations="AS", partial_runs=False).legal_moves()


def test_a_card_face_down_never_moves():
    played = game("5H 4S|3D .")
    assert moves_of(played, "pile_to_pile") == {shift(0, 2)}
    assert "face down never moves" in played.problem_with(shift(1, 0, 2))


# KL4: empty piles


@pytest.mark.parametrize(
    ("empty_pile", "king", "other"),
    [("king", True, False), ("any", True, True), ("none", False, False)],
)
def test_what_may_be_laid_on_an_empty_pile(empty_pile, king, other):
    def taken(move, *arguments, **named):
        return move in game(*arguments, **named, empty_pile=empty_pile).legal_moves()

    assert taken(down(1), "AH . 2H", "5C") == king
    assert taken(down(1), "AH . 2H", "4C") == other
    assert taken(shift(0, 1, 2), "AC|5H-4S . 2H") == king
    assert taken(shift(0, 1), "5H-4S . 2H") == other
    assert taken(back(CLUBS, 1), "AH . 2H", foundations="5C") == king
    assert taken(back(CLUBS, 1), "AH . 2H", foundations="4C") == other


def test_in_the_full_pack_only_kings_enter_an_empty_pile():
    rules = Rules(piles=1)
    for rank in "A23456789TJQK":
        played = ReferenceGame(table(".", waste=f"{rank}C", rules=rules), rules)
        assert (down(0) in played.legal_moves()) == (rank == "K")


@pytest.mark.parametrize("partial_runs", [True, False])
def test_a_whole_pile_may_change_its_place(partial_runs):
    played = game("5H-4S . AC", partial_runs=partial_runs)
    played.push(shift(0, 1, 2))
    assert piles_text(played.position) == ". 5H-4S AC"
    assert shift(1, 0, 2) in played.legal_moves()


# KL5: foundations


def test_foundations_are_built_by_suit_from_the_ace():
    played = game("4H|AH 2H 2S", "AS", foundations="2C 5D")
    assert moves_of(played, "pile_to_foundation") == {up(0)}
    push_all(played, up(0), up(1), WASTE_UP, up(2))
    assert played.position.foundations == (2, 5, 2, 2)
    assert moves_of(played, "pile_to_foundation") == set()
    assert piles_text(played.position) == "4H . ."


def test_the_waste_card_must_be_next_of_its_suit():
    assert WASTE_UP not in game("5H . .", "3C", foundations="AC 2S").legal_moves()
    assert WASTE_UP in game("5H . .", "3S", foundations="AC 2S").legal_moves()


def test_the_top_foundation_card_may_return_to_the_tableau():
    played = game("3H 4S 4D", foundations="2C 3D")
    assert moves_of(played, "foundation_to_pile") == {back(CLUBS, 0), back(DIAMONDS, 1)}
    played.push(back(CLUBS, 0))
    assert played.position.foundations == (1, 3, 0, 0)
    assert piles_text(played.position) == "3H-2C 4S 4D"
    assert up(0) in played.legal_moves()


def test_without_worrying_back_no_card_returns():
    played = game("3H . 4S", foundations="2C 3D", worrying_back=False, empty_pile="any")
    assert moves_of(played, "foundation_to_pile") == set()


# KL6: recycling


def test_a_recycle_keeps_the_order():
    played = game("5H . .", rest="waste")
    waste = played.position.waste
    played.push(RECYCLE)
    assert (played.position.waste, played.position.stock) == ((), waste)
    assert played.position.recycles_used == 1
    played.push(DRAW)
    assert played.position.waste == waste[:1]


@pytest.mark.parametrize(
    ("limit", "used", "allowed"),
    [(None, 0, True), (None, 99, True), (0, 0, False), (1, 0, True), (1, 1, False), (2, 1, True)],
)
def test_recycles_are_limited(limit, used, allowed):
    played = game("5H . .", recycles_used=used, rest="waste", redeals=limit)
    assert (RECYCLE in played.legal_moves()) == allowed


def test_a_recycle_needs_an_empty_stock_and_a_waste():
    assert RECYCLE not in game("5H . .", "4C", "3C").legal_moves()
    assert RECYCLE not in game("5H . .", foundations="5C 5D 4H 5S").legal_moves()


# KL7: turning up


@pytest.mark.parametrize(
    ("piles", "move", "after"),
    [
        ("5H 2C-3C|4S .", shift(1, 0), "5H-4S 2C|3C ."),
        ("5H 2C|4S-3D .", shift(1, 0, 2), "5H-4S-3D 2C ."),
        ("5H 2C-3C|AS .", up(1), "5H 2C|3C ."),
        ("5H 4C-2C|5S-4D-3C 4H", shift(1, 2), "5H 4C-2C|5S-4D 4H-3C"),
        ("5H 4S .", shift(1, 0), "5H-4S . ."),
        ("2S AS .", up(1), "2S . ."),
    ],
)
def test_a_card_laid_bare_is_turned_up_at_once(piles, move, after):
    played = game(piles)
    played.push(move)
    assert piles_text(played.position) == after


def test_a_card_laid_bare_is_in_play():
    played = game("4S-2S|AS . 5H")
    push_all(played, up(0), up(0), shift(0, 2))
    assert piles_text(played.position) == ". . 5H-4S"


# KL8: the end


def test_the_game_is_won_when_all_cards_are_on_the_foundations():
    played = game("5H . .", foundations="5C 5D 4H 5S")
    assert not played.is_won
    played.push(up(0))
    assert played.is_won
    played.push(back(CLUBS, 0))
    assert not played.is_won


def test_moves_made_are_counted_and_taken_back():
    played = game("5H 4S .")
    push_all(played, shift(1, 0), DRAW, DRAW)
    assert played.moves_made == 3
    played.pop()
    assert played.moves_made == 2


# KL9: points

# Pile 4 gives the score some room above a floor, see `warmed_up`.
EVENTS = {
    "waste to tableau": ("5H . 2H 3C-2C|AC", "4S", down(0)),
    "waste to foundation": ("5H . 2H 3C-2C|AC", "AS", WASTE_UP),
    "tableau to foundation": ("5H AS 2H 3C-2C|AC", "", up(1)),
    "turn-up": ("5H 2D|4S 2H 3C-2C|AC", "", shift(1, 0)),
    "tableau to foundation with turn-up": ("5H 2D|AS 2H 3C-2C|AC", "", up(1)),
    "foundation to tableau": ("4H . 2H 3C-2C|AC", "", back(CLUBS, 0)),
    "tableau to tableau": ("5H 4S 2H 3C-2C|AC", "", shift(1, 0)),
    "part of a run": ("5H-4S-3D 4C 2H 3C-2C|AC", "", shift(0, 1)),
    "draw": ("5H 4S 2H 3C-2C|AC", "", DRAW),
}
POINTS = {
    "stargames": [5, 10, 10, 10, 20, -5, 0, 0, 0],
    "standard": [5, 10, 10, 5, 15, -15, 0, 0, 0],
    "vegas": [0, 5, 5, 0, 5, -5, 0, 0, 0],
}
WARMTH = {"stargames": 50, "standard": 40, "vegas": 15 - 52}


def warmed_up(tableau, waste="", **options):
    """A game in which pile 4, of 3C, 2C and AC, has been played to its foundation."""
    played = game(tableau, waste, piles=4, **options)
    push_all(played, up(3), up(3), up(3))
    return played


@pytest.mark.parametrize(
    ("scoring", "event", "points"),
    [
        (scoring, event, points)
        for scoring in SCORINGS
        for event, points in zip(EVENTS, POINTS[scoring], strict=True)
    ],
)
def test_each_event_makes_its_points(scoring, event, points):
    piles, waste, move = EVENTS[event]
    played = warmed_up(piles, waste, scoring=scoring)
    assert played.score == WARMTH[scoring]
    assert push_all(played, move) == [points]


@pytest.mark.parametrize(("scoring", "start"), [("stargames", 0), ("standard", 0), ("vegas", -52)])
def test_the_score_at_the_start(scoring, start):
    assert game("5H . .", foundations="5C", scoring=scoring).score == start


# After 12 cards went up, the other eight wait in stock and waste.
READY_TO_CYCLE = "4C-3C-2C|AC 4D-3D-2D|AD 4H-3H-2H|AH"


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
    played = game(READY_TO_CYCLE, recycles_used=used, **options)
    push_all(played, *[up(0)] * 4, *[up(1)] * 4, *[up(2)] * 4)
    for charge in charges:
        while DRAW in played.legal_moves():
            assert push_all(played, DRAW) == [0]
        assert push_all(played, RECYCLE) == [charge]


def test_standard_never_falls_below_zero():
    played = game("4H . .", foundations="3C", scoring="standard")
    assert push_all(played, back(CLUBS, 0), up(0), back(CLUBS, 0), up(0)) == [0, 10, -10, 10]


@pytest.mark.parametrize(("scoring", "score"), [("stargames", -20), ("vegas", -57)])
def test_other_scores_may_fall_below_their_start(scoring, score):
    played = game("4H . .", foundations="3C", rest="waste", scoring=scoring)
    push_all(played, RECYCLE, back(CLUBS, 0))
    assert played.score == score


def test_the_literal_award_lets_a_card_gain_points_for_ever():
    played = game("4H . .", foundations="3C", foundation_award="each_time")
    for rounds in range(1, 201):
        push_all(played, back(CLUBS, 0), up(0))
        assert played.score == 5 * rounds
    assert played.score > 900


@pytest.mark.parametrize(
    ("scoring", "award", "round_gain"),
    [
        ("stargames", "each_time", 5),
        ("standard", "each_time", -5),
        ("vegas", "each_time", 0),
        ("stargames", "first_time", -5),
        ("standard", "first_time", -15),
        ("vegas", "first_time", -5),
    ],
)
def test_what_a_round_from_and_to_the_foundation_gains(scoring, award, round_gain):
    played = warmed_up("4H . 2H 3C-2C|AC", scoring=scoring, foundation_award=award)
    for _ in range(2):
        assert sum(push_all(played, back(CLUBS, 0), up(0))) == round_gain


def test_first_time_awards_each_card_once():
    played = game("3H 2C AD", "AC", empty_pile="any", foundation_award="first_time")
    assert push_all(played, WASTE_UP, up(1), back(CLUBS, 0)) == [10, 10, -5]
    assert push_all(played, back(CLUBS, 1), up(1), up(0)) == [-5, 0, 0]
    assert push_all(played, up(2)) == [10]


def test_first_time_counts_cards_that_were_up_at_the_start_as_awarded():
    played = game("3H 3C .", foundations="2C", foundation_award="first_time")
    assert push_all(played, back(CLUBS, 0), up(0), up(1)) == [-5, 0, 10]


def test_first_time_does_not_touch_other_points():
    played = game("3H 3D|2C .", foundations="AC", foundation_award="first_time")
    assert push_all(played, up(1), back(CLUBS, 0), up(0)) == [20, -5, 0]


@pytest.mark.parametrize(("scoring", "gains"), [("stargames", 60), ("standard", 10), ("vegas", 5)])
def test_the_cleared_tableau_is_awarded_once(scoring, gains):
    played = game("AC . .", "5D AD", scoring=scoring, empty_pile="any")
    points = played.rules.points
    assert push_all(played, up(0), WASTE_UP) == [gains, points.to_foundation]
    assert played.position.is_cleared
    assert push_all(played, back(CLUBS, 1), up(1)) == [points.from_foundation, points.to_foundation]
    assert played.position.is_cleared


def test_a_tableau_with_any_card_is_not_cleared():
    assert push_all(game("AC 5H ."), up(0)) == [10]


def test_turning_up_and_clearing_come_with_the_move():
    played = game("2C|AC . .")
    assert push_all(played, up(0), up(0)) == [10 + 10, 10 + 50]


def test_a_tableau_that_is_empty_at_the_start_has_been_cleared():
    played = game(". . .", "5C", empty_pile="any", foundations="AD")
    assert push_all(played, DRAW, back(DIAMONDS, 0), up(0)) == [0, -5, 10]


def test_the_best_score_of_four_aces():
    rules = Rules(ranks=1, piles=1, foundation_award="first_time")
    played = ReferenceGame(dealt(cards("AC AD AH AS"), rules), rules)
    assert push_all(played, up(0)) == [60]
    for _ in range(3):
        assert push_all(played, DRAW, down(0), up(0)) == [0, 5, 10]
    assert played.is_won
    assert played.score == 4 * 10 + 3 * 5 + 50


def won_from_the_top(**options):
    """A game won by playing cards to the foundations as they come, with one pass of the stock."""
    rules = Rules(**options)
    by_rank = sorted(PACK, key=rank_of)
    lowest, stock = iter(by_rank[:28]), by_rank[28:]
    piles = [[] for _ in range(7)]
    for depth in range(7):
        for pile in piles[depth:]:
            pile.insert(0, next(lowest))
    tableau = tuple(Pile(tuple(pile[:-1]), tuple(pile[-1:])) for pile in piles)
    played = ReferenceGame(Position((0, 0, 0, 0), tableau, (), tuple(stock)), rules)
    while not played.is_won:
        upward = moves_of(played, "pile_to_foundation") | moves_of(played, "waste_to_foundation")
        played.push(min(upward, default=DRAW))
    return played


@pytest.mark.parametrize("award", FOUNDATION_AWARDS)
@pytest.mark.parametrize(
    ("scoring", "score"),
    [
        ("stargames", 52 * 10 + 21 * 10 + 50),
        ("standard", 52 * 10 + 21 * 5),
        ("vegas", 52 * 5 - 52),
    ],
)
def test_the_score_of_a_whole_game(scoring, score, award):
    played = won_from_the_top(scoring=scoring, foundation_award=award)
    assert played.score == score
    assert played.moves_made == 52 + 24


# KL11: what a player sees


@pytest.mark.parametrize("sees", SIGHTS)
def test_what_a_player_sees_changes_no_move(sees):
    assert game("5H 4S|2D .", sees=sees).legal_moves() == game("5H 4S|2D .").legal_moves()


# Keys


def test_different_positions_have_different_keys():
    keys = {
        game(*arguments).key()
        for arguments in [
            ("5H 4S .", "", "AC AD"),
            ("5H 4S .", "", "AD AC"),
            ("4S 5H .", "", "AC AD"),
            ("5H . 4S", "", "AC AD"),
            ("5H-4S . .", "", "AC AD"),
            ("5H|4S . .", "", "AC AD"),
            ("5H 4S .", "AC", "AD"),
            ("5H 4S .", "AC AD"),
            ("5H 4S .", "AD AC"),
            ("5H 4S .", "", "AD", "AC"),
            ("5H 4S .", "", "AC", "AD"),
        ]
    }
    assert len(keys) == 11


@pytest.mark.parametrize(("limit", "distinct"), [(None, 1), (3, 2)])
def test_recycles_used_count_in_the_key_only_if_limited(limit, distinct):
    keys = {game("5H 4S .", recycles_used=used, redeals=limit).key() for used in (0, 1)}
    assert len(keys) == distinct


def test_the_score_makes_no_difference_to_the_key():
    played = game("4H . .", foundations="3C")
    key = played.key()
    push_all(played, back(CLUBS, 0), up(0))
    assert played.score == 5
    assert played.key() == key
    assert hash(played.key()) == hash(key)


# Push and pop


def test_pop_restores_position_score_and_memory_and_returns_the_move():
    played = game("4C-2C|3D AC 4S", "AD", rest="waste", foundation_award="first_time")
    moves = [up(1), shift(0, 2), up(0), back(CLUBS, 2), WASTE_UP, RECYCLE, DRAW]
    passed = []
    for move in moves:
        passed.append((played.position, played.score))
        played.push(move)
    for move, before in zip(reversed(moves), reversed(passed), strict=True):
        assert played.pop() == move
        assert (played.position, played.score) == before
    with pytest.raises(IndexError):
        played.pop()


def test_pop_forgets_the_award_of_a_card():
    played = game("AC . 2H", foundation_award="first_time")
    for _ in range(2):
        assert push_all(played, up(0), back(CLUBS, 2), up(2)) == [10, -5, 0]
        for _ in range(3):
            played.pop()


def test_pop_forgets_that_the_tableau_was_cleared():
    played = game("AC . .")
    for _ in range(2):
        assert push_all(played, up(0)) == [60]
        played.pop()


def test_pop_restores_a_score_that_the_floor_had_raised():
    played = game("4H . .", foundations="3C", scoring="standard", rest="waste")
    assert push_all(played, back(CLUBS, 0), up(0), RECYCLE) == [0, 10, -10]
    assert [(played.pop(), played.score) for _ in range(3)] == [
        (RECYCLE, 10),
        (up(0), 0),
        (back(CLUBS, 0), 0),
    ]


def test_an_illegal_move_changes_nothing():
    played = game("5H 4S .")
    before, score = played.position, played.score
    with pytest.raises(IllegalMove, match="KL6"):
        played.push(RECYCLE)
    assert (played.position, played.score, played.moves_made) == (before, score, 0)


def test_a_position_taken_from_a_game_stays_as_it_was():
    played = game("5H 4S .")
    taken = played.position
    played.push(shift(1, 0))
    assert taken == table("5H 4S .")


# Why a move is illegal


@pytest.mark.parametrize(
    ("move", "options", "problem"),
    [
        (Move("jump"), {}, "'jump' is not one of the moves draw, recycle, waste_to_pile,"),
        (Move("draw", source=1), {}, "a draw leaves source at -1, not 1 (KL2)"),
        (Move("draw", target=0), {}, "a draw leaves target at -1, not 0 (KL2)"),
        (Move("recycle", cards=2), {}, "a recycle leaves cards at 0, not 2 (KL6)"),
        (Move("waste_to_pile", 0, 1), {}, "a waste_to_pile leaves source at -1, not 0 (KL3)"),
        (Move("waste_to_pile", -1, 1, 1), {}, "leaves cards at 0, not 1 (KL3)"),
        (Move("waste_to_foundation", -1, 2), {}, "leaves target at -1, not 2 (KL5)"),
        (Move("pile_to_foundation", 1, 0), {}, "leaves target at -1, not 0 (KL5)"),
        (Move("pile_to_foundation", 1, -1, 1), {}, "leaves cards at 0, not 1 (KL5)"),
        (Move("foundation_to_pile", 1, 1, 1), {}, "leaves cards at 0, not 1 (KL5)"),
        (down(-1), {}, "the target, pile 0, is not one of the piles 1 to 5 (KL3)"),
        (down(5), {}, "the target, pile 6, is not one of the piles 1 to 5 (KL3)"),
        (up(5), {}, "the source, pile 6, is not one of the piles 1 to 5 (KL5)"),
        (shift(-1, 0), {}, "the source, pile 0, is not one of the piles 1 to 5 (KL3)"),
        (shift(0, 5), {}, "the target, pile 6, is not one of the piles 1 to 5 (KL3)"),
        (back(4, 0), {}, "source 4 is not a suit from 0 to 3 (KL5)"),
        (back(-1, 0), {}, "source -1 is not a suit from 0 to 3 (KL5)"),
        (back(0, 5), {}, "the target, pile 6, is not one of the piles 1 to 5 (KL5)"),
        (DRAW, {}, "the stock is empty (KL2)"),
        (RECYCLE, {"redeals": 0}, "the limit of redeals, 0, is reached (KL6)"),
        (down(0), {}, "pile 1: 4H does not follow 3D (KL3)"),
        (down(3), {}, "pile 4 is empty, and takes the rank 5 only, not 4H (KL4)"),
        (
            down(3),
            {"empty_pile": "none"},
            "pile 4 is empty, and no card enters an empty pile (KL4)",
        ),
        (WASTE_UP, {}, "foundation H waits for AH, not 4H (KL5)"),
        (up(3), {}, "pile 4 is empty (KL5)"),
        (up(1), {}, "foundation C waits for 3C, not 5C (KL5)"),
        (up(0), {}, "foundation D waits for AD, not 3D (KL5)"),
        (shift(1, 1), {}, "pile 2 cannot be moved onto itself (KL3)"),
        (shift(3, 1), {}, "pile 4 is empty (KL3)"),
        (shift(0, 1, 0), {}, "0 cards cannot be moved from the 3 of pile 1 (KL3)"),
        (shift(0, 1, -1), {}, "-1 cards cannot be moved from the 3 of pile 1 (KL3)"),
        (shift(0, 1, 4), {}, "4 cards cannot be moved from the 3 of pile 1 (KL3)"),
        (shift(2, 1, 2), {}, "a card face down never moves, and pile 3 has 1 face up (KL3)"),
        (shift(2, 3, 3), {}, "a card face down never moves, and pile 3 has 1 face up (KL3)"),
        (
            shift(0, 4, 1),
            {"partial_runs": False},
            "only whole runs move, which is 3 cards from pile 1 (KL3)",
        ),
        (shift(0, 1, 2), {}, "pile 2: 4S does not follow 5C (KL3)"),
        (shift(2, 3), {}, "pile 4 is empty, and takes the rank 5 only, not 2S (KL4)"),
        (back(CLUBS, 4), {"worrying_back": False}, "no card returns from a foundation (KL5)"),
        (back(SPADES, 4), {}, "foundation S is empty (KL5)"),
        (back(CLUBS, 1), {}, "pile 2: 2C does not follow 5C (KL3)"),
        (back(CLUBS, 3), {}, "pile 4 is empty, and takes the rank 5 only, not 2C (KL4)"),
    ],
)
def test_the_reason_names_the_fault_and_the_rule(move, options, problem):
    played = game(
        "5H-4S-3D 5C AD-3H|2S . 4C", "4H", foundations="2C", rest="waste", piles=5, **options
    )
    found = played.problem_with(move)
    assert problem in found
    assert "KL" in found
    assert "\n" not in found
    with pytest.raises(IllegalMove) as error:
        played.push(move)
    assert str(error.value) == found


@pytest.mark.parametrize(
    ("played", "move", "problem"),
    [
        (game("5H . ."), RECYCLE, "the stock is not empty (KL6)"),
        (game("5H . .", foundations="5C 5D 4H 5S"), RECYCLE, "the waste is empty (KL6)"),
        (game("5H . ."), down(0), "the waste is empty (KL2)"),
        (game("5H . ."), WASTE_UP, "the waste is empty (KL2)"),
    ],
)
def test_the_reason_when_stock_or_waste_stand_in_the_way(played, move, problem):
    assert played.problem_with(move) == problem


def test_legal_moves_have_no_problem():
    played = game("5H 4S-3D 4C", "2C", foundations="2D AC")
    moves = [down(1), WASTE_UP, up(1), shift(1, 2), shift(1, 0, 2), shift(2, 0), DRAW]
    assert played.legal_moves() == moves
    assert all(played.problem_with(move) is None for move in moves)


# Random play under many rules


def every_move(rules):
    """All moves that can be written down, a little beyond the piles, suits and longest run."""
    piles, suits = range(-1, rules.piles + 1), range(-1, 5)
    yield from (DRAW, RECYCLE, WASTE_UP)
    yield from (down(target) for target in piles)
    yield from (up(source) for source in piles)
    yield from (back(suit, target) for suit, target in product(suits, piles))
    for source, target in product(piles, piles):
        yield from (shift(source, target, count) for count in range(-1, rules.ranks + 2))


def assert_lists_exactly_the_legal_moves(played):
    listed = played.legal_moves()
    legal = [move for move in every_move(played.rules) if played.problem_with(move) is None]
    assert Counter(listed) == Counter(legal)


def assert_sound(played):
    position, rules = played.position, played.rules
    assert sorted(cards_of(position)) == pack(rules)
    assert position_problems(position, rules) == []
    assert played.is_won == (position.cards_up == 4 * rules.ranks)


def assert_keys_tell_positions_apart(positions, rules):
    """Two keys are equal exactly if the tables are, and the recycles used where limited."""
    if rules.redeals is None:
        compared = [replace(position, recycles_used=0) for position in positions]
    else:
        compared = positions
    keys = [ReferenceGame(position, rules).key() for position in positions]
    for one, other in combinations(range(len(positions)), 2):
        assert (keys[one] == keys[other]) == (compared[one] == compared[other])


def hidden_cards(position):
    return sum(len(pile.face_down) for pile in position.piles)


def scores_by_tables(positions, rules):
    """The score of each table of a game, told from the tables alone."""
    points, first = rules.points, positions[0]
    score, awarded, cleared = points.start, cards_up(first), first.is_cleared
    yield score
    for before, after in pairwise(positions):
        gains = []
        raised = cards_up(after) - cards_up(before)
        if after.recycles_used > max(before.recycles_used, points.free_recycles):
            gains.append(points.recycle)
        if raised and (rules.foundation_award == "each_time" or not raised <= awarded):
            gains.append(points.to_foundation)
        if cards_up(before) - cards_up(after):
            gains.append(points.from_foundation)
        if len(before.waste) - len(after.waste) == 1 and before.stock == after.stock and not raised:
            gains.append(points.waste_to_tableau)
        gains += [points.turn_up] * (hidden_cards(before) - hidden_cards(after))
        if after.is_cleared and not cleared:
            gains.append(points.cleared)
        for gain in gains:
            score = score + gain if points.floor is None else max(points.floor, score + gain)
        awarded, cleared = awarded | raised, cleared or after.is_cleared
        yield score


def random_move(played, chance):
    """A legal move, if there is one; moves of cards more often than draws and recycles."""
    moves = played.legal_moves()
    of_cards = [move for move in moves if move not in (DRAW, RECYCLE)]
    return chance.choice((of_cards if chance.random() < 0.6 else moves) or moves or [None])


OPTIONS = {
    "draw": (1, 3),
    "redeals": (None, 0, 2),
    "empty_pile": EMPTY_PILES,
    "worrying_back": (True, False),
    "partial_runs": (True, False),
    "start_with_draw": (True, False),
    "scoring": SCORINGS,
    "foundation_award": FOUNDATION_AWARDS,
}
OPTION_GRID = [dict(zip(OPTIONS, values, strict=True)) for values in product(*OPTIONS.values())]
PACKS = [(1, 1), (2, 2), (3, 3), (4, 5), (5, 1), (7, 6), (10, 7), (13, 7)]


@pytest.mark.parametrize(
    ("ranks", "piles", "options"),
    [
        (ranks, piles, options)
        for ranks, piles in PACKS
        for options in Random(ranks).sample(OPTION_GRID, 16)
    ],
)
def test_random_play_keeps_the_rules(ranks, piles, options):
    rules = Rules(ranks=ranks, piles=piles, **options)
    chance = Random(str((ranks, piles, options)))
    played = ReferenceGame(shuffled_deal(rules, chance.random()), rules)
    passed = [(None, played.position, played.score)]
    while len(passed) <= 60 and (move := random_move(played, chance)):
        if len(passed) % 20 == 1:
            assert_lists_exactly_the_legal_moves(played)
        played.push(move)
        assert_sound(played)
        passed.append((move, played.position, played.score))
    positions = [position for _, position, _ in passed]
    assert [score for *_, score in passed] == list(scores_by_tables(positions, rules))
    assert_keys_tell_positions_apart(positions[::2], rules)
    while played.moves_made:
        move, position, score = passed.pop()
        assert (played.position, played.score) == (position, score)
        assert played.pop() == move
    assert [(None, played.position, played.score)] == passed


@pytest.mark.parametrize(
    "options",
    [
        {"redeals": None},
        {"redeals": 1, "draw": 2, "empty_pile": "any"},
        {"redeals": 0, "draw": 3, "partial_runs": False},
        {"redeals": None, "worrying_back": False, "empty_pile": "none"},
    ],
)
def test_all_positions_of_a_tiny_game_keep_the_rules(options):
    rules = Rules(ranks=2, piles=2, **options)
    played = ReferenceGame(shuffled_deal(rules, 5), rules)
    positions = {played.key(): played.position}
    frontier = list(positions.values())
    for number, position in enumerate(frontier):
        played = ReferenceGame(position, rules)
        if number % 5 == 0:
            assert_lists_exactly_the_legal_moves(played)
        for move in played.legal_moves():
            played.push(move)
            if played.key() not in positions:
                positions[played.key()] = played.position
                frontier.append(played.position)
            played.pop()
        assert played.position == position
    assert 10 < len(positions) < 2000
    assert_keys_tell_positions_apart(list(positions.values())[::9], rules)
