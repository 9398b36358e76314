"""What the commands have in common: how they read their arguments and how they end."""

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TextIO

from dealstats.errors import InputError

USAGE_ERROR = 2
INTERRUPTED = 130  # as a shell reports a process that SIGINT ended
BROKEN_PIPE = 141  # likewise SIGPIPE


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
