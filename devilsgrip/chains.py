"""The grid as twelve small automata.

With free swaps (DG3) the grid is a multiset of piles, and a pile only ever holds cards of one
*chain*: one suit and one of the sequences 2-5-8-J, 3-6-9-Q, 4-7-10-K. The four cards of a chain
are its *levels* 0..3, so a pile is a *run* of levels ``low..high``. As each level occurs at most
twice, the piles of one chain form one of exactly 405 multisets. Each rule is then a look-up from
such a state to the next.

States are numbered so that those in which a build can open a space come last, and among them
those in which a pile of one card can do so come last of all. "Which chains have a build" is thus
one comparison of state numbers, done for six chains at a time in :mod:`devilsgrip.kernel`.
"""

import functools
from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from devilsgrip.rules import UNITS

LEVELS = 4
COPIES = 2
RUNS = tuple((low, high) for low in range(LEVELS) for high in range(low, LEVELS))
NONE = -1


class Build(NamedTuple):
    """A part ``middle..high`` moved from a run ``source..high`` onto a run ``low..middle - 1``."""

    low: int
    middle: int
    high: int
    source: int

    @property
    def opens_space(self) -> bool:
        """Whether the whole pile moves, so that its cell is emptied."""
        return self.source == self.middle

    @property
    def exchanges_equals(self) -> bool:
        """Whether both piles just change places, which is no move in a multiset."""
        return self.source == self.low


# Builds that open a space come first: the lowest build of a state is then the greedy one.
BUILDS = tuple(
    sorted(
        (
            build
            for build in (
                Build(low, middle, high, source)
                for middle in range(1, LEVELS)
                for low in range(middle)
                for high in range(middle, LEVELS)
                for source in range(middle + 1)
            )
            if not build.exchanges_equals
        ),
        key=lambda build: not build.opens_space,
    )
)
OPENING_BUILDS = sum(build.opens_space for build in BUILDS)

Piles = tuple[int, ...]
"""How many piles of each of the `RUNS` a chain has."""


def build_is_allowed(build: Build, unit: str) -> bool:
    """Whether the rule option `unit` (DG4) lets this part of a pile move."""
    if unit == "tail":
        return True
    return build.opens_space and (unit == "pile" or build.high == build.middle)


def changed(piles: Piles, *changes: tuple[tuple[int, int], int]) -> Piles | None:
    """The piles after adding `count` to each named run, or None if that cannot be."""
    counts = list(piles)
    for run, count in changes:
        counts[RUNS.index(run)] += count
    return tuple(counts) if min(counts) >= 0 and _copies_suffice(counts) else None


def built(piles: Piles, build: Build) -> Piles | None:
    """The piles after a build, or None if they do not offer it."""
    changes = [
        ((build.low, build.middle - 1), -1),
        ((build.source, build.high), -1),
        ((build.low, build.high), +1),
    ]
    if not build.opens_space:
        changes.append(((build.source, build.middle - 1), +1))
    if piles[RUNS.index(changes[0][0])] == 0 or piles[RUNS.index(changes[1][0])] == 0:
        return None
    return changed(piles, *changes)


def _copies_suffice(counts: list[int]) -> bool:
    return all(
        sum(count for count, (low, high) in zip(counts, RUNS, strict=True) if low <= level <= high)
        <= COPIES
        for level in range(LEVELS)
    )


def _offers(piles: Piles, unit: str) -> bool:
    return any(
        build.opens_space and build_is_allowed(build, unit) and built(piles, build) is not None
        for build in BUILDS
    )


@functools.cache
def states() -> tuple[Piles, ...]:
    """All 405 states; a state's number is its place here, and number 0 has no pile."""
    every = [
        counts
        for counts in product(range(COPIES + 1), repeat=len(RUNS))
        if sum(counts) <= COPIES * LEVELS and _copies_suffice(list(counts))
    ]
    return tuple(
        sorted(every, key=lambda piles: (_offers(piles, "pile"), _offers(piles, "single")))
    )


@functools.cache
def state_numbers() -> dict[Piles, int]:
    """The number of each state."""
    return {piles: number for number, piles in enumerate(states())}


def _number(piles: Piles | None) -> int:
    return NONE if piles is None else state_numbers()[piles]


def _single_cards(counts: list[int]) -> Piles | None:
    changes = [((level, level), count) for level, count in enumerate(counts)]
    return changed(states()[0], *changes)


def _first_possible(next_states: Any) -> Any:
    """Along the last axis: the first entry that is a state, or -1."""
    first = (next_states != NONE).argmax(axis=-1)
    return np.take_along_axis(next_states, first[..., np.newaxis], axis=-1)[..., 0]


def _builds_in_a_row(build_next: Any) -> Any:
    """The longest sequence of builds from each state.

    A build that opens a space leaves fewer piles, so the states of fewer piles come first.
    """
    longest = np.zeros(len(build_next), dtype=np.int8)
    for number in np.argsort([sum(piles) for piles in states()], kind="stable"):
        following = [state for state in build_next[number] if state != NONE]
        longest[number] = max((1 + longest[state] for state in following), default=0)
    return longest


def _pile_counts(counts_run: Callable[[int, int], bool]) -> Any:
    return np.array(
        [
            sum(n for n, run in zip(piles, RUNS, strict=True) if counts_run(*run))
            for piles in states()
        ],
        dtype=np.int8,
    )


# The rules of a chain as arrays, indexed by unit (its place in UNITS), state, level and so on;
# an entry is a state number, or -1 for "not possible".

SINGLE_CARDS = np.array(
    [
        _number(_single_cards([counts >> 2 * level & 3 for level in range(LEVELS)]))
        for counts in range(256)
    ],
    dtype=np.int16,
)
"""[counts]: piles of one card each, two bits for the number of each level; -1 beyond two."""

FILL_NEXT = np.array(
    [
        [_number(changed(piles, ((level, level), +1))) for level in range(LEVELS)]
        for piles in states()
    ],
    dtype=np.int16,
)
"""[state, level]: after a card has come into an open space."""

PLACE_NEXT = np.array(
    [
        [
            [
                _number(changed(piles, ((low, level - 1), -1), ((low, level), +1)))
                if low < level
                else NONE
                for low in range(LEVELS - 1)
            ]
            for level in range(LEVELS)
        ]
        for piles in states()
    ],
    dtype=np.int16,
)
"""[state, level, low]: after a card was laid on a pile that begins at level `low`."""

FIRST_PLACE_NEXT = _first_possible(PLACE_NEXT)
"""[state, level]: the same for the lowest `low` that is possible."""

_EVERY_BUILD_NEXT = np.array(
    [[_number(built(piles, build)) for build in BUILDS] for piles in states()], dtype=np.int16
)
_IS_ALLOWED = np.array([[build_is_allowed(build, unit) for build in BUILDS] for unit in UNITS])
BUILD_NEXT = np.where(_IS_ALLOWED[:, np.newaxis], _EVERY_BUILD_NEXT, np.int16(NONE))
"""[unit, state, build]: after build number `build` of BUILDS."""

BUILD_COUNT = (BUILD_NEXT != NONE).sum(axis=-1)
"""[unit, state]: how many of them are possible."""

FIRST_BUILD_NEXT = _first_possible(BUILD_NEXT[:, :, :OPENING_BUILDS])
"""[unit, state]: the same for the lowest `build` that opens a space."""

FIRST_BUILDABLE = (BUILD_NEXT[:, :, :OPENING_BUILDS] == NONE).all(axis=-1).sum(axis=-1)
"""[unit]: the states from this number on offer a build that opens a space."""

BUILDS_IN_A_ROW = np.array(
    [_builds_in_a_row(next_states[:, :OPENING_BUILDS]) for next_states in BUILD_NEXT]
)
"""[unit, state]: builds that can follow one another without cards from outside."""

PILE_COUNT = _pile_counts(lambda low, high: True)
BASE_COUNT = _pile_counts(lambda low, high: low == 0)
COMPLETE_COUNT = _pile_counts(lambda low, high: high - low == LEVELS - 1)
"""[state]: piles; piles that begin with a base card; piles of four cards."""
