"""Commands that only look something up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import flagplot
from flagplot import library
from flagplot.awaw.tables.catalogue import NAMES
from flagplot.cli.lookups.rules import _percentage
from flagplot.kernel.errors import Fault
from flagplot.register import Rule, find, meanings, register
from flagplot.register.citations import Found, Place
from flagplot.register.coverage import Count
from flagplot.register.evidence import NO_TESTS, Evidence
from flagplot.register.reach import Reach
from flagplot.register.results import Outcomes

Run = Callable[..., Any]


def test_scenarios_are_listed_with_sides_and_a_line_each(run: Run) -> None:
    ran = run("scenarios")
    assert ran.code == 0
    assert not ran.err
    for name in flagplot.scenario_names():
        assert any(line.startswith(f"{name} ") for line in ran.out.splitlines())
    assert "allies, japan" in ran.out
    assert "nobody knows what lies under the TF marker" in ran.out


def test_scenarios_as_json(run: Run) -> None:
    found = {entry["name"]: entry for entry in run("scenarios", "--json").json}
    assert list(found) == flagplot.scenario_names()
    assert found["rabaul"]["theatre"] == "pacific"
    assert found["rabaul"]["sides"][1] == {"id": "japan", "name": "Japan"}
    assert set(found["malta"]) == {"name", "game", "kind", "theatre", "sides", "title", "about", "bid"}
    assert found["first-battle"]["bid"]["unit"] == "naval factors"


def test_version(run: Run) -> None:
    assert run("version").out.splitlines()[0] == f"flagplot {flagplot.__version__}"
    found = run("version", "--json").json
    assert found["program"] == flagplot.__version__
    assert set(found["rules"]) == set(library.RULESETS)


def test_options_name_defaults_alternatives_and_rules(run: Run) -> None:
    line = next(line for line in run("options").out.splitlines() if line.startswith("transport_losses"))
    assert "by-share" in line
    assert "all-inverted" in line
    assert "23.18" in line
    found = {entry["name"]: entry for entry in run("options", "awaw", "--json").json}
    assert found["classic"]["alternatives"] == [False, True]


def test_ships_are_listed_for_people_and_programs(run: Run) -> None:
    lines = run("ships").out.splitlines()
    assert len(lines) == 1 + 237
    assert any(line.split() == ["Yamato", "Japan", "battleship", "5", "fast"] for line in lines)
    german = run("ships", "--nation", "germany", "--json").json
    assert len(german) == 20
    assert german[2] == {
        "id": "bismarck",
        "name": "Bismarck",
        "nation": "germany",
        "kind": "battleship",
        "factors": 4,
        "slow": False,
    }


def test_ships_of_a_country_that_does_not_exist(run: Run) -> None:
    ran = run("ships", "--nation", "atlantis")
    assert ran.code == 2
    assert "“atlantis”" in ran.err


def test_outline_is_the_sequence_of_play(run: Run) -> None:
    text = run("outline").out
    assert "A counterair mission (18.52)" in text
    assert text.index("(18.521C)") < text.index("(18.523)") < text.index("(18.524)")
    found = run("outline", "awaw", "--json").json
    assert "counterair" in [entry["name"] for entry in found]


def test_schema_is_json_with_and_without_asking(run: Run) -> None:
    for arguments in (["schema"], ["schema", "awaw"], ["schema", "--json"]):
        found = run(*arguments).json
        assert found["$schema"].startswith("https://json-schema.org/")
        assert "sides" in found["required"]
        assert {"bases", "forces"} < set(found["properties"])


@pytest.mark.parametrize("name", NAMES)
def test_every_table_prints(run: Run, name: str) -> None:
    ran = run("table", name)
    found = run("table", name, "--json").json
    assert ran.code == 0
    assert ran.out.startswith(f"{found['title']} ({found['rule']})")
    assert found["rows"][0][-1] in ran.out


def test_a_table_is_looked_up(run: Run) -> None:
    ran = run("table", "air-combat", "--level", "25", "--roll", "7")
    assert ran.out.splitlines()[0] == "9/11"
    assert "row 20, column 7: 7/8" in ran.out
    found = run("table", "naval-attack", "--level", "4", "--roll", "7", "--by", "fleet", "--json").json
    assert set(found) == {"table", "result", "explanation", "rows_used"}
    assert run("table", "air-combat", "--level", "5", "--roll", "-3").code == 0


@pytest.mark.parametrize(
    ("arguments", "quoted", "allowed"),
    [
        (["table", "airy"], "“airy”", "air-combat"),
        (["table", "air-combat", "--level", "x", "--roll", "7"], "“x”", "a whole number"),
        (["table", "air-combat", "--level", "0", "--roll", "7"], "“0”", "1 to"),
        (["table", "air-combat", "--level", "3"], "roll", "a modified roll"),
        (["table", "air-combat", "--level", "3", "--roll", "7", "--by", "air"], "“air”", "no --by"),
        (["options", "chess"], "“chess”", "awaw"),
        (["outline", "chess"], "“chess”", "awaw"),
        (["schema", "chess"], "“chess”", "awaw"),
        (["rules", "show", "19.6111"], "“19.6111”", "19.61"),
        (["rules", "coverage", "--feature", "tanks"], "“tanks”", "air-combat"),
        (["rules", "coverage", "--scope", "moon"], "“moon”", "battle"),
        (["rules", "coverage", "--require", "many"], "“many”", "0 to 100"),
        (["rules", "coverage", "--require", "101"], "“101”", "0 to 100"),
    ],
)
def test_what_is_not_there_is_quoted_and_what_is_there_is_named(
    run: Run, arguments: list[str], quoted: str, allowed: str
) -> None:
    ran = run(*arguments)
    assert ran.code == 2
    assert not ran.out
    assert ran.err.startswith("flagplot: ")
    assert quoted in ran.err
    assert allowed in ran.err


def test_help_names_every_command(run: Run) -> None:
    text = run("--help").out
    commands = (
        "scenarios play resume replay report verify orders check schema table rules odds simulate arena serve options "
        "outline version export import"
    )
    for command in commands.split():
        assert f"\n  {command} " in text


@pytest.mark.parametrize(
    "arguments", [["fly"], ["play", "malta", "midway"], ["play", "malta", "--fast"], ["rules", "bend"]]
)
def test_wrong_usage_is_bad_input(run: Run, arguments: list[str]) -> None:
    ran = run(*arguments)
    assert ran.code == 2
    assert not ran.out
    assert "Usage: flagplot" in ran.err


# --- the register -----------------------------------------------------------------------------------------------


def test_a_rule_is_shown_with_its_code(run: Run) -> None:
    text = run("rules", "show", "19.61").out
    assert text.startswith("19.61  ")
    assert "flagplot/awaw/losses.py:" in text
    found = run("rules", "show", "19.61", "--json").json
    assert found["id"] == "19.61"
    assert found["meaning"] == find("19.61").meaning
    assert meanings()["19.61"] in " ".join(text.split())
    assert found["mechanic"] is True
    assert found["code"]


def test_a_rule_is_shown_with_the_kinds_of_play_that_reach_it(run: Run) -> None:
    assert "  reached  naval battle " in run("rules", "show", "22.451A").out
    found = run("rules", "show", "22.451A", "--json").json
    assert found["applies"] == ["naval-battle", "operation", "air-turn"]
    assert set(found["reached"]) | set(found["unreached"]) == set(found["applies"])


def test_what_play_reaches_is_told_by_kind_of_play(run: Run) -> None:
    text = run("rules", "coverage", "--reach", "--feature", "line-of-battle").out
    assert "\nLine of Battle  27     27       0          0\n" in text
    assert text.endswith("\n27 of 27 rules are reached in some kind of play\n")
    found = run("rules", "coverage", "--reach", "--feature", "line-of-battle", "--json").json
    assert found["kinds"]["line-of-battle"] == {"applies": 27, "reached": 27, "explained": 0, "missing": 0}
    assert found["rules"]["LOB-01"]["reached"]["line-of-battle"] > 0
    assert found["unreached"] == []


def test_a_rule_that_play_does_not_reach_is_listed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flagplot.cli.lookups.reach.reach", lambda: Reach("a run"))
    ran = run("rules", "coverage", "--reach", "--feature", "line-of-battle")
    assert ran.code == 1
    assert ran.out.count(", Line of Battle: no reason is given\n") == 27
    assert "\nplayed: a run\n0 of 27 rules" in ran.out
    ran = run("rules", "coverage", "--reach", "--scope", "battle")
    assert "more; --all lists them, and those that are explained\n" in ran.out
    ran = run("rules", "coverage", "--reach", "--require", "3")
    assert ran.code == 2
    assert "--require 3" in ran.err


@pytest.fixture
def register_of_fifty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A register of fifty rules, one of which is covered."""
    rules = {
        f"1.{n}": Rule(
            f"1.{n}", "", f"Rule {n}", "effect", "air" if n else "sea", "battle" if n < 49 else "turn", *[""] * 5
        )
        for n in range(50)
    }
    code = Found({"1.0": [Place("a.py", 1, "a")]})
    evidence = Evidence(rules, code=code, results={"1.0": Outcomes(("test_a",))}, notes=("a note",))
    monkeypatch.setattr("flagplot.cli.lookups.rules.gather", lambda: evidence)


@pytest.mark.usefixtures("register_of_fifty")
def test_coverage_below_what_is_required_is_a_no(run: Run) -> None:
    ran = run("rules", "coverage", "--require", "3")
    assert ran.code == 1
    assert ran.out.endswith("note: a note\n1 of 50 rules are covered: 2%\nless than the required 3%\n")
    assert run("rules", "coverage", "--require", "2").code == 0
    assert run("rules", "coverage", "--require", "100", "--feature", "sea").code == 0
    assert run("rules", "coverage", "--require", "1", "--feature", "air").code == 1
    assert run("rules", "coverage").code == 0


def test_an_installed_package_says_nothing_of_tests_that_it_does_not_have(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    evidence = Evidence(register(), code=Found({"22.71A": [Place("a.py", 1, "a")]}), notes=(NO_TESTS,))
    monkeypatch.setattr("flagplot.cli.lookups.rules.gather", lambda: evidence)
    monkeypatch.setattr("flagplot.register.coverage.gather", lambda: evidence)
    shown, counted = run("rules", "show", "22.71A").out, run("rules", "coverage", "--feature", "search").out
    assert shown.endswith(f"note: {NO_TESTS}\n")
    assert "covered" not in shown
    assert "tested  " not in counted
    assert counted.endswith(" rules are carried out by code\n")


@pytest.mark.usefixtures("register_of_fifty")
def test_at_most_forty_uncovered_rules_are_listed(run: Run) -> None:
    text = run("rules", "coverage").out
    assert text.count(": no code, no passing test\n") == 40
    assert "… and 9 more; --all lists them" in text
    assert run("rules", "coverage", "--all").out.count(": no code, no passing test\n") == 49


@pytest.mark.usefixtures("register_of_fifty")
def test_coverage_as_json(run: Run) -> None:
    ran = run("rules", "coverage", "--feature", "air", "--require", "50", "--json")
    found = ran.json
    assert ran.code == 1
    assert found["total"]["mechanics"] == 49
    assert list(found["by_scope"]) == ["battle", "turn"]
    assert (found["required"], found["enough"], found["problems"]) == (50, False, [])
    assert found["uncovered"][0]["missing"] == "neither"


@pytest.mark.usefixtures("register_of_fifty")
def test_nothing_can_be_required_of_nothing(run: Run) -> None:
    ran = run("rules", "coverage", "--feature", "sea", "--scope", "turn", "--require", "0")
    assert ran.code == 2
    assert "“sea, turn”" in ran.err
    assert run("rules", "coverage", "--feature", "sea", "--scope", "turn").code == 0


@pytest.mark.usefixtures("register_of_fifty")
def test_wrong_citations_are_a_no(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flagplot.cli.lookups.rules.problems", lambda evidence: (Fault("x.py:1", "cites “99.9”"),))
    ran = run("rules", "coverage", "--require", "0")
    assert ran.code == 1
    assert "x.py:1: cites “99.9”" in ran.out


def test_the_real_register_is_counted(run: Run) -> None:
    found = run("rules", "coverage", "--feature", "air-combat", "--scope", "battle", "--json").json
    assert found["total"]["mechanics"] > 0
    assert list(found["by_feature"]) == ["air-combat"]


def test_a_percentage_is_never_rounded_up() -> None:
    assert _percentage(Count(10_000, 0, 0, 9_999)) == "99.9%"
    assert _percentage(Count(10, 0, 0, 10)) == "100%"
