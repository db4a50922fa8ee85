"""Who plays: reading `--player`, `--seed`, `--dice` and `--option`, each with a message that helps if it is wrong."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from flagplot import library
from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.game import Player
from flagplot.kernel.options import Reading, describe
from flagplot.players import is_local_player, is_player, local_player, player_names

HUMAN = "human"


class Seats(NamedTuple):
    """Who plays each side: a human, or a player of the program."""

    who: dict[str, str]
    bots: dict[str, Player]

    @property
    def humans(self) -> list[str]:
        return [side for side in self.who if side not in self.bots]


def seats(
    sides: Iterable[str], given: Iterable[str], seed: int | None, default: str, before: Mapping[str, str] | None = None
) -> Seats:
    """Fill the seats of a game: as given, the others as before, or by default."""
    sides = list(sides)
    named = read_players(sides, given, people=True)
    # Not the programs: a save may come from a stranger, and must not start anything here.
    known = {side: name for side, name in (before or {}).items() if name == HUMAN or is_player(name)}
    who = {side: named.get(side) or known.get(side, default) for side in sides}
    start = secrets.randbits(32) if seed is None else seed
    bots = {side: local_player(name, start + place) for place, (side, name) in enumerate(who.items()) if name != HUMAN}
    return Seats(who, bots)


def read_players(sides: Sequence[str], given: Iterable[str], *, people: bool = False) -> dict[str, str]:
    """The players after `--player`; where nobody can be asked, only those of the program."""
    who: dict[str, str] = {}
    for text in given:
        side, name = pair(text, "SIDE=WHO", f"{sides[0]}={'random' if people else 'doctrine'}")
        if side not in sides:
            raise UnknownName(f"no such side in --player {text}", given=side, allowed=list(sides))
        if not is_local_player(name) and not (people and name == HUMAN):
            words = f"no such player in --player {text}" if people else f"no such computer player: --player {text}"
            raise UnknownName(words, given=name, allowed=[*[HUMAN] * people, *player_names()])
        if side in who:
            raise BadValue(f"{side} has two players", given=text, allowed=["one --player for each side"])
        who[side] = name
    return who


def pair(text: str, shape: str, example: str) -> tuple[str, str]:
    """The two halves of an argument such as SIDE=WHO."""
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise BadValue(f"this should be {shape}", given=text, allowed=[example])
    return name, value


def read_seed(given: str | None) -> int | None:
    """The number after `--seed`."""
    if given is None:
        return None
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", given.strip()):
        raise BadValue("--seed is not a whole number", given=given, allowed=["a number such as 7"])
    return int(given)


def read_dice(given: str) -> bool:
    """Whether people roll the dice themselves."""
    if given not in ("auto", "manual"):
        raise BadValue("no such kind of dice for --dice", given=given, allowed=["auto", "manual"])
    return given == "manual"


def read_readings(scenario: Mapping[str, Any], given: Iterable[str]) -> dict[str, str | bool]:
    """The readings after `--option`, as values of the scenario's game."""
    pairs = [pair(text, "NAME=VALUE", "classic=true") for text in given]
    if not pairs or scenario.get("game") not in library.games():
        return {}
    known = {reading.name: reading for reading in describe(type(library.ruleset(scenario["game"]).options))}
    for name, _ in pairs:
        if name not in known:
            raise UnknownName("no such option", given=name, allowed=list(known))
    return {name: _reading(known[name], value) for name, value in pairs}


def _reading(reading: Reading, value: str) -> str | bool:
    allowed = {str(other).lower(): other for other in reading.alternatives}
    if value.lower() not in allowed:
        raise BadValue(f"no such value of the option {reading.name}", given=value, allowed=list(allowed))
    return allowed[value.lower()]
