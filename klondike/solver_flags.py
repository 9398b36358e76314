"""The budgets of a solver as flags of a command."""

import argparse

from dealstats.command_line import positive_number
from klondike.solvers import MEMORY_BUDGET, NODE_BUDGET

BUDGETS = ("node_budget", "memory_budget")


def add_budget_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the budgets to a parser; :func:`budgets_from_flags` reads them."""
    parser.add_argument(
        "--node-budget",
        type=positive_number,
        metavar="N",
        help="positions that a solver looks at before it gives a deal up "
        f"(default: {NODE_BUDGET:,})",
    )
    parser.add_argument(
        "--memory-budget",
        type=positive_number,
        metavar="BYTES",
        help=f"what a solver takes before it gives a deal up (default: {MEMORY_BUDGET:,})",
    )


def budgets_from_flags(arguments: argparse.Namespace) -> dict[str, int]:
    """The budgets that a command line names."""
    given = {name: getattr(arguments, name) for name in BUDGETS}
    return {name: budget for name, budget in given.items() if budget is not None}
