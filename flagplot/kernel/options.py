"""Variants and disputed readings: fields of one frozen value, each described, each with its alternatives.

A ruleset declares its options as a frozen dataclass whose fields are made by `reading`. The default is the reading
that the project chose (`docs/rulings.md` says why); the alternatives can be switched on by a scenario or a player.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any, TypeVar

from flagplot.kernel.errors import Fault

O = TypeVar("O")  # noqa: E741 - the options type of a ruleset
V = TypeVar("V", str, bool)


@dataclass(frozen=True, slots=True)
class Reading:
    """What players are told of an option."""

    name: str
    default: str | bool
    alternatives: tuple[str | bool, ...]
    rules: tuple[str, ...]
    about: str

    def as_dict(self) -> dict[str, object]:
        return {
            "name": self.name,
            "default": self.default,
            "alternatives": list(self.alternatives),
            "rules": list(self.rules),
            "about": self.about,
        }


def reading(default: V, *others: V, rules: str, about: str) -> V:
    """Declare an option: its default, the other readings, the rule numbers (space-separated), what it decides."""
    value: V = field(default=default, metadata={"others": others, "rules": tuple(rules.split()), "about": about})
    return value


def describe(kind: type[Any]) -> list[Reading]:
    """All options of a ruleset, for people and programs."""
    return [_described(part) for part in fields(kind)]


def _described(part: Field[Any]) -> Reading:
    default: Any = part.default
    about = part.metadata
    return Reading(part.name, default, (default, *about["others"]), about["rules"], about["about"])


def read_options(base: O, given: Mapping[str, Any], place: str, faults: list[Fault]) -> O:
    """`base` with the given readings; what is unknown or not an alternative becomes a fault."""
    known = {option.name: option for option in describe(type(base))}
    accepted = {}
    for name, value in given.items():
        if name not in known:
            faults.append(Fault(f"{place}.{name}", f"no such option; use {', '.join(known)}"))
        elif not any(value == other and type(value) is type(other) for other in known[name].alternatives):
            allowed = ", ".join(str(other).lower() for other in known[name].alternatives)
            faults.append(Fault(f"{place}.{name}", f"“{value}” is not one of {allowed}", " ".join(known[name].rules)))
        else:
            accepted[name] = value
    changed: O = replace(base, **accepted)  # type: ignore[type-var]
    return changed
