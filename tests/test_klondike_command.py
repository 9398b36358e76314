"""The command klondike: what it prints, and what it says to bad input."""

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dealstats import command as dealstats_command
from klondike import Game, Rules, deal, dealt, format_deal, format_position, parse_position
from klondike.batch import play_batch, player_task
from klondike.command import main
from klondike.drawing import draw_board
from klondike.players import PLAYERS
from klondike.rules import PRESETS

SMALL = Rules(ranks=5, piles=3)
SMALL_FLAGS = ("--ranks", 5, "--piles", 3)
START_UP_SECONDS = 0.5
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


def lines_of_json(printed):
    return [json.loads(line) for line in printed.splitlines()]


# deal


def test_deal_prints_numbered_deals(good):
    assert good("deal", 7) == format_deal(deal(7)) + "\n"
    assert good("deal", 7, "--count", 3, "--seed", 5, "--format", "text") == "".join(
        format_deal(deal(number, seed=5)) + "\n" for number in (7, 8, 9)
    )


def test_deal_prints_small_packs(good):
    assert good("deal", 7, *SMALL_FLAGS) == format_deal(deal(7, rules=SMALL)) + "\n"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["-1"], "deal -1 is not from 0 to 2^63 - 1"),
        (["7", "--seed", "-1"], "seed -1 is not from 0 to 2^63 - 1"),
        (["7", "--count", "0"], "count 0 is not at least 1"),
        (["1", "--scheme", "pysolfc"], "argument --scheme: invalid choice: 'pysolfc'"),
        (["seven"], "argument N: invalid int value: 'seven' (see klondike deal --help)"),
        ([], "the following arguments are required: N (see klondike deal --help)"),
    ],
)
def test_deals_that_there_are_not(bad, words, problem):
    assert bad("deal", *words).startswith(problem)


# show


def test_show_draws_a_numbered_deal(good):
    board = draw_board(dealt(deal(7), Rules()))
    assert good("show", "--deal", 7) == f"deal 7\n{board}\n"
    assert good("show", "--deal", 7, "--seed", 3).startswith("deal 7 of seed 3\n")


def test_show_draws_all_deals_of_a_file(good, file):
    deals = [deal(number) for number in (3, 4)]
    text = "\r\n".join(["# two deals", *map(format_deal, deals), ""])
    boards = [draw_board(dealt(deck, Rules())) for deck in deals]
    assert good("show", file(text)) == (
        f"given.txt, deal 1\n{boards[0]}\ngiven.txt, deal 2\n{boards[1]}\n"
    )


def test_show_reads_stdin(good):
    symbols = format_deal(deal(7)).lower().replace("t", "10").replace("s", "♠")
    board = draw_board(dealt(deal(7), Rules()))
    assert good("show", "-", stdin=symbols.encode()) == f"stdin, deal 1\n{board}\n"


def test_show_draws_a_position(good, file):
    board = draw_board(parse_position(NEARLY_WON))
    assert good("show", "--position", file(NEARLY_WON), *SMALL_FLAGS) == f"given.txt\n{board}\n"


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


@pytest.mark.parametrize(
    "words", [[], ["given.txt", "--deal", "7"], ["--deal", "7", "--position", "given.txt"]]
)
def test_one_start_must_be_given(bad, words):
    assert bad("show", *words) == "one of DEAL, --deal N and --position FILE must be given"


@pytest.mark.parametrize(
    "command", [["show"], ["play", "--player", "greedy"], ["show", "--position"]]
)
def test_a_missing_file(bad, file, command):
    assert bad(*command, "nowhere.txt") == "nowhere.txt: No such file or directory"


@pytest.mark.parametrize("content", ["", "\r\n", "# only a comment\n"])
def test_a_file_without_deals(bad, file, content):
    assert bad("show", file(content)) == "given.txt: there is no deal in it"
    assert bad("show", "-", stdin=content.encode()) == "stdin: there is no deal in it"


def test_a_file_that_is_no_text(bad, file):
    assert bad("show", file(b"\xff\xfe\x00")) == "given.txt: this is not text in UTF-8"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("QC", "XC", "'XC' is not a card (a card is a rank A23456789TJQK and a suit CDHS)"),
        ("QC", "", "missing: QC"),
        ("QC", "QC QC", "too many of: QC"),
        ("QC", "QS", "too many of: QS; missing: QC"),
    ],
)
def test_wrong_cards_of_a_deal_are_named(bad, file, old, new, problem):
    deals = f"{format_deal(deal(3))}\n\n{format_deal(deal(7)).replace(old, new)}\n"
    for command in (["show"], ["play", "--player", "greedy"], ["perft", "--depth", "1"]):
        assert bad(*command, file(deals)) == f"given.txt: line 3: {problem}"


def test_the_pack_must_be_that_of_the_rules(bad, file):
    small = file(format_deal(deal(7, rules=SMALL)))
    assert bad("show", small).startswith("given.txt: line 1: missing: 6C 7C")
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


def test_play_prints_moves_that_replay(good, file):
    printed = good("play", "--deal", 7, "--player", "greedy")
    head, *moves = printed.splitlines()
    found = re.fullmatch(
        r"# deal 7, played by greedy: not won, (\d+) points after (\d+) moves", head
    )
    end = good("replay", "--deal", 7, file("\n".join(moves)))
    assert end.endswith(f"# not won, {found[1]} points after {found[2]} moves\n")
    assert good("replay", "--deal", 7, file(printed)) == end
    assert good("replay", "--deal", 7, printed) == end


def test_play_as_json(good):
    deals = "".join(format_deal(deal(number)) + "\n" for number in (3, 4))
    found = lines_of_json(good("play", "-", "--player", "greedy", "--json", stdin=deals.encode()))
    assert [game["deal"] for game in found] == deals.splitlines()
    for game in found:
        assert list(game) == ["deal", "rules", "player", "won", "score", "moves", "seconds"]
        assert game["rules"] == Rules().to_dict()
        assert game["player"] == "greedy"
        assert game["seconds"] > 0
        replayed = json.loads(
            good("replay", "-", ",".join(game["moves"]), "--json", stdin=game["deal"].encode())
        )
        assert {name: replayed[name] for name in ("won", "score", "moves")} == {
            name: game[name] for name in ("won", "score", "moves")
        }


def test_play_from_a_position_to_a_win(good, file):
    words = ("play", "--position", file(NEARLY_WON), *SMALL_FLAGS, "--player", "greedy")
    game = json.loads(good(*words, "--json"))
    assert game["deal"] == NEARLY_WON.rstrip()
    assert (game["won"], game["score"], game["moves"]) == (True, 80, ["2>F", "2>F"])
    assert good(*words) == (
        "# given.txt, played by greedy: won with 80 points after 2 moves\n2>F, 2>F\n"
    )


def test_play_with_a_trace(good, file):
    words = ("play", "--position", file(NEARLY_WON), *SMALL_FLAGS, "--player", "greedy")
    game = Game(parse_position(NEARLY_WON), SMALL)
    expected = f"given.txt\n{game}\n\n"
    for number in (1, 2):
        game.push("2>F")
        expected += f"{number}. 2>F\n{game}\n\n"
    expected += "# given.txt, played by greedy: won with 80 points after 2 moves\n"
    assert good(*words, "--trace") == expected


@pytest.mark.parametrize("player", PLAYERS)
def test_play_plays_what_batches_play(good, player):
    for number in (40, 41, 42):
        words = ("play", "--deal", number, "--seed", 9, "--player", player, "--json")
        game = json.loads(good(*words))
        batch = play_batch(player_task(player, Rules(), seed=9), number, 1)
        assert batch.score_counts == {game["score"]: 1}
        assert (batch.won, batch.nodes) == (game["won"], len(game["moves"]))


def test_an_unknown_player(bad):
    assert bad("play", "--deal", 7, "--player", "x") == (
        f"no player is called 'x'; there are {', '.join(PLAYERS)}"
    )


@pytest.mark.parametrize("seed", [-1, 2**63])
def test_seeds_that_there_are_not(bad, seed):
    for start in (["--deal", 7], ["-"]):
        words = ("play", *start, "--player", "random", "--seed", seed)
        problem = bad(*words, stdin=format_deal(deal(7)).encode())
        assert problem == f"seed {seed} is not from 0 to 2^63 - 1"


def test_a_trace_is_no_json(bad):
    assert bad("play", "--deal", 7, "--player", "greedy", "--json", "--trace").startswith(
        "argument --trace: not allowed with argument --json"
    )


def test_players_are_listed(good):
    lines = good("players").splitlines()
    assert [line.split()[0] for line in lines] == list(PLAYERS)
    assert all(line.endswith(PLAYERS[line.split()[0]].idea) for line in lines)


# replay


def test_replay_prints_the_end_position(good):
    game = Game(deal(7))
    for move in ("draw", "4>F", "2>F", "7>4:1"):
        game.push(move)
    printed = good("replay", "--deal", 7, "draw, 4>f\n2 > F, 7>4")
    assert printed == f"{format_position(game.position)}\n# not won, 50 points after 4 moves\n"
    assert parse_position(printed) == game.position


def test_replay_as_json(good):
    game = Game(deal(7))
    game.push("4>F")
    assert json.loads(good("replay", "--deal", 7, "4 > f", "--json")) == {
        "legal": True,
        "won": False,
        "score": 20,
        "moves": ["4>F"],
        "position": format_position(game.position),
    }


def test_replay_of_a_win(good, file):
    words = ("replay", "--position", file(NEARLY_WON), *SMALL_FLAGS, "2>F,2>F")
    assert good(*words).endswith("\n# won with 80 points after 2 moves\n")
    result = json.loads(good(*words, "--json"))
    assert (result["won"], result["score"]) == (True, 80)


def test_replay_reads_moves_from_a_file_and_from_stdin(good, file):
    expected = good("replay", "--deal", 7, "draw,draw")
    assert good("replay", "--deal", 7, file(b"# moves\r\ndraw\r\n\r\ndraw # 2\r\n")) == expected
    assert good("replay", "--deal", 7, "-", stdin=b"draw\ndraw\n") == expected


def test_replay_of_no_moves(good):
    assert good("replay", "--deal", 7, "") == f"{POSITION}\n# not won, 0 points after 0 moves\n"


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


def test_stdin_is_read_once(bad):
    assert bad("replay", "-", "-") == "stdin cannot give both the start and the moves"


# perft


def test_perft_counts_positions(good):
    words = ("perft", "--deal", 7, *SMALL_FLAGS, "--depth", 2)
    (found,) = lines_of_json(good(*words, "--json"))
    assert list(found) == ["distinct_positions"]
    numbers = found["distinct_positions"]
    assert numbers == distinct_positions(deal(7, rules=SMALL), SMALL, 2)
    head, *rows = good(*words).splitlines()
    assert head == "# deal 7: distinct positions after 0, 1, .. moves"
    assert [row.split() for row in rows] == [[str(d), str(n)] for d, n in enumerate(numbers)]


def distinct_positions(deck, rules, depth):
    """The same numbers by the friendly game."""
    found, numbers = {Game(deck, rules).position}, [1]
    for _ in range(depth):
        following = set()
        for position in found:
            game = Game(position, rules)
            for move in game.legal_moves():
                game.push(move)
                following.add(game.position)
                game.pop()
        found = following
        numbers.append(len(found))
    return numbers


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--depth", "-1"], "depth -1 is not at least 0"),
        ([], "the following arguments are required: --depth (see klondike perft --help)"),
    ],
)
def test_depths_that_there_are_not(bad, words, problem):
    assert bad("perft", "--deal", 7, *words) == problem


# Batches


def test_dealstats_collects_games(tmp_path, capsys):
    rows = str(tmp_path / "rows.csv")
    words = ["--game", "klondike", "--player", "greedy", "--deals", "0:200", "--out", rows]
    assert dealstats_command.main(["collect", *words, "--draw", "3", "--no-progress"]) == 0
    head, _, row, *_ = capsys.readouterr().out.splitlines()
    assert "mean points" in head
    assert "won %" in head
    batch = play_batch(player_task("greedy", Rules(draw=3)), 0, 200)
    assert row.split()[:2] == ["greedy", "200"]
    assert f" {100 * batch.won / 200:.1f} [" in row


# The command as a whole


def test_commands_that_there_are_not(bad):
    assert bad().startswith("the following arguments are required: COMMAND")
    assert bad("dance").startswith("argument COMMAND: invalid choice: 'dance'")


@pytest.mark.parametrize("words", [["--help"], ["show", "--deal", "7"], ["deal", "7"], ["players"]])
def test_a_quick_start(words):
    code = (
        "import sys; from klondike.command import main\n"
        "try: status = main(sys.argv[1:])\n"
        "except SystemExit as stop: status = stop.code\n"
        "import resource; used = resource.getrusage(resource.RUSAGE_SELF)\n"
        "heavy = {'numba', 'pandas', 'matplotlib', 'scipy'} & set(sys.modules)\n"
        "print(status, sorted(heavy), used.ru_utime + used.ru_stime, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True)
    status, heavy, seconds = done.stderr.rsplit("\n", 2)[-2].split(" ")
    assert (status, heavy) == ("0", "[]")
    assert float(seconds) < START_UP_SECONDS
    assert done.stdout


def test_the_installed_command_ends_with_the_status():
    command = Path(sys.executable).with_name("klondike")
    done = subprocess.run([command, "show", "nowhere"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: nowhere: No such file or directory\n"
