"""The packages of the games mirror each other: the same rooms, names and parameters.

What differs stands in `REASONS`, and nothing stands there that does not differ.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GAMES = ("devilsgrip", "klondike")
ALL = "__all__"
Names = dict[str, tuple[str, ...] | None]
"""The public names of a module, with their parameters if they take any."""

ONE_SIDED = "one package only"
OTHER_PARAMETERS = "other parameters"

INTERIORS = {
    "kernel": {"deal_state", "legal_moves", "after_move", "is_won", "state_key"},
    "layout": {
        *("State", "PackedRules", "pack_rules", "pack_kinds", "kind_of", "card_of"),
        *("pack_position", "state_problems", "to_words", "from_words"),
    },
    "player_kernels": {"choose_random", "choose_greedy"},
}
"""Rooms that are furnished by the rules of a game, and the names that both have all the same."""

REASONS = {
    # Rooms that only one game needs.
    "chains": (ONE_SIDED, "only the piles of Devil's Grip form chains"),
    "pysolfc": (ONE_SIDED, "the deals of Devil's Grip that others know are PySolFC's"),
    "deck.twin_of": (ONE_SIDED, "in Devil's Grip there are two cards of a kind"),
    "duel": (ONE_SIDED, "only Klondike has duels (KL10)"),
    "duel_command": (ONE_SIDED, "only Klondike has duels (KL10)"),
    "condensed": (ONE_SIDED, "the solver's layout"),
    "condensed_line": (ONE_SIDED, "of the solver"),
    "condensed_moves": (ONE_SIDED, "of the solver"),
    "condensed_search": (ONE_SIDED, "of the solver"),
    "condensed_solver": (ONE_SIDED, "of the solver"),
    "dead_test": (ONE_SIDED, "of the solver"),
    "condensed_deals": (ONE_SIDED, "of the solver"),
    "late_moves": (ONE_SIDED, "of the solver"),
    "stock_order": (ONE_SIDED, "of the solver"),
    "exhaustive": (ONE_SIDED, "the oracle of a solver"),
    "exhaustive_search": (ONE_SIDED, "the oracle of a solver"),
    "turn_up_search": (ONE_SIDED, "only Klondike turns up cards of the tableau (KL7)"),
    # Devil's Grip has no solver yet.
    "batch.first_round": (ONE_SIDED, "only what a solver leaves unknown is tried again"),
    "batch.play_again": (ONE_SIDED, "only what a solver leaves unknown is tried again"),
    **dict.fromkeys(
        (
            *("__all__.Solution", "__all__.solve", "batch.solver_task"),
            *("proved_search", "proved_solver", "pruning", "search_key"),
            *("moves_bound", "shortest_search", "shortest_solver"),
            *("solve_command", "solver", "solver_flags", "solvers"),
        ),
        (ONE_SIDED, "a solver"),
    ),
    **dict.fromkeys(
        (
            *("__all__.Difficulty", "__all__.difficulty"),
            *("deal_difficulty", "difficulty_command", "playouts"),
        ),
        (ONE_SIDED, "difficulty needs a solver"),
    ),
    "card_plays": (ONE_SIDED, "for lines of the solver"),
    "tidy": (ONE_SIDED, "for lines of the solver"),
    "solution.draw_until": (ONE_SIDED, "for lines of the solver"),
    # A duel needs the moves of each game, and a win of Klondike is no score.
    "batch.play_block": (ONE_SIDED, "how each game ended, for duels"),
    "playing.Results": (ONE_SIDED, "how each game ended, for duels"),
    "playing.make_results": (ONE_SIDED, "how each game ended, for duels"),
    "reference.ReferenceGame.moves_made": (ONE_SIDED, "what a duel counts (KL10)"),
    # The score of Devil's Grip is the cards left, which a position shows; Klondike's is not seen.
    "position.Position.cards_left": (ONE_SIDED, "the score (DG8)"),
    "position.Position.is_won": (ONE_SIDED, "a position of Klondike knows not how many ranks win"),
    "reference.ReferenceGame.cards_left": (ONE_SIDED, "the score (DG8)"),
    "reference.ReferenceGame.score": (ONE_SIDED, "the score (KL9)"),
    "reference.ReferenceGame.is_dead": (ONE_SIDED, "the end of a game (DG8)"),
    "reference.final_swaps": (ONE_SIDED, "the picture of a won game (DG9)"),
    "solution.ReplayResult": (ONE_SIDED, "calls the score cards left (DG8)"),
    "__all__.Scoring": (ONE_SIDED, "the table of points (KL9)"),
    "rules.Scoring": (ONE_SIDED, "the table of points (KL9)"),
    "rules.Rules.points": (ONE_SIDED, "the table of points (KL9)"),
    # The table: a grid of cells, or piles with cards face down, and foundations.
    "__all__.Pile": (ONE_SIDED, "a pile with cards face down (KL1)"),
    "position.Pile": (ONE_SIDED, "a pile with cards face down (KL1)"),
    "position.Position.cards_up": (ONE_SIDED, "the foundations (KL5)"),
    "position.Position.is_cleared": (ONE_SIDED, "an event of the score (KL9)"),
    "notation.format_foundations": (ONE_SIDED, "the foundations (KL5)"),
    "notation.parse_foundations": (ONE_SIDED, "the foundations (KL5)"),
    "notation.cell_name": (ONE_SIDED, "cells have names (DG2)"),
    "notation.columns_of": (ONE_SIDED, "cells have names (DG2)"),
    "rules.Rules.cells": (ONE_SIDED, "the size of the grid (DG2)"),
    "rules.Rules.columns": (ONE_SIDED, "the size of the grid (DG2)"),
    "rules.Rules.tableau_cards": (ONE_SIDED, "the size of the tableau (KL1)"),
    # Packed, cells have no places: a move means something only in a position, and what kernels
    # look up is the order of talon and stock alone, without the dealt table.
    "notation.format_move": (OTHER_PARAMETERS, "of Devil's Grip, a position names the cells"),
    "narration.kernel_move": (ONE_SIDED, "klondike.kernel.packed_move needs no position"),
    "layout.pack_position": (OTHER_PARAMETERS, "of Klondike, it makes up a whole deck"),
    "layout.state_problems": (OTHER_PARAMETERS, "order of talon and stock, or deck"),
    "kernel.legal_moves": (OTHER_PARAMETERS, "order of talon and stock, or deck"),
    "kernel.after_move": (OTHER_PARAMETERS, "order of talon and stock, or deck"),
    "kernel.state_key": (OTHER_PARAMETERS, "the order tells which cards are copies"),
}


@cache
def rooms(package: str) -> dict[str, Names]:
    """The public names of each module of a package, and under `ALL` what it exports."""
    trees = {
        source.stem: ast.parse(source.read_text(encoding="utf-8"))
        for source in (ROOT / package).glob("*.py")
    }
    exported = trees.pop("__init__").body[-1]
    assert isinstance(exported, ast.Assign)
    found: dict[str, Names] = {room: dict(public_names(tree)) for room, tree in trees.items()}
    found[ALL] = dict.fromkeys(ast.literal_eval(exported.value))
    return found


def public_names(scope: ast.Module | ast.ClassDef) -> Iterator[tuple[str, tuple[str, ...] | None]]:
    """Functions, classes with their methods, and what is named like a function without `def`.

    Constants and fields of records are the matter of each game.
    """
    for node in scope.body:
        match node:
            case ast.FunctionDef(name=name) if is_public(name) or name == "__init__":
                yield name, parameters(node)
            case ast.ClassDef(name=name) if is_public(name):
                yield name, None
                for method, its_parameters in public_names(node):
                    yield f"{name}.{method}", its_parameters
            case ast.Assign(targets=[ast.Name(id=name)]) if is_public(name) and name.islower():
                yield name, None


def is_public(name: str) -> bool:
    return not name.startswith("_")


def parameters(function: ast.FunctionDef) -> tuple[str, ...]:
    its = ast.iter_child_nodes(function.args)
    return tuple(node.arg for node in its if isinstance(node, ast.arg))


def divergences(one: dict[str, Names], other: dict[str, Names]) -> dict[str, str]:
    """What two packages do not have in common, the larger instead of all that it holds."""
    found = dict.fromkeys(one.keys() ^ other.keys(), ONE_SIDED)
    for room in one.keys() & other.keys():
        for name in one[room].keys() | other[room].keys():
            if room in INTERIORS and name not in INTERIORS[room]:
                continue
            if name not in one[room] or name not in other[room]:
                found[f"{room}.{name}"] = ONE_SIDED
            elif one[room][name] != other[room][name]:
                found[f"{room}.{name}"] = OTHER_PARAMETERS
    return {name: how for name, how in found.items() if name.rpartition(".")[0] not in found}


def test_packages_differ_only_where_there_is_a_reason() -> None:
    found = divergences(*map(rooms, GAMES))
    assert found == {name: how for name, (how, _) in REASONS.items()}


@pytest.mark.parametrize("room", INTERIORS)
@pytest.mark.parametrize("package", GAMES)
def test_the_common_names_of_interiors_are_there(package: str, room: str) -> None:
    assert INTERIORS[room] <= rooms(package)[room].keys()


def test_divergences_of_every_kind_are_found() -> None:
    one: dict[str, Names] = {
        "same": {"f": ("a",), "Class": None},
        "room": {"f": ("a",), "Class": None, "Class.method": ("self",)},
        "kernel": {"deal_state": (), "own": ()},
        "extra": {"f": ()},
    }
    other: dict[str, Names] = {
        "same": {"f": ("a",), "Class": None},
        "room": {"f": ("b",), "g": None},
        "kernel": {"other": ()},
    }
    assert divergences(one, other) == {
        "room.f": OTHER_PARAMETERS,
        "room.g": ONE_SIDED,
        "room.Class": ONE_SIDED,
        "kernel.deal_state": ONE_SIDED,
        "extra": ONE_SIDED,
    }
