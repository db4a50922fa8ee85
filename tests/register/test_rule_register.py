"""The register itself: it is all there, it parses, and twins are joined both ways."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagplot.kernel.errors import UnknownName
from flagplot.register import Rule, closure, find, near, register, twins

KINDS = {
    "definition",
    "effect",
    "example",
    "heading",
    "modifier",
    "note",
    "option",
    "pointer",
    "procedure",
    "restriction",
    "table",
}


def test_the_register_is_complete() -> None:
    rules = register().values()
    assert len(rules) == 1686
    assert sum(rule.is_mechanic for rule in rules) == 1463


def test_every_row_is_filled_in() -> None:
    for name, rule in register().items():
        assert rule.id == name == name.strip()
        assert all([rule.source, rule.title, rule.feature, rule.summary])
        assert rule.kind in KINDS
        assert rule.scope in {"battle", "activity", "turn", "campaign"}
        assert rule.decides in {"", "attacker", "defender", "owner", "both", "moving", "intercepting"}
        assert rule.chance in {"", "1d6", "2d6", "Nd6"}


def test_every_rule_is_told_in_real_words() -> None:
    for rule in register().values():
        assert len(rule.summary.split()) >= 8, rule.id
        assert rule.summary.endswith("."), rule.id
        assert not re.search(r"\b(heading|lead for|pointer|introduces|bullets?)\b", rule.summary.lower()), rule.id
        assert not rule.title.lower().endswith(("heading", "pointer")), rule.id


def test_no_two_neighbours_say_the_same() -> None:
    told = [rule.summary for rule in register().values() if not rule.id.startswith("T")]
    assert not [one for one, other in pairwise(told) if one == other]


def test_the_register_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        register()["1"] = find("19.61")  # type: ignore[index]


@pytest.mark.parametrize(
    ("name", "chapter"),
    [
        ("17", "17"),
        ("22.451D.1", "22"),
        ("T22.45-01", "22"),
        ("23.424#2", "23"),
        ("22.13-EX", "22"),
        ("SOP-NC-I.A", "SOP"),
        ("LOB-01", "LOB"),
    ],
)
def test_chapter(name: str, chapter: str) -> None:
    assert find(name).chapter == chapter


def test_chapters() -> None:
    assert {rule.chapter for rule in register().values()} == {"17", "18", "19", "22", "23", "SOP", "LOB"}


def test_find() -> None:
    assert find("19.61") == register()["19.61"]
    assert find("19.61").as_dict()["id"] == "19.61"


def test_find_tells_the_ids_that_go_on_from_what_was_given() -> None:
    with pytest.raises(UnknownName, match=r"no such rule: “22\.451D\.”") as refusal:
        find("22.451D.")
    assert refusal.value.allowed[:3] == ("22.451D.1", "22.451D.2", "22.451D.3")


def test_find_tells_the_ids_that_look_alike() -> None:
    with pytest.raises(UnknownName) as refusal:
        find("22.451d")
    assert "22.451D" in refusal.value.allowed


@pytest.mark.parametrize("nonsense", ["", "xyzzy"])
def test_find_has_nothing_to_offer_for_nonsense(nonsense: str) -> None:
    with pytest.raises(UnknownName) as refusal:
        find(nonsense)
    assert refusal.value.allowed == ()


def test_near_keeps_to_its_limit() -> None:
    assert len(near("22.", register(), 5)) <= 5
    assert len(near("2", register())) <= 8


def test_twins_are_mechanics_of_the_register_and_symmetric() -> None:
    for name, others in twins().items():
        assert find(name).is_mechanic
        assert others
        assert name not in others
        for other in others:
            assert twins()[other] == others - {other} | {name}


def test_twins_of_a_search_die() -> None:
    assert twins()["T23.72-01"] == {"22.451A", "23.722A", "T22.45-01"}
    assert "22.452C" not in twins()


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh"))))
def test_closure_joins_what_is_joined_through_others(pairs: list[tuple[str, str]]) -> None:
    groups = closure(pairs)
    assert set(groups) == {name for pair in pairs for name in pair}
    for one, other in pairs:
        assert groups[one] | {one} == groups[other] | {other}
    for name, others in groups.items():
        assert name not in others
        assert all(groups[other] | {other} == others | {name} for other in others)


def test_rules_are_values() -> None:
    rule = Rule("1", "book", "Title", "note", "feature", "battle", "", "", "", "", "Summary")
    assert not rule.is_mechanic
    assert len({rule, Rule(**rule.as_dict())}) == 1  # type: ignore[arg-type]
