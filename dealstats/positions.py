"""Counts of packed positions, move by move: the part of perft that no rule enters."""

from collections.abc import Callable
from typing import Any

import numpy as np


def numbers_by_depth(
    root: Any, depth: int, write_children: Callable[[Any, int, Any], tuple[int, int]], room: int
) -> list[int]:
    """Numbers of distinct positions after exactly 0, 1, .. `depth` moves.

    Parameters
    ----------
    root : (words,) int64 array
        The key of a position.
    depth : int
        Moves, at least 0.
    write_children : callable
        Of ``(parents, first, children_out)``, both arrays of keys, one a row: writes the keys of
        the positions one move after ``parents[first:]``, as far as room goes, and returns the
        first parent that is still to do and the rows written. It must do one parent at least.
    room : int
        Rows that it can write at a time.
    """
    positions = root.reshape(1, -1)
    children = np.empty((room, len(root)), dtype=np.int64)
    numbers = [1]
    for _ in range(depth):
        found = [positions[:0]]
        done = 0
        while done < len(positions):
            done, written = write_children(positions, done, children)
            found.append(_distinct(children[:written]))
        positions = _distinct(np.concatenate(found))
        numbers.append(len(positions))
    return numbers


def _distinct(rows: Any) -> Any:
    # Whole rows as single items are sorted three times as fast as by ``axis=0``.
    words = rows.shape[1]
    items = rows.view(np.dtype((np.void, rows.itemsize * words))).ravel()
    return np.unique(items).view(np.int64).reshape(-1, words)
