"""How often do the players win Klondike, drawing 1 or 3, with 0, 1, 2 and unlimited redeals?

Plays the players that aim at winning on the deals of the range ``final`` under the rules of the
presets draw-one and draw-three, and writes rows, table and figure. A run that was stopped goes on
where it was; a finished one only writes table and figure again.
"""

import sys
from pathlib import Path

from experiment import Experiment, win_rates_by_redeals

from dealstats.task import Task
from klondike.batch import player_task
from klondike.rules import Rules

DRAWS = (1, 3)
REDEALS = (0, 1, 2, None)


def player_tasks(player: str, seed: int) -> list[Task]:
    """One task for each draw and number of redeals."""
    return [
        player_task(player, Rules(draw=draw, redeals=redeals, scoring="standard"), seed)
        for draw in DRAWS
        for redeals in REDEALS
    ]


EXPERIMENT = Experiment(
    name=Path(__file__).stem,
    title="Klondike: win rates",
    question=__doc__,
    game="klondike",
    players=("random", "greedy", "planner"),
    fast_players=("greedy",),  # random makes hundreds of moves in a game, and never wins
    player_tasks=player_tasks,
    figure=win_rates_by_redeals,
)

if __name__ == "__main__":
    sys.exit(EXPERIMENT.main())
