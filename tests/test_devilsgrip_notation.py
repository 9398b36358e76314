"""Text of deals, positions, moves, and pictures of positions: both ways, and when it is wrong."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealstats.cards import PACK, SUIT_LETTERS, SUIT_SYMBOLS, format_card, make_card, parse_cards
from dealstats.errors import UnreadableText
from devilsgrip import Move, Position, Rules, dealt
from devilsgrip.deck import pack
from devilsgrip.drawing import board_html, draw_board
from devilsgrip.notation import (
    cell_name,
    format_deal,
    format_move,
    format_position,
    parse_deal,
    parse_deals,
    parse_move,
    parse_position,
    split_moves,
)
from devilsgrip.position import REDEAL, TURN
from devilsgrip.reference import position_problems

SMALL = Rules(suits=1)
DEAL = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"
POSITION = """\
A: 2C-5C-8C .
B: 3C 3C-6C
C: TC-KC 4C
talon: JC QC KC
stock: 8C 2C 4C 5C 6C 7C 7C 9C 9C TC JC QC
redeals used: 2"""
FULL_POSITION = """\
A: 2S-5S-8S JD 3H 4C KD 5H 2C .
B: . . . . . . . .
C: . . . . . . . TC-KC
talon: TD 2C 5C
stock: 4H 2D 7S
redeals used: 0"""

fewer_examples = settings(max_examples=50)
suits = st.integers(1, 4)
rules_of_suits = suits.map(lambda count: Rules(suits=count))


def decks(rules):
    return st.permutations(pack(rules)).map(tuple)


@st.composite
def positions(draw):
    """Any grid, talon and stock, be they possible or not."""
    columns = 2 * draw(suits)
    cards = st.integers(0, 51)
    pile = st.lists(cards, max_size=4).map(tuple)
    grid = draw(st.tuples(*[pile] * (3 * columns)))
    few_cards = st.lists(cards, max_size=8).map(tuple)
    return Position(grid, draw(few_cards), draw(few_cards), draw(st.integers(0, 1_000_000)))


@st.composite
def moves(draw, cells):
    """A move between cells whose piles have one card or, in the first row, three."""
    source, target = draw(st.integers(0, cells - 1)), draw(st.integers(0, cells - 1))
    return draw(
        st.sampled_from(
            [
                TURN,
                REDEAL,
                Move("place", target=target),
                Move("swap", source, target),
                *(Move("build", source, target, cards) for cards in (1, 2, 3)),
            ]
        )
    )


# Deals.


@fewer_examples
@given(st.data())
def test_deals_are_read_as_they_are_written(data):
    rules = data.draw(rules_of_suits)
    deck = data.draw(decks(rules))
    assert parse_deal(format_deal(deck), rules) == deck


@fewer_examples
@given(st.data())
def test_deals_are_written_as_they_are_read(data):
    rules = data.draw(rules_of_suits)
    text = " ".join(map(format_card, data.draw(decks(rules))))
    assert format_deal(parse_deal(text, rules)) == text


def test_a_deal_is_the_grid_row_by_row_and_then_the_stock():
    position = dealt(parse_deal(DEAL, SMALL), SMALL)
    assert format_position(position) == (
        "A: 2C 3C\nB: 4C 5C\nC: 6C 7C\ntalon:\n"
        "stock: 8C 9C TC JC QC KC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC\nredeals used: 0"
    )


@pytest.mark.parametrize(
    "text",
    [
        DEAL.lower(),
        DEAL.replace("T", "10"),
        DEAL.replace("C", "♣"),
        DEAL.replace(" ", " \t "),
    ],
)
def test_other_ways_to_write_a_deal(text):
    assert format_deal(parse_deal(text, SMALL)) == DEAL


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_deal_file_has_comments_blank_lines_and_several_deals(end):
    text = end.join(["# two deals", "", DEAL, "   ", f"{DEAL[3:]} 2C  # the same, turned", ""])
    assert list(map(format_deal, parse_deals(text, SMALL))) == [DEAL, f"{DEAL[3:]} 2C"]


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\r\n"])
def test_a_deal_file_may_be_empty(text):
    assert parse_deals(text) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (DEAL.replace("2C", "2X", 1), "line 3: '2X' is not a card"),
        (DEAL.replace("2C", "1C", 1), "line 3: '1C' is not a card"),
        (f"A: {DEAL}", "line 3: 'A:' is not a card"),
        (DEAL.removesuffix("KC"), "line 3: missing: KC"),
        (DEAL[9:], "line 3: missing: 2C 3C 4C"),
        (f"{DEAL} KC", "line 3: too many of: KC"),
        (DEAL.replace("2C", "KC", 1), "line 3: too many of: KC; missing: 2C"),
        (DEAL.replace("2C", "AC"), "line 3: not in this pack: AC; missing: 2C 2C"),
        (DEAL.replace("2C", "2D", 1), "line 3: not in this pack: 2D; missing: 2C"),
    ],
)
def test_a_wrong_deal_is_named_with_its_line(text, problem):
    with pytest.raises(UnreadableText, match=f"^{re.escape(problem)}"):
        parse_deals(f"{DEAL}\n\n{text}", SMALL)


def test_the_pack_of_another_game_is_refused():
    with pytest.raises(UnreadableText, match="not in this pack: AC AD AH AS; missing: 2C 3C"):
        parse_deal(" ".join(map(format_card, PACK)))


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


@pytest.mark.parametrize("text", [POSITION, FULL_POSITION])
def test_the_notation_of_positions(text):
    assert format_position(parse_position(text)) == text


def test_what_a_position_says():
    position = parse_position(POSITION)
    assert position.grid[0] == tuple(parse_cards("2C 5C 8C"))
    assert position.grid[1] == ()
    assert position.grid[3] == tuple(parse_cards("3C 6C"))
    assert position.talon == tuple(parse_cards("JC QC KC"))
    assert position.stock[:2] == tuple(parse_cards("8C 2C"))
    assert position.redeals_used == 2


@pytest.mark.parametrize(
    "text",
    [
        POSITION.replace("\n", "\r\n") + "\r\n",
        POSITION.replace("C-", "c-").replace("TC", "10♣"),
        "# here\n\n" + POSITION.replace("\n", "  # a comment\n\n"),
        POSITION.replace(": ", " :\t"),
        "\n".join(reversed(POSITION.splitlines())),
    ],
)
def test_other_ways_to_write_a_position(text):
    assert format_position(parse_position(text)) == POSITION


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("8C .", "8X .", "line 1: '8X' is not a card"),
        ("5C-8C", "5C--8C", "line 1: '' is not a card"),
        ("JC QC", "JC-QC", "line 4: 'JC-QC' is not a card"),
        ("3C 3C-6C", "3C 3C 6C", "the rows of the grid have 2, 3, 2 cells, not 2, 4, 6 or 8 each"),
        ("B: 3C 3C-6C", "B:", "the rows of the grid have 2, 0, 2 cells"),
        ("B: 3C", "D: 3C", "line 2: 'D: 3C 3C-6C' does not begin with 'A:', 'B:', 'C:', 'talon:'"),
        ("talon:", "talon", "line 4: 'talon JC QC KC' does not begin with"),
        ("C: TC", "A: TC", "line 3: there is another line 'A:' before"),
        ("redeals used: 2", "", "a position needs a line 'redeals used:'"),
        ("used: 2", "used: -2", "line 6: '-2' is not a number of redeals"),
        ("used: 2", "used: two", "line 6: 'two' is not a number of redeals"),
        ("used: 2", "used:", "line 6: '' is not a number of redeals"),
    ],
)
def test_a_wrong_position_is_named_with_its_line(old, new, problem):
    assert old in POSITION
    with pytest.raises(UnreadableText, match=f"^{re.escape(problem)}"):
        parse_position(POSITION.replace(old, new))


def test_an_empty_text_is_no_position():
    with pytest.raises(UnreadableText, match="a position needs a line 'A:'"):
        parse_position("")


# Moves.


@fewer_examples
@given(st.data())
def test_moves_are_read_as_they_are_written(data):
    columns = 2 * data.draw(suits)
    position = Position(((0, 1, 2),) * columns + ((0,),) * 2 * columns, (), ())
    move = data.draw(moves(len(position.grid)))
    assert parse_move(format_move(move, position), position) == move


@pytest.mark.parametrize(
    ("text", "move", "canonical"),
    [
        ("turn", TURN, "turn"),
        (" Redeal ", REDEAL, "redeal"),
        ("talon>B2", Move("place", target=3), "talon>B2"),
        ("TALON > b2", Move("place", target=3), "talon>B2"),
        ("A1>B1", Move("build", 0, 2, 3), "A1>B1"),
        ("a1 > b1", Move("build", 0, 2, 3), "A1>B1"),
        ("A1>B1:3", Move("build", 0, 2, 3), "A1>B1"),
        ("A1>B1:2", Move("build", 0, 2, 2), "A1>B1:2"),
        ("B1>A1:1", Move("build", 2, 0, 1), "B1>A1"),
        ("A1>B1:9", Move("build", 0, 2, 9), "A1>B1:9"),
        ("A2>B1", Move("build", 1, 2, 0), "A2>B1"),
        ("swap A1 C2", Move("swap", 0, 5), "swap A1 C2"),
        ("SWAP  a1\tc2", Move("swap", 0, 5), "swap A1 C2"),
    ],
)
def test_the_notation_of_moves(text, move, canonical):
    position = parse_position(POSITION)
    assert parse_move(text, position) == move
    assert format_move(move, position) == canonical


@pytest.mark.parametrize(
    "text",
    ["", "turns", "talon", "talon>", "talon>talon", "A1", "A1>", "A0>B1", "D1>A1", "A1>B1:",
     "A1>B1:-1", "A1>B1:x", "A1>B1:123", "swap A1", "swap A1 B1 C1", "swap A1,B1", "ſwap A1 B1",
     "A1>B²", "A10>B1"],
)  # fmt: skip
def test_what_is_not_a_move(text):
    with pytest.raises(UnreadableText, match=re.escape(f"{text!r} is not a move (moves are turn")):
        parse_move(text, parse_position(POSITION))


@pytest.mark.parametrize("text", ["A3>B1", "B1>A3", "talon>A3", "swap A1 A3"])
def test_cells_outside_the_grid(text):
    with pytest.raises(UnreadableText, match="there is no cell 'A3', the grid has 2 columns"):
        parse_move(text, parse_position(POSITION))


def test_a_kind_of_move_that_there_is_not():
    with pytest.raises(ValueError, match="'jump' is not a kind of move"):
        format_move(Move("jump"), parse_position(POSITION))


def test_names_of_cells():
    assert [cell_name(cell, 8) for cell in (0, 7, 8, 23)] == ["A1", "A8", "B1", "C8"]
    assert [cell_name(cell, 2) for cell in range(6)] == ["A1", "A2", "B1", "B2", "C1", "C2"]


@pytest.mark.parametrize(
    "text",
    [
        "turn\ntalon>B3\nswap A1 B3",
        "turn,talon>B3,swap A1 B3",
        "turn, talon>B3,\r\n# no comma, no turn\r\n\r\n  swap A1 B3  # last\r\n",
    ],
)
def test_lists_of_moves(text):
    assert split_moves(text) == ["turn", "talon>B3", "swap A1 B3"]


@pytest.mark.parametrize("text", ["", " ", "# turn", ",\n,"])
def test_empty_lists_of_moves(text):
    assert split_moves(text) == []


# Pictures.


def won_position(redeals_used=0):
    piles = [
        tuple(make_card(rank, suit) for rank in range(base, 14, 3))
        for base in (2, 3, 4)
        for suit in range(4)
        for _ in range(2)
    ]
    return Position(tuple(piles), (), (), redeals_used)


def test_the_board_as_people_see_it():
    assert draw_board(parse_position(POSITION)) == (
        "  1       2\n"
        "A 2♣5♣8♣  ·\n"
        "B 3♣      3♣6♣\n"
        "C T♣K♣    4♣\n"
        "talon: 3 cards, the top last: J♣ Q♣ K♣\n"
        "stock: 12 cards\n"
        "redeals used: 2"
    )


def test_the_widest_board_has_80_columns():
    assert not position_problems(won_position(), Rules())
    lines = draw_board(won_position()).splitlines()
    assert max(map(len, lines)) == 80
    assert lines[-2:] == ["talon: 0 cards", "stock: 0 cards"]


def test_a_long_talon_shows_its_top():
    position = Position(won_position().grid, tuple(range(30)), (0,))
    *_, talon, stock = draw_board(position).splitlines()
    assert talon.startswith("talon: 30 cards, the top last: … 6♦")
    assert talon.endswith("3♥ 4♥")
    assert len(talon) <= 80
    assert stock == "stock: 1 card"


@fewer_examples
@given(positions())
def test_colours_change_nothing_but_colours(position):
    plain, coloured = draw_board(position), draw_board(position, colour=True)
    assert re.sub(r"\x1b\[\d+m", "", coloured) == plain
    reds = "".join(re.findall("\x1b\\[31m(.*?)\x1b\\[0m", coloured))
    assert not re.search("[♣♠]", reds)
    assert re.findall("[♦♥]", reds) == re.findall("[♦♥]", plain)


def test_the_board_for_notebooks():
    html = board_html(parse_position(FULL_POSITION.replace("2D", "3S")))
    assert html.count("<tr>") == 4
    assert html.count("<td") == 3 * 9
    assert "2♠5♠8♠</td>" in html
    assert '<span style="color:#d32f2f">J♦</span></td>' in html
    assert "talon: 3 cards" in html
    for tag in ("table", "tr", "td", "th", "p", "span", "b"):
        assert len(re.findall(f"<{tag}[ >]", html)) == html.count(f"</{tag}>")


def test_symbols_and_letters_name_the_same_suits():
    assert parse_cards("".join(f" 2{symbol}" for symbol in SUIT_SYMBOLS)) == parse_cards(
        "".join(f" 2{letter}" for letter in SUIT_LETTERS)
    )
