"""Counts of positions: how the compiled rules are compared with the textbook ones, and others."""

from typing import Any

import numpy as np

from dealstats.jit import inlined_kernel, kernel
from dealstats.positions import numbers_by_depth
from devilsgrip.kernel import MOVES_CEILING, after_move, legal_moves, state_key
from devilsgrip.layout import (
    GRID_MASK,
    SPARE_SHIFT,
    State,
    pack_position,
    pack_rules,
    to_words,
)
from devilsgrip.position import Position
from devilsgrip.rules import Rules

ROOM = 1 << 18
"""Children written at a time, in words of 32 bytes together; far above MOVES_CEILING."""


def distinct_positions(position: Position, rules: Rules, depth: int) -> list[int]:
    """Numbers of distinct positions after exactly 0, 1, .. `depth` moves.

    Positions that only swaps or the two copies of a card tell apart count as one, and what leads
    from one to the other is no move. The number of redeals used counts only if it is limited.

    Parameters
    ----------
    position : Position
        A sound table of these rules (see :func:`devilsgrip.reference.position_problems`).
    rules : Rules
    depth : int
        Moves, at least 0.

    Returns
    -------
    list of int
        ``depth + 1`` numbers of positions.
    """
    state, order = pack_position(position)
    packed_rules = pack_rules(rules)
    root = to_words(state_key(state, order, packed_rules))
    moves = np.empty(MOVES_CEILING, dtype=np.int64)

    def write_children(parents: Any, first: int, children_out: Any) -> tuple[int, int]:
        return _write_children(parents, first, order, packed_rules, moves, children_out)

    return numbers_by_depth(root, depth, write_children, ROOM)


@inlined_kernel
def _load(words: Any) -> State:
    """The compiled twin of :func:`devilsgrip.layout.from_words`."""
    return State(
        words[0] & GRID_MASK,
        words[1] & GRID_MASK,
        words[2],
        words[1] >> SPARE_SHIFT,
        words[0] >> SPARE_SHIFT,
        words[3],
    )


@inlined_kernel
def _store(state: State, words_out: Any) -> None:
    """The compiled twin of :func:`devilsgrip.layout.to_words`."""
    words_out[0] = state.grid_low | state.boundary << SPARE_SHIFT
    words_out[1] = state.grid_high | state.stock_high << SPARE_SHIFT
    words_out[2] = state.stock_low
    words_out[3] = state.redeals


@kernel
def _write_children(
    parents: Any, first: int, order: Any, rules: Any, moves: Any, children_out: Any
) -> tuple[int, int]:
    """Write the keys of the positions one move after ``parents[first:]``, as far as room goes.

    Parameters
    ----------
    parents : (n, 4) int64 array
    moves : (>= 245,) int64 array, modified in place
        Room to work in.
    children_out : (m, 4) int64 array, modified in place

    Returns
    -------
    next_first : int
        The first parent that is still to do; at least one is done if m >= 245.
    written : int
        Rows of `children_out` in use.
    """
    written = 0
    parent = first
    while parent < len(parents) and written + MOVES_CEILING <= len(children_out):
        state = _load(parents[parent])
        for number in range(legal_moves(state, order, rules, moves)):
            child = after_move(state, moves[number], order, rules)
            _store(state_key(child, order, rules), children_out[written])
            written += 1
        parent += 1
    return parent, written
