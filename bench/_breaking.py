"""What can be broken in functions that cite rules: the places, the changes at each of them, and the code they give.

Strings are never changed, and nothing that only words a message: words and notes, f-strings, what is raised.
Decorators, annotations, defaults of arguments, docstrings and assertions are left alone too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType
from typing import TypeAlias

from flagplot.register.citations import read_citations

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Scope: TypeAlias = Function | ast.ClassDef

OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
}
NEIGHBOUR: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
EXTREMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
COMPOUND = (ast.If, ast.For, ast.While, ast.Try, ast.With, ast.Match)
COLLECTIONS = (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp, ast.JoinedStr)
LONGEST = 150
"""Characters of a changed line that are shown, before and after each."""
PROBE = "__reached__"


@dataclass(slots=True)
class Change:
    """One node of the tree and what can stand in its place."""

    kind: str
    parent: ast.AST
    name: str
    """The field of the parent."""
    index: int | None
    """The place in that field, if it is a list."""
    node: ast.AST
    new: ast.AST

    def apply(self) -> None:
        self._put(self.new)

    def undo(self) -> None:
        self._put(self.node)

    def _put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.parent, self.name, node)
        else:
            getattr(self.parent, self.name)[self.index] = node


@dataclass(slots=True)
class Cited:
    """A function that cites rules, or a method of a class that does."""

    module: Module
    name: str
    node: Function
    rules: tuple[str, ...]
    first: int = 0
    """The number of its first block among all those of the project."""
    blocks: list[list[ast.stmt]] = field(default_factory=list)
    """Statements that run one after the other once the first of them is reached."""

    @property
    def line(self) -> int:
        """The line where its code begins for Python: that of the first decorator."""
        return min([self.node.lineno, *[decorator.lineno for decorator in self.node.decorator_list]])


@dataclass(slots=True)
class Mutant:
    """One broken function."""

    function: Cited
    change: Change
    line: int
    block: int
    before: str
    after: str
    place: int
    """Changes of the same node share this number."""

    @property
    def file(self) -> str:
        return self.function.module.file

    @property
    def rules(self) -> tuple[str, ...]:
        return self.function.rules

    @property
    def name(self) -> tuple[str, str, str]:
        """What it is known by when lines have moved: the function, and its changed line before and after."""
        return f"{self.file}:{self.function.name}", self.before, self.after

    def code(self) -> CodeType:
        """The code of the broken function."""
        self.change.apply()
        try:
            return self.function.module.code()[self.function.name, self.function.line]
        finally:
            self.change.undo()


@dataclass(slots=True)
class Module:
    """One file of the package with its functions that cite rules."""

    file: str
    path: Path
    tree: ast.Module
    functions: list[Cited] = field(default_factory=list)

    def code(self) -> dict[tuple[str, int], CodeType]:
        """The code of everything defined in the tree as it stands, by name and first line."""
        return {(code.co_qualname, code.co_firstlineno): code for code in within(self.compiled())}

    def compiled(self) -> CodeType:
        return compile(ast.fix_missing_locations(self.tree), str(self.path), "exec", dont_inherit=True)

    def probed(self) -> dict[tuple[str, int], CodeType]:
        """The same of a copy of the tree in which each block first tells its number."""
        probes: list[tuple[list[ast.stmt], ast.stmt, ast.stmt]] = []
        for function in self.functions:
            for number, block in enumerate(function.blocks, function.first):
                call = ast.Call(ast.Name(PROBE, ast.Load()), [ast.Constant(number)], [])
                probe: ast.stmt = ast.copy_location(ast.Expr(call), block[0])
                probes.append((_list_of(function.node, block[0]), block[0], probe))
        for statements, before, probe in probes:
            statements.insert(statements.index(before), probe)
        try:
            return self.code()
        finally:
            for statements, _, probe in probes:
                statements.remove(probe)


def modules(project: Path, package: str) -> list[Module]:
    """All files of a package that cite rules."""
    rules: dict[tuple[str, str, int], list[str]] = {}
    for rule_id, places in read_citations(project / package).checked().items():
        for place in places:
            rules.setdefault((place.file, place.name, place.line), []).append(rule_id)
    found, first = [], 0
    for file in sorted({file for file, _, _ in rules}):
        module = Module(file, project / file, ast.parse((project / file).read_bytes(), file))
        for name, node, cited in _functions(module.tree, file, rules):
            function = Cited(module, name, node, cited, first)
            function.blocks = list(_blocks(node.body))
            first += len(function.blocks)
            module.functions.append(function)
        found.append(module)
    return found


def mutants(module: Module) -> Iterator[Mutant]:
    """All mutants of one file, in the order of its text."""
    place = 0
    for function in module.functions:
        homes = {id(line): number for number, block in enumerate(function.blocks, function.first) for line in block}
        for statement in _statements(function.node.body):
            for changes in _changes(statement):
                place += 1
                for change in changes:
                    before, after = _told(statement, change)
                    line = getattr(change.node, "lineno", statement.lineno)
                    yield Mutant(function, change, line, homes[id(statement)], before, after, place)


def within(code: CodeType) -> Iterator[CodeType]:
    """All code inside some code."""
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield part
            yield from within(part)


# --- where ------------------------------------------------------------------------------------------------------


def _functions(
    tree: ast.Module, file: str, rules: dict[tuple[str, str, int], list[str]]
) -> Iterator[tuple[str, Function, tuple[str, ...]]]:
    """Functions and methods with the rules that they or their classes cite; those inside a function belong to it."""

    def look(
        scope: ast.Module | ast.ClassDef, prefix: str, known: list[str]
    ) -> Iterator[tuple[str, Function, list[str]]]:
        for node in scope.body:
            if not isinstance(node, Scope):
                continue
            name = prefix + node.name
            cited = known + rules.get((file, name, node.lineno), [])
            if isinstance(node, ast.ClassDef):
                yield from look(node, f"{name}.", cited)
            elif cited:
                yield name, node, cited

    for name, node, cited in look(tree, "", []):
        yield name, node, tuple(dict.fromkeys(cited))


def _lists(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The lists of statements inside a statement."""
    for name in ("body", "orelse", "finalbody"):
        if statements := getattr(node, name, None):
            yield statements
    for part in [*getattr(node, "handlers", ()), *getattr(node, "cases", ())]:
        yield part.body


def _list_of(node: ast.stmt, wanted: ast.stmt) -> list[ast.stmt]:
    """The list inside a statement in which another stands."""
    for statements in _lists(node):
        if any(statement is wanted for statement in statements):
            return statements
        for statement in statements:
            if found := _list_of(statement, wanted):
                return found
    return []


def _blocks(statements: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """A list of statements, cut after each that may leave it, and the blocks inside of those."""
    block: list[ast.stmt] = []
    for statement in statements:
        block.append(statement)
        if any(_lists(statement)):
            if isinstance(statement, COMPOUND):
                yield block
                block = []
            for inner in _lists(statement):
                yield from _blocks(inner)
    if block:
        yield block


def _statements(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in statements:
        yield statement
        for inner in _lists(statement):
            yield from _statements(inner)


# --- what -------------------------------------------------------------------------------------------------------


def _changes(statement: ast.stmt) -> Iterator[list[Change]]:
    """The changes of a statement without those inside of it: for each node those that can be made to it."""
    if isinstance(statement, ast.Assert | ast.Raise | ast.ClassDef | Function):
        return
    if isinstance(statement, ast.AugAssign):
        yield from _of_assignment(statement)
    for parent, name, index, node in _expressions(statement):
        found: dict[str, Change] = {}
        for kind, new in _replacements(parent, name, node):
            found.setdefault(ast.dump(new), Change(kind, parent, name, index, node, ast.copy_location(new, node)))
        if found:
            yield list(found.values())


def _of_assignment(statement: ast.AugAssign) -> Iterator[list[Change]]:
    other = ARITHMETIC.get(type(statement.op))
    if other and not isinstance(statement.value, COLLECTIONS) and not _is_wording(statement.value):
        yield [Change("arithmetic", statement, "op", None, statement.op, other())]


def _expressions(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, ast.expr]]:
    """All expressions of a statement with their places, without annotations, messages and the statements inside."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for index, part in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(part, ast.AST) or isinstance(part, ast.stmt | ast.JoinedStr | ast.excepthandler):
                continue
            if isinstance(part, ast.match_case):
                yield from _expressions_of_case(part)
                continue
            if isinstance(part, ast.expr):
                if _is_message(part) or (name == "args" and index and _is_type_check(node)):
                    continue
                yield node, name, index, part
            yield from _expressions(part)


def _expressions_of_case(case: ast.match_case) -> Iterator[tuple[ast.AST, str, int | None, ast.expr]]:
    if case.guard:
        yield case, "guard", None, case.guard
        yield from _expressions(case.guard)


def _replacements(parent: ast.AST, name: str, node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """What can stand in the place of an expression."""
    match node:
        case ast.Compare(left, operators, comparators):
            for number, operator in enumerate(operators):
                for kind, others in (("comparison", OPPOSITE), ("boundary", NEIGHBOUR)):
                    if opposite := others.get(type(operator)):
                        changed = [*operators[:number], opposite(), *operators[number + 1 :]]
                        yield kind, ast.Compare(left, changed, comparators)
        case ast.BoolOp(ast.And(), values):
            yield "boolean", ast.BoolOp(ast.Or(), values)
        case ast.BoolOp(ast.Or(), values):
            yield "boolean", ast.BoolOp(ast.And(), values)
        case ast.UnaryOp(ast.Not(), operand):
            yield "boolean", operand
        case ast.UnaryOp(ast.USub(), operand):
            yield "arithmetic", operand
        case ast.BinOp(left, operator, right) if not any(isinstance(part, COLLECTIONS) for part in (left, right)):
            if (other := ARITHMETIC.get(type(operator))) and not _is_wording(left) and not _is_wording(right):
                yield "arithmetic", ast.BinOp(left, other(), right)
        case ast.Constant(bool()):
            pass
        case ast.Constant(int() as number):
            for step in sorted({1, -1} - _in_vain(parent, number)):
                yield "boundary", ast.Constant(number + step)
        case ast.Call(ast.Name(called), arguments, keywords) if called in EXTREMES:
            yield "min/max", ast.Call(ast.Name(EXTREMES[called], ast.Load()), arguments, keywords)
    if name == "test" or name == "guard" or (name == "ifs" and isinstance(parent, ast.comprehension)):
        yield "condition", _inverted(node)


def _in_vain(parent: ast.AST, number: int) -> set[int]:
    """Steps from a number that say nothing new: the last of one is the first, ``> 0`` is ``>= 1``."""
    match parent:
        case ast.Subscript():
            return set() if number else {-1}
        case ast.Compare(_, [ast.Gt() | ast.LtE()], _):
            return {-1}
        case ast.Compare(_, [ast.Lt() | ast.GtE()], _):
            return {1}
    return set()


def _inverted(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return node.operand
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return ast.Compare(node.left, [OPPOSITE[type(node.ops[0])]()], node.comparators)
    return ast.UnaryOp(ast.Not(), node)


def _is_message(node: ast.expr) -> bool:
    """Whether an expression only puts something into words: a template and what goes into it, one of two wordings."""
    if isinstance(node, ast.IfExp):
        return _is_wording(node.body) and _is_wording(node.orelse)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id == "Note"
    return isinstance(node, ast.Tuple) and _is_wording(node)


def _is_type_check(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance"


def _is_wording(node: ast.expr) -> bool:
    """Words for people: a text with blanks or gaps in it, alone or as the template at the head of a tuple."""
    match node:
        case ast.Constant(str() as text):
            return text == "" or bool(re.search(r"[ {]", text))
        case ast.JoinedStr():
            return True
        case ast.Tuple([first, *_]):
            return _is_wording(first) and not (isinstance(first, ast.Constant) and first.value == "")
        case ast.IfExp(_, body, orelse):
            return _is_wording(body) and _is_wording(orelse)
    return False


# --- in words ---------------------------------------------------------------------------------------------------


def _told(statement: ast.stmt, change: Change) -> tuple[str, str]:
    """The first line of a statement before and after a change, cut to what is near it if they are long."""
    before = _head(statement)
    change.apply()
    after = _head(statement)
    change.undo()
    return _cut(before, after)


def _head(statement: ast.stmt) -> str:
    """A statement on one line without the statements inside of it."""
    if not any(_lists(statement)):
        return ast.unparse(statement)
    emptied = type(statement)(**dict(ast.iter_fields(statement)))
    if isinstance(emptied, ast.Try):
        return "try:"
    if isinstance(emptied, ast.Match):
        emptied.cases = [ast.match_case(case.pattern, case.guard, [ast.Pass()]) for case in emptied.cases]
        return " ".join(ast.unparse(emptied).replace("pass", "").split())
    emptied.body = [ast.Pass()]  # type: ignore[attr-defined]
    if hasattr(emptied, "orelse"):
        emptied.orelse = []
    text = ast.unparse(ast.copy_location(emptied, statement))
    return text.rpartition("\n")[0].strip()


def _cut(before: str, after: str) -> tuple[str, str]:
    if max(len(before), len(after)) <= LONGEST:
        return before, after
    same = len(_common(before, after))
    tail = len(_common(reversed(before[same:]), reversed(after[same:])))
    room = (LONGEST - max(len(before), len(after)) + same + tail) // 2
    start, ends = max(0, same - max(room, 20)), [max(0, tail - max(room, 20))] * 2
    shown = [text[start : len(text) - end] for text, end in zip((before, after), ends, strict=True)]
    return (
        "…" * bool(start) + shown[0] + "…" * bool(ends[0]),
        "…" * bool(start) + shown[1] + "…" * bool(ends[1]),
    )


def _common(one: Iterable[str], other: Iterable[str]) -> str:
    """How two texts begin."""
    same = ""
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        same += left
    return same
