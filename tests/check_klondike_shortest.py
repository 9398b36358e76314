"""Compare shortest solutions with exhaustive search on many small packs of all options.

    python tests/check_klondike_shortest.py --deals 100000 --first 0

Each deal has rules by lot, and every second one begins after some moves by lot.
"""

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from klondike_small_packs import SEED, random_rules

from dealstats.command_line import Parser, positive_number, run, seed_number
from klondike import proved_solver
from klondike.deck import deal
from klondike.exhaustive import exhaustive
from klondike.position import Position, dealt
from klondike.pruning import Pruning
from klondike.reference import ReferenceGame
from klondike.rules import Rules
from klondike.shortest_search import SHORTEST_PRUNING
from klondike.shortest_solver import find_shortest
from klondike.solution import replay
from klondike.solvers import Found, length_of

RANKS = (2, 3, 4, 4, 5, 5, 6)
POSITION_BUDGET = 30_000
NODE_BUDGET = 1_000_000
MEMORY_BUDGET = 100_000_000
MOST_MOVES = 12


def find_nothing(*_: object) -> Found:
    """Stand in for what finds a first win."""
    return Found("unknown", "node_budget", (), 0)


def some_game(chance: Random, ranks: Sequence[int] = RANKS) -> tuple[Position, Rules]:
    """A start by lot, or what some moves by lot lead to."""
    rules = random_rules(chance, chance.choice(ranks))
    position = dealt(deal(chance.randrange(10**6), SEED, rules), rules)
    if chance.random() < 0.5:
        return position, rules
    game = ReferenceGame(position, rules)
    for _ in range(chance.randrange(MOST_MOVES)):
        moves = game.legal_moves()
        if moves:
            game.push(chance.choice(moves))
    return game.position, rules


def outcome_if_right(
    position: Position, rules: Rules, find_win: Callable[..., Found], pruning: Pruning
) -> str:
    """The outcome of a game, or how the solver gets it wrong."""
    truth = exhaustive(position, rules, POSITION_BUDGET)
    if truth.outcome == "unknown":
        return "unclear"
    found, is_proved = find_shortest(position, rules, find_win, NODE_BUDGET, MEMORY_BUDGET, pruning)
    if (found.outcome, is_proved) != (truth.outcome, True):
        return f"wrong: {found.outcome}, not {truth.outcome}"
    if found.outcome == "solved":
        if length_of(found.moves) != truth.fewest_moves:
            return f"wrong: {length_of(found.moves)} moves, not {truth.fewest_moves}"
        if not replay(position, found.moves, rules).is_won:
            return "wrong: the moves do not win"
    return truth.outcome


def checked(number: int, pruning: Pruning = SHORTEST_PRUNING, ranks: Sequence[int] = RANKS) -> str:
    """Compare game `number`; a wrong answer is printed at once."""
    position, rules = some_game(Random(number), ranks)
    find_win = find_nothing if number % 2 else proved_solver.find_win
    outcome = outcome_if_right(position, rules, find_win, pruning)
    if outcome.startswith("wrong"):
        print("WRONG", number, outcome, rules, position, flush=True)
    return outcome


def main(argv: Sequence[str] | None = None) -> int:
    """Run the check; the exit status is 1 if any answer is wrong."""
    parser = Parser(description=__doc__)
    parser.add_argument("--deals", type=positive_number, default=100_000)
    parser.add_argument("--first", type=seed_number, default=0)
    arguments = parser.parse_args(argv)
    numbers = range(arguments.first, arguments.first + arguments.deals)
    outcomes = Counter(checked(number) for number in numbers)
    print(dict(sorted(outcomes.items())))
    return int(any(outcome.startswith("wrong") for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(run(main))
