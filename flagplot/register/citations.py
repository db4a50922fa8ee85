"""Which code cites which rules, and which tests are marked with them, read from the source text.

Nothing is imported: the citations are decorators ``@rule("19.61")`` on functions and classes, the marks are
``pytest.mark.rule("19.61")`` wherever pytest takes a mark. Ids are string literals, so that they can be read
and searched for; anything else is a fault with its file and line.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

from flagplot.kernel.errors import Fault, FaultsError

Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Place(NamedTuple):
    """Where a rule is cited: the file (relative to the project), the line, the name within the module."""

    file: str
    line: int
    name: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class CitationError(FaultsError, code="citation"):
    """Citations or marks that cannot be read, all of them at once."""


@dataclass(slots=True)
class Found:
    """What was read: the places by rule id, in the order of the files, and what could not be read."""

    places: dict[str, list[Place]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def checked(self) -> dict[str, list[Place]]:
        """The places, if there was nothing wrong."""
        if self.faults:
            raise CitationError("citations that cannot be read", self.faults)
        return self.places


def citations(package_root: Path) -> dict[str, list[Place]]:
    """The places in the package that cite each rule; `CitationError` if a citation cannot be read."""
    return read_citations(package_root).checked()


def marks(tests_root: Path) -> dict[str, list[Place]]:
    """The places in the tests that are marked with each rule; `CitationError` if a mark cannot be read."""
    return read_marks(tests_root).checked()


def read_citations(package_root: Path) -> Found:
    """The citations of the package, with the faults beside them."""
    return _read(package_root, marks=False)


def read_marks(tests_root: Path) -> Found:
    """The marks of the tests, with the faults beside them."""
    return _read(tests_root, marks=True)


class _Reader(ast.NodeVisitor):
    """Walks through one module and knows the name of what it is in. Parts without the word in their lines are passed
    by: they are most of a module."""

    def __init__(self, file: str, source: bytes, found: Found) -> None:
        self.file = file
        self.found = found
        self.within: list[tuple[str, int]] = []
        self.source = source.splitlines()
        module = ast.parse(source, file)
        self.look_for("rule")
        self.visit(module)

    def look_for(self, *words: str) -> None:
        wanted = [word.encode() for word in words]
        self.lines = [number for number, line in enumerate(self.source, 1) if any([word in line for word in wanted])]

    def holds_a_word(self, node: ast.AST) -> bool:
        if not isinstance(node, ast.stmt | ast.expr | ast.keyword | ast.arg):
            return True
        first = min([node.lineno, *[part.lineno for part in getattr(node, "decorator_list", ())]])
        place = bisect_left(self.lines, first)
        return place < len(self.lines) and self.lines[place] <= (node.end_lineno or first)

    def visit(self, node: ast.AST) -> None:
        if self.holds_a_word(node):
            super().visit(node)

    def parts(self, node: ast.AST) -> Iterator[ast.AST]:
        """All that a visit comes to."""
        yield node
        for child in ast.iter_child_nodes(node):
            if self.holds_a_word(child):
                yield from self.parts(child)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.define(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.define(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.define(node)

    def define(self, node: Definition) -> None:
        self.inside(node.name, node)

    def inside(self, name: str, node: ast.stmt) -> None:
        """Read a statement, decorators and all, under its name."""
        self.within.append((name, node.lineno))
        self.generic_visit(node)
        self.within.pop()

    def note(self, call: ast.Call) -> None:
        """Keep the ids of one citation, or the fault in it."""
        ids = [arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
        if call.keywords or len(ids) < len(call.args):
            self.fault(call, "the ids of rules must be plain string literals")
        elif not ids:
            self.fault(call, "names no rule")
        for rule_id in dict.fromkeys(ids):
            self.found.places.setdefault(rule_id, []).append(self.place(call))

    def place(self, node: ast.expr) -> Place:
        line = self.within[-1][1] if self.within else node.lineno
        return Place(self.file, line, ".".join(name for name, _ in self.within))

    def fault(self, node: ast.expr, message: str) -> None:
        self.found.faults.append(Fault(f"{self.file}:{node.lineno}", f"{ast.unparse(node)}: {message}"))


class _Citations(_Reader):
    """Reads ``@rule(…)`` under whatever name the module has imported it."""

    def visit_Module(self, node: ast.Module) -> None:
        self.names = {name for part in self.parts(node) for name in _imported(part)}
        self.look_for("rule", *self.names)
        self.generic_visit(node)

    def define(self, node: Definition) -> None:
        self.within.append((node.name, node.lineno))
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call) and self.cites(decorator.func):
                self.note(decorator)
            elif self.cites(decorator):
                self.fault(decorator, "names no rule")
            else:
                self.visit(decorator)
        for child in ast.iter_child_nodes(node):
            if child not in node.decorator_list:
                self.visit(child)
        self.within.pop()

    def visit_Call(self, node: ast.Call) -> None:
        if self.cites(node.func):
            self.fault(node, "a citation is read only as the decorator of a function or class")
        self.generic_visit(node)

    def cites(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Attribute):
            return node.attr == "rule" and ast.unparse(node) in self.names
        return isinstance(node, ast.Name) and node.id in self.names


class _Marks(_Reader):
    """Reads ``pytest.mark.rule(…)`` on tests and classes, in parameters and in ``pytestmark``."""

    def visit_Assign(self, node: ast.Assign) -> None:
        self.inside(ast.unparse(node.targets[0]), node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.inside(ast.unparse(node.target), node)

    def visit_Call(self, node: ast.Call) -> None:
        if _is_mark(node.func):
            self.note(node)
        else:
            self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if _is_mark(node):
            self.fault(node, "names no rule")
        self.generic_visit(node)


def _read(root: Path, *, marks: bool) -> Found:
    found = Found()
    for path in sorted(root.rglob("*.py")):
        part = _read_source(path.relative_to(root.parent).as_posix(), path.read_bytes(), marks)
        found.faults += part.faults
        for rule_id, places in part.places.items():
            found.places.setdefault(rule_id, []).extend(places)
    return found


@lru_cache(maxsize=2048)
def _read_source(file: str, source: bytes, marks: bool) -> Found:
    """What one file says; kept, because a program that asks for coverage often asks more than once."""
    found = Found()
    if b"rule" in source:
        try:
            (_Marks if marks else _Citations)(file, source, found)
        except SyntaxError as error:
            found.faults.append(Fault(f"{file}:{error.lineno or 1}", f"is not Python: {error.msg}"))
    return found


def _imported(node: ast.AST) -> list[str]:
    """The names by which an import makes the decorator known: ``rule``, or ``rules.rule`` by its module."""
    if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").startswith("flagplot")):
        plain = [name.asname or name.name for name in node.names if name.name == "rule"]
        return plain + [f"{name.asname or name.name}.rule" for name in node.names if name.name == "rules"]
    if isinstance(node, ast.Import):
        modules = [name for name in node.names if name.name == "flagplot.kernel.rules"]
        return [f"{name.asname or name.name}.rule" for name in modules]
    return []


def _is_mark(node: ast.expr) -> bool:
    if not isinstance(node, ast.Attribute) or node.attr != "rule":
        return False
    return ast.unparse(node.value) in {"pytest.mark", "mark"}
