import hashlib
import pickle
import subprocess
import sys
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealstats.errors import InputError
from dealstats.games import load_game
from dealstats.task import Task

NAMES = st.text(st.characters(exclude_categories=["C", "Z"], include_characters=" "), min_size=1)
PLAIN_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.text(), values, max_size=3),
    max_leaves=6,
)
OPTIONS = st.dictionaries(st.text(), PLAIN_VALUES, max_size=4)
VALUES_OF_FIELD = {
    "game": NAMES,
    "player": NAMES,
    "rules": OPTIONS,
    "seed": st.integers(),
    "scheme": NAMES,
    "options": OPTIONS,
    "versions": st.dictionaries(st.text(), st.integers(), max_size=3),
}
TASKS = st.builds(Task, **VALUES_OF_FIELD)


def test_canonical_json_is_a_fixed_text():
    task = Task("klondike", "greedy", {"redeals": None, "draw": 3, "whole_runs": False}, seed=7)
    assert task.canonical_json == (
        '{"game":"klondike","options":{},"player":"greedy",'
        '"rules":{"draw":3,"redeals":null,"whole_runs":false},'
        '"scheme":"philox1","seed":7,"versions":{}}'
    )
    assert task.strong_id == hashlib.sha256(task.canonical_json.encode("ascii")).hexdigest()


@settings(max_examples=50)
@given(TASKS)
def test_json_round_trip(task):
    again = Task.from_json(task.canonical_json)
    assert again == task
    assert all(getattr(again, f.name) == getattr(task, f.name) for f in fields(Task))
    assert hash(again) == hash(task)
    assert task.canonical_json.isascii()
    assert pickle.loads(pickle.dumps(task)) == task


@pytest.mark.parametrize("name", VALUES_OF_FIELD)
@settings(max_examples=20)
@given(data=st.data(), task=TASKS)
def test_the_id_changes_with_every_field(name, data, task):
    changed = replace(task, **{name: data.draw(VALUES_OF_FIELD[name])})
    same = with_types(getattr(changed, name)) == with_types(getattr(task, name))
    assert (changed.strong_id == task.strong_id) == same
    assert (changed == task) == same


def with_types(value):
    """A copy that tells 1 from True."""
    if isinstance(value, dict):
        return {key: with_types(item) for key, item in value.items()}
    if isinstance(value, list):
        return list(map(with_types, value))
    return type(value), value


@given(rules=OPTIONS, data=st.data())
def test_the_order_of_keys_does_not_change_the_id(rules, data):
    shuffled = dict(data.draw(st.permutations(list(rules.items()))))
    assert Task("g", "p", shuffled).strong_id == Task("g", "p", rules).strong_id


def test_true_and_one_are_different_options():
    assert Task("g", "p", {"draw": True}) != Task("g", "p", {"draw": 1})


def test_a_task_keeps_copies():
    rules = {"piles": [1, 2]}
    task = Task("g", "p", rules)
    rules["piles"].append(3)
    assert task.rules == {"piles": [1, 2]}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rules": {"rate": 0.5}}, r"rules\.rate is 0\.5, a float"),
        ({"rules": {"piles": [1, (2, 3)]}}, r"rules\.piles\[1\] is \(2, 3\), a tuple"),
        ({"options": {"deep": {3: 4}}}, r"options\.deep has the key 3"),
        ({"rules": None}, "rules cannot be None"),
        ({"game": ""}, "game cannot be ''"),
        ({"player": "two\nlines"}, r"player cannot be 'two\\nlines'"),
        ({"seed": 1.0}, r"seed cannot be 1\.0"),
        ({"seed": True}, "seed cannot be True"),
    ],
)
def test_values_without_a_sure_text_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        Task(**{"game": "g", "player": "p", "rules": {}} | arguments)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"game":"g","player":"p","rules":{},"hat":1}', "3", "{"]
)
def test_text_that_is_no_task_is_refused(text):
    with pytest.raises(InputError, match="does not describe a task"):
        Task.from_json(text)


def test_an_unknown_game_is_refused():
    with pytest.raises(InputError, match=r"no game is called 'chess'; there are .*devilsgrip"):
        load_game("chess")


def test_reading_and_collecting_import_nothing_heavy():
    code = (
        "import sys, dealstats.collect; "
        "sys.exit(' '.join({'numba', 'pandas', 'matplotlib'} & set(sys.modules)) or 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
