"""How fast the fast solver of Klondike decides numbered deals, and a peer beside it.

Milliseconds are of processor time on one core, dealing included, deal by deal; deals that are not
decided within the budget count with the time until they were given up. The peer is Klondike-Solver
by way of `pyksolve` (``pip install pyksolve``), asked with ``solve_fast`` and a budget of its own;
it is left out where it is not installed or does not know the rules.
"""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from statistics import mean, median
from typing import Any, NamedTuple

import numpy as np
from measured_games import SEED

from dealstats.cards import rank_of, suit_of
from dealstats.command_line import Parser, positive_number, run
from klondike.condensed import holds_for
from klondike.deck import deal
from klondike.rules import Rules
from klondike.solver import solve_block
from klondike.solvers import MEMORY_BUDGET, NODE_BUDGET

DEALS = 1_000
PEER_DEALS = 100
PEER_BUDGET = 50_000
"""Game states that the peer evaluates for a deal."""
PEER_DRAWS = range(1, 8)

MAIN_RULES = (Rules(draw=3), Rules())
OTHER_RULES = (
    *(Rules(draw=draw, worrying_back=False) for draw in (3, 1)),
    *(Rules(draw=draw, partial_runs=False) for draw in (3, 1)),
    *(Rules(draw=draw, redeals=redeals) for draw in (3, 1) for redeals in range(4)),
    *(Rules(draw=draw) for draw in (2, *range(4, 14))),
)

HEADER = (
    f"{'rules':32}{'deals':>7}{'solved':>8}{'unsolv.':>8}{'undec.':>7}"
    f"{'mean ms':>10}{'median':>9}{'p99':>10}{'visits/s':>13}"
)


class Answer(NamedTuple):
    """What a solver says of a deal.

    Attributes
    ----------
    outcome : {"solved", "unsolvable", "unknown"}
    visits : int or None
        Positions it looked at, if it tells.
    milliseconds : float
        Of processor time.
    """

    outcome: str
    visits: int | None
    milliseconds: float


Decide = Callable[[int], tuple[str, int | None]]
"""From the number of a deal to its outcome and the visits."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and print its figures."""
    return run(_main, argv)


def _main(argv: Sequence[str] | None) -> int:
    arguments = _parser().parse_args(argv)
    print(f"deals from 0 on, seed {SEED}; at most {arguments.node_budget:,} visits for a deal")
    print(HEADER)
    disagreements: list[str] = []
    for rules in (*MAIN_RULES, *(OTHER_RULES if arguments.others else ())):
        ours = answers(solver_of_deals(rules, arguments.node_budget), arguments.deals)
        print(line_of(rules_text(rules), ours), flush=True)
        decide = None if arguments.no_peer else peer_of_deals(rules, arguments.peer_budget)
        if decide is not None:
            peers = answers(decide, min(arguments.peer_deals, arguments.deals))
            print(line_of("  same deals", ours[: len(peers)]))
            print(line_of("  pyksolve", peers), flush=True)
            disagreements += disagreements_of(rules_text(rules), ours, peers)
    print("disagreements:", *(disagreements or ["none"]), sep="\n  ")
    return 0


def _parser() -> Parser:
    parser = Parser(description=__doc__)
    for flag, default, explanation in (
        ("--deals", DEALS, "deals for each rules"),
        ("--node-budget", NODE_BUDGET, "visits of a deal"),
        ("--peer-deals", PEER_DEALS, "deals for the peer"),
        ("--peer-budget", PEER_BUDGET, "game states of the peer for a deal"),
    ):
        explanation = f"{explanation} (default: %(default)s)"
        parser.add_argument(flag, type=positive_number, default=default, help=explanation)
    parser.add_argument("--no-peer", action="store_true", help="without the peer")
    parser.add_argument("--others", action="store_true", help="more rules than draw three and one")
    return parser


def answers(decide: Decide, deals: int) -> list[Answer]:
    """What a solver says of the first deals, one after the other."""
    return list(_answers(decide, deals))


def _answers(decide: Decide, deals: int) -> Iterator[Answer]:
    for number in range(deals):
        start = time.process_time()
        outcome, visits = decide(number)
        yield Answer(outcome, visits, 1000 * (time.process_time() - start))


def solver_of_deals(rules: Rules, node_budget: int) -> Decide:
    """What decides numbered deals with the fast solver; kernels are compiled already."""
    if not holds_for(rules):
        return _slower_solver_of_deals(rules, node_budget)

    from klondike.condensed_deals import decide_deals, make_deals_room
    from klondike.condensed_solver import MEGABYTE, OUTCOMES

    room = make_deals_room(rules, MEMORY_BUDGET // MEGABYTE)
    outcome, visits = np.zeros(1, np.uint8), np.zeros(1, np.int64)

    def decide(number: int) -> tuple[str, int]:
        decide_deals(SEED, number, 1, node_budget, room, outcome, visits)
        return OUTCOMES[int(outcome[0])][0], int(visits[0])

    decide(0)
    return decide


def _slower_solver_of_deals(rules: Rules, node_budget: int) -> Decide:
    def decide(number: int) -> tuple[str, int]:
        verdicts = solve_block(number, 1, rules, SEED, node_budget=node_budget)
        return verdicts.outcomes[0], int(verdicts.nodes[0])

    decide(0)
    return decide


def peer_of_deals(rules: Rules, budget: int) -> Decide | None:
    """What decides numbered deals with the peer; None if it is not there or knows other rules."""
    if rules != Rules(draw=rules.draw) or rules.draw not in PEER_DRAWS:
        return None
    try:
        peer: Any = import_module("pyksolve.solver")
    except ImportError:
        return None

    def decide(number: int) -> tuple[str, None]:
        game = peer.Solitaire()
        game.load_solitaire(peer_text(deal(number, SEED, rules)))
        game.draw_count = rules.draw
        game.reset_game()
        result = game.solve_fast(max_closed_count=budget).name
        if result.startswith("Solved"):
            return "solved", None
        return "unsolvable" if result == "Impossible" else "unknown", None

    return decide


def peer_text(deck: Sequence[int]) -> str:
    """A deal as the peer reads it: rank and suit of each card in dealing order."""
    return "".join(f"{rank_of(card):02}{suit_of(card) + 1}" for card in deck)


def line_of(name: str, found: Sequence[Answer]) -> str:
    """A line of the table."""
    outcomes = [one.outcome for one in found]
    times = [one.milliseconds for one in found]
    visits = [one.visits for one in found if one.visits is not None]
    rate = f"{1000 * sum(visits) / sum(times):,.0f}" if visits else "-"
    return (
        f"{name:32}{len(found):7,}{outcomes.count('solved'):8,}{outcomes.count('unsolvable'):8,}"
        f"{outcomes.count('unknown'):7,}{mean(times):10.3f}{median(times):9.3f}"
        f"{float(np.percentile(times, 99)):10.3f}{rate:>13}"
    )


def rules_text(rules: Rules) -> str:
    """What rules change in the default ones, and what is drawn."""
    options, defaults = rules.to_dict(), Rules().to_dict()
    changed = [name for name in options if name == "draw" or options[name] != defaults[name]]
    return ", ".join(f"{name} {options[name]}" for name in changed)


def disagreements_of(name: str, ours: Sequence[Answer], peers: Sequence[Answer]) -> list[str]:
    """The deals of which one solver says that they can be won, and the other that they cannot."""
    return [
        f"{name}, deal {number}: {mine.outcome}, the peer says {its.outcome}"
        for number, (mine, its) in enumerate(zip(ours, peers, strict=False))
        if {mine.outcome, its.outcome} == {"solved", "unsolvable"}
    ]


if __name__ == "__main__":
    sys.exit(main())
