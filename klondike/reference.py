"""The textbook game: every rule of Klondike in plain Python, written to be checked by eye.

It is slow on purpose. Faster engines are tested against it, and solutions are replayed by it.
The rule ids (KL1 to KL11) are those of RULES.md.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain, pairwise
from typing import NamedTuple

from dealstats.cards import (
    PACK,
    RANK_LETTERS,
    SUIT_LETTERS,
    format_card,
    make_card,
    pack_problem,
    rank_of,
    suit_of,
)
from dealstats.errors import IllegalMove, UnreadableText
from klondike.deck import pack
from klondike.position import DRAW, RECYCLE, Move, Pile, Position
from klondike.rules import SUITS, Rules

RED_SUITS = (SUIT_LETTERS.index("D"), SUIT_LETTERS.index("H"))
PROBLEMS_SHOWN = 3

# For each kind of move: the rule it comes from, and the fields of Move that it uses.
_KINDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "draw": ("KL2", ()),
    "recycle": ("KL6", ()),
    "waste_to_pile": ("KL3", ("target",)),
    "waste_to_foundation": ("KL5", ()),
    "pile_to_foundation": ("KL5", ("source",)),
    "pile_to_pile": ("KL3", ("source", "target", "cards")),
    "foundation_to_pile": ("KL5", ("source", "target")),
}


def precedes(lower: int, upper: int) -> bool:
    """Whether `upper` may lie on `lower` in the tableau (KL3).

    It is then one rank lower and of the other colour.
    """
    return rank_of(upper) == rank_of(lower) - 1 and _is_red(upper) != _is_red(lower)


def _is_red(card: int) -> bool:
    return suit_of(card) in RED_SUITS


def position_problems(position: Position, rules: Rules) -> list[str]:
    """Every defect that keeps `position` from being a table of these rules.

    Returns
    -------
    list of str
        One line for each defect; empty if all is well.
    """
    strangers = sorted(set(_outside_foundations(position)) - set(PACK))
    if strangers:
        return [f"not a card: {' '.join(map(str, strangers))} (KL1)"]
    found = [
        _size_problem(position, rules),
        _cards_problem(position, rules),
        *(_rank_problem(suit, rank, rules) for suit, rank in enumerate(position.foundations)),
        *(_pile_problem(number, pile) for number, pile in enumerate(position.piles)),
        _recycles_used_problem(position, rules),
    ]
    return [problem for problem in found if problem]


def _outside_foundations(position: Position) -> list[int]:
    tableau = chain.from_iterable((*pile.face_down, *pile.face_up) for pile in position.piles)
    return [*tableau, *position.waste, *position.stock]


def _on_foundations(position: Position) -> frozenset[int]:
    ranks = position.foundations
    return frozenset(card for card in PACK if rank_of(card) <= ranks[suit_of(card)])


def _size_problem(position: Position, rules: Rules) -> str | None:
    if len(position.piles) != rules.piles:
        return f"the tableau has {len(position.piles)} piles instead of {rules.piles} (KL1)"
    return None


def _cards_problem(position: Position, rules: Rules) -> str | None:
    cards = [*_on_foundations(position), *_outside_foundations(position)]
    problem = pack_problem(cards, pack(rules))
    return problem and f"{problem} (KL1)"


def _rank_problem(suit: int, rank: int, rules: Rules) -> str | None:
    if not 0 <= rank <= rules.ranks:
        return f"{_foundation(suit)} has the rank {rank}, not one from 0 to {rules.ranks} (KL5)"
    return None


def _pile_problem(number: int, pile: Pile) -> str | None:
    for lower, upper in pairwise(pile.face_up):
        if not precedes(lower, upper):
            return _does_not_follow(number, lower, upper)
    if pile.face_down and not pile.face_up:
        return f"{_pile(number)} has cards face down, but none face up (KL7)"
    return None


def _recycles_used_problem(position: Position, rules: Rules) -> str | None:
    used, limit = position.recycles_used, rules.redeals
    if used < 0:
        return f"the number of recycles used is {used} (KL6)"
    if limit is not None and used > limit:
        return f"the number of recycles used is {used}, above the limit of {limit} (KL6)"
    return None


class _Tally(NamedTuple):
    """The score and what it remembers (KL9).

    Attributes
    ----------
    score : int
    awarded : frozenset of int
        The cards that lie, or have lain, on the foundations.
    was_cleared : bool
        Whether all piles of the tableau are empty, or have been.
    """

    score: int
    awarded: frozenset[int]
    was_cleared: bool


class ReferenceGame:
    """A game of Klondike in progress.

    Parameters
    ----------
    position : Position
        Where the game starts; it need not be a deal.
    rules : Rules
        The options to play by.

    Raises
    ------
    UnreadableText
        If `position` has defects, see :func:`position_problems`; the first few are named.
    """

    def __init__(self, position: Position, rules: Rules) -> None:
        problems = position_problems(position, rules)
        if problems:
            raise UnreadableText("; ".join(problems[:PROBLEMS_SHOWN]))
        self.rules = rules
        self._position = position
        self._tally = _Tally(rules.points.start, _on_foundations(position), position.is_cleared)
        self._history: list[tuple[Move, Position, _Tally]] = []

    @property
    def position(self) -> Position:
        """The table as it lies now; it does not change with later moves."""
        return self._position

    @property
    def score(self) -> int:
        """Points made so far (KL9), high is good.

        They count from the position where the game started. What lies on the foundations there
        has had its first award, and a tableau that is empty there has been cleared.

        Under the literal table, scoring `stargames` with the award `each_time`, the best score is
        unbounded wherever worrying back is possible: a card returned from its foundation (-5) and
        played there again (+10) gains 5 points, and this may be repeated for ever. With the award
        `first_time` the same round loses 5 points.
        """
        return self._tally.score

    @property
    def is_won(self) -> bool:
        """Whether all cards lie on the foundations (KL8)."""
        return self._position.cards_up == self.rules.pack_cards

    @property
    def moves_made(self) -> int:
        """Moves made and not taken back."""
        return len(self._history)

    def legal_moves(self) -> list[Move]:
        """All legal moves: those of cards first, then the draw or the recycle."""
        position, rules = self._position, self.rules
        moves = [
            *_waste_to_pile_moves(position, rules),
            *_waste_to_foundation_moves(position),
            *_pile_to_foundation_moves(position),
            *_pile_to_pile_moves(position, rules),
            *_foundation_to_pile_moves(position, rules),
        ]
        if _draw_problem(position) is None:
            moves.append(DRAW)
        if _recycle_problem(position, rules) is None:
            moves.append(RECYCLE)
        return moves

    def problem_with(self, move: Move) -> str | None:
        """Why `move` is illegal now, in one line that cites the rule; None if it is legal."""
        problem = _form_problem(move, self.rules)
        if problem:
            return problem
        position, rules = self._position, self.rules
        match move.kind:
            case "draw":
                return _draw_problem(position)
            case "recycle":
                return _recycle_problem(position, rules)
            case "waste_to_pile":
                return _waste_to_pile_problem(position, move, rules)
            case "waste_to_foundation":
                return _waste_to_foundation_problem(position)
            case "pile_to_foundation":
                return _pile_to_foundation_problem(position, move)
            case "pile_to_pile":
                return _pile_to_pile_problem(position, move, rules)
            case _:
                return _foundation_to_pile_problem(position, move, rules)

    def push(self, move: Move) -> None:
        """Make a move; a face-down card that it lays bare is turned up at once (KL7).

        Raises
        ------
        IllegalMove
            If the rules forbid the move, see :meth:`problem_with`; nothing changes then.
        """
        problem = self.problem_with(move)
        if problem:
            raise IllegalMove(problem)
        before, after = self._position, _after(self._position, move, self.rules)
        self._history.append((move, before, self._tally))
        self._tally = _tally_after(self._tally, before, move, after, self.rules)
        self._position = after

    def pop(self) -> Move:
        """Take back the last move, and the points it made, and return it.

        Raises
        ------
        IndexError
            If no move has been made.
        """
        move, self._position, self._tally = self._history.pop()
        return move

    def key(self) -> tuple[object, ...]:
        """A value that is the same for equal positions, and for no others.

        Piles keep their places, and the score makes no difference; the number of recycles used
        does if redeals are limited.
        """
        position = self._position
        key = (position.foundations, position.piles, position.waste, position.stock)
        return key if self.rules.redeals is None else (*key, position.recycles_used)


# All legal moves of each kind.


def _waste_to_pile_moves(position: Position, rules: Rules) -> list[Move]:
    return [
        Move("waste_to_pile", target=target)
        for card in position.waste[-1:]
        for target in _targets(position, card, rules)
    ]


def _waste_to_foundation_moves(position: Position) -> list[Move]:
    return [
        Move("waste_to_foundation")
        for card in position.waste[-1:]
        if _is_next_on_foundation(position, card)
    ]


def _pile_to_foundation_moves(position: Position) -> list[Move]:
    return [
        Move("pile_to_foundation", source)
        for source, pile in enumerate(position.piles)
        for card in pile.face_up[-1:]
        if _is_next_on_foundation(position, card)
    ]


def _pile_to_pile_moves(position: Position, rules: Rules) -> list[Move]:
    return [
        Move("pile_to_pile", source, target, cards)
        for source, pile in enumerate(position.piles)
        for cards in _movable_counts(pile, rules)
        for target in _targets(position, pile.face_up[-cards], rules)
        if source != target
    ]


def _foundation_to_pile_moves(position: Position, rules: Rules) -> list[Move]:
    return [
        Move("foundation_to_pile", suit, target)
        for suit, rank in enumerate(position.foundations)
        if rank > 0 and rules.worrying_back
        for target in _targets(position, make_card(rank, suit), rules)
    ]


def _targets(position: Position, card: int, rules: Rules) -> list[int]:
    """The piles on which a card may be laid."""
    return [target for target, pile in enumerate(position.piles) if _accepts(pile, card, rules)]


def _accepts(pile: Pile, card: int, rules: Rules) -> bool:
    """Whether a card may be laid on a pile (KL3), or enter it if it is empty (KL4)."""
    if pile.face_up:
        return precedes(pile.face_up[-1], card)
    is_king = rank_of(card) == rules.ranks
    return rules.empty_pile == "any" or (rules.empty_pile == "king" and is_king)


def _is_next_on_foundation(position: Position, card: int) -> bool:
    """Whether a card may be laid on the foundation of its suit (KL5)."""
    return rank_of(card) == position.foundations[suit_of(card)] + 1


def _movable_counts(pile: Pile, rules: Rules) -> Iterable[int]:
    """How many cards may be moved from the top of a pile at once (KL3)."""
    face_up = len(pile.face_up)
    if rules.partial_runs or face_up == 0:
        return range(1, face_up + 1)
    return (face_up,)


# What is wrong with a move.


def _form_problem(move: Move, rules: Rules) -> str | None:
    """What is wrong with a move on any table."""
    if move.kind not in _KINDS:
        return f"{move.kind!r} is not one of the moves {', '.join(_KINDS)} (KL2 to KL6)"
    rule, used_fields = _KINDS[move.kind]
    for field, default in Move._field_defaults.items():
        value = getattr(move, field)
        if field not in used_fields and value != default:
            return f"a {move.kind} leaves {field} at {default}, not {value} ({rule})"
        if field in used_fields and field != "cards":
            problem = _place_problem(move, field, rules)
            if problem:
                return f"{problem} ({rule})"
    return None


def _place_problem(move: Move, field: str, rules: Rules) -> str | None:
    """What is wrong with the `source` or `target` of a move that has one."""
    place = getattr(move, field)
    if move.kind == "foundation_to_pile" and field == "source":
        return None if place in range(SUITS) else f"source {place} is not a suit from 0 to 3"
    if place not in range(rules.piles):
        return f"the {field}, {_pile(place)}, is not one of the piles 1 to {rules.piles}"
    return None


def _draw_problem(position: Position) -> str | None:
    return None if position.stock else "the stock is empty (KL2)"


def _recycle_problem(position: Position, rules: Rules) -> str | None:
    if position.stock:
        return "the stock is not empty (KL6)"
    if not position.waste:
        return "the waste is empty (KL6)"
    if rules.redeals is not None and position.recycles_used >= rules.redeals:
        return f"the limit of redeals, {rules.redeals}, is reached (KL6)"
    return None


def _waste_to_pile_problem(position: Position, move: Move, rules: Rules) -> str | None:
    if not position.waste:
        return "the waste is empty (KL2)"
    return _landing_problem(position, position.waste[-1], move.target, rules)


def _waste_to_foundation_problem(position: Position) -> str | None:
    if not position.waste:
        return "the waste is empty (KL2)"
    return _foundation_problem(position, position.waste[-1])


def _pile_to_foundation_problem(position: Position, move: Move) -> str | None:
    face_up = position.piles[move.source].face_up
    if not face_up:
        return f"{_pile(move.source)} is empty (KL5)"
    return _foundation_problem(position, face_up[-1])


def _pile_to_pile_problem(position: Position, move: Move, rules: Rules) -> str | None:
    name, pile = _pile(move.source), position.piles[move.source]
    face_up, size = len(pile.face_up), len(pile.face_down) + len(pile.face_up)
    if move.source == move.target:
        return f"{name} cannot be moved onto itself (KL3)"
    if size == 0:
        return f"{name} is empty (KL3)"
    if not 1 <= move.cards <= size:
        return f"{move.cards} cards cannot be moved from the {size} of {name} (KL3)"
    if move.cards > face_up:
        return f"a card face down never moves, and {name} has {face_up} face up (KL3)"
    if not rules.partial_runs and move.cards != face_up:
        return f"only whole runs move, which is {face_up} cards from {name} (KL3)"
    return _landing_problem(position, pile.face_up[-move.cards], move.target, rules)


def _foundation_to_pile_problem(position: Position, move: Move, rules: Rules) -> str | None:
    rank = position.foundations[move.source]
    if not rules.worrying_back:
        return "no card returns from a foundation (KL5)"
    if rank == 0:
        return f"{_foundation(move.source)} is empty (KL5)"
    return _landing_problem(position, make_card(rank, move.source), move.target, rules)


def _foundation_problem(position: Position, card: int) -> str | None:
    if _is_next_on_foundation(position, card):
        return None
    suit = suit_of(card)
    awaited = make_card(position.foundations[suit] + 1, suit)
    return f"{_foundation(suit)} waits for {format_card(awaited)}, not {format_card(card)} (KL5)"


def _landing_problem(position: Position, card: int, target: int, rules: Rules) -> str | None:
    pile = position.piles[target]
    if _accepts(pile, card, rules):
        return None
    if pile.face_up:
        return _does_not_follow(target, pile.face_up[-1], card)
    if rules.empty_pile == "none":
        return f"{_pile(target)} is empty, and no card enters an empty pile (KL4)"
    king = RANK_LETTERS[rules.ranks - 1]
    return (
        f"{_pile(target)} is empty, and takes the rank {king} only, not {format_card(card)} (KL4)"
    )


def _does_not_follow(number: int, lower: int, upper: int) -> str:
    return f"{_pile(number)}: {format_card(upper)} does not follow {format_card(lower)} (KL3)"


def _pile(number: int) -> str:
    return f"pile {number + 1}"


def _foundation(suit: int) -> str:
    return f"foundation {SUIT_LETTERS[suit]}"


# The table after a move.


def _after(position: Position, move: Move, rules: Rules) -> Position:
    """The position after a legal move."""
    match move.kind:
        case "draw":
            return _drawn(position, rules)
        case "recycle":
            return _recycled(position)
        case "waste_to_pile":
            rest = replace(position, waste=position.waste[:-1])
            return _laid_on_pile(rest, move.target, position.waste[-1:])
        case "waste_to_foundation":
            rest = replace(position, waste=position.waste[:-1])
            return _laid_on_foundation(rest, position.waste[-1])
        case "pile_to_foundation":
            card = position.piles[move.source].face_up[-1]
            return _laid_on_foundation(_taken_from_pile(position, move.source, 1), card)
        case "pile_to_pile":
            run = position.piles[move.source].face_up[-move.cards :]
            rest = _taken_from_pile(position, move.source, move.cards)
            return _laid_on_pile(rest, move.target, run)
        case _:
            rank = position.foundations[move.source]
            rest = _with_foundation(position, move.source, rank - 1)
            return _laid_on_pile(rest, move.target, (make_card(rank, move.source),))


def _drawn(position: Position, rules: Rules) -> Position:
    """The next cards of the stock, or what is left of it, turned onto the waste (KL2)."""
    group, stock = position.stock[: rules.draw], position.stock[rules.draw :]
    return replace(position, waste=position.waste + group, stock=stock)


def _recycled(position: Position) -> Position:
    """The waste turned over as it lies: its bottom card is the next stock card (KL6)."""
    recycles_used = position.recycles_used + 1
    return replace(position, waste=(), stock=position.waste, recycles_used=recycles_used)


def _taken_from_pile(position: Position, source: int, cards: int) -> Position:
    """The position without the top cards of a pile; a card laid bare is turned up (KL7)."""
    pile = position.piles[source]
    face_down, face_up = pile.face_down, pile.face_up[:-cards]
    if not face_up:
        face_down, face_up = face_down[:-1], face_down[-1:]
    return _with_pile(position, source, Pile(face_down, face_up))


def _laid_on_pile(position: Position, target: int, cards: tuple[int, ...]) -> Position:
    pile = position.piles[target]
    return _with_pile(position, target, Pile(pile.face_down, pile.face_up + cards))


def _laid_on_foundation(position: Position, card: int) -> Position:
    return _with_foundation(position, suit_of(card), rank_of(card))


def _with_pile(position: Position, number: int, pile: Pile) -> Position:
    piles = list(position.piles)
    piles[number] = pile
    return replace(position, piles=tuple(piles))


def _with_foundation(position: Position, suit: int, rank: int) -> Position:
    ranks = list(position.foundations)
    ranks[suit] = rank
    clubs, diamonds, hearts, spades = ranks
    return replace(position, foundations=(clubs, diamonds, hearts, spades))


# The score after a move (KL9).


def _tally_after(
    tally: _Tally, before: Position, move: Move, after: Position, rules: Rules
) -> _Tally:
    """The tally after a move: one event after the other, and never below the floor."""
    points, score = rules.points, tally.score
    for gain in (
        _move_points(tally, before, move, after, rules),
        points.turn_up * (_face_down_cards(before) - _face_down_cards(after)),
        points.cleared if after.is_cleared and not tally.was_cleared else 0,
    ):
        score += gain
        if points.floor is not None:
            score = max(score, points.floor)
    awarded = tally.awarded | _on_foundations(after)
    return _Tally(score, awarded, tally.was_cleared or after.is_cleared)


def _move_points(tally: _Tally, before: Position, move: Move, after: Position, rules: Rules) -> int:
    """Points for the move itself, without what follows from it."""
    points = rules.points
    match move.kind:
        case "recycle":
            return points.recycle if before.recycles_used >= points.free_recycles else 0
        case "waste_to_pile":
            return points.waste_to_tableau
        case "waste_to_foundation" | "pile_to_foundation":
            had_its_award = _on_foundations(after) <= tally.awarded
            is_free = rules.foundation_award == "first_time" and had_its_award
            return 0 if is_free else points.to_foundation
        case "foundation_to_pile":
            return points.from_foundation
        case _:
            return 0


def _face_down_cards(position: Position) -> int:
    return sum(len(pile.face_down) for pile in position.piles)
