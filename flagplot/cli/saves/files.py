"""Commands about a file: the log of a save, the proof of a save, the check of a scenario."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flagplot import library
from flagplot.cli.failures import DONE, NO
from flagplot.cli.output import new_console, print_json
from flagplot.cli.saves.chronicle import lines_of
from flagplot.cli.saves.readers import read_saved, say_reader
from flagplot.cli.screen import Screen
from flagplot.kernel.codewords import words_of
from flagplot.kernel.errors import OldRules, ScenarioError
from flagplot.kernel.naming import closing_words, names_of
from flagplot.kernel.ruleset import UMPIRE
from flagplot.kernel.tape import read_save
from flagplot.kernel.verifying import Verification


def replay(file: str, given: str | None, *, as_json: bool) -> int:
    """`flagplot replay`: the log as a side, or the umpire, may read it."""
    try:
        saved = read_saved(file, given)
    except OldRules as old:
        return _as_written(file, given, old, as_json=as_json)
    game, notices, reader = saved
    log = game.log(reader)
    if as_json:
        entries = [entry.as_dict() for entry in log]
        print_json({"as": reader, "notices": notices, "log": entries, "result": game.result})
        return DONE
    screen = saved.screen()
    say_reader(screen, game, reader, given)
    names = game.view(reader).names
    for entry in log:
        screen.show(lines_of(entry, names, game.ruleset.name, reader))
    result = game.result
    screen.say(f"Game over: {closing_words(result, names)}." if result else "The game is still in progress.")
    return DONE


def _as_written(file: str, given: str | None, old: OldRules, *, as_json: bool) -> int:
    """A game under rules that are no longer known: answers and dice as they stand in the save, which only the umpire
    may read before the end."""
    saved = read_save(Path(file))
    if not saved.closed and given != UMPIRE:
        raise old
    kept = [(str(body["side"]), body.get("choose") or body.get("roll")) for body in saved.bodies if "side" in body]
    told = [{"side": side, "answer": answer} for side, answer in kept if answer is not None]
    ending = saved.bodies[-1]["end"] if saved.closed else {}
    if as_json:
        print_json({"old_rules": old.given, "notices": saved.notices, "answers": told, "result": ending.get("result")})
        return DONE
    screen = Screen(new_console())
    screen.say(
        f"Played under rules {old.given}, which this version does not have: answers and dice as they were saved."
    )
    for one in told:
        answer = one["answer"]
        screen.say(f"{one['side']} › {' '.join(map(str, answer)) if isinstance(answer, list) else answer}")
    over = closing_words(ending["result"], names_of(saved.tape.header)) if ending.get("result") else ""
    screen.say(f"Game over: {over}." if over else "The game was not over.")
    return DONE


def verify(file: str, receipts: str | None, *, as_json: bool) -> int:
    """`flagplot verify`: 1 if something is wrong in the save, was not checked, or in a finished game not opened."""
    found = library.verify(file, receipts=receipts)
    if as_json:
        print_json({**found.as_dict(), "words": words_of(found.head)})
    else:
        print("\n".join(_verdict(file, found)))
    return DONE if found.whole else NO


def _verdict(file: str, found: Verification) -> list[str]:
    if found.problems and all(problem.endswith("is not a line of a save") for problem in found.problems):
        return [f"{file} is not a saved game. Use a file that `play` or a table has saved."]
    lines = [found.headline(file), *[f"  {words}" for words in found.in_words()]]
    return [*lines, f"  head in words: {words_of(found.head)}"] if found.head else lines


def check(file: str, *, as_json: bool) -> int:
    """`flagplot check`: silent faults are the worst, so all of them are told at once."""
    try:
        game = library.load(file, seed=0)
    except ScenarioError as error:
        if as_json:
            print_json(_checked(file, faults=[fault._asdict() for fault in error.faults]))
        raise
    if as_json:
        print_json(_checked(file, faults=[]))
    else:
        print(f"{file} is valid: {game.scenario['title']}")
    return DONE


def _checked(file: str, faults: list[dict[str, Any]]) -> dict[str, Any]:
    return {"scenario": file, "sound": not faults, "faults": faults}
