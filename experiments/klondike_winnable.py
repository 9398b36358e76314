"""How many deals of Klondike can be won if all cards are known, by draw and number of redeals?

Solves the deals of the range ``final``, drawing 1, 2 or 3 cards, with 0 to 5 and with unlimited
redeals, and writes rows, table and figure. A run that was stopped goes on where it was; a finished
one only writes table and figure again.
"""

import sys
from pathlib import Path

from experiment import Experiment, win_rates_by_redeals

from dealstats.task import Task
from klondike.batch import solver_task
from klondike.rules import Rules

DRAWS = (1, 2, 3)
REDEALS = (None, 0, 1, 2, 3, 4, 5)


def solver_tasks(solver: str, seed: int) -> list[Task]:
    """One task for each draw and number of redeals."""
    return [
        solver_task(solver, Rules(draw=draw, redeals=redeals), seed)
        for redeals in REDEALS
        for draw in DRAWS
    ]


EXPERIMENT = Experiment(
    name=Path(__file__).stem,
    title="Klondike: deals that can be won",
    question=__doc__,
    game="klondike",
    players=("fast",),
    fast_players=("fast",),
    player_tasks=solver_tasks,
    figure=win_rates_by_redeals,
)

if __name__ == "__main__":
    sys.exit(EXPERIMENT.main())
