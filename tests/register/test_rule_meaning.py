"""What a rule means for a player: parts, exceptions, examples, neighbours."""

from __future__ import annotations

from flagplot.register import Rule, find, register
from flagplot.register.meaning import meaning

OPENING = ["17", "18", "19", "22.1", "22.2", "22.3", "22.4", "22.5", "22.6", "22.7", "22.8", "22.9"]
OPENING += ["23.1", "23.2", "23.3", "23.4", "23.5", "23.6", "23.7", "23.8", "SOP-NC", "SOP-NI", "SOP-PA"]
"""The rules that are a part of nothing."""


def ids(rules: tuple[Rule, ...]) -> list[str]:
    return [rule.id for rule in rules]


def test_what_belongs_to_a_rule_and_what_limits_it() -> None:
    told = meaning(find("22.521D"))
    assert ids(told.above) == ["22.5", "22.52", "22.521"]
    assert ids(told.parts) == ["22.521D.1", "22.521D.2"]
    told = meaning(find("22.522"))
    assert ids(told.parts) == ["22.522A", "22.522B", "22.522-N"], "of a section all belongs to it"
    told = meaning(find("23.73"))
    assert ids(told.parts) == ["23.73.1", "23.73.2", "23.73.3", "23.73.4"], "a limit is made of limits"
    told = meaning(find("22.523"))
    assert ids(told.exceptions) == ["22.523A", "22.523B", "22.523C"]
    assert ids(told.parts) == ["22.523D", "22.523E"]


def test_an_example_is_shown_as_one() -> None:
    assert ids(meaning(find("23.33")).examples) == ["23.33.EX1"]
    assert ids(meaning(find("19.65")).examples) == ["19.65#ex1", "19.65#ex2"]


def test_related_rules_are_those_it_cites_and_those_around_it() -> None:
    told = meaning(find("22.425D.2.1"))
    assert "22.425D.2.2" in ids(told.related)
    assert "23.33" in ids(meaning(find("SOP-NC-I.C.2.a")).related)
    assert "17.33E" in ids(meaning(find("23.33")).related), "it cites 23.33"
    assert meaning(find("22.45")).rule.id not in ids(meaning(find("22.45")).related)


def test_where_it_is_met() -> None:
    assert "naval battle" in meaning(find("22.451A")).met_in
    assert meaning(find("LOB-11")).met_in == ("Line of Battle",)


def test_every_rule_below_a_chapter_is_a_part_of_another_one() -> None:
    alone = [rule.id for rule in register().values() if not meaning(rule).above]
    assert [name for name in alone if not name.startswith(("T", "LOB"))] == OPENING


def test_every_rule_leads_on_to_others() -> None:
    assert not [rule.id for rule in register().values() if not meaning(rule).related]
