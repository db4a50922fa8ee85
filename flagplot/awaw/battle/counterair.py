"""Attacks against enemy air bases: segment B of a naval combat round (22.41B, 22.43).

Each side secretly puts carrier squadrons on combat air patrol; the others may counterair enemy land bases, one round
of air combat for each base. What comes out is who may still strike and which land-based air may act this round.
"""

from __future__ import annotations

from typing import NamedTuple

from flagplot.awaw.air_combat import Combat
from flagplot.awaw.air_units import Force, Unit, described
from flagplot.awaw.counterair import commit, end_of_turn, invert_aborted
from flagplot.awaw.state import Mission, State
from flagplot.kernel.procedures import END, Call, Next, Procedure
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

naval_rounds = Procedure("naval-rounds", "22.41B", "Attacks against enemy air bases, round by round")
base_attacks = Procedure("base-attacks", "22.432", "One side's attacks against enemy air bases")


@naval_rounds.segment("22.41B", "Each side secretly allocates combat air patrol")
@rule("22.41B.1", "22.431A", "23.33", "SOP-NC-I.B", "SOP-NC-DAGGER")
def combat_air_patrol(state: State) -> Script[Next]:
    """22.41B: each player secretly puts up to a third of each force's squadrons on patrol. Raiders have none."""
    yield Note(("Round {} of naval combat", state.phase + 1), "22.41")
    if state.setting.raiders:
        yield Note("Raider combat: bases are not attacked", "22.35")
        return "close_round"
    for key, site in state.sites.items():
        site.counteraired, site.patrol, site.flown = False, 0, 0
        if state.place(key).afloat:
            site.aborted, site.third = {}, patrol_limit(sum(site.air.values()))
    if state.setting.options.patrol_chosen == "before-counterair":
        yield from _allocate(state)
    return None


def _allocate(state: State) -> Script[None]:
    """Each side in turn; who has flown in this round does not fly patrol as well."""
    for side in (state.setting.attacker, state.setting.defender):
        for key in state.of_side(side):
            if not state.place(key).afloat:
                continue
            site = state.sites[key]
            able = range(min(site.third, sum(site.air.values()) - site.flown) + 1)
            question = ("{}: how many squadrons fly combat air patrol?", state.place(key).name)
            secret = ("{}: combat air patrol is allocated in secret", state.name(side))
            site.patrol = yield Choose(side, ("patrol", key), able, question, _how_many, "23.33", secret)


def _how_many(count: int) -> Words:
    return "none" if count == 0 else ("{}", count)


@rule("23.33", "23.33.EX1")
def patrol_limit(squadrons: int) -> int:
    """23.33: at most a third of the squadrons present at the start of the round, rounded up, fly patrol."""
    return -(-squadrons // 3)


@naval_rounds.segment("22.432", "The moving side attacks bases")
def moving_side(state: State) -> Script[Next]:
    """22.432: each player attacks enemy air bases with squadrons that are not on patrol; the moving side first."""
    yield from ()
    return Call("base-attacks", (state.setting.attacker,))


@naval_rounds.segment("22.432", "The intercepting side attacks bases")
def intercepting_side(state: State) -> Script[Next]:
    """22.432: then the intercepting side."""
    yield from ()
    return Call("base-attacks", (state.setting.defender,))


@naval_rounds.segment("23.64", "By the other reading, combat air patrol is allocated only now")
@rule("23.64", "23.35A")
def late_patrol(state: State) -> Script[Next]:
    """23.64: read so, counterair comes first and patrol is flown by squadrons that have not been used."""
    if state.setting.options.patrol_chosen == "after-counterair":
        yield from _allocate(state)
    return None


@naval_rounds.segment("22.433", "Who may act in the rest of the round")
@rule("22.41B.3", "22.433", "22.434", "22.435", "18.524B")
def close_round(state: State) -> Script[Next]:
    """22.433-22.434: squadrons and land-based air that were not eliminated or aborted may act in this round."""
    for side in (state.setting.attacker, state.setting.defender):
        name, held = state.name(side), state.of_side(side)
        at_sea = Roster([able(state, key) for key in held if state.place(key).afloat])
        ashore = Roster([able(state, key) for key in held if not state.place(key).afloat])
        twin = ("{}: the carriers make ready", name)
        yield Note(("{}: the carriers may strike with {}", name, at_sea), "22.433", side=side, twin=twin)
        yield Note(("{}: land-based air that may act: {}", name, ashore), "22.434")
    state.phase += 1
    if state.phase < len(state.setting.phases):
        return "combat_air_patrol"
    for key, site in state.sites.items():
        if not state.place(key).afloat:
            invert_aborted(site)
    yield from end_of_turn(state)
    return END


class Able(NamedTuple):
    """22.433, 22.434: the units of a site that may take part in the rest of a naval combat round."""

    name: str
    air: tuple[tuple[Unit, int], ...]
    aborted: Force
    """Units that sit this round out, because it was in this round that they were aborted (22.433, 22.434)."""
    away: int
    """Carrier squadrons on patrol or, by option, back from a counterair (22.433, 18.524B)."""

    @rule("22.41B.3", "22.433", "22.434", "18.524B")
    def units(self) -> Force:
        """22.433, 22.434: uninverted units that were neither aborted in this round nor are otherwise busy."""
        away, free = self.away, {}
        for which, number in self.air:
            fit = 0 if which.inverted else number - self.aborted.get(which, 0)
            free[which] = max(0, fit - away)
            away -= fit - free[which]
        return {which: number for which, number in free.items() if number}

    def __str__(self) -> str:
        return f"{self.name} {described(self.units().items())}"


class Roster(list[Able]):
    """What several sites may do, put into words only when somebody reads it."""

    def __str__(self) -> str:
        return "; ".join(map(str, self)) or "none"


def able(state: State, key: str) -> Able:
    """22.433, 22.434: what limits the units of a site in the rest of this naval combat round."""
    site, afloat = state.sites[key], state.place(key).afloat
    aborted = site.aborted.copy() if afloat or site.counteraired else {}
    away = site.patrol
    if not state.setting.options.counterair_nas_may_strike:
        away += site.flown - sum(aborted.values())  # those aborted sit the round out anyway
    return Able(state.place(key).name, tuple(site.air.items()), aborted, away if afloat else 0)


# --- one side's attacks -----------------------------------------------------------------------------------------


@base_attacks.segment("22.432", "The squadrons against each base are announced")
@rule("22.341A", "22.41B.2", "22.431B", "22.432", "23.61C")
def announce_sorties(state: State, side: str) -> Script[Next]:
    """22.432: the player announces how many squadrons attack each enemy land base in range of his carriers."""
    for target in state.of_side(state.other(side)):
        if target not in state.setting.near:
            continue
        sortie = Mission(target, side, Combat.CARRIER_COUNTERAIR)
        yield from commit(state, sortie, at_least=0)
        if sortie.attackers:
            state.sorties.append(sortie)
    return None


@base_attacks.segment("22.432", "Each attack is resolved, in the order the player likes")
@rule("22.432")
def resolve(state: State, side: str) -> Script[Next]:
    """22.432: one round of counterair combat for each base, in whatever order the player wishes."""
    if not state.sorties:
        return END
    targets = [sortie.target for sortie in state.sorties]
    target = targets[0]
    if len(targets) > 1:
        labels: dict[str, Words] = {target: state.place(target).name for target in targets}
        target = yield Choose(side, "next", targets, "Which attack is resolved next?", labels, "22.432")
    state.mission = state.sorties.pop(targets.index(target))
    return Call("counterair", then="resolve")
