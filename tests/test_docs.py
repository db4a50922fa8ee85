"""The documents keep their word: examples run as printed, and whatever they name is there."""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.main import get_command

import flagplot
from flagplot import library
from flagplot.cli.app import app
from flagplot.kernel.options import describe
from flagplot.register import register

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
NAMES = [str(path.relative_to(ROOT)) for path in DOCUMENTS]
SUFFIXES = (".py", ".md", ".toml", ".csv", ".svg", ".lock", ".sh")
TO_BE_MADE = {"my-battle.toml", "my-map.toml", "pyproject.toml", ".venv", ".venv/bin", ".venv/bin/python", "uv.lock"}
"""Files that a reader makes, or that are made for him."""
SHELL = ("bash", "console")

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
COMMAND = re.compile(r"(?:^|[\s$])(?:\./run|flagplot) ([a-z]+(?: [a-z]+(?:-[a-z]+)*)?)([^\n|]*)")


class Document(NamedTuple):
    """A document in its parts."""

    text: str
    prose: str
    """Without the fenced blocks."""
    blocks: list[tuple[str, str]]
    """The fenced blocks, each with its language."""

    @property
    def spans(self) -> list[str]:
        """What stands in code within the prose."""
        return CODE.findall(self.prose)


def document(name: str) -> Document:
    text = (ROOT / name).read_text(encoding="utf8")
    return Document(text, FENCE.sub("", text), [(kind, body) for kind, body in FENCE.findall(text)])


# --- examples ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_examples_give_what_is_printed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    examples = "\n".join(body for kind, body in document(name).blocks if kind == "pycon")
    told: list[str] = []
    test = doctest.DocTestParser().get_doctest(examples, {}, name, name, 0)
    doctest.DocTestRunner(verbose=False).run(test, out=told.append)
    assert not told, "".join(told)


@pytest.mark.parametrize("name", NAMES)
def test_programs_can_be_read_and_import_what_there_is(name: str) -> None:
    for program in [body for kind, body in document(name).blocks if kind == "python"]:
        assert ">>>" not in program, "as pycon it would be run"
        for node in ast.walk(ast.parse(program)):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("flagplot"):
                assert all([named(f"{node.module}.{one.name}") for one in node.names])
            elif isinstance(node, ast.Import):
                assert all([find_spec(one.name) for one in node.names])


@pytest.mark.parametrize("name", ["docs/sheets.md", "docs/opponent.md"])
def test_short_programs_run(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for program in [body for kind, body in document(name).blocks if kind == "python"]:
        exec(compile(program, name, "exec"), {})
    assert "Escort the Landing Group with another force?" in capsys.readouterr().out


def test_the_guide_to_python_has_examples() -> None:
    assert sum(body.count(">>>") for kind, body in document("docs/python.md").blocks if kind == "pycon") > 10


def test_the_readme_fits_on_a_screen_or_two() -> None:
    assert len(document("README.md").text.splitlines()) <= 120


def test_the_look_up_among_the_commands_is_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    (shown,) = [body for kind, body in document("docs/commands.md").blocks if kind == "console"]
    typed, _, printed = shown.partition("\n")
    arguments = typed.removeprefix("$ ./run ").split()
    with pytest.raises(SystemExit):
        app(args=arguments, prog_name="flagplot")
    assert capsys.readouterr().out == printed


# --- what is named is there -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_files_that_are_named_exist(name: str) -> None:
    wanted = [span for span in document(name).spans if is_path(span)]
    assert [span for span in wanted if not (ROOT / span.removeprefix("./")).exists()] == []


def is_path(span: str) -> bool:
    """Whether a piece of code is the path of a file or folder of the project."""
    if span in TO_BE_MADE or not re.fullmatch(r"(\./)?\.?\w[\w.-]*(/[\w.-]+)*/?", span):
        return False
    top = span.removeprefix("./").split("/")[0]
    return span.endswith(SUFFIXES) or span.startswith("./") or ("/" in span and (ROOT / top).exists())


def test_the_tour_of_the_tree_names_every_folder() -> None:
    """And stays short enough to be read."""
    spans = {span.rstrip("/") for span in document("docs/architecture.md").spans}
    folders = {path.parent for path in (ROOT / "flagplot").rglob("*.py") if "migrations" not in path.parts}
    assert {str(folder.relative_to(ROOT)) for folder in folders} - spans == {"flagplot"}
    assert document("docs/architecture.md").text.count("\n") <= 250


@pytest.mark.parametrize("name", NAMES)
def test_python_names_exist(name: str) -> None:
    for span in document(name).spans:
        if re.fullmatch(r"flagplot(\.\w+)+", span):
            assert named(span) is not None


def named(dotted: str) -> object:
    """The module, class or function of a dotted name."""
    parts = dotted.split(".")
    for end in range(len(parts), 0, -1):
        try:
            thing: object = import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            thing = getattr(thing, part)
        return thing
    return None


@pytest.mark.parametrize("name", NAMES)
def test_commands_that_are_named_exist(name: str) -> None:
    found = document(name)
    pieces = [*found.spans, *[body for kind, body in found.blocks if kind in SHELL]]
    for words, rest in (match for piece in pieces for match in COMMAND.findall(piece)):
        command, options = known_command(words)
        assert command, f"there is no command {words}"
        assert set(re.findall(r"--\w[\w-]*", rest)) <= options, f"{words} {rest}"


def known_command(words: str) -> tuple[str, set[str]]:
    """The command that some words begin with, and its options; of nothing if there is none."""
    known = commands()
    name = words if words in known else words.split()[0]
    return (name, known[name]) if name in known else ("", set())


@cache
def commands() -> dict[str, set[str]]:
    """Every command with its options, those of a group under its name and theirs."""
    return dict(walk(get_command(app), ""))


def walk(command: Any, path: str) -> Iterator[tuple[str, set[str]]]:
    yield path, {name for parameter in command.params for name in parameter.opts}
    for name, inner in getattr(command, "commands", {}).items():
        yield from walk(inner, f"{path} {name}".strip())


def test_every_built_command_is_listed() -> None:
    text = document("docs/commands.md").text
    later = {"odds", "rules", ""}
    assert [name for name in commands() if name not in later and f"`./run {name}" not in text] == []


def test_every_command_but_serve_speaks_json() -> None:
    groups = {"", "odds", "rules"}
    assert [name for name, options in commands().items() if "--json" not in options and name not in groups] == ["serve"]


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_somewhere(name: str) -> None:
    folder = (ROOT / name).parent
    inside = [link.split("#")[0] for link in LINK.findall(document(name).prose) if "://" not in link]
    assert [link for link in inside if link and not (folder / link).exists()] == []


def test_every_scenario_is_listed() -> None:
    text = document("docs/scenarios.md").text
    assert [name for name in flagplot.scenario_names() if f"| `{name}` |" not in text] == []


# --- rulings ----------------------------------------------------------------------------------------------------

OPTION = re.compile(r"^Option: `(\w+)` = (.*)$", re.MULTILINE)


READINGS = [option for game in library.RULESETS for option in describe(type(library.ruleset(game).options))]
"""The options of all games; no two have the same name."""


def sections() -> list[str]:
    return re.split(r"^(?=##)", document("docs/rulings.md").text, flags=re.MULTILINE)


def test_every_option_is_described_with_its_readings_and_no_other() -> None:
    told = {name: CODE.findall(values) for name, values in OPTION.findall(document("docs/rulings.md").text)}
    assert told == {
        option.name: [str(one).lower() if isinstance(one, bool) else one for one in option.alternatives]
        for option in READINGS
    }


@pytest.mark.parametrize("option", READINGS, ids=lambda option: option.name)
def test_an_option_is_described_where_its_rules_are(option: Any) -> None:
    (section,) = [part for part in sections() if f"Option: `{option.name}`" in part]
    assert [
        number for number in option.rules if not re.search(rf"(?<![\w.]){re.escape(number)}(?![\w-])", section)
    ] == []


def test_rule_numbers_in_the_headings_of_rulings_are_in_the_register() -> None:
    headings = re.findall(r"^### .*\(([^()]+)\)$", document("docs/rulings.md").text, re.MULTILINE)
    numbers = [number for heading in headings for number in heading.split(", ")]
    assert len(numbers) > 50
    assert [number for number in numbers if number not in register() and not number.startswith("26.")] == []


# --- what does not belong there ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "pattern",
    [
        r"pypi\.org|pythonhosted|/simple\b|npmjs|index-url\s*=",
        r"(?<![\w.])/(?:home|root|work|Users|tmp|usr|opt|mnt|var|etc)/",
        r"[A-Z]:\\",
        r"\blocalhost\b|\b\d{1,3}(?:\.\d{1,3}){3}\b",
    ],
    ids=["registries", "paths", "drives", "hosts"],
)
def test_no_machine_shows(name: str, pattern: str) -> None:
    assert re.findall(pattern, document(name).text) == []
