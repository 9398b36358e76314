"""What to call runs: the player, and every setting in which they differ, in readable words."""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from dealstats.errors import InputError
from dealstats.games import load_game
from dealstats.rows import Row, summed
from dealstats.scores import ScoreScale
from dealstats.task import Task

if TYPE_CHECKING:
    from dealstats.tables import Run


def runs_from_rows(rows: Iterable[Row]) -> "list[Run]":
    """One run for each task, ready for a table or a figure.

    Returns
    -------
    list of Run
        In the order of first appearance, labelled by :func:`telling_labels`.

    Raises
    ------
    UnusableRows
        If rows contradict each other; see :func:`~dealstats.rows.combine`.
    """
    from dealstats.tables import Run  # takes long to import

    totals = summed(rows)
    labels = telling_labels([total.task for total in totals])
    return [
        Run(
            label=label,
            won=total.won,
            lost=total.lost,
            unknown=total.unknown,
            score_counts=total.score_counts,
            seconds=total.seconds,
            nodes=total.nodes,
        )
        for label, total in zip(labels, totals, strict=True)
    ]


def score_scale_of(rows: Iterable[Row]) -> ScoreScale:
    """The meaning of the scores in rows of one game.

    Raises
    ------
    InputError
        If there are no rows, or rows of an unknown game or of several ones.
    """
    games = list(dict.fromkeys(row.game for row in rows))
    if not games:
        raise InputError("there are no result rows")
    if len(games) > 1:
        raise InputError(f"scores of different games ({', '.join(games)}) cannot be compared")
    return load_game(games[0]).score_scale


def telling_labels(tasks: Sequence[Task]) -> list[dict[str, str]]:
    """For each task its player and the settings in which not all tasks agree."""
    settings = [_settings(task) for task in tasks]
    agreed = shared_settings(tasks).keys() - {"player"}
    return [
        {name: text for name, text in texts.items() if name not in agreed} for texts in settings
    ]


def shared_settings(tasks: Sequence[Task]) -> dict[str, str]:
    """The settings in which all tasks agree."""
    settings = [_settings(task) for task in tasks]
    return {
        name: text
        for name, text in (settings[0] if settings else {}).items()
        if all(other.get(name) == text for other in settings)
    }


def _settings(task: Task) -> dict[str, str]:
    """Everything that can change a result, as readable text by readable name."""
    options = {**task.rules, **task.options}
    return {
        "player": task.player,
        "game": task.game,
        **{name.replace("_", " "): _option_text(value) for name, value in options.items()},
        "seed": str(task.seed),
        "scheme": task.scheme,
        **{f"{name} version": str(version) for name, version in task.versions.items()},
    }


def _option_text(value: Any) -> str:
    """The value of an option, as the flags of the commands have it where they can."""
    if value is None:
        return "unlimited"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value.replace("_", "-")
    return json.dumps(value)
