"""The campaign sheet: what a battle leaves behind, entry by entry, ready to be carried back to the map.

Ships sunk and damaged, where each force goes, the air of each base and what is inverted, air eliminated, cargo, BRPs.
All comes from the reader's view and from the result, so that a sheet of a running game shows what its reader may know.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from flagplot.awaw.board.units import losses
from flagplot.awaw.views.battle import BattleView, DepartedView, GroupView
from flagplot.awaw.views.position import Position, SiteView
from flagplot.awaw.views.units import FlightView, ShipView
from flagplot.kernel.game import Game
from flagplot.kernel.naming import plainly
from flagplot.kernel.results import Result
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE
from flagplot.kernel.view_types import Hidden
from flagplot.line_of_battle import views as lines
from flagplot.report.campaign_air import Lost, lost_by_base
from flagplot.report.gathering import gathered
from flagplot.report.operation import won
from flagplot.report.page import winner

SUNK, HIT, FORCE, AIR, BEFORE, AIR_LOST = "sunk", "hit", "force", "air", "air before", "air lost"
CARGO_LOST, LANDED, BOATS, BRPS, POINTS, FOLLOWS = (
    "cargo lost",
    "cargo landed",
    "submarines",
    "brps",
    "points",
    "follows",
)
HEADINGS = {
    SUNK: "Sunk",
    HIT: "Hit",
    FORCE: "Forces",
    AIR: "Air at bases",
    AIR_LOST: "Air eliminated",
    CARGO_LOST: "Cargo lost",
    LANDED: "Cargo landed",
    BOATS: "Submarines lost",
    BRPS: "BRPs of air lost",
    POINTS: "Points",
    FOLLOWS: "Also",
}


class Entry(NamedTuple):
    """One line of a campaign sheet."""

    part: str
    """What it tells of: ``sunk``, ``hit``, ``force``, ``air``, ``air before``, ``air lost``, ``cargo lost``, …"""
    side: str
    what: str
    number: int | None = None
    state: str = ""
    place: str = ""
    """The base or box that it is in or goes to."""
    inverted: bool = False
    rule: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class CampaignSheet(Result):
    """What a battle leaves behind, as its reader may know it."""

    title: str
    reader: str
    over: bool
    sides: Mapping[str, str]
    ending: str
    entries: tuple[Entry, ...]

    def as_dict(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "as": self.reader,
            "over": self.over,
            "sides": dict(self.sides),
            "ending": self.ending,
            "entries": self.rows(),
        }

    def rows(self) -> list[dict[str, Any]]:
        return [entry._asdict() for entry in self.entries]

    def to_csv(self) -> str:
        """The entries as a table for spreadsheets."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(Entry._fields)
        for entry in self.entries:
            writer.writerow(["yes" if cell is True else "" if cell in (None, False) else _tame(cell) for cell in entry])
        return text.getvalue()

    def __str__(self) -> str:
        known = {UMPIRE: "", NEUTRAL: "As both sides know it. "}.get(self.reader)
        known = f"As {self.sides[self.reader]} knows it. " if known is None else known
        head = [f"{self.title}: campaign sheet", f"{known}{self.ending}"]
        return "\n".join([*head, *[line for side in self.sides for line in self._of(side)]])

    def _of(self, side: str) -> Iterator[str]:
        yield from ("", self.sides[side])
        mine = [entry for entry in self.entries if entry.side == side]
        for part, heading in HEADINGS.items():
            some = [entry for entry in mine if entry.part == part]
            if part == AIR:
                yield from _bases(some, [entry for entry in mine if entry.part == BEFORE])
            elif part in (FORCE, FOLLOWS):
                yield from [f"  {heading}:"] if some else []
                yield from [f"    {_force(entry)}" for entry in some]
            elif some:
                told = [f"{entry.number}" if part in (BRPS, POINTS, BOATS) else _told(entry) for entry in some]
                yield f"  {heading}: {', '.join(told)}"
            elif part == SUNK:
                yield f"  {heading}: nothing"


def _tame(cell: object) -> object:
    """A cell that no spreadsheet takes for a formula: names are typed by strangers."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in tuple("=+-@\t\r") else cell


def _told(entry: Entry) -> str:
    where = f" at {entry.place}" if entry.part == AIR_LOST and entry.place else ""
    return entry.what + where + (f" ({entry.state})" if entry.state else "")


def _force(entry: Entry) -> str:
    return f"{entry.what}: {entry.state}" if entry.state else entry.what


def _bases(now: list[Entry], before: list[Entry]) -> Iterator[str]:
    """The air of each base, and what it was before."""
    places = dict.fromkeys([entry.place for entry in (*now, *before)])
    if places:
        yield f"  {HEADINGS[AIR]}:"
    for place in places:
        here = ", ".join(sorted([entry.what for entry in now if entry.place == place])) or "no air"
        once = ", ".join(sorted([entry.what for entry in before if entry.place == place]))
        yield f"    {place}: {here}" + (f" (before: {once})" if once and once != here else "")


# --- gathering ----------------------------------------------------------------------------------------------------


def campaign_sheet(game: Game[Any], reader: str = UMPIRE) -> CampaignSheet:
    """The campaign sheet of a game as a side, both sides or the umpire may know it, over or not."""
    found = gathered(game, reader, "")
    seen, result = game.view(reader).position, game.result or {}
    entries: list[Entry] = []
    if isinstance(seen, lines.Position):
        entries += _counters(seen)
    elif isinstance(seen, Position):
        entries += [*_losses(found), *_air_lost(game, seen, found)]
        entries += [*_forces(seen, result), *_air(seen), *_air_before(game, reader)]
    for part, key in ((BRPS, "brps_lost"), (POINTS, "points")):
        told = result.get(key, {})
        entries += [Entry(part, side, HEADINGS[part], number) for side, number in told.items()]
    return CampaignSheet(found["title"], reader, found["over"], found["sides"], _ending(found), tuple(entries))


def _ending(found: Mapping[str, Any]) -> str:
    if found["result"] is None:
        return "The game is still in progress."
    if found["operation"]:
        return won(found["operation"], found["result"]["winner"], found["sides"])[0]
    return winner(found["result"], found["sides"])


def _losses(found: Mapping[str, Any]) -> Iterator[Entry]:
    """What each side has lost, as the report tells it."""
    for side, mine in found["losses"].items():
        for ship in (*mine["sunk"], *mine["sunk_elsewhere"]):
            yield Entry(SUNK, side, str(ship["text"]).partition(" (")[0], ship["count"])
        for ship in mine["hit"]:
            name, _, state = str(ship["text"]).partition(" (")
            told = "damaged" if ship["damaged"] else state.removesuffix(")")
            yield Entry(HIT, side, name, ship["count"], told)
        for part, number in mine["cargo"].items():
            yield Entry(CARGO_LOST, side, str(part), number)
        if mine["submarines"]:
            yield Entry(BOATS, side, "submarine factors", mine["submarines"])
    for side, parts in (found["operation"] or {}).get("landed", {}).items():
        for part, number in parts.items():
            yield Entry(LANDED, side, str(part), number)


def _counters(seen: lines.Position) -> Iterator[Entry]:
    """Line of Battle: each counter, what befell it, and the box that it is in."""
    for unit in seen.units:
        if unit.fate in ("sunk", "destroyed"):
            yield Entry(SUNK, unit.side, unit.name, 1, unit.fate if unit.fate != "sunk" else "")
            continue
        marks = ["damaged"] * unit.damaged + ["disabled"] * (unit.disabled or unit.fate == "disabled")
        if marks:
            yield Entry(HIT, unit.side, unit.name, 1, ", ".join(marks))
        place = str(unit.box.value).replace("-", " ").title().replace(" Of ", " of ")
        place = place if place.startswith("Line") else f"{place} Box"
        yield Entry(FORCE, unit.side, unit.name, 1, f"in the {place}", place)


# --- forces -------------------------------------------------------------------------------------------------------


def _forces(seen: Position, result: Mapping[str, Any]) -> Iterator[Entry]:
    """Where each force goes: home from an operation, or as follows from a battle."""
    if result.get("home"):
        for force in result["home"]:
            ships = ", ".join([ship["text"] for ship in force["ships"] or ()])
            state = f"in {force['base']}{', inverted' * force['inverted']}" + (f": {ships}" if ships else "")
            yield Entry(FORCE, force["side"], force["marker"], None, state, force["base"], force["inverted"])
    elif seen.battle is not None:
        yield from _after_battle(seen, seen.battle, result.get("consequences", ()))
    elif seen.operation is not None:
        for view in seen.operation.forces.values():
            ships = _ships(view.ships)
            state = f"{view.where}{', inverted' * view.inverted}" + (f": {ships}" if ships else "")
            yield Entry(FORCE, view.side, view.marker, None, state, view.base, view.inverted)


def _after_battle(seen: Position, battle: BattleView, follows: Iterable[Mapping[str, Any]]) -> Iterator[Entry]:
    """The groups of a battle with their ships, and what follows for each; then what follows for others."""
    told: dict[str, list[Mapping[str, Any]]] = {}
    for one in follows:
        told.setdefault(str(one["text"]).partition(": ")[0], []).append(one)
    groups: list[GroupView | DepartedView] = [*battle.groups, *battle.departed]
    for group in groups:
        ships = _ships(group.ships)
        if ships or isinstance(group.ships, Hidden):
            yield _group(seen, group, ships, told.pop(_public_name(seen, group), []))
    for side, waiting in battle.pending.items():
        for force in waiting if isinstance(waiting, tuple) else ():
            state = f"waits outside the battle; with {_ships(force.ships)}"
            yield Entry(FORCE, side, force.own.name, None, state)
    for whom, some in told.items():
        for one in some:
            what = plainly(str(one["text"])).partition(": ")[2]
            yield Entry(FOLLOWS, one.get("side", ""), whom, None, what, rule=one.get("rule", ""))


def _public_name(seen: Position, group: GroupView | DepartedView) -> str:
    """What everybody calls a group after the battle, as the consequences do."""
    name = f"CG {group.number} ({seen.sides[group.side]})"
    return f"{name}, withdrawn in round {group.round}" if isinstance(group, DepartedView) else name


def _group(seen: Position, group: GroupView | DepartedView, ships: str, follows: list[Mapping[str, Any]]) -> Entry:
    own = "" if isinstance(group.own, Hidden) else group.own.name
    public = _public_name(seen, group)
    name = f"{own} ({public.replace(f' ({seen.sides[group.side]})', '', 1)})" if own else public
    texts = [plainly(str(one["text"])).partition(": ")[2] for one in follows]
    home = next((found[1] for text in texts if (found := re.match(r"returns to (?!base)(.+)", text))), "")
    inverted = any(text.startswith("is inverted") for text in texts)
    aboard = "" if isinstance(group.own, Hidden) else ", ".join([flight.text for flight in group.own.air])
    state = "; ".join([*texts, *[f"with {ships}"] * bool(ships), *[f"aboard: {aboard}"] * bool(aboard)])
    return Entry(FORCE, group.side, name, None, state, home, inverted, follows[0]["rule"] if follows else "")


def _ships(ships: Iterable[ShipView] | Hidden) -> str:
    return "" if isinstance(ships, Hidden) else ", ".join([ship.text for ship in ships])


# --- air ----------------------------------------------------------------------------------------------------------


def _air_lost(game: Game[Any], seen: Position, found: Mapping[str, Any]) -> Iterator[Entry]:
    """Air eliminated: by base once all is over, where that can be told; before that by nation and arm alone."""
    for side, mine in found["losses"].items():
        told = [Lost(key, number) for key, number in mine["air"].items()]
        if game.result is not None:
            bases = [base for base in game.scenario.get("bases", ()) if base["side"] == side]
            now = {site.name: _flights(site) for site in seen.sites.values() if site.side == side}
            told = [*lost_by_base(mine["air"], bases, now)]
        for one in told:
            yield Entry(AIR_LOST, side, losses({one.key: one.number})[0], one.number, "", one.base)


def _flights(site: SiteView) -> list[FlightView]:
    return [*site.air, *(() if isinstance(site.hidden, Hidden) else site.hidden)]


def _air(seen: Position) -> Iterator[Entry]:
    """The air of each base, as it stands."""
    for site in seen.sites.values():
        for flight in _flights(site):
            state = "inverted" if flight.inverted else ""
            yield Entry(AIR, site.side, _flight(flight), flight.count, state, site.name, flight.inverted)


def _flight(flight: FlightView) -> str:
    return f"{flight.text} (inverted)" if flight.inverted and "inverted" not in flight.text else flight.text


def _air_before(game: Game[Any], reader: str) -> Iterator[Entry]:
    """The air that each base had at the start: of both sides when all is over, before that only of the reader's."""
    for base in game.scenario.get("bases", ()):
        if game.result is None and reader not in (UMPIRE, base["side"]):
            continue
        for some in base.get("air", ()):
            role = "squadrons" if "squadrons" in some else "factors"
            what = losses({f"{some['nation']}/{some['arm']}/{role}": some[role]})[0]
            what += " (inverted)" * bool(some.get("inverted"))
            yield Entry(BEFORE, base["side"], what, some[role], "", base["name"], bool(some.get("inverted")))
