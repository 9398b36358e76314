"""Imports go one way: dealstats knows no game, and no game knows another."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAY_IMPORT = {
    "dealstats": {"dealstats"},
    "devilsgrip": {"dealstats", "devilsgrip"},
    "klondike": {"dealstats", "klondike"},
}
OURS = set(MAY_IMPORT) | {"experiments", "benchmarks", "tests"}


def imported_packages(source: Path) -> set[str]:
    """The top-level names of all that a module imports, at its top or inside functions."""
    names = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{source}: relative import"
            names.add((node.module or "").split(".")[0])
    return names


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_packages_import_only_what_lies_below_them(package: str) -> None:
    sources = sorted((ROOT / package).glob("*.py"))
    assert sources
    for source in sources:
        ours = imported_packages(source) & OURS
        assert ours <= MAY_IMPORT[package], f"{source.name} imports {ours - MAY_IMPORT[package]}"


def test_the_textbook_uses_no_arrays_and_no_kernel() -> None:
    for package in ("devilsgrip", "klondike"):
        names = imported_packages(ROOT / package / "reference.py")
        assert not names & {"numpy", "numba"}


def test_named_deal_ranges_do_not_overlap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "experiments")
    from deal_ranges import read_deal_ranges

    ranges = read_deal_ranges()
    assert {one.name for one in ranges} >= {"final", "tuning", "test", "benchmark"}
    for index, one in enumerate(ranges):
        for other in ranges[:index]:
            if (one.game, one.seed) == (other.game, other.seed):
                assert (
                    one.first_deal + one.deals <= other.first_deal
                    or other.first_deal + other.deals <= one.first_deal
                ), f"{one} overlaps {other}"
