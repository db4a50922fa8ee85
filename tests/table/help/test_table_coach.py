"""The coach of a lesson on the page: where a newcomer plays its battle against the program, and nowhere else."""

from __future__ import annotations

from flagplot.table.tables import Tables
from tests.table.nonces import fresh_nonce

BATTLE = "first-battle"


def test_the_coach_speaks_at_the_first_decision_of_each_kind(tables: Tables) -> None:
    made = tables.create(BATTLE, seats={"allies": "doctrine"})
    look = tables.look(made.game, "japan", sheet=True)
    assert [step.number for step in look.coach] == [1, 2]
    assert look.sheet is not None
    tables.confirm_plan(made.game, "japan", {}, look.sheet.moment, fresh_nonce())
    told = {step.number for step in tables.look(made.game, "japan", sheet=True).coach}
    assert not told & {1, 2}, "once is enough"


def test_between_people_and_elsewhere_there_is_no_coach(tables: Tables) -> None:
    people = tables.create(BATTLE)
    assert tables.look(people.game, "japan", sheet=True).coach == ()
    other = tables.create("coral-sea", seats={"allies": "doctrine"})
    assert tables.look(other.game, "japan", sheet=True).coach == ()
