"""Air strikes (22.46, 23.7): segment G of a round. Who strikes when, with what, and whether the enemy is surprised.

How a strike goes once it is in the air stands in `flagplot.awaw.battle.resolution`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from flagplot.awaw.air_units import Force, Listed, Unit, add
from flagplot.awaw.battle.air_plan import STRIKERS, eligible
from flagplot.awaw.battle.groups import key_of, label
from flagplot.awaw.battle.picking import gather
from flagplot.awaw.battle.search import count_attack, results_left
from flagplot.awaw.counting import left_of, merged
from flagplot.awaw.kamikaze_force import kamikazes_fly
from flagplot.awaw.procedures import air_strikes, kamikazes, strike
from flagplot.awaw.state.battle import Group, Strike
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.counts import surprise_modifiers
from flagplot.kernel.effects import Effect
from flagplot.kernel.procedures import END, Call, Next
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Faces, Roll, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import Words

NONE = "none"


# --- who strikes, and when --------------------------------------------------------------------------------------


def results_against(state: State) -> dict[str, int]:
    """22.461B: all the search results of this round against each side that was found."""
    against: dict[str, int] = {}
    for group in state.battle.groups.values():
        if results := group.this_round.results:
            against[group.side] = against.get(group.side, 0) + results
    return against


@rule("22.461A", "22.462D", "22.462E", "23.74E", "23.7411B", "22.41G.1")
def surprising_side(state: State) -> str | None:
    """22.462D: the side that found something while nothing of its own was found; it alone may surprise."""
    against = results_against(state)
    return state.other(*against) if len(against) == 1 else None


@rule("22.461B", "SOP-NC-I.G.2.a")
def striking_order(state: State) -> tuple[str, str]:
    """22.461B: the side with more search results flies all its strikes first; if tied, the intercepting side."""
    intercepting = state.interceptor
    moving, against = state.other(intercepting), results_against(state)
    if against.get(intercepting, 0) > against.get(moving, 0):
        return moving, intercepting
    return intercepting, moving


@rule("22.462A", "22.462B", "22.452C", "22.452C.1", "22.452C.3", "22.452C.3.1", "23.723C", "T22.45-06")
@rule("SOP-NC-I.F.2", "17.47C.1")
def open_targets(state: State, side: str) -> dict[str, Group]:
    """22.462: found enemy groups, as often in a round as there are search results against them, but none that was
    attacked by kamikazes in this round (17.47C)."""
    targets = {}
    for group in state.battle.found(state.other(side)):
        if kept_from_strikes(group) is None:
            targets[str(group.number)] = group
    return targets


def kept_from_strikes(group: Group) -> Refusal | None:
    """22.462, 17.47C: why a group cannot be struck now."""
    if not group.this_round.results:
        return NOT_FOUND
    if results_left(group) <= 0:
        return USED_UP
    return KAMIKAZED if group.this_round.kamikazed else None


NOT_FOUND = Refusal("not found in this round, so it cannot be struck", "22.462A")
USED_UP = Refusal("every search result against it has been used in this round", "22.452C")
KAMIKAZED = Refusal("kamikazes have attacked it in this round", "17.47C")


@rule("22.41C.1", "22.441", "22.433", "18.524B", "23.74A", "22.26D.3")
def carrier_strikers(state: State, side: str) -> Force:
    """22.441: carrier squadrons that are not on patrol, were not aborted by a counterair and have not struck; those
    that counteraired too, unless the option says otherwise (18.524B); those aborted are among them; none of
    carriers that are withheld (22.26D). They strike in naval combat alone (23.74A)."""
    site = state.at_sea(side)
    busy = site.aborted if state.setting.options.counterair_nas_may_strike else site.flown
    return left_of(left_of(site.air, busy), site.barred)


@air_strikes.segment("17.47C", "Kamikazes attack in the first round, together with other strikes")
@rule("17.47C", "17.47D.1", "17.461.1")
def first_kamikazes(state: State, side: str) -> Next:
    """17.47C: kamikazes attack when their side flies its strikes of the first round, and in no later one, whatever
    became of the bases that were attacked (17.461)."""
    return Call(kamikazes, (side,)) if state.battle.round == 1 and kamikazes_fly(state, side) else None


@air_strikes.segment("22.461B", "A strike is announced, or the side is done")
@rule("22.461B", "22.46", "22.41G.2", "SOP-NC-I.G.2.a.i", "SOP-NC-I.C.1.a", "23.751A")
def announce(state: State, side: str) -> Script[Next]:
    """22.461B: the side picks the target of each strike after its last one was resolved; nobody is compelled to
    strike."""
    if (yield from launch(state, side, surprise=False)):
        return _FLY
    return END


_FLY = Call(strike, then=announce)


STRIKE = ("Strike with how many of {}?", "Strike with {}?", "Hold back", "Strike")


@rule("17.23D", "17.33D", "18.58C", "22.341D", "22.461B", "22.462C", "23.11E", "23.71B", "23.73", "23.74B")
@rule("23.74B.1", "23.74B.2", "23.74C", "23.74D", "23.7411A", "23.75A", "23.75B", "23.75B.1", "23.75B.2")
@rule("23.75C", "23.75D", "23.75E", "23.751B", "17.3121.1", "23.131E", "22.31B", "22.41G")
def launch(state: State, side: str, *, surprise: bool) -> Script[bool]:
    """23.71, 23.74-23.75: a strike goes against one found group: carrier squadrons of any groups and land-based ones of
    any bases in range together, each once a round. A surprise strike is flown by carrier squadrons alone (23.7411)."""
    battle = state.battle
    targets = open_targets(state, side)
    if not targets:
        return False
    able = carrier_strikers(state, side)
    if not surprise and not state.scene.raiders:
        able = merged(able, eligible(state, side, STRIKERS))
    labels: dict[str, Words] = {NONE: "No strike" if surprise else "No more strikes"}
    for key, target in targets.items():
        labels[key] = ("Strike CG {}: {}", key, target.facts) if target.facts else ("Strike CG {}", key)
    values = [*targets, NONE] if able else [NONE]
    verb, question = ("surprise", "Make a surprise strike?") if surprise else ("strike", "Choose a group to strike")
    number: str = yield Choose(side, verb, values, question, labels, "22.46", always=True)
    if number == NONE:
        return False
    group = targets[number]
    count_attack(group, battle.round, by_air=True)
    name = state.name(side)
    words = ("{}: launching squadrons", name)
    flying = gather(side, "fly", able, room_in_strike, 1, STRIKE, "23.73")
    attackers = yield from secretly(side, words, flying, "23.73")
    for which, count in attackers.items():
        state.send_out(which, count)
        state.sites[which.home].launched = True
    battle.strike = Strike(side, key_of(state, group), surprise, attackers=attackers)
    kind = "surprise strike" if surprise else "air strike"
    told = ("{}: {} on {} with {}", name, kind, label(state, group), Listed(attackers.items()))
    yield disclosed(told, "23.71", side)
    return True


@rule("23.73", "23.73.1", "23.73.2", "23.73.3", "23.73.4", "23.73.4.1", "23.73.4.2", "23.73.4.3", "22.462C")
@rule("SOP-NC-I.G.2.b")
def room_in_strike(which: Unit, chosen: Force) -> int:
    """23.73: how many more of a kind fit into a strike: twelve squadrons in all, of which at most eight below an Air
    Nationality DRM of three and at most four below two."""
    most, below_three, below_two = 12, 8, 4
    for other, number in chosen.items():
        most -= number
        if other.drm < 3:
            below_three -= number
        if other.drm < 2:
            below_two -= number
    if which.drm < 3 and below_three < most:
        most = below_three
    return below_two if which.drm < 2 and below_two < most else most


# --- surprise -------------------------------------------------------------------------------------------------


@rule("23.7412", "23.74121", "23.7411", "23.7411C", "23.74122A", "23.74122B", "SOP-NC-I.G.1")
def roll_surprise(state: State) -> Script[None]:
    """23.7412: for a surprise strike one die is rolled, changed by the search results and by enemy radar."""
    flown, group = under_way(state)
    ledger = surprise_modifiers(group.this_round.results, state.setting.best(group.side, "radar"))
    purpose = ("{}: surprise level", state.name(flown.side))
    flown.level = yield Roll(flown.side, 1, purpose, _level_reads(ledger.total), "23.7412", ledger)


class Level(int):
    """A surprise level, as people read it."""

    def __str__(self) -> str:
        return f"level {int(self)}" if self > 0 else "no surprise"

    def effect(self) -> Effect:
        return Effect(Fraction(max(0, self)), "surprise levels")


@lru_cache
def _level_reads(modifier: int) -> Callable[[Faces], Level]:
    def reads(faces: Faces) -> Level:
        return Level(faces[0] + modifier)

    return reads


@rule("22.463", "23.74D", "23.751B")
def turn_back(state: State, squadrons: Force) -> None:
    """22.463: squadrons that struck, or were turned away, are done for this round; they land when all strikes are
    over."""
    for which, number in squadrons.items():
        add(state.sites[which.home].struck, which, number)


def under_way(state: State) -> tuple[Strike, Group]:
    """The strike that is being flown, and the group that it is flown against."""
    battle = state.battle
    assert battle.strike is not None
    return battle.strike, battle.groups[battle.strike.target]
