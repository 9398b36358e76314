"""The players of Klondike by name; how they choose is in :mod:`klondike.player_kernels`."""

from dataclasses import dataclass

from dealstats.errors import InputError


@dataclass(frozen=True)
class Player:
    """A player that does not see the cards lying face down.

    Attributes
    ----------
    name : str
    idea : str
        One line for users.
    block_deals : int
        Deals that it plays in a fraction of a second.
    """

    name: str
    idea: str
    block_deals: int


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


def find_player(name: str) -> Player:
    """The player of this name.

    Raises
    ------
    InputError
        If there is none.
    """
    if name not in PLAYERS:
        raise InputError(f"no player is called {name!r}; there are {', '.join(PLAYERS)}")
    return PLAYERS[name]
