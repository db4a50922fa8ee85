"""Games and scenarios by name: finding them, reading files, starting and resuming games."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flagplot.kernel import saves, verifying
from flagplot.kernel.data_files import read_data
from flagplot.kernel.dice import Committed, Dice, Seeded
from flagplot.kernel.errors import Fault, ScenarioError, UnknownName
from flagplot.kernel.extensions import brought, data_files, fetched
from flagplot.kernel.game import Game
from flagplot.kernel.options import read_options
from flagplot.kernel.plugins import imported
from flagplot.kernel.ruleset import Ruleset

if TYPE_CHECKING:
    from flagplot.board.model import Board, Hex, MapAnswer, Threat

RULESETS = {
    "awaw": "flagplot.awaw.ruleset:AWAW",
    "line-of-battle": "flagplot.line_of_battle.ruleset:LINE_OF_BATTLE",
}
"""Where the rulesets of our own games are; each is imported when it is asked for."""


def games() -> list[str]:
    """The games that can be played: our own, and those that other packages bring."""
    return [*RULESETS, *sorted(set(brought("games")) - set(RULESETS))]


def ruleset(name: str) -> Ruleset[Any]:
    """The ruleset of a game."""
    if name in RULESETS:
        found: Ruleset[Any] = imported(RULESETS[name])
        return found
    if name not in brought("games"):
        raise UnknownName("no such game", given=name, allowed=games())
    other: Ruleset[Any] = fetched("games", name)
    return other


def package_of(game: str) -> str:
    """The package that a game's ruleset is in, with its data beside it."""
    place = RULESETS[game] if game in RULESETS else brought("games")[game].value
    module = place.partition(":")[0]
    return module.rpartition(".")[0] or module


@cache
def words_of(game: str) -> Mapping[str, Any]:
    """The words of a game for plans, readings and orders; none if it brings none, or nobody has entered it."""
    try:
        return read_data(package_of(game), "plans.toml")
    except (FileNotFoundError, KeyError):
        return {}


def board_of(game: str, position: Any) -> Board | None:
    """What lies on the board in a position of that game; None if the game has no board."""
    make = getattr(ruleset(game), "board", None)
    board: Board | None = make(position) if make else None
    return board


def map_answers(
    game: str, position: Any, chart: Any, offered: Sequence[tuple[str, str]], chosen: Mapping[str, str] | None = None
) -> tuple[MapAnswer, ...]:
    """The options, each a text and a label, that lie on the map; `chosen` are the answers of the same plan."""
    make = getattr(ruleset(game), "map_answers", None)
    found: tuple[MapAnswer, ...] = make(position, chart, offered, chosen) if make else ()
    return found


def threats_on(
    game: str, position: Any, chart: Any, option: str, path: Sequence[Hex], order: str = ""
) -> tuple[Threat, ...]:
    """Who could intercept the force of an option on a path, as far as the position tells."""
    make = getattr(ruleset(game), "threats_on", None)
    found: tuple[Threat, ...] = make(position, chart, option, path, order) if make else ()
    return found


def subjects_of(game: str, board: Board, option: str) -> tuple[str, ...]:
    """The stacks and counters on a board that an option of a question means, by their subjects."""
    read = getattr(ruleset(game), "subjects", None)
    found: tuple[str, ...] = read(board, option) if read else ()
    return found


def scenario_names() -> list[str]:
    """The battles that come with Flagplot, and those that other packages bring."""
    return list(data_files("scenarios"))


def read_scenario(source: str | Path | Mapping[str, Any]) -> dict[str, Any]:
    """A scenario's data: by the name of one that comes with Flagplot, from a file (TOML or JSON), or as given.

    Names such as ``generated:operation:17`` stand for scenarios that are made from a number (`flagplot.generating`).
    """
    if isinstance(source, Mapping):
        return deepcopy(dict(source))  # the caller may go on changing it
    if str(source).startswith("generated:"):
        from flagplot.generating import read_generated

        return read_generated(str(source))
    path = Path(source)
    if path.suffix in (".toml", ".json") or path.exists():
        return _read_file(path)
    if str(source) not in scenario_names():
        raise UnknownName("no such scenario or file", given=source, allowed=scenario_names())
    return tomllib.loads(data_files("scenarios")[str(source)].read_text(encoding="utf8"))


def described(name: str) -> dict[str, Any]:
    """What people are told of a scenario before they play it."""
    data = read_scenario(name)
    return {
        "name": name,
        "game": data["game"],
        "kind": data.get("kind", ""),
        "theatre": data.get("theatre", ""),
        "sides": [{"id": side["id"], "name": side["name"]} for side in data["sides"]],
        "title": data["title"],
        "about": data.get("about", ""),
    }


def _read_file(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf8")
        data = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except FileNotFoundError:
        raise UnknownName("no such scenario file", given=path, allowed=scenario_names()) from None
    except (OSError, UnicodeDecodeError) as fault:
        raise ScenarioError(str(path), [Fault("the file", f"it cannot be read: {fault}")]) from fault
    except (tomllib.TOMLDecodeError, json.JSONDecodeError, RecursionError) as fault:
        kind = "JSON" if path.suffix == ".json" else "TOML"
        raise ScenarioError(str(path), [Fault("the file", f"this is not {kind}: {fault}")]) from fault
    if not isinstance(data, dict):
        raise ScenarioError(str(path), [Fault("the file", "it should be a table of keys and values")])
    return data


def load(
    source: str | Path | Mapping[str, Any],
    *,
    seed: int | None = None,
    dice: Dice | None = None,
    options: Mapping[str, Any] | None = None,
) -> Game[Any]:
    """A new game of a scenario. With a seed the dice follow from it; else they are committed to a fresh secret."""
    data = read_scenario(source)
    _check_characters(data, source)
    rules = _ruleset_of(data, source)
    given = data.get("options", {})
    faults: list[Fault] = []
    if not isinstance(given, Mapping):
        faults.append(Fault("options", f"“{given}” should be a table of options"))
        given = {}
    chosen = read_options(rules.options, {**given, **(options or {})}, "options", faults)
    state = None
    try:
        state = rules.read(data, chosen)
    except ScenarioError as error:
        faults += error.faults
    if faults:
        raise ScenarioError(str(source) if not isinstance(source, Mapping) else str(data.get("title")), faults)
    return Game(rules, data, chosen, state, dice or (Seeded(seed) if seed is not None else Committed()))


def _check_characters(data: Mapping[str, Any], source: object) -> None:
    """JSON can spell half of a character (a lone surrogate), which no file and no page can hold."""
    try:
        json.dumps(data, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        label = "a scenario" if isinstance(source, Mapping) else str(source)
        words = "this text holds half of a character (a lone surrogate), which cannot be written down"
        raise ScenarioError(label, [Fault(place or "the file", words) for place in _broken(data, "")]) from None


def _broken(data: Any, place: str) -> Iterator[str]:
    """The places of all texts that cannot be written down, each as it can be."""
    if isinstance(data, str):
        if not _is_whole(data):
            yield place
    elif isinstance(data, list | tuple):
        for number, part in enumerate(data, start=1):
            yield from _broken(part, f"{place}[{number}]")
    elif isinstance(data, Mapping):
        for key, part in data.items():
            name = str(key).encode(errors="replace").decode()
            inside = f"{place}.{name}" if place else name
            if not _is_whole(str(key)):
                yield inside
            yield from _broken(part, inside)


def _is_whole(text: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def _ruleset_of(data: Mapping[str, Any], source: object) -> Ruleset[Any]:
    name = data.get("game")
    if not isinstance(name, str) or name not in games():
        label = "a scenario" if isinstance(source, Mapping) else str(source)
        fault = Fault("game", f"“{name}” is not a game; use {', '.join(games())}")
        raise ScenarioError(label, [fault])
    return ruleset(name)


def resume(path: str | Path, *, follow: bool = True) -> Game[Any]:
    """Go on from a save; from then on, unless `follow` is false, each answer is on disk before it counts."""
    game, _ = saves.resume(Path(path), ruleset, follow=follow)
    return game


def resume_with_notices(path: str | Path, *, follow: bool = True) -> tuple[Game[Any], list[str]]:
    """As `resume`, with what people should be told: that a half-written last line was left out, for instance."""
    return saves.resume(Path(path), ruleset, follow=follow)


def verify(path: str | Path, *, receipts: str | Path | None = None) -> verifying.Verification:
    """Prove a save: chain, legality of every answer, dice, result; and the receipts that a browser kept of it."""
    return verifying.verify(Path(path), ruleset, None if receipts is None else Path(receipts))
