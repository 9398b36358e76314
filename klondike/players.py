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
        Player(
            "planner",
            "looks through the stock where passes are free, and takes the cheapest way to turn up "
            "a card that a search over all known cards finds",
            200,
        ),
        Player(
            "scorer",
            "plans like planner, but spares passes, and stops when another one would cost more "
            "than the last one earned",
            200,
        ),
    )
}

find_player = partial(player_named, PLAYERS)
"""The player of a name; raises `InputError` if there is none."""
