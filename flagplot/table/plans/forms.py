"""What the form of a plan sends, read: what stands in its fields, and which of it the side has set itself."""

from __future__ import annotations

from collections.abc import Mapping

from flagplot.kernel.sheets import Answers

FIELD, STAFF, PICK = "field.", "staff.", "pick."
"""How the names of a form's entries begin: what stands in a field, what the staff had put there, and what was clicked
on the board."""


def entries(form: Mapping[str, str], begin: str = FIELD) -> Answers:
    """What stands in the fields."""
    return {name.removeprefix(begin): value for name, value in form.items() if name.startswith(begin)}


def own_answers(form: Mapping[str, str]) -> Answers:
    """What the side has set itself: all that differs from what its staff had put there."""
    staff = entries(form, STAFF)
    own = {key: value for key, value in entries(form).items() if value and staff.get(key) != value}
    return {**own, **entries(form, PICK)}
