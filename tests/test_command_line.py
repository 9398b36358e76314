import subprocess
import sys
import warnings

import pytest

from dealstats.command_line import Parser, run
from dealstats.errors import InputError

# A command that prints as many lines as it is told.
LINES = """
import sys
from dealstats.command_line import run
sys.exit(run(lambda argv: print("line\\n" * int(argv[0]), end="") or 0, sys.argv[1:]))
"""


def outcome(main, capsys, argv=()):
    """Exit status, stdout and stderr of a run."""
    return run(main, argv), *capsys.readouterr()


def failing(problem):
    def main(argv):
        raise problem

    return main


def test_a_command_that_works_keeps_its_status_and_its_output(capsys):
    assert outcome(lambda argv: print(argv) or 7, capsys, ["x"]) == (7, "['x']\n", "")


@pytest.mark.parametrize(
    ("problem", "line"),
    [
        (InputError("card 'XX' is unreadable"), "error: card 'XX' is unreadable\n"),
        (InputError("two\nlines"), "error: two lines\n"),
        (FileNotFoundError(2, "No such file", "a.csv"), "error: a.csv: No such file\n"),
        (OSError(28, "No space left"), "error: No space left\n"),
        (OSError("no file"), "error: no file\n"),
    ],
)
def test_errors_become_one_line_and_status_2(capsys, problem, line):
    assert outcome(failing(problem), capsys) == (2, "", line)


@pytest.mark.parametrize(
    ("stop", "line"),
    [
        (KeyboardInterrupt(), "stopped\n"),
        (KeyboardInterrupt("stopped; half is done"), "stopped; half is done\n"),
    ],
)
def test_an_interruption_is_status_130_with_one_line(capsys, stop, line):
    assert outcome(failing(stop), capsys) == (130, "", line)


def test_a_mistake_of_the_program_keeps_its_traceback():
    with pytest.raises(ZeroDivisionError):
        run(failing(ZeroDivisionError()), [])


@pytest.mark.filterwarnings("always")
def test_warnings_are_one_line_without_their_place(capsys):
    assert outcome(lambda argv: warnings.warn("watch\nout", stacklevel=1) or 0, capsys) == (
        *(0, ""),
        "warning: watch out\n",
    )


@pytest.mark.parametrize("lines", [1, 100_000])  # within the buffer, and beyond
def test_a_reader_that_goes_away_is_no_error(lines):
    command = subprocess.Popen(
        [sys.executable, "-c", LINES, str(lines)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    command.stdout.close()
    assert command.stderr.read() == b""
    assert command.wait() == 141
    command.stderr.close()


def test_output_that_finds_no_room_is_one_line():
    with open("/dev/full", "w") as full:
        command = subprocess.run(
            [sys.executable, "-c", LINES, "1"], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert (command.returncode, command.stderr) == (2, "error: No space left on device\n")


def parsing(argv):
    parser = Parser(prog="cards")
    subparser = parser.add_subparsers(required=True, metavar="COMMAND").add_parser("deal")
    subparser.add_argument("--count", type=int)
    print(vars(parser.parse_args(argv)))
    return 0


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        ([], "error: the following arguments are required: COMMAND (see cards --help)\n"),
        (
            ["deal", "--count", "x"],
            "error: argument --count: invalid int value: 'x' (see cards deal --help)\n",
        ),
        (["deal", "--cou", "1"], "error: unrecognized arguments: --cou 1 (see cards --help)\n"),
    ],
)
def test_wrong_arguments_are_one_line_without_usage(capsys, argv, line):
    assert outcome(parsing, capsys, argv) == (2, "", line)


def test_help_is_still_there(capsys):
    with pytest.raises(SystemExit, match=r"^0$"):
        run(parsing, ["deal", "--help"])
    assert "--count COUNT" in capsys.readouterr().out
