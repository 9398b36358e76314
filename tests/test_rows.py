import errno
import io
import os
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealstats.errors import UnusableRows
from dealstats.rows import (
    HEADER,
    BlockResult,
    Row,
    append_row,
    combine,
    covered,
    format_row,
    gaps,
    parse_row,
    read_rows,
    summed,
    uncovered,
)
from dealstats.task import Task

TASK = Task("fake", 'the "quoted", player', {"draw": 3})
OTHER_TASK = Task("fake", "other", {})


def make_row(first_deal, deals, task=TASK, won=0, nodes=9, seconds=0.5):
    result = BlockResult(won, deals - won, 0, nodes, {-1: deals})
    return Row.of_block(task, first_deal, deals, result, seconds)


@st.composite
def any_row(draw):
    score_counts = draw(st.dictionaries(st.integers(), st.integers(1, 9), min_size=1, max_size=5))
    deals = sum(score_counts.values())
    won = draw(st.integers(0, deals))
    lost = draw(st.integers(0, deals - won))
    names = st.text(
        st.characters(exclude_categories=["C", "Z"], include_characters=" "), min_size=1
    )
    task = Task(draw(names), draw(names), {draw(st.text()): draw(st.text())}, draw(st.integers()))
    result = BlockResult(won, lost, deals - won - lost, draw(st.integers(0)), score_counts)
    seconds = draw(st.floats(0, 1e9))
    return Row.of_block(task, draw(st.integers(0)), deals, result, seconds)


def write_file(path, *rows):
    with open(path, "ab", buffering=0) as file:
        for row in rows:
            append_row(file, row)


def test_a_file_is_a_fixed_text(tmp_path):
    path = tmp_path / "rows.csv"
    row = Row.of_block(TASK, 100, 20, BlockResult(2, 17, 1, 345, {5: 8, 0: 12}), 0.25)
    write_file(path, row)
    quoted_json = TASK.canonical_json.replace('"', '""')
    assert path.read_text() == (
        "deals,won,lost,unknown,seconds,nodes,game,player,seed,first_deal,"
        "strong_id,score_counts,json_metadata\n"
        '20,2,17,1,0.25,345,fake,"the ""quoted"", player",0,100,'
        f'{TASK.strong_id},0:12 5:8,"{quoted_json}"\n'
    )
    assert read_rows(path) == [row]
    assert row.task == TASK
    assert row.stop_deal == 120


@settings(max_examples=50)
@given(any_row())
def test_lines_round_trip(row):
    line = format_row(row)
    assert parse_row(line) == row
    assert "\n" not in line


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"deals": 5}, "won [+] lost [+] unknown is 4, but deals is 5"),
        ({"deals": 0, "lost": 0, "score_counts": {}}, "deals is below 1, or another count below 0"),
        ({"won": -1, "lost": 5}, "deals is below 1, or another count below 0"),
        ({"score_counts": {0: 3}}, "score_counts hold 3 deals, not 4"),
        ({"score_counts": {0: 4, 1: 0}}, "a score that no deal reached"),
        ({"seconds": float("nan")}, "nan is no number of seconds"),
        ({"seconds": -1.0}, "-1.0 is no number of seconds"),
        ({"strong_id": OTHER_TASK.strong_id}, "is not the SHA-256 of json_metadata"),
        ({"json_metadata": OTHER_TASK.canonical_json}, "is not the SHA-256 of json_metadata"),
        ({"game": "chess"}, "game 'chess' is not the one in json_metadata"),
        ({"player": "nobody"}, "player 'nobody' is not the one"),
        ({"seed": 1}, "seed 1 is not the one"),
    ],
)
def test_columns_that_contradict_each_other_are_refused(changes, message):
    with pytest.raises(UnusableRows, match=message):
        replace(make_row(0, 4), **changes)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("4,0,4", "4,0", "12 columns instead of 13"),
        ("4,0,4", "4,0,04", "'04' is not a plain whole number"),
        ("4,0,4", "4,0,x", "invalid literal"),
        ("-1:4", "-1", "not enough values"),
        ("-1:4", "-1:2 -1:2", "listed twice"),
        ('}"', '}"x', "expected after"),
        ('}"', "}", "unexpected end"),
    ],
)
def test_damaged_lines_are_refused(old, new, message):
    line = format_row(make_row(0, 4))
    assert old in line
    with pytest.raises(UnusableRows, match=message):
        parse_row(line.replace(old, new))


def test_a_damaged_line_is_named(tmp_path):
    path = tmp_path / "rows.csv"
    write_file(path, make_row(0, 4), make_row(4, 4))
    path.write_text(path.read_text().replace("4,0,4", "5,0,4", 1))
    with pytest.raises(UnusableRows, match=r"rows\.csv:2: .*but deals is 5"):
        read_rows(path)


@pytest.mark.parametrize("tail", [b"8,1,7", b"8,1,7\n", b"\xff\n", b"\n", b"\0\0\0"])
def test_a_torn_last_line_is_left_out_with_a_warning(tmp_path, tail):
    path = tmp_path / "rows.csv"
    write_file(path, make_row(0, 4))
    with path.open("ab") as file:
        file.write(tail)
    with pytest.warns(UserWarning, match=r"rows\.csv:3: torn last line left out"):
        assert read_rows(path) == [make_row(0, 4)]


def test_a_torn_header_is_left_out_with_a_warning(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text(HEADER[:10])
    with pytest.warns(UserWarning, match=r"rows\.csv:1: torn last line"):
        assert read_rows(path) == []


@pytest.mark.parametrize("text", ["hello", "hello\n", f"{HEADER},more\n", "\n", f"{HEADER}x"])
def test_another_file_is_refused(tmp_path, text):
    path = tmp_path / "notes.txt"
    path.write_text(text)
    with pytest.raises(UnusableRows, match=r"notes\.txt:1: not the header"):
        read_rows(path)


def test_an_empty_file_has_no_rows(tmp_path):
    path = tmp_path / "rows.csv"
    path.touch()
    assert read_rows(path) == []


class FullDisk(io.FileIO):
    """A file on a disk that takes only a part of a row."""

    def write(self, data):
        return super().write(data[:10])


def refusing_fsync(descriptor):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize(
    ("file_type", "fsync"), [(FullDisk, os.fsync), (io.FileIO, refusing_fsync)]
)
def test_a_failed_append_leaves_the_file_as_it_was(tmp_path, monkeypatch, file_type, fsync):
    path = tmp_path / "rows.csv"
    write_file(path, make_row(0, 4))
    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", fsync)
    with file_type(path, "a") as file, pytest.raises(OSError, match=r"rows\.csv") as caught:
        append_row(file, make_row(4, 4))
    assert caught.value.errno == errno.ENOSPC
    assert path.read_bytes() == before


def test_the_same_block_counts_once():
    row = make_row(0, 4, seconds=1.0)
    assert combine([row, make_row(4, 4), replace(row, seconds=2.0)]) == [row, make_row(4, 4)]


def test_combined_rows_are_in_order_of_task_and_deal():
    rows = [make_row(8, 4), make_row(0, 1, OTHER_TASK), make_row(0, 4)]
    assert combine(rows) == [make_row(0, 4), make_row(8, 4), make_row(0, 1, OTHER_TASK)]


@pytest.mark.parametrize("changes", [{"won": 1}, {"nodes": 1}])
def test_the_same_deals_with_other_counts_are_an_error(changes):
    with pytest.raises(UnusableRows, match=r"block 0:4 of fake .* twice, with different counts"):
        combine([make_row(0, 4), make_row(0, 4, **changes)])


@pytest.mark.parametrize(("first_deal", "deals"), [(2, 4), (0, 2), (1, 1), (3, 1), (0, 9)])
def test_overlapping_blocks_are_an_error(first_deal, deals):
    other = make_row(first_deal, deals)
    for rows in ([make_row(0, 4), other], [other, make_row(0, 4)]):
        with pytest.raises(UnusableRows, match="overlaps block") as caught:
            combine(rows)
        assert "block 0:4 " in str(caught.value)
        assert f"block {first_deal}:{first_deal + deals} " in str(caught.value)


def test_gaps_are_the_ranges_between_rows():
    rows = [make_row(20, 5), make_row(0, 4), make_row(4, 4), make_row(30, 1)]
    assert gaps(rows) == [(8, 20), (25, 30)]
    assert covered(rows) == [(0, 8), (20, 25), (30, 31)]
    assert gaps([]) == []


@given(st.sets(st.integers(0, 30)), st.integers(0, 30), st.integers(0, 30))
def test_uncovered_is_what_no_row_holds(held, first_deal, deals):
    wanted = range(first_deal, first_deal + deals)
    missing = uncovered([make_row(deal, 1) for deal in held], wanted.start, wanted.stop)
    assert [deal for start, stop in missing for deal in range(start, stop)] == [
        deal for deal in wanted if deal not in held
    ]


def test_a_total_sums_each_task_without_repeats():
    first = Row.of_block(TASK, 0, 4, BlockResult(1, 2, 1, 10, {5: 3, 0: 1}), 0.5)
    second = Row.of_block(TASK, 9, 2, BlockResult(2, 0, 0, 20, {0: 2}), 0.25)
    mine, other = summed([second, first, make_row(0, 1, OTHER_TASK), first])
    assert (mine.task, mine.deals, mine.won, mine.lost, mine.unknown) == (TASK, 6, 3, 2, 1)
    assert (mine.seconds, mine.nodes, mine.score_counts) == (0.75, 30, {0: 3, 5: 3})
    assert mine.ranges == [(0, 4), (9, 11)]
    assert (other.task, other.deals) == (OTHER_TASK, 1)
