"""How fast the games are played: games a second, scaling with workers and deals, memory.

Rates are of processor time on one core, dealing included, the best of several repetitions of one
block of deals; wall-clock figures are said to be so. The peak of memory is that of this whole
process.
"""

import resource
import sys
import time
from collections.abc import Callable, Sequence

from measured_games import GAMES, SEED, MeasuredGame

from dealstats.collect import collect
from dealstats.command_line import Parser, run
from dealstats.labels import telling_labels
from dealstats.task import Task

REPETITIONS = 7
WORKERS_DEALS = 2_000_000
SCALING_DEALS = (10_000, 100_000, 1_000_000, 10_000_000)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and print its figures."""
    return run(_main, argv)


def _main(argv: Sequence[str] | None) -> int:
    parser = Parser(description=__doc__)
    parser.add_argument("--game", choices=GAMES, help="only this game")
    parser.add_argument("--scaling", action="store_true", help="also 10,000 to 10,000,000 deals")
    arguments = parser.parse_args(argv)
    for game in [GAMES[arguments.game]] if arguments.game else GAMES.values():
        _print_rates(game)
        greedy = game.batch.player_task("greedy", game.speed_rules[0], SEED)
        _print_gain_of_workers(game, greedy)
        if arguments.scaling:
            _print_scaling(game, greedy)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:.0f} MB")
    return 0


def _print_rates(game: MeasuredGame) -> None:
    print(f"{game.name:28s}     games/s   ns/move  moves/game  (one core)")
    tasks = [
        game.batch.player_task(player, rules, SEED)
        for player in game.players
        for rules in game.speed_rules
    ]
    for task, label in zip(tasks, telling_labels(tasks), strict=True):
        player = label.pop("player")
        settings = ", ".join(f"{name} {value}" for name, value in label.items())
        _print_rate(game, task, f"{player:9s} {settings}")


def _print_rate(game: MeasuredGame, task: Task, label: str) -> None:
    game.batch.warm_up(task)
    deals = game.batch.block_deals(task)
    best = float("inf")
    for _ in range(REPETITIONS):
        start = time.process_time()
        result = game.batch.play_batch(task, 0, deals)
        best = min(best, time.process_time() - start)
    print(
        f"{label:28s}{deals / best:12,.0f} {best / result.nodes * 1e9:9.1f}"
        f" {result.nodes / deals:11.1f}"
    )


def _print_gain_of_workers(game: MeasuredGame, task: Task) -> None:
    one, two = (
        _seconds(lambda jobs=jobs: _collect(game, task, WORKERS_DEALS, jobs)) for jobs in (1, 2)
    )
    gain = f"two workers are {one / two:.2f} times as fast as one"
    print(f"{gain} (wall clock, {WORKERS_DEALS:,} games)")


def _print_scaling(game: MeasuredGame, task: Task) -> None:
    for deals in SCALING_DEALS:
        seconds = _seconds(lambda deals=deals: _collect(game, task, deals, 1))
        print(
            f"{deals:10,d} {task.player} games: {seconds:8.3f} s, {deals / seconds:9,.0f} a second"
        )


def _collect(game: MeasuredGame, task: Task, deals: int, jobs: int) -> None:
    block = max(game.batch.block_deals(task), deals // 100)
    collect(task, 0, deals, None, jobs=jobs, block_deals=block, progress=False)


def _seconds(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
