"""What exactly is to be computed, and the name that follows from it."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from dealstats.errors import InputError


@dataclass(frozen=True, eq=False)
class Task:
    """Everything that can change the result of a numbered deal, apart from its number.

    Rules, options and versions may nest text, whole numbers, booleans, None, lists and dicts with
    text keys. Floats are refused, because their text is not the same everywhere. The task keeps
    copies, so that its id stays true. Two tasks are equal if their ids are.

    Parameters
    ----------
    game, player : str
        Names that the game registry and the game know; a player may also be a solver.
    rules : mapping
        The options of the game.
    seed : int
        Seed of the deal stream.
    scheme : str
        How a seed and an index make a deck.
    options : mapping
        What the player can be told, such as a node budget.
    versions : mapping
        Versions of the code that decides results, by its name.

    Raises
    ------
    InputError
        If a value is of another kind, or a name is empty or has unprintable characters.
    """

    game: str
    player: str
    rules: Mapping[str, Any]
    seed: int = 0
    scheme: str = "philox1"
    options: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("game", "player", "scheme"):
            text = getattr(self, name)
            if not (isinstance(text, str) and text and text.isprintable()):
                raise InputError(f"a task's {name} cannot be {text!r}")
        if type(self.seed) is not int:  # True is an int, but no seed
            raise InputError(f"a task's seed cannot be {self.seed!r}")
        for name in ("rules", "options", "versions"):
            value = getattr(self, name)
            if not isinstance(value, Mapping):
                raise InputError(f"a task's {name} cannot be {value!r}")
            object.__setattr__(self, name, _plain_copy(value, name))

    def __eq__(self, other: object) -> bool:
        # Not by field: 1 == True in Python, but they are different options.
        return isinstance(other, Task) and self.canonical_json == other.canonical_json

    def __hash__(self) -> int:
        return hash(self.canonical_json)

    @cached_property
    def canonical_json(self) -> str:
        """The one ASCII text of this task: keys sorted, no blanks."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))

    @cached_property
    def strong_id(self) -> str:
        """SHA-256 of :attr:`canonical_json`, 64 hexadecimal digits."""
        return sha256_hex(self.canonical_json)

    @classmethod
    def from_json(cls, text: str) -> "Task":
        """The task that :attr:`canonical_json` describes.

        Raises
        ------
        InputError
            If `text` is not the JSON object of a task.
        """
        try:
            return cls(**json.loads(text))
        except (TypeError, ValueError) as problem:
            raise InputError(f"{text!r} does not describe a task: {problem}") from problem


def sha256_hex(text: str) -> str:
    """SHA-256 of a text in UTF-8, 64 hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def _plain_copy(value: Any, place: str) -> Any:
    """A deep copy in plain dicts and lists; `place` names the value in an error."""
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise InputError(f"{place} has the key {key!r}; keys of a task are text")
        return {key: _plain_copy(item, f"{place}.{key}") for key, item in value.items()}
    if isinstance(value, list):
        return [_plain_copy(item, f"{place}[{index}]") for index, item in enumerate(value)]
    if value is None or isinstance(value, (str, int)):
        return value
    raise InputError(
        f"{place} is {value!r}, a {type(value).__name__}; a task holds only text, "
        "whole numbers, booleans, None, lists and dicts"
    )
