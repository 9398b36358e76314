"""Moves that only prepare another one are made right before it.

*Late* moves are: a card taken down from its foundation; a card of waste or stock that is placed, if
all of these are always in play (one card is drawn at a time, recycles are not limited); and the
last card of a pile, no king, that is shifted and leaves a space. Call the cards z of the first two
kinds *helpers*. What such a move is good for, its *uses*, are these later moves only:

* a card is placed while no parent but the helper z is free for it;
* the twin of z goes up, and had been bare only because z is a parent for what lay on it;
* if z came from its foundation: the next card of that foundation is taken down;
* a king is placed while there is no space but the one that was left.

(That z itself goes up is no use: without both moves the line is shorter.)

**Claim.** From a position that can be won there is a shortest line in which late moves come in
*blocks*, and each block ends with a move that is not late: every late move is used in its block.
A move has at most two late moves that it is the first to use: one that gives it a place (a
*landing*), and, if it takes down a card w, one that took down the card on w (the *lifter*). In its
block, what prepares the lifter comes right before the lifter, then comes what prepares the landing,
the landing, and then the move.

*Proof.* Take a shortest line and the last late move z of it that does not stand so. It has a first
use u, or the line without z would be shorter. Until then, every move can be made without z: no
types but that of z are less open; no fewer spaces are left (without a shift one less, but no king
needs it before u); the foundation of z is one card higher, and no card but z could go there. Right
before u, or before what prepares the landing of u if z is its lifter, z can be made: the place of
z, taken since it was made, has been kept for it. So z moves there, past moves that do not use it;
the line is as long as before. What prepares z follows it in the same way, when its turn comes. ∎

So after a late move only these moves need to be searched:

* the moves that use it, late or not;
* after a lifter z, if the card w next to be taken down has no landing: late moves that prepare one.
  Those are of cards of higher rank than z, but for the landing itself, a parent of w. In the midst
  of that, z is *lifted*; then only late moves are made until w is taken down. Lifters in each
  other's preparations have higher and higher ranks, so the set of lifted cards says it all.

A helper is placed for the first two uses only if its type is not open without it, and a space is
made only if there is none and a king could use it.
"""

from typing import Any, NamedTuple

import numpy as np

from dealstats.bits import leading_zeros
from dealstats.jit import inlined_kernel
from klondike.condensed import ALL_KINDS, BOTTOMS, EVEN_KINDS, ODD_KINDS, PREDECESSOR
from klondike.condensed_moves import (
    KIND_MASK,
    ONE,
    PLAY,
    SHIFT,
    TAKE_DOWN,
    Sets,
    next_of_suits,
    open_types,
    type_of,
)


class Allowed(NamedTuple):
    """What may follow a position in the midst of a block, as sets of cards.

    Attributes
    ----------
    up : int
        Cards that may go up.
    placed : int
        Cards that may be placed to use the last move, and taken down so.
    taken_down : int
        Cards that may be taken down to use the last move.
    prepared : int
        Cards of late moves that prepare a landing, while the last move's card is lifted.
    late_only : bool
        Whether moves that are not late must wait.
    last_lifted : int
        The card lifted last before, as a set.
    awaited : int
        The card that is taken down next from the foundation of that one, as a set.
    """

    up: int
    placed: int
    taken_down: int
    prepared: int
    late_only: bool
    last_lifted: int
    awaited: int


@inlined_kernel
def everything() -> Allowed:
    """What may follow a position between blocks."""
    none = np.int64(0)
    all_kinds = np.int64(ALL_KINDS)
    return Allowed(all_kinds, all_kinds, all_kinds, none, False, none, none)


@inlined_kernel
def is_reserve(rules: Any) -> bool:
    """Whether all cards of waste and stock are always in play."""
    return rules.draw == 1 and rules.redeals < 0


@inlined_kernel
def is_late(move: int, deal: Any, rules: Any) -> bool:
    """Whether a move is made only to prepare another one."""
    kind, what = move & KIND_MASK, move & ~KIND_MASK
    return (
        what == TAKE_DOWN
        or (what == PLAY and is_reserve(rules))
        or (what == SHIFT and (deal[BOTTOMS] >> kind) & 1 != 0)
    )


@inlined_kernel
def _ranks_above(kind: int) -> int:
    """The set of all cards of higher rank."""
    return ALL_KINDS & (np.int64(-1) << ((kind & ~3) + 4))


@inlined_kernel
def allowed_after(
    move: int, lifted: int, visible: int, locked: int, sets: Sets, rules: Any
) -> Allowed:
    """What may follow a late move, in the position after it.

    Parameters
    ----------
    lifted : int
        The set of lifted cards before the move.
    """
    kind, what = move & KIND_MASK, move & ~KIND_MASK
    up, placed, taken_down, prepared = np.int64(0), rules.kings, rules.kings, np.int64(0)
    if what != SHIFT:
        bit, pair = ONE << kind, type_of(kind)
        up, placed = pair ^ bit, pair >> 4
        if what == TAKE_DOWN and open_types(visible ^ bit, visible & ~locked & ~bit) & pair != 0:
            up, placed = np.int64(0), np.int64(0)
        taken_down = placed
    last_lifted, awaited, within = np.int64(0), np.int64(0), np.int64(ALL_KINDS)
    last = np.int64(-4)
    if lifted != 0:
        last = 63 - leading_zeros(lifted)
        last_lifted = ONE << last
        awaited = PREDECESSOR[last]
        within = _ranks_above(last) | _parents(awaited) | awaited
    if what == TAKE_DOWN:
        following = PREDECESSOR[kind]
        taken_down |= following
        has_landing = following & sets.landing != 0
        # Else the landing of the awaited card is there, and waits for nothing but that card.
        is_above_lifted = kind >> 2 > last >> 2
        if following != 0 and not has_landing and is_above_lifted:
            prepared = _ranks_above(kind) | _parents(following)
    return Allowed(
        up if lifted == 0 else np.int64(0),
        placed & within,
        taken_down & within,
        prepared & within,
        lifted != 0,
        last_lifted,
        awaited,
    )


@inlined_kernel
def _parents(card: int) -> int:
    """The set of the parents of a card given as a set."""
    return _pairs(card << 4) & ALL_KINDS


@inlined_kernel
def _pairs(cards: int) -> int:
    """The set of some cards and their twins."""
    return cards | (cards << 1 & ODD_KINDS) | (cards >> 1 & EVEN_KINDS)


@inlined_kernel
def useful_helpers(
    in_play: int, visible: int, surfaces: int, done: int, sets: Sets, rules: Any
) -> int:
    """The set of cards that may be helpers to some use in the end.

    That is to a surface that is shifted, a twin that goes up, or a card of the stock that is placed
    where this is not late; in between may be other helpers of lower ranks, and lifters.

    Parameters
    ----------
    done : int
        Cards on the foundations, if they may be taken down.
    """
    reserve = in_play if is_reserve(rules) else np.int64(0)
    others = surfaces | in_play ^ reserve
    useful = np.int64(0)
    longer = _pairs(visible & sets.next_up) | _pairs(others) << 4
    while longer != useful:
        useful = longer
        longer |= _pairs(useful & (reserve | done)) << 4 | next_of_suits(useful & done)
    return useful
