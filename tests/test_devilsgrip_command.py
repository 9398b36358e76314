"""The command devilsgrip, in what no other game has; the rest is in test_game_commands.py."""

import io
import json
import sys

import pytest

from dealstats.cards import format_cards
from devilsgrip import Game, Rules, deal, dealt, format_deal, format_position, parse_position
from devilsgrip.command import main
from devilsgrip.rules import PRESETS

POSITION = format_position(dealt(deal(7), Rules()))
NEARLY_WON = """\
A: 4C-7C-TC-KC 3C-6C-9C-QC
B: 2C-5C-8C-JC 4C-7C-TC-KC
C: 3C-6C-9C-QC 2C-5C-8C
talon: JC
stock:
redeals used: 0
"""


# deal


def test_deal_prints_deals_of_pysolfc(good):
    assert good("deal", 1, "--scheme", "pysolfc").startswith("7D 3D 2D 6D JH 2H 2C 7H QH")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["0", "--scheme", "pysolfc"], "deal 0 of PySolFC is not from 1 to 10^20"),
        (["1", "--scheme", "pysolfc", "--suits", "1"], "the scheme pysolfc has no small packs"),
    ],
)
def test_deals_that_pysolfc_has_not(bad, words, problem):
    assert bad("deal", *words) == problem


# show


def test_show_names_the_scheme_of_a_deal(good):
    assert good("show", "--deal", 1, "--scheme", "pysolfc", "--preset", "pysolfc").splitlines()[
        ::5
    ] == ["deal 1 of pysolfc", "talon: 3 cards, the top last: 6♣ 6♥ Q♥"]


def test_show_is_coloured_in_a_terminal_only(good, monkeypatch):
    assert "\x1b" not in good("show", "--deal", 7)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[31m5♥\x1b[0m" in good("show", "--deal", 7)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in good("show", "--deal", 7)


def test_show_uses_letters_where_there_are_no_symbols(monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    assert main(["show", "--deal", "7"]) == 0
    assert "A 5H  9D  4D  5H  JH  7H  KS  7S" in stream.buffer.getvalue().decode("ascii")


# Starts


def test_an_ace_is_not_in_the_pack(bad, file):
    deals = file(format_deal(deal(7)).replace("QC", "AC", 1))
    assert bad("show", deals) == "given.txt: line 1: not in this pack: AC; missing: QC"


def test_the_pack_must_be_that_of_the_rules(bad, file):
    assert bad("show", file(POSITION), "--position", file(POSITION)).startswith("one of DEAL")
    assert bad("show", "--suits", 1, "--position", file(POSITION)).startswith(
        "given.txt: the grid has 24 cells instead of 6 (DG2); not in this pack: 2D 3D"
    )


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("9D 4D", "9D-4D", "the rows of the grid have 7, 8, 8 cells, not 2, 4, 6 or 8 each"),
        ("9D", "9X", "line 1: '9X' is not a card (a card is a rank A23456789TJQK and a suit CDHS)"),
        ("9D", "9H", "too many of: 9H; missing: 9D (DG1)"),
        ("A: 5H 9D", "A: 9D-5H .", "A1: 5H does not follow 9D (DG4); A2 is empty, but there is a "
         "card to fill it (DG5)"),
        ("used: 0", "used: none", "line 6: 'none' is not a number of redeals"),
        ("talon:", "waste:", "line 4: 'waste:' does not begin with 'A:', 'B:', 'C:', 'talon:', "
         "'stock:', 'redeals used:'"),
    ],
)  # fmt: skip
def test_wrong_positions(bad, file, old, new, problem):
    given = file(POSITION.replace(old, new, 1))
    for command in (["show"], ["play", "--player", "greedy"], ["replay", "turn"]):
        assert bad(*command, "--position", given) == f"given.txt: {problem}"


def test_too_many_redeals_in_a_position(bad, file):
    given = file(POSITION.replace("used: 0", "used: 1"))
    assert bad("show", "--position", given, "--preset", "single-pass") == (
        "given.txt: the number of redeals used is 1, above the limit of 0 (DG7)"
    )


# Rules


@pytest.mark.parametrize(
    ("flags", "rules"),
    [
        ([], Rules()),
        *(([f"--preset={name}"], rules) for name, rules in PRESETS.items()),
        (["--redeals", "2", "--turn", "1"], Rules(redeals=2, turn=1)),
        (["--redeals", "unlimited", "--preset", "two-pass"], Rules()),
        (["--preset", "pysolfc", "--unit", "single"], Rules(
            initial_talon=3, fill="talon_top", unit="single")),
        (["--fill", "talon-top"], Rules(fill="talon_top")),
        (["--fill", "turn-over"], Rules()),
        (["--initial-talon", "3", "--sees", "top"], Rules(initial_talon=3, sees="top")),
    ],
)  # fmt: skip
def test_flags_of_the_rules(good, flags, rules):
    printed = good("play", "--deal", 7, "--player", "greedy", "--json", *flags)
    assert json.loads(printed)["rules"] == rules.to_dict()


@pytest.mark.parametrize(
    ("flags", "problem"),
    [
        (["--turn", "0"], "turn 0 is not from 1 to 72 cards"),
        (["--turn", "73"], "turn 73 is not from 1 to 72 cards"),
        (["--turn", "19", "--suits", "1"], "turn 19 is not from 1 to 18 cards"),
        (["--redeals", "-1"], "redeals -1 is neither unlimited nor from 0 to 1000000"),
        (["--initial-talon", "2"], "initial_talon 2 is not one of 0, 3"),
        (["--suits", "5"], "suits 5 is not one of 1, 2, 3, 4"),
        (["--fill", "never"], "fill 'never' is not one of turn_over, talon_top"),
        (["--unit", "card"], "unit 'card' is not one of pile, tail, single"),
        (["--sees", "all"], "sees 'all' is not one of turned, top"),
        (["--preset", "easy"], "no preset is called 'easy'; there are textbook, single-pass, "
         "two-pass, three-pass, pysolfc"),
        (["--redeals", "many"], "argument --redeals: 'many' is neither a number nor unlimited "
         "(see devilsgrip show --help)"),
        (["--turn", "x"], "argument --turn: invalid int value: 'x' (see devilsgrip show --help)"),
        (["--turns=3"], "unrecognized arguments: --turns=3 (see devilsgrip --help)"),
    ],
)  # fmt: skip
def test_impossible_rules(bad, flags, problem):
    assert bad("show", "--deal", 7, *flags) == problem


# play


def test_play_from_a_position_to_a_win(good, file):
    game = json.loads(
        good("play", "--position", file(NEARLY_WON), "--suits", 1, "--player", "greedy", "--json")
    )
    assert game["deal"] == NEARLY_WON.rstrip()
    assert (game["won"], game["cards_left"]) == (True, 0)
    assert game["moves"][0] == "talon>C2"
    assert all(move.startswith("swap ") for move in game["moves"][1:])
    printed = good("play", "--position", "given.txt", "--suits", 1, "--player", "greedy")
    assert printed.startswith("# given.txt, played by greedy: won after 4 moves\ntalon>C2, swap ")


@pytest.mark.parametrize("seed", [-1, 2**63])
def test_seeds_that_there_are_not(bad, seed):
    words = ("play", "--deal", 7, "--scheme", "pysolfc", "--player", "random", "--seed", seed)
    assert bad(*words) == f"seed {seed} is not from 0 to 2^63 - 1"


def test_play_of_a_great_pysolfc_number(good):
    assert good("play", "--deal", 10**20, "--scheme", "pysolfc", "--player", "random")


# replay


def test_replay_prints_the_end_position(good):
    game = Game(deal(7))
    for move in ("turn", "C5>A1", "swap A1 A2"):
        game.push(move)
    printed = good("replay", "--deal", 7, "turn, c5>a1\nSWAP A1 A2")
    assert printed == f"{format_position(game.position)}\n# 71 cards left after 3 moves\n"
    assert parse_position(printed) == game.position


@pytest.mark.parametrize(
    ("moves", "problem"),
    [
        ("turn,C5>A1,A8>B7,turn", "deal 7: move 3: 'A8>B7' is illegal: B7: 7S does not follow TC "
         "(DG4)"),
        ("turn\nredeal", "deal 7: move 2: 'redeal' is illegal: the stock is not empty (DG7)"),
        ("talon>A1", "deal 7: move 1: 'talon>A1' is illegal: the talon is empty (DG4)"),
        ("turn,trun", "deal 7: move 2: 'trun' is not a move (moves are turn, redeal, talon>B3, "
         "A1>B3, A1>B3:2, swap A1 B3)"),
        ("A9>A1", "deal 7: move 1: there is no cell 'A9', the grid has 8 columns"),
        ("moves.txt", "'moves.txt' is neither a file nor a move (turn, redeal, talon>B3, A1>B3, "
         "A1>B3:2, swap A1 B3)"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_moves_that_cannot_be_made(bad, moves, problem, flags):
    assert bad("replay", "--deal", 7, moves, *flags) == problem


def test_nothing_is_printed_if_any_replay_fails(bad, file):
    deals = file("".join(format_deal(deal(number)) + "\n" for number in (7, 8)))
    assert bad("replay", deals, "C5>A1") == (
        "given.txt, deal 2: move 1: 'C5>A1' is illegal: A1: " + bad_landing(deal(8))
    )


def bad_landing(deck):
    lower, upper = (format_cards([deck[cell]]) for cell in (0, 20))
    return f"{upper} does not follow {lower} (DG4)"


def test_the_rules_count_in_a_replay(good, bad):
    moves = ",".join(["turn"] * 24 + ["redeal"])
    assert good("replay", "--deal", 7, moves)
    assert bad("replay", "--deal", 7, moves, "--preset", "single-pass") == (
        "deal 7: move 25: 'redeal' is illegal: the limit of redeals, 0, is reached (DG7)"
    )
