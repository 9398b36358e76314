"""Duels of Klondike players, from Python and by ``klondike duel``."""

import io
import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dealstats.deals import player_word
from dealstats.errors import InputError
from dealstats.intervals import win_rate_interval
from dealstats.pairing import mean_difference_interval
from klondike.batch import play_batch, play_one, player_task
from klondike.command import main
from klondike.deck import deal
from klondike.duel import Duel, duel
from klondike.narration import narrate
from klondike.players import PLAYERS
from klondike.position import dealt
from klondike.rules import Rules

SEED = 4
SMALL = Rules(
    ranks=6,
    piles=4,
    draw=3,
    redeals=0,
    empty_pile="none",
    worrying_back=False,
    scoring="vegas",
)
"""So narrow a game that players often come to the same score, and to as many moves."""


@pytest.fixture
def klondike(capsys):
    """Run the command; give exit status, stdout and stderr."""
    return lambda *words: (main([str(word) for word in words]), *capsys.readouterr())


def games(player, first_deal, deals, rules):
    """Score and moves of each game, played one by one."""
    for index in range(first_deal, first_deal + deals):
        position = dealt(deal(index, SEED, rules), rules)
        moves = play_one(player, position, rules, player_word(SEED, index))
        yield narrate(position, moves, rules).score, len(moves)


def verdict(a, b):
    """What KL10 says of two games given as ``(score, moves)``: 1 for A, -1 for B, or 0."""
    better, worse = (a[0], -a[1]), (b[0], -b[1])
    return (better > worse) - (better < worse)


@pytest.mark.parametrize("rules", [Rules(), SMALL], ids=["whole pack", "small pack"])
def test_a_duel_is_what_single_games_say(rules):
    (one,) = duel(["greedy", "random"], 30, 80, rules, SEED).duels
    greedy, random = (list(games(player, 30, 80, rules)) for player in ("greedy", "random"))
    verdicts = [verdict(a, b) for a, b in zip(greedy, random, strict=True)]
    assert (one.wins, one.draws, one.losses) == tuple(map(verdicts.count, (1, 0, -1)))
    assert one.score_difference == mean_difference_interval(
        [score for score, _ in greedy], [score for score, _ in random]
    )
    assert one.mean_moves == pytest.approx(
        [np.mean([moves for _, moves in each]) for each in (greedy, random)]
    )
    assert one.mean_minutes is None


def test_scores_are_those_of_batches():
    (one,) = duel(["greedy", "random"], 0, 500, Rules(draw=3), SEED).duels
    greedy, random = (
        play_batch(player_task(player, Rules(draw=3), SEED), 0, 500).deal_results.scores
        for player in one.players
    )
    assert one.score_difference == mean_difference_interval(greedy, random)


def mirrored(one: Duel) -> Duel:
    low, mean, high = one.score_difference
    return replace(
        one,
        players=one.players[::-1],
        wins=one.losses,
        losses=one.wins,
        score_difference=(-high, -mean, -low),
        mean_moves=one.mean_moves[::-1],
        mean_minutes=one.mean_minutes and one.mean_minutes[::-1],
    )


@pytest.mark.parametrize("seconds", [None, (1.5, 0.25), (2, 2)])
def test_exchanged_players_give_the_mirror_image(seconds):
    (there,) = duel(["greedy", "random"], 0, 300, SMALL, SEED, None, seconds).duels
    (back,) = duel(["random", "greedy"], 0, 300, SMALL, SEED, None, seconds and seconds[::-1]).duels
    assert back == mirrored(there)
    assert there.wins + there.draws + there.losses == there.deals == 300
    assert (there.draws > 0) == (seconds != (1.5, 0.25))


def test_neither_workers_nor_blocks_change_a_result(monkeypatch):
    tables = [duel(["greedy", "random"], 5, 400, SMALL, SEED, jobs) for jobs in (None, 1, 2, -1)]
    for name, player in PLAYERS.items():
        monkeypatch.setitem(PLAYERS, name, replace(player, block_deals=7))
    tables.append(duel(["greedy", "random"], 5, 400, SMALL, SEED, jobs=2))
    assert all(table == tables[0] for table in tables)


def test_seconds_decide_between_equal_scores_only():
    names = ["greedy", "random"]
    plain, same, slow, quick = (
        duel(names, 0, 500, SMALL, SEED, seconds_per_move=seconds).duels[0]
        for seconds in (None, [2], [1000, 0.001], [0.001, 1000])
    )
    score_wins, score_losses = slow.wins, quick.losses
    assert (same.wins, same.draws, same.losses) == (plain.wins, plain.draws, plain.losses)
    assert score_wins < plain.wins < quick.wins
    assert score_losses <= plain.losses < slow.losses
    assert quick.score_difference == slow.score_difference == plain.score_difference
    assert same.mean_minutes == pytest.approx([moves / 30 for moves in plain.mean_moves])
    assert slow.mean_minutes[1] == pytest.approx(plain.mean_moves[1] / 60_000)


def test_every_player_meets_every_later_one(monkeypatch):
    from klondike import playing

    kernels = {name: playing.batch_kernel(name) for name in ("greedy", "random")}
    kernels["twin"] = kernels["greedy"]
    monkeypatch.setattr(playing, "batch_kernel", kernels.get)
    monkeypatch.setitem(PLAYERS, "twin", replace(PLAYERS["greedy"], name="twin"))
    table = duel(["greedy", "random", "twin"], 0, 100, SMALL, SEED)
    assert [one.players for one in table.duels] == [
        ("greedy", "random"),
        ("greedy", "twin"),
        ("random", "twin"),
    ]
    against_random, against_twin, of_random = table.duels
    assert (against_twin.draws, against_twin.score_difference) == (100, (0, 0, 0))
    assert mirrored(of_random) == replace(against_random, players=("twin", "random"))
    assert len(table.formatted().splitlines()) == 2 + 3 + 4


def test_the_frame_holds_shares_with_their_intervals():
    table = duel(["greedy", "random"], 0, 300, SMALL, SEED, seconds_per_move=[2])
    (one,) = table.duels
    (row,) = table.frame().to_dict("records")
    for name, deals in (("A wins", one.wins), ("draws", one.draws), ("B wins", one.losses)):
        rate = win_rate_interval(deals, 300 - deals)
        assert row[f"{name} %"] == pytest.approx(100 * deals / 300)
        assert (row[f"{name} % low"], row[f"{name} % high"]) == (100 * rate.low, 100 * rate.high)
    assert row["mean points A - B"] == one.score_difference[1]
    assert (row["moves A"], row["moves B"]) == one.mean_moves
    assert (row["minutes A"], row["minutes B"]) == one.mean_minutes


# The command

DUEL = ("duel", "--players", "greedy,random", "--deals", "0:200", "--seed", SEED)
SMALL_FLAGS = (
    *("--ranks", "6", "--piles", "4", "--draw", "3", "--redeals", "0", "--empty-pile", "none"),
    *("--no-worrying-back", "--scoring", "vegas"),
)


def test_text_has_a_table_and_says_what_it_shows(klondike):
    status, out, _ = klondike(*DUEL, *SMALL_FLAGS, "--jobs", "2")
    assert status == 0
    assert out == str(duel(["greedy", "random"], 0, 200, SMALL, SEED))
    header, _, line, _, _, verdicts, settings = out.splitlines()
    assert header.split()[:3] == ["A", "B", "deals"]
    assert line.split()[:3] == ["greedy", "random", "200"]
    assert verdicts == "A deal goes to the higher score, then to fewer moves; else it is a draw."
    assert settings.startswith("All duels: game klondike, draw 3, ")
    assert settings.endswith("deals 0:200.")


def test_seconds_per_move_show_in_the_table(klondike):
    _, out, _ = klondike(*DUEL, "--seconds-per-move", "1.5,2", "--format", "markdown")
    assert out.splitlines()[0].endswith("| minutes A | minutes B |")
    assert "then to less time; else it is a draw." in out
    assert out.endswith("deals 0:200, seconds per move greedy 1.5 random 2.\n")


def test_csv_and_json_give_the_same_numbers(klondike):
    frame = pd.read_csv(io.StringIO(klondike(*DUEL, *SMALL_FLAGS, "--format", "csv")[1]))
    status, out, _ = klondike(*DUEL, *SMALL_FLAGS, "--json")
    (answer,) = map(json.loads, out.splitlines())
    assert status == 0
    assert answer["players"] == ["greedy", "random"]
    assert (answer["deals"], answer["seed"]) == ("0:200", SEED)
    assert Rules.from_dict(answer["rules"]) == SMALL
    assert answer["wins"] + answer["draws"] + answer["losses"] == 200
    assert frame["A wins %"][0] == pytest.approx(answer["wins"] / 2)
    assert frame["mean points A - B"][0] == pytest.approx(answer["mean_score_difference"])
    assert answer["mean_minutes"] is None


def test_one_deal_has_no_interval(klondike):
    words = ("duel", "--players", "greedy,random", "--deals", "7:8")
    assert "± ∞" in klondike(*words)[1]
    answer = json.loads(klondike(*words, "--json")[1])
    assert answer["mean_score_difference_interval"] is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--players", "greedy"], "a duel takes two players or more, not only 'greedy'"),
        (["--players", "greedy,greedy"], "'greedy' is named twice: nobody plays against itself"),
        (["--players", "greedy,nobody"], "no player is called 'nobody'"),
        (["--players", "greedy,"], "no player is called ''"),
        (["--deals", "5:5"], "--deals '5:5' are no deals"),
        (["--deals", "7"], "--deals '7' is not FIRST:STOP"),
        (["--seed", "-1"], "--seed: '-1' is no whole number"),
        (["--jobs", "0"], "--jobs: '0' is no whole number from 1"),
        (["--draw", "25"], "draw 25 is not from 1 to 24"),
        (["--preset", "chess"], "no preset is called 'chess'"),
        (["--seconds-per-move", "x"], "'x' is neither a number nor several, as in 1.5,2"),
        (["--seconds-per-move", "0"], "0 seconds per move are not from 0.001 to 999999"),
        (["--seconds-per-move=-1"], "-1 seconds per move are not from 0.001"),
        (["--seconds-per-move", "nan"], "nan seconds per move are not"),
        (["--seconds-per-move", "inf"], "inf seconds per move are not"),
        (["--seconds-per-move", "1,2,3"], "3 seconds per move are neither one for all nor one"),
        (["--json", "--format", "csv"], "not allowed with argument"),
    ],
)
def test_bad_input_is_one_line(klondike, words, message):
    status, out, err = klondike(*DUEL, *words)
    assert (status, out) == (2, "")
    assert err.startswith("error: ")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        {"first_deal": -1},
        {"deals": 0},
        {"first_deal": 2**63 - 1, "deals": 2},
        {"seed": -1},
        {"seed": 2**63},
        {"jobs": 0},
        {"players": []},
        {"seconds_per_move": []},
    ],
)
def test_numbers_out_of_range_are_refused(arguments):
    usual = {"players": ["greedy", "random"], "first_deal": 0, "deals": 5}
    with pytest.raises(InputError):
        duel(**usual | arguments)
