"""Naval forces: task forces and smaller ones that keep chapter 20, with damage, cargo and squadrons aboard."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from flagplot.awaw.ships import CAPITAL, FAST_CARRIERS, NamedShip, named_ship
from flagplot.awaw.task_forces import LEAST, MOST
from flagplot.generating.sketch import Sketch

SMALL = LEAST - 1
CARRIER_FACTORS = 8
RAIDERS = 3
RAIDING_CARRIER = 4
"""The largest carrier beside which two cruisers are enough (22.421A)."""
LADEN = 3
BERTHED = ("cruisers", "destroyers", "laden_destroyers", "cves", "transports", "laden_transports")


@dataclass
class Draft:
    """The ships of one nation in a force that is being put together."""

    nation: str
    named: list[NamedShip] = field(default_factory=list)
    light: dict[str, int] = field(default_factory=dict)
    """Light ships under the names of a scenario file; cruisers are counted in factors."""
    hits: dict[str, int] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """20.14: its factors; transports count nothing."""
        light = {kind: number for kind, number in self.light.items() if "transports" not in kind}
        return sum(found.factors for found in self.named) + sum(light.values()) - self.light.get("damaged_cruisers", 0)

    @property
    def carriers(self) -> int:
        return sum(found.factors for found in self.named if found.kind in FAST_CARRIERS)

    @property
    def fast(self) -> int:
        """The factors that can stand beside carriers (22.421A)."""
        capital = [found for found in self.named if found.kind in CAPITAL and not found.slow]
        sound = sum(found.factors for found in capital if not self.is_damaged(found))
        light = sum(self.light.get(kind, 0) for kind in ("cruisers", "destroyers", "laden_destroyers"))
        return sound + light - 2 * self.light.get("damaged_cruisers", 0)

    def is_damaged(self, found: NamedShip) -> bool:
        return self.hits.get(found.name, 0) == found.factors - 1

    def add(self, kind: str, number: int) -> None:
        if number > 0:
            self.light[kind] = self.light.get(kind, 0) + number

    def entry(self) -> dict[str, Any]:
        """As a scenario file has it."""
        named: dict[str, Any] = {"named": [found.name for found in self.named]} if self.named else {}
        return {"nation": self.nation, **named, **self.light, **({"hits": self.hits} if self.hits else {})}


def task_force(sketch: Sketch, side: str, *, cargo: bool = False, escorts: bool = True) -> dict[str, Any]:
    """A task force of ten to 25 factors, of one nation or two; `escorts` says whether it may have escort carriers."""
    draft = Draft(_naval_power(sketch, side))
    _launch(sketch, draft, FAST_CARRIERS, CARRIER_FACTORS)
    draft.add("cruisers", 2 * sketch.between(1, 3))
    draft.add("destroyers", sketch.between(0, 3))
    _launch(sketch, draft, CAPITAL, min(sketch.between(0, 9), MOST - LADEN - draft.size))
    if cargo:
        draft.add("laden_destroyers", sketch.between(1, LADEN))
    lacking = max(LEAST - draft.size, draft.carriers - draft.fast)
    draft.add("cruisers", 2 * -(-lacking // 2))
    if escorts and sketch.likely(0.2) and draft.size < MOST - 3:
        draft.add("cves", sketch.between(1, 2))
    drafts = [draft, *_companions(sketch, side, draft)]
    _damage(sketch, draft, drafts)
    return _entry(sketch, drafts, cargo=cargo, task_force=True)


def small_force(sketch: Sketch, side: str, *, cargo: bool = False) -> dict[str, Any]:
    """A force of fewer than ten factors."""
    draft = Draft(_naval_power(sketch, side))
    if cargo:
        draft.add("laden_destroyers", sketch.between(1, LADEN))
        if sketch.likely(0.3):
            draft.add("laden_transports", sketch.between(1, 2))
    else:
        _launch(sketch, draft, CAPITAL, sketch.between(0, 5))
    draft.add("cruisers", 2 * sketch.between(0, (SMALL - draft.size) // 2))
    draft.add("destroyers", sketch.between(0 if draft.size else 1, SMALL - draft.size))
    if sketch.likely(0.15):
        draft.add("transports", sketch.between(1, 3))
    _damage(sketch, draft, [draft])
    return _entry(sketch, [draft], cargo=cargo, task_force=False)


def raiders(sketch: Sketch, side: str) -> dict[str, Any]:
    """21.5342: a raiding group of one to three ships; now and then one of them is a carrier."""
    draft = Draft(_naval_power(sketch, side))
    if sketch.likely(0.3):
        _launch(sketch, draft, FAST_CARRIERS, RAIDING_CARRIER)
        draft.named = draft.named[:1]
    if not draft.named:
        _launch(sketch, draft, CAPITAL, 7)
        draft.named = draft.named[: RAIDERS - 1]
    least = RAIDERS - 1 if draft.carriers else 0 if draft.named else 1
    draft.add("cruisers", 2 * sketch.between(least, RAIDERS - len(draft.named)))
    while draft.size > SMALL:
        draft.named.pop()
    return _entry(sketch, [draft], cargo=False, task_force=False)


def destroyers(sketch: Sketch, side: str) -> dict[str, Any]:
    """Destroyers alone, which may deploy as ASW."""
    draft = Draft(_naval_power(sketch, side))
    draft.add("destroyers", sketch.between(1, SMALL))
    return _entry(sketch, [draft], cargo=False, task_force=False)


def berths(entry: dict[str, Any]) -> int:
    """21.11: the room that a force takes in port; transports count there."""
    return sum(
        sum(named_ship(name).factors for name in part.get("named", []))
        + sum(number for kind, number in part.items() if kind in BERTHED)
        for part in entry["ships"]
    )


def _naval_power(sketch: Sketch, side: str) -> str:
    """A nation of the side with named ships; the first has most of them."""
    able = [country for country in sketch.nations[side] if country in sketch.named]
    return able[0] if sketch.likely(0.6) else sketch.pick(able)


def _launch(sketch: Sketch, draft: Draft, kinds: frozenset[Any], most: int) -> None:
    """Named ships of these kinds that are free, up to so many factors."""
    free = sketch.named[draft.nation]
    for found in sketch.some([found for found in free if found.kind in kinds], 3):
        if found.factors <= most:
            most -= found.factors
            free.remove(found)
            draft.named.append(found)


def _companions(sketch: Sketch, side: str, draft: Draft) -> list[Draft]:
    """Sometimes light ships of an ally sail with it."""
    allies = [country for country in sketch.nations[side] if country != draft.nation]
    if not allies or draft.size > MOST - 4 or sketch.likely(0.6):
        return []
    ally = Draft(sketch.pick(allies))
    ally.add("destroyers", sketch.between(1, 2))
    ally.add("cruisers", 2 * sketch.between(0, 1))
    return [ally]


def _damage(sketch: Sketch, draft: Draft, all_: list[Draft]) -> None:
    """Some ships have hits, as long as enough sound ones stay beside the carriers."""
    spare = sum(one.fast - one.carriers for one in all_)
    for found in draft.named:
        if sketch.likely(0.2):
            hits = sketch.between(1, found.factors - 1)
            costs = found.factors if found.kind in CAPITAL and not found.slow and hits == found.factors - 1 else 0
            if costs <= spare:
                spare -= costs
                draft.hits[found.name] = hits
    if draft.light.get("cruisers", 0) and spare >= 2 and sketch.likely(0.2):
        draft.light["damaged_cruisers"] = 1


def _entry(sketch: Sketch, drafts: list[Draft], *, cargo: bool, task_force: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {"task_force": task_force, "ships": [draft.entry() for draft in drafts]}
    air = [part for draft in drafts for part in _squadrons(sketch, draft)]
    if air:
        entry["air"] = air
    if cargo:
        entry["cargo"] = "supplies"
        laden = sum(draft.light.get(kind, 0) for draft in drafts for kind in ("laden_destroyers", "laden_transports"))
        if sketch.likely(0.5):
            entry["loads"] = _loads(sketch, laden)
    return entry


def _squadrons(sketch: Sketch, draft: Draft) -> list[dict[str, Any]]:
    """17.312: naval air aboard the carriers; damaged ones still carry theirs (17.3124)."""
    number = sketch.between(draft.carriers // 2, draft.carriers)
    elite = number if draft.nation == "japan" and sketch.likely(0.5) and not sketch.invoked else 0
    if elite and sketch.likely(0.3):
        elite = sketch.between(1, elite)
    parts = [{"nation": draft.nation, "squadrons": elite, "elite": True}] if elite else []
    if number > elite:
        parts.append({"nation": draft.nation, "squadrons": number - elite})
    return parts


def _loads(sketch: Sketch, laden: int) -> list[dict[str, Any]]:
    """22.82: cargo in parts that fill the laden ships, or nearly."""
    loads: list[dict[str, Any]] = []
    while laden:
        factors = sketch.between(1, min(2, laden))
        laden -= factors
        load = {"name": f"part {len(loads) + 1}", "factors": factors}
        loads.append({**load, "divisible": True} if sketch.likely(0.3) else load)
    return loads
