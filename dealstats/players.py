"""Players and solvers that a game has by name; how they choose is the game's affair."""

from collections.abc import Mapping
from dataclasses import dataclass

from dealstats.errors import InputError


@dataclass(frozen=True)
class Player:
    """A player that does not see the cards lying face down, or a solver that knows all cards.

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


def player_named(players: Mapping[str, Player], name: str, role: str = "player") -> Player:
    """The player of this name, or the solver if that is its role.

    Raises
    ------
    InputError
        If there is none.
    """
    if name not in players:
        raise InputError(f"no {role} is called {name!r}; there are {', '.join(players)}")
    return players[name]
