"""What the commands of all games have in common: what they print, and how they refuse bad input."""

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

import devilsgrip
import klondike
from dealstats import command as dealstats_command
from dealstats.rows import read_rows, summed

START_UP_SECONDS = 0.5


class GameCommand(NamedTuple):
    """A command, and what of its game the tests below need."""

    package: ModuleType
    score_name: str
    small: Any
    small_flags: tuple[str, ...]
    missing_of_small: str
    turn: str
    nearly_won: str

    def room(self, name: str) -> ModuleType:
        return import_module(f"{self.package.__name__}.{name}")

    def deal_text(self, number: int, **options: Any) -> str:
        return self.package.format_deal(self.package.deal(number, **options))

    def board(self, position: Any) -> str:
        return self.room("drawing").draw_board(position)

    def board_of_deal(self, number: int) -> str:
        return self.board(self.package.Game(self.package.deal(number)).position)


COMMANDS = (
    GameCommand(
        devilsgrip,
        score_name="cards_left",
        small=devilsgrip.Rules(suits=1),
        small_flags=("--suits", "1"),
        missing_of_small="2D 2D 3D",
        turn="turn",
        nearly_won=(
            "A: 4C-7C-TC-KC 3C-6C-9C-QC\nB: 2C-5C-8C-JC 4C-7C-TC-KC\nC: 3C-6C-9C-QC 2C-5C-8C\n"
            "talon: JC\nstock:\nredeals used: 0\n"
        ),
    ),
    GameCommand(
        klondike,
        score_name="score",
        small=klondike.Rules(ranks=5, piles=3),
        small_flags=("--ranks", "5", "--piles", "3"),
        missing_of_small="6C 7C",
        turn="draw",
        nearly_won=(
            "foundations: 4C 5D 4H 5S\n1:\n2: [5C] 5H\n3:\nwaste:\nstock:\nrecycles used: 0\n"
        ),
    ),
)


@pytest.fixture(params=COMMANDS, ids=[each.package.__name__ for each in COMMANDS])
def command(request):
    return request.param


@pytest.fixture
def name(command):
    return command.package.__name__


@pytest.fixture
def main(command):
    return command.room("command").main


def lines_of_json(printed):
    return [json.loads(line) for line in printed.splitlines()]


# deal


def test_deal_prints_numbered_deals(good, command):
    assert good("deal", 7) == command.deal_text(7) + "\n"
    assert good("deal", 7, "--count", 3, "--seed", 5, "--format", "text") == "".join(
        command.deal_text(number, seed=5) + "\n" for number in (7, 8, 9)
    )


def test_deal_prints_small_packs(good, command):
    printed = good("deal", 7, *command.small_flags)
    assert printed == command.deal_text(7, rules=command.small) + "\n"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["-1"], "deal -1 is not from 0 to 2^63 - 1"),
        (["7", "--seed", "-1"], "seed -1 is not from 0 to 2^63 - 1"),
        (["7", "--count", "0"], "count 0 is not at least 1"),
        (["seven"], "argument N: invalid int value: 'seven' (see GAME deal --help)"),
        ([], "the following arguments are required: N (see GAME deal --help)"),
    ],
)
def test_deals_that_there_are_not(bad, name, words, problem):
    assert bad("deal", *words) == problem.replace("GAME", name)


# show


def test_show_draws_a_numbered_deal(good, command):
    assert good("show", "--deal", 7) == f"deal 7\n{command.board_of_deal(7)}\n"
    assert good("show", "--deal", 7, "--seed", 3).startswith("deal 7 of seed 3\n")


def test_show_draws_all_deals_of_a_file(good, file, command):
    text = "\r\n".join(["# two deals", command.deal_text(3), command.deal_text(4), ""])
    assert good("show", file(text)) == "".join(
        f"given.txt, deal {place}\n{command.board_of_deal(number)}\n"
        for place, number in ((1, 3), (2, 4))
    )


def test_show_reads_stdin(good, command):
    symbols = command.deal_text(7).lower().replace("t", "10").replace("s", "♠")
    board = command.board_of_deal(7)
    assert good("show", "-", stdin=symbols.encode()) == f"stdin, deal 1\n{board}\n"


def test_show_draws_a_position(good, file, command):
    board = command.board(command.package.parse_position(command.nearly_won))
    words = ("show", "--position", file(command.nearly_won), *command.small_flags)
    assert good(*words) == f"given.txt\n{board}\n"


# Starts


@pytest.mark.parametrize(
    "words", [[], ["given.txt", "--deal", "7"], ["--deal", "7", "--position", "given.txt"]]
)
def test_one_start_must_be_given(bad, words):
    assert bad("show", *words) == "one of DEAL, --deal N and --position FILE must be given"


@pytest.mark.parametrize(
    "words", [["show"], ["play", "--player", "greedy"], ["show", "--position"]]
)
def test_a_missing_file(bad, file, words):
    assert bad(*words, "nowhere.txt") == "nowhere.txt: No such file or directory"


def test_a_folder_is_no_file(bad, tmp_path):
    assert bad("show", tmp_path) == f"{tmp_path}: Is a directory"


@pytest.mark.parametrize("content", ["", "\r\n", "# only a comment\n"])
def test_a_file_without_deals(bad, file, content):
    assert bad("show", file(content)) == "given.txt: there is no deal in it"
    assert bad("show", "-", stdin=content.encode()) == "stdin: there is no deal in it"


def test_a_file_that_is_no_text(bad, file):
    assert bad("show", file(b"\xff\xfe\x00")) == "given.txt: this is not text in UTF-8"


def test_a_byte_order_mark_is_no_card(good, file, command):
    assert good("show", file(b"\xef\xbb\xbf" + command.deal_text(7).encode()))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("QC", "XC", "'XC' is not a card (a card is a rank A23456789TJQK and a suit CDHS)"),
        ("QC", "", "missing: QC"),
        ("QC", "QC QC", "too many of: QC"),
        ("QC", "QS", "too many of: QS; missing: QC"),
    ],
)
def test_wrong_cards_of_a_deal_are_named(bad, file, command, old, new, problem):
    deals = f"{command.deal_text(3)}\n\n{command.deal_text(7).replace(old, new, 1)}\n"
    for words in (["show"], ["play", "--player", "greedy"], ["perft", "--depth", "1"]):
        assert bad(*words, file(deals)) == f"given.txt: line 3: {problem}"


def test_the_pack_must_be_that_of_the_rules(bad, file, command):
    small = file(command.deal_text(7, rules=command.small))
    assert bad("show", small).startswith(f"given.txt: line 1: missing: {command.missing_of_small}")


# play


def test_play_prints_moves_that_replay(good, file):
    printed = good("play", "--deal", 7, "--player", "greedy")
    head, *moves = printed.splitlines()
    end = good("replay", "--deal", 7, file("\n".join(moves)))
    assert head == f"# deal 7, played by greedy: {end.splitlines()[-1].removeprefix('# ')}"
    assert good("replay", "--deal", 7, file(printed)) == end
    assert good("replay", "--deal", 7, printed) == end


def test_play_as_json(good, command):
    score_name = command.score_name
    deals = "".join(command.deal_text(number) + "\n" for number in (3, 4))
    found = lines_of_json(good("play", "-", "--player", "greedy", "--json", stdin=deals.encode()))
    assert [game["deal"] for game in found] == deals.splitlines()
    for game in found:
        assert list(game) == ["deal", "rules", "player", "won", score_name, "moves", "seconds"]
        assert game["rules"] == command.package.Rules().to_dict()
        assert game["player"] == "greedy"
        assert game["seconds"] > 0
        words = ("replay", "-", ",".join(game["moves"]), "--json")
        (replayed,) = lines_of_json(good(*words, stdin=game["deal"].encode()))
        for name in ("won", score_name, "moves"):
            assert replayed[name] == game[name]


def test_play_from_a_position_to_a_win(good, file, command):
    words = ("play", "--position", file(command.nearly_won), *command.small_flags)
    words += ("--player", "greedy")
    (game,) = lines_of_json(good(*words, "--json"))
    assert game["deal"] == command.nearly_won.rstrip()
    assert game["won"] is True
    assert good(*words).endswith(f" after {len(game['moves'])} moves\n{', '.join(game['moves'])}\n")


def test_play_with_a_trace(good, file, command):
    words = ("play", "--position", file(command.nearly_won), *command.small_flags)
    words += ("--player", "greedy")
    head, moves = good(*words).splitlines()
    start = command.package.parse_position(command.nearly_won)
    game = command.package.Game(start, command.small)
    expected = f"given.txt\n{game}\n\n"
    for number, move in enumerate(moves.split(", "), start=1):
        game.push(move)
        expected += f"{number}. {move}\n{game}\n\n"
    assert good(*words, "--trace") == f"{expected}{head}\n"


@pytest.mark.parametrize("player", ["random", "greedy"])
def test_play_plays_what_batches_play(good, command, player):
    batch = command.room("batch")
    for number in (40, 41, 42):
        words = ("play", "--deal", number, "--seed", 9, "--player", player, "--json")
        (game,) = lines_of_json(good(*words))
        task = batch.player_task(player, command.package.Rules(), seed=9)
        block = batch.play_batch(task, number, 1)
        assert block.score_counts == {game[command.score_name]: 1}
        assert (block.won, block.nodes) == (game["won"], len(game["moves"]))


def test_an_unknown_player(bad, command):
    players = command.room("players").PLAYERS
    assert bad("play", "--deal", 7, "--player", "x") == (
        f"no player is called 'x'; there are {', '.join(players)}"
    )


@pytest.mark.parametrize("seed", [-1, 2**63])
def test_seeds_that_there_are_not(bad, command, seed):
    for start in (["--deal", 7], ["-"]):
        words = ("play", *start, "--player", "random", "--seed", seed)
        problem = bad(*words, stdin=command.deal_text(7).encode())
        assert problem == f"seed {seed} is not from 0 to 2^63 - 1"


def test_a_trace_is_no_json(bad):
    assert bad("play", "--deal", 7, "--player", "greedy", "--json", "--trace").startswith(
        "argument --trace: not allowed with argument --json"
    )


def test_players_are_listed(good, command):
    players, lines = command.room("players").PLAYERS, good("players").splitlines()
    assert [line.split()[0] for line in lines] == list(players)
    assert all(line.endswith(players[line.split()[0]].idea) for line in lines)


# replay


def test_replay_as_json(good, command):
    package, turn = command.package, command.turn
    game = package.Game(package.deal(7))
    game.push(turn)
    (result,) = lines_of_json(good("replay", "--deal", 7, f" {turn.upper()} ", "--json"))
    assert list(result.items()) == [
        ("legal", True),
        ("won", False),
        (command.score_name, game.score),
        ("moves", [turn]),
        ("position", package.format_position(game.position)),
    ]


def test_replay_reads_moves_from_a_file_and_from_stdin(good, file, command):
    turn = command.turn
    expected = good("replay", "--deal", 7, f"{turn},{turn}")
    text = f"# moves\r\n{turn}\r\n\r\n{turn} # 2\r\n"
    assert good("replay", "--deal", 7, file(text)) == expected
    assert good("replay", "--deal", 7, "-", stdin=text.encode()) == expected


def test_replay_of_no_moves(good, command):
    package = command.package
    position = package.format_position(package.Game(package.deal(7)).position)
    printed = good("replay", "--deal", 7, "")
    assert printed.startswith(f"{position}\n# ")
    assert printed.endswith(" after 0 moves\n")


def test_replay_of_several_deals(good, file, command):
    deals = file("".join(command.deal_text(number) + "\n" for number in (3, 4)))
    found = lines_of_json(good("replay", deals, command.turn, "--json"))
    assert [result["moves"] for result in found] == [[command.turn]] * 2
    assert found[0]["position"] != found[1]["position"]


def test_stdin_is_read_once(bad):
    assert bad("replay", "-", "-") == "stdin cannot give both the start and the moves"


# perft


def test_perft_counts_positions(good, command):
    words = ("perft", "--deal", 7, *command.small_flags, "--depth", 3)
    (found,) = lines_of_json(good(*words, "--json"))
    assert list(found) == ["distinct_positions"]
    numbers = found["distinct_positions"]
    assert numbers == distinct_positions(command, depth=3)
    head, *rows = good(*words).splitlines()
    assert head == "# deal 7: distinct positions after 0, 1, .. moves"
    assert [row.split() for row in rows] == [[str(d), str(n)] for d, n in enumerate(numbers)]


def distinct_positions(command, depth):
    """The same numbers by the textbook."""
    textbook, package = command.room("reference").ReferenceGame, command.package
    start = package.dealt(package.deal(7, rules=command.small), command.small)
    layer, numbers = {None: start}, [1]
    for _ in range(depth):
        following = {}
        for position in layer.values():
            game = textbook(position, command.small)
            for move in game.legal_moves():
                game.push(move)
                following[game.key()] = game.position
                game.pop()
        layer = following
        numbers.append(len(layer))
    return numbers


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--depth", "-1"], "depth -1 is not at least 0"),
        ([], "the following arguments are required: --depth (see GAME perft --help)"),
    ],
)
def test_depths_that_there_are_not(bad, name, words, problem):
    assert bad("perft", "--deal", 7, *words) == problem.replace("GAME", name)


# Batches


def test_dealstats_collects_games(tmp_path, capsys, command, name):
    batch, rules = command.room("batch"), command.package.Rules(redeals=1)
    words = ["collect", "--game", name, "--player", "greedy", "--redeals", "1"]
    words += ["--deals", "0:200", "--out", str(tmp_path / "rows.csv"), "--no-progress"]
    assert dealstats_command.main(words) == 0
    head, _, row, *_ = capsys.readouterr().out.splitlines()
    assert f"mean {batch.score_scale.unit}" in head
    assert "won %" in head
    block = batch.play_batch(batch.player_task("greedy", rules), 0, 200)
    assert row.split()[:2] == ["greedy", "200"]
    (total,) = summed(read_rows(tmp_path / "rows.csv"))
    assert (total.won, total.score_counts) == (block.won, block.score_counts)


# The command as a whole


def test_commands_that_there_are_not(bad):
    assert bad().startswith("the following arguments are required: COMMAND")
    assert bad("dance").startswith("argument COMMAND: invalid choice: 'dance'")


def test_mistakes_of_the_program_are_not_hidden(run, name, monkeypatch):
    def fail(*_, **options):
        raise MemoryError

    monkeypatch.setattr(f"{name}.command.draw_board", fail)
    with pytest.raises(MemoryError):
        run("show", "--deal", 7)


@pytest.mark.parametrize("words", [["--help"], ["show", "--deal", "7"], ["deal", "7"], ["players"]])
def test_a_quick_start(name, words):
    code = (
        f"import sys; from {name}.command import main\n"
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


def test_a_reader_may_stop_early(name):
    reader, writer = os.pipe()
    os.close(reader)
    code = f"import sys; from {name}.command import main; sys.exit(main(['deal', '0']))"
    done = subprocess.run([sys.executable, "-c", code], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_the_installed_command_ends_with_the_status(name):
    installed = Path(sys.executable).with_name(name)
    done = subprocess.run([installed, "show", "nowhere"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: nowhere: No such file or directory\n"
