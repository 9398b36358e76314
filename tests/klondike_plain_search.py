"""The search of :mod:`klondike.turn_up_search` once more, of the textbook game alone.

It does what the docstrings there say, as plainly as it can: no packed state and no kernel. Only the
prices, and the ceiling of costs, are taken from there.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import NamedTuple

from dealstats.cards import make_card, rank_of, suit_of
from klondike.position import DRAW, RECYCLE, Move, Position
from klondike.reference import RED_SUITS, ReferenceGame
from klondike.rules import SUITS, Rules
from klondike.turn_up_search import COST_CEILING, Prices


@dataclass(frozen=True)
class Task:
    """What does not change in a search; `known` are the cards that the player knows."""

    rules: Rules
    prices: Prices
    known: frozenset[int]

    @property
    def is_reserve(self) -> bool:
        """Whether every card of waste and stock can be reached at any time."""
        return self.rules.draw == 1 and self.rules.redeals is None


class Step(NamedTuple):
    """A move and its price with that of the draws and recycles before it.

    `card` is the one that is played from waste or stock, `position` where the step leads,
    `last_price` that of ending the plan, None if this step is no end; `goes_on` tells whether a
    plan may go on.
    """

    card: int | None
    move: Move
    position: Position
    price: int
    last_price: int | None
    goes_on: bool


def least_cost(start: Position, task: Task) -> int | None:
    """Cost of the cheapest plan, None if there is none below `COST_CEILING`."""
    numbers, best = count(), COST_CEILING
    start = normal(start, task)
    costs = {_key(start, None, task): 0}
    queue: list[tuple[int, int, Position, int | None]] = [(0, next(numbers), start, None)]
    least_end = _least_last_price(start, task.prices)
    while queue and queue[0][0] + least_end < best:
        cost, _, position, laid_on = heapq.heappop(queue)
        if cost > costs[_key(position, laid_on, task)]:
            continue
        for step in steps(position, laid_on, task):
            reached = cost + step.price
            if step.last_price is not None:
                best = min(best, reached + step.last_price)
            if step.goes_on:
                following = normal(step.position, task)
                must_lay = must_lay_on(step.move, task)
                key = _key(following, must_lay, task)
                if reached + least_end < best and reached < costs.get(key, best):
                    costs[key] = reached
                    heapq.heappush(queue, (reached, next(numbers), following, must_lay))
    return best if best < COST_CEILING else None


def _least_last_price(start: Position, prices: Prices) -> int:
    """The least that the end of a plan can cost; it spares most of the work."""
    hidden = {len(pile.face_down) for pile in start.piles} - {0}
    ends = [prices.waste_play, *(prices.turn_up[cards] for cards in hidden)]
    return min(ends) if hidden else 0


def normal(position: Position, task: Task) -> Position:
    """Where cards are reached for nothing, the waste is as good as turned over."""
    if task.is_reserve and task.prices.recycle == 0:
        return replace(position, waste=(), stock=position.waste + position.stock)
    return position


def _key(position: Position, laid_on: int | None, task: Task) -> tuple[object, ...]:
    recycles = 0 if task.rules.redeals is None else position.recycles_used
    return (replace(position, recycles_used=recycles), laid_on)


def must_lay_on(move: Move, task: Task) -> int | None:
    """The pile on which the step after this one has to lay cards, None if it is free."""
    is_bound = move.kind == "foundation_to_pile" or (
        move.kind == "waste_to_pile" and task.is_reserve
    )
    return move.target if is_bound else None


def steps(position: Position, laid_on: int | None, task: Task) -> Iterator[Step]:
    """All steps from a position, after a step that may demand where to lay the next cards."""
    yield from _steps_without_cards_of_the_waste(position, laid_on, task)
    if position.waste or position.stock:
        yield from _steps_of_waste_and_stock(position, laid_on, task)


def _steps_without_cards_of_the_waste(
    position: Position, laid_on: int | None, task: Task
) -> Iterator[Step]:
    game = ReferenceGame(position, task.rules)
    legal = [move for move in game.legal_moves() if laid_on in (None, move.target)]
    for move in legal:
        if move.kind in ("pile_to_foundation", "pile_to_pile", "foundation_to_pile") and (
            _is_looked_at(position, move, legal)
        ):
            yield _step(None, move, game, 0, task)


def _steps_of_waste_and_stock(
    position: Position, laid_on: int | None, task: Task
) -> Iterator[Step]:
    game = ReferenceGame(position, task.rules)
    piles = range(task.rules.piles) if laid_on is None else (laid_on,)
    waste_moves = [Move("waste_to_pile", target=pile) for pile in piles]
    if laid_on is None:
        waste_moves.append(Move("waste_to_foundation"))
    price, recycled = 0, False
    is_last_pass = task.rules.redeals is not None and position.recycles_used >= task.rules.redeals
    while True:
        if game.position.waste:
            if game.position.waste[-1] not in task.known:
                return
            for move in waste_moves:
                if _is_first_space(game.position, move) and game.problem_with(move) is None:
                    yield _step(game.position.waste[-1], move, game, price, task)
        if game.problem_with(DRAW) is None:
            move, price = DRAW, price + is_last_pass * task.prices.pass_by
        elif game.problem_with(RECYCLE) is None and not recycled:
            move, price, recycled = RECYCLE, price + task.prices.recycle, True
        else:
            return
        game.push(move)


def _is_looked_at(position: Position, move: Move, legal: list[Move]) -> bool:
    """Whether the search tries a legal move that takes no card of the waste."""
    if not _is_first_space(position, move):
        return False
    if move.kind != "pile_to_pile":
        return True
    pile, target = position.piles[move.source], position.piles[move.target]
    if move.cards == len(pile.face_up):
        return bool(pile.face_down or target.face_up)
    card_below = pile.face_up[-move.cards - 1]
    others = [other for other in legal if other._replace(target=0) == move._replace(target=0)]
    return _foundation_takes(position, card_below) and move == min(others)


def _is_first_space(position: Position, move: Move) -> bool:
    """Whether a move goes to no empty pile, or to the first one."""
    piles = position.piles
    return (
        move.target < 0
        or bool(piles[move.target].face_up)
        or all(pile.face_up for pile in piles[: move.target])
    )


def _foundation_takes(position: Position, card: int) -> bool:
    return position.foundations[suit_of(card)] == rank_of(card) - 1


def _step(card: int | None, move: Move, game: ReferenceGame, price: int, task: Task) -> Step:
    before = game.position
    game.push(move)
    after = game.position
    game.pop()
    price += _move_price(before, move, task)
    if _hidden(after) < _hidden(before):
        hidden = len(before.piles[move.source].face_down)
        return Step(card, move, after, price, task.prices.turn_up[hidden], False)
    if _hidden(before) == 0 and move.kind.endswith("to_foundation"):
        return Step(card, move, after, price, 0, False)
    return Step(card, move, after, price, None if card is None else task.prices.waste_play, True)


def _hidden(position: Position) -> int:
    return sum(len(pile.face_down) for pile in position.piles)


def _move_price(position: Position, move: Move, task: Task) -> int:
    """The price of a move of cards, without the draws before it."""
    price: int = getattr(task.prices, move.kind)
    if move.kind.endswith("to_foundation"):
        is_of_waste = move.kind.startswith("waste")
        card = position.waste[-1] if is_of_waste else position.piles[move.source].face_up[-1]
        return 0 if is_safe_by_cards(position.foundations, card) else price
    if move.kind == "pile_to_pile":
        covers_hidden = position.piles[move.source].face_down
        is_whole = move.cards == len(position.piles[move.source].face_up)
        if covers_hidden and is_whole and not position.piles[move.target].face_up:
            return price + task.prices.run_to_space
    return price


def is_safe_by_cards(foundations: tuple[int, int, int, int], card: int) -> bool:
    """What :func:`klondike.turn_up_search.is_safe_up` says, card by card."""

    def is_up(other: int) -> bool:
        return rank_of(other) <= foundations[suit_of(other)]

    def can_go(other: int) -> bool:
        return is_up(other) or _is_next(foundations, other)

    holds = cards_that_lie_on(card)
    if all(map(is_up, holds)):
        return True
    # What lies on those is of the card's colour; below the card its own suit is up.
    rest = {other for held in holds for other in cards_that_lie_on(held)}
    return all(map(can_go, holds)) and all(
        can_go(other) for other in rest if suit_of(other) != suit_of(card)
    )


def _is_next(foundations: tuple[int, int, int, int], card: int) -> bool:
    return rank_of(card) == foundations[suit_of(card)] + 1


def cards_that_lie_on(card: int) -> list[int]:
    """The cards that may be laid on a card in the tableau (KL3)."""
    is_red = suit_of(card) in RED_SUITS
    suits = [suit for suit in range(SUITS) if (suit in RED_SUITS) != is_red]
    return [make_card(rank_of(card) - 1, suit) for suit in suits if rank_of(card) > 1]
