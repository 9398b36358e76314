"""How fast Devil's Grip is played: games a second, scaling with workers and deals, memory.

Rates are of processor time on one core, dealing included, the best of several repetitions;
wall-clock figures are said to be so. The peak of memory is that of this whole process.
"""

import resource
import sys
import time
from collections.abc import Callable

from dealstats.collect import collect
from dealstats.command_line import Parser
from dealstats.task import Task
from devilsgrip.batch import block_deals, play_batch, player_task, warm_up
from devilsgrip.players import PLAYERS
from devilsgrip.rules import Rules

SEED = 2
REPETITIONS = 7
PLAYER_DEALS = {"random": 50_000, "greedy": 200_000, "rollout": 500}
DEFAULT_DEALS = 100_000


def main() -> int:
    """Run the benchmark and print its figures."""
    parser = Parser(description=__doc__)
    parser.add_argument("--scaling", action="store_true", help="also 10,000 to 10,000,000 deals")
    arguments = parser.parse_args()
    print("player    redeals      games/s   ns/move  moves/game  (one core)")
    for player in PLAYERS:
        for redeals in (None, 1):
            _print_rate(player_task(player, Rules(redeals=redeals), SEED))
    greedy = player_task("greedy", Rules(), SEED)
    one, two = (_seconds(lambda jobs=jobs: _collect(greedy, 2_000_000, jobs)) for jobs in (1, 2))
    print(f"two workers are {one / two:.2f} times as fast as one (wall clock, 2,000,000 games)")
    if arguments.scaling:
        for deals in (10_000, 100_000, 1_000_000, 10_000_000):
            seconds = _seconds(lambda deals=deals: _collect(greedy, deals, 1))
            print(f"{deals:10,d} greedy games: {seconds:8.3f} s, {deals / seconds:9,.0f} a second")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:.0f} MB")
    return 0


def _print_rate(task: Task) -> None:
    warm_up(task)
    deals = PLAYER_DEALS.get(task.player, DEFAULT_DEALS)
    best = float("inf")
    for _ in range(REPETITIONS):
        start = time.process_time()
        result = play_batch(task, 0, deals)
        best = min(best, time.process_time() - start)
    redeals = task.rules["redeals"]
    print(
        f"{task.player:9s} {'unlimited' if redeals is None else redeals!s:9s}"
        f"{deals / best:12,.0f} {best / result.nodes * 1e9:9.1f} {result.nodes / deals:11.1f}"
    )


def _collect(task: Task, deals: int, jobs: int) -> None:
    blocks = max(block_deals(task), deals // 100)
    collect(task, 0, deals, None, jobs=jobs, block_deals=blocks, progress=False)


def _seconds(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
