"""The games by name: the only place that knows them, and what each must offer."""

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from dealstats.errors import InputError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from dealstats.rows import BlockResult
    from dealstats.scores import ScoreScale
    from dealstats.task import Task

GAMES = {
    "devilsgrip": "devilsgrip.batch",
    "klondike": "klondike.batch",
}


class GameBatch(Protocol):
    """What the module of a game offers for batches.

    Importing the module must not import numba, since reading results and printing help need it
    too: :meth:`play_batch` and :meth:`warm_up` import their kernels when they are called.

    Attributes
    ----------
    score_scale : ScoreScale
        The meaning of the scores in :attr:`BlockResult.score_counts`.
    deal_options : tuple of str
        The options of the rules by which a numbered deal has other cards.

    Notes
    -----
    A game with tasks that go on from the results of others has two functions more:
    ``first_round(task)``, the task to go on from, or None, and ``play_again(task, first_deal,
    known)``, which does what :meth:`play_batch` does from the `DealResults` of that one.
    """

    score_scale: "ScoreScale"
    deal_options: tuple[str, ...]

    def add_task_arguments(self, parser: "ArgumentParser") -> None:
        """Add ``--player``, or ``--solver`` too, their options, and the flags of the rules."""
        ...

    def task_from_arguments(self, arguments: "Namespace") -> "Task":
        """The task that parsed arguments describe.

        Parameters
        ----------
        arguments : argparse.Namespace
            What :meth:`add_task_arguments` asked for, and the `seed`.

        Raises
        ------
        InputError
            If there is no such player or solver, or no game can be played by such rules.
        """
        ...

    def play_batch(self, task: "Task", first_deal: int, deals: int) -> "BlockResult":
        """Play `deals` deals from number `first_deal` on.

        A pure function of its arguments that may run in several threads or processes at once.

        Raises
        ------
        InputError
            If the game cannot do this task.
        """
        ...

    def warm_up(self, task: "Task") -> None:
        """Compile what :meth:`play_batch` needs for this task; may take many seconds."""
        ...

    def prefers_threads(self, task: "Task") -> bool:
        """Whether the work releases the interpreter lock, so that threads run in parallel."""
        ...

    def block_deals(self, task: "Task") -> int:
        """Deals of a block: a fraction of a second of work, for an interruption waits for it."""
        ...


def load_game(name: str) -> GameBatch:
    """Import the batch module of a game.

    Raises
    ------
    InputError
        If there is no such game.
    """
    if name not in GAMES:
        raise InputError(f"no game is called {name!r}; there are {', '.join(GAMES)}")
    return cast(GameBatch, import_module(GAMES[name]))
