"""Numbered deals: plain Python against numpy and exhaustive miniatures, kernels against Python."""

import math
import runpy
from collections import Counter
from itertools import chain, pairwise, permutations, product
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2

import devilsgrip.deck
import klondike.deck
from dealstats import deals
from dealstats.cards import parse_cards
from dealstats.deals import batches, shuffled
from dealstats.errors import InputError
from dealstats.jit import kernel
from dealstats.shuffle_kernel import _is_rejected, philox_block, shuffle, shuffle_plan
from devilsgrip.rules import Rules as DevilsgripRules
from klondike.rules import Rules as KlondikeRules

GOLDEN = runpy.run_path(str(Path(__file__).parents[1] / "seeds" / "make_golden_decks.py"))
GOLDEN_ROWS = GOLDEN["read_rows"]()

SIZES = (1, 2, 3, 24, 48, 52, 72, 96)
LARGEST = 2**63 - 1
NUMBERS = (0, 1, 2, 52, 2**31, 2**32 + 1, 2**53 + 1, LARGEST - 1, LARGEST)
WITH_REJECTED_WORDS = {24: 5562, 48: 3844, 52: 50, 72: 186, 96: 404}


def by_kernel(cards, seed, index):
    """A deal of 0, 1, .. cards - 1 by the compiled shuffle."""
    deck = np.arange(cards, dtype=np.uint8)
    shuffle(deck, seed, index, shuffle_plan(cards))
    return deck.tolist()


# The words


@pytest.mark.kernel_nets
@pytest.mark.parametrize(("seed", "index"), list(product(NUMBERS[::2], NUMBERS[1::2])))
def test_words_are_those_of_numpy(seed, index):
    for stream in (0, 1):
        generator = np.random.Philox(key=[seed, stream], counter=[0, index, 0, 0])
        words = np.zeros(4, np.uint64)
        for block in range(5):
            philox_block(words, block, index, seed, stream)
            assert words.tolist() == generator.random_raw(4).tolist()


# The shuffle


@pytest.mark.parametrize("cards", SIZES)
def test_kernel_shuffles_like_plain_python(cards):
    for seed, index in [*product(NUMBERS, NUMBERS), *((7, index) for index in range(300))]:
        assert by_kernel(cards, seed, index) == shuffled(range(cards), seed, index)


@pytest.mark.kernel_nets
@pytest.mark.parametrize("cards", SIZES)
def test_kernel_shuffles_a_few_like_plain_python(cards):
    for seed, index in [(0, 0), (3, 10**6), (LARGEST, LARGEST)]:
        assert by_kernel(cards, seed, index) == shuffled(range(cards), seed, index)


def test_kernel_uses_its_plan_again():
    plan = shuffle_plan(52)
    for index in (50, 51, 50):  # the first one throws a word away
        deck = np.arange(52, dtype=np.int64)
        shuffle(deck, 0, index, plan)
        assert deck.tolist() == shuffled(range(52), 0, index)


def test_shuffle_keeps_the_pack():
    cards = [5, 5, 7, 9, 9, 9]
    assert sorted(shuffled(cards, 3, 4)) == cards
    assert cards == [5, 5, 7, 9, 9, 9]


@pytest.mark.parametrize("cards", [0, 1])
def test_nothing_to_shuffle(cards):
    assert shuffled(range(cards), 1, 2) == list(range(cards))
    assert list(batches(cards)) == []


@pytest.mark.parametrize("cards", [2, 3, 24, 52, 96, 255])
def test_batches_divide_the_bounds_and_keep_to_their_ceiling(cards):
    groups = list(batches(cards))
    assert list(chain.from_iterable(groups)) == list(range(cards, 1, -1))
    products = [math.prod(bounds) for bounds in groups]
    assert max(products) <= 2**56
    assert all(math.prod(bounds) * following[0] > 2**56 for bounds, following in pairwise(groups))


def test_deals_differ():
    decks = {tuple(shuffled(range(24), seed, index)) for seed in range(30) for index in range(30)}
    assert len(decks) == 900


@pytest.mark.parametrize("number", [-1, 2**63, 2**64, -(2**63)])
def test_numbers_out_of_range_are_refused(number):
    for name, seed, index in (("seed", number, 0), ("deal", 0, number)):
        with pytest.raises(InputError, match=rf"^{name} {number} is not from 0 to 2\^63 - 1$"):
            shuffled(range(4), seed, index)


# Uniformity


WORDS = range(2**16)
"""All words of 16 bits, which stand in for those of 64."""


def or_rejected(draw, *arguments):
    """What is drawn, or "rejected" if that would need more words than there are."""
    try:
        return tuple(draw(*arguments))
    except StopIteration:
        return "rejected"


@pytest.mark.parametrize("bounds", [[2], [3], [10], [7, 6, 5], [5, 4, 3, 2], [13, 11, 3], [256]])
def test_draws_from_all_words_are_exactly_uniform(bounds, monkeypatch):
    monkeypatch.setattr(deals, "WORD", 2**16)
    counts = Counter(or_rejected(deals._uniform_draws, iter([word]), bounds) for word in WORDS)
    size = math.prod(bounds)
    assert counts.pop("rejected", 0) == 2**16 % size
    assert set(counts) == set(product(*map(range, bounds)))
    assert set(counts.values()) == {2**16 // size}


def test_shuffles_from_all_words_are_exactly_uniform(monkeypatch):
    monkeypatch.setattr(deals, "WORD", 2**16)
    monkeypatch.setattr(deals, "_words", lambda seed, index: iter([seed]))
    counts = Counter(or_rejected(shuffled, range(5), word, 0) for word in WORDS)
    assert counts.pop("rejected") == 2**16 % 120
    assert set(counts) == set(permutations(range(5)))
    assert set(counts.values()) == {2**16 // 120}


def test_shuffles_from_all_pairs_of_words_are_exactly_uniform(monkeypatch):
    monkeypatch.setattr(deals, "WORD", 2**8)
    monkeypatch.setattr(deals, "BATCH_PRODUCT_CEILING", 6)
    monkeypatch.setattr(deals, "_words", lambda seed, index: iter([seed, index]))
    assert list(batches(4)) == [[4], [3, 2]]
    pairs = product(range(2**8), repeat=2)
    counts = Counter(or_rejected(shuffled, range(4), *words) for words in pairs)
    assert counts.pop("rejected") == 2**8 * (2**8 % 6)
    assert set(counts) == set(permutations(range(4)))
    assert set(counts.values()) == {2**8 // 4 * (2**8 // 6)}


@kernel
def count_places(seed, deals, deck, plan, places_out, neighbours_out):
    """Count for each card where it lies, and which card comes next."""
    for index in range(deals):
        for card in range(len(deck)):
            deck[card] = card
        shuffle(deck, seed, index, plan)
        for place in range(len(deck)):
            places_out[place, deck[place]] += 1
            if place > 0:
                neighbours_out[deck[place - 1], deck[place]] += 1


@pytest.mark.parametrize("cards", [24, 52, 96])
def test_cards_lie_and_follow_one_another_at_random(cards):
    number = 40_000
    places, neighbours = np.zeros((2, cards, cards), np.int64)
    deck = np.zeros(cards, np.uint8)
    count_places(11, number, deck, shuffle_plan(cards), places, neighbours)
    assert_as_expected(places, number / cards, (cards - 1) ** 2)
    others = neighbours[~np.eye(cards, dtype=bool)]
    assert_as_expected(others, number / cards, len(others))


def assert_as_expected(counts, expected, freedom):
    statistic = ((counts - expected) ** 2 / expected).sum()
    assert 1e-4 < chi2.sf(statistic, freedom) < 1 - 1e-4


# Rejection


def words_near_the_limits(size):
    """Words whose lower half times `size` is small, and their neighbours."""
    multiples = range(size) if size < 80 else [*range(40), *range(size - 40, size)]
    limits = (-(-multiple * 2**64 // size) for multiple in multiples)
    words = {limit + step for limit in limits for step in (-1, 0, 1, 2)}
    return sorted(word for word in words if 0 <= word < 2**64)


@pytest.mark.parametrize("cards", [3, 24, 52, 96])
def test_kernel_rejects_exactly_the_words_that_plain_python_rejects(cards):
    rejected = 0
    for bounds in batches(cards):
        size = math.prod(bounds)
        for word in words_near_the_limits(size):
            lower_half = word * size % 2**64
            expected = lower_half < 2**64 % size
            assert _is_rejected(np.uint64(word), np.uint64(size)) == expected
            rejected += expected
    assert rejected > 0


def words_thrown_away(cards, seed, index):
    """How many words of a deal serve no draw."""
    words = deals._words(seed, index)
    taken = []
    counting = (taken.append(word) or word for word in words)
    groups = list(batches(cards))
    for bounds in groups:
        deals._uniform_draws(counting, bounds)
    return len(taken) - len(groups)


@pytest.mark.kernel_nets
@pytest.mark.parametrize(("cards", "index"), WITH_REJECTED_WORDS.items())
def test_deals_that_throw_words_away(cards, index):
    assert words_thrown_away(cards, 0, index) > 0
    assert by_kernel(cards, 0, index) == shuffled(range(cards), 0, index)


def test_about_as_many_words_are_thrown_away_as_expected():
    thrown_away = sum(words_thrown_away(52, 5, index) > 0 for index in range(3000))
    expected = 3000 * sum(2**64 % size / 2**64 for size in map(math.prod, batches(52)))
    assert abs(thrown_away - expected) < 5 * math.sqrt(expected)


# Golden decks


def test_golden_decks_are_many():
    keys = [(row["game"], row["suits"], row["seed"], row["index"]) for row in GOLDEN_ROWS]
    decks = 4 * len(GOLDEN["NUMBERS"]) + len(GOLDEN["KLONDIKE_NUMBERS"])
    assert len(set(keys)) == len(keys) == decks


def dealer_and_rules(row):
    """The module that deals a golden deck, and the rules of its pack."""
    if row["game"] == "klondike":
        return klondike.deck, KlondikeRules()
    return devilsgrip.deck, DevilsgripRules(suits=int(row["suits"]))


@pytest.mark.parametrize("row", GOLDEN_ROWS, ids=lambda row: "-".join(list(row.values())[:4]))
def test_golden_decks_never_change(row):
    dealer, rules = dealer_and_rules(row)
    seed, index = int(row["seed"]), int(row["index"])
    deck = tuple(parse_cards(row["cards"]))
    assert dealer.deal(index, seed, rules) == deck
    cards = np.array(dealer.pack(rules), np.uint8)
    shuffle(cards, seed, index, shuffle_plan(len(cards)))
    assert tuple(cards.tolist()) == deck
