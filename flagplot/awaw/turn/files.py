"""Air turns in scenario files: what they have beside an operation's map and forces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from flagplot.awaw.air_units import Arm, Role, Unit, add, unit
from flagplot.awaw.checks.places import find_or_base
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.procedures import air_turn
from flagplot.awaw.reach import WORST_WINTER
from flagplot.awaw.state.operation import Operation
from flagplot.awaw.state.state import Elsewhere, State
from flagplot.awaw.state.turn import GroundUnit, Kamikazes, Kind, Phase, Ration, Turn, TurnPlan
from flagplot.awaw.turn.basing.conversion import CONVERTED
from flagplot.awaw.turn.basing.files import BASING, counters_at_start
from flagplot.awaw.turn.basing.geography import resettle
from flagplot.awaw.turn.construction.kamikaze_pool import STEP, rate_growth
from flagplot.awaw.turn.transport.landing import stow_units
from flagplot.awaw.turn.turn import SHARED
from flagplot.kernel.rules import rule
from flagplot.kernel.shapes import Flag, Items, Named, Table, Text, Whole

PHASES = (Phase.MOVEMENT, Phase.COMBAT, Phase.EXPLOITATION, Phase.CONSTRUCTION, Phase.REDEPLOYMENT)
SW_ARMS = (Arm.BOMBER, Arm.PACIFIC_BOMBER, Arm.INTERCEPTOR)
WAR = ("us-germany", "us-japan", "japan-west", "us-japan-last-turn", "tension-40")
"""What the rules ask of the war (17.352B, 17.355, 18.141)."""

_names = Named("A name for each.", Text("A name."))
_counts = Named("A number for each.", Whole("A number.", 0, 999))

GROUND_UNIT = Table(
    "A ground unit.",
    {
        "id": Text("A short name for the tape."),
        "side": Text("The side that it belongs to."),
        "nation": Text("The country it belongs to."),
        "kind": Text("What it is.", *Kind, rule="18.543"),
        "factors": Whole("Its combat factors.", 1, 9),
        "at": Text("Where it is: a base, or a place of the map, or two coordinates q,r."),
    },
    {
        "name": (Text("What people call it; its nation and kind if nothing is said."), ""),
        "strength": (Whole("What it counts as defender, terrain included; 0: its factors.", 0, 99), 0),
        "movement": (Whole("Its movement factors.", 0, 9), 3),
        "supply": (Text("How it is supplied.", *Ration), "full"),
        "aboard": (Text("The naval force that carries it."), ""),
        "jungle": (Flag("Whether jungle costs it nothing more, as the Chindits."), False),
    },
)
SW_UNIT = Table(
    "Strategic bombers or interceptors in an SW box.",
    {
        "nation": Text("The country they belong to."),
        "arm": Text("The type of air unit.", *SW_ARMS, rule="17.11"),
        "factors": Whole("How many factors.", 1, 99),
        "front": Text("The front that they are assigned to.", rule="17.71"),
    },
    {},
)
TURN = Table(
    "An air turn: the player turns that are played, and what the rules ask of the war around them.",
    {},
    {
        "turns": (
            Items("The sides whose player turns are played, in order; at first the attacker's.", Text("A side."), 1, 2),
            [],
        ),
        "phases": (Items("The phases that are played.", Text("A phase.", *PHASES), 1), [*PHASES]),
        "year": (Whole("The year.", 1935, 1946), 1942),
        "season": (Text("The season.", "spring", "summer", "fall", "winter"), "summer"),
        "factions": (_names, {}),
        "at_war": (Items("What is true of the war.", Text("A fact.", *WAR)), []),
        "neutral": (Items("Wholly neutral land hexes: nobody flies over them.", Text("A place.", rule="18.22")), []),
        "neutral_sides": (Items("Hexsides of neutral land.", Items("Two.", Text("A place."), 2, 2)), []),
        "island_groups": (_names, {}),
        "airbase_counters": (_counts, {}),
        "training": (_counts, {}),
        "new_minors": (Items("Bases in minor countries that have just joined.", Text("A base.", rule="18.142C")), []),
        "gained": (Items("Bases gained without fighting in this turn.", Text("A base.", rule="18.21C")), []),
        "hump": (Items("The bases between which BRPs are flown to China.", Text("A base."), 0, 2), []),
        "hump_brps": (Whole("BRPs that a transport factor flies to China.", 1, 20, rule="18.511E"), 5),
        "us_boxes": (Items("The boxes of the United States.", Text("A box.", rule="18.73B")), []),
        "rough": (Items("Hexes of rough terrain.", Text("A place.", rule="18.547A")), []),
        "targets": (_names, {}),
        "fronts": (_names, {}),
        "overruns": (Flag("Whether overruns are played."), True),
        "winter": (Items("Hexes under a winter result of 9.", Text("A place.", rule="18.611D")), []),
        "homes": (Named("By base: the nation in whose home country it lies.", Text("A nation.", rule="17.462")), {}),
        "airbases": (Named("By base with an airbase counter: its nation.", Text("A nation.", rule="18.14")), {}),
        "units": (Items("The ground units.", GROUND_UNIT), []),
        "brps": (_counts, {}),
        "force_pool": (Named("By nation and arm, as japan/naval: what may be built.", Whole("How many.", 0, 99)), {}),
        "kamikaze_limit": (Whole("The kamikaze force pool; 0 if the rule is not invoked.", 0, 150, rule="17.43"), 0),
        "kamikaze_unbuilt": (Whole("Kamikazes of it that are not built.", 0, 150), 0),
        "kamikaze_used": (Whole("Kamikazes flown since the pool last grew.", 0, 150, rule="17.43B"), 0),
        "kamikazes": (Whole("Kamikazes that are built.", 0, 150), 0),
        "sw": (Items("Strategic bombers and interceptors.", SW_UNIT), []),
        **BASING,
    },
)


def turn_state(data: dict[str, Any], state: State) -> State:
    """The state at the start of an air turn, from that of an operation with the same map and forces."""
    turn, board = data["turn"], state.operation.plan.board
    bases = {base["id"]: base for base in data["bases"]}

    def at(text: str) -> Hex:
        return find_or_base(board, bases, text, "", [])

    stages = tuple(phase.value for phase in SHARED if phase in turn["phases"])
    begun = Turn(
        _plan(data, at),
        units=_units(turn["units"], at),
        airbases=counters_at_start(data),
        controllers=dict(turn["controllers"]),
        brps=dict(turn["brps"]),
        unbuilt={key: number for key, number in turn["force_pool"].items() if number},
        pools=_pools(state.setting.pool, turn["force_pool"]),
        pool=Kamikazes(
            turn["kamikaze_limit"],
            turn["kamikaze_unbuilt"],
            turn["kamikaze_used"],
            growth=max(0, turn["kamikaze_limit"] // STEP - 1),
        ),
    )
    operation = Operation(
        state.operation.plan.with_stages(stages * len(turn["turns"])),
        state.scene,
        fleet=state.operation.fleet,
        flotillas=state.operation.flotillas,
    )
    made = State(
        state.setting,
        state.scene,
        [air_turn.start()],
        state.sites,
        kamikazes=turn["kamikazes"],
        elsewhere=Elsewhere(transports=state.elsewhere.transports),
        operation_if_any=operation,
        turn_if_any=begun,
    )
    stow_units(made)
    rate_growth(made)
    _freeze(made)
    for entry in turn["sw"]:
        add(made.turn.bombers.setdefault(entry["front"], {}), _strategic(entry), entry["factors"])
    return made


def _plan(data: dict[str, Any], at: Callable[[str], Hex]) -> TurnPlan:
    """What the file says of the turn; `at` finds a hex by its name."""
    turn = data["turn"]
    return TurnPlan(
        sides=(data["sides"][0]["id"], data["sides"][1]["id"]),
        turns=tuple(turn["turns"]),
        phases=tuple(turn["phases"]),
        year=turn["year"],
        season=turn["season"],
        factions=dict(turn["factions"]),
        at_war={fact: fact in turn["at_war"] for fact in WAR},
        neutral=tuple(at(text) for text in turn["neutral"]),
        neutral_sides=tuple((at(one), at(other)) for one, other in turn["neutral_sides"]),
        island_groups=dict(turn["island_groups"]),
        airbase_counters=dict(turn["airbase_counters"]),
        training=dict(turn["training"]),
        new_minors=tuple(turn["new_minors"]),
        gained=tuple(turn["gained"]),
        hump=tuple(turn["hump"]),
        hump_brps=turn["hump_brps"],
        us_boxes=tuple(turn["us_boxes"]),
        rough=tuple(at(text) for text in turn["rough"]),
        targets=dict(turn["targets"]),
        fronts=dict(turn["fronts"]),
        overruns=turn["overruns"],
        winter=tuple(at(text) for text in turn["winter"]),
        homes=dict(turn["homes"]),
        opening=turn["opening"],
        isolated=tuple(turn["isolated"]),
        launched=tuple(turn["launched"]),
        redeployments=dict(turn["redeployments"]),
    )


def _units(entries: Sequence[dict[str, Any]], at: Callable[[str], Hex]) -> dict[str, GroundUnit]:
    """The ground units by id."""
    return {
        entry["id"]: GroundUnit(
            entry["side"],
            entry["nation"],
            Kind(entry["kind"]),
            entry["factors"],
            at(entry["at"]),
            entry["strength"],
            entry["movement"],
            Ration(entry["supply"]),
            aboard=entry["aboard"],
            jungle=entry["jungle"],
            name=entry["name"],
        )
        for entry in entries
    }


@rule("18.45.3", "19.31A", "T19.31A-08")
def _freeze(state: State) -> None:
    """18.45: the bases in hexes that are subject to a winter result of 9 are so too, and so is the air in them
    (19.31A)."""
    frozen = {
        key: replace(place, winter=WORST_WINTER)
        for key, place in state.scene.places.items()
        if place.at in state.turn.plan.winter and not place.afloat and not place.box
    }
    resettle(state, **frozen)
    for key in frozen:
        site = state.sites[key]
        site.air = {state.rebased(which, key): number for which, number in site.air.items()}


@rule("23.133", "23.142C")
def _pools(in_play: dict[str, int], unbuilt: dict[str, int]) -> dict[str, int]:
    """23.133: the factors that each nation has in all, those that are not built among them."""
    keys = [key for key in sorted({*in_play, *unbuilt}) if key.partition("/")[2] in CONVERTED]
    return {key: in_play.get(key, 0) + unbuilt.get(key, 0) for key in keys}


def _strategic(entry: dict[str, Any]) -> Unit:
    """Strategic bombers and interceptors are at home on their front; they have no base on the map (17.71, 17.81)."""
    return unit(entry["nation"], Arm(entry["arm"]), 0, 0, entry["front"], Role.FACTORS, False)
