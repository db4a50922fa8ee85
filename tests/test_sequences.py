"""What the scripts of each game refer to: procedures that are in its table, and segments of their own procedure."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import textwrap
from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType
from typing import Any

import pytest

import flagplot.awaw
import flagplot.line_of_battle
from flagplot.kernel.procedures import AnySegment, Call, Procedure, Segment, table
from flagplot.library import ruleset

GAMES = {"awaw": (flagplot.awaw, 110), "line-of-battle": (flagplot.line_of_battle, 2)}
"""Each game's package, and how many calls of procedures it has at least."""


def modules_of(package: ModuleType) -> list[ModuleType]:
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    return [importlib.import_module(one.name) for one in found]


def called_in(module: ModuleType) -> Iterator[Procedure]:
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            function = vars(module).get(node.func.id)
            if function is Call:
                yield eval(ast.unparse(node.args[0]), vars(module))
            elif getattr(function, "__func__", None) is Procedure.calls:
                yield eval(ast.unparse(node.args[3]), vars(module))


@pytest.mark.parametrize("game", GAMES)
def test_every_procedure_that_can_be_called_is_in_the_table_of_its_game(game: str) -> None:
    package, least = GAMES[game]
    known = ruleset(game).procedures
    called = [procedure for module in modules_of(package) for procedure in called_in(module)]
    assert len(called) >= least
    assert [procedure.name for procedure in called if known.get(procedure.name) is not procedure] == []
    assert all(name == procedure.name for name, procedure in known.items())


def referred_to(function: Callable[..., Any], seen: set[Callable[..., Any]]) -> Iterator[AnySegment]:
    """The segments that a function names, but for those that it only runs; also by way of functions of its module."""
    if function in seen:
        return
    seen.add(function)
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    run = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    names = [node for part in tree.body for node in ast.walk(part) if isinstance(node, ast.Name)]
    hidden = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    hidden |= {argument.arg for argument in ast.walk(tree.args) if isinstance(argument, ast.arg)}
    for node in names:
        named = None if node.id in hidden else inspect.unwrap(function).__globals__.get(node.id)
        if isinstance(named, Segment) and node not in run:
            yield named
        elif isinstance(named, FunctionType) and named.__module__ == function.__module__:
            yield from referred_to(named, seen)


def strangers(procedure: Procedure) -> list[str]:
    """The segments that scripts of a procedure lead to and that are none of its own."""
    found = [(step.name, other) for step in procedure.segments.values() for other in referred_to(step.script, set())]
    return [
        f"{procedure.name}: {name} leads to {other.name}"
        for name, other in found
        if other.name not in procedure.segments or procedure.segments[other.name].script is not other.script
    ]


@pytest.mark.parametrize("game", GAMES)
def test_every_segment_that_scripts_lead_to_belongs_to_their_procedure(game: str) -> None:
    assert [fault for procedure in ruleset(game).procedures.values() for fault in strangers(procedure)] == []


main, other = Procedure("main", "1", "One"), Procedure("other", "2", "Another")


@main.segment("1.1", "First")
def first(state: object) -> Segment[..., Any]:
    return _beyond()


def _beyond() -> Segment[..., Any]:
    return beyond


@other.segment("2.1", "Beyond")
def beyond(state: object) -> None:
    """Nothing."""


def test_a_segment_of_another_procedure_is_found_out() -> None:
    assert strangers(main) == ["main: first leads to beyond"]
    assert strangers(other) == []


def test_a_table_takes_no_procedure_without_segments_and_no_name_twice() -> None:
    with pytest.raises(ValueError, match="empty"):
        table(main, Procedure("empty", "3", "Nothing"))
    with pytest.raises(ValueError, match="2 with 1 names"):
        table(main, main)
    assert table(main, other) == {"main": main, "other": other}
