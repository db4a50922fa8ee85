"""The state as the closing line of a save hashes it. Saves outlive the shape of the code: those of these rules were
finished when the state was flat, and they prove its hash. So its parts are written out here among its own fields, under
the names that they had then. Whoever adds a field to the state makes new rules, under a new `version`."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.state.state import State
from flagplot.kernel.plain_data import to_plain

Plain = dict[str, Any]

PARTS: dict[str, dict[str, str]] = {
    "battle": {},
    "this_round": {},
    "losses": {"air": "lost", "ships": "sunk", "elsewhere": "sunk_elsewhere", "cargo": "cargo_lost"},
    "elsewhere": {"destroyers": "destroyers_elsewhere", "transports": "shielded"},
    "operation_if_any": {},
    "last_raids": {
        "stage": "attacked_in",
        "inverted": "attacked",
        "by_land": "attacked_by_land",
        "on_ships": "ports_struck",
        "by_kamikazes": "ports_dived",
    },
    "turn_if_any": {"plan": "turn"},
}
"""The parts of a state that are written out, a part of a part after it, and those of their fields that had other
names."""


def save_form(state: State) -> Plain:
    """The flat form of a state."""
    form: Plain = to_plain(state)
    fixed = {**form.pop("setting"), "kamikaze_growth": form.pop("kamikaze_growth")}
    form["setting"] = {**fixed, **form.pop("scene")}
    for part, names in PARTS.items():
        _write_out(form, part, names)
    groups = [*form["groups"].values(), *form["departed"].values()]
    if state.operation_if_any is not None:
        form["plan"]["setting"] = {**fixed, **form.pop("between")}
        groups += [force["group"] for force in form["fleet"].values()]
    for group in groups:
        _write_out(group, "this_round", {})
    return form


def _write_out(form: Plain, part: str, names: dict[str, str]) -> None:
    """The fields of a part stand among those of what it is a part of, if there is one."""
    for name, value in (form.pop(part, None) or {}).items():
        form[names.get(name, name)] = value
