"""The kernel cache, seen from new processes; and the machine instructions that have no name."""

import os
import subprocess
import sys
from random import Random

import numba
import numpy as np
import pytest

from dealstats import bits
from dealstats.jit import CACHE_VARIABLE, _with_callees, kernel, kernel_from

COMPILED = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")

bound = 0
"""The name that a template below leaves open."""

INNER = """
from dealstats.jit import inlined_kernel, kernel
{imports}

@{decorator}
def step(x):
    return x + {step}
"""

OUTER = """
from dealstats.jit import kernel
from {package}.inner import step

@kernel
def two_steps(x):
    return step(step(x))
"""

TEMPLATE = """
def _apply(x):
    return choose(x) * factor
"""

CALL = """
from {package}.outer import two_steps
print(two_steps(10), sum(two_steps.stats.cache_hits.values()))
"""

CALL_FROM_TEMPLATE = """
from dealstats.jit import kernel_from
from {template}.template import _apply
from {package}.inner import step
first = kernel_from(_apply, "first", choose=step, factor=2)
second = kernel_from(_apply, "second", choose=step, factor=3)
print(first(10), sum(first.stats.cache_hits.values()))
print(second(10), sum(second.stats.cache_hits.values()))
"""

TYPED_AT_A_PROMPT = """
from dealstats.jit import kernel, kernel_from
from steps.template import _apply

@kernel
def times(x):
    return x * {factor}

double = kernel_from(_apply, "double", choose=times, factor=2)
print(times(10), sum(times.stats.cache_hits.values()))
print(double(10), sum(double.stats.cache_hits.values()))
"""


class Workshop:
    """A folder with packages of kernels, and new processes that use them."""

    def __init__(self, folder):
        self.folder = folder
        self.cache = folder / "cache"

    def write(self, package, file, text):
        (self.folder / package).mkdir(exist_ok=True)
        (self.folder / package / "__init__.py").touch()
        (self.folder / package / f"{file}.py").write_text(text)

    def write_inner(self, step, package="steps", decorator="kernel", imports=""):
        text = INNER.format(step=step, decorator=decorator, imports=imports)
        self.write(package, "inner", text)

    def write_outer(self, package="steps", inner="steps"):
        self.write(package, "outer", OUTER.format(package=inner))

    def run(self, program, **environment):
        """The numbers that a program prints, and its stderr."""
        settings = {CACHE_VARIABLE: str(self.cache), "PYTHONPATH": str(self.folder)}
        result = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            env=os.environ | settings | environment,
            cwd=self.folder,
        )
        assert result.returncode == 0, result.stderr
        return [int(word) for word in result.stdout.split()], result.stderr

    def call(self, package="steps", **environment):
        return self.run(CALL.format(package=package), **environment)


@pytest.fixture
def workshop(tmp_path):
    return Workshop(tmp_path)


def cached_files(folder):
    return [path for path in folder.rglob("*") if path.suffix in (".nbi", ".nbc")]


# Fresh and stale


@COMPILED
def test_second_process_takes_the_kernel_from_the_cache(workshop):
    workshop.write_inner(step=1)
    workshop.write_outer()
    assert workshop.call() == ([12, 0], "")
    assert workshop.call() == ([12, 1], "")
    assert cached_files(workshop.folder) == cached_files(workshop.cache)
    assert cached_files(workshop.cache) != []


@COMPILED
@pytest.mark.parametrize("decorator", ["kernel", "inlined_kernel"])
def test_editing_a_callee_in_another_file_is_noticed(workshop, decorator):
    workshop.write_inner(step=1, decorator=decorator)
    workshop.write_outer()
    assert workshop.call() == ([12, 0], "")
    workshop.write_inner(step=5, decorator=decorator)
    assert workshop.call() == ([20, 0], "")
    workshop.write_inner(step=1, decorator=decorator)
    assert workshop.call() == ([12, 1], "")


@COMPILED
def test_editing_a_callee_in_another_package_is_noticed(workshop):
    workshop.write_inner(step=1)
    workshop.write_outer()
    workshop.write("farther", "inner", "from steps.outer import two_steps as step\n")
    workshop.write_outer(package="farther", inner="farther")
    assert workshop.call("farther") == ([14, 0], "")
    assert workshop.call("farther") == ([14, 1], "")
    workshop.write_inner(step=5)
    assert workshop.call("farther") == ([30, 0], "")


@COMPILED
def test_editing_a_number_that_a_callee_uses_is_noticed(workshop):
    workshop.write("steps", "numbers", "STEP = 1\n")
    workshop.write_inner(step="STEP", imports="from steps.numbers import STEP")
    workshop.write_outer(package="farther")
    assert workshop.call("farther") == ([12, 0], "")
    workshop.write("steps", "numbers", "STEP = 5\n")
    assert workshop.call("farther") == ([20, 0], "")


@COMPILED
def test_a_bounds_check_has_its_own_kernels(workshop):
    workshop.write_inner(step=1)
    workshop.write_outer()
    assert workshop.call() == ([12, 0], "")
    assert workshop.call(NUMBA_BOUNDSCHECK="1") == ([12, 0], "")
    assert workshop.call(NUMBA_BOUNDSCHECK="1") == ([12, 1], "")
    assert workshop.call() == ([12, 1], "")


@COMPILED
def test_a_bounds_check_finds_an_index_beyond_the_end(workshop):
    program = """
import numpy as np
from dealstats.jit import kernel

@kernel
def sixth(numbers):
    return numbers[5]

try:
    sixth(np.zeros(3, np.int64))
except IndexError:
    print(1)
"""
    assert workshop.run(program, NUMBA_BOUNDSCHECK="1") == ([1], "")


# Kernels from a template


@COMPILED
def test_kernels_from_one_template_are_cached_each_by_its_name(workshop):
    workshop.write_inner(step=1)
    workshop.write("steps", "template", TEMPLATE)
    program = CALL_FROM_TEMPLATE.format(template="steps", package="steps")
    assert workshop.run(program) == ([22, 0, 33, 0], "")
    assert workshop.run(program) == ([22, 1, 33, 1], "")


@COMPILED
def test_editing_a_kernel_that_a_template_was_given_is_noticed(workshop):
    workshop.write_inner(step=1, package="elsewhere")
    workshop.write("steps", "template", TEMPLATE)
    program = CALL_FROM_TEMPLATE.format(template="steps", package="elsewhere")
    assert workshop.run(program) == ([22, 0, 33, 0], "")
    workshop.write_inner(step=5, package="elsewhere")
    assert workshop.run(program) == ([30, 0, 45, 0], "")


def test_a_kernel_from_a_template_sees_the_names_it_was_given():
    def template(x):
        return x + bound

    bound_to = {number: kernel_from(template, f"plus_{number}", bound=number) for number in (1, 5)}
    assert [bound_to[number](10) for number in (1, 5)] == [11, 15]
    assert bound_to[5].__name__ == "plus_5"


# Without a cache


@COMPILED
def test_the_cache_can_be_turned_off(workshop):
    workshop.write_inner(step=1)
    workshop.write_outer()
    for _ in range(2):
        assert workshop.call(**{CACHE_VARIABLE: "off"}) == ([12, 0], "")
    assert cached_files(workshop.folder) == []


@COMPILED
def test_a_folder_that_cannot_be_written_is_noted_once(workshop):
    workshop.write_inner(step=1)
    workshop.write_outer(package="farther")
    (workshop.folder / "file").touch()
    wish = workshop.folder / "file" / "cache"
    numbers, note = workshop.call("farther", **{CACHE_VARIABLE: str(wish)})
    assert numbers == [12, 0]
    assert note.startswith(f"note: kernels are compiled anew, {wish} cannot be written: ")
    assert note.count("\n") == 1
    assert cached_files(workshop.folder) == []


@COMPILED
def test_kernels_from_no_file_are_compiled_but_not_cached(workshop):
    workshop.write("steps", "template", TEMPLATE)
    for factor, result in ((2, 20), (3, 30)):
        program = TYPED_AT_A_PROMPT.format(factor=factor)
        assert workshop.run(program) == ([result, 0, 2 * result, 0], "")


@COMPILED
def test_the_default_folder_is_in_the_cache_of_the_user(workshop):
    workshop.write_inner(step=1)
    workshop.write_outer()
    home = workshop.folder / "home"
    assert workshop.call(**{CACHE_VARIABLE: "", "XDG_CACHE_HOME": str(home)}) == ([12, 0], "")
    assert cached_files(home / "dealstats") == cached_files(workshop.folder) != []


# Other users of numba


def test_the_cache_folder_of_others_stays(monkeypatch, tmp_path):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))

    @kernel
    def one_more(x):
        return x + 1

    assert one_more(1) == 2
    assert str(tmp_path) == numba.config.CACHE_DIR
    assert list(tmp_path.iterdir()) == []


def test_the_cache_folder_of_others_stays_after_a_failure(monkeypatch, tmp_path):
    def refuse(function):
        raise RuntimeError(f"no {function.__name__}")

    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(numba, "njit", lambda **options: refuse)
    with pytest.raises(RuntimeError, match="no _with_callees"):
        kernel(_with_callees)
    assert str(tmp_path) == numba.config.CACHE_DIR


# Machine instructions


@kernel
def _trailing_zeros(word):
    return bits.trailing_zeros(word)


@kernel
def _leading_zeros(word):
    return bits.leading_zeros(word)


@kernel
def _set_bits(word):
    return bits.set_bits(word)


@kernel
def _multiply_high(left, right):
    return bits.multiply_high(left, right)


@kernel
def _prefetch(array, index):
    bits.prefetch(array, index)


WORDS = [0, 1, 2**62, 2**63 - 1, *(Random(1).getrandbits(bits) for bits in range(1, 64))]


@pytest.mark.kernel_nets
@pytest.mark.parametrize("word", WORDS)
def test_bit_counts(word):
    digits = f"{word:064b}"
    trailing = len(digits) - len(digits.rstrip("0"))
    leading = len(digits) - len(digits.lstrip("0"))
    assert _trailing_zeros(np.int64(word)) == trailing
    assert _leading_zeros(np.int64(word)) == leading
    assert _set_bits(np.int64(word)) == digits.count("1")


@pytest.mark.kernel_nets
def test_upper_half_of_a_product():
    words = [*WORDS, 2**63, 2**64 - 1]
    for left in words:
        for right in words:
            product = _multiply_high(np.uint64(left), np.uint64(right))
            assert int(product) == left * right >> 64


@pytest.mark.kernel_nets
@pytest.mark.parametrize("index", [0, 7])
def test_asking_for_an_element_changes_nothing(index):
    array = np.arange(8)
    _prefetch(array, np.int64(index))
    assert array.tolist() == list(range(8))
