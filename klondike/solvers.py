"""The solvers of Klondike by name, and how far they go by default."""

from dataclasses import dataclass

from dealstats.errors import InputError

OBJECTIVES = ("win",)
NODE_BUDGET = 20_000_000
MEMORY_BUDGET = 2_000_000_000
"""Bytes."""


@dataclass(frozen=True)
class Solver:
    """A solver, which knows all cards.

    Attributes
    ----------
    name : str
    idea : str
        One line for users.
    block_deals : int
        Deals that it solves in about a second.
    """

    name: str
    idea: str
    block_deals: int


SOLVERS = {
    solver.name: solver
    for solver in (
        Solver("proved", "leaves out only what is proved needless, under all rules", 100),
    )
}


def find_solver(name: str) -> Solver:
    """The solver of a name.

    Raises
    ------
    InputError
        If there is none.
    """
    if name not in SOLVERS:
        raise InputError(f"no solver is called {name!r}; there are {', '.join(SOLVERS)}")
    return SOLVERS[name]
