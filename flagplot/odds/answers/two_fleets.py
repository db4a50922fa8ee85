"""The state in which a question of the sea begins: two combat groups in one hex, and nothing else in the world."""

from __future__ import annotations

from dataclasses import dataclass, field

from flagplot.awaw.air_units import Arm, Force, Role, unit
from flagplot.awaw.counting import add
from flagplot.awaw.hits import Tally
from flagplot.awaw.options import Options
from flagplot.awaw.ships import Fleet, decks, factors
from flagplot.awaw.state.air import Site
from flagplot.awaw.state.battle import Battle, Engagement, Group, Submarines
from flagplot.awaw.state.setting import Conditions, Place, Scene, Setting, at_sea
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.nations import nation
from flagplot.kernel.errors import BadValue
from flagplot.kernel.procedures import Frame
from flagplot.odds.questions.shared import SIDES, THEM, US

NAMES = ("Us", "Them")
HAMPERED = "sea-supply"
"""An activity that hampers those who are at it (22.552B)."""


@dataclass(frozen=True, slots=True)
class Fleets:
    """Who meets whom: we move, they intercept."""

    ours: Fleet
    theirs: Fleet
    activities: dict[str, str] = field(default_factory=dict)
    """By side: the naval activity of its ships; some hamper them (22.552B)."""
    tactical: str = ""
    """The side that has the tactical codebreaking advantage (22.552A)."""
    underwater: str = ""
    """The side that has the codebreaking advantage in submarine attacks (22.9418)."""
    research: dict[str, dict[str, int]] = field(default_factory=dict)
    """By side: results of research, such as torpedo and asw."""
    options: Options = field(default_factory=Options)

    def of(self, side: str) -> Fleet:
        return self.ours if side == US else self.theirs


def check_at_war(ours: set[str], theirs: set[str]) -> None:
    """A country does not fight itself."""
    for country in sorted(ours & theirs):
        raise BadValue("a country cannot fight on both sides", given=nation(country).name)


def check_apart(ours: Fleet, theirs: Fleet) -> None:
    """No country is on both sides, and no named ship."""
    for which in ours:
        if which.named and any([which.id == other.id for other in theirs]):
            raise BadValue("a ship fights on one side only", given=which.name)
    check_at_war({which.nation for which in ours}, {which.nation for which in theirs})


def battle_state(fleets: Fleets, *frames: Frame, submarines: Submarines | None = None) -> State:
    """Two combat groups, both numbered 1, in the first round; the frames say what is played."""
    groups = {side: _group(fleets, side) for side in SIDES}
    flotillas = [submarines] if submarines else []
    return State(
        _setting(fleets, [one.nation for one in flotillas]),
        _scene(fleets),
        list(frames),
        {at_sea(side): Site() for side in SIDES},
        battle=Battle(groups=groups, submarines=flotillas),
    )


def _group(fleets: Fleets, side: str) -> Group:
    fleet = dict(fleets.of(side))
    laden = sum([number for which, number in fleet.items() if which.laden])
    return Group(
        side,
        NAMES[SIDES.index(side)],
        fleet,
        task_force=factors(fleet) >= 10,
        cargo="cargo" if laden else "",
        activity=fleets.activities.get(side, ""),
        formed=True,
        number=1,
        place=SIDES.index(side),
        carried=laden,
    )


def _setting(fleets: Fleets, submarine_nations: list[str]) -> Setting:
    countries = {side: list(dict.fromkeys([which.nation for which in fleets.of(side)])) for side in SIDES}
    countries[US] += [country for country in submarine_nations if country not in countries[US]]
    return Setting(
        title="A question of odds",
        pacific=False,
        nations={side: tuple(names) for side, names in countries.items()},
        research={},
        research_of_side={side: fleets.research.get(side, {}) for side in SIDES},
        pool={},
        worth=dict.fromkeys(SIDES, 0),
        options=fleets.options,
        naval={country: Conditions() for names in countries.values() for country in names},
    )


def _scene(fleets: Fleets) -> Scene:
    return Scene(
        kind="naval-battle",
        attacker=US,
        defender=THEM,
        names=NAMES,
        phases=("round 1",),
        places={at_sea(side): Place("the carriers", side, (0, 0), afloat=True) for side in SIDES},
        held={side: (at_sea(side),) for side in SIDES},
        near={},
        refuges={},
        tactical=fleets.tactical,
        underwater=fleets.underwater,
    )


def engaged(state: State) -> Engagement:
    """A fleet combat of both groups in which all ships have been shown."""
    for group in state.battle.groups.values():
        group.revealed = group.this_round.attacked = group.this_round.fought = True
    tallies = {side: Tally() for side in SIDES}
    return Engagement(US, THEM, screened={side: {} for side in SIDES}, revealed=True, tallies=tallies)


def squadrons_aboard(side: str, fleet: Fleet) -> Force:
    """17.312: as many squadrons as a side's undamaged fast carriers base, so that all of them are operational."""
    air: Force = {}
    for country, (sound, _) in decks(fleet).items():
        if sound:
            add(air, unit(country, Arm.NAVAL, 0, 0, at_sea(side), Role.SQUADRONS, False), sound)
    return air
