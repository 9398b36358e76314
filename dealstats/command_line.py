"""What the commands have in common: how they read their input, how they print and how they end."""

import argparse
import json
import os
import re
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn, TextIO

from dealstats.cards import SUIT_LETTERS, SUIT_SYMBOLS
from dealstats.deals import NUMBER_CEILING
from dealstats.errors import InputError, UnreadableText

STDIN = "-"
PLAIN_TEXT = str.maketrans(SUIT_SYMBOLS + "·…▒", SUIT_LETTERS + ".~#")
USAGE_ERROR = 2
INTERRUPTED = 130  # as a shell reports a process that SIGINT ended
BROKEN_PIPE = 141  # likewise SIGPIPE
DIGITS = "[0-9]{1,19}"


class Parser(argparse.ArgumentParser):
    """A parser that raises `InputError` where argparse prints its usage and exits.

    Options cannot be abbreviated, so that an option added later breaks no script.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"allow_abbrev": False} | options)

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message} (see {self.prog} --help)")


def run(main: Callable[[Sequence[str] | None], int], argv: Sequence[str] | None = None) -> int:
    """Run a command and turn what goes wrong into one line on stderr and an exit status.

    Parameters
    ----------
    main : callable
        Takes the arguments and returns the exit status. The text of a KeyboardInterrupt that it
        raises, such as a hint how to go on, is printed in place of "stopped".
    argv : sequence of str or None
        The arguments; None stands for those of the process.

    Returns
    -------
    int
        The status of `main`; 2 after an InputError or OSError, 130 after a KeyboardInterrupt, and
        141, without a word, if nobody reads the output to its end.
    """
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            try:
                return main(argv)
            finally:
                _flush_stdout()
    except BrokenPipeError:
        return BROKEN_PIPE
    except KeyboardInterrupt as stop:
        _say(str(stop) or "stopped")
        return INTERRUPTED
    except OSError as problem:
        cause = problem.strerror or str(problem)
        _say(
            f"error: {cause}" if problem.filename is None else f"error: {problem.filename}: {cause}"
        )
        return USAGE_ERROR
    except InputError as problem:
        _say(f"error: {problem}")
        return USAGE_ERROR


def positive_number(text: str) -> int:
    """The type of an argument that is a whole number from 1 on."""
    return _number(text, 1)


def seed_number(text: str) -> int:
    """The type of an argument that is a seed."""
    return _number(text, 0)


def _number(text: str, lowest: int) -> int:
    if not re.fullmatch(DIGITS, text) or not lowest <= int(text) < NUMBER_CEILING:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {lowest} to 2^63 - 1")
    return int(text)


def add_format_flag(parser: Any) -> None:
    """Add ``--format`` of a command that prints a table, to its parser or a group of it."""
    parser.add_argument(
        "--format",
        choices=("text", "markdown", "csv"),
        default="text",
        help="text or markdown, rounded to what the intervals warrant, or csv at full precision "
        "(default: text)",
    )


def deal_range(text: str) -> tuple[int, int]:
    """First deal, and the deal after the last one, of a text such as ``0:1000``.

    Raises
    ------
    InputError
        If the text does not name deals.
    """
    numbers = re.fullmatch(f"({DIGITS}):({DIGITS})", text)
    if not numbers:
        raise InputError(f"--deals {text!r} is not FIRST:STOP, such as 0:1000")
    first_deal, stop_deal = map(int, numbers.groups())
    if not first_deal < stop_deal <= NUMBER_CEILING:
        raise InputError(f"--deals {text!r} are no deals: STOP must be above FIRST, up to 2^63")
    return first_deal, stop_deal


def source_name(source: str) -> str:
    """How to speak of a file, or of stdin that ``-`` stands for."""
    return "stdin" if source == STDIN else source


def read_source(source: str) -> str:
    """The text of a file, or of stdin for ``-``.

    Raises
    ------
    OSError
        If there is no such file.
    UnreadableText
        If it holds no text.
    """
    data = sys.stdin.buffer.read() if source == STDIN else Path(source).read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableText("this is not text in UTF-8") from None


def print_text(text: str) -> None:
    """Print at once, in letters where the terminal has no suit symbols."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.translate(PLAIN_TEXT).encode(encoding, "replace").decode(encoding)
    print(text, flush=True)


def print_json(**result: Any) -> None:
    """Print an object on one line."""
    print_text(json.dumps(result))


def _say(text: str) -> None:
    """Print a text on stderr, as one line."""
    print(" ".join(text.splitlines()), file=sys.stderr)


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    _say(f"warning: {message}")


def _flush_stdout() -> None:
    """Flush while an error can still be reported; Python would try and fail again at its exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise
