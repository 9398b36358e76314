"""Moves of the kernels told as moves between cells, and the other way round.

A kernel's move only names the next state of a chain (:mod:`devilsgrip.kernel`). Which cells are
meant is found by the textbook rules: any legal move with that effect will do.
"""

from collections.abc import Iterable

from devilsgrip.game import Game
from devilsgrip.kernel import BUILD, PLACE, REDEAL, TURN
from devilsgrip.layout import CHAIN_BITS, chain_numbers, pack_position
from devilsgrip.position import Move, Position
from devilsgrip.reference import ReferenceGame, final_swaps
from devilsgrip.rules import Rules

Grid = tuple[tuple[int, ...], ...]


def narrate(position: Position, kernel_moves: Iterable[int], rules: Rules) -> Game:
    """Play a kernel's moves on the table.

    A win is completed by the swaps that make its picture (DG9).

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
        If the textbook rules know no such move; the message names its number, from 1.
    """
    game = Game(position, rules)
    for number, wanted in enumerate(kernel_moves, start=1):
        move = _move_between_cells(int(wanted), game.position, rules)
        if move is None:
            raise ValueError(f"move {number}: no legal move is the kernel's {wanted}")
        game.push(move)
    if game.is_won:
        for swap in final_swaps(game.position, rules):
            game.push(swap)
    return game


def kernel_move(move: Move, position: Position) -> int | None:
    """The kernel's integer for a legal move, or None if the move changes nothing for kernels.

    That is so for swaps, and for builds that exchange equal parts of two piles.
    """
    if move.kind in ("turn", "redeal"):
        return TURN if move.kind == "turn" else REDEAL
    before, after = (_chains(grid) for grid in (position.grid, _grid_after(move, position)))
    for chain, (former, following) in enumerate(zip(before, after, strict=True)):
        if former != following:
            place = PLACE if move.kind == "place" else BUILD + (chain << CHAIN_BITS)
            return place + following
    return None


def _move_between_cells(wanted: int, position: Position, rules: Rules) -> Move | None:
    kind = _kind_of_move(wanted)
    for move in ReferenceGame(position, rules).legal_moves():
        if move.kind == kind and kernel_move(move, position) == wanted:
            return move
    return None


def _kind_of_move(kernel_move: int) -> str:
    if kernel_move >= PLACE:
        return "build" if kernel_move >= BUILD else "place"
    return {TURN: "turn", REDEAL: "redeal"}.get(kernel_move, "none")


def _chains(grid: Grid) -> list[int]:
    return chain_numbers(pack_position(Position(grid, (), ()))[0])


def _grid_after(move: Move, position: Position) -> Grid:
    """The grid after a placement, build or swap, and before a space is filled."""
    grid = list(position.grid)
    source, target = grid[move.source], grid[move.target]
    match move.kind:
        case "place":
            grid[move.target] = target + position.talon[-1:]
        case "build":
            grid[move.source], grid[move.target] = (
                source[: -move.cards],
                target + source[-move.cards :],
            )
        case _:
            grid[move.source], grid[move.target] = target, source
    return tuple(grid)
