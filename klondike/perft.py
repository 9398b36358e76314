"""Counts of positions: how the compiled rules are compared with the textbook ones, and others."""

from typing import Any

import numpy as np

from dealstats.jit import inlined_kernel, kernel
from dealstats.positions import numbers_by_depth
from klondike.kernel import MOVES_CEILING, after_move, legal_moves, state_key
from klondike.layout import (
    BOUNDARY_SHIFT,
    FOUNDATIONS_MASK,
    FOUNDATIONS_SHIFT,
    PILE_MASK,
    PLACES_MASK,
    POSITION_WORDS,
    RECYCLES_SHIFT,
    State,
    pack_position,
    pack_rules,
    to_words,
)
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


@inlined_kernel
def _load(words: Any) -> State:
    """The compiled twin of :func:`klondike.layout.from_words`, without a score sheet."""
    return State(
        words[0],
        words[1],
        words[2] & PILE_MASK,
        (words[2] >> FOUNDATIONS_SHIFT) & FOUNDATIONS_MASK,
        words[3] & PLACES_MASK,
        words[3] >> BOUNDARY_SHIFT,
        words[2] >> RECYCLES_SHIFT,
        np.int64(0),
        np.int64(0),
    )


@inlined_kernel
def _store(state: State, words_out: Any) -> None:
    """The compiled twin of :func:`klondike.layout.to_words`, without the score sheet."""
    words_out[0] = state.piles_low
    words_out[1] = state.piles_mid
    words_out[2] = (
        state.piles_high | state.foundations << FOUNDATIONS_SHIFT | state.recycles << RECYCLES_SHIFT
    )
    words_out[3] = state.places | state.boundary << BOUNDARY_SHIFT


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
        state = _load(parents[parent])
        for number in range(legal_moves(state, deck, rules, moves)):
            child = after_move(state, moves[number], deck, rules)
            _store(state_key(child, rules), children_out[written])
            written += 1
        parent += 1
    return parent, written
