"""The command klondike, in what no other game has; the rest is in test_game_commands.py."""

import io
import json
import sys

import pytest

from klondike import Game, Rules, deal, dealt, format_deal, format_position, parse_position
from klondike.command import main
from klondike.rules import PRESETS

SMALL_FLAGS = ("--ranks", 5, "--piles", 3)
POSITION = format_position(dealt(deal(7), Rules()))
NEARLY_WON = """\
foundations: 4C 5D 4H 5S
1:
2: [5C] 5H
3:
waste:
stock:
recycles used: 0
"""


# deal


def test_pysolfc_deals_no_klondike(bad):
    problem = "argument --scheme: invalid choice: 'pysolfc'"
    assert bad("deal", 1, "--scheme", "pysolfc").startswith(problem)


# show


def test_show_begins_with_a_draw_if_the_rules_do(good):
    printed = good("show", "--deal", 7, "--preset", "stargames")
    assert printed.splitlines()[-2:] == ["waste: 1 card, the top last: 4♣", "stock: 23 cards"]


def test_show_is_coloured_in_a_terminal_only(good, monkeypatch):
    assert "\x1b" not in good("show", "--deal", 7)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[31m3♦\x1b[0m" in good("show", "--deal", 7)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in good("show", "--deal", 7)


def test_show_uses_letters_where_there_are_no_symbols(monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    assert main(["show", "--deal", "7"]) == 0
    shown = stream.buffer.getvalue().decode("ascii").splitlines()
    assert shown[1] == "foundations: .C .D .H .S"
    assert shown[3:5] == ["3D  ##  ##  ##  ##  ##  ##", "    2C  ##  ##  ##  ##  ##"]


# Starts


def test_the_pack_must_be_that_of_the_rules(bad, file):
    assert bad("show", *SMALL_FLAGS, "--position", file(POSITION)).startswith(
        "given.txt: the tableau has 7 piles instead of 3 (KL1); not in this pack: 6C 7C"
    )


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("QC", "XC", "line 8: 'XC' is not a card (a card is a rank A23456789TJQK and a suit CDHS)"),
        ("QC", "QS", "too many of: QS; missing: QC (KL1)"),
        ("[8H] 2C", "[8H]", "missing: 2C (KL1); pile 2 has cards face down, but none face up "
         "(KL7)"),
        ("[8H] 2C", "8H 2C", "pile 2: 2C does not follow 8H (KL3)"),
        ("[8H] 2C", "2C [8H]", "line 3: '[8H]' lies face down on a card that lies face up"),
        ("1: 3D", "1: [8H] 3D", "too many of: 8H (KL1)"),
        ("foundations:", "foundations: AC", "too many of: AC (KL1)"),
        ("7: ", "1: ", "line 8: there is another line '1:' before"),
        ("used: 0", "used: none", "line 11: 'none' is not a number of recycles"),
        ("waste:", "talon:", "line 9: 'talon:' does not begin with 'foundations:', '1:', '2:', "
         "'3:', '4:', '5:', '6:', '7:', 'waste:', 'stock:', 'recycles used:'"),
    ],
)  # fmt: skip
def test_wrong_positions(bad, file, old, new, problem):
    given = file(POSITION.replace(old, new, 1))
    for command in (["show"], ["play", "--player", "greedy"], ["replay", "draw"]):
        assert bad(*command, "--position", given) == f"given.txt: {problem}"


@pytest.mark.parametrize(
    ("first_pile", "foundations", "stock", "problem"),
    [
        ("[5C] 5H", "4C 5D 4H 5S", "",
         "pile 1 has 1 cards face down, but a deal puts 0 there (KL1)"),
        ("", "4C 3D 4H 3S", "5C 5H 4D 5D 4S 5S",
         "waste and stock have 6 cards, but a deal puts 5 there (KL1)"),
    ],
)  # fmt: skip
def test_positions_that_no_deal_leads_to(bad, file, first_pile, foundations, stock, problem):
    text = (
        f"foundations: {foundations}\n1: {first_pile}\n2:\n3:\n4:\n5:\n"
        f"waste:\nstock: {stock}\nrecycles used: 0"
    )
    words = ("--ranks", 5, "--piles", 5, "--position", file(text))
    for command in (["show"], ["play", "--player", "greedy"], ["perft", "--depth", 1]):
        assert bad(*command, *words) == f"given.txt: {problem}"


def test_too_many_recycles_in_a_position(bad, file):
    given = file(POSITION.replace("used: 0", "used: 3"))
    assert bad("show", "--position", given, "--preset", "vegas") == (
        "given.txt: the number of recycles used is 3, above the limit of 2 (KL6)"
    )


# Rules


@pytest.mark.parametrize(
    ("flags", "rules"),
    [
        ([], Rules()),
        *(([f"--preset={name}"], rules) for name, rules in PRESETS.items()),
        (["--draw", "3", "--redeals", "2"], Rules(draw=3, redeals=2)),
        (["--redeals", "unlimited", "--preset", "vegas"], Rules(draw=3, scoring="vegas")),
        (["--preset", "draw-three", "--draw", "1"], Rules(scoring="standard")),
        (["--no-worrying-back", "--whole-runs", "--start-with-draw"], Rules(
            worrying_back=False, partial_runs=False, start_with_draw=True)),
        (["--empty-pile", "any", "--sees", "stock"], Rules(empty_pile="any", sees="stock")),
        (["--scoring", "vegas", "--foundation-award", "first-time"], Rules(
            scoring="vegas", foundation_award="first_time")),
        (["--ranks", "12", "--piles", "6"], Rules(ranks=12, piles=6)),
    ],
)  # fmt: skip
def test_flags_of_the_rules(good, flags, rules):
    printed = good("play", "--deal", 7, "--player", "greedy", "--json", *flags)
    assert json.loads(printed)["rules"] == rules.to_dict()


@pytest.mark.parametrize(
    ("flags", "problem"),
    [
        (["--draw", "0"], "draw 0 is not from 1 to 24"),
        (["--redeals", "-1"], "redeals -1 is neither unlimited nor from 0 to 1000000"),
        (["--ranks", "14"], "ranks 14 is not from 1 to 13"),
        (["--piles", "8"], "piles 8 is not from 1 to 7"),
        (["--ranks", "6"], "7 piles take 28 cards, but 6 ranks make a pack of 24"),
        (["--empty-pile", "queen"], "empty_pile 'queen' is not one of king, any, none"),
        (["--scoring", "chess"], "scoring 'chess' is not one of stargames, standard, vegas"),
        (["--foundation-award", "never"],
         "foundation_award 'never' is not one of each_time, first_time"),
        (["--sees", "all"], "sees 'all' is not one of turned, stock"),
        (["--preset", "easy"], "no preset is called 'easy'; there are stargames, draw-one, "
         "draw-three, vegas, vegas-draw-one, thoughtful"),
        (["--redeals", "many"], "argument --redeals: 'many' is neither a number nor unlimited "
         "(see klondike show --help)"),
        (["--draw", "x"], "argument --draw: invalid int value: 'x' (see klondike show --help)"),
        (["--draws=3"], "unrecognized arguments: --draws=3 (see klondike --help)"),
    ],
)  # fmt: skip
def test_impossible_rules(bad, flags, problem):
    assert bad("show", "--deal", 7, *flags) == problem


# play


def test_play_from_a_position_to_a_win(good, file):
    words = ("play", "--position", file(NEARLY_WON), *SMALL_FLAGS, "--player", "greedy")
    game = json.loads(good(*words, "--json"))
    assert game["deal"] == NEARLY_WON.rstrip()
    assert (game["won"], game["score"], game["moves"]) == (True, 80, ["2>F", "2>F"])
    assert good(*words) == (
        "# given.txt, played by greedy: won with 80 points after 2 moves\n2>F, 2>F\n"
    )


# replay


def test_replay_prints_the_end_position(good):
    game = Game(deal(7))
    for move in ("draw", "4>F", "2>F", "7>4:1"):
        game.push(move)
    printed = good("replay", "--deal", 7, "draw, 4>f\n2 > F, 7>4")
    assert printed == f"{format_position(game.position)}\n# not won, 50 points after 4 moves\n"
    assert parse_position(printed) == game.position


def test_replay_of_a_win(good, file):
    words = ("replay", "--position", file(NEARLY_WON), *SMALL_FLAGS, "2>F,2>F")
    assert good(*words).endswith("\n# won with 80 points after 2 moves\n")
    result = json.loads(good(*words, "--json"))
    assert (result["won"], result["score"]) == (True, 80)


@pytest.mark.parametrize(
    ("moves", "problem"),
    [
        ("draw,4>F,1>2:1,draw", "deal 7: move 3: '1>2:1' is illegal: pile 2: 3D does not follow 2C "
         "(KL3)"),
        ("draw\nrecycle", "deal 7: move 2: 'recycle' is illegal: the stock is not empty (KL6)"),
        ("waste>1", "deal 7: move 1: 'waste>1' is illegal: the waste is empty (KL2)"),
        ("7>1:2", "deal 7: move 1: '7>1:2' is illegal: a card face down never moves, and pile 7 "
         "has 1 face up (KL3)"),
        ("draw,darw", "deal 7: move 2: 'darw' is not a move (moves are draw, recycle, waste>4, "
         "waste>F, 4>F, 4>6:3, H>4)"),
        ("8>1:1", "deal 7: move 1: there is no pile '8', the tableau has 7"),
        ("moves.txt", "'moves.txt' is neither a file nor a move (draw, recycle, waste>4, waste>F, "
         "4>F, 4>6:3, H>4)"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_moves_that_cannot_be_made(bad, moves, problem, flags):
    assert bad("replay", "--deal", 7, moves, *flags) == problem


@pytest.mark.parametrize("pile", range(2, 8))
def test_a_card_face_down_never_moves(bad, pile):
    for cards in range(2, pile + 1):
        for target in range(1, 8):
            problem = bad("replay", "--deal", 7, f"{pile}>{target}:{cards}", "--empty-pile", "any")
            assert "a card face down never moves" in problem or "onto itself" in problem


def test_nothing_is_printed_if_any_replay_fails(bad, file):
    deals = file("".join(format_deal(deal(number)) + "\n" for number in (7, 8)))
    assert bad("replay", deals, "4>F").startswith(
        "given.txt, deal 2: move 1: '4>F' is illegal: foundation "
    )


def test_the_rules_count_in_a_replay(good, bad):
    moves = ",".join(["draw"] * 24 + ["recycle"])
    assert good("replay", "--deal", 7, moves).endswith("# not won, -15 points after 25 moves\n")
    assert bad("replay", "--deal", 7, moves, "--preset", "vegas-draw-one") == (
        "deal 7: move 25: 'recycle' is illegal: the limit of redeals, 0, is reached (KL6)"
    )


# solve


def test_solve_prints_moves_that_replay(good):
    printed = good("solve", "--deal", 7, "--draw", 3)
    summary, *moves = printed.splitlines()
    assert summary.startswith("# deal 7: solved with ")
    assert " won with " in good("replay", "--deal", 7, "--draw", 3, "\n".join(moves))


def test_solve_says_in_json_what_it_found(good, file):
    words = ("solve", "--position", file(NEARLY_WON), *SMALL_FLAGS, "--json")
    result = json.loads(good(*words))
    assert result.pop("seconds") >= 0
    assert result == {
        "deal": NEARLY_WON.rstrip(),
        "rules": Rules(ranks=5, piles=3).to_dict(),
        "objective": "win",
        "outcome": "solved",
        "reason": None,
        "moves": ["2>F", "2>F"],
        "score": 80,
        "upper_bound": None,
        "nodes": 1,
    }


def test_solve_takes_each_deal_of_a_file(good, file):
    rules = Rules(ranks=4, piles=4, draw=3, redeals=0)
    decks = [deal(index, rules=rules) for index in range(6)]
    name = file("\n".join(map(format_deal, decks)))
    flags = ("--ranks", 4, "--piles", 4, "--draw", 3, "--redeals", 0)
    results = [json.loads(line) for line in good("solve", name, *flags, "--json").splitlines()]
    assert [result["deal"] for result in results] == [format_deal(deck) for deck in decks]
    assert {result["outcome"] for result in results} == {"solved", "unsolvable"}
    texts = [line for line in good("solve", name, *flags).splitlines() if line.startswith("#")]
    for number, (text, result) in enumerate(zip(texts, results, strict=True), start=1):
        assert text.startswith(f"# {name}, deal {number}: {result['outcome']}")


def test_solve_says_how_short_a_solution_is(good, file):
    words = ("solve", "--position", file(NEARLY_WON), *SMALL_FLAGS, "--objective", "moves")
    result = json.loads(good(*words, "--json"))
    assert (result["objective"], result["outcome"], result["proved"]) == ("moves", "solved", True)
    assert result["length"] == len(result["moves"]) - result["moves"].count("recycle")
    summary = good(*words).splitlines()[0]
    with_turn_ups = result["length"] + result["turn_ups"]
    assert (
        f": solved in {result['length']} moves without recycles ({with_turn_ups} with turn-ups), "
        "proved shortest (" in summary
    )
    words = ("solve", "--deal", 0, "--draw", 3, "--objective", "moves", "--node-budget", 2_000)
    summary = good(*words).splitlines()[0]
    assert "not proved shortest, the search came to the end of its node budget (" in summary


def test_solve_says_when_it_gave_up(good):
    words = ("solve", "--deal", 0, "--node-budget", 1)
    printed = good(*words)
    assert printed == (
        "# deal 0: unknown, the search came to the end of its node budget (1 nodes)\n"
    )
    result = json.loads(good(*words, "--json"))
    assert (result["outcome"], result["reason"], result["moves"]) == ("unknown", "node_budget", [])


@pytest.mark.parametrize(
    ("flags", "problem"),
    [
        (["--mode", "magic"], "no solver is called 'magic'; there are fast, proved"),
        (["--objective", "fun"], "no objective is called 'fun'; there are win, moves"),
        (["--node-budget", "0"], "argument --node-budget: '0' is no whole number from 1 to "
         "2^63 - 1 (see klondike solve --help)"),
        (["--memory-budget", "5"], "memory_budget 5 is below 1000000"),
    ],
)  # fmt: skip
def test_impossible_wishes_for_a_solver(bad, flags, problem):
    assert bad("solve", "--deal", 7, *flags) == problem
