"""The command ``klondike solve``."""

from argparse import Namespace
from functools import partial
from typing import TYPE_CHECKING, Any

from dealstats.command_line import print_json, print_text
from dealstats.game_command import add_command, add_json_flag, move_lines
from dealstats.starts import DealRoom, Start, add_start_arguments, starts
from klondike.rule_flags import add_rule_flags, rules_from_flags
from klondike.solver_flags import add_budget_flags, budgets_from_flags
from klondike.solvers import SOLVERS

if TYPE_CHECKING:
    from klondike.solver import Solution

REASONS = {
    "node_budget": "the search came to the end of its node budget",
    "memory_budget": "the search came to the end of its memory budget",
}


SHORTEST_FIELDS = ("proved", "length", "turn_ups")


def add_solve(commands: Any, deals: DealRoom) -> None:
    """Add the command."""
    parser = add_command(
        commands, "solve", partial(_solve, deals), "find out whether a game can be won, and how"
    )
    add_start_arguments(parser, deals)
    parser.add_argument(
        "--objective",
        metavar="NAME",
        default="win",
        help="what to look for: any win (default), or with moves a shortest one, where draws and "
        "cards laid somewhere count, but not recycles and turn-ups",
    )
    parser.add_argument(
        "--mode",
        metavar="NAME",
        default="fast",
        help=f"the solver: {', '.join(SOLVERS)} (default: %(default)s)",
    )
    add_budget_flags(parser)
    add_json_flag(parser)
    add_rule_flags(parser)


def _solve(deals: DealRoom, arguments: Namespace) -> None:
    rules = rules_from_flags(arguments)
    all_starts = starts(arguments, rules, deals)

    from klondike.solver import solve

    for start in all_starts:
        solution = solve(
            start.position,
            rules,
            objective=arguments.objective,
            mode=arguments.mode,
            **budgets_from_flags(arguments),
        )
        if arguments.json:
            print_json(
                deal=start.text,
                rules=rules.to_dict(),
                objective=arguments.objective,
                **_fields(solution),
            )
        else:
            print_text(_text(start, solution))


def _fields(solution: "Solution") -> dict[str, object]:
    """What to print as JSON; how short a line is, only where that was the objective."""
    fields = vars(solution)
    if solution.proved is None:
        return {name: value for name, value in fields.items() if name not in SHORTEST_FIELDS}
    return fields


def _text(start: Start, solution: "Solution") -> str:
    summary = f"# {start.name}: {solution.outcome}"
    if solution.outcome == "solved" and solution.proved is not None:
        with_turn_ups = (solution.length or 0) + (solution.turn_ups or 0)
        summary += f" in {solution.length} moves without recycles ({with_turn_ups} with turn-ups), "
        summary += "proved shortest" if solution.proved else "not proved shortest"
    elif solution.outcome == "solved":
        summary += f" with {solution.score} points in {len(solution.moves)} moves"
    if solution.reason is not None:
        summary += f", {REASONS[solution.reason]}"
    summary += f" ({solution.nodes} nodes)"
    return "\n".join(filter(None, (summary, move_lines(solution.moves))))
