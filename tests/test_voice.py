"""What people read says it plainly: no phrase of `tests/voice.toml` is in a question, an answer, the log, an error, the
help of a command, a scenario, a table, a page or a document."""

from __future__ import annotations

import ast
import csv
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "flagplot"
NOT_FOR_PEOPLE = ("testing", "generating", "table/store/migrations")
"""Folders of the package whose words nobody reads but programmers."""
PROGRAMMERS = ("AssertionError", "TypeError", "ValueError", "IndexError", "AttributeError", "RuntimeError")
"""Errors that people never see: they are faults of the program."""
KEPT = {
    "flagplot/awaw/battle/consequences.py",
    "flagplot/awaw/battle/aftermath.py",
    "flagplot/awaw/operations/records/record.py",
}
"""Words that closing lines of saves hash, so that they cannot change."""


class Said(NamedTuple):
    """Something that people read, and where it is."""

    place: str
    text: str


class Phrase(NamedTuple):
    """A phrase that is not used, and what is said instead."""

    say: re.Pattern[str]
    instead: str


PHRASES = [
    Phrase(re.compile(entry["say"], re.IGNORECASE), entry["instead"])
    for entry in tomllib.loads((ROOT / "tests" / "voice.toml").read_text(encoding="utf8"))["phrase"]
]


def faults(said: Iterator[Said]) -> list[str]:
    return [
        f"{place}: “{found[0]}” in “{' '.join(text.split())[:90]}”: say {instead}"
        for place, text in said
        for say, instead in PHRASES
        if (found := say.search(text))
    ]


# --- code -------------------------------------------------------------------------------------------------------


def words_of_code(path: Path) -> Iterator[Said]:
    """The texts of a module: all but docstrings; and the docstrings of commands, which are their help."""
    tree = ast.parse(path.read_text(encoding="utf8"))
    name = path.relative_to(ROOT).as_posix()
    quiet = {*_docstrings(tree), *_for_programmers(tree)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and " " in node.value
            and id(node) not in quiet
        ):
            yield Said(f"{name}:{node.lineno}", node.value)


def _docstrings(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        for statement in getattr(node, "body", []) if isinstance(getattr(node, "body", None), list) else ():
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) and not _command(node):
                yield id(statement.value)


def _command(node: ast.AST) -> bool:
    """Whether a function is a command of the terminal, whose docstring is its help."""
    decorators: list[Any] = getattr(node, "decorator_list", [])
    return any("command" in ast.unparse(one) for one in decorators)


def _for_programmers(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert | ast.Raise) and (
            isinstance(node, ast.Assert) or any(name in ast.unparse(node) for name in PROGRAMMERS)
        ):
            yield from (id(part) for part in ast.walk(node))


def modules() -> list[Path]:
    every = [path for path in sorted(PACKAGE.rglob("*.py")) if path.relative_to(ROOT).as_posix() not in KEPT]
    return [path for path in every if not path.relative_to(PACKAGE).as_posix().startswith(NOT_FOR_PEOPLE)]


def test_what_the_program_says_is_plain() -> None:
    assert faults(said for path in modules() for said in words_of_code(path)) == []


# --- data -------------------------------------------------------------------------------------------------------


def words_of_data(path: Path) -> Iterator[Said]:
    data = tomllib.loads(path.read_text(encoding="utf8"))
    yield from _texts(data, path.relative_to(ROOT).as_posix())


def _texts(data: Any, place: str) -> Iterator[Said]:
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _texts(value, f"{place}, {key}")
    elif isinstance(data, list):
        for value in data:
            yield from _texts(value, place)
    elif isinstance(data, str) and " " in data:
        yield Said(place, data)


def test_scenarios_maps_and_tables_are_plain() -> None:
    assert faults(said for path in sorted(PACKAGE.rglob("*.toml")) for said in words_of_data(path)) == []


def words_of_rules() -> Iterator[Said]:
    with (PACKAGE / "register" / "register.csv").open(encoding="utf8", newline="") as rows:
        for row in csv.DictReader(rows):
            yield Said(f"rule {row['id']}", f"{row['title']}: {row['summary']}")


def test_rules_are_plain() -> None:
    assert faults(words_of_rules()) == []


# --- pages and documents ----------------------------------------------------------------------------------------


def words_of_page(path: Path) -> Iterator[Said]:
    """The text of a template, without its comments, statements and tags."""
    text = re.sub(r"{#.*?#}|{%.*?%}", " ", path.read_text(encoding="utf8"), flags=re.DOTALL)
    for number, line in enumerate(text.splitlines(), 1):
        yield Said(f"{path.relative_to(ROOT).as_posix()}:{number}", re.sub(r"{{.*?}}|<[^>]*>", " … ", line))


def test_pages_are_plain() -> None:
    pages = sorted((PACKAGE / "table" / "templates").rglob("*.html"))
    assert faults(said for path in pages for said in words_of_page(path)) == []


def words_of_document(path: Path) -> Iterator[Said]:
    """The sentences of a document, without its code."""
    code = re.compile(r"```.*?```", re.DOTALL)
    text = code.sub(lambda found: "\n" * found[0].count("\n"), path.read_text(encoding="utf8"))
    name = path.relative_to(ROOT).as_posix()
    for number, line in enumerate(text.splitlines(), 1):
        yield Said(f"{name}:{number}", re.sub(r"`[^`]*`", "…", line))


def documents() -> list[Path]:
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def test_documents_are_plain() -> None:
    assert faults(said for path in documents() for said in words_of_document(path)) == []


# --- the test itself --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["It hangs on the dice", "nothing beside it", "12 in all", "So many squadrons"])
def test_a_banned_phrase_is_found_with_the_better_form(text: str) -> None:
    (fault,) = faults(iter([Said("here", text)]))
    assert fault.startswith("here: “")
    assert ": say " in fault


@pytest.mark.parametrize("text", ["in all ports", "decides", "besides, 4 cruisers", "a total of 12"])
def test_plain_words_pass(text: str) -> None:
    assert faults(iter([Said("here", text)])) == []
