"""The players of Klondike by name; how they choose is in :mod:`klondike.player_kernels`."""

from functools import partial

from dealstats.players import Player, player_named

PLAYERS = {
    player.name: player
    for player in (
        Player(
            "random",
            "makes any legal move by lot, until a pass through the stock plays no card of it",
            5_000,
        ),
        Player(
            "greedy",
            "plays up what it can, turns up cards, plays the waste, and draws, in this order, "
            "until a pass through the stock plays no card of it",
            20_000,
        ),
    )
}

find_player = partial(player_named, PLAYERS)
"""The player of a name; raises `InputError` if there is none."""
