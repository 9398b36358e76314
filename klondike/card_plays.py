"""A line told by cards instead of piles, and a light table on which such lines are tried out.

A play says which card goes where: onto another card, to a space (an empty pile) or up to its
foundation. Draws and recycles are not told: they follow from the waste cards that are played, for
the stock leaves no choice (KL2, KL6). So a line from which plays were taken can still be read: a
card goes where it is told to go from wherever it lies then, and stays if it is there.
"""

from collections.abc import Iterable
from typing import NamedTuple, Self

from dealstats.cards import PACK, make_card, rank_of, suit_of
from klondike.deck import twin_of
from klondike.position import DRAW, RECYCLE, Move, Position
from klondike.rules import Rules

UP, SPACE = -1, -2
"""Where a card may go besides onto another card: its foundation, an empty pile."""
OUTSIDE, RISEN = -1, -2
"""Where a card may lie besides in a pile: in waste or stock, on its foundation."""

_RANKS = [rank_of(card) for card in PACK]
_SUITS = [suit_of(card) for card in PACK]
_TWINS = [twin_of(card) for card in PACK]


class Play(NamedTuple):
    """A card, with all that lies on it, goes onto another card, to a `SPACE`, or `UP`."""

    card: int
    onto: int


class PlayTable:
    """A table that plays are made on.

    Whether a card may lie on another one (KL3) or enter a space (KL4) does not depend on the
    table; that is taken on trust, for plays come from a legal line. All else is checked.

    Attributes
    ----------
    piles : list of list of int
        Cards of each pile from bottom to top.
    hidden : list of int
        How many of them lie face down.
    outside : list of int
        Waste and stock, in the order in which they come.
    boundary : int
        How many of them are in the waste.
    recycles_left : int
    ranks_up : list of int
        The rank of the top card of each foundation.
    places : list of int
        For each card of the pack the pile it lies in, or `OUTSIDE` or `RISEN`.
    """

    def __init__(self, position: Position, rules: Rules) -> None:
        self.rules = rules
        self.piles = [[*pile.face_down, *pile.face_up] for pile in position.piles]
        self.hidden = [len(pile.face_down) for pile in position.piles]
        self.outside = [*position.waste, *position.stock]
        self.boundary = len(position.waste)
        # A play takes one recycle at most, and a card leaves waste and stock only once.
        self.recycles_left = (
            len(self.outside) if rules.redeals is None else rules.redeals - position.recycles_used
        )
        self.ranks_up = list(position.foundations)
        self.places = [RISEN] * len(PACK)
        for card in self.outside:
            self.places[card] = OUTSIDE
        for number, pile in enumerate(self.piles):
            for card in pile:
                self.places[card] = number

    def copy(self) -> Self:
        """A table that further plays on this one do not change."""
        other = object.__new__(type(self))
        other.rules = self.rules
        other.piles = [pile[:] for pile in self.piles]
        other.hidden = self.hidden[:]
        other.outside = self.outside[:]
        other.boundary = self.boundary
        other.recycles_left = self.recycles_left
        other.ranks_up = self.ranks_up[:]
        other.places = self.places[:]
        return other

    @property
    def is_won(self) -> bool:
        """Whether all cards are up (KL8)."""
        return sum(self.ranks_up) == self.rules.pack_cards

    def serves_as(self, other: "PlayTable") -> bool:
        """Whether the cards lie as on the other table, and no fewer recycles are left."""
        return (
            self.boundary == other.boundary
            and self.places == other.places
            and self.hidden == other.hidden
            and self.piles == other.piles
            and self.outside == other.outside
            and self.recycles_left >= other.recycles_left
        )

    def key(self) -> tuple[object, ...]:
        """The same for tables that differ only in the places of piles and in recycles used."""
        piles = sorted(zip(map(tuple, self.piles), self.hidden, strict=True))
        return (*piles, *self.outside, self.boundary)

    def turn(self, move: Move) -> None:
        """Make a draw or a recycle, as legal ones are written in a line."""
        is_draw = move == DRAW
        self.boundary = min(self.boundary + self.rules.draw, len(self.outside)) if is_draw else 0
        self.recycles_left -= not is_draw

    def is_outside(self, play: Play) -> bool:
        """Whether a play takes a card from waste or stock."""
        return self.places[play.card] == OUTSIDE

    def play_of(self, move: Move) -> Play:
        """What a legal move means that is neither a draw nor a recycle."""
        if move.kind.startswith("waste"):
            card = self.outside[self.boundary - 1]
        elif move.kind.startswith("pile"):
            card = self.piles[move.source][-(move.cards or 1)]
        else:
            card = make_card(self.ranks_up[move.source], move.source)
        if move.kind.endswith("foundation"):
            return Play(card, UP)
        target = self.piles[move.target]
        return Play(card, target[-1] if target else SPACE)

    def move_of(self, play: Play) -> Move:
        """The move of a play that can be made and is not true, its card in play if outside."""
        card, place = play.card, self.places[play.card]
        target = -1 if play.onto == UP else self.target_of(play)
        assert target is not None, f"{play} cannot be made"
        end = "foundation" if play.onto == UP else "pile"
        if place == OUTSIDE:
            return Move(f"waste_to_{end}", target=target)
        if place == RISEN:
            return Move("foundation_to_pile", _SUITS[card], target)
        pile = self.piles[place]
        return Move(
            f"pile_to_{end}", place, target, 0 if target < 0 else len(pile) - pile.index(card)
        )

    def make(self, play: Play) -> int | None:
        """Make a play.

        Returns
        -------
        int or None
            How many moves it takes, with draws and recycles; None if it cannot be made, after
            which the table is of no more use.
        """
        card, onto = play
        if self.is_true(play):
            return 0
        if onto == UP:
            return self.raise_card(card)
        target = self.target_of(play)
        return None if target is None else self.lay(card, target)

    def is_true(self, play: Play) -> bool:
        """Whether a card lies where it is to go."""
        card, onto = play
        place = self.places[card]
        if onto == UP or place < 0:
            return onto == UP and place == RISEN
        pile = self.piles[place]
        if onto == SPACE:
            return pile[0] == card
        index = pile.index(card)
        return index > self.hidden[place] and pile[index - 1] == onto

    def target_of(self, play: Play) -> int | None:
        """The pile that takes a card: what may lie on a card may lie on its twin too."""
        if play.onto == SPACE:
            return next((number for number, pile in enumerate(self.piles) if not pile), None)
        for parent in (play.onto, _TWINS[play.onto]):
            place = self.places[parent]
            if place >= 0 and self.piles[place][-1] == parent:
                return place
        return None

    def raise_card(self, card: int) -> int | None:
        """Put a card on its foundation; returns what :meth:`make` does."""
        suit, place = _SUITS[card], self.places[card]
        if self.ranks_up[suit] + 1 != _RANKS[card]:
            return None
        cost: int | None = 1
        if place == OUTSIDE:
            cost = self._take_from_waste(card)
        elif self.piles[place][-1] != card:
            return None
        else:
            self._take_from_pile(place, 1)
        self.ranks_up[suit] += 1
        self.places[card] = RISEN
        return cost

    def lay(self, card: int, target: int) -> int | None:
        """Lay a card, with what lies on it, on a pile; returns what :meth:`make` does."""
        place = self.places[card]
        cost: int | None = 1
        run = [card]
        if place == OUTSIDE:
            cost = self._take_from_waste(card)
        elif place == RISEN:
            if not self.rules.worrying_back or self.ranks_up[_SUITS[card]] != _RANKS[card]:
                return None
            self.ranks_up[_SUITS[card]] -= 1
        else:
            index, hidden = self.piles[place].index(card), self.hidden[place]
            if index < hidden or (index > hidden and not self.rules.partial_runs):
                return None
            run = self._take_from_pile(place, len(self.piles[place]) - index)
        self.piles[target] += run
        for each in run:
            self.places[each] = target
        return cost

    def _take_from_pile(self, number: int, cards: int) -> list[int]:
        """Take cards from the top of a pile; a card laid bare is turned up (KL7)."""
        pile = self.piles[number]
        run = pile[-cards:]
        del pile[-cards:]
        if pile and self.hidden[number] == len(pile):
            self.hidden[number] -= 1
        return run

    def _take_from_waste(self, card: int) -> int | None:
        """Draw, and recycle if need be, until a card is in play, and take it."""
        index, cards, draw = self.outside.index(card), len(self.outside), self.rules.draw
        draws = self._draws(index, self.boundary)
        if draws is None:
            draws = self._draws(index, 0)
            if draws is None or not self.recycles_left:
                return None
            self.recycles_left -= 1
            draws += 1 - (self.boundary - cards) // draw
        del self.outside[index]
        self.boundary = index
        return draws + 1

    def _draws(self, index: int, boundary: int) -> int | None:
        """How many draws from a boundary on bring a card into play in the same pass, if any."""
        ahead, draw = index + 1 - boundary, self.rules.draw
        is_last = index + 1 == len(self.outside)
        return -(-ahead // draw) if ahead >= 0 and (ahead % draw == 0 or is_last) else None


def plays_of(position: Position, moves: Iterable[Move], rules: Rules) -> list[Play]:
    """The plays of a line of legal moves."""
    table, plays = PlayTable(position, rules), []
    for move in moves:
        if move in (DRAW, RECYCLE):
            table.turn(move)
            continue
        play = table.play_of(move)
        plays.append(play)
        # Into the very pile of the move, which may be one of several that are empty.
        _ = table.raise_card(play.card) if play.onto == UP else table.lay(play.card, move.target)
    return plays


def moves_of(position: Position, plays: Iterable[Play], rules: Rules) -> list[Move]:
    """The moves that make a line of plays come true; they can all be made."""
    table, moves = PlayTable(position, rules), []
    for play in plays:
        if table.is_true(play):
            continue
        while table.is_outside(play) and table.outside.index(play.card) != table.boundary - 1:
            turn = DRAW if table.boundary < len(table.outside) else RECYCLE
            moves.append(turn)
            table.turn(turn)
        moves.append(table.move_of(play))
        table.make(play)
    return moves
