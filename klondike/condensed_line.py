"""From a line of condensed moves to the moves of the textbook.

In between, parts of runs move to lay cards bare (:mod:`klondike.condensed` has the proof that they
can), and the stock is drawn until a card is in play.
"""

from collections.abc import Iterable

from dealstats.cards import rank_of, suit_of
from klondike.condensed_moves import KIND_MASK, PLAY_UP, SHIFT, TAKE_DOWN, UP
from klondike.deck import twin_of
from klondike.game import Game
from klondike.layout import card_of
from klondike.position import Move, Position
from klondike.reference import precedes
from klondike.rules import Rules
from klondike.solution import draw_until


def textbook_line(
    position: Position, condensed_moves: Iterable[int], rules: Rules
) -> tuple[str, ...]:
    """The moves of the textbook that make a line of condensed moves come true.

    Raises
    ------
    IllegalMove
        If the line is not one of this position.
    """
    game = _CondensedGame(position, rules)
    for move in condensed_moves:
        game.make(move & ~KIND_MASK, card_of(move & KIND_MASK))
    return tuple(game.moves)


class _CondensedGame(Game):
    """A game in which condensed moves are made."""

    def make(self, what: int, card: int) -> None:
        """Make a condensed move."""
        if what == UP:
            self.push(Move("pile_to_foundation", self.lay_bare(card)))
        elif what == SHIFT:
            self.push(self.move_of_part(card, self.landing(card)))
        elif what == TAKE_DOWN:
            target = self.landing(card)
            self.push(Move("foundation_to_pile", suit_of(card), target))
        else:
            draw_until(self, card)
            if what == PLAY_UP:
                self.push(Move("waste_to_foundation"))
            else:
                self.push(Move("waste_to_pile", -1, self.landing(card)))

    def pile_of(self, card: int) -> int:
        """The pile in which a card lies face up."""
        piles = enumerate(self.position.piles)
        return next(number for number, pile in piles if card in pile.face_up)

    def lay_bare(self, card: int) -> int:
        """Move what lies on a card to its twin, if anything does; returns the card's pile."""
        pile = self.pile_of(card)
        cards = self.position.piles[pile].face_up
        if cards[-1] != card:
            above = cards[cards.index(card) + 1]
            self.push(self.move_of_part(above, self.pile_of(twin_of(card))))
        return pile

    def landing(self, card: int) -> int:
        """A pile that takes a card.

        If the type of its parents is open, one of them is bare: there are more of them than cards
        that lie on any of them.
        """
        is_king = rank_of(card) == self.rules.ranks
        return next(
            number
            for number, pile in enumerate(self.position.piles)
            if (precedes(pile.face_up[-1], card) if pile.face_up else is_king)
        )

    def move_of_part(self, card: int, target: int) -> Move:
        """The move of the part of a run from a card on."""
        source = self.pile_of(card)
        cards = self.position.piles[source].face_up
        return Move("pile_to_pile", source, target, len(cards) - cards.index(card))
