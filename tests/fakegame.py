"""A game without rules, to test the collection of rows.

Each deal gets a score from its number alone. The player called "processes" asks for worker
processes, any other one for threads; "secretive" tells nothing of single deals.
"""

import hashlib
import os
import time

from dealstats.deal_results import LOST, UNKNOWN, WON, DealResults
from dealstats.errors import InputError
from dealstats.rows import BlockResult
from dealstats.scores import ScoreScale
from dealstats.task import Task

score_scale = ScoreScale(unit="points left", lower_is_better=True, thresholds=(("won", 0),))
deal_options = ("pack",)


def make_task(player: str) -> Task:
    return Task("fake", player, rules={"draw": 3})


def play_batch(task: Task, first_deal: int, deals: int) -> BlockResult:
    if task.options.get("fail"):
        raise InputError("the fake game was asked to fail")
    scores = [score(task, deal) for deal in range(first_deal, first_deal + deals)]
    outcomes = "".join({0: WON, 1: UNKNOWN}.get(score, LOST) for score in scores)
    result = BlockResult.of_deals(DealResults(outcomes, tuple(scores)), nodes=sum(scores))
    return result._replace(deal_results=None) if task.player == "secretive" else result


def score(task: Task, deal: int) -> int:
    return hashlib.sha256(f"{task.seed} {deal}".encode()).digest()[0] % 5


def warm_up(task: Task) -> None:
    time.sleep(float(os.environ.get("FAKEGAME_WARM_UP_SECONDS", "0")))


def prefers_threads(task: Task) -> bool:
    return task.player != "processes"


def block_deals(task: Task) -> int:
    return 10
