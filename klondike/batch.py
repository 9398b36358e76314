"""What :mod:`dealstats` calls: whole blocks of numbered games, and single ones.

Importing this is cheap; the kernels are imported when the first game is played.
"""

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dealstats.command_line import positive_number
from dealstats.deal_results import LOST, UNKNOWN, WON, DealResults
from dealstats.deals import SCHEME
from dealstats.errors import InputError
from dealstats.rows import BlockResult
from dealstats.scores import ScoreScale
from dealstats.task import Task
from klondike.players import PLAYERS, find_player
from klondike.position import Position
from klondike.rule_flags import add_rule_flags, rules_from_flags
from klondike.rules import Rules
from klondike.solver_flags import add_budget_flags, budgets_from_flags
from klondike.solvers import MEMORY_BUDGET, NODE_BUDGET, SOLVERS, find_solver

if TYPE_CHECKING:
    from klondike.playing import Results

GAME = "klondike"
VERSIONS = {"rules": 1, "players": 1}
SOLVER_VERSIONS = {"rules": 1, "solvers": 3}
"""Raised whenever the same task would give other results."""

SOLVER_PREFIX = "solver:"
"""Marks the name of a solver where a task has the name of its player."""

RETRY_BUDGET = "retry_budget"
"""The option of a task that has a second round."""

LETTERS = {"solved": WON, "unsolvable": LOST, "unknown": UNKNOWN}

deal_options = ("ranks",)

score_scale = ScoreScale(unit="points", lower_is_better=False, thresholds=(("won", None),))


def player_task(player: str, rules: Rules, seed: int = 0) -> Task:
    """The task of a player on the numbered deals of a seed.

    Raises
    ------
    InputError
        If there is no such player.
    """
    find_player(player)
    return Task(
        game=GAME,
        player=player,
        rules=rules.to_dict(),
        seed=seed,
        scheme=SCHEME,
        versions=VERSIONS,
    )


def solver_task(
    solver: str,
    rules: Rules,
    seed: int = 0,
    node_budget: int = NODE_BUDGET,
    memory_budget: int = MEMORY_BUDGET,
    retry_budget: int | None = None,
) -> Task:
    """The task of a solver, which knows all cards, on the numbered deals of a seed.

    Parameters
    ----------
    node_budget, memory_budget : int
        Those of each deal; see :func:`klondike.solve`.
    retry_budget : int, optional
        The node budget of a second round, in which what is still unknown is tried again.

    Raises
    ------
    InputError
        If there is no such solver, or the second round has no larger budget than the first.
    """
    find_solver(solver)
    if retry_budget is not None and retry_budget <= node_budget:
        raise InputError(f"retry_budget {retry_budget} is not above node_budget {node_budget}")
    second_round = {} if retry_budget is None else {RETRY_BUDGET: retry_budget}
    return Task(
        game=GAME,
        player=SOLVER_PREFIX + solver,
        rules=rules.to_dict(),
        seed=seed,
        scheme=SCHEME,
        options={"node_budget": node_budget, "memory_budget": memory_budget} | second_round,
        versions=SOLVER_VERSIONS,
    )


def add_task_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that :func:`task_from_arguments` reads."""
    who = parser.add_mutually_exclusive_group(required=True)
    who.add_argument("--player", metavar="NAME", help=f"one of: {', '.join(PLAYERS)}")
    who.add_argument(
        "--solver",
        metavar="NAME",
        help=f"instead of a player, one who knows all cards: {', '.join(SOLVERS)}",
    )
    add_budget_flags(parser)
    parser.add_argument(
        "--retry-budget",
        type=positive_number,
        metavar="N",
        help="node budget of a second round, in which a solver tries again what is still unknown; "
        "if the file has the first round with --per-deal, only the second one is played",
    )
    add_rule_flags(parser)


def task_from_arguments(arguments: argparse.Namespace) -> Task:
    """The task that a command line asks for."""
    rules, budgets = rules_from_flags(arguments), budgets_from_flags(arguments)
    if arguments.retry_budget is not None:
        budgets |= {RETRY_BUDGET: arguments.retry_budget}
    if arguments.solver is not None:
        return solver_task(arguments.solver, rules, arguments.seed, **budgets)
    if budgets:
        raise InputError(f"{' and '.join(budgets)}: only a solver has budgets")
    return player_task(arguments.player, rules, arguments.seed)


def block_deals(task: Task) -> int:
    """Deals in a block by default: a fraction of a second of work."""
    solver = _solver_of(task)
    return (find_player(task.player) if solver is None else find_solver(solver)).block_deals


def prefers_threads(task: Task) -> bool:
    """Whether the work leaves the interpreter lock alone: all players and solvers here do."""
    return True


def _solver_of(task: Task) -> str | None:
    """The name of the solver of a task, or None if a player plays."""
    if not task.player.startswith(SOLVER_PREFIX):
        return None
    return task.player.removeprefix(SOLVER_PREFIX)


def warm_up(task: Task) -> None:
    """Compile, or load from the cache, all that the task needs."""
    play_batch(task, 0, 0)


def play_batch(task: Task, first_deal: int, deals: int) -> BlockResult:
    """Play deals ``first_deal .. first_deal + deals - 1`` with the player or solver of the task.

    Raises
    ------
    InputError
        If there is no such player, solver, scheme or game.
    """
    if task.scheme != SCHEME:
        raise InputError(f"deals of scheme {task.scheme!r} are not played in batches")
    first = first_round(task)
    if first is not None:
        known = play_batch(first, first_deal, deals).deal_results
        assert known is not None
        return play_again(task, first_deal, known)
    rules = Rules.from_dict(task.rules)
    solver = _solver_of(task)
    if solver is not None:
        return _solved_block(solver, task, first_deal, deals, rules)
    find_player(task.player)
    results = play_block(task.player, first_deal, deals, rules, task.seed)
    return BlockResult.of_games(results.won, results.score, nodes=int(results.moves.sum()))


def _solved_block(
    solver: str, task: Task, first_deal: int, deals: int, rules: Rules
) -> BlockResult:
    from klondike.solver import solve_block

    verdicts = solve_block(first_deal, deals, rules, task.seed, mode=solver, **task.options)
    letters = "".join(LETTERS[outcome] for outcome in verdicts.outcomes)
    return _block_of(letters, verdicts.nodes.tolist())


def _block_of(letters: str, nodes: list[int]) -> BlockResult:
    return BlockResult.of_deals(DealResults(letters, (), tuple(nodes)), nodes=sum(nodes))


def first_round(task: Task) -> Task | None:
    """The task of the first round of a task that has a second one; None if it has not."""
    if RETRY_BUDGET not in task.options:
        return None
    options = {name: value for name, value in task.options.items() if name != RETRY_BUDGET}
    return replace(task, options=options)


def play_again(task: Task, first_deal: int, known: DealResults) -> BlockResult:
    """Play the second round of a task.

    Parameters
    ----------
    first_deal : int
    known : DealResults
        Of the first round, from this deal on, with the nodes of each deal.

    Returns
    -------
    BlockResult
        The outcomes after both rounds; nodes are those of both.
    """
    options = {**task.options, "node_budget": task.options[RETRY_BUDGET]}
    del options[RETRY_BUDGET]
    second = replace(task, options=options)
    letters, nodes = list(known.outcomes), list(known.nodes)
    for number, letter in enumerate(known.outcomes):
        if letter == UNKNOWN:
            deal = play_batch(second, first_deal + number, 1)
            assert deal.deal_results is not None
            letters[number] = deal.deal_results.outcomes
            nodes[number] += deal.nodes
    return _block_of("".join(letters), nodes)


def play_block(player: str, first_deal: int, deals: int, rules: Rules, seed: int) -> "Results":
    """Play deals ``first_deal .. first_deal + deals - 1``, and say how each ended."""
    from klondike.layout import pack_kinds, pack_rules
    from klondike.playing import batch_kernel, make_results, make_room

    results = make_results(deals)
    batch_kernel(player)(
        pack_kinds(rules), seed, first_deal, deals, pack_rules(rules), make_room(rules), results
    )
    return results


def play_one(player: str, position: Position, rules: Rules, random_word: int = 0) -> list[int]:
    """Play one game from a position and return the moves as the kernel's integers.

    Parameters
    ----------
    position : Position
        A sound table of these rules with no more cards face down in a pile, or in waste and
        stock, than a deal puts there.
    random_word : int
        A signed 64-bit number that the lot of the ``random`` player begins with.
    """
    import numpy as np

    from dealstats.notes import RANDOM_NOTE
    from klondike.layout import pack_position, pack_rules
    from klondike.playing import MOVES_PER_GAME_CEILING, game_kernel, make_room

    find_player(player)
    state, deck = pack_position(position, rules)
    room: Any = make_room(rules, moves=MOVES_PER_GAME_CEILING)
    room.notes[RANDOM_NOTE] = np.int64(random_word)
    _, moves = game_kernel(player)(
        state, deck, room.seen, room.notes, pack_rules(rules), room.moves
    )
    return room.moves[:moves].tolist()
