"""State is plain data: it is copied, written as JSON, read back, and says everything at a border."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from flagplot.kernel.game import Game
from flagplot.kernel.log import FORCED
from flagplot.kernel.plain_data import canonical, copy_of, digest, from_plain, to_plain
from flagplot.kernel.requests import Choose, Roll
from flagplot.testing.trial import Snapshot, Trial, as_json, unlike

Ways = list[tuple[str, str]]


def the_state_is_plain_data(trial: Trial) -> Iterator[str]:
    state, kind = trial.game.state, trial.setup.ruleset.state_type
    if not isinstance(state, kind):
        yield f"the state is a {type(state).__name__}, not a {kind.__name__}"
    try:
        canonical(state)
    except TypeError as fault:
        yield f"the state cannot be written as JSON: {fault}"


def the_state_survives_json(trial: Trial) -> Iterator[str]:
    state = trial.game.state
    again = _from_json(trial, canonical(state))
    if again != state:
        yield "the state read back from JSON is another one"
    if digest(again) != digest(state):
        yield "the state read back from JSON has another digest"


def _from_json(trial: Trial, text: str) -> Any:
    return from_plain(type(trial.game.state), json.loads(text))


def play_goes_on_from_a_state_read_from_json(trial: Trial) -> Iterator[str]:
    """At a border the state alone says everything: from its JSON the same answers lead to the same moment."""
    state = trial.game.border.state
    again = _again_from(trial.game, _from_json(trial, as_json(to_plain(state))))
    yield from unlike(trial.now, trial.snapshot(again))


def equal_states_play_alike(trial: Trial) -> Iterator[str]:
    """The order of a dict is no part of a state: with its keys sorted the same options are offered in the same order,
    and the same answers lead to an equal state and the same log."""
    again = _again_from(trial.game, _from_json(trial, canonical(trial.game.border.state)))
    yield from unlike(_without_order(trial.now), _without_order(trial.snapshot(again)))


def _without_order(seen: Snapshot) -> Snapshot:
    """A snapshot in which the keys of views stand in alphabetical order."""
    return {
        name: json.dumps(json.loads(text), sort_keys=True, ensure_ascii=False) if name.startswith("view") else text
        for name, text in seen.items()
    }


def _again_from(game: Game[Any], state: Any) -> Game[Any]:
    """The game from its last border, in a state that should be equal, with the same answers."""
    again = game.from_border(state)
    for request, answer in list(game.events[game.border.logged :]):
        if isinstance(request, Roll):
            again.roll(answer)
        elif isinstance(request, Choose) and answer != FORCED:
            again.choose(request.option(answer).text)
    return again


def copies_share_nothing_that_changes(trial: Trial) -> Iterator[str]:
    state = trial.game.state
    copied = copy_of(state)
    if copied != state or canonical(copied) != canonical(state):
        yield "the copy of the state is not equal to it"
    ours, theirs = changeable(state), changeable(copied)
    yield from (f"the copy of the state shares {ours[key]} with it" for key in ours if key in theirs)
    yield from _shared_with(trial.game, "border", trial.game.border.state)


def _shared_with(game: Game[Any], name: str, other: Any) -> Iterator[str]:
    ours, theirs = changeable(game.state), changeable(other)
    yield from (f"the state at the last {name} shares {ours[key]} with the state" for key in ours if key in theirs)


def nothing_is_in_two_places(trial: Trial) -> Iterator[str]:
    """What is in two places of a state changes in both, but in a copy of it in one: copies part what was one thing."""
    twice: Ways = []
    changeable(trial.game.state, twice=twice)
    yield from (f"{one} and {other} are one and the same thing" for one, other in twice)


def changeable(
    thing: Any, path: str = "state", found: dict[int, str] | None = None, twice: Ways | None = None
) -> dict[int, str]:
    """The lists, dicts, sets and dataclasses that can be reached from a thing and may be changed, by identity; in
    `twice` those that can be reached in two ways.

    Frozen dataclasses are taken as immutable, whatever they hold: see `shared_parts_never_change`.
    """
    found = {} if found is None else found
    if isinstance(thing, tuple | list | set):
        inner = [(f"{path}[{place}]", part) for place, part in enumerate(thing)]
    elif isinstance(thing, dict):
        inner = [(f"{path}[{key!r}]", part) for key, part in thing.items()]
    elif is_dataclass(thing) and not is_frozen(thing):
        inner = [(f"{path}.{part.name}", getattr(thing, part.name)) for part in fields(thing)]
    else:
        return found
    if not isinstance(thing, tuple):
        if id(thing) in found and twice is not None:
            twice.append((found[id(thing)], path))
            return found
        found[id(thing)] = path
    for place, part in inner:
        changeable(part, place, found, twice)
    return found


def is_frozen(thing: Any) -> bool:
    frozen: bool = thing.__dataclass_params__.frozen
    return frozen


def frozen_parts(thing: Any) -> Iterator[Any]:
    """The frozen dataclasses nearest to the top of a thing."""
    if is_dataclass(thing) and is_frozen(thing):
        yield thing
        return
    if is_dataclass(thing):
        parts = [getattr(thing, part.name) for part in fields(thing)]
    elif isinstance(thing, dict):
        parts = list(thing.values())
    else:
        parts = list(thing) if isinstance(thing, tuple | list) else []
    for part in parts:
        yield from frozen_parts(part)


def shared_parts_never_change(trial: Trial) -> Iterator[str]:
    """Frozen parts of the state, which all copies share, read at the end as they did at the start."""
    for part, text in trial.shared:
        if canonical(part) != text:
            yield f"a {type(part).__name__} is frozen, but something in it changed"
