"""Tasks of every game and kind of worker, for tests of collection; as a script, a run to kill.

Blocks take EXTRA_BLOCK_SECONDS longer in the script, which changes no result and is therefore no
part of a task.
"""

import os
import sys
import time

import fakegame

import devilsgrip
import klondike
from dealstats import games
from dealstats.collect import collect
from dealstats.errors import InputError
from devilsgrip.batch import player_task as devilsgrip_task
from klondike.batch import player_task as klondike_task

TEST_SEED = 3
TASKS = {
    "threads": fakegame.make_task("threads"),
    "processes": fakegame.make_task("processes"),
    "devilsgrip": devilsgrip_task("random", devilsgrip.Rules(redeals=1), TEST_SEED),
    "klondike": klondike_task("random", klondike.Rules(draw=3, redeals=1), TEST_SEED),
}


def slow_down(name: str) -> None:
    """Let each block of a game take longer."""
    game = games.load_game(name)
    play_batch = game.play_batch

    def play_slowly(task, first_deal, deals):
        time.sleep(float(os.environ.get("EXTRA_BLOCK_SECONDS", "0")))
        return play_batch(task, first_deal, deals)

    game.play_batch = play_slowly


def main(out: str, name: str, deals: str, block: str) -> int:
    """Collect a task with two workers."""
    games.GAMES["fake"] = "fakegame"
    task = TASKS[name]
    slow_down(task.game)
    try:
        collect(task, 0, int(deals), out, jobs=2, block_deals=int(block))
    except KeyboardInterrupt:
        return 130
    except (InputError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
