"""Text of deals, positions, moves, and pictures of positions: both ways, and when it is wrong."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import klondike
from dealstats.cards import format_card, make_card, parse_cards
from dealstats.errors import UnreadableText
from klondike import PRESETS, Move, Pile, Position, Rules, dealt
from klondike.deck import pack
from klondike.drawing import board_html, draw_board
from klondike.notation import (
    format_deal,
    format_move,
    format_position,
    parse_deal,
    parse_deals,
    parse_move,
    parse_position,
    split_moves,
)
from klondike.position import DRAW, RECYCLE
from klondike.reference import position_problems
from klondike.rule_flags import add_rule_flags

SMALL = Rules(ranks=3, piles=3)
FIVES = Rules(ranks=5, piles=3)
DEAL = "AC 2C 3C AD 2D 3D AH 2H 3H AS 2S 3S"
POSITION = """\
foundations: 2C AD
1: 5H 4S 3D
2: [5D] 5C 4H 3S
3:
waste: 2H AS
stock: 3C 4C 2D 4D AH 3H 2S 5S
recycles used: 2"""
DEALT = """\
foundations:
1: 3D
2: [8H] 2C
3: [2D] [8D] 5C
4: [7C] [2C] [KD] AC
waste:
stock: AH
recycles used: 0"""

fewer_examples = settings(max_examples=50)
rules_of_packs = st.builds(Rules, ranks=st.integers(7, 13), piles=st.integers(1, 7))


def decks(rules):
    return st.permutations(pack(rules)).map(tuple)


@st.composite
def positions(draw):
    """Any foundations, piles, waste and stock, be they possible or not."""
    few_cards = st.lists(st.integers(0, 51), max_size=8).map(tuple)
    ranks = draw(st.tuples(*[st.integers(0, 13)] * 4))
    piles = draw(st.lists(st.builds(Pile, few_cards, few_cards), min_size=1, max_size=7))
    return Position(
        ranks, tuple(piles), draw(few_cards), draw(few_cards), draw(st.integers(0, 1_000_000))
    )


@st.composite
def moves(draw, piles):
    source, target = draw(st.integers(0, piles - 1)), draw(st.integers(0, piles - 1))
    return draw(
        st.sampled_from(
            [
                DRAW,
                RECYCLE,
                Move("waste_to_pile", target=target),
                Move("waste_to_foundation"),
                Move("pile_to_foundation", source),
                *(Move("pile_to_pile", source, target, cards) for cards in (0, 1, 12, 99)),
                *(Move("foundation_to_pile", suit, target) for suit in range(4)),
            ]
        )
    )


# Deals.


@fewer_examples
@given(st.data())
def test_deals_are_read_as_they_are_written(data):
    rules = data.draw(rules_of_packs)
    deck = data.draw(decks(rules))
    assert parse_deal(format_deal(deck), rules) == deck


@fewer_examples
@given(st.data())
def test_deals_are_written_as_they_are_read(data):
    rules = data.draw(rules_of_packs)
    text = " ".join(map(format_card, data.draw(decks(rules))))
    assert format_deal(parse_deal(text, rules)) == text


def test_a_deal_is_the_tableau_row_by_row_and_then_the_stock():
    assert format_position(dealt(parse_deal(DEAL, SMALL), SMALL)) == (
        "foundations:\n1: AC\n2: [2C] AD\n3: [3C] [2D] 3D\n"
        "waste:\nstock: AH 2H 3H AS 2S 3S\nrecycles used: 0"
    )


def test_the_first_draw_comes_before_the_game_if_the_rules_say_so():
    rules = Rules(ranks=3, piles=3, start_with_draw=True, draw=2)
    text = format_position(dealt(parse_deal(DEAL, rules), rules))
    assert "waste: AH 2H\nstock: 3H AS 2S 3S\n" in text


@pytest.mark.parametrize(
    "text", [DEAL.lower(), DEAL.replace("H", "♥").replace("C", "♣"), DEAL.replace(" ", " \t ")]
)
def test_other_ways_to_write_a_deal(text):
    assert format_deal(parse_deal(text, SMALL)) == DEAL


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_deal_file_has_comments_blank_lines_and_several_deals(end):
    text = end.join(["# two deals", "", DEAL, "   ", f"{DEAL[3:]} AC  # the same, turned", ""])
    assert list(map(format_deal, parse_deals(text, SMALL))) == [DEAL, f"{DEAL[3:]} AC"]


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\r\n"])
def test_a_deal_file_may_be_empty(text):
    assert parse_deals(text) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (DEAL.replace("2C", "2X"), "line 3: '2X' is not a card"),
        (DEAL.replace("2C", "[2C]"), "line 3: '[2C]' is not a card"),
        (DEAL.removesuffix("3S"), "line 3: missing: 3S"),
        (f"{DEAL} 3S", "line 3: too many of: 3S"),
        (DEAL.replace("2C", "3S"), "line 3: too many of: 3S; missing: 2C"),
        (DEAL.replace("2C", "KC"), "line 3: not in this pack: KC; missing: 2C"),
    ],
)
def test_a_wrong_deal_is_named_with_its_line(text, problem):
    with pytest.raises(UnreadableText, match=f"^{re.escape(problem)}"):
        parse_deals(f"{DEAL}\n\n{text}", SMALL)


# Positions.


@fewer_examples
@given(positions())
def test_positions_are_read_as_they_are_written(position):
    assert parse_position(format_position(position)) == position


@fewer_examples
@given(positions())
def test_positions_are_written_as_they_are_read(position):
    text = format_position(position)
    assert format_position(parse_position(text)) == text


@pytest.mark.parametrize("text", [POSITION, DEALT])
def test_the_notation_of_positions(text):
    assert format_position(parse_position(text)) == text


def test_what_a_position_says():
    position = parse_position(POSITION)
    assert position.foundations == (2, 1, 0, 0)
    assert position.piles[0] == Pile((), tuple(parse_cards("5H 4S 3D")))
    assert position.piles[1] == Pile(tuple(parse_cards("5D")), tuple(parse_cards("5C 4H 3S")))
    assert position.piles[2] == Pile()
    assert position.waste == tuple(parse_cards("2H AS"))
    assert position.stock[:2] == tuple(parse_cards("3C 4C"))
    assert position.recycles_used == 2
    assert position_problems(position, FIVES) == []


@pytest.mark.parametrize(
    "text",
    [
        POSITION.replace("\n", "\r\n") + "\r\n",
        POSITION.replace("[5D]", "[5♦]").replace("4H", "4h"),
        "# here\n\n" + POSITION.replace("\n", "  # a comment\n\n"),
        POSITION.replace(": ", " :\t"),
        POSITION.replace("2C AD", "AD 2C"),
        "\n".join(reversed(POSITION.splitlines())),
    ],
)
def test_other_ways_to_write_a_position(text):
    assert format_position(parse_position(text)) == POSITION


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("4S 3D", "4S 3X", "line 2: '3X' is not a card"),
        ("[5D]", "[5D 5C]", "line 3: '[5D' has no closing bracket"),
        ("[5D]", "[]", "line 3: '' is not a card"),
        ("[5D]", "5D]", "line 3: '5D]' is not a card"),
        ("[5D] 5C", "5C [5D]", "line 3: '[5D]' lies face down on a card that lies face up"),
        ("2H AS", "[2H] AS", "line 5: '[2H]' is not a card"),
        ("2C AD", "2C AC", "line 1: AC is another card of the same foundation"),
        ("2: [5D]", "8: [5D]", "line 3: '8: [5D] 5C 4H 3S' does not begin with 'foundations:', "
         "'1:', '2:', '3:', '4:', '5:', '6:', '7:', 'waste:', 'stock:', 'recycles used:'"),
        ("2: [5D]", "4: [5D]", "a position needs a line '2:'"),
        ("2: [5D]", "1: [5D]", "line 3: there is another line '1:' before"),
        ("waste:", "waste", "line 5: 'waste 2H AS' does not begin with"),
        ("foundations: 2C AD", "", "a position needs a line 'foundations:'"),
        ("recycles used: 2", "", "a position needs a line 'recycles used:'"),
        ("used: 2", "used: -2", "line 7: '-2' is not a number of recycles"),
        ("used: 2", "used: two", "line 7: 'two' is not a number of recycles"),
        ("used: 2", "used:", "line 7: '' is not a number of recycles"),
    ],
)  # fmt: skip
def test_a_wrong_position_is_named_with_its_line(old, new, problem):
    assert old in POSITION
    with pytest.raises(UnreadableText, match=f"^{re.escape(problem)}"):
        parse_position(POSITION.replace(old, new))


def test_an_empty_text_is_no_position():
    with pytest.raises(UnreadableText, match="a position needs a line 'foundations:'"):
        parse_position("")


def test_a_position_needs_a_pile():
    with pytest.raises(UnreadableText, match="a position needs a line '1:'"):
        parse_position("foundations:\nwaste:\nstock:\nrecycles used: 0")


# Moves.


@fewer_examples
@given(st.data())
def test_moves_are_read_as_they_are_written(data):
    piles = data.draw(st.integers(1, 7))
    position = Position((0, 0, 0, 0), (Pile((), (0, 1, 2)),) * piles, (), ())
    move = data.draw(moves(piles))
    assert parse_move(format_move(move), position) == move


@pytest.mark.parametrize(
    ("text", "move", "canonical"),
    [
        ("draw", DRAW, "draw"),
        (" Recycle ", RECYCLE, "recycle"),
        ("waste>2", Move("waste_to_pile", target=1), "waste>2"),
        ("WASTE > 2", Move("waste_to_pile", target=1), "waste>2"),
        ("waste>f", Move("waste_to_foundation"), "waste>F"),
        ("2 > F", Move("pile_to_foundation", 1), "2>F"),
        ("1>2:3", Move("pile_to_pile", 0, 1, 3), "1>2:3"),
        ("1 > 2 : 03", Move("pile_to_pile", 0, 1, 3), "1>2:3"),
        ("2>3:1", Move("pile_to_pile", 1, 2, 1), "2>3:1"),
        ("2>3", Move("pile_to_pile", 1, 2, 3), "2>3:3"),
        ("3>2", Move("pile_to_pile", 2, 1, 0), "3>2:0"),
        ("2>3:4", Move("pile_to_pile", 1, 2, 4), "2>3:4"),
        ("c>1", Move("foundation_to_pile", 0, 0), "C>1"),
        ("H>3", Move("foundation_to_pile", 2, 2), "H>3"),
    ],
)
def test_the_notation_of_moves(text, move, canonical):
    assert parse_move(text, parse_position(POSITION)) == move
    assert format_move(move) == canonical


@pytest.mark.parametrize(
    "text",
    ["", "draws", "waste", "waste>", "waste>waste", "waste>H", "stock>1", "F>1", "H>F", "1", "1>",
     "0>1", "1>0", "1>10", "1>2:", "1>2:-1", "1>2:x", "1>2:123", "1>F:1", "waste>1:1", "1>2²",
     "X>1", "draw draw"],
)  # fmt: skip
def test_what_is_not_a_move(text):
    problem = f"{text!r} is not a move (moves are draw, recycle, waste>4, waste>F, 4>F, 4>6:3, H>4)"
    with pytest.raises(UnreadableText, match=f"^{re.escape(problem)}$"):
        parse_move(text, parse_position(POSITION))


@pytest.mark.parametrize("text", ["4>1:1", "1>4:1", "4>1", "waste>4", "4>F", "H>4"])
def test_piles_outside_the_tableau(text):
    with pytest.raises(UnreadableText, match=r"^there is no pile '4', the tableau has 3$"):
        parse_move(text, parse_position(POSITION))


def test_a_kind_of_move_that_there_is_not():
    with pytest.raises(ValueError, match="'jump' is not a kind of move"):
        format_move(Move("jump"))


@pytest.mark.parametrize(
    "text",
    [
        "draw\nwaste>3\n4>6:3",
        "draw,waste>3,4>6:3",
        "draw, waste>3,\r\n# no comma, no draw\r\n\r\n  4>6:3  # last\r\n",
    ],
)
def test_lists_of_moves(text):
    assert split_moves(text) == ["draw", "waste>3", "4>6:3"]


# Pictures.


def test_the_board_as_people_see_it():
    assert draw_board(parse_position(POSITION)) == (
        "foundations: 2♣ A♦ ·♥ ·♠\n"
        "1   2   3\n"
        "5♥  ▒▒  ·\n"
        "4♠  5♣\n"
        "3♦  4♥\n"
        "    3♠\n"
        "waste: 2 cards, the top last: 2♥ A♠\n"
        "stock: 8 cards\n"
        "recycles used: 2"
    )


def test_no_picture_shows_a_card_that_lies_face_down():
    first, second = (parse_position(POSITION.replace("5D", card)) for card in ("5D", "5S"))
    assert draw_board(first) == draw_board(second)
    assert board_html(first) == board_html(second)


def test_the_largest_board_fits_a_terminal():
    run = tuple(make_card(rank, 0) for rank in range(13, 0, -1))
    pile = Pile((0,) * 6, run)
    lines = draw_board(Position((0, 0, 0, 0), (pile,) * 7, run, run, 1)).splitlines()
    assert len(lines) == 24
    assert max(map(len, lines)) <= 80
    assert lines[-3].startswith("waste: 13 cards, the top last: … Q♣ J♣")


@fewer_examples
@given(positions())
def test_colours_change_nothing_but_colours(position):
    plain, coloured = draw_board(position), draw_board(position, colour=True)
    assert re.sub(r"\x1b\[\d+m", "", coloured) == plain
    reds = "".join(re.findall("\x1b\\[31m(.*?)\x1b\\[0m", coloured))
    assert not re.search("[♣♠]", reds)
    assert re.findall("[♦♥]", reds) == re.findall("[♦♥]", plain)


def test_the_board_for_notebooks():
    html = board_html(parse_position(POSITION))
    assert html.count("<tr>") == 5
    assert html.count("<td") == 4 * 3
    assert '<span style="color:#d32f2f">3♦</span></td>' in html
    assert "waste: 2 cards" in html
    assert "foundations: 2♣" in html
    for tag in ("table", "tr", "td", "th", "p", "span"):
        assert len(re.findall(f"<{tag}[ >]", html)) == html.count(f"</{tag}>")


# The rule sheet.


def test_the_rule_sheet_names_every_option_flag_and_preset():
    import argparse

    sheet = Path(klondike.__file__).with_name("RULES.md").read_text(encoding="utf-8")
    parser = argparse.ArgumentParser(add_help=False)
    add_rule_flags(parser)
    for action in parser._actions:
        if action.dest != "preset":
            assert f"| `{action.dest}` | `{action.option_strings[0]}` |" in sheet
    assert {action.dest for action in parser._actions} == {"preset", *Rules().to_dict()}
    for preset in PRESETS:
        assert f"| `{preset}` |" in sheet
    for rule in range(1, 12):
        assert f"**KL{rule}, " in sheet
