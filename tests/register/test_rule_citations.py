"""Citations and marks are read from the source text, and what cannot be read is told with its place."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from flagplot.register.citations import CitationError, Place, citations, marks, read_citations, read_marks

IMPORT = "from flagplot.kernel.rules import rule\n"


def source(folder: Path, text: str, name: str = "module.py") -> Path:
    """A package folder with one module in it."""
    path = folder / "pack" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(dedent(text), encoding="utf-8")
    return folder / "pack"


def test_functions_methods_and_classes(tmp_path: Path) -> None:
    root = source(
        tmp_path,
        """\
        from flagplot.kernel.rules import rule

        @rule("1.1", "1.2")
        def plain(): ...

        @other
        @rule("1.1")
        async def later():
            @rule("1.4")
            def within(): ...

        @rule("1.3")
        class Thing:
            @property
            @rule("1.2")
            def part(self): ...
        """,
    )
    assert citations(root) == {
        "1.1": [Place("pack/module.py", 4, "plain"), Place("pack/module.py", 8, "later")],
        "1.2": [Place("pack/module.py", 4, "plain"), Place("pack/module.py", 16, "Thing.part")],
        "1.4": [Place("pack/module.py", 10, "later.within")],
        "1.3": [Place("pack/module.py", 13, "Thing")],
    }


@pytest.mark.parametrize(
    ("imported", "decorator"),
    [
        ("from flagplot.kernel.rules import rule", "rule"),
        ("from flagplot.kernel.rules import rule as cites", "cites"),
        ("from flagplot.kernel import rules", "rules.rule"),
        ("from flagplot.kernel import rules as r", "r.rule"),
        ("from .rules import rule", "rule"),
        ("import flagplot.kernel.rules", "flagplot.kernel.rules.rule"),
        ("import flagplot.kernel.rules as r", "r.rule"),
    ],
)
def test_ways_to_import_the_decorator(tmp_path: Path, imported: str, decorator: str) -> None:
    root = source(tmp_path, f"{imported}\n@{decorator}('1.1')\ndef f(): ...\n")
    assert list(citations(root)) == ["1.1"]


def test_another_thing_of_that_name_is_no_citation(tmp_path: Path) -> None:
    root = source(
        tmp_path, "from elsewhere import rule\n@rule(1)\ndef f(rule): rule(2)\n@app.rule('x')\ndef g(): ...\n"
    )
    assert citations(root) == {}


def test_files_come_in_order_and_an_id_twice_in_one_citation_counts_once(tmp_path: Path) -> None:
    source(tmp_path, IMPORT + "@rule('1', '1')\ndef f(): ...\n", "b.py")
    root = source(tmp_path, IMPORT + "@rule('1')\ndef g(): ...\n", "a/c.py")
    assert [place.file for place in citations(root)["1"]] == ["pack/a/c.py", "pack/b.py"]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("@rule(ID)\ndef f(): ...\n", 2, "plain string literals"),
        ("@rule('1', f'{x}')\ndef f(): ...\n", 2, "plain string literals"),
        ("@rule(*IDS)\ndef f(): ...\n", 2, "plain string literals"),
        ("@rule(first='1')\ndef f(): ...\n", 2, "plain string literals"),
        ("@rule(1.1)\ndef f(): ...\n", 2, "plain string literals"),
        ("@rule()\ndef f(): ...\n", 2, "names no rule"),
        ("@rule\ndef f(): ...\n", 2, "names no rule"),
        ("f = rule('1')(g)\n", 2, "only as the decorator"),
        ("\ndef f(: ...\n", 3, "is not Python"),
    ],
)
def test_faults_of_citations(tmp_path: Path, text: str, line: int, message: str) -> None:
    root = source(tmp_path, IMPORT + text)
    with pytest.raises(CitationError, match=message) as refusal:
        citations(root)
    (fault,) = refusal.value.faults
    assert fault.place == f"pack/module.py:{line}"


def test_all_faults_at_once_and_the_rest_is_still_read(tmp_path: Path) -> None:
    source(tmp_path, IMPORT + "@rule()\ndef f(): ...\n@rule(2)\ndef g(): ...\n@rule('3')\ndef h(): ...\n")
    root = source(tmp_path, "rule = (", "broken.py")
    found = read_citations(root)
    assert len(found.faults) == 3
    assert list(found.places) == ["3"]
    with pytest.raises(CitationError) as refusal:
        found.checked()
    assert str(refusal.value).count("\n  pack/") == 3
    assert len(refusal.value.as_dict()["faults"]) == 3  # type: ignore[arg-type]


def test_marks(tmp_path: Path) -> None:
    root = source(
        tmp_path,
        """\
        import pytest
        pytestmark = [pytest.mark.slow, pytest.mark.rule("1.1")]
        CASES: list = [pytest.param(1, marks=pytest.mark.rule("1.2"))]

        @pytest.mark.rule("1.3", "1.4")
        def test_plain(): ...

        @pytest.mark.rule("1.5")
        class TestThing:
            pytestmark = pytest.mark.rule("1.6")

            @pytest.mark.parametrize("x", [pytest.param(1, marks=[pytest.mark.rule("1.7")]), 2])
            async def test_part(self, x): ...
        """,
    )
    places = {name: (place.line, place.name) for name, (place,) in marks(root).items()}
    assert places == {
        "1.1": (2, "pytestmark"),
        "1.2": (3, "CASES"),
        "1.3": (6, "test_plain"),
        "1.4": (6, "test_plain"),
        "1.5": (9, "TestThing"),
        "1.6": (10, "TestThing.pytestmark"),
        "1.7": (13, "TestThing.test_part"),
    }


def test_mark_imported_from_pytest_and_outside_of_everything(tmp_path: Path) -> None:
    root = source(tmp_path, "from pytest import mark\nkeep(mark.rule('1'))\n")
    assert marks(root) == {"1": [Place("pack/module.py", 2, "")]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@pytest.mark.rule\ndef test(): ...\n", "names no rule"),
        ("@pytest.mark.rule()\ndef test(): ...\n", "names no rule"),
        ("@pytest.mark.rule(ID)\ndef test(): ...\n", "plain string literals"),
        ("pytestmark = pytest.mark.rule(*IDS)\n", "plain string literals"),
    ],
)
def test_faults_of_marks(tmp_path: Path, text: str, message: str) -> None:
    root = source(tmp_path, text)
    (fault,) = read_marks(root).faults
    assert fault.place == "pack/module.py:1"
    assert message in fault.message
    with pytest.raises(CitationError):
        marks(root)


def test_a_folder_that_is_not_there_has_no_citations(tmp_path: Path) -> None:
    assert citations(tmp_path / "nowhere") == {}
