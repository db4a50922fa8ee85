"""The shape of scenario files, said once: it checks a file (all faults at once) and prints the JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, Protocol

from flagplot.kernel.errors import Fault, quoted
from flagplot.kernel.words import listing


class Shape(Protocol):
    """Something that a value of a file must be."""

    about: str

    def check(self, value: Any, place: str, faults: list[Fault]) -> Any:
        """The value, completed by defaults; what is wrong with it is added to the faults."""
        ...

    def schema(self) -> dict[str, Any]: ...


class Text:
    """A piece of text, perhaps one of a few."""

    def __init__(self, about: str, *choices: str, rule: str = "") -> None:
        self.about, self.choices, self.rule = about, choices, rule

    def check(self, value: Any, place: str, faults: list[Fault]) -> str:
        if not isinstance(value, str):
            faults.append(Fault(place, f"{quoted(value)} should be text"))
        elif self.choices and value not in self.choices:
            faults.append(Fault(place, f"{quoted(value)} is not {listing(list(self.choices), 'or')}", self.rule))
        elif not value:
            faults.append(Fault(place, "this must not be empty"))
        else:
            return value
        return self.choices[0] if self.choices else ""

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "description": self.about} | ({"enum": [*self.choices]} if self.choices else {})


class Whole:
    """A whole number between bounds."""

    def __init__(self, about: str, least: int = 0, most: int = 999, rule: str = "") -> None:
        self.about, self.least, self.most, self.rule = about, least, most, rule

    def check(self, value: Any, place: str, faults: list[Fault]) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            faults.append(Fault(place, f"{quoted(value)} should be a whole number"))
            return self.least
        if not self.least <= value <= self.most:
            faults.append(Fault(place, f"{value} is not between {self.least} and {self.most}", self.rule))
            return self.least
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.least, "maximum": self.most, "description": self.about}


class Flag:
    """True or false."""

    def __init__(self, about: str) -> None:
        self.about = about

    def check(self, value: Any, place: str, faults: list[Fault]) -> bool:
        if not isinstance(value, bool):
            faults.append(Fault(place, f"{quoted(value)} should be true or false"))
            return False
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean", "description": self.about}


class Items:
    """A list of things of one shape."""

    def __init__(self, about: str, of: Shape, least: int = 0, most: int = 99) -> None:
        self.about, self.of, self.least, self.most = about, of, least, most

    def check(self, value: Any, place: str, faults: list[Fault]) -> list[Any]:
        if not isinstance(value, Sequence) or isinstance(value, str):
            faults.append(Fault(place, f"{quoted(value)} should be a list"))
            return []
        if not self.least <= len(value) <= self.most:
            count = self.least if self.least == self.most else f"{self.least} to {self.most}"
            faults.append(Fault(place, f"there should be {count} of these, not {len(value)}"))
        return [self.of.check(item, f"{place}[{number}]", faults) for number, item in enumerate(value)]

    def schema(self) -> dict[str, Any]:
        return {
            "type": "array",
            "items": self.of.schema(),
            "minItems": self.least,
            "maxItems": self.most,
            "description": self.about,
        }


class Named:
    """A table whose keys are free names and whose values have one shape."""

    def __init__(self, about: str, of: Shape) -> None:
        self.about, self.of = about, of

    def check(self, value: Any, place: str, faults: list[Fault]) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            faults.append(Fault(place, f"{quoted(value)} should be a table"))
            return {}
        return {name: self.of.check(part, f"{place}.{name}", faults) for name, part in value.items()}

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": self.of.schema(), "description": self.about}


class Anything:
    """Left to somebody else to check."""

    def __init__(self, about: str, *kinds: str) -> None:
        self.about, self.kinds = about, kinds

    def check(self, value: Any, place: str, faults: list[Fault]) -> Any:
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": self.kinds[0] if len(self.kinds) == 1 else [*self.kinds], "description": self.about}


class Table:
    """A table of known keys: those without a default are needed, unknown ones are faults."""

    def __init__(self, about: str, needed: Mapping[str, Shape], optional: Mapping[str, tuple[Shape, Any]]) -> None:
        self.about, self.needed, self.optional = about, needed, optional

    def check(self, value: Any, place: str, faults: list[Fault]) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            faults.append(Fault(place or "the file", f"{quoted(value)} should be a table"))
            value = {}
        known = {**self.needed, **{key: shape for key, (shape, _) in self.optional.items()}}
        inside = f"{place}." if place else ""
        for key in value:
            if key not in known:
                faults.append(Fault(f"{inside}{key}", f"no such key here; use {', '.join(known)}"))
        read = {key: deepcopy(default) for key, (_, default) in self.optional.items()}
        for key, shape in known.items():
            if key in value:
                read[key] = shape.check(value[key], f"{inside}{key}", faults)
            elif key in self.needed:
                faults.append(Fault(f"{inside}{key}", f"this is missing: {shape.about}"))
                read[key] = _blank(shape)
        return read

    def schema(self) -> dict[str, Any]:
        properties = {key: shape.schema() for key, shape in self.needed.items()}
        for key, (shape, default) in self.optional.items():
            properties[key] = shape.schema() | ({} if default is None else {"default": default})
        return {
            "type": "object",
            "properties": properties,
            "required": list(self.needed),
            "additionalProperties": False,
            "description": self.about,
        }


def _blank(shape: Shape) -> Any:
    """Something of the shape to go on with after a fault, so that the other faults are found too."""
    return shape.check({Text: "", Whole: 0, Items: [], Named: {}, Table: {}}.get(type(shape)), "", [])
