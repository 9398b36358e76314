"""Numbered deals: a shuffled pack as a pure function of (scheme, seed, index).

Scheme ``philox1`` is defined as follows and never changes; another way to deal gets another name.

1. *Words.* The 64-bit words of a deal are those of Philox 4x64-10 (Salmon et al., Parallel Random
   Numbers: As Easy as 1, 2, 3, SC 2011) as :class:`numpy.random.Philox` gives them for
   ``key=[seed, 0]`` and ``counter=[0, index, 0, 0]``.
2. *Draws.* A Fisher-Yates shuffle of n cards needs a number below n, one below n - 1, ... one below
   2. One word serves as many of them in turn as keep the product of their bounds within 2**56: with
   word w and bounds b, c, ... the first is the upper half of the 128-bit product w * b, its lower
   half takes w's place for c, and so on. The word is thrown away and the next one taken if the last
   lower half is below 2**64 modulo the product of the bounds, which makes all draws exactly uniform
   and independent (Brackett-Rozinsky and Lemire, Batched Ranged Random Integer Generation, 2024).
3. *Swaps.* The draw j below i + 1 swaps the cards at places i and j of the pack, for i = n - 1
   down to 1. The pack lies in the game's own order at first.

Here this is plain Python over numpy's generator, fast enough to show a deal;
:mod:`dealstats.shuffle_kernel` does the same for millions.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from dealstats.errors import InputError

SCHEME = "philox1"
BATCH_PRODUCT_CEILING = 2**56
WORD = 2**64
NUMBER_CEILING = 2**63
"""Seeds and deal numbers are below it."""

DEAL_STREAM = 0
PLAYER_STREAM = 1


def shuffled(pack: Sequence[int], seed: int, index: int) -> list[int]:
    """The cards of a pack in the order of a numbered deal of scheme ``philox1``.

    Parameters
    ----------
    pack : sequence of int
        The cards in the game's own order.
    seed, index : int
        Both 0 <= x < 2**63.

    Raises
    ------
    InputError
        If `seed` or `index` is out of range.
    """
    for name, number in (("seed", seed), ("deal", index)):
        if not 0 <= number < NUMBER_CEILING:
            raise InputError(f"{name} {number} is not from 0 to 2^63 - 1")
    cards = list(pack)
    last = len(cards) - 1
    words = _words(seed, index)
    for bounds in batches(len(cards)):
        for draw in _uniform_draws(words, bounds):
            cards[last], cards[draw] = cards[draw], cards[last]
            last -= 1
    return cards


def player_word(seed: int, index: int) -> int:
    """The signed number that a numbered deal gives a player who wants chance.

    The parameters and errors are those of :func:`player_words`.
    """
    return int(player_words(seed, index, 1)[0])


def player_words(seed: int, index: int, words: int) -> NDArray[np.int64]:
    """Signed numbers for many games of a player on the same numbered deal.

    Parameters
    ----------
    seed : int
        0 <= seed < 2**63.
    index : int
        Only its remainder modulo 2**63 matters, since other schemes may number beyond that.
    words : int
        How many; the first one is that of :func:`player_word`.

    Raises
    ------
    InputError
        If `seed` is out of range.
    """
    if not 0 <= seed < NUMBER_CEILING:
        raise InputError(f"seed {seed} is not from 0 to 2^63 - 1")
    generator = np.random.Philox(
        key=[seed, PLAYER_STREAM], counter=[0, index % NUMBER_CEILING, 0, 0]
    )
    return np.asarray(generator.random_raw(words), np.uint64).astype(np.int64)


def batches(cards: int) -> Iterator[list[int]]:
    """The bounds n, n - 1, .. 2 of a shuffle, divided among words as ``philox1`` does."""
    bounds: list[int] = []
    for bound in range(cards, 1, -1):
        if math.prod(bounds) * bound > BATCH_PRODUCT_CEILING:
            yield bounds
            bounds = []
        bounds.append(bound)
    if bounds:
        yield bounds


def _words(seed: int, index: int) -> Iterator[int]:
    generator = np.random.Philox(key=[seed, DEAL_STREAM], counter=[0, index, 0, 0])
    while True:
        yield int(generator.random_raw())


def _uniform_draws(words: Iterator[int], bounds: Sequence[int]) -> list[int]:
    rejected_below = WORD % math.prod(bounds)
    while True:
        word = next(words)
        draws = []
        for bound in bounds:
            draw, word = divmod(word * bound, WORD)
            draws.append(draw)
        if word >= rejected_below:
            return draws
