"""Attacks on bases for the tests: a port with ships and air, a field or carriers in range of it, and what became."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flagplot.awaw.operations.bases.targets import LAND_BASED
from flagplot.awaw.procedures import attempts, base_strike, encounter, homeward, interceptions, passage
from flagplot.awaw.state.operation import Activity, Progress
from flagplot.awaw.state.state import State
from flagplot.kernel.dice import Scripted
from flagplot.kernel.game import Game
from flagplot.kernel.procedures import Frame
from flagplot.kernel.requests import Choose, Roll
from tests.awaw.battles import ships as ships_of
from tests.awaw.seas import force, least, offered, play, port, sail, sea, steer, taken

Dice = tuple[str | int, ...]

PEARL, FIELD = (3, 0), (1, 0)
"""The port that is attacked, and a red base two hexes away."""
MISSION_HEX = (5, 0)
NAVAL = "field:japan:naval:squadrons"
ARMY = "field:japan:army:factors"
ABOARD = "red-at-sea:japan:naval:squadrons"
ALL = 99
PROCEDURES = (interceptions, attempts, passage, encounter, homeward)


def fleet_in_port(*named: str, name: str = "pac", home: str = "pearl", **more: Any) -> dict[str, Any]:
    return force(name, "blue", home, *named, **more)


def waters(
    *entries: dict[str, Any],
    air: Sequence[str] = (),
    red: Sequence[str] = (),
    stage: str = "combat",
    pearl: dict[str, Any] | None = None,
    field: dict[str, Any] | None = None,
    **more: Any,
) -> State:
    """Pearl is blue, with this air; Field is red, two hexes away, with that. The level of the port itself is 3: a port
    and an airbase. Red moves."""
    return sea(
        port("field", "red", FIELD, *red, **(field or {})),
        port("pearl", "blue", PEARL, *air, **(pearl or {})),
        *entries,
        stage=stage,
        **more,
    )


def kido(air: int = 6, **more: Any) -> dict[str, Any]:
    """Two red carriers with their escort, in Field."""
    return force("kido", "red", "field", "Akagi", "Kaga", cruisers=6, air=air, **more)


def on_mission(state: State, *keys: str, activity: str = "fast-carrier-mission", arrived: bool = True) -> str:
    """The forces are on a voyage to the mission hex, two hexes from Pearl, and there if they have arrived, else a hex
    before it; its key."""
    key = sail(state, activity, list(keys) or ["kido"], MISSION_HEX)
    voyage = state.operation.voyages[key]
    voyage.step = len(voyage.path) - (1 if arrived else 2)
    voyage.progress = Progress.ARRIVED if arrived else Progress.UNDER_WAY
    for one in voyage.forces:
        state.operation.fleet[one].at = voyage.at
    return key


def on_patrol(state: State, key: str = "kido") -> str:
    """The force is on offensive patrol in the mission hex."""
    state.operation.fleet[key].patrol, state.operation.fleet[key].at = "offensive", MISSION_HEX
    return key


def attack(
    state: State, *orders: str, key: str = LAND_BASED, base: str = "pearl", rolls: Sequence[Dice] = ()
) -> Game[State]:
    """The whole attack, with these orders and dice, all of which must be used."""
    with Scripted(*rolls) as dice:
        return steer(begin(state, key=key, base=base, dice=dice), *orders)


def begin(state: State, *, key: str = LAND_BASED, base: str = "pearl", dice: Any = None) -> Game[Any]:
    return play(state, base_strike.start(base, key), *PROCEDURES, dice=dice)


def until(game: Game[Any], verb: str, *orders: str) -> Game[Any]:
    """Go on until something of this verb is asked, or dice for it are to be rolled."""
    waiting = list(orders)
    while game.pending is not None:
        texts = offered(game)
        if isinstance(game.pending, Choose) and texts[0].startswith(f"{verb}:"):
            break
        if isinstance(game.pending, Roll):
            if verb in str(game.pending):
                break
            game.roll()
            continue
        game.choose(taken(waiting, texts) or least(texts))
    assert not waiting, f"never asked: {waiting}"
    return game


def call(state: State, frame: Frame, dice: Any = None) -> Game[Any]:
    return play(state, frame, *PROCEDURES, dice=dice)


def fly(number: int, tag: str = NAVAL) -> str:
    return f"fly:{tag}:{number}"


def counterair(number: int, tag: str = NAVAL) -> str:
    return f"share:{tag}:{number}"


def at(game: Game[State], key: str = "pac") -> dict[str, int]:
    """The ships of a force in short words."""
    return ships_of(game.state.operation.fleet[key].group)


def lying(game: Game[State], key: str = "pac") -> list[str]:
    """The ships of a force that lie sunk in port."""
    return [which.id for which in game.state.operation.fleet[key].sunk_in_port]


def gone(game: Game[State]) -> dict[str, int]:
    return {which.tag: number for which, number in game.state.losses.ships.items()}


def text(game: Game[State], side: str = "umpire") -> str:
    return "\n".join(map(str, game.log(side)))


def told(game: Game[State], words: str, side: str = "umpire") -> bool:
    return words in text(game, side)


def voyage_of(state: State, activity: Activity) -> Any:
    return next(voyage for voyage in state.operation.voyages.values() if voyage.activity is activity)
