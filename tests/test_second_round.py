"""A second round for deals that a solver left unknown, and the list of single deals."""

import pandas as pd
import pytest

from dealstats import collect as collect_module
from dealstats.collect import collect, known_deals
from dealstats.command import main
from dealstats.deal_results import DealResults
from dealstats.deal_table import deal_table
from dealstats.errors import InputError
from dealstats.rows import BlockResult, Row, combine, read_rows, single_deals, summed
from klondike import batch
from klondike.batch import first_round, play_again, play_batch, player_task, solver_task
from klondike.rules import Rules

SEED = 3
RULES = Rules(draw=3)
FIRST = solver_task("fast", RULES, SEED, node_budget=200, memory_budget=10**8)
BOTH = solver_task("fast", RULES, SEED, 200, 10**8, retry_budget=5_000)
MORE = solver_task("fast", RULES, SEED, node_budget=5_000, memory_budget=10**8)
DEALS = 60


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "rows.csv")


def test_the_second_round_tries_again_what_is_unknown():
    first, both, more = (play_batch(task, 0, DEALS).deal_results for task in (FIRST, BOTH, MORE))
    assert 0 < both.unknown < first.unknown
    assert both.outcomes == more.outcomes
    for number, outcome in enumerate(first.outcomes):
        again = more.nodes[number] if outcome == "u" else 0
        assert both.nodes[number] == first.nodes[number] + again
    assert play_again(BOTH, 0, first).deal_results == both
    assert play_batch(BOTH, 0, DEALS).nodes == sum(both.nodes)


def test_tasks_of_both_rounds():
    assert first_round(BOTH) == FIRST
    assert first_round(FIRST) is None
    assert first_round(player_task("greedy", RULES)) is None
    assert len({task.strong_id for task in (FIRST, BOTH, MORE)}) == 3
    with pytest.raises(InputError, match="retry_budget 7 is not above node_budget 7"):
        solver_task("fast", RULES, node_budget=7, retry_budget=7)


def test_the_first_round_is_not_played_again_if_it_is_known(path, monkeypatch):
    fresh = collect(BOTH, 0, DEALS, None, per_deal=True)
    collect(FIRST, 0, DEALS, path, block_deals=25, per_deal=True)
    played = []
    monkeypatch.setattr(
        batch,
        "play_batch",
        lambda task, *deals: played.append((task, *deals)) or play_batch(task, *deals),
    )
    rows = collect(BOTH, 0, DEALS, path, block_deals=17, per_deal=True)
    assert single_deals(rows) == single_deals(fresh)
    unknown = summed(read_rows(path))[0].unknown
    assert [deals for _, _, deals in played if deals] == [1] * unknown
    assert {task for task, _, deals in played if deals} == {MORE}
    totals = summed(read_rows(path))
    assert [total.deals for total in totals] == [DEALS, DEALS]
    assert totals[1].nodes == sum(single_deals(fresh).nodes)


@pytest.mark.parametrize("stop", [0, 40])
def test_a_second_round_goes_on_where_it_was(path, stop):
    collect(FIRST, 0, 40, path, per_deal=True)
    if stop:
        collect(BOTH, 0, stop - 7, path, block_deals=10, per_deal=True)
    rows = collect(BOTH, 0, DEALS, path, block_deals=10, per_deal=True)
    assert single_deals(rows) == play_batch(BOTH, 0, DEALS).deal_results
    with open(path, "rb") as file:
        before = file.read()
    assert collect(BOTH, 0, DEALS, path, per_deal=True) == rows
    with open(path, "rb") as file:
        assert file.read() == before


def row_of(first_deal, results, task=FIRST):
    result = BlockResult.of_deals(results, sum(results.nodes) or 9)
    return Row.of_block(task, first_deal, len(results.outcomes), result, 1.0)


def test_known_deals_are_those_of_whole_blocks():
    rows = [
        row_of(4, DealResults("uwl", (), (1, 2, 3))),
        row_of(7, DealResults("wu", (), (4, 5))),
        row_of(11, DealResults("ww", ())),
        row_of(20, DealResults("ww", (), (1, 1)), MORE),
    ]
    assert known_deals(rows, FIRST, (5, 8)) == DealResults("wlw", (), (2, 3, 4))
    assert known_deals(rows, FIRST, (4, 9)) == DealResults("uwlwu", (), (1, 2, 3, 4, 5))
    for block in ((3, 5), (8, 10), (9, 12), (11, 13), (20, 21)):
        assert known_deals(rows, FIRST, block) is None
    assert known_deals(rows, MORE, (20, 21)) == DealResults("w", (), (1,))


def test_commands_of_both_rounds(path, tmp_path, capsys):
    words = ["collect", "--game", "klondike", "--solver", "fast", "--draw", "3", "--seed", "3"]
    words += ["--deals", "0:60", "--node-budget", "200", "--memory-budget", "100000000"]
    words += ["--no-progress", "--jobs", "1", "--out", path, "--per-deal"]
    assert main(words) == 0
    assert main([*words, "--retry-budget", "5000"]) == 0
    assert [row.task for row in read_rows(path)] == [FIRST, BOTH]
    assert main(["table", path]) == 0
    assert "5000" in capsys.readouterr().out
    out = str(tmp_path / "deals.csv")
    assert main(["deals", path, "--out", out]) == 0
    frame = pd.read_csv(out)
    assert frame.equals(
        deal_table(combine(read_rows(path))).astype({"score": float, "nodes": "int64"})
    )
    later = frame[frame["strong_id"] == BOTH.strong_id]
    results = play_batch(BOTH, 0, 60).deal_results
    assert later["deal"].tolist() == list(range(60))
    assert later["outcome"].str[0].str.cat() == results.outcomes
    assert later["nodes"].tolist() == list(results.nodes)
    player = ["collect", "--game", "klondike", "--player", "greedy", "--deals", "0:5"]
    assert main([*player, "--out", path, "--retry-budget", "9"]) == 2
    assert "retry_budget: only a solver has budgets" in capsys.readouterr().err


def test_lists_of_deals_that_cannot_be_made(path, tmp_path, capsys):
    collect(player_task("greedy", RULES), 0, 5, path)
    for out, problem in (("x.csv", "without --per-deal"), ("x.txt", "without --per-deal")):
        assert main(["deals", path, "--out", str(tmp_path / out)]) == 2
        assert problem in capsys.readouterr().err
    with pytest.raises(InputError, match="no rows"):
        deal_table([])
    other = str(tmp_path / "deals.csv")
    collect(player_task("greedy", RULES), 0, 5, other, per_deal=True)
    assert main(["deals", other, "--out", str(tmp_path / "x.txt")]) == 2
    assert ".csv or .parquet" in capsys.readouterr().err


def test_parquet_keeps_the_list(path, tmp_path, capsys, monkeypatch):
    collect(player_task("greedy", RULES), 0, 5, path, per_deal=True)
    out = str(tmp_path / "deals.parquet")

    def without_writer(*_, **__):
        raise ImportError

    with monkeypatch.context() as patch:
        patch.setattr(pd.DataFrame, "to_parquet", without_writer)
        assert main(["deals", path, "--out", out]) == 2
        assert "Parquet needs pyarrow" in capsys.readouterr().err
    pytest.importorskip("pyarrow")
    assert main(["deals", path, "--out", out]) == 0
    assert pd.read_parquet(out).equals(deal_table(read_rows(path)))


def test_games_without_second_rounds_need_not_know_of_them(fake_game):
    import fakegame

    assert not hasattr(fakegame, "first_round")
    assert collect_module.collect(fakegame.make_task("threads"), 0, 10, None)[0].deals == 10
