"""Keys of several 64-bit words, for tables that compare them whole."""

from typing import Any

import numpy as np

from dealstats.jit import inlined_kernel

FACTOR = np.uint64(0x9E3779B97F4A7C15)
HALF_WORD = np.uint64(32)


@inlined_kernel
def hash_of_words(key: Any, words: int) -> Any:
    """A well mixed uint64 of the first `words` words of a key."""
    mixed = np.uint64(0)
    for word in range(words):
        mixed = (mixed ^ np.uint64(key[word])) * FACTOR
        mixed ^= mixed >> HALF_WORD
    return mixed


@inlined_kernel
def are_same_words(key: Any, other: Any, words: int) -> bool:
    """Whether two keys have the same first `words` words."""
    difference = np.int64(0)
    for word in range(words):
        difference |= key[word] ^ other[word]
    return difference == 0
