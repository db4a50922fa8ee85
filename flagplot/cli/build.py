"""`flagplot build`: a battle from plain text, shown as it was understood, saved, played or simulated."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from flagplot import library
from flagplot.builder import Problem, Reading, read, to_toml, totals, write
from flagplot.cli.command import program
from flagplot.cli.failures import BAD_INPUT, DONE
from flagplot.cli.output import new_console, print_json, print_table
from flagplot.cli.screen import FAINT, STRONG, Screen
from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.ruleset import UMPIRE
from flagplot.kernel.words import capital, plural

FORMS = ("text", "toml", "json")


def build(
    file: str | None, scenario: str | None, save: str | None, form: str | None, then: str, *, as_json: bool
) -> int:
    """`flagplot build`."""
    wanted = "json" if as_json else form
    if wanted is not None and wanted not in FORMS:
        raise BadValue("no such form", given=wanted, allowed=FORMS)
    if file is not None and scenario is not None:
        raise BadValue("--from writes a battle, and a file is read: give one of them", given=file)
    reading = read(write(library.read_scenario(scenario)) if scenario is not None else _text_of(file or "-"))
    if wanted == "json":
        print_json(_as_dict(reading))
    elif reading.document is None or (wanted is None and scenario is None):
        _show(reading)
    else:
        print(to_toml(reading.document) if wanted == "toml" else write(reading.document), end="")
    if reading.document is None:
        _tell_problems(reading)
        return BAD_INPUT
    if save is not None:
        _save(reading.document, save)
    return _go_on(reading.document, then)


def _text_of(file: str) -> str:
    """The text of a file or of standard input; a scenario file is told as text."""
    if file == "-":
        if sys.stdin.isatty():
            print(
                "One line a force, such as Japan TF1: Akagi, Kaga, 6 CA, 4 DD; 6 NAS. End with Ctrl-D.", file=sys.stderr
            )
        return sys.stdin.read()
    path = Path(file).expanduser()
    if path.suffix in (".toml", ".json"):
        return write(library.read_scenario(path))
    try:
        return path.read_text(encoding="utf8")
    except FileNotFoundError:
        raise UnknownName(
            "no such file", given=file, allowed=["a file of plain text", "- for standard input"]
        ) from None
    except (OSError, ValueError) as fault:
        raise BadValue(f"this file cannot be read ({fault})", given=file) from fault


def _as_dict(reading: Reading) -> dict[str, Any]:
    return {
        "scenario": reading.document,
        "problems": [one._asdict() for one in reading.problems],
        "notes": [one._asdict() for one in reading.notes],
        "totals": [
            one._asdict() | {"figures": [figure._asdict() for figure in one.figures]} for one in totals(reading.draft)
        ],
    }


# --- what was built -----------------------------------------------------------------------------------------------


def _show(reading: Reading) -> None:
    """The battle as it was understood: its board, its totals, and how parts of the text were read."""
    screen = Screen(new_console())
    if reading.document is not None:
        board = str(library.load(reading.document, seed=0).view(UMPIRE))
        screen.say(board.partition("\n")[0], STRONG)
        for line in board.split("\n")[2:]:
            screen.say(line)
    rows = [[one.name, *_cells([str(figure) for figure in one.figures])] for one in totals(reading.draft)]
    if rows:
        screen.rule("Totals")
        print_table(["", "factors or room", "carriers", "squadrons"], rows)
    if reading.notes:
        screen.rule("Read as")
        lines = reading.text.split("\n")
        for note in reading.notes:
            given = lines[note.line - 1][note.column - 1 : note.column - 1 + note.length]
            words = f"{given.strip()}: " if note.length > 1 and given.strip() not in note.message else ""
            screen.say(
                f"{words}{capital(note.message) if not words else note.message}"
                + (" (our estimate)" if note.estimate else ""),
                FAINT,
            )


def _cells(figures: list[str]) -> Sequence[str]:
    """Three cells: factors, carriers, squadrons."""
    if len(figures) == 2:
        figures = [figures[0], "", figures[1]]
    return [*figures, "", ""][:3]


def _tell_problems(reading: Reading) -> None:
    """Each problem under the line that it is about, with what to type instead."""
    lines = reading.text.split("\n")
    for problem in reading.problems:
        print(_pointed(problem, lines[problem.line - 1]), file=sys.stderr)
    print(f"flagplot: {plural(len(reading.problems), 'problem')} in this text", file=sys.stderr)


WIDEST = 100


def _pointed(problem: Problem, line: str) -> str:
    """A problem with its line and a mark below the letters; of a long line the part around them."""
    start = max(0, problem.column - 1 - WIDEST // 2)
    shown = line[start : start + WIDEST].replace("\t", " ")
    mark = " " * (problem.column - 1 - start) + "^" * max(1, min(problem.length, WIDEST // 2))
    rule = f" (rule {problem.rule})" if problem.rule else ""
    return f"line {problem.line}: {problem.message}{rule}\n  {shown}\n  {mark}"


# --- what is done with it -----------------------------------------------------------------------------------------


def _save(document: dict[str, Any], given: str) -> None:
    path = Path(given).expanduser()
    if path.suffix not in (".toml", ".txt"):
        raise BadValue("--save is of no known kind", given=given, allowed=["a file.toml", "a file.txt"])
    try:
        with path.open("x", encoding="utf8") as file:
            file.write(to_toml(document) if path.suffix == ".toml" else write(document))
    except FileExistsError:
        raise BadValue("a file of this name exists already", given=given, allowed=["a new name"]) from None
    except (OSError, ValueError) as fault:
        raise BadValue(f"this file cannot be written ({fault})", given=given) from fault
    print(f"Saved. To play it: {program()} play {given}", file=sys.stderr)


def _go_on(document: dict[str, Any], then: str) -> int:
    """Play the battle or simulate it, from a file of its own."""
    if not then:
        return DONE
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="flagplot-") as folder:
        path = Path(folder) / "my-battle.toml"
        path.write_text(to_toml(document), encoding="utf8")
        if then == "play":
            from flagplot.cli.keyboard import play

            return play.play(str(path), play.Given(), "auto", None, [])
        from flagplot.cli.simulation import simulate

        return simulate.simulate(simulate.Given(str(path)), as_json=False)
