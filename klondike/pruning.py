"""What a solver need not look at: rules of pruning, each with its proof.

**What is proved.** A *play* is a move that is neither a draw nor a recycle. A *swap* is a play that
moves all that lies on one card onto the other card of the same rank and colour, its *twin*. The
*length* of a line is the number of its plays without swaps; the length of a position is that of
its shortest win. A rule may

1. *merge* positions of the same length, or
2. *force* a move that leads to a smaller length wherever there is a win, or
3. *drop* moves as long as the first play, swaps apart, of some shortest win is left.

Then, by induction on the length, a search that looks at one of each merged positions finds a win
wherever there is one. Rules compose if the same shortest win serves all that drop moves; most
dropped moves begin no shortest win at all, and then there is nothing to show.

The proofs hold for all options but those that :func:`pruning_for` names. In them, t is the game as
a given line plays it, and t' the one that plays the line of the proof.
"""

from typing import Any, NamedTuple

import numpy as np

from dealstats.bits import trailing_zeros
from dealstats.jit import inlined_kernel, kernel
from klondike.kernel import (
    FOUNDATION_TO_PILE,
    ONE,
    PILE_TO_FOUNDATION,
    bottom_rank,
    building_piles,
    empty_piles,
    face_down,
    foundation_rank,
    foundation_takes,
    kind_of_rank_and_suit,
    move_cards,
    move_kind,
    move_source,
    move_target,
    pile_field,
    pile_to_foundation_move,
    pile_to_pile_move,
    piles_with_top,
    strand_of,
    strand_of_kind,
    suit_of_kind,
    top_rank,
)
from klondike.layout import HIGHEST_RANK, State
from klondike.rules import SUITS, Rules

NO_MOVE = -1


class Pruning(NamedTuple):
    """Which rules are in use, as 1 or 0 for the kernels.

    Attributes
    ----------
    folded_draws : int
        Draws and recycles are part of the play that they bring about.

        *Proof.* They commute with all plays but those of the waste, so a line may put them off
        until such a play. Between two plays more than one recycle never helps: after it the waste
        passes through the same tops again. A top that is met before and after a recycle is played
        before it, which leaves more recycles.

        With unlimited redeals, positions are merged too. If the number of cards in the waste is a
        multiple of those drawn at a time, or the stock is empty, draws and one recycle lead to a
        full stock, and from there back.
    earlier_passes : int
        A position need not be looked at if one has been that differs only by waste and stock, and
        from which draws and recycles lead to it, or would if fewer recycles had been used there.

        *Proof.* What can be played in the later position can be played in the earlier one. The
        numbers of cards in the wastes tell: of two in the same pass the smaller one leads to the
        larger one if the difference is a multiple of the cards drawn at a time. If both are such
        multiples, any of an earlier pass leads to any of a later one.
    equal_piles : int
        Piles without cards face down may change places; so they are merged, and of several empty
        piles one takes a card for all.

        *Proof.* Exchanging them turns every line into one of the same length.
    safe_moves : int
        See :func:`is_safe_up`.
    idle_moves : int
        With no card for empty piles, a pile with none face down stays where it is.

        *Proof.* After the move, say of the cards A onto w, t' leaves A in its pile. What t moves of
        A, t' moves from there, and A itself stays where t moves all of it with or from w. All that
        is bare in t is bare in t', and the pile that t has emptied is of no use. So the move begins
        no shortest win.
    parts : int
        A part of a run moves onto another pile only if that exposes a card that its foundation
        takes. Where `twins` is in use, it takes the place of this rule.

        *Proof.* Such a move is a swap of b and w. Let a shortest win begin with one after which b
        does not go up. t' does not make it, but mirrors all other moves with b and w exchanged,
        where they land on one of them; see `twins`. If in t one of them goes up, in t' first what
        lies on it swaps over, and then t and t' are the same. This has no more moves, and one such
        swap less: so there is a shortest win without them.
    twins : int
        Positions that differ only by swaps of what lies on twins are merged. A swap is made only
        to expose a card that goes up next, as one step with that.

        *Proof.* Let b and w be twins that both lie face up in the tableau, in different piles, as
        they must; let t' have the cards on b that t has on w, and the other way round. Each play
        of t that is no swap can be made in t' after swaps, and leads to positions that again
        differ by swaps or not at all:

        - A card or part lands on b in t: in t' it lands on w, which is as bare. On another card z:
          z is bare in both. It never lies in t' in the pile that moves: that pile would have to
          hold b or w at or below the part, and z on the other one, but z is of a higher rank than
          the part and of a lower one than its twin.
        - All face-up cards of a pile move: they have the same lowest card in t and t'.
        - A part moves to an empty pile: it has the same lowest card, and takes along what lies on
          it in t'.
        - b goes up in t: in t', what lies on b swaps over to w, which is bare; then b goes up, and
          both positions are the same.

        Draws, recycles, turn-ups and empty piles are the same. So lengths are. Repeated, this
        holds for swaps of several pairs. By swaps any position becomes any other that has the same
        cards face up and the same lowest face-up card in each pile: each of the others lies on one
        of the at most two cards that it can lie on, in the one way or in the other.
    use_at_once : int
        A card of the waste is laid on a pile only to be used by the next play: something lands on
        it, or its twin swaps cards over to it and goes up. With `twins` it is not laid there while
        its twin is bare.

        *Proof.* All cards of waste and stock can be brought into play at any time. If the next play
        does not use the card y, t' lays it there after that play instead: nothing but y could be
        laid where it lies, and whatever moves it along can move without it. So y is laid down just
        before it is used, or never. If the twin w of y is bare, what would land on y lands on w
        instead; afterwards t' differs from t by a swap, and y can again be laid down later.
    draw_one_first : int
        If a search is not soon at its end, it is tried whether the game is unsolvable even with a
        draw of one card and unlimited redeals, which is often quickly shown.

        *Proof.* Several single draws make the same waste as one of several cards.
    early_end : int
        A game is won if no card lies face down and every other card is at hand: waste and stock
        are empty, or all their cards can be brought into play at any time.

        *Proof.* Of the cards that are not on a foundation take one of the lowest rank. If it is in
        the tableau, nothing lies on it, for that would be of a lower rank. So it goes up.
    """

    folded_draws: int = 1
    earlier_passes: int = 1
    equal_piles: int = 1
    safe_moves: int = 1
    idle_moves: int = 1
    parts: int = 1
    twins: int = 1
    use_at_once: int = 1
    draw_one_first: int = 1
    early_end: int = 1


NO_PRUNING = Pruning(*(0 for _ in Pruning._fields))


def has_reserve(rules: Rules) -> bool:
    """Whether every card of waste and stock can be brought into play at any time."""
    return rules.draw == 1 and rules.redeals is None


def pruning_for(rules: Rules, wanted: Pruning | None = None) -> Pruning:
    """The wanted rules, all by default, as far as they are proved for the options of a game."""
    wanted = wanted or Pruning()
    twins = wanted.twins & rules.partial_runs
    return wanted._replace(
        earlier_passes=wanted.earlier_passes & wanted.folded_draws,
        equal_piles=wanted.equal_piles | twins,
        parts=wanted.parts & rules.partial_runs & ~twins,
        twins=twins,
        use_at_once=wanted.use_at_once & wanted.folded_draws & has_reserve(rules),
    )


# Safe moves.


def is_safe_rank(rank: int, other: int, same: int, worrying_back: int) -> bool:
    """Whether a card of a rank is safe: :func:`is_safe_up` says why.

    Parameters
    ----------
    other : int
        The lower height of the foundations of the other colour.
    same : int
        The height of the other foundation of its own colour.
    """
    return (rank <= other + 2 and rank <= same + 3) or (worrying_back == 0 and rank <= other + 1)


_is_safe_rank = inlined_kernel(is_safe_rank)


@inlined_kernel
def is_safe_up(state: State, kind: int, worrying_back: int) -> bool:
    """Whether a card may go to its foundation at no loss as soon as it can.

    It may if its rank r is at most 2 above both foundations of the other colour and at most 3
    above the other one of its own colour (Blake and Gent 2026, appendix B); without worrying back
    it also may if r is at most 1 above both foundations of the other colour.

    *Proof.* D are the cards of its suit up to r, of the other colour up to r - 1, and of the other
    suit of its colour up to r - 2. What can be laid on a card of D is in D. All but the highest of
    each suit in D are on foundations now, and stay there in t', so that these can go up whenever
    they are at hand. Let t' have some cards of D on foundations that t has in its tableau, with
    all that lies on them, and else be as t; at first only the card in question. t' leaves out what
    t does with such cards: moves of them, alone or in their runs, and moves up and down. What t
    lays on one of them, t' puts up. Everything else t' does as t: cards that are not in D never
    meet any of these. So both win, and t' with at least one play less: each that it adds, it spares
    when t puts up the card.

    Without worrying back and with both cards of rank r - 1 of the other colour up, nothing can be
    laid on the card at all, and t' leaves out what t does with it.

    From the waste this holds only with a draw of one card, where t' skips the draw of the card that
    it has already played. Else the card's absence would change what later draws turn up.

    A card is never taken from its foundation if it would be safe there: that begins no shortest
    win, because the position before has a shorter one than the position after it.
    """
    rank, suit = (kind >> 2) + 1, suit_of_kind(kind)
    is_red = (suit ^ (suit >> 1)) & 1
    other = min(foundation_rank(state, 1 - is_red), foundation_rank(state, 2 + is_red))
    same = foundation_rank(state, 3 - suit)
    return _is_safe_rank(rank, other, same, worrying_back)


@inlined_kernel
def safe_pile_move(state: State, rules: Any) -> int:
    """A safe move from a pile to its foundation, or `NO_MOVE`."""
    for suit in range(SUITS):
        kind = kind_of_rank_and_suit(foundation_rank(state, suit) + 1, suit)
        pile = piles_with_top(state, kind)
        if pile != 0 and is_safe_up(state, kind, rules.worrying_back):
            return pile_to_foundation_move(trailing_zeros(pile))
    return NO_MOVE


# Dropped moves.


@kernel
def is_dropped(state: State, move: int, rules: Any, pruning: Any) -> bool:
    """Whether a legal move from a pile or a foundation need not be looked at."""
    kind = move_kind(move)
    if kind == PILE_TO_FOUNDATION:
        return False
    target = ONE << move_target(move)
    empty = empty_piles(state, rules)
    if pruning.equal_piles and target & empty and target != empty & -empty:
        return True
    if kind == FOUNDATION_TO_PILE:
        return _is_dropped_return(state, move_source(move), target, rules, pruning)
    return _is_dropped_run(state, move, target & empty != 0, rules, pruning)


@inlined_kernel
def _is_dropped_return(state: State, suit: int, target: int, rules: Any, pruning: Any) -> bool:
    rank = foundation_rank(state, suit)
    kind = kind_of_rank_and_suit(rank, suit)
    if pruning.safe_moves and is_safe_up(state, kind, rules.worrying_back):
        return True
    builders = building_piles(state, rank, strand_of_kind(kind))
    return pruning.twins and target & builders & (builders - 1) != 0


@inlined_kernel
def _is_dropped_run(state: State, move: int, is_empty: bool, rules: Any, pruning: Any) -> bool:
    field = pile_field(state, move_source(move))
    rank = top_rank(field) - 1 + move_cards(move)
    if rank == bottom_rank(field):
        if face_down(field) == 0:
            if is_empty and pruning.equal_piles:
                return True
            if pruning.idle_moves and rules.lowest_on_empty > HIGHEST_RANK:
                return True
        builders = building_piles(state, rank, strand_of(field))
        target = ONE << move_target(move)
        return pruning.twins and target & builders & (builders - 1) != 0
    if is_empty:
        return False
    kind_below = rank << 2 | strand_of(field) << 1 | (field >> (rank + 1)) & 1
    return pruning.twins or (pruning.parts and not foundation_takes(state, kind_below))


@kernel
def lowest_targets(state: State, kind: int, rules: Any, pruning: Any) -> int:
    """The set of piles on which a card of the waste is to be tried."""
    rank = (kind >> 2) + 1
    builders = building_piles(state, rank, strand_of_kind(kind))
    if pruning.twins:
        builders &= -builders
        if pruning.use_at_once and piles_with_top(state, kind ^ 1) != 0:
            return np.int64(0)
    empty = np.int64(0)
    if rank >= rules.lowest_on_empty:
        empty = empty_piles(state, rules)
        if pruning.equal_piles:
            empty &= -empty
    return builders | empty


# Swaps.


@kernel
def swap_to_free(state: State, suit: int, rules: Any) -> int:
    """The swap that exposes the next card of a foundation, or `NO_MOVE` if there is none."""
    rank = foundation_rank(state, suit) + 1
    kind = kind_of_rank_and_suit(rank, suit)
    bare_twin = piles_with_top(state, kind ^ 1)
    if bare_twin == 0:
        return NO_MOVE
    for pile in range(rules.piles):
        field = pile_field(state, pile)
        if (
            field != 0
            and strand_of(field) == strand_of_kind(kind)
            and top_rank(field) < rank <= bottom_rank(field)
            and (field >> rank) & 1 == kind & 1
        ):
            return pile_to_pile_move(pile, trailing_zeros(bare_twin), rank - top_rank(field))
    return NO_MOVE
