"""Ships withheld from a counter-interception battle (22.26D): they are on their way to another enemy, and spare
themselves."""

from __future__ import annotations

from operator import attrgetter

from flagplot.awaw.air_units import add
from flagplot.awaw.battle.decks import by_nation
from flagplot.awaw.battle.groups import label
from flagplot.awaw.ships import name_of
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.state import State
from flagplot.kernel.requests import Choose, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import Words, count_or_not

NONE, ALL, SOME = "none", "all", "some"
_SHARES: dict[str, Words] = {NONE: "Commit all", ALL: "Hold all back", SOME: "Hold some back"}


@rule("22.26D", "22.26D.1", "22.26D.4", "22.33")
def withhold(state: State, side: str) -> Script[None]:
    """22.26D: an intercepting side that was itself intercepted on its way says, anew in each round, which of its ships
    it keeps out of combat. Against the enemy that it set out to intercept it may keep none back: such a battle has no
    side that withholds."""
    words = ("{}: choosing ships to hold back", state.name(side))
    return secretly(side, words, _withhold(state, side), "22.26D")


def _withhold(state: State, side: str) -> Script[None]:
    for group in state.battle.present(side):
        group.withheld = yield from _of_group(state, group)


def _of_group(state: State, group: Group) -> Script[dict[str, int]]:
    """How many of each kind of ship a group keeps back; damaged ones are out of combat anyway (22.531C)."""
    question: Words = ("{}: hold ships back this round?", label(state, group))
    verb = ("withhold", str(group.number))
    share: str = yield Choose(group.side, verb, (NONE, ALL, SOME), question, _SHARES, "22.26D")
    sound = sound_ships(group)
    if share != SOME:
        return sound if share == ALL else {}
    kept = {}
    names = {which.tag: which for which in group.ships}
    for tag, count in sound.items():
        many = ("Hold back how many of {} {}?", count, name_of(names[tag], count))
        one = ("Hold {} back?", names[tag].name if names[tag].named else ("1 {}", name_of(names[tag], 1)))
        question, labels = count_or_not(count, many, one, "Commit", "Hold back")
        answer: int = yield Choose(group.side, (*verb, tag), range(count + 1), question, labels, "22.26D")
        if answer:
            kept[tag] = answer
    return kept


def sound_ships(group: Group) -> dict[str, int]:
    """The undamaged ships of a group, by their tags."""
    sound: dict[str, int] = {}
    for which, number in group.ships.items():
        if not which.damaged:
            sound[which.tag] = sound.get(which.tag, 0) + number
    return sound


@rule("22.26D.3")
def keep_aboard(state: State) -> None:
    """22.26D: a carrier that launches against the enemy has engaged in naval combat; so as many squadrons as the
    committed carriers of a group do not hold stay back, the lower DRM first. Those on patrol are not counted: they only
    defend."""
    side = state.scene.withholder
    site = state.at_sea(side)
    for group in state.battle.present(side):
        committed = [which for which in group.ships if which.fast_carrier and which.tag not in group.withheld]
        for country, aboard in by_nation(group.air).items():
            decks = sum([which.size for which in committed if which.nation == country and not which.damaged])
            surplus = sum(aboard.values()) - decks
            for which in sorted(aboard, key=attrgetter("drm")):
                stay = min(surplus, aboard[which])
                if stay > 0:
                    add(site.barred, which, stay)
                    surplus -= stay


@rule("22.26D.2", "22.26D.3")
def count_rest(state: State) -> None:
    """22.26D: as a round ends: who was withheld in all rounds so far. Who is damaged is no longer among them."""
    battle, side = state.battle, state.scene.withholder
    for group in battle.numbered(side) if side else ():
        sound, before = sound_ships(group), group.rested if battle.round > max(1, group.since) else group.withheld
        kept = {tag: min(number, sound.get(tag, 0), before.get(tag, 0)) for tag, number in group.withheld.items()}
        group.rested = {tag: number for tag, number in kept.items() if number}
        group.withheld = {}
