"""Moves of the kernels told as moves on the table."""

from collections.abc import Iterable

from dealstats.errors import InputError
from klondike.game import Game
from klondike.kernel import plain_move
from klondike.position import Position
from klondike.rules import Rules


def narrate(position: Position, kernel_moves: Iterable[int], rules: Rules) -> Game:
    """Play a kernel's moves on the table.

    Parameters
    ----------
    position : Position
        Where the moves begin.
    kernel_moves : iterable of int
    rules : Rules

    Returns
    -------
    Game
        The game after all moves; its `moves` tell them as text.

    Raises
    ------
    ValueError
        If the textbook rules forbid a move; the message names its number, from 1.
    """
    game = Game(position, rules)
    for number, wanted in enumerate(kernel_moves, start=1):
        try:
            game.push(plain_move(wanted))
        except InputError as problem:
            # Not the fault of any input.
            raise ValueError(f"move {number}: the kernel's {wanted} is no legal move") from problem
    return game
