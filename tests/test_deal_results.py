"""Results of single deals: in rows, in files, in runs that are stopped and go on."""

import os
from dataclasses import replace

import fakegame
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealstats.collect import collect
from dealstats.deal_results import (
    DealResults,
    format_deals,
    joined_deals,
    parse_deals,
)
from dealstats.errors import InputError, UnusableRows
from dealstats.rows import (
    DEALS_HEADER,
    HEADER,
    BlockResult,
    Row,
    append_row,
    combine,
    format_file,
    format_row,
    joined,
    parse_row,
    read_rows,
    single_deals,
)

TASK = fakegame.make_task("threads")
RESULTS = DealResults("wllu", (0, 12, -3, 12))

deal_lists = st.lists(
    st.tuples(st.sampled_from("wlu"), st.integers(), st.integers(0, 10**12)), min_size=1
)


pytestmark = pytest.mark.usefixtures("fake_game")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "rows.csv"


def row_of(results, first_deal=0):
    result = BlockResult.of_deals(results, nodes=sum(results.nodes, 0) or 7)
    return Row.of_block(TASK, first_deal, len(results.outcomes), result, seconds=0.5)


def without_deals(row):
    return replace(row, deal_results=None)


def true_results(first_deal, deals):
    return fakegame.play_batch(TASK, first_deal, deals).deal_results


# Single values


def test_counts_follow_from_the_deals():
    result = BlockResult.of_deals(RESULTS, nodes=7)
    assert result == BlockResult(1, 2, 1, 7, {-3: 1, 0: 1, 12: 2}, RESULTS)


@given(st.lists(st.tuples(st.booleans(), st.integers(-(2**63), 2**63 - 1))))
def test_games_played_to_their_end(games):
    won, scores = [each[0] for each in games], [each[1] for each in games]
    results = DealResults("".join("w" if each else "l" for each in won), tuple(scores))
    block = BlockResult.of_games(np.array(won, bool), np.array(scores, np.int64), nodes=7)
    assert block == BlockResult.of_deals(results, nodes=7)
    numbers = [*block[:4], *block.score_counts, *block.score_counts.values()]
    assert {type(number) for number in [*numbers, *block.deal_results.scores]} == {int}


@given(deal_lists)
def test_columns_round_trip(deals):
    outcomes, scores, nodes = zip(*deals, strict=True)
    results = DealResults("".join(outcomes), scores, nodes if sum(nodes) else ())
    columns = format_deals(results).split(",")
    assert parse_deals(*columns) == results
    assert joined_deals(DealResults(o, (s,), (n,)) for o, s, n in deals) == DealResults(
        "".join(outcomes), scores, nodes
    )
    assert joined_deals([RESULTS, results]).nodes == ()
    line = format_row(row_of(results), per_deal=True)
    assert parse_row(line, per_deal=True) == row_of(results)


def test_absent_results_are_empty_columns():
    row = without_deals(row_of(RESULTS))
    assert format_row(row, per_deal=True) == f"{format_row(row)},,,"
    assert parse_row(f"{format_row(row)},,,", per_deal=True) == row


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("", "unexpected end of data"),
        (",wllu", "unexpected end of data"),
        (",wllu,0", "unexpected end of data"),
        (",wllu,0,12,1", "17 columns instead of 16"),
        (",wllx,0 12 -3 12,", "other letters than w, l and u"),
        (",wllu,,", "scores do not sum up to score_counts"),
        (",wllu,0 12 -3 x,", "invalid literal"),
        (",wllu,0 12 -3 012,", "not plain whole numbers"),
        (",wllu,0 12 -3 12 ,", "invalid literal"),
        (",wlll,0 12 -3 12,", "outcomes do not sum up to won, lost and unknown"),
        (",wllu,0 12 -3 13,", "scores do not sum up to score_counts"),
        (",,0 12 -3 12,", "outcomes do not sum up"),
        (",wllu,0 12 -3 12,1 2 3", "deal_nodes do not sum up to nodes"),
        (",wllu,0 12 -3 12,1 2 3 9", "deal_nodes do not sum up to nodes"),
        (",wllu,0 12 -3 12,1 2 3 1_0", "not plain whole numbers"),
    ],
)
def test_damaged_columns_are_refused(columns, message):
    line = format_row(row_of(RESULTS)) + columns
    with pytest.raises(UnusableRows, match=rf"not a result row \(.*({message})"):
        parse_row(line, per_deal=True)


# Files


def test_a_file_with_deals_is_a_fixed_text(path):
    rows = [row_of(RESULTS), without_deals(row_of(RESULTS, 4))]
    with open(path, "ab", buffering=0) as file:
        for row in rows:
            append_row(file, row, per_deal=True)
    header, first, second = path.read_text().splitlines()
    assert header == DEALS_HEADER == f"{HEADER},outcomes,scores,deal_nodes"
    assert first == f"{format_row(rows[0])},wllu,0 12 -3 12,"
    assert second == f"{format_row(rows[1])},,,"
    assert read_rows(path) == rows
    assert format_file(rows) == path.read_text()
    assert format_file(rows[1:]) == f"{HEADER}\n{format_row(rows[1])}\n"


def test_a_block_may_be_longer_than_columns_of_csv_files_are():
    results = DealResults("w" * 200_000, (10,) * 200_000)
    line = format_row(row_of(results), per_deal=True)
    assert parse_row(line, per_deal=True) == row_of(results)


# Unions


def test_a_block_with_and_without_its_deals_is_one_with_them():
    row = row_of(RESULTS)
    for rows in ([row, without_deals(row)], [without_deals(row), row], [row, row]):
        assert combine(rows) == [row]


def test_contradicting_deals_are_an_error():
    row = row_of(RESULTS)
    other = row_of(DealResults("lwlu", RESULTS.scores))
    more = without_deals(row_of(DealResults("wwlu", RESULTS.scores)))
    for rows in ([row, other], [row, more], [more, row]):
        with pytest.raises(UnusableRows, match="occurs twice, with different counts"):
            combine(rows)


def test_joined_blocks_keep_their_deals_if_all_have_them():
    rows = [row_of(RESULTS, 4), row_of(DealResults("w", (0,)), 8), row_of(RESULTS)]
    (row,) = joined(rows)
    assert row.deal_results == joined_deals([RESULTS, RESULTS, DealResults("w", (0,))])
    assert joined([*rows[:2], without_deals(rows[2])])[0].deal_results is None
    assert single_deals([]) == DealResults("", ())


# Collections


@pytest.mark.parametrize("player", ["threads", "processes"])
def test_single_deals_are_kept_where_they_are_asked_for(path, player):
    task = fakegame.make_task(player)
    rows = collect(task, 5, 25, path, jobs=2, per_deal=True)
    assert single_deals(rows) == true_results(5, 25)
    assert read_rows(path) == rows
    plain = collect(task, 5, 25, None, jobs=2)
    assert [replace(row, seconds=0) for row in plain] == [
        replace(without_deals(row), seconds=0) for row in rows
    ]


def test_a_run_goes_on_with_single_deals(path):
    collect(TASK, 0, 17, path, per_deal=True)
    rows = collect(TASK, 0, 40, path, block_deals=7, per_deal=True)
    assert single_deals(rows) == true_results(0, 40)
    before = path.read_bytes()
    assert collect(TASK, 0, 40, path, per_deal=True) == rows
    assert path.read_bytes() == before


@pytest.mark.filterwarnings("ignore:.*torn last line left out")
@pytest.mark.parametrize("whole_rows", [0, 2])
def test_a_last_line_torn_anywhere_is_mended(path, whole_rows):
    deals = 5 * (whole_rows + 1)
    collect(TASK, 0, deals, path, block_deals=5, per_deal=True)
    whole = path.read_bytes()
    torn_from = sum(map(len, whole.splitlines(keepends=True)[: whole_rows and whole_rows + 1]))
    for length in range(torn_from, len(whole)):
        path.write_bytes(whole[:length])
        mended = collect(TASK, 0, deals, path, block_deals=5, per_deal=True)
        assert single_deals(mended) == true_results(0, deals)
        assert read_rows(path) == mended


def test_a_file_with_columns_for_single_deals_also_takes_rows_without_them(path):
    collect(TASK, 0, 10, path, per_deal=True)
    collect(TASK, 10, 10, path)
    assert [row.deal_results is None for row in read_rows(path)] == [False, True]
    with pytest.raises(InputError, match="some of these deals without their single results"):
        collect(TASK, 0, 30, path, per_deal=True)
    assert single_deals(collect(TASK, 20, 10, path, per_deal=True)) == true_results(20, 10)


def test_a_file_without_columns_for_single_deals_takes_none(path):
    collect(TASK, 0, 10, path)
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"rows\.csv: .*no columns for the results of single"):
        collect(TASK, 10, 10, path, per_deal=True)
    assert path.read_bytes() == before


def test_a_game_that_tells_nothing_of_single_deals_is_refused(path):
    task = fakegame.make_task("secretive")
    with pytest.raises(InputError, match="fake secretive does not tell"):
        collect(task, 0, 10, path, per_deal=True)
    assert not os.path.exists(path)
    assert sum(row.deals for row in collect(task, 0, 10, path)) == 10
