"""The budgets of a solver as flags of a command."""

import argparse

from dealstats.command_line import positive_number
from klondike.solvers import MEMORY_BUDGET, NODE_BUDGET


def add_budget_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags ``--node-budget`` and ``--memory-budget`` to a parser."""
    parser.add_argument(
        "--node-budget",
        type=positive_number,
        default=NODE_BUDGET,
        metavar="N",
        help="positions that a solver looks at before a deal is unknown (default: %(default)s)",
    )
    parser.add_argument(
        "--memory-budget",
        type=positive_number,
        default=MEMORY_BUDGET,
        metavar="BYTES",
        help="what a solver takes before a deal is unknown (default: %(default)s)",
    )
