"""How many points do the players of Klondike make, by either award for the foundations?

Plays every player on the deals of the range ``final`` under the rules of the preset stargames, and
writes rows, table and figure. A run that was stopped goes on where it was; a finished one only
writes table and figure again.
"""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from experiment import Experiment
from matplotlib.figure import Figure

from dealstats.figures import plot_score_distribution
from dealstats.labels import runs_from_rows, score_scale_of
from dealstats.rows import Row
from dealstats.task import Task
from klondike.batch import player_task
from klondike.players import PLAYERS
from klondike.rules import PRESETS

AWARDS = ("first_time", "each_time")
SHOWN_POINTS = (-400, 900)
"""From where only the random player has games below to the most that a game can have (KL9)."""
AWARD_NOTE = """\
With the award each-time, a card that returns to the tableau for -5 earns +10 on its foundation
again: points are unbounded, and a player that wanders makes them without getting anywhere (KL9).
"""


def player_tasks(player: str, seed: int) -> list[Task]:
    """One task for each award."""
    stargames = PRESETS["stargames"]
    return [
        player_task(player, replace(stargames, foundation_award=award), seed) for award in AWARDS
    ]


def figure(rows: Sequence[Row], title: str) -> Figure:
    """The distribution of the points where a card earns them once, which has a ceiling."""
    shown = [row for row in rows if row.task.rules["foundation_award"] == "first_time"]
    return plot_score_distribution(
        runs_from_rows(shown),
        score_scale_of(shown),
        f"{title}, foundation award first-time",
        shown_scores=SHOWN_POINTS,
    )


EXPERIMENT = Experiment(
    name=Path(__file__).stem,
    title="Klondike: points",
    question=__doc__,
    game="klondike",
    players=tuple(PLAYERS),
    fast_players=("random", "greedy"),
    player_tasks=player_tasks,
    figure=figure,
    note=AWARD_NOTE,
)

if __name__ == "__main__":
    sys.exit(EXPERIMENT.main())
