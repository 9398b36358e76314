"""Duels (KL10): players play the same deals apart from each other, and are compared deal by deal.

A deal goes to the player with the higher score, then to the quicker one; else it is a draw. Time
is what moves take: a move takes all players equally long, unless each is given its own seconds.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from dealstats.deals import NUMBER_CEILING
from dealstats.errors import InputError
from dealstats.intervals import Rate, win_rate_interval
from dealstats.labels import shared_settings
from dealstats.pairing import mean_difference_interval
from dealstats.report import settings_text
from klondike.batch import play_block, player_task
from klondike.players import find_player
from klondike.rules import Rules

if TYPE_CHECKING:
    import pandas as pd

    from klondike.playing import Results

MILLISECONDS = 1000


@dataclass(frozen=True)
class Duel:
    """What became of two players, A and B, on the same deals.

    Attributes
    ----------
    players : (str, str)
        Names of A and B.
    wins, draws, losses : int
        Deals that go to A, to nobody, and to B.
    score_difference : (float, float, float)
        The mean score of A minus that of B, between the limits of its 95 % interval.
    mean_moves : (float, float)
        Mean moves of A and of B.
    mean_minutes : (float, float) or None
        What these take, if it is known how long a move takes.
    """

    players: tuple[str, str]
    wins: int
    draws: int
    losses: int
    score_difference: tuple[float, float, float]
    mean_moves: tuple[float, float]
    mean_minutes: tuple[float, float] | None

    @property
    def deals(self) -> int:
        """Number of deals."""
        return self.wins + self.draws + self.losses

    def share(self, deals: int) -> Rate:
        """The share that so many deals are of all, between the limits of Wilson's interval."""
        return win_rate_interval(deals, self.deals - deals)

    def numbers(self) -> dict[str, Any]:
        """The line of the table, by column."""
        _, mean, high = self.score_difference
        line: dict[str, Any] = {"A": self.players[0], "B": self.players[1], "deals": self.deals}
        for name, deals in (("A wins", self.wins), ("draws", self.draws), ("B wins", self.losses)):
            rate = self.share(deals)
            line[f"{name} %"] = 100 * deals / self.deals
            line[f"{name} % low"] = 100 * rate.low
            line[f"{name} % high"] = 100 * rate.high
        line |= {"mean points A - B": mean, "mean points A - B ±": high - mean}
        line |= zip(("moves A", "moves B"), self.mean_moves, strict=True)
        if self.mean_minutes is not None:
            line |= zip(("minutes A", "minutes B"), self.mean_minutes, strict=True)
        return line


@dataclass(frozen=True)
class DuelTable:
    """Duels of each player with each later one; see :func:`duel` for what they were asked.

    Attributes
    ----------
    players : tuple of str
    first_deal, deals : int
    rules : Rules
    seed : int
    seconds_per_move : tuple of float or None
        For each player.
    duels : tuple of Duel
    """

    players: tuple[str, ...]
    first_deal: int
    deals: int
    rules: Rules
    seed: int
    seconds_per_move: tuple[float, ...] | None
    duels: tuple[Duel, ...]

    def frame(self) -> "pd.DataFrame":
        """All numbers unrounded, one row for each duel; shares are in per cent."""
        import pandas as pd

        return pd.DataFrame([duel.numbers() for duel in self.duels])

    def formatted(self, format: Literal["text", "markdown", "csv"] = "text") -> str:
        """The table, with a caption unless it is CSV."""
        from dealstats.tables import format_table

        table = format_table(self.frame(), format)
        return table if format == "csv" else f"{table}\n{self._caption()}"

    def __str__(self) -> str:
        return self.formatted()

    def _caption(self) -> str:
        settings = shared_settings([player_task(self.players[0], self.rules, self.seed)])
        settings = {name: text for name, text in settings.items() if name != "player"}
        settings["deals"] = f"{self.first_deal}:{self.first_deal + self.deals}"
        quickness = "fewer moves"
        if self.seconds_per_move is not None:
            quickness = "less time"
            settings["seconds per move"] = " ".join(
                f"{player} {seconds:g}"
                for player, seconds in zip(self.players, self.seconds_per_move, strict=True)
            )
        return (
            "± and [ ] are 95 % confidence intervals, rounded outwards; moves and minutes are "
            f"means.\nA deal goes to the higher score, then to {quickness}; else it is a draw.\n"
            f"All duels: {settings_text(settings)}.\n"
        )


def duel(
    players: Sequence[str],
    first_deal: int,
    deals: int,
    rules: Rules | None = None,
    seed: int = 0,
    jobs: int | None = None,
    seconds_per_move: Sequence[float] | None = None,
) -> DuelTable:
    """Let each player play the same deals, and compare each with each later one.

    Parameters
    ----------
    players : sequence of str
        Names of two players or more.
    first_deal, deals : int
        The deals ``first_deal:first_deal + deals``.
    rules : Rules, optional
    seed : int
        Seed of the deals.
    jobs : int or None
        Workers, negative as in joblib; they change no result.
    seconds_per_move : sequence of float, optional
        How long a move takes: one number for all players, or one for each. With equal scores, the
        deal goes to the player who took less time. Rounded to milliseconds.

    Raises
    ------
    InputError
        If there are no such players, deals or times.
    """
    rules = rules or Rules()
    _check(players, first_deal, deals, seed, jobs)
    milliseconds = _milliseconds(seconds_per_move, len(players))
    results = [_play(player, first_deal, deals, rules, seed, jobs) for player in players]
    entrants = [_Entrant(*each) for each in zip(players, results, milliseconds, strict=True)]
    is_timed = seconds_per_move is not None
    return DuelTable(
        players=tuple(players),
        first_deal=first_deal,
        deals=deals,
        rules=rules,
        seed=seed,
        seconds_per_move=tuple(ms / MILLISECONDS for ms in milliseconds) if is_timed else None,
        duels=tuple(_duel(a, b, is_timed) for a, b in combinations(entrants, 2)),
    )


class _Entrant(NamedTuple):
    """A player, its games, and the milliseconds that it takes for a move."""

    player: str
    results: "Results"
    milliseconds: int


def _duel(a: _Entrant, b: _Entrant, is_timed: bool) -> Duel:
    import numpy as np

    ahead = np.sign(a.results.score - b.results.score)
    ahead_in_time = np.sign(b.results.moves * b.milliseconds - a.results.moves * a.milliseconds)
    verdicts = np.where(ahead == 0, ahead_in_time, ahead)
    moves = float(a.results.moves.mean()), float(b.results.moves.mean())
    minutes = tuple(
        mean * entrant.milliseconds / MILLISECONDS / 60
        for mean, entrant in zip(moves, (a, b), strict=True)
    )
    return Duel(
        players=(a.player, b.player),
        wins=int((verdicts > 0).sum()),
        draws=int((verdicts == 0).sum()),
        losses=int((verdicts < 0).sum()),
        score_difference=mean_difference_interval(
            a.results.score.tolist(), b.results.score.tolist()
        ),
        mean_moves=moves,
        mean_minutes=(minutes[0], minutes[1]) if is_timed else None,
    )


def _play(
    player: str, first_deal: int, deals: int, rules: Rules, seed: int, jobs: int | None
) -> "Results":
    """The games of one player, in the order of the deals."""
    import numpy as np
    from joblib import Parallel, delayed

    from dealstats.collect import PREPARING_KERNELS, announced_if_slow
    from klondike.playing import Results

    with announced_if_slow(PREPARING_KERNELS):
        play_block(player, first_deal, 0, rules, seed)
    blocks = _blocks(first_deal, deals, find_player(player).block_deals)
    parts = Parallel(n_jobs=jobs, prefer="threads")(
        delayed(play_block)(player, start, size, rules, seed) for start, size in blocks
    )
    return Results(*map(np.concatenate, zip(*parts, strict=True)))


def _blocks(first_deal: int, deals: int, block_deals: int) -> Iterator[tuple[int, int]]:
    """First deal and size of the blocks that deals are cut into."""
    for start in range(0, deals, block_deals):
        yield first_deal + start, min(block_deals, deals - start)


def _check(
    players: Sequence[str], first_deal: int, deals: int, seed: int, jobs: int | None
) -> None:
    for player in players:
        find_player(player)
        if list(players).count(player) > 1:
            raise InputError(f"{player!r} is named twice: nobody plays against itself")
    if len(players) < 2:
        raise InputError(f"a duel takes two players or more, not only {', '.join(players)!r}")
    if first_deal < 0 or deals < 1 or first_deal + deals > NUMBER_CEILING:
        raise InputError(f"there are no deals {first_deal}:{first_deal + deals}")
    if not 0 <= seed < NUMBER_CEILING:
        raise InputError(f"seed {seed} is not from 0 to 2^63 - 1")
    if jobs == 0:
        raise InputError("0 jobs do nothing")


def _milliseconds(seconds_per_move: Sequence[float] | None, players: int) -> list[int]:
    """For each player the milliseconds of a move; all alike if nothing is said."""
    if seconds_per_move is None:
        return [1] * players
    if len(seconds_per_move) not in (1, players):
        raise InputError(
            f"{len(seconds_per_move)} seconds per move are neither one for all nor one for each of "
            f"{players} players"
        )
    for seconds in seconds_per_move:
        if not (math.isfinite(seconds) and 1 <= round(seconds * MILLISECONDS) < 10**9):
            raise InputError(f"{seconds:g} seconds per move are not from 0.001 to 999999")
    milliseconds = [round(seconds * MILLISECONDS) for seconds in seconds_per_move]
    return milliseconds * (players // len(milliseconds))
