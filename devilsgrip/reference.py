"""The textbook game: every rule of Devil's Grip in plain Python, written to be checked by eye.

It is slow on purpose. Faster engines are tested against it, and solutions are replayed by it.
The rule ids (DG1 to DG10) are those of RULES.md.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain, combinations, pairwise

from dealstats.cards import PACK, format_card, pack_problem, rank_of, suit_of
from dealstats.errors import IllegalMove, UnreadableText
from devilsgrip.deck import pack
from devilsgrip.notation import cell_name
from devilsgrip.position import REDEAL, TURN, Move, Position
from devilsgrip.rules import Rules

LOWEST_RANK = 2
JACK = 11
SEQUENCE_STEP = 3
PROBLEMS_SHOWN = 3

# For each kind of move: the rule it comes from, and the fields of Move that it uses.
_KINDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "turn": ("DG6", ()),
    "redeal": ("DG7", ()),
    "place": ("DG4", ("target",)),
    "build": ("DG4", ("source", "target", "cards")),
    "swap": ("DG3", ("source", "target")),
}


def precedes(lower: int, upper: int) -> bool:
    """Whether `upper` may lie on `lower` (DG4).

    It is then the next card of the same suit in 2-5-8-J, 3-6-9-Q or 4-7-10-K.
    """
    return (
        suit_of(lower) == suit_of(upper)
        and rank_of(lower) >= LOWEST_RANK
        and rank_of(lower) + SEQUENCE_STEP == rank_of(upper)
    )


def position_problems(position: Position, rules: Rules) -> list[str]:
    """Every defect that keeps `position` from being a table of these rules.

    Returns
    -------
    list of str
        One line for each defect; empty if all is well.
    """
    strangers = sorted(set(_cards(position)) - set(PACK))
    if strangers:
        return [f"not a card: {' '.join(map(str, strangers))} (DG1)"]
    cells = enumerate(position.grid[: rules.cells])
    found = [
        _size_problem(position, rules),
        _cards_problem(position, rules),
        *(_cell_problem(position, cell, pile, rules) for cell, pile in cells),
        _redeals_used_problem(position, rules),
    ]
    return [problem for problem in found if problem]


def _cards(position: Position) -> list[int]:
    return [*chain.from_iterable(position.grid), *position.talon, *position.stock]


def _size_problem(position: Position, rules: Rules) -> str | None:
    if len(position.grid) != rules.cells:
        return f"the grid has {len(position.grid)} cells instead of {rules.cells} (DG2)"
    return None


def _cards_problem(position: Position, rules: Rules) -> str | None:
    problem = pack_problem(_cards(position), pack(rules))
    return problem and f"{problem} (DG1)"


def _cell_problem(position: Position, cell: int, pile: tuple[int, ...], rules: Rules) -> str | None:
    for lower, upper in pairwise(pile):
        if not precedes(lower, upper):
            return f"{cell_name(cell, rules.columns)}: {_does_not_follow(upper, lower)}"
    if not pile and _filled(position, cell, rules) != position:
        return f"{cell_name(cell, rules.columns)} is empty, but there is a card to fill it (DG5)"
    return None


def _redeals_used_problem(position: Position, rules: Rules) -> str | None:
    used, limit = position.redeals_used, rules.redeals
    if used < 0:
        return f"the number of redeals used is {used} (DG7)"
    if limit is not None and used > limit:
        return f"the number of redeals used is {used}, above the limit of {limit} (DG7)"
    return None


class ReferenceGame:
    """A game of Devil's Grip in progress.

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
        self._history: list[tuple[Move, Position]] = []

    @property
    def position(self) -> Position:
        """The table as it lies now; it does not change with later moves."""
        return self._position

    @property
    def cards_left(self) -> int:
        """Cards that are not in the grid: the score (DG8), low is good."""
        return self._position.cards_left

    @property
    def is_won(self) -> bool:
        """Whether all cards lie in the grid (DG8)."""
        return self._position.is_won

    @property
    def is_dead(self) -> bool:
        """Whether no sequence of legal moves leads to another placement or build (DG8).

        A won game is dead. A build that merely exchanges equal things counts as a build.
        """
        position = self._position
        if _builds(position, self.rules):
            return False
        # Turns and redeals leave the grid alone, hence only placements can come up. There is
        # never a choice between the two; if talon and stock come back, or stay, nothing new will.
        seen = set()
        while (position.talon, position.stock) not in seen:
            if _placements(position):
                return False
            seen.add((position.talon, position.stock))
            if _turn_problem(position) is None:
                position = _turned(position, self.rules)
            elif _redeal_problem(position, self.rules) is None:
                position = _redealt(position)
        return True

    def legal_moves(self) -> list[Move]:
        """All legal moves but the swaps: placements, builds, the turn, the redeal."""
        moves = _placements(self._position) + _builds(self._position, self.rules)
        if _turn_problem(self._position) is None:
            moves.append(TURN)
        if _redeal_problem(self._position, self.rules) is None:
            moves.append(REDEAL)
        return moves

    def problem_with(self, move: Move) -> str | None:
        """Why `move` is illegal now, in one line that cites the rule; None if it is legal."""
        problem = _form_problem(move, self.rules)
        if problem:
            return problem
        match move.kind:
            case "turn":
                return _turn_problem(self._position)
            case "redeal":
                return _redeal_problem(self._position, self.rules)
            case "place":
                return _place_problem(self._position, move, self.rules)
            case "build":
                return _build_problem(self._position, move, self.rules)
            case _:
                return _swap_problem(move, self.rules)

    def push(self, move: Move) -> None:
        """Make a move; a cell that it empties is filled at once (DG5).

        Raises
        ------
        IllegalMove
            If the rules forbid the move, see :meth:`problem_with`; nothing changes then.
        """
        problem = self.problem_with(move)
        if problem:
            raise IllegalMove(problem)
        self._history.append((move, self._position))
        self._position = _after(self._position, move, self.rules)

    def pop(self) -> Move:
        """Take back the last move and return it.

        Raises
        ------
        IndexError
            If no move has been made.
        """
        move, self._position = self._history.pop()
        return move

    def key(self) -> tuple[object, ...]:
        """A value that is the same for equal positions, and for no others.

        Swaps (DG3) and the choice between the two copies of a card make no difference; the
        number of redeals used does if redeals are limited.
        """
        position = self._position
        key = (tuple(sorted(position.grid)), position.talon, position.stock)
        return key if self.rules.redeals is None else (*key, position.redeals_used)


def final_swaps(position: Position, rules: Rules) -> list[Move]:
    """The fewest swaps that make the picture of a won game (DG9).

    After them jacks top the upper row, queens the middle row and kings the lower row.

    Returns
    -------
    list of Move
        Swaps to be made in this order, at most one less than there are cells.

    Raises
    ------
    ValueError
        If the game is not won.
    """
    if not ReferenceGame(position, rules).is_won:
        raise ValueError(f"the game is not won, {position.cards_left} cards are left (DG9)")
    home_rows = [rank_of(pile[-1]) - JACK for pile in position.grid]
    swaps = []
    while pair := _best_pair(home_rows, rules):
        source, target = pair
        home_rows[source], home_rows[target] = home_rows[target], home_rows[source]
        swaps.append(Move("swap", source, target))
    return swaps


def _best_pair(home_rows: list[int], rules: Rules) -> tuple[int, int] | None:
    """Two strayed piles whose swap brings the most of them home, None if all are at home.

    If no swap brings two piles home, the strays form three-cycles through the rows; a swap that
    brings one home leaves the other two to be exchanged. No way needs fewer swaps.
    """

    def row(cell: int) -> int:
        return cell // rules.columns

    def homecomings(pair: tuple[int, int]) -> int:
        source, target = pair
        return (home_rows[source] == row(target)) + (home_rows[target] == row(source))

    strays = [cell for cell in range(rules.cells) if home_rows[cell] != row(cell)]
    return max(combinations(strays, 2), key=homecomings, default=None)


def _placements(position: Position) -> list[Move]:
    return [
        Move("place", target=target)
        for card in position.talon[-1:]
        for target, base in enumerate(position.grid)
        if _accepts(base, card)
    ]


def _builds(position: Position, rules: Rules) -> list[Move]:
    return [
        Move("build", source, target, cards)
        for source, pile in enumerate(position.grid)
        for cards in _movable_counts(pile, rules)
        for target, base in enumerate(position.grid)
        if source != target and _accepts(base, pile[-cards])
    ]


def _accepts(base: tuple[int, ...], card: int) -> bool:
    """Whether a card may be laid on a pile; an empty cell takes none (DG5)."""
    return len(base) > 0 and precedes(base[-1], card)


def _movable_counts(pile: tuple[int, ...], rules: Rules) -> Iterable[int]:
    """How many cards may be moved from the top of a pile at once (DG4)."""
    size = len(pile)
    if rules.unit == "tail":
        return range(1, size + 1)
    if size == 0 or (rules.unit == "single" and size > 1):
        return ()
    return (size,)


def _form_problem(move: Move, rules: Rules) -> str | None:
    """What is wrong with a move on any table."""
    if move.kind not in _KINDS:
        return f"{move.kind!r} is not one of the moves {', '.join(_KINDS)} (DG3 to DG7)"
    rule, used_fields = _KINDS[move.kind]
    for field, default in Move._field_defaults.items():
        value = getattr(move, field)
        if field not in used_fields and value != default:
            return f"a {move.kind} leaves {field} at {default}, not {value} ({rule})"
        if field in used_fields and field != "cards" and not 0 <= value < rules.cells:
            return f"{field} {value} is not a cell from 0 to {rules.cells - 1} ({rule})"
    return None


def _turn_problem(position: Position) -> str | None:
    # No need to look for an open space: the rules leave one open only if the stock is empty.
    return None if position.stock else "the stock is empty (DG6)"


def _redeal_problem(position: Position, rules: Rules) -> str | None:
    if position.stock:
        return "the stock is not empty (DG7)"
    if not position.talon:
        return "the talon is empty (DG7)"
    if rules.redeals is not None and position.redeals_used >= rules.redeals:
        return f"the limit of redeals, {rules.redeals}, is reached (DG7)"
    return None


def _place_problem(position: Position, move: Move, rules: Rules) -> str | None:
    if not position.talon:
        return "the talon is empty (DG4)"
    return _landing_problem(position, position.talon[-1], move.target, rules)


def _build_problem(position: Position, move: Move, rules: Rules) -> str | None:
    source, size = cell_name(move.source, rules.columns), len(position.grid[move.source])
    if move.source == move.target:
        return f"{source} cannot be moved onto itself (DG4)"
    if size == 0:
        return f"{source} is empty (DG4)"
    if not 1 <= move.cards <= size:
        return f"{move.cards} cards cannot be moved from the {size} of {source} (DG4)"
    if rules.unit == "pile" and move.cards != size:
        return f"only whole piles move, which is {size} cards from {source} (DG4)"
    if rules.unit == "single" and size != 1:
        return f"only piles of one card move, and {source} has {size} (DG4)"
    return _landing_problem(position, position.grid[move.source][-move.cards], move.target, rules)


def _landing_problem(position: Position, card: int, target: int, rules: Rules) -> str | None:
    base = position.grid[target]
    if not base:
        return f"{cell_name(target, rules.columns)} is empty, and no move enters a space (DG5)"
    if not precedes(base[-1], card):
        return f"{cell_name(target, rules.columns)}: {_does_not_follow(card, base[-1])}"
    return None


def _does_not_follow(upper: int, lower: int) -> str:
    return f"{format_card(upper)} does not follow {format_card(lower)} (DG4)"


def _swap_problem(move: Move, rules: Rules) -> str | None:
    if move.source == move.target:
        return f"{cell_name(move.source, rules.columns)} cannot be swapped with itself (DG3)"
    return None


def _after(position: Position, move: Move, rules: Rules) -> Position:
    """The position after a legal move."""
    match move.kind:
        case "turn":
            return _turned(position, rules)
        case "redeal":
            return _redealt(position)
        case "place":
            return _placed(position, move.target)
        case "build":
            return _built(position, move, rules)
        case _:
            return _swapped(position, move.source, move.target)


def _turned(position: Position, rules: Rules) -> Position:
    """The next group of stock cards, or what is left of it, turned onto the talon (DG6)."""
    group, stock = position.stock[: rules.turn], position.stock[rules.turn :]
    return replace(position, talon=position.talon + group, stock=stock)


def _redealt(position: Position) -> Position:
    """The talon turned over as it lies: its bottom card is the next stock card (DG7)."""
    return Position(position.grid, (), position.talon, position.redeals_used + 1)


def _placed(position: Position, target: int) -> Position:
    pile = position.grid[target] + position.talon[-1:]
    return replace(_with_pile(position, target, pile), talon=position.talon[:-1])


def _built(position: Position, move: Move, rules: Rules) -> Position:
    source, target = position.grid[move.source], position.grid[move.target]
    staying, moving = source[: -move.cards], source[-move.cards :]
    position = _with_pile(position, move.target, target + moving)
    position = _with_pile(position, move.source, staying)
    return position if staying else _filled(position, move.source, rules)


def _swapped(position: Position, source: int, target: int) -> Position:
    grid = position.grid
    return _with_pile(_with_pile(position, source, grid[target]), target, grid[source])


def _filled(position: Position, cell: int, rules: Rules) -> Position:
    """An empty cell filled as far as the rules allow (DG5, DG5b)."""
    if rules.fill == "turn_over" and _redeal_problem(position, rules) is None:
        position = _redealt(position)
    if position.stock:
        filled = _with_pile(position, cell, position.stock[:1])
        return replace(filled, stock=position.stock[1:])
    if rules.fill == "talon_top" and position.talon:
        filled = _with_pile(position, cell, position.talon[-1:])
        return replace(filled, talon=position.talon[:-1])
    return position


def _with_pile(position: Position, cell: int, pile: tuple[int, ...]) -> Position:
    grid = list(position.grid)
    grid[cell] = pile
    return replace(position, grid=tuple(grid))
