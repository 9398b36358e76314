"""What the rules of every game can do, being frozen dataclasses of options with named presets."""

from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import Any, ClassVar, Self

from dealstats.errors import ImpossibleRules

REDEALS_CEILING = 1_000_000


class RuleOptions:
    """Base of the rules of a game."""

    presets: ClassVar[Mapping[str, Any]]
    """Rules by name; set once the class is complete."""

    def check_choice(self, name: str, allowed: tuple[Any, ...]) -> None:
        """Raise `ImpossibleRules` unless an option has one of these values."""
        value = getattr(self, name)
        if value not in allowed:
            raise ImpossibleRules(f"{name} {value!r} is not one of {', '.join(map(str, allowed))}")

    def check_redeals(self, redeals: int | None) -> None:
        """Raise `ImpossibleRules` unless that can be a number of redeals."""
        if redeals is not None and not 0 <= redeals <= REDEALS_CEILING:
            raise ImpossibleRules(
                f"redeals {redeals!r} is neither unlimited nor from 0 to {REDEALS_CEILING}"
            )

    def to_dict(self) -> dict[str, Any]:
        """All options by name, in a form that JSON can carry (unlimited redeals are null)."""
        rules: Any = self
        return asdict(rules)

    @classmethod
    def from_dict(cls, options: Mapping[str, Any]) -> Self:
        """The rules with these options, the defaults for the rest.

        Raises
        ------
        ImpossibleRules
            If there is no such option or value.
        """
        rules: Any = cls
        unknown = set(options) - {field.name for field in fields(rules)}
        if unknown:
            raise ImpossibleRules(f"no rule option is called {', '.join(sorted(unknown))}")
        return cls(**options)

    @classmethod
    def preset(cls, name: str, **changes: Any) -> Self:
        """A named preset, with single options changed.

        Raises
        ------
        ImpossibleRules
            If there is no such preset, or a change is not possible.
        """
        if name not in cls.presets:
            names = ", ".join(cls.presets)
            raise ImpossibleRules(f"no preset is called {name!r}; there are {names}")
        rules: Self = replace(cls.presets[name], **changes)
        return rules
