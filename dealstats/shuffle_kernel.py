"""Numbered deals of scheme ``philox1`` (see :mod:`dealstats.deals`) for millions of games."""

import math
from typing import Any, NamedTuple

import numpy as np

from dealstats.bits import multiply_high
from dealstats.deals import DEAL_STREAM, batches
from dealstats.jit import inlined_kernel, kernel

ZERO = np.uint64(0)
ONE = np.uint64(1)
ROUNDS = 10
MULTIPLIER_0 = np.uint64(0xD2E7470EE14C6C93)
MULTIPLIER_1 = np.uint64(0xCA5A826395121157)
KEY_STEP_0 = np.uint64(0x9E3779B97F4A7C15)
KEY_STEP_1 = np.uint64(0xBB67AE8584CAA73B)
WORDS_PER_BLOCK = 4


class ShufflePlan(NamedTuple):
    """How a pack of one size is shuffled: what does not depend on the deal.

    Attributes
    ----------
    draws : (words,) uint64 array
        How many draws each word serves.
    product : (words,) uint64 array
        The product of their bounds.
    room : (4 + words,) uint64 array
        Room to work in.
    """

    draws: Any
    product: Any
    room: Any


def shuffle_plan(cards: int) -> ShufflePlan:
    """The plan for a pack of so many cards; one for each thread, as it holds room to work in."""
    groups = list(batches(cards))
    return ShufflePlan(
        draws=np.array([len(bounds) for bounds in groups], dtype=np.uint64),
        product=np.array([math.prod(bounds) for bounds in groups], dtype=np.uint64),
        room=np.zeros(WORDS_PER_BLOCK + len(groups), dtype=np.uint64),
    )


@kernel
def philox_block(words: Any, block: int, index: int, seed: int, stream: int) -> None:
    """Write block number `block` = 0, 1, .. of a deal's words into ``words[0:4]``.

    The words are those of ``numpy.random.Philox(key=[seed, stream], counter=[0, index, 0, 0])``,
    which counts up before its first block.

    Parameters
    ----------
    words : (4,) uint64 array, modified in place
    """
    counter_0, counter_1 = np.uint64(block) + ONE, np.uint64(index)
    counter_2, counter_3 = ZERO, ZERO
    key_0, key_1 = np.uint64(seed), np.uint64(stream)
    for _ in range(ROUNDS):
        high_0 = multiply_high(MULTIPLIER_0, counter_0)
        high_1 = multiply_high(MULTIPLIER_1, counter_2)
        low_0 = MULTIPLIER_0 * counter_0
        low_1 = MULTIPLIER_1 * counter_2
        counter_0 = high_1 ^ counter_1 ^ key_0
        counter_1 = low_1
        counter_2 = high_0 ^ counter_3 ^ key_1
        counter_3 = low_0
        key_0 += KEY_STEP_0
        key_1 += KEY_STEP_1
    words[0] = counter_0
    words[1] = counter_1
    words[2] = counter_2
    words[3] = counter_3


@inlined_kernel
def _is_rejected(word: Any, product: Any) -> bool:
    lower_half = word * product
    return lower_half < product and lower_half < (ZERO - product) % product


@kernel
def _take_words(plan: Any, seed: int, index: int) -> None:
    """Put an acceptable word for each batch of draws into the room from place 4 on."""
    words = plan.room
    block = 0
    used = WORDS_PER_BLOCK
    for batch in range(len(plan.product)):
        rejected = True
        while rejected:
            if used == WORDS_PER_BLOCK:
                philox_block(words, block, index, seed, DEAL_STREAM)
                block += 1
                used = 0
            word = words[used]
            used += 1
            rejected = _is_rejected(word, plan.product[batch])
        words[WORDS_PER_BLOCK + batch] = word


@kernel
def shuffle(cards: Any, seed: int, index: int, plan: Any) -> None:
    """Put the pack into the order of deal `index`.

    Parameters
    ----------
    cards : (n,) integer array, modified in place
        The pack in the game's own order.
    plan : ShufflePlan
        That of n cards.
    """
    _take_words(plan, seed, index)
    # Unsigned places spare the test for negative indices.
    place = np.uint64(len(cards) - 1)
    for batch in range(len(plan.draws)):
        word = plan.room[WORDS_PER_BLOCK + batch]
        for _ in range(plan.draws[batch]):
            bound = place + ONE
            other = multiply_high(word, bound)
            word *= bound
            cards[place], cards[other] = cards[other], cards[place]
            place -= ONE


class Dealer(NamedTuple):
    """What numbered deals of a pack are made with; one for each thread.

    Attributes
    ----------
    pack : (n,) integer array
        In the game's own order.
    deck : (n,) integer array
        Takes the deal.
    plan : ShufflePlan
    """

    pack: Any
    deck: Any
    plan: ShufflePlan


def make_dealer(pack: Any) -> Dealer:
    """The dealer of a pack."""
    return Dealer(pack, np.zeros_like(pack), shuffle_plan(len(pack)))


@kernel
def deal_numbered(dealer: Dealer, seed: int, index: int) -> None:
    """Put deal `index` into the dealer's deck."""
    for place in range(len(dealer.pack)):
        dealer.deck[place] = dealer.pack[place]
    shuffle(dealer.deck, seed, index, dealer.plan)
