"""Mutants of a small project: what is broken, who kills it, what stays alive, and what is listed as equivalent."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from bench._breaking import modules, mutants

ROOT = Path(__file__).resolve().parents[2]

CODE = '''
    """Rules of a toy."""
    from functools import cache, cached_property
    from flagplot.kernel.rules import rule

    @rule("22.451A")
    def dice(ships: int) -> int:
        """One die for each ship, three at most."""
        assert ships != 9, "nine ships"
        if ships < 0:
            raise ValueError(f"{ships + 1} ships")
        words = "one die" if ships == 1 else "more dice"
        print(("{} gives {}", ships + 1, words), end="")
        return min(ships, 3)

    @rule("22.451B")
    @cache
    def remembered(ships: int) -> bool:
        return ships > 4

    class Fleet:
        def __init__(self, ships: int) -> None:
            self.ships = ships

        @property
        @rule("22.451C")
        def large(self) -> bool:
            return super().__eq__(self) is True and self.ships > 6

        @cached_property
        @rule("22.451C")
        def half(self) -> int:
            return self.ships // 2

    @rule("22.452A")
    def counted(ships: int) -> int:
        total = 0
        while ships > 0:
            ships -= 1
            total += 1
        return total

    @rule("22.452A")
    def unheld(ships: int) -> bool:
        return ships == 5

    def uncited(ships: int) -> int:
        return ships + 1
'''
TESTS = """
    import pytest
    from toy.sums.adding import Fleet, counted, dice, remembered, unheld

    assert remembered(5)  # kept from before it is broken

    @pytest.mark.rule("23.722A")  # a twin
    def test_dice():
        assert [dice(number) for number in (0, 1, 2, 3, 4)] == [0, 1, 2, 3, 3]

    @pytest.mark.rule("22.451B")
    def test_remembered():
        assert remembered(5)

    @pytest.mark.rule("22.451C")
    def test_the_fleet():
        assert Fleet(7).large
        assert Fleet(7).half == 3

    def test_the_bounds():
        assert not remembered(4)
        assert not Fleet(6).large

    @pytest.mark.rule("22.452A")
    def test_counted():
        assert counted(3) == 3

    @pytest.mark.rule("22.452A")
    def test_that_fails_anyway():
        assert counted(3) == 4

    @pytest.mark.rule("22.452A")
    def test_that_holds_nothing():
        unheld(5)
"""
EQUIVALENT = """
    [[mutant]]
    function = "toy/sums/adding.py:dice"
    before = "if ships < 0:"
    after = "if ships < -1:"
    reason = "nobody has fewer ships than none"

    [[mutant]]
    function = "toy/sums/adding.py:gone"
    before = "a < b"
    after = "a > b"
    reason = "it was so once"
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("project").resolve()
    files = {
        "toy/__init__.py": "",
        "toy/sums/__init__.py": "",
        "toy/sums/adding.py": CODE,
        "tests/sums/test_adding.py": TESTS,
        "bench/equivalent_mutants.toml": EQUIVALENT,
    }
    for name, text in files.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(dedent(text), encoding="utf-8")
    (top / "pytest.ini").write_text("[pytest]\npythonpath = .\n", encoding="utf-8")
    return top


def run(project: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "bench.mutants", "--project", str(project), "--package", "toy", *arguments]
    command += ["--least", "0.3"]  # a test of the toy that goes on for ever need not do so for seconds
    # the toy needs no plugins, and loading them takes longer than its tests
    environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    ran = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=300, env=environment)
    return ran.stdout


Told = dict[tuple[str, str], dict[str, Any]]


@pytest.fixture(scope="module")
def told(project: Path) -> Told:
    """What became of every mutant, by its function and its changed line."""
    run(project, "--all", "--json", str(project / "all.json"))
    found = json.loads((project / "all.json").read_text(encoding="utf-8"))["mutants"]
    return {(row["function"], row["after"]): row for row in found}


@pytest.mark.parametrize(
    ("function", "after", "result", "by"),
    [
        ("dice", "return max(ships, 3)", "marked", "test_dice"),
        ("dice", "return min(ships, 4)", "marked", "test_dice"),
        ("dice", "if ships >= 0:", "marked", "test_dice"),
        ("dice", "if ships <= 0:", "marked", "test_dice"),
        ("remembered", "return ships <= 4", "marked", "test_remembered"),
        ("remembered", "return ships >= 4", "package", "test_the_bounds"),
        ("Fleet.large", "return super().__eq__(self) is True and self.ships > 7", "marked", "test_the_fleet"),
        ("Fleet.large", "return super().__eq__(self) is True and self.ships >= 6", "package", "test_the_bounds"),
        ("Fleet.half", "return self.ships * 2", "marked", "test_the_fleet"),
        ("counted", "ships += 1", "marked", "test_counted (went on for ever)"),
        ("unheld", "return ships != 5", "alive", ""),
    ],
)
def test_what_becomes_of_a_mutant(told: Told, function: str, after: str, result: str, by: str) -> None:
    row = told[function, after]
    assert row["result"] == result
    assert row["by"].rpartition("::")[2] == by


def test_only_functions_that_cite_rules_are_broken_and_no_messages(told: Told) -> None:
    assert {function for function, _ in told} == {
        "dice",
        "remembered",
        "Fleet.large",
        "Fleet.half",
        "counted",
        "unheld",
    }
    changed = {row["before"] for row in told.values() if row["function"] == "dice"}
    assert changed == {"if ships < 0:", "return min(ships, 3)"}


def test_those_listed_as_equivalent_are_left_out(told: Told) -> None:
    assert ("dice", "if ships < -1:") not in told


def test_a_sample_says_its_figures(project: Path) -> None:
    out = run(project, "--sample", "4", "--seed", "3", "--only", "toy/sums/", "--marked-only", "--jobs", "1")
    lines = out.splitlines()
    assert "bench/equivalent_mutants.toml: no such mutant any more: toy/sums/adding.py:gone: a > b" in lines
    assert "seed 3" in lines
    assert any(line.startswith("killed by marked tests alone: ") and " of 4 (" in line for line in lines)
    assert not any(line.startswith("killed by all") for line in lines)


def test_without_the_other_tests_nothing_is_called_simply_alive(project: Path) -> None:
    kept = project / "marked.json"
    out = run(project, "--all", "--only", "toy/sums/", "--marked-only", "--json", str(kept))
    assert "== Alive to marked tests, others not tried (" in out
    rows = json.loads(kept.read_text(encoding="utf-8"))["mutants"]
    bounds = next(row for row in rows if row["after"] == "return ships >= 4")
    assert bounds["result"] == "alive to marked tests, others not tried"


def test_an_equivalent_that_is_killed_shows(project: Path) -> None:
    listed = project / "bench" / "equivalent_mutants.toml"
    text = listed.read_text(encoding="utf-8")
    try:
        listed.write_text(text.replace("ships < -1", "ships >= 0"), encoding="utf-8")
        assert "killed by marked tests alone: 1 of 1 (100.0%)" in run(project, "--equivalent")
    finally:
        listed.write_text(text, encoding="utf-8")


def test_each_change_is_made_once_and_taken_back() -> None:
    found = [mutant for module in modules(ROOT, "flagplot")[:12] for mutant in mutants(module)]
    assert len(found) > 100
    assert all(mutant.before != mutant.after for mutant in found)
    for mutant in found[:20]:
        sound = mutant.function.module.code()[mutant.function.name, mutant.function.line]
        assert mutant.code() != sound
        assert mutant.function.module.code()[mutant.function.name, mutant.function.line] == sound


def test_every_function_is_known_to_python_by_its_name_and_line() -> None:
    for module in modules(ROOT, "flagplot"):
        assert {(function.name, function.line) for function in module.functions} <= module.probed().keys()
