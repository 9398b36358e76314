"""The command devilsgrip: what it prints, and what it says to bad input."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dealstats.cards import format_cards
from devilsgrip import Game, Rules, deal, dealt, format_deal, format_position, parse_position
from devilsgrip.batch import play_batch, player_task
from devilsgrip.command import main
from devilsgrip.drawing import draw_board
from devilsgrip.players import PLAYERS
from devilsgrip.rules import PRESETS

SMALL = Rules(suits=1)
START_UP_SECONDS = 0.5
POSITION = format_position(dealt(deal(7), Rules()))
NEARLY_WON = """\
A: 4C-7C-TC-KC 3C-6C-9C-QC
B: 2C-5C-8C-JC 4C-7C-TC-KC
C: 3C-6C-9C-QC 2C-5C-8C
talon: JC
stock:
redeals used: 0
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
    assert good("deal", 7, "--suits", 1) == format_deal(deal(7, rules=SMALL)) + "\n"


def test_deal_prints_deals_of_pysolfc(good):
    assert good("deal", 1, "--scheme", "pysolfc").startswith("7D 3D 2D 6D JH 2H 2C 7H QH")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["-1"], "deal -1 is not from 0 to 2^63 - 1"),
        (["7", "--seed", "-1"], "seed -1 is not from 0 to 2^63 - 1"),
        (["7", "--count", "0"], "count 0 is not at least 1"),
        (["0", "--scheme", "pysolfc"], "deal 0 of PySolFC is not from 1 to 10^20"),
        (["1", "--scheme", "pysolfc", "--suits", "1"], "the scheme pysolfc has no small packs"),
        (["seven"], "argument N: invalid int value: 'seven' (see devilsgrip deal --help)"),
        ([], "the following arguments are required: N (see devilsgrip deal --help)"),
    ],
)
def test_deals_that_there_are_not(bad, words, problem):
    assert bad("deal", *words) == problem


# show


def test_show_draws_a_numbered_deal(good):
    board = draw_board(dealt(deal(7), Rules()))
    assert good("show", "--deal", 7) == f"deal 7\n{board}\n"


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
    assert good("show", "--position", file(NEARLY_WON), "--suits", 1) == f"given.txt\n{board}\n"


def test_show_names_the_stream_of_a_deal(good):
    assert good("show", "--deal", 7, "--seed", 3).startswith("deal 7 of seed 3\n")
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


def test_a_folder_is_no_file(bad, tmp_path):
    assert bad("show", tmp_path) == f"{tmp_path}: Is a directory"


@pytest.mark.parametrize("content", ["", "\r\n", "# only a comment\n"])
def test_a_file_without_deals(bad, file, content):
    assert bad("show", file(content)) == "given.txt: there is no deal in it"
    assert bad("show", "-", stdin=content.encode()) == "stdin: there is no deal in it"


def test_a_file_that_is_no_text(bad, file):
    assert bad("show", file(b"\xff\xfe\x00")) == "given.txt: this is not text in UTF-8"


def test_a_byte_order_mark_is_no_card(good, file):
    assert good("show", file(b"\xef\xbb\xbf" + format_deal(deal(7)).encode()))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("QC", "XC", "'XC' is not a card (a card is a rank A23456789TJQK and a suit CDHS)"),
        ("QC", "", "missing: QC"),
        ("QC", "QC QC", "too many of: QC"),
        ("QC", "QS", "too many of: QS; missing: QC"),
        ("QC", "AC", "not in this pack: AC; missing: QC"),
    ],
)
def test_wrong_cards_of_a_deal_are_named(bad, file, old, new, problem):
    deals = f"{format_deal(deal(3))}\n\n{format_deal(deal(7)).replace(old, new, 1)}\n"
    for command in (["show"], ["play", "--player", "greedy"], ["perft", "--depth", "1"]):
        assert bad(*command, file(deals)) == f"given.txt: line 3: {problem}"


def test_the_pack_must_be_that_of_the_rules(bad, file):
    small = file(format_deal(deal(7, rules=SMALL)))
    assert bad("show", small).startswith("given.txt: line 1: missing: 2D 2D 3D")
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


def test_play_prints_moves_that_replay(good, file):
    printed = good("play", "--deal", 7, "--player", "greedy")
    head, *moves = printed.splitlines()
    found = re.fullmatch(r"# deal 7, played by greedy: (\d+) cards left after (\d+) moves", head)
    end = good("replay", "--deal", 7, file("\n".join(moves)))
    assert end.endswith(f"# {found[1]} cards left after {found[2]} moves\n")
    assert good("replay", "--deal", 7, file(printed)) == end
    assert good("replay", "--deal", 7, printed) == end


def test_play_as_json(good):
    deals = "".join(format_deal(deal(number)) + "\n" for number in (3, 4))
    found = lines_of_json(good("play", "-", "--player", "greedy", "--json", stdin=deals.encode()))
    assert [game["deal"] for game in found] == deals.splitlines()
    for game in found:
        assert list(game) == [
            *("deal", "rules", "player", "won", "cards_left", "moves", "seconds"),
        ]
        assert game["rules"] == Rules().to_dict()
        assert game["player"] == "greedy"
        assert game["won"] is (game["cards_left"] == 0)
        assert game["seconds"] > 0
        replayed = good(
            "replay", "-", ",".join(game["moves"]), "--json", stdin=game["deal"].encode()
        )
        assert json.loads(replayed)["cards_left"] == game["cards_left"]


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


def test_play_with_a_trace(good, file):
    printed = good(
        "play", "--position", file(NEARLY_WON), "--suits", 1, "--player", "greedy", "--trace"
    )
    start = draw_board(parse_position(NEARLY_WON))
    game = Game(parse_position(NEARLY_WON), SMALL)
    game.push("talon>C2")
    assert printed.startswith(f"given.txt\n{start}\n\n1. talon>C2\n{game}\n\n2. swap ")
    assert printed.endswith("\n\n# given.txt, played by greedy: won after 4 moves\n")


@pytest.mark.parametrize("player", ["random", "greedy"])
def test_play_plays_what_batches_play(good, player):
    for number in (40, 41, 42):
        words = ("play", "--deal", number, "--seed", 9, "--player", player, "--json")
        score = json.loads(good(*words))["cards_left"]
        batch = play_batch(player_task(player, Rules(), seed=9), number, 1)
        assert batch.score_counts == {score: 1}


def test_an_unknown_player(bad):
    assert bad("play", "--deal", 7, "--player", "x") == (
        f"no player is called 'x'; there are {', '.join(PLAYERS)}"
    )


@pytest.mark.parametrize("seed", [-1, 2**63])
def test_seeds_that_there_are_not(bad, seed):
    for start in (["--deal", 7], ["--deal", 7, "--scheme", "pysolfc"], ["-"]):
        words = ("play", *start, "--player", "random", "--seed", seed)
        problem = bad(*words, stdin=format_deal(deal(7)).encode())
        assert problem == f"seed {seed} is not from 0 to 2^63 - 1"


def test_play_of_a_great_pysolfc_number(good):
    assert good("play", "--deal", 10**20, "--scheme", "pysolfc", "--player", "random")


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
    for move in ("turn", "C5>A1", "swap A1 A2"):
        game.push(move)
    printed = good("replay", "--deal", 7, "turn, c5>a1\nSWAP A1 A2")
    assert printed == f"{format_position(game.position)}\n# 71 cards left after 3 moves\n"
    assert parse_position(printed) == game.position


def test_replay_as_json(good):
    game = Game(deal(7))
    game.push("turn")
    assert json.loads(good("replay", "--deal", 7, "Turn", "--json")) == {
        "legal": True,
        "won": False,
        "cards_left": 72,
        "moves": ["turn"],
        "position": format_position(game.position),
    }


def test_replay_reads_moves_from_a_file_and_from_stdin(good, file):
    expected = good("replay", "--deal", 7, "turn,turn")
    assert good("replay", "--deal", 7, file(b"# moves\r\nturn\r\n\r\nturn # 2\r\n")) == expected
    assert good("replay", "--deal", 7, "-", stdin=b"turn\nturn\n") == expected


def test_replay_of_no_moves(good):
    assert good("replay", "--deal", 7, "") == f"{POSITION}\n# 72 cards left after 0 moves\n"


def test_replay_of_several_deals(good, file):
    deals = file("".join(format_deal(deal(number)) + "\n" for number in (3, 4)))
    found = lines_of_json(good("replay", deals, "turn", "--json"))
    assert [result["cards_left"] for result in found] == [72, 72]
    assert found[0]["position"] != found[1]["position"]


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


def test_stdin_is_read_once(bad):
    assert bad("replay", "-", "-") == "stdin cannot give both the start and the moves"


# perft


def test_perft_counts_positions(good):
    words = ("perft", "--deal", 7, "--suits", 1, "--depth", 2)
    (found,) = lines_of_json(good(*words, "--json"))
    assert list(found) == ["distinct_positions"]
    numbers = found["distinct_positions"]
    assert numbers[:2] == [1, distinct_after_one_move(deal(7, rules=SMALL), SMALL)]
    head, *rows = good(*words).splitlines()
    assert head == "# deal 7: distinct positions after 0, 1, .. moves"
    assert [row.split() for row in rows] == [[str(d), str(n)] for d, n in enumerate(numbers)]


def distinct_after_one_move(deck, rules):
    found = set()
    for move in Game(deck, rules).legal_moves():
        game = Game(deck, rules)
        game.push(move)
        found.add((tuple(sorted(game.position.grid)), game.position.talon, game.position.stock))
    return len(found)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--depth", "-1"], "depth -1 is not at least 0"),
        ([], "the following arguments are required: --depth (see devilsgrip perft --help)"),
    ],
)
def test_depths_that_there_are_not(bad, words, problem):
    assert bad("perft", "--deal", 7, *words) == problem


# The command as a whole


def test_commands_that_there_are_not(bad):
    assert bad().startswith("the following arguments are required: COMMAND")
    assert bad("dance").startswith("argument COMMAND: invalid choice: 'dance'")


def test_mistakes_of_the_program_are_not_hidden(run, monkeypatch):
    def fail(*_, **options):
        raise MemoryError

    monkeypatch.setattr("devilsgrip.command.draw_board", fail)
    with pytest.raises(MemoryError):
        run("show", "--deal", 7)


@pytest.mark.parametrize("words", [["--help"], ["show", "--deal", "7"], ["deal", "7"], ["players"]])
def test_a_quick_start(words):
    code = (
        "import sys; from devilsgrip.command import main\n"
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


def test_a_reader_may_stop_early():
    reader, writer = os.pipe()
    os.close(reader)
    code = "import sys; from devilsgrip.command import main; sys.exit(main(['deal', '0']))"
    done = subprocess.run([sys.executable, "-c", code], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_the_installed_command_ends_with_the_status():
    command = Path(sys.executable).with_name("devilsgrip")
    done = subprocess.run([command, "show", "nowhere"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: nowhere: No such file or directory\n"
