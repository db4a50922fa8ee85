"""The kamikaze force pool (17.41-17.44): the rule is invoked, air units become kamikazes, and the pool grows."""

from __future__ import annotations

from typing import NamedTuple

from flagplot.awaw.air_units import Arm, Force, Role, Unit, in_order, take, unit
from flagplot.awaw.state.air import Site
from flagplot.awaw.state.setting import drm_ledger
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.basing.base_changes import described_as
from flagplot.awaw.turn.marks import clip
from flagplot.awaw.turn.missions.inversion import reconcile
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words, how_many

KAMIKAZE = "japan/kamikaze"
STEP = 15
"""17.43: the first force pool, and what it grows by."""


class _Cost(NamedTuple):
    brps: int
    rule: str


KAMIKAZE_COST = _Cost(1, "17.44C")
DONE = "done"
WORTH = {Arm.NAVAL: 1, Arm.ARMY: 3}
"""17.44A: how many kamikazes one unit makes."""


# --- invoking, and growing --------------------------------------------------------------------------------------


@rule("17.41", "17.43A")
def invoke(state: State, side: str) -> Script[None]:
    """17.41: in any of its construction phases Japan may announce that it invokes the kamikaze rule; its force pool is
    15 then (17.43A)."""
    turn = state.turn
    if turn.pool.limit:
        return
    labels: dict[str, Words] = {"no": "Not now", "yes": "Invoke it: elite naval air becomes regular"}
    chosen: str = yield Choose(side, "kamikazes", ("no", "yes"), "Invoke the kamikaze rule?", labels, "17.41")
    if chosen == "yes":
        turn.pool.limit = STEP
        yield Note(("{} invokes the kamikaze rule", state.name(side)), "17.41")
        become_regular(state)


@rule("17.43B", "17.43C", "17.47H", "17.47H.1")
def grow(state: State) -> Script[None]:
    """17.43B: when as many kamikazes have attacked as the force pool holds it grows by 15 in the next construction
    phase, and again each time; those who attack from then on have one more on their attack rolls (17.47H)."""
    pool = state.turn.pool
    if not pool.limit or pool.used < pool.limit:
        return
    pool.limit, pool.used, pool.growth = pool.limit + STEP, 0, pool.growth + 1
    rate_growth(state)
    yield Note(("All kamikazes used: the force pool grows to {}", pool.limit), "17.43B")


def rate_growth(state: State) -> None:
    """17.47H: how often the pool has grown counts in every attack from here on."""
    state.kamikaze_growth = state.turn.pool.growth


# --- elite units ------------------------------------------------------------------------------------------------


@rule("17.42", "17.42.1")
def become_regular(state: State) -> None:
    """17.42: kamikazes use the counters of elite naval air: whatever is left of it becomes regular, in bases, aboard
    and in the force pool."""
    turn = state.turn
    for site in state.sites.values():
        for name in _COUNTS:
            setattr(site, name, _regular(state, getattr(site, name)))
    for force in state.operation.fleet.values():
        force.group.air = _regular(state, force.group.air)
        force.grounded = _regular(state, force.grounded)
        force.ashore = _regular(state, force.ashore)
    turn.marks = {mark: _regular(state, force) for mark, force in turn.marks.items()}
    turn.down = [entry._replace(which=_as_regular(state, entry.which)) for entry in turn.down]
    for held in (turn.unbuilt, turn.built):
        if "japan/elite-naval" in held:
            held["japan/naval"] = held.get("japan/naval", 0) + held.pop("japan/elite-naval")
    reconcile(state)


_COUNTS = [name for name, kind in Site.__annotations__.items() if kind == "dict[Unit, int]"]
"""What is counted of the air units of a base."""


def _regular(state: State, force: Force) -> Force:
    if not any([which.arm is Arm.ELITE for which in force]):
        return force
    made: Force = {}
    for which, number in force.items():
        regular = _as_regular(state, which)
        made[regular] = made.get(regular, 0) + number
    return in_order(made)


def _as_regular(state: State, which: Unit) -> Unit:
    if which.arm is not Arm.ELITE:
        return which
    drm = drm_ledger(state.setting, state.place(which.home), which.nation, Arm.NAVAL).total
    return unit(which.nation, Arm.NAVAL, drm, which.reach, which.home, which.role, which.inverted)


# --- conversion -------------------------------------------------------------------------------------------------


@rule("17.43A", "17.43B", "17.44A")
def room_in_pool(state: State) -> int:
    """17.44A: how many more kamikazes the force pool has room for, those that are built and those that are not."""
    turn = state.turn
    return max(0, turn.pool.limit - state.kamikazes - turn.pool.unbuilt)


def may_convert(state: State, side: str) -> bool:
    return bool(_sources(state, side))


@rule("17.44A", "17.44A.1")
def _sources(state: State, side: str) -> dict[str, tuple[Unit | str, int]]:
    """17.44A: Japanese naval air squadrons and army air factors that can become kamikazes, built ones in their bases
    and unbuilt ones: by the text of an option what they are, and how many of them the force pool has room for. Who is
    aboard a carrier goes ashore first (`docs/rulings.md`)."""
    room = room_in_pool(state)
    found: dict[str, tuple[Unit | str, int]] = {}
    for base in state.of_side(side):
        for which, number in state.sites[base].air.items():
            if which.nation == "japan" and which.arm in WORTH and which.role in (Role.FACTORS, Role.SQUADRONS):
                most = min(number, room // WORTH[which.arm])
                if most:
                    text = f"{base}:{which.arm.value}{':inverted' * which.inverted}"
                    found[text] = (which, most)
    for arm in WORTH:
        most = min(state.turn.unbuilt.get(f"japan/{arm}", 0), room // WORTH[arm])
        if most:
            found[f"unbuilt:{arm.value}"] = (f"japan/{arm}", most)
    return found


@rule("17.44A", "17.44A.1", "17.44A.2")
def offer_conversion(state: State, side: str) -> Script[bool]:
    """17.44A: a naval squadron becomes one kamikaze, an army air factor three, for good; those that are built become
    kamikazes that are built, the others have to be built yet. Whether it goes on."""
    sources = _sources(state, side)
    labels: dict[str, Words] = {text: _label(state, *found) for text, found in sources.items()}
    labels[DONE] = "Convert no more"
    chosen: str = yield Choose(side, "convert", [*labels], "Choose air units to turn into kamikazes", labels, "17.44A")
    if chosen == DONE:
        return False
    source, most = sources[chosen]
    question = ("Convert how many of {}? Room for {}", labels[chosen], so_many(room_in_pool(state)))
    number: int = yield Choose(side, ("converted", chosen), range(1, most + 1), question, how_many, "17.44A")
    made = number * WORTH[source.arm if isinstance(source, Unit) else Arm(source.partition("/")[2])]
    if isinstance(source, Unit):
        _convert_built(state, source, number)
    else:
        _convert_unbuilt(state, source, number)
    yield Note(("{}: {} made from {}", state.name(side), so_many(made), _label(state, source, number)), "17.44A")
    return True


def _label(state: State, source: Unit | str, most: int) -> Words:
    if isinstance(source, Unit):
        return ("{} in {}", described_as(source, most), state.place(source.home).name)
    what = "army air factor" if source.endswith(Arm.ARMY) else "naval air squadron"
    return ("{} unbuilt {}{}", most, what, "s" * (most != 1))


def so_many(number: int) -> str:
    return f"{number} kamikaze{'s' * (number != 1)}"


def _convert_built(state: State, which: Unit, number: int) -> None:
    """Units in a base become kamikazes that are built."""
    site = state.sites[which.home]
    take(site.air, which, number)
    for part in (site.used, site.committed, site.aborted):
        over = part.get(which, 0) - site.air.get(which, 0)
        if over > 0:
            take(part, which, over)
    clip(state)
    reconcile(state)
    state.kamikazes += number * WORTH[which.arm]
    _forget(state, which.arm, number)


def _convert_unbuilt(state: State, key: str, number: int) -> None:
    """Unbuilt units become kamikazes that have to be built yet."""
    turn = state.turn
    arm = Arm(key.partition("/")[2])
    left = turn.unbuilt.pop(key) - number
    if left:
        turn.unbuilt[key] = left
    turn.pool.unbuilt += number * WORTH[arm]
    _forget(state, arm, number)


@rule("17.44A.2")
def _forget(state: State, arm: Arm, number: int) -> None:
    """17.44A: they leave the Japanese force pool for good."""
    if arm is Arm.ARMY:
        state.turn.pools["japan/army"] -= number
