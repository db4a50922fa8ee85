"""The arithmetic of coverage on a small register, the evidence of small trees, and the real tree."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import flagplot.register.tree
from flagplot.kernel.errors import UnknownName
from flagplot.register import Rule
from flagplot.register.citations import Found, Place
from flagplot.register.coverage import Count, coverage, explain, problems
from flagplot.register.evidence import Evidence, gather
from flagplot.register.results import Outcomes, Record, digest, write
from flagplot.register.tree import Tree

FILE = "tests/test_x.py"


def make(name: str, kind: str = "effect", feature: str = "search", scope: str = "battle") -> Rule:
    return Rule(name, "book", f"Title {name}", kind, feature, scope, "", "", "", "", "Summary.")


def cited(*names: str) -> Found:
    return Found({name: [Place("flagplot/a.py", 3, "f")] for name in names})


def passed(*names: str) -> dict[str, Outcomes]:
    return {name: Outcomes((f"{FILE}::test_{name[-1]}",)) for name in names}


RULES = {
    rule.id: rule
    for rule in [
        make("1", "heading"),
        make("1.1"),
        make("1.2", "modifier"),
        make("1.3", feature="surprise"),
        make("T1.1", scope="turn"),
        make("2.1", feature="surprise", scope="turn"),
    ]
}
TWINS = {"1.1": frozenset({"T1.1"}), "T1.1": frozenset({"1.1"})}


def test_nothing_is_covered_without_code_and_tests() -> None:
    found = coverage(evidence=Evidence(RULES))
    assert found.total == Count(5, 0, 0, 0)
    assert [(gap.rule.id, gap.missing) for gap in found.uncovered] == [
        (name, "neither") for name in ["1.1", "1.2", "1.3", "T1.1", "2.1"]
    ]


def test_code_and_a_passing_test_cover_a_rule() -> None:
    evidence = Evidence(RULES, code=cited("1.1", "1.2"), results=passed("1.1", "1.3"))
    found = coverage(evidence=evidence)
    assert found.total == Count(5, 2, 2, 1)
    assert found.total.percent == 20
    missing = {gap.rule.id: gap.missing for gap in found.uncovered}
    assert missing == {"1.2": "no passing test", "1.3": "no code", "T1.1": "neither", "2.1": "neither"}


def test_headings_never_count() -> None:
    found = coverage(evidence=Evidence(RULES, code=cited("1"), results=passed("1")))
    assert found.total == Count(5, 0, 0, 0)


def test_twins_credit_each_other() -> None:
    found = coverage(evidence=Evidence(RULES, TWINS, cited("1.1"), results=passed("T1.1")))
    assert found.total == Count(5, 2, 2, 2)


@pytest.mark.parametrize("end", ["failed", "skipped", "xfailed", "error"])
def test_a_test_that_did_not_pass_uncovers_its_own_rule_only(end: str) -> None:
    results = {"1.1": Outcomes(("t::good",), {"t::bad": end})}
    found = coverage(evidence=Evidence(RULES, TWINS, cited("1.1"), results=results))
    assert found.total == Count(5, 2, 1, 1)
    gap = found.uncovered[0]
    assert (gap.rule.id, gap.missing, gap.failing) == ("1.1", "no passing test", ("t::bad",))


def test_breakdowns() -> None:
    found = coverage(evidence=Evidence(RULES, code=cited("1.1"), results=passed("1.1", "2.1")))
    assert found.by_feature == {"search": Count(3, 1, 1, 1), "surprise": Count(2, 0, 1, 0)}
    assert found.by_scope == {"battle": Count(3, 1, 1, 1), "turn": Count(2, 0, 1, 0)}
    assert found.by_kind == {"effect": Count(4, 1, 2, 1), "modifier": Count(1, 0, 0, 0)}


def test_filters() -> None:
    evidence = Evidence(RULES)
    assert coverage("surprise", evidence=evidence).total.mechanics == 2
    assert coverage(scope="turn", evidence=evidence).total.mechanics == 2
    assert coverage("surprise", "turn", evidence=evidence).total.mechanics == 1
    assert coverage(kind="modifier", evidence=evidence).total.mechanics == 1
    assert coverage(chapter="1", evidence=evidence).total.mechanics == 4
    empty = coverage(kind="modifier", scope="turn", evidence=evidence).total
    assert (empty.mechanics, empty.percent) == (0, 100)


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        ("feature", ("search", "surprise")),
        ("scope", ("battle", "turn")),
        ("kind", ("effect", "modifier")),
        ("chapter", ("1", "2")),
    ],
)
def test_unknown_filters_tell_what_there_is(name: str, allowed: tuple[str, ...]) -> None:
    with pytest.raises(UnknownName, match="heading") as refusal:
        coverage(**{name: "heading"}, evidence=Evidence(RULES))
    assert refusal.value.allowed == allowed


def test_coverage_as_json() -> None:
    evidence = Evidence(RULES, code=cited("1.1"), results=passed("1.1"), notes=("old",))
    data = json.loads(json.dumps(coverage(evidence=evidence).as_dict()))
    assert data["total"] == {"mechanics": 5, "cited": 1, "tested": 1, "covered": 1, "percent": 20.0}
    assert set(data) == {"total", "by_feature", "by_scope", "by_kind", "uncovered", "notes"}
    assert data["uncovered"][0]["id"] == "1.2"
    assert data["by_kind"]["modifier"]["percent"] == 0
    assert data["notes"] == ["old"]


def test_problems_name_the_place_and_what_may_have_been_meant() -> None:
    marks = Found({"9": [Place(FILE, 7, "test_x")], "1.2": [Place(FILE, 8, "test_y")]})
    evidence = Evidence(RULES, code=cited("1.1", "1.1x"), marks=marks)
    code, mark = problems(evidence=evidence)
    assert code.place == "flagplot/a.py:3"
    assert code.message == "f cites “1.1x”, which is not in the register (near: 1.1, T1.1)"
    assert mark.place == f"{FILE}:7"
    assert "test_x is marked with “9”" in mark.message


def test_explain() -> None:
    marks = Found(
        {
            "1.1": [
                Place(FILE, 4, "test_one"),
                Place(FILE, 8, "TestMore"),
                Place(FILE, 20, "test_new"),
                Place("tests/test_y.py", 2, "pytestmark"),
            ]
        }
    )
    ends = Outcomes(
        (f"{FILE}::test_one[a]", f"{FILE}::TestMore::test_it", "tests/test_y.py::test_z"),
        {f"{FILE}::test_gone": "failed"},
    )
    explanation = explain("1.1", evidence=Evidence(RULES, TWINS, cited("T1.1"), marks, {"1.1": ends}))
    assert [(run.test, run.outcome, run.place and run.place.line) for run in explanation.tests] == [
        (f"{FILE}::test_one[a]", "passed", 4),
        (f"{FILE}::TestMore::test_it", "passed", 8),
        ("tests/test_y.py::test_z", "passed", 2),
        (f"{FILE}::test_gone", "failed", None),
        (f"{FILE}::test_new", "not run", 20),
    ]
    assert not explanation.covered
    assert explanation.code == ()
    (twin,) = explanation.twins
    assert twin.rule.id == "T1.1"
    assert twin.covered
    assert twin.code == (Place("flagplot/a.py", 3, "f"),)
    data = json.loads(json.dumps(explanation.as_dict()))
    assert data["tests"][0]["place"] == {"file": FILE, "line": 4, "name": "test_one"}
    assert data["twins"][0]["id"] == "T1.1"


def test_explain_refuses_what_does_not_exist() -> None:
    with pytest.raises(UnknownName, match=r"no such rule: “1\.”. Use 1\.1"):
        explain("1.", evidence=Evidence(RULES))


@pytest.fixture
def small(tmp_path: Path) -> Tree:
    """A checkout with one citation and one mark of a real rule."""
    tree = Tree.at(tmp_path)
    assert tree.tests
    tree.package.mkdir()
    tree.tests.mkdir()
    code = "from flagplot.kernel.rules import rule\n@rule('19.61')\ndef f(): ...\n"
    (tree.package / "a.py").write_text(code, encoding="utf-8")
    mark = "import pytest\n@pytest.mark.rule('19.61')\ndef test_it(): ...\n"
    (tree.tests / "test_x.py").write_text(mark, encoding="utf-8")
    return tree


def record(tree: Tree) -> None:
    assert tree.record
    write(tree.record, Record("2030-01-01T00:00:00+00:00", digest(tree), passed("19.61")))


def test_without_a_record_no_test_counts(small: Tree) -> None:
    evidence = gather(small)
    assert evidence.is_cited("19.61")
    assert not evidence.is_tested("19.61")
    assert "no record" in coverage(evidence=evidence).notes[0]


def test_a_fresh_record_counts_without_a_note(small: Tree) -> None:
    record(small)
    evidence = gather(small)
    assert coverage(evidence=evidence).total.covered == 1
    assert evidence.notes == ()


@pytest.mark.parametrize("folder", ["flagplot/a.py", "tests/test_x.py"])
def test_changed_sources_are_noted(small: Tree, folder: str) -> None:
    record(small)
    path = small.package.parent / folder
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    evidence = gather(small)
    assert coverage(evidence=evidence).total.covered == 1
    assert "changed since the last ./test (2030" in evidence.notes[0]


def test_sources_that_cite_nothing_may_change(small: Tree) -> None:
    record(small)
    (small.package / "b.py").write_text("x = 1\n", encoding="utf-8")
    assert gather(small).notes == ()


def test_an_installed_package_says_that_it_has_no_tests(small: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    assert small.tests
    shutil.rmtree(small.tests)
    (small.package / "register").mkdir()
    monkeypatch.setattr(flagplot.register.tree, "__file__", str(small.package / "register" / "tree.py"))
    assert Tree.here() == Tree(small.package)
    found = coverage()
    assert found.total.cited == 1
    assert found.total.tested == 0
    assert "installed package has no tests" in found.notes[0]


def test_the_real_tree_cites_and_marks_nothing_unknown() -> None:
    assert Tree.here() == Tree.at(Path(__file__).resolve().parents[2])
    assert problems() == ()


def test_the_real_register_is_counted() -> None:
    assert coverage().total.mechanics == 1463
    assert coverage(chapter="LOB").by_feature.keys() == {"line-of-battle"}
    assert explain("T23.72-01").rule.title == "Table air search dice"
