"""What :mod:`dealstats` calls: whole blocks of numbered games, and single ones.

Importing this is cheap; the kernels are imported when the first game is played.
"""

import argparse
from typing import Any

from dealstats.deals import SCHEME
from dealstats.errors import InputError
from dealstats.rows import BlockResult
from dealstats.scores import ScoreScale
from dealstats.task import Task
from devilsgrip.players import PLAYERS, find_player
from devilsgrip.position import Position
from devilsgrip.rule_flags import add_rule_flags, rules_from_flags
from devilsgrip.rules import Rules

GAME = "devilsgrip"
VERSIONS = {"rules": 1, "players": 1}
"""Raised whenever the same task would give other results."""

deal_options = ("suits",)

score_scale = ScoreScale(
    unit="cards left",
    lower_is_better=True,
    thresholds=(("won", 0), ("brilliant", 2), ("excellent", 5), ("good", 10)),
)


def player_task(player: str, rules: Rules, seed: int = 0) -> Task:
    """The task of a player on the numbered deals of a seed.

    Raises
    ------
    InputError
        If there is no such player.
    """
    find_player(player)
    return Task(
        game=GAME,
        player=player,
        rules=rules.to_dict(),
        seed=seed,
        scheme=SCHEME,
        versions=VERSIONS,
    )


def add_task_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that :func:`task_from_arguments` reads."""
    parser.add_argument(
        "--player", required=True, metavar="NAME", help=f"one of: {', '.join(PLAYERS)}"
    )
    add_rule_flags(parser)


def task_from_arguments(arguments: argparse.Namespace) -> Task:
    """The task that a command line asks for."""
    return player_task(arguments.player, rules_from_flags(arguments), arguments.seed)


def block_deals(task: Task) -> int:
    """Deals in a block by default: a fraction of a second of work."""
    return find_player(task.player).block_deals


def prefers_threads(task: Task) -> bool:
    """Whether the work leaves the interpreter lock alone: all players here do."""
    return True


def warm_up(task: Task) -> None:
    """Compile, or load from the cache, all that the task needs."""
    play_batch(task, 0, 0)


def play_batch(task: Task, first_deal: int, deals: int) -> BlockResult:
    """Play deals ``first_deal .. first_deal + deals - 1`` with the player of the task.

    Raises
    ------
    InputError
        If there is no such player, scheme or game.
    """
    import numpy as np

    from devilsgrip.layout import pack_kinds, pack_rules
    from devilsgrip.playing import batch_kernel, make_room

    find_player(task.player)
    if task.scheme != SCHEME:
        raise InputError(f"deals of scheme {task.scheme!r} are not played in batches")
    rules = Rules.from_dict(task.rules)
    scores = np.zeros(deals, np.int64)
    moves = batch_kernel(task.player)(
        pack_kinds(rules),
        task.seed,
        first_deal,
        deals,
        pack_rules(rules),
        make_room(rules),
        scores,
    )
    return BlockResult.of_games(scores == 0, scores, nodes=int(moves))


def play_one(player: str, position: Position, rules: Rules, random_word: int = 0) -> list[int]:
    """Play one game from a position and return the moves as the kernel's integers.

    Parameters
    ----------
    random_word : int
        A signed 64-bit number that the lot of the ``random`` player begins with.
    """
    import numpy as np

    from dealstats.notes import RANDOM_NOTE
    from devilsgrip.layout import pack_position, pack_rules
    from devilsgrip.playing import MOVES_PER_GAME_CEILING, game_kernel, make_room

    find_player(player)
    state, order = pack_position(position)
    room: Any = make_room(rules, moves=MOVES_PER_GAME_CEILING)
    room.notes[RANDOM_NOTE] = np.int64(random_word)
    _, moves = game_kernel(player)(
        state, order, room.seen, room.notes, pack_rules(rules), room.moves
    )
    return room.moves[:moves].tolist()
