"""Raids into an SW box (21.53): whether the raiders are found, who meets them, and the transports that they are after.

Of 21.53 only the table and its modifiers could be read (`docs/rulings.md`). Raider combat itself is 22.35.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flagplot.awaw.air_units import Force
from flagplot.awaw.battle.raiders import raid_transports
from flagplot.awaw.counting import add, merged, take
from flagplot.awaw.operations.battles.scenes import bring_in, clear_scene, set_scene
from flagplot.awaw.operations.markers import part_of
from flagplot.awaw.operations.names import force_name
from flagplot.awaw.operations.passage.homeward import mend
from flagplot.awaw.procedures import naval_battle, raid
from flagplot.awaw.ships import Fleet, Kind, Ship, Ships, decks
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.operation import NavalForce, Voyage
from flagplot.awaw.state.state import State
from flagplot.kernel.ledger import Ledger, Line
from flagplot.kernel.procedures import END, Call, Next
from flagplot.kernel.requests import Choose, Faces, Roll, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import Words

HUNTERS = "hunters"


@raid.segment("21.5342", "The defender looks for the raiders")
@rule("22.11C")
def look_for_raiders(state: State, key: str) -> Script[Next]:
    """21.5342: in the box nobody intercepts raiders; a die says how many of the defender's ships may engage them."""
    operation = state.operation
    voyage = operation.voyages[key]
    side = state.other(voyage.side)
    ledger = finding_ledger(state, voyage)
    purpose = ("{}: search for {} in {}", state.name(side), force_name(state, voyage), state.place(voyage.base).name)
    number: int = yield Roll(side, 1, purpose, _found(ledger.total), "21.5342", ledger)
    operation.raids[voyage.base] = operation.raids.get(voyage.base, 0) + 1
    hunters = yield from _hunters(state, side, voyage.base, number)
    if hunters:
        operation.fleet[HUNTERS] = hunters
        told = ("{}: {} meet the raiders", state.name(side), Ships(hunters.group.ships.items()))
        yield disclosed(told, "21.5342", side)
        return fight
    yield disclosed(("{}: no ship meets the raiders", state.name(side)), "21.5342", side)
    return None


def finding_ledger(state: State, voyage: Voyage) -> Ledger:
    """21.5342: the modifiers of the die: three less always, one more for each group before, and for three ships."""
    operation = state.operation
    ships = sum([number for force in operation.sailing(voyage).values() for number in force.group.ships.values()])
    lines = [Line(-3, "raiders are hard to find", "21.5342")]
    before = operation.raids.get(voyage.base, 0)
    if before:
        lines.append(Line(before, "earlier raids there", "21.5342"))
    if ships >= 3:
        lines.append(Line(1, "three or more ships", "21.5342"))
    if operation.plan.hunting:
        lines.append(Line(operation.plan.hunting, "escort carriers, air range and codebreaking", "21.5342"))
    return Ledger(lines)


@cache
def _found(modifier: int) -> Callable[[Faces], int]:
    def reads(faces: Faces) -> int:
        return max(0, faces[0] + modifier)

    return reads


def _hunters(state: State, side: str, box: str, number: int) -> Script[NavalForce | None]:
    """21.5342: a die for each says what kind of ship engages; if there is none, one of a lower line."""
    stock = next(
        (force for force in state.operation.fleet_of(side).values() if force.base == box and force.in_port), None
    )
    if stock is None or not number:
        return None
    fleet: Fleet = {}
    for _ in range(number):
        line: int = yield Roll(side, 1, ("{}: ship that meets the raiders", state.name(side)), _face, "21.5342")
        script = _ships_of_line(side, stock.group.ships, line)
        hidden = stock.group.task_force and not stock.seen
        words = ("{}: choosing a ship to meet the raiders", state.name(side))
        chosen = yield from secretly(side, words, script, "21.5342", anyway=hidden)
        for which, count in chosen.items():
            take(stock.group.ships, which, count)
            add(fleet, which, count)
    if not fleet:
        return None
    group = Group(side, "hunters", fleet, False, air=_squadrons(fleet, stock), place=stock.group.place)
    hunters = part_of(state, stock, group)
    hunters.at = state.place(box).at
    return hunters


def _squadrons(fleet: Fleet, stock: NavalForce) -> Force:
    """The squadrons aboard carriers that leave a force."""
    aboard: Force = {}
    for country, (sound, _) in decks(fleet).items():
        for which in [which for which in stock.group.air if which.nation == country]:
            number = min(sound, stock.group.air[which])
            if number:
                take(stock.group.air, which, number)
                add(aboard, which, number)
                sound -= number
    return aboard


def _face(faces: Faces) -> int:
    return faces[0]


def _ships_of_line(side: str, fleet: Fleet, line: int) -> Script[Fleet]:
    """One of the ships that a line of the table names, or of the next lower line that has one."""
    for lower in range(line, 0, -1):
        able = [which for which in fleet if _is_of_line(which, lower)]
        if able:
            labels: dict[str, Words] = {which.tag: which.name for which in able}
            chosen: str = yield Choose(
                side, "hunter", [*labels], "Choose a ship to meet the raiders", labels, "21.5342"
            )
            which = next(which for which in able if which.tag == chosen)
            return {which: 1} | (_screen(fleet, which.size) if lower == 6 else {})
    return {}


def _is_of_line(which: Ship, line: int) -> bool:
    """1 a destroyer, 2 a cruiser or a ship of two factors, 3 to 5 a capital ship of so many, 6 a fast carrier; slow and
    damaged ships do not find raiders."""
    if which.slow or which.damaged or which.kind in (Kind.TRANSPORT, Kind.CVE):
        return False
    if which.fast_carrier:
        return line == 6
    return which.size == line and line < 6


def _screen(fleet: Fleet, factors: int) -> Fleet:
    """Light factors beside a carrier, as many as it has."""
    screen: Fleet = {}
    for which, number in fleet.items():
        if which.kind is Kind.DESTROYER and factors:
            screen[which] = min(number, factors)
            factors -= screen[which]
    return screen


@raid.segment("22.35E", "Nothing shields the transports")
@rule("22.35E")
def unopposed(state: State, key: str) -> Script[Next]:
    """22.35E: raiders that nobody meets attack the transports."""
    operation = state.operation
    set_scene(state, operation.voyages[key].at, raiders=True)
    for force in operation.sailing(operation.voyages[key]):
        bring_in(state, force)
        group = state.battle.groups[force]
        group.number, group.formed, group.idle = 1, True, dict(group.ships)
    state.elsewhere.exposed = True
    yield from raid_transports(state)
    state.elsewhere.exposed = False
    clear_scene(state)
    return END


@raid.segment("22.35", "Raider combat")
@rule("22.35", "22.11A.3")
def fight(state: State, key: str) -> Next:
    """22.35: one round between the raiders and those who found them, whom nobody could intercept (22.11A)."""
    operation = state.operation
    set_scene(state, operation.voyages[key].at, raiders=True)
    for force in [*operation.sailing(operation.voyages[key]), HUNTERS]:
        bring_in(state, force)
    return Call(naval_battle)


@raid.segment("25.36", "Both sides return to their boxes")
@rule("22.35", "22.81A", "23.444")
def part(state: State, key: str) -> Next:
    """25.36, 22.81A: ships in a box follow rules of their own: the hunters are back among the others there, their base,
    so that hits too few for damage are removed (20.512)."""
    operation = state.operation
    clear_scene(state)
    for key in [
        key for key in operation.fleet if key.split("-")[0] == HUNTERS
    ]:  # carriers may have withdrawn by themselves
        hunters = operation.fleet.pop(key)
        if state.setting.options.hunters_hits == "removed":
            mend(hunters.group.ships)
        others = [force for force in operation.fleet_of(hunters.side).values() if force.base == hunters.base]
        stock = next((force for force in others if force.in_port), None)
        if stock is None:  # all that was in the box has met them
            operation.fleet[f"box-{key}"] = hunters
            continue
        stock.group.ships = merged(stock.group.ships, hunters.group.ships)
        stock.group.air = merged(stock.group.air, hunters.group.air)
        stock.grounded = merged(stock.grounded, hunters.grounded)
    return END
