"""One sortie by land-based air at sea, outside naval combat (23.23, 23.34, 23.7, 23.752).

The attack is announced before it comes here. Cover goes up over the force as a whole, combat air patrol over its own
groups; then the attacker searches, announces all his strikes, and the cover is shared out over the groups that are
struck. Afterwards everybody returns, uninverted.
"""

from __future__ import annotations

from flagplot.awaw.air_units import Force, Listed, Role, Unit, add, take
from flagplot.awaw.battle.air_plan import (
    COVERERS,
    STRIKERS,
    eligible,
    fly_patrol,
    muster,
    open_round,
    prorated_cover,
    serves_at_sea,
)
from flagplot.awaw.battle.decks import land_on_carriers, return_to_bases
from flagplot.awaw.battle.groups import key_of, label
from flagplot.awaw.battle.kamikazes import announce_dives
from flagplot.awaw.battle.picking import Asked, any_of, asked_about, gather, pick
from flagplot.awaw.battle.search import reveal_found, search, send_searchers
from flagplot.awaw.battle.strikes import launch, open_targets, turn_back
from flagplot.awaw.conversion import break_down
from flagplot.awaw.counting import merged
from flagplot.awaw.kamikaze_force import kamikazes_fly
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.records.record import name_attackers
from flagplot.awaw.procedures import kamikaze_attack, sortie, strike
from flagplot.awaw.reach import in_reach
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.operation import AirAttack
from flagplot.awaw.state.setting import Place
from flagplot.awaw.state.state import State
from flagplot.kernel.procedures import END, Call, Next
from flagplot.kernel.requests import Choose, Note, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words, listing

# --- who could fly it -------------------------------------------------------------------------------------------


@rule("23.75A", "23.752A.1", "23.752A.2", "23.722", "17.141D", "17.23C", "17.23D", "17.33C", "17.33D")
@rule("18.58", "18.58A", "18.58C", "18.473", "18.49")
def could_attack(
    state: State, side: str, at: Hex, places: dict[str, Place] | None = None, *, kamikazes: bool = False
) -> bool:
    """23.75A: whether a side has squadrons in range of a hex that could strike, or `kamikazes`, and others whose search
    dice could find something: without dice there is no attack (23.722). Army air counts as the squadrons that it breaks
    down into; none fly from boxes (18.49). What they did in other hexes does not matter (23.752A)."""
    operation = state.operation
    counts = dict.fromkeys(Role, 0)
    bases = operation.between.places if places is None else places
    for base, hexes in in_reach(bases, at).get(side, ()):
        site = state.sites[base]
        busy = break_down(site.committed)
        for which, number in break_down(site.air).items():
            if hexes <= which.reach and serves_at_sea(which):
                counts[which.role] += max(0, number - busy.get(which, 0))
    holder = operation.between.codebreaking
    searchers = 2 * (holder != side) if holder else 1
    either = max(0, searchers - counts[Role.SEARCH]) + (not counts[Role.ATTACK] and not kamikazes)
    return either <= counts[Role.SQUADRONS]


def under_attack(state: State) -> AirAttack:
    operation = state.operation
    assert operation.attack is not None
    return operation.attack


def defender(state: State) -> str:
    return state.other(under_attack(state).side)


def at_no_ships(state: State) -> bool:
    """Whether submarines, or a supply line that nobody protects, are attacked: a group of their own, without decks."""
    return any([group.shipless for group in state.battle.groups.values()])


def hold_back(state: State, force: Force) -> None:
    """These squadrons take no part until they are released."""
    for which, number in force.items():
        add(state.sites[which.home].committed, which, number)


def release(state: State, force: Force) -> None:
    for which, number in force.items():
        take(state.sites[which.home].committed, which, number)


# --- the defender's air -----------------------------------------------------------------------------------------


@sortie.segment("23.23C", "The defender flies air cover over the force as a whole")
@rule("23.23A", "23.23B", "23.23C", "23.23D", "23.21", "17.23B", "17.33B", "18.58B", "18.63", "18.45.2")
def cover(state: State) -> Script[Next]:
    """23.23: once the attack is announced, and before search dice are rolled, the defender sends as much of his
    eligible land-based air as he likes to cover the force; nothing had to be set aside for it."""
    side, attack = defender(state), under_attack(state)
    able = eligible(state, side, COVERERS)
    attack.cover = yield from gather(side, "cover", able, any_of(able), 0, _cover_words(state), "23.23")
    for which, number in attack.cover.items():
        state.send_out(which, number)
    if attack.cover:
        told = ("{}: air cover by {}", state.name(side), Listed(attack.cover.items()))
        yield disclosed(told, "23.23", side)
    return None


def _cover_words(state: State) -> Asked:
    """The question names the force: what is asked just the same again is about the same one. Its ships are in combat
    groups by now; its markers still say which it is."""
    voyage, fleet = state.operation.voyages.get(under_attack(state).target), state.operation.fleet
    markers = [fleet[key].marker for key in voyage.forces if key in fleet] if voyage else []
    return asked_about(listing(markers) or "the submarines", "cover", "No cover", "Cover it")


@sortie.segment("23.34B", "His carriers fly combat air patrol")
@rule("23.34A", "23.34B", "23.31", "23.32", "23.33", "17.33E", "23.62", "23.74A")
def patrol(state: State) -> Script[Next]:
    """23.34: after the attack is announced and before the search, a third of the squadrons of each group may go on
    patrol over it, as many as it has in this hex. Carriers do nothing else: they do not strike back (23.62)."""
    open_round(state)
    if not at_no_ships(state):
        yield from fly_patrol(state, defender(state), outside=True)
    return None


# --- the attacker -----------------------------------------------------------------------------------------------


@sortie.segment("23.72", "The attacker searches")
@rule("23.72", "23.722", "23.722A", "23.722B", "23.723", "23.161", "23.161.1")
def find(state: State) -> Script[Next]:
    """23.722: outside naval combat only searching squadrons and codebreaking give dice. Who searches does not strike
    (23.161)."""
    side = under_attack(state).side
    yield from send_searchers(state, side)
    yield from search(state, side)
    yield from reveal_found(state, defender(state))
    return None if open_targets(state, side) else come_home


@sortie.segment("17.47D", "Kamikazes are announced, all of them together")
@rule("17.47A", "17.47A.1", "17.47D.1", "17.47D.3", "17.462", "17.463", "23.11E", "23.75D")
def announce_kamikazes(state: State) -> Script[Next]:
    """17.47A, 23.75D: kamikazes within four hexes of the force attack combat groups of it that were found, as in naval
    combat; whoever flies in this player turn flies now (17.47D). They need ships to dive at (17.47F)."""
    side = under_attack(state).side
    if may_dive(state, side):
        yield from announce_dives(state, side, outside=True)
    return None


@rule("17.462", "17.463", "17.47D.1")
def may_dive(state: State, side: str) -> bool:
    """17.463: whether kamikazes may attack in the hex of this sortie: the force has ships."""
    return kamikazes_fly(state, side) and not at_no_ships(state)


@sortie.segment("23.71B", "All strikes are announced")
@rule("23.71B", "23.73", "23.75B", "23.75B.1", "23.75C", "23.75D", "23.75E", "23.752A", "23.723B", "23.723C", "23.23D")
def announce_strikes(state: State) -> Script[Next]:
    """23.752A: the squadrons that did not search fly one sortie: strikes on the groups that were found, on each as many
    as there are search results against it, each squadron in one of them. Nobody is surprised (23.75E). The defender
    knows all of them before he shares out his cover (23.23D). No group is struck that kamikazes attack (17.47C)."""
    attack = under_attack(state)
    while open_targets(state, attack.side) and eligible(state, attack.side, STRIKERS):
        if not (yield from launch(state, attack.side, surprise=False)):
            break
        assert state.battle.strike is not None
        state.battle.strike.outside = True
        attack.strikes.append(state.battle.strike)
        state.battle.strike = None
    attack.flown = bool(attack.strikes or state.battle.dives)
    if not attack.flown:
        return come_home
    if state.battle.dives:
        name_attackers(state, attack.side, "land-based air and kamikazes" if attack.strikes else "kamikazes")
    muster(state, defender(state))
    return None


@sortie.segment("23.23D", "Air cover is divided among the groups under attack")
@rule("23.23D", "23.23D.EX1", "23.22", "23.25", "17.47E")
def share_cover(state: State) -> Script[Next]:
    """23.23D: cover is prorated over all groups of the force, what is over counts for groups that are struck; the
    defender says which of them has more, now that he knows the strikes."""
    attack, side = under_attack(state), defender(state)
    groups = state.battle.present(side)
    targets = {flown.target for flown in attack.strikes} | {flown.target for flown in state.battle.dives}
    struck = [group for group in groups if key_of(state, group) in targets]
    shares = prorated_cover(sum(attack.cover.values()), len(groups), len(struck))
    for group, number in (yield from _larger_first(state, side, struck, shares)):
        question = (
            "Cover the struck group with how many of {}?",
            "Cover the struck group with {}?",
            "Elsewhere",
            "Cover it",
        )
        over = yield from pick(side, f"over:{group.number}", attack.cover, number, question, "23.23D")
        for which, some in over.items():
            take(attack.cover, which, some)
            add(group.cover, which, some)
    return None


def _larger_first(state: State, side: str, struck: list[Group], shares: list[int]) -> Script[list[tuple[Group, int]]]:
    """Each struck group with its share of the cover; the owner says who has the larger ones."""
    left, given = list(struck), []
    for place, share in enumerate(shares):
        group = left[0]
        if share > shares[-1] and len(left) > shares.count(share) - place:
            labels: dict[int, Words] = {one.number: label(state, one) for one in left}
            question = ("Which struck group gets {} squadrons of cover?", share)
            number: int = yield Choose(side, "larger-share", [*labels], question, labels, "23.23D")
            group = next(one for one in left if one.number == number)
            yield Note(("{}: {} gets the larger share of air cover", state.name(side), label(state, group)), "23.23D")
        left.remove(group)
        given.append((group, share))
    return given


@sortie.segment("17.47D", "The kamikazes dive, one attack after the other")
@rule("17.47A", "17.47A.1", "17.47D", "17.47E", "17.48")
def dive(state: State) -> Next:
    """17.47A: each attack is on a single combat group, with all its defenses; nobody comes back from it (17.48)."""
    return Call(kamikaze_attack, then=dive) if state.battle.dives else None


@sortie.segment("23.76", "The strikes are flown, one after the other")
@rule("23.76", "23.76E", "23.37", "23.71B")
def fly(state: State) -> Script[Next]:
    """23.76: each strike meets the squadrons over its target and the guns of the group. A strike that finds its target
    gone turns home."""
    attack = under_attack(state)
    if not attack.strikes:
        return None
    flown = attack.strikes.pop(0)
    group = state.battle.groups[flown.target]
    if group.is_left:
        state.battle.strike = flown
        return Call(strike, then=fly)
    yield Note(("{}: {} is gone; the strike turns home", state.name(attack.side), label(state, group)), "23.76")
    turn_back(state, flown.attackers)
    return fly


@sortie.segment("23.23E", "Everybody returns")
@rule("23.23E", "23.34C", "23.752A", "23.752A.1", "23.161", "23.161.EX1", "23.164")
def come_home(state: State) -> Script[Next]:
    """23.752A: survivors return to their bases and carriers, uninverted, and may fly again in the next hex. What they
    did is remembered: in this hex they do nothing else (23.161)."""
    attack, side = under_attack(state), defender(state)
    attack.acted, attack.searched = _aloft(state)
    for group in state.battle.groups.values():
        if not attack.flown:
            group.air, group.patrol = merged(group.air, group.patrol), {}
    state.bring_back(attack.cover)
    attack.cover = {}
    for one in state.sides:
        return_to_bases(state, one)
    if attack.flown and not at_no_ships(state):
        yield from land_on_carriers(state, side)
    return END


def _aloft(state: State) -> tuple[Force, Force]:
    """The land-based squadrons of both sides that cover or have struck, and those that search."""
    acted, searched = dict(under_attack(state).cover), dict[Unit, int]()
    for group in state.battle.groups.values():
        acted = merged(acted, group.cover)
    for key, site in state.sites.items():
        if not state.place(key).afloat:
            acted, searched = merged(acted, site.struck), merged(searched, site.searching)
    return acted, searched
