"""The numbered deals of PySolFC against known ones."""

import sys
from pathlib import Path

import pytest

from dealstats.cards import parse_cards
from dealstats.errors import InputError
from devilsgrip import Rules, deal, dealt
from devilsgrip.deck import pack
from devilsgrip.pysolfc import pysolfc_deck

KNOWN_DEALS = Path(__file__).parent.parent / "seeds" / "devilsgrip_pysolfc.txt"


KNOWN = {
    int(number): [parse_cards(cards) for cards in groups.split("|")]
    for number, _, groups in (
        line.partition(":")
        for line in KNOWN_DEALS.read_text().splitlines()
        if not line.startswith("#")
    )
}


@pytest.mark.parametrize("number", KNOWN)
def test_known_deals(number):
    grid, talon, stock = KNOWN[number]
    assert pysolfc_deck(number) == (*grid, *talon, *stock)
    position = dealt(deal(number, scheme="pysolfc"), Rules.preset("pysolfc"))
    assert [pile[0] for pile in position.grid] == grid
    assert position.talon == tuple(talon)
    assert position.stock == tuple(stock)


def test_deals_of_both_generators_are_known():
    assert min(KNOWN) < 32000 <= max(KNOWN)


@pytest.mark.parametrize("number", [2, 31999, 32001, 10**20])
def test_every_deal_is_the_pack(number):
    assert sorted(pysolfc_deck(number)) == sorted(pack(Rules()))


@pytest.mark.parametrize("number", [-1, 0, 10**20 + 1])
def test_numbers_out_of_range(number):
    with pytest.raises(InputError, match=f"deal {number} of PySolFC is not from 1 to"):
        pysolfc_deck(number)


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pysol_cards.random", None)
    with pytest.raises(InputError, match=r"pip install dealstats\[pysolfc\]"):
        pysolfc_deck(1)
