"""How many cards do the players of Devil's Grip leave, with 0, 1, 2 and unlimited redeals?

Plays every player on the deals of the range ``final`` and writes rows, table and figure. A run
that was stopped goes on where it was; a finished one only writes table and figure again.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from experiment import Experiment
from matplotlib.figure import Figure

from dealstats.figures import plot_score_distribution
from dealstats.labels import runs_from_rows, score_scale_of
from dealstats.rows import Row
from dealstats.task import Task
from devilsgrip.batch import player_task
from devilsgrip.players import PLAYERS
from devilsgrip.rules import Rules

REDEALS = (0, 1, 2, None)


def player_tasks(player: str, seed: int) -> list[Task]:
    """One task for each number of redeals."""
    return [player_task(player, Rules(redeals=redeals), seed) for redeals in REDEALS]


def figure(rows: Sequence[Row], title: str) -> Figure:
    """The distribution of the cards left."""
    shown = [row for row in rows if _is_drawn(row.task)]
    return plot_score_distribution(runs_from_rows(shown), score_scale_of(shown), title)


def _is_drawn(task: Task) -> bool:
    """Whether a run is in the figure: with few redeals, most players are like greedy or worse."""
    redeals = task.rules["redeals"]
    return redeals is None or task.player == "greedy" or (task.player == "rollout" and redeals > 0)


EXPERIMENT = Experiment(
    name=Path(__file__).stem,
    title="Devil's Grip: cards left",
    question=__doc__,
    game="devilsgrip",
    players=tuple(PLAYERS),
    fast_players=("random", "greedy", "keeper", "matcher"),
    player_tasks=player_tasks,
    figure=figure,
)

if __name__ == "__main__":
    sys.exit(EXPERIMENT.main())
