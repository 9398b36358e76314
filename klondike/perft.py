"""Counts of positions: how the compiled rules are compared with the textbook ones, and others."""

from typing import Any

import numpy as np

from dealstats.jit import kernel
from dealstats.positions import numbers_by_depth
from klondike.kernel import (
    MOVES_CEILING,
    after_move,
    legal_moves,
    load_position,
    state_key,
    store_position,
)
from klondike.layout import POSITION_WORDS, pack_position, pack_rules, to_words
from klondike.position import Position
from klondike.rules import Rules

ROOM = 1 << 18
"""Children written at a time, in words of 32 bytes together; far above MOVES_CEILING."""


def distinct_positions(position: Position, rules: Rules, depth: int) -> list[int]:
    """Numbers of distinct positions after exactly 0, 1, .. `depth` moves.

    Piles stay in their places and the score does not count. The number of recycles used counts
    only if redeals are limited. Every move leads to another position.

    Parameters
    ----------
    position : Position
        A sound table of these rules.
    rules : Rules
    depth : int
        Moves, at least 0.

    Returns
    -------
    list of int
        ``depth + 1`` numbers of positions.
    """
    packed_rules = pack_rules(rules)
    state, deck = pack_position(position, rules)
    root = to_words(state_key(state, packed_rules))[:POSITION_WORDS]
    moves = np.empty(MOVES_CEILING, dtype=np.int64)

    def write_children(parents: Any, first: int, children_out: Any) -> tuple[int, int]:
        return _write_children(parents, first, deck, packed_rules, moves, children_out)

    return numbers_by_depth(root, depth, write_children, ROOM)


@kernel
def _write_children(
    parents: Any, first: int, deck: Any, rules: Any, moves: Any, children_out: Any
) -> tuple[int, int]:
    """Write the keys of the positions one move after ``parents[first:]``, as far as room goes.

    Parameters
    ----------
    parents : (n, 4) int64 array
    moves : (>= 256,) int64 array, modified in place
        Room to work in.
    children_out : (m, 4) int64 array, modified in place

    Returns
    -------
    next_first : int
        The first parent that is still to do; at least one is done if m >= 256.
    written : int
        Rows of `children_out` in use.
    """
    written = 0
    parent = first
    while parent < len(parents) and written + MOVES_CEILING <= len(children_out):
        state = load_position(parents[parent])
        for number in range(legal_moves(state, deck, rules, moves)):
            child = after_move(state, moves[number], deck, rules)
            store_position(state_key(child, rules), children_out[written])
            written += 1
        parent += 1
    return parent, written
