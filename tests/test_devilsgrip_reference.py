"""The textbook game of Devil's Grip, rule by rule (the ids are those of RULES.md)."""

from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise, permutations, product
from random import Random

import pytest

from dealstats.cards import PACK, format_card, parse_card, rank_of
from dealstats.errors import IllegalMove, UnreadableText
from devilsgrip.deck import pack
from devilsgrip.position import REDEAL, TURN, Move, Position, dealt
from devilsgrip.reference import (
    ReferenceGame,
    final_swaps,
    position_problems,
    precedes,
)
from devilsgrip.rules import FILLS, UNITS, Rules

WON_PILES = ["2-5-8-J", "3-6-9-Q", "4-7-T-K"]


def small(**options):
    """Rules of the game of clubs alone: 24 cards, six cells in three rows of two."""
    return Rules(suits=1, **options)


def cards(text):
    """Cards from text in which a rank alone is a club and ``-`` separates like a blank."""
    words = text.replace("-", " ").split()
    return tuple(parse_card(word if len(word) > 1 else word + "C") for word in words)


def table(grid, talon="", stock="", redeals_used=0, *, rules=None, rest="stock"):
    """A position whose unnamed cards come last in the stock, or lie lowest on the talon."""
    piles = tuple(() if pile == "." else cards(pile) for pile in grid.split())
    talon, stock = cards(talon), cards(stock)
    named = Counter([*(card for pile in piles for card in pile), *talon, *stock])
    unnamed = tuple((Counter(pack(rules or small())) - named).elements())
    if rest == "stock":
        return Position(piles, talon, stock + unnamed, redeals_used)
    return Position(piles, unnamed + talon, stock, redeals_used)


def game(grid, talon="", stock="", redeals_used=0, *, rest="stock", **options):
    rules = small(**options)
    position = table(grid, talon, stock, redeals_used, rules=rules, rest=rest)
    return ReferenceGame(position, rules)


def place(target):
    return Move("place", target=target)


def build(source, target, count=1):
    return Move("build", source, target, count)


def swap(source, target):
    return Move("swap", source, target)


def builds(game):
    return {move for move in game.legal_moves() if move.kind == "build"}


def placements(game):
    return {move for move in game.legal_moves() if move.kind == "place"}


def grid_text(position):
    """The grid in the notation of these tests, for a game of clubs."""
    return " ".join(
        "-".join(format_card(card)[0] for card in pile) or "." for pile in position.grid
    )


def shuffled_deal(rules, seed):
    deck = pack(rules)
    Random(seed).shuffle(deck)
    return dealt(tuple(deck), rules)


# DG1, DG2: the pack and the deal


@pytest.mark.parametrize("suits", [1, 2, 3, 4])
def test_pack_is_two_copies_of_every_card_but_the_aces(suits):
    counts = Counter(pack(Rules(suits=suits)))
    assert set(counts.values()) == {2}
    assert sorted(counts) == [
        card for card in PACK if rank_of(card) >= 2 and format_card(card)[1] in "CDHS"[:suits]
    ]


@pytest.mark.parametrize(("initial_talon", "stock_cards"), [(0, 72), (3, 69)])
def test_initial_talon_is_turned_from_the_stock(initial_talon, stock_cards):
    rules = Rules(initial_talon=initial_talon)
    position = ReferenceGame(shuffled_deal(rules, 1), rules).position
    outside = shuffled_deal(Rules(), 1).stock
    assert [len(pile) for pile in position.grid] == [1] * 24
    assert position.talon == outside[:initial_talon]
    assert position.stock == outside[initial_talon:]
    assert len(position.stock) == stock_cards


def test_initial_talon_is_in_play_at_once():
    rules = small(initial_talon=3)
    deck = cards("2 3 4 J Q K") + cards("8 9 5") + cards("2 3 4 5 6 6 7 7 8 9 T T J Q K")
    assert placements(ReferenceGame(dealt(deck, rules), rules)) == {place(0)}


# Defects of a position


def problem_lines(position, **options):
    return position_problems(position, small(**options))


def test_a_good_position_has_no_problems():
    assert problem_lines(table("2-5-8 3 4 J Q K", talon="9 T")) == []


@pytest.mark.parametrize(
    ("position", "options", "fragments"),
    [
        (table("2 3 4 J Q"), {}, ["5 cells instead of 6"]),
        (table("2 3 4 J Q K 2"), {}, ["7 cells instead of 6"]),
        (replace(table("2 3 4 J Q K"), stock=()), {}, ["missing: 2C 3C"]),
        (table("2 2 2 3 4 J"), {}, ["too many of: 2C"]),
        (table("AC 2 3 4 J 2D"), {}, ["not in this pack: AC 2D"]),
        (Position(((99,), (-1,)), (), ()), {}, ["not a card: -1 99"]),
        (table("2 3 4-8 J Q K"), {}, ["B1: 8C does not follow 4C"]),
        (table("2 3 4 J Q 5-2"), {}, ["C2: 2C does not follow 5C"]),
        (table("2 . 4 J Q K"), {}, ["A2 is empty"]),
        (table("2 . 4 J Q K", rest="talon"), {}, ["A2 is empty"]),
        (table("2 . 4 J Q K", rest="talon"), {"redeals": 1}, ["A2 is empty"]),
        (table("2 . 4 J . K", rest="talon"), {"fill": "talon_top"}, ["A2 is", "C1 is"]),
        (table("2 3 4 J Q K", redeals_used=-1), {}, ["redeals used is -1"]),
        (table("2 3 4 J Q K", redeals_used=3), {"redeals": 2}, ["is 3, above the limit of 2"]),
    ],
)
def test_defects_are_named(position, options, fragments):
    lines = problem_lines(position, **options)
    assert all(fragment in line for fragment, line in zip(fragments, lines, strict=True))
    assert not any("\n" in line for line in lines)
    with pytest.raises(UnreadableText) as error:
        ReferenceGame(position, small(**options))
    assert str(error.value) == "; ".join(lines)


def test_every_defect_is_listed():
    position = table("2-3 3-5 . J Q", talon="AC", redeals_used=-1)
    assert len(problem_lines(position)) == 6


@pytest.mark.parametrize(
    ("position", "options"),
    [
        (table("2 . 4 J Q K", redeals_used=1, rest="talon"), {"redeals": 1}),
        (table("2 . 4 J Q K", rest="talon"), {"redeals": 0}),
        (table("2-5-8 2-5-8-J 3-6-9-Q 3-6-9-Q 4-7-T-K 4-7-T-K", talon="J"), {}),
        (table("2 3 4 J Q K", redeals_used=7), {}),
    ],
)
def test_cells_that_cannot_be_filled_and_unlimited_redeals_are_no_defects(position, options):
    assert problem_lines(position, **options) == []


# DG3: swaps


def test_swap_exchanges_two_piles_and_nothing_else():
    played = game("2-5 3 4 J Q K", talon="9")
    before = played.position
    played.push(swap(0, 3))
    assert grid_text(played.position) == "J 3 4 2-5 Q K"
    assert played.position == replace(before, grid=played.position.grid)


def test_swap_with_an_empty_cell_is_allowed():
    played = game("2 . 4 J Q K", rest="talon", redeals=0)
    played.push(swap(0, 1))
    assert grid_text(played.position) == ". 2 4 J Q K"


def test_swaps_are_not_listed():
    assert {move.kind for move in game("2 5 4 J Q K", talon="7").legal_moves()} == {
        "place",
        "build",
        "turn",
    }


# DG4: what may lie on what


def test_precedes_follows_the_three_sequences_of_each_suit():
    followers = {
        (lower + suit, upper + suit)
        for sequence in ("258J", "369Q", "47TK")
        for lower, upper in pairwise(sequence)
        for suit in "CDHS"
    }
    for lower, upper in product(PACK, PACK):
        expected = (format_card(lower), format_card(upper)) in followers
        assert precedes(lower, upper) == expected


def test_only_the_top_talon_card_is_placed():
    played = game("2 3 4 J Q K", talon="6 7 5")
    assert placements(played) == {place(0)}
    played.push(place(0))
    assert grid_text(played.position) == "2-5 3 4 J Q K"
    assert played.position.talon == cards("6 7")
    assert placements(played) == {place(2)}


def test_both_copies_of_a_card_take_a_placement():
    assert placements(game("2 3 2 J Q K", talon="5")) == {place(0), place(2)}


def test_a_pile_need_not_stand_on_its_base():
    assert placements(game("5 3 4 J Q K", talon="8")) == {place(0)}


def test_the_suit_must_be_the_same_not_merely_the_colour():
    rules = Rules(suits=4)
    grid = "2S 5S 5C 2H 5D 8C" + " KD" * 2 + " KH" * 2 + " KS" * 2 + " KC" * 2 + " QC QC QD QD QH"
    position = table(grid + " QH QS QS JH JH", rules=rules)
    played = ReferenceGame(position, rules)
    assert builds(played) == {build(1, 0), build(5, 2)}


def test_the_row_does_not_matter():
    assert builds(game("2 J J Q Q 5")) == {build(5, 0)}
    assert builds(game("5 J J Q Q 2")) == {build(0, 5)}


def test_unit_pile_moves_whole_piles_by_their_bottom_card():
    played = game("2 5-8 5 4 Q K", unit="pile")
    assert builds(played) == {build(1, 0, 2), build(2, 0, 1)}
    played.push(build(1, 0, 2))
    assert grid_text(played.position).startswith("2-5-8 ")


def test_unit_pile_never_splits_a_pile():
    assert builds(game("2-5 2 4 Q Q K")) == set()


def test_unit_tail_moves_any_top_part():
    played = game("2 2-5-8 5 J Q K", unit="tail")
    assert builds(played) == {
        build(1, 0, 2),
        build(1, 2, 1),
        build(2, 0, 1),
        build(3, 1, 1),
    }
    played.push(build(1, 0, 2))
    assert grid_text(played.position) == "2-5-8 2 5 J Q K"


def test_unit_tail_lists_every_count_and_exchanges_of_equal_things():
    assert builds(game("2-5 2 J J Q K", unit="tail")) == {build(0, 1, 1)}
    assert builds(game("5-8 2 J 3 Q K", unit="tail")) == {build(0, 1, 2), build(2, 0, 1)}


def test_unit_single_moves_only_piles_of_one_card():
    assert builds(game("2 5-8 5 J Q K", unit="single")) == {build(2, 0), build(3, 1)}


# DG5: spaces


def test_a_space_is_filled_with_the_next_stock_card():
    played = game("2 5 4 J Q K", talon="9", stock="T 3")
    stock = played.position.stock
    played.push(build(1, 0))
    assert grid_text(played.position) == "2-5 T 4 J Q K"
    assert played.position.talon == cards("9")
    assert played.position.stock == stock[1:]


@pytest.mark.parametrize("fill", FILLS)
def test_the_stock_fills_before_the_talon_whatever_the_fill(fill):
    played = game("2 5 4 J Q K", talon="9", stock="T", fill=fill)
    played.push(build(1, 0))
    assert played.position.grid[1] == cards("T")


def test_a_part_moved_away_leaves_no_space():
    played = game("2-5 2 J J Q K", unit="tail")
    stock = played.position.stock
    played.push(build(0, 1, 1))
    assert grid_text(played.position) == "2 2-5 J J Q K"
    assert played.position.stock == stock


def test_no_move_enters_a_space():
    played = game("2 . 4 5 Q K", talon="2", rest="talon", redeals=0)
    assert played.legal_moves() == [build(3, 0)]
    assert "DG5" in played.problem_with(place(1))
    assert "DG5" in played.problem_with(build(0, 1))


# DG5b: spaces when the stock is empty


@pytest.mark.parametrize("limit", [None, 2])
def test_turn_over_makes_the_talon_the_stock_and_fills_from_it(limit):
    played = game("2 5 4 J Q K", redeals_used=1, rest="talon", redeals=limit)
    talon = played.position.talon
    played.push(build(1, 0))
    after = played.position
    assert after.grid == (cards("2-5"), talon[:1], *map(cards, "4JQK"))
    assert after.talon == ()
    assert after.stock == talon[1:]
    assert after.redeals_used == 2


def test_turn_over_with_a_stock_is_no_redeal():
    played = game("2 5 4 J Q K", talon="9", stock="T")
    played.push(build(1, 0))
    assert played.position.redeals_used == 0


@pytest.mark.parametrize(("limit", "used"), [(0, 0), (1, 1), (2, 2)])
def test_turn_over_without_redeals_leaves_the_cell_empty(limit, used):
    played = game("2 5 4 J Q K", redeals_used=used, rest="talon", redeals=limit)
    talon = played.position.talon
    played.push(build(1, 0))
    assert grid_text(played.position) == "2-5 . 4 J Q K"
    assert (played.position.talon, played.position.stock) == (talon, ())
    assert played.position.redeals_used == used
    assert TURN not in played.legal_moves()
    assert REDEAL not in played.legal_moves()


def test_talon_top_fills_without_a_redeal():
    played = game("2 5 4 J Q K", talon="9 T", rest="talon", fill="talon_top", redeals=0)
    talon = played.position.talon
    played.push(build(1, 0))
    assert grid_text(played.position) == "2-5 T 4 J Q K"
    assert (played.position.talon, played.position.stock) == (talon[:-1], ())
    assert played.position.redeals_used == 0


@pytest.mark.parametrize(("fill", "filler"), [("turn_over", "4"), ("talon_top", "K")])
def test_the_latest_possible_build_is_followed_by_a_fill(fill, filler):
    """With fewer than four cards left no build is possible any more."""
    played = game("2-5-8 J 2-5-8-J 3-6-9-Q 3-6-9-Q 4-7-T-K", rest="talon", fill=fill)
    assert played.position.talon == cards("4 7 T K")
    played.push(build(1, 0))
    assert played.position.grid[1] == cards(filler)
    assert played.cards_left == 3


# DG6: turning


def test_three_cards_are_turned_the_third_on_top():
    played = game("2 3 4 J Q K", talon="9", stock="5 6 7 8")
    stock = played.position.stock
    played.push(TURN)
    assert played.position.talon == cards("9 5 6 7")
    assert played.position.stock == stock[3:]


@pytest.mark.parametrize(("turn", "talon"), [(1, "T"), (2, "T J"), (3, "T J Q"), (5, "T J Q K")])
def test_a_short_last_group_is_turned_as_it_is(turn, talon):
    played = game("2 3 4 J Q K", stock="T J Q K", rest="talon", turn=turn)
    before = played.position.talon
    played.push(TURN)
    assert played.position.talon == before + cards(talon)
    assert played.position.stock == cards("T J Q K")[turn:]


def test_turning_is_allowed_while_builds_are_possible():
    moves = game("2 5 4 J Q K").legal_moves()
    assert moves == [build(1, 0), TURN]


def test_an_empty_stock_cannot_be_turned():
    assert TURN not in game("2 3 4 J Q K", rest="talon").legal_moves()


# DG7: redeals


def test_a_redeal_keeps_the_order():
    played = game("2 3 4 J Q K", talon="9 T", rest="talon")
    talon = played.position.talon
    played.push(REDEAL)
    assert played.position.stock == talon
    assert played.position.talon == ()
    assert played.position.redeals_used == 1


@pytest.mark.parametrize(
    ("limit", "used", "allowed"),
    [(None, 0, True), (None, 99, True), (0, 0, False), (1, 0, True), (1, 1, False), (2, 1, True)],
)
def test_redeals_are_limited(limit, used, allowed):
    played = game("2 3 4 J Q K", redeals_used=used, rest="talon", redeals=limit)
    assert (REDEAL in played.legal_moves()) == allowed


def test_a_redeal_needs_an_empty_stock_and_a_talon():
    assert REDEAL not in game("2 3 4 J Q K", talon="9", stock="T").legal_moves()
    assert REDEAL not in game(" ".join(WON_PILES * 2)).legal_moves()


def test_the_moves_of_one_position_come_in_order():
    played = game("2 5 2 Q J 3", talon="5", rest="talon")
    assert played.legal_moves() == [place(0), place(2), build(1, 0), build(1, 2), REDEAL]


# DG8: score and end


@pytest.mark.parametrize(
    ("grid", "talon", "left"),
    [
        ("2-5-8-J 2-5-8-J 3-6-9-Q 3-6-9-Q 4-7-T-K 4-7-T-K", "", 0),
        ("2-5-8-J 2-5-8-J 3-6-9-Q 3-6-9-Q 4-7-T-K 4-7", "K T", 2),
        ("2-5-8-J 2-5-8-J 3-6-9-Q 3-6-9 4-7-T 4-7", "K T", 4),
        ("2-5-8-J 2-5-8-J 3-6-9 3-6-9 4-7-T 4-7", "K", 5),
        ("2-5-8 2-5-8 3-6 3-6 4-7 4-7", "", 10),
        ("2 3 4 J Q K", "5", 18),
    ],
)
@pytest.mark.parametrize("rest", ["stock", "talon"])
def test_score_is_the_number_of_cards_outside_the_grid(grid, talon, left, rest):
    played = game(grid, talon, rest=rest)
    assert played.cards_left == left
    assert played.is_won == (left == 0)


# Dead positions


# In this grid nothing can be built, and only a five can be placed.
WAITING_FOR_FIVES = "J J Q Q K 2"


@pytest.mark.parametrize(
    ("talon", "stock", "options", "dead"),
    [
        ("", "3 3 5 4 4 5", {"redeals": 0}, False),
        ("3 5", "4", {"redeals": 0}, False),
        ("3", "3 5 4 4 5", {"redeals": 0}, True),
        ("3", "3 5 4 4 5", {"redeals": 1}, False),
        ("3", "3 5 4 4 5", {"redeals": None}, False),
        ("3", "3 5 4 4 5", {"redeals": 0, "turn": 1}, False),
        ("3", "3 4 5 4 5", {"redeals": 0}, False),
        ("3 3 4 5", "4 6 5 6", {"redeals": 0}, False),
        ("3 3 4 5 4", "6 5 6", {"redeals": 0}, True),
        ("3 3 4 5 4", "6 5 6", {}, True),
        ("", "3 5 3 4 5 4", {}, True),
        ("", "3 5 3 4 5 4", {"turn": 1}, False),
        ("", "3 5 3 4 5 4", {"turn": 2}, False),
    ],
)
def test_a_position_is_dead_if_no_turning_brings_up_a_card_that_fits(talon, stock, options, dead):
    assert game(WAITING_FOR_FIVES, talon, stock, **options).is_dead == dead


def test_redeals_already_used_count():
    talon, stock = "3", "3 5 4 4 5"
    assert not game(WAITING_FOR_FIVES, talon, stock, 0, redeals=1).is_dead
    assert game(WAITING_FOR_FIVES, talon, stock, 1, redeals=1).is_dead


def test_the_top_of_a_short_last_group_is_reached():
    unnamed = "3 3 4 4 6 6 7 7 8 8 9 9 T T K"
    assert not game(WAITING_FOR_FIVES, stock=f"5 {unnamed} 2 5", redeals=0, turn=4).is_dead
    assert game(WAITING_FOR_FIVES, stock=f"5 {unnamed} 5 2", redeals=0, turn=4).is_dead


def test_a_possible_build_is_not_dead():
    assert not game("2 5 J J Q Q", rest="talon", redeals=0).is_dead


def test_an_exchange_of_equal_things_counts_as_a_build():
    grid, talon = "2-5 2 J J Q Q", "K"
    assert game(grid, talon, rest="talon", redeals=0, unit="pile").is_dead
    assert not game(grid, talon, rest="talon", redeals=0, unit="tail").is_dead


def test_a_won_game_is_dead():
    assert game(" ".join(WON_PILES * 2)).is_dead


# DG9: the final picture


def won_position(piles):
    return Position(tuple(cards(pile) for pile in piles), (), ())


def assert_swaps_make_the_picture(position, rules, swaps):
    played = ReferenceGame(position, rules)
    for move in swaps:
        assert move.kind == "swap"
        played.push(move)
    tops = [rank_of(pile[-1]) for pile in played.position.grid]
    assert tops == [11] * rules.columns + [12] * rules.columns + [13] * rules.columns


def test_final_swaps_are_as_few_as_possible_on_a_small_pack():
    rules = small()
    home = tuple(pile for pile in WON_PILES for _ in range(2))
    swaps_needed = {home: 0}
    frontier = [home]
    for piles in frontier:
        for source, target in combinations(range(6), 2):
            swapped = list(piles)
            swapped[source], swapped[target] = piles[target], piles[source]
            if tuple(swapped) not in swaps_needed:
                swaps_needed[tuple(swapped)] = swaps_needed[piles] + 1
                frontier.append(tuple(swapped))
    assert set(swaps_needed) == set(permutations(home))
    for piles, needed in swaps_needed.items():
        position = won_position(piles)
        swaps = final_swaps(position, rules)
        assert len(swaps) == needed
        assert_swaps_make_the_picture(position, rules, swaps)


def fewest_swaps_by_counts():
    """Fewest swaps by the number of (jack, queen, king) piles in each row, for four suits."""
    home = ((8, 0, 0), (0, 8, 0), (0, 0, 8))
    swaps_needed = {home: 0}
    frontier = [home]
    for counts in frontier:
        for (upper, lower), (sunk, raised) in product(
            combinations(range(3), 2), permutations(range(3), 2)
        ):
            rows = [list(row) for row in counts]
            for row, gone, come in ((upper, sunk, raised), (lower, raised, sunk)):
                rows[row][gone] -= 1
                rows[row][come] += 1
            swapped = tuple(map(tuple, rows))
            if min(map(min, swapped)) >= 0 and swapped not in swaps_needed:
                swaps_needed[swapped] = swaps_needed[counts] + 1
                frontier.append(swapped)
    return swaps_needed


def test_final_swaps_are_as_few_as_possible_on_the_full_pack():
    rules, swaps_needed = Rules(), fewest_swaps_by_counts()
    assert max(swaps_needed.values()) <= rules.cells - 1
    piles = [
        tuple(parse_card(rank + suit) for rank in sequence)
        for sequence in ("258J", "369Q", "47TK")
        for suit in "CDHS"
        for _ in range(2)
    ]
    chance = Random(9)
    for _ in range(50):
        chance.shuffle(piles)
        position = Position(tuple(piles), (), ())
        tops = [rank_of(pile[-1]) for pile in piles]
        counts = tuple(
            tuple(tops[8 * row : 8 * row + 8].count(rank) for rank in (11, 12, 13))
            for row in range(3)
        )
        swaps = final_swaps(position, rules)
        assert len(swaps) == swaps_needed[counts]
        assert_swaps_make_the_picture(position, rules, swaps)


def test_a_finished_picture_needs_no_swaps():
    home = [pile for pile in WON_PILES for _ in range(2)]
    assert final_swaps(won_position(home), small()) == []


def test_final_swaps_need_a_won_game():
    with pytest.raises(ValueError, match="not won"):
        final_swaps(table("2 3 4 J Q K"), small())


# Keys


def test_swaps_do_not_change_the_key():
    played = game("2-5 3 2 J Q K", talon="9")
    key = played.key()
    for source, target in combinations(range(6), 2):
        played.push(swap(source, target))
        assert played.key() == key


def test_placing_on_either_copy_gives_one_key():
    played = game("2 2 3 J Q K", talon="5")
    keys = set()
    for target in (0, 1):
        played.push(place(target))
        keys.add(played.key())
        played.pop()
    assert len(keys) == 1


def test_different_positions_have_different_keys():
    keys = {
        game(grid, talon, stock).key()
        for grid, talon, stock in [
            ("2 3 4 J Q K", "", "5 6"),
            ("2 3 4 J Q K", "", "6 5"),
            ("2 3 4 J Q K", "5", "6"),
            ("2 3 4 J Q K", "5 6", ""),
            ("2 3 4 J Q K", "6 5", ""),
            ("2-5 3 4 J Q K", "", "6"),
            ("2 3-6 4 J Q K", "", "5"),
            ("2 2 4 J Q K", "", "5 6"),
        ]
    }
    assert len(keys) == 8


@pytest.mark.parametrize(("limit", "distinct"), [(None, 1), (3, 2)])
def test_redeals_used_count_in_the_key_only_if_limited(limit, distinct):
    keys = {game("2 3 4 J Q K", redeals_used=used, redeals=limit).key() for used in (0, 1)}
    assert len(keys) == distinct


# Push and pop


def test_pop_restores_the_position_and_returns_the_move():
    played = game("2 5 2 J Q K", talon="5", stock="8", rest="talon", fill="turn_over")
    moves = [place(2), build(1, 0), swap(0, 5), REDEAL, TURN]
    passed = []
    for move in moves:
        passed.append(played.position)
        played.push(move)
    for move, position in zip(reversed(moves), reversed(passed), strict=True):
        assert played.pop() == move
        assert played.position == position
    with pytest.raises(IndexError):
        played.pop()


def test_an_illegal_move_changes_nothing():
    played = game("2 3 4 J Q K", talon="9")
    before = played.position
    with pytest.raises(IllegalMove, match="DG7"):
        played.push(REDEAL)
    assert played.position == before
    with pytest.raises(IndexError):
        played.pop()


def test_a_position_taken_from_a_game_stays_as_it_was():
    played = game("2 3 4 J Q K", talon="5")
    taken = played.position
    played.push(place(0))
    assert taken == table("2 3 4 J Q K", talon="5")


# Why a move is illegal

MIXED = "2-5 5-8 . 2 J 8"  # with an open space in B1 and no redeals, all other cards on the talon


@pytest.mark.parametrize(
    ("move", "options", "fragment", "rule"),
    [
        (Move("jump"), {}, "'jump'", "DG"),
        (Move("turn"), {}, "the stock is empty", "DG6"),
        (Move("turn", source=1), {}, "source", "DG6"),
        (Move("redeal", target=2), {}, "target", "DG7"),
        (Move("redeal", cards=2), {}, "cards", "DG7"),
        (Move("redeal"), {}, "limit of redeals, 0, is reached", "DG7"),
        (Move("place"), {}, "target -1 is not a cell", "DG4"),
        (Move("place", target=6), {}, "target 6 is not a cell", "DG4"),
        (Move("place", source=0, target=1), {}, "source", "DG4"),
        (Move("place", target=1, cards=1), {}, "cards", "DG4"),
        (place(2), {}, "B1 is empty", "DG5"),
        (place(0), {}, "KC does not follow 5C", "DG4"),
        (build(-1, 0), {}, "source -1 is not a cell", "DG4"),
        (build(6, 0), {}, "source 6 is not a cell", "DG4"),
        (build(0, 6), {}, "target 6 is not a cell", "DG4"),
        (build(5, 5), {}, "C2 cannot be moved onto itself", "DG4"),
        (build(2, 0), {}, "B1 is empty", "DG4"),
        (build(5, 2), {}, "B1 is empty, and no move enters", "DG5"),
        (build(5, 0, 0), {}, "0 cards", "DG4"),
        (build(5, 0, -1), {}, "-1 cards", "DG4"),
        (build(5, 0, 2), {}, "2 cards", "DG4"),
        (build(1, 3, 3), {"unit": "tail"}, "3 cards", "DG4"),
        (build(0, 3, 1), {}, "only whole piles move, which is 2 cards from A1", "DG4"),
        (build(1, 3, 2), {"unit": "single"}, "only piles of one card move, and A2 has 2", "DG4"),
        (build(4, 0), {}, "A1: JC does not follow 5C", "DG4"),
        (build(0, 1, 1), {"unit": "tail"}, "A2: 5C does not follow 8C", "DG4"),
        (swap(3, 3), {}, "B2 cannot be swapped with itself", "DG3"),
        (swap(-1, 3), {}, "source -1 is not a cell", "DG3"),
        (swap(3, 6), {}, "target 6 is not a cell", "DG3"),
        (Move("swap", 0, 1, 2), {}, "cards", "DG3"),
    ],
)
def test_the_reason_names_the_fault_and_the_rule(move, options, fragment, rule):
    played = game(MIXED, rest="talon", redeals=0, **options)
    problem = played.problem_with(move)
    assert fragment in problem
    assert rule in problem
    assert "\n" not in problem
    with pytest.raises(IllegalMove) as error:
        played.push(move)
    assert str(error.value) == problem


@pytest.mark.parametrize(
    ("played", "move", "fragment", "rule"),
    [
        (game("2 3 4 J Q K"), REDEAL, "the stock is not empty", "DG7"),
        (game("2 3 4 J Q K"), place(0), "the talon is empty", "DG4"),
        (game(" ".join(WON_PILES * 2)), REDEAL, "the talon is empty", "DG7"),
    ],
)
def test_the_reason_when_stock_or_talon_stand_in_the_way(played, move, fragment, rule):
    problem = played.problem_with(move)
    assert fragment in problem
    assert rule in problem


def test_legal_moves_have_no_problem():
    played = game("2 5 2 J Q K", talon="5")
    for move in (place(0), place(2), build(1, 0), build(1, 2), TURN, swap(0, 5)):
        assert played.problem_with(move) is None


# Random play under many rules


def every_move(rules):
    """All moves that can be written down, a little beyond the grid and the longest pile."""
    cells = range(-1, rules.cells + 1)
    yield TURN
    yield REDEAL
    yield from (place(target) for target in cells)
    for source, target in product(cells, cells):
        yield swap(source, target)
        yield from (build(source, target, count) for count in range(-1, 6))


def random_move(played, chance):
    """A legal move, building and placing more often than turning or swapping."""
    moves = played.legal_moves()
    progress = [move for move in moves if move.kind in ("place", "build")]
    cells = range(played.rules.cells)
    if chance.random() < 0.05 or not moves:
        return swap(*chance.sample(cells, 2))
    return chance.choice(progress if progress and chance.random() < 0.8 else moves)


def assert_lists_exactly_the_legal_moves(played):
    listed = played.legal_moves()
    assert len(set(listed)) == len(listed)
    kinds = [move.kind for move in listed]
    assert kinds == sorted(kinds, key=["place", "build", "turn", "redeal"].index)
    cells = range(played.rules.cells)
    legal = {move for move in every_move(played.rules) if played.problem_with(move) is None}
    assert legal == {*listed, *(swap(*pair) for pair in permutations(cells, 2))}


def comes_to_another_build(played):
    """Whether a build or placement is ever listed, by walking on through the forced moves."""
    walker = ReferenceGame(played.position, played.rules)
    seen = set()
    while walker.key() not in seen:
        seen.add(walker.key())
        for move in walker.legal_moves()[:1]:
            if move.kind in ("place", "build"):
                return True
            walker.push(move)
    return False


def assert_sound(played):
    position, rules = played.position, played.rules
    outside = position.talon + position.stock
    on_table = sorted([*(card for pile in position.grid for card in pile), *outside])
    assert on_table == sorted(pack(rules))
    assert position_problems(position, rules) == []
    assert played.cards_left == len(outside)
    assert played.is_won == (not outside)


def drop_of_cards_left(before, after, move):
    """What the move may take off the score: a card placed, or one that fills a space."""
    if move.kind == "place":
        return {1}
    spaces = after.grid.count(()) - before.grid.count(())
    opened = move.kind == "build" and before.grid[move.source][: -move.cards] == ()
    return {1 - spaces} if opened else {0}


OPTION_GRID = [
    dict(zip(("unit", "fill", "redeals", "turn", "initial_talon"), options, strict=True))
    for options in product(UNITS, FILLS, (None, 0, 1), (1, 3), (0, 3))
]


@pytest.mark.parametrize(
    ("suits", "options", "plies"),
    [
        (suits, options, plies)
        for suits, share, plies in ((1, 1, 50), (2, 6, 60), (3, 12, 80), (4, 18, 120))
        for options in Random(suits).sample(OPTION_GRID, len(OPTION_GRID) // share)
    ],
)
def test_random_play_keeps_the_rules(suits, options, plies):
    rules = Rules(suits=suits, **options)
    seed = str((suits, options))
    chance = Random(seed)
    root = shuffled_deal(rules, seed)
    played = ReferenceGame(root, rules)
    passed = []
    for ply in range(plies):
        if ply % (10 * suits) == 0:
            assert_lists_exactly_the_legal_moves(played)
        if ply % suits == 0:
            assert played.is_dead != comes_to_another_build(played)
        before, move = played.position, random_move(played, chance)
        played.push(move)
        drop = before.cards_left - played.cards_left
        assert drop in drop_of_cards_left(before, played.position, move)
        assert_sound(played)
        passed.append((before, move))
    while passed:
        before, move = passed.pop()
        assert played.pop() == move
        assert played.position == before
    assert played.position == root
