"""The players of Devil's Grip by name; how they choose is in :mod:`devilsgrip.player_kernels`."""

from functools import partial

from dealstats.players import Player, player_named

PLAYERS = {
    player.name: player
    for player in (
        Player(
            "random",
            "makes any legal move by lot, until a pass brings no card into the grid",
            20_000,
        ),
        Player("greedy", "plays whatever fits, at once", 20_000),
        Player(
            "keeper",
            "keeps builds back until the next stock card is a known base; "
            "after a pass in vain, and on unknown cards of the last pass, it builds at once",
            20_000,
        ),
        Player(
            "matcher",
            "like keeper, and also builds when the next stock card is known to fit on a pile, "
            "because it then makes up for the build that let it in",
            20_000,
        ),
        Player(
            "rollout",
            "looks through the stock with builds in reserve; once it has seen all cards, it plays "
            "each move out as greedy and as matcher would, and makes the best",
            1_000,
        ),
    )
}

find_player = partial(player_named, PLAYERS)
"""The player of a name; raises `InputError` if there is none."""
