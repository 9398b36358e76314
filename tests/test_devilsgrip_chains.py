"""The tables of a chain against a model that knows no tables: sorted lists of piles of levels."""

from itertools import combinations_with_replacement

import numpy as np
import pytest

from devilsgrip import chains
from devilsgrip.chains import BUILDS, OPENING_BUILDS, RUNS, state_numbers, states
from devilsgrip.rules import UNITS

LEVELS = range(4)


def all_grids():
    """All multisets of runs of the levels 0..3 in which no level comes up three times."""
    runs = [tuple(range(low, high + 1)) for low in LEVELS for high in range(low, 4)]
    grids = (grid for count in range(9) for grid in combinations_with_replacement(runs, count))
    return [tuple(sorted(grid)) for grid in grids if is_possible(grid)]


def is_possible(grid):
    cards = [level for pile in grid for level in pile]
    return all(cards.count(level) <= 2 for level in LEVELS)


def grid_of(number):
    """The piles of a state, read from its numbers of runs."""
    counts = zip(states()[number], RUNS, strict=True)
    return tuple(
        sorted(tuple(range(low, high + 1)) for count, (low, high) in counts for _ in range(count))
    )


def number_of(grid):
    """The number of a state, or -1 for what cannot be."""
    if not is_possible(grid):
        return -1
    counts = [0] * len(RUNS)
    for pile in grid:
        counts[RUNS.index((pile[0], pile[-1]))] += 1
    return state_numbers()[tuple(counts)]


def changed(grid, gone, come):
    """The grid without some piles and with others."""
    piles = list(grid)
    for pile in gone:
        piles.remove(pile)
    return tuple(sorted([*piles, *come]))


def model_builds(grid, unit):
    """Each way to lay a part of a pile on another pile: (target, staying, moving, next grid)."""
    for source, pile in enumerate(grid):
        for target, base in enumerate(grid):
            for count in range(1, len(pile) + 1):
                moving, staying = pile[-count:], pile[:-count]
                fits = source != target and moving[0] == base[-1] + 1
                if fits and unit_allows(unit, moving, staying):
                    come = [pile for pile in (base + moving, staying) if pile]
                    yield base, staying, moving, changed(grid, [pile, base], come)


def unit_allows(unit, moving, staying):
    return {
        "pile": not staying,
        "tail": True,
        "single": not staying and len(moving) == 1,
    }[unit]


def model_placements(grid, level):
    """The next grid for each different pile that takes a card."""
    bases = {base for base in grid if base[-1] + 1 == level}
    return {base: changed(grid, [base], [(*base, level)]) for base in bases}


GRIDS = [grid_of(number) for number in range(len(states()))]
BY_UNIT = pytest.mark.parametrize(("place", "unit"), list(enumerate(UNITS)))


def entries(next_states):
    return [int(number) for number in next_states if number != -1]


# States


def test_there_are_exactly_405_states():
    assert len(GRIDS) == len(set(GRIDS)) == 405
    assert sorted(GRIDS) == sorted(all_grids())


def test_state_numbers_are_places_among_the_states():
    assert [state_numbers()[piles] for piles in states()] == list(range(405))
    assert [number_of(grid) for grid in GRIDS] == list(range(405))


def test_the_first_state_has_no_pile():
    assert GRIDS[0] == ()


@BY_UNIT
def test_states_from_a_number_on_offer_a_build_that_opens_a_space(place, unit):
    offers = [any(not staying for _, staying, _, _ in model_builds(grid, unit)) for grid in GRIDS]
    first = chains.FIRST_BUILDABLE[place]
    assert offers == [number >= first for number in range(405)]


def test_a_ninth_bit_means_that_there_is_a_build():
    """On this rests the test of six chains at once; see `buildable_carry`."""
    assert all(0 < first <= 256 for first in chains.FIRST_BUILDABLE)


# Tables


def test_single_cards_has_every_combination_of_counts():
    for counts, number in enumerate(chains.SINGLE_CARDS):
        of_level = [counts >> 2 * level & 3 for level in LEVELS]
        grid = tuple((level,) for level in LEVELS for _ in range(of_level[level]))
        assert number == number_of(grid)


def test_fill_begins_a_pile():
    for number, grid in enumerate(GRIDS):
        for level in LEVELS:
            assert chains.FILL_NEXT[number, level] == number_of(changed(grid, [], [(level,)]))


def test_placement_lays_a_card_on_each_different_pile():
    for number, grid in enumerate(GRIDS):
        for level in LEVELS:
            expected = [-1] * 3
            for base, following in model_placements(grid, level).items():
                expected[base[0]] = number_of(following)
            assert chains.PLACE_NEXT[number, level].tolist() == expected


def test_first_placement_is_the_one_on_the_lowest_base():
    for number in range(405):
        for level in LEVELS:
            possible = entries(chains.PLACE_NEXT[number, level])
            assert chains.FIRST_PLACE_NEXT[number, level] == (possible or [-1])[0]


@BY_UNIT
def test_build_has_an_entry_for_each_different_build(place, unit):
    for number, grid in enumerate(GRIDS):
        expected = {
            (base[0], moving[0], moving[-1], (staying + moving)[0]): number_of(following)
            for base, staying, moving, following in model_builds(grid, unit)
            if following != grid
        }
        row = zip(BUILDS, chains.BUILD_NEXT[place, number], strict=True)
        assert {tuple(build): following for build, following in row if following != -1} == expected
        assert chains.BUILD_COUNT[place, number] == len(expected)


@BY_UNIT
def test_first_builds_of_the_table_are_those_that_open_a_space(place, unit):
    for number, grid in enumerate(GRIDS):
        opening = {
            number_of(following)
            for _, staying, _, following in model_builds(grid, unit)
            if not staying
        }
        row = chains.BUILD_NEXT[place, number]
        assert set(entries(row[:OPENING_BUILDS])) == opening
        fewer = [len(GRIDS[following]) < len(grid) for following in entries(row)]
        assert fewer == [True] * len(opening) + [False] * (len(fewer) - len(opening))
        first = entries(row[:OPENING_BUILDS])[:1] or [-1]
        assert chains.FIRST_BUILD_NEXT[place, number] == first[0]


def test_only_the_exchange_of_equals_leads_back_to_the_same_state():
    """A move is named by the state it leads to, so each must lead to another one."""
    for grid in GRIDS:
        for base, staying, _, following in model_builds(grid, "tail"):
            assert (following == grid) == (staying == base)


@BY_UNIT
def test_different_builds_lead_to_different_states(place, unit):
    for number, row in enumerate(chains.BUILD_NEXT[place]):
        following = entries(row)
        assert len({*following, number}) == len(following) + 1


def test_different_placements_lead_to_different_states():
    for number, rows in enumerate(chains.PLACE_NEXT):
        for row in rows:
            following = entries(row)
            assert len({*following, number}) == len(following) + 1


def longest_sequence(grid, unit):
    """The most builds that open a space one after the other, with nothing from outside."""
    opening = {next_ for _, staying, _, next_ in model_builds(grid, unit) if not staying}
    return max((1 + longest_sequence(following, unit) for following in opening), default=0)


@BY_UNIT
def test_builds_in_a_row(place, unit):
    expected = [longest_sequence(grid, unit) for grid in GRIDS]
    assert chains.BUILDS_IN_A_ROW[place].tolist() == expected


def test_pile_counts():
    assert chains.PILE_COUNT.tolist() == [len(grid) for grid in GRIDS]
    assert chains.BASE_COUNT.tolist() == [[pile[0] for pile in grid].count(0) for grid in GRIDS]
    assert chains.COMPLETE_COUNT.tolist() == [grid.count((0, 1, 2, 3)) for grid in GRIDS]


def test_tables_have_no_other_entries():
    for table in (chains.SINGLE_CARDS, chains.FILL_NEXT, chains.PLACE_NEXT, chains.BUILD_NEXT):
        assert table.dtype == np.int16
        assert table.min() == -1
        assert table.max() < 405


def test_builds_move_the_upper_part_of_one_run_onto_another():
    assert len(set(BUILDS)) == len(BUILDS)
    for low, middle, high, source in BUILDS:
        assert low < middle <= high
        assert source <= middle
        assert source != low
    opening = [build.opens_space for build in BUILDS]
    assert opening == sorted(opening, reverse=True)
    assert opening.count(True) == OPENING_BUILDS
