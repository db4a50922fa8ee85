"""Code of the rules is there for play: what only tests would call is not kept."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import flagplot

ROOT = Path(flagplot.__file__).parent


def defined(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    """The functions and classes of a module; segments are called by their procedure."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not any(
            ".segment(" in ast.unparse(decorator) for decorator in node.decorator_list
        ):
            yield node


def named(node: ast.AST) -> list[str]:
    """The names that code uses: plain ones, those of imports and those after a dot."""
    found = []
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            found.append(part.id)
        elif isinstance(part, ast.Attribute):
            found.append(part.attr)
        elif isinstance(part, ast.ImportFrom):
            found += [alias.name for alias in part.names]
    return found


def test_everything_in_the_rules_is_used_by_the_program_itself() -> None:
    trees = {path: ast.parse(path.read_text("utf-8")) for path in sorted(ROOT.rglob("*.py"))}
    uses = Counter(name for tree in trees.values() for name in named(tree))
    unused = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for path, tree in trees.items()
        if path.is_relative_to(ROOT / "awaw")
        for node in defined(tree)
        if uses[node.name] == named(node).count(node.name)  # nobody, or nobody but itself
    ]
    assert unused == []
