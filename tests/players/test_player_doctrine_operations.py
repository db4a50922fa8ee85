"""The doctrine player on the map: orders, interceptions, air attacks on the way, attacks on bases, whole games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

import flagplot
from flagplot.awaw.air_units import Arm, Role
from flagplot.awaw.ships import Kind
from flagplot.awaw.state.operation import Activity, Progress
from flagplot.awaw.views.operation import BaseStrikeView, MeetingView, OperationView, VoyageView
from flagplot.awaw.views.position import Position
from flagplot.awaw.views.units import Flights, FlightView, Ships, ShipView
from flagplot.kernel.dice import Seeded
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose, Option
from flagplot.kernel.view_types import HIDDEN, Parts
from flagplot.kernel.views import View
from flagplot.players import player
from flagplot.players.doctrine import Doctrine, DoctrinePlayer
from flagplot.players.doctrine.interception_odds import chance
from flagplot.players.doctrine.player import OPERATIONS, SEGMENTS, TURNS
from flagplot.players.doctrine.principles import PARTICULAR, always, neutral, principle_for
from flagplot.players.random import RandomPlayer

NAMES = ("coral-sea-operation", "norwegian-sortie", "pearl-harbor", "rendezvous", "malta-landing", "arctic-convoy")
Change = Callable[[Position], None]


class ByHand(NamedTuple):
    """A view of a position that was made by hand."""

    side: str
    position: Position
    game: str = "awaw"

    def glance(self) -> Position:
        return self.position


def operation(seen: Position) -> OperationView:
    assert seen.operation is not None
    return seen.operation


def change_parts(seen: Parts[Any], **parts: Any) -> None:
    assert parts.keys() <= {*seen._names}
    vars(seen).update(parts)


def change_force(seen: Position, name: str, **fields: Any) -> None:
    forces = operation(seen).forces
    forces[name] = forces[name].but(**fields)


def change_own(seen: Position, name: str, **fields: Any) -> None:
    """What only the owner of a force knows of it."""
    own = operation(seen).forces[name].own
    assert own
    change_force(seen, name, own=own.but(**fields))


def change_worth(seen: Position, name: str, number: int, worth: int) -> None:
    """What an order of a force counts."""
    own = operation(seen).forces[name].own
    assert own
    orders = [order.but(worth=worth) if order.number == number else order for order in own.orders]
    change_own(seen, name, orders=tuple(orders))


def change_air(seen: Position, base: str, **fields: Any) -> None:
    """Every flight in a base."""
    site = seen.sites[base]
    seen.sites[base] = site.but(air=tuple([flight.but(**fields) for flight in site.air]))


def ships(kind: Kind, size: int, count: int, name: str = "") -> Ships:
    ship = ShipView(
        id=name,
        nation="italy",
        kind=kind,
        size=size,
        hits=0,
        damaged=False,
        laden=False,
        empty=False,
        count=count,
        text="",
    )
    return (ship,)


def squadrons(home: str, nation: str, arm: Arm, role: Role, count: int) -> Flights:
    flight = FlightView(home=home, nation=nation, arm=arm, role=role, inverted=False, count=count, aborted=0, text="")
    return (flight,)


def voyage(side: str, *forces: str, progress: Progress = Progress.UNDER_WAY, target: str = "") -> VoyageView:
    """A voyage with cargo to the hex in which it is, or an interception of it."""
    at = (-1, -1)
    return VoyageView(
        side=side,
        activity=Activity.INVASION,
        what="",
        forces=forces,
        base="",
        at=at,
        where="",
        names="",
        progress=progress,
        cargo=True,
        joins="",
        level=1 if target else 0,
        target=target,
        flotilla="",
        arrives=0,
        meeting=MeetingView(meet=at, meets="", reached=0) if target else None,
        destination=at,
        bound="",
        path=(at,),
    )


def asks(*verb: str) -> Callable[[Game[Any]], bool]:
    """Until a question is asked whose verb begins so."""

    def is_asked(game: Game[Any]) -> bool:
        asked = game.pending.verb if isinstance(game.pending, Choose) else ()
        parts = (asked,) if isinstance(asked, str) else tuple(map(str, asked))
        return parts[: len(verb)] == verb

    return is_asked


def stopped(name: str, *verb: str, seed: int = 1) -> Game[Any]:
    """An operation between doctrine players, up to a question."""
    game = flagplot.load(name, seed=seed)
    game.play({side: DoctrinePlayer() for side in game.sides}, until=asks(*verb))
    assert game.pending is not None, f"{verb} was never asked"
    return game


def says(game: Game[Any], change: Change | None = None, **settings: Any) -> str:
    """What the doctrine player answers to the pending question, in this position or in one that was changed by hand."""
    assert isinstance(game.pending, Choose)
    return answers(game, game.pending, change, **settings).text


def answers(game: Game[Any], request: Choose[Any], change: Change | None = None, **settings: Any) -> Option[Any]:
    """What it answers to any question in the position of a game."""
    seen: Position = game.view(request.side).position
    if change is not None:
        change(seen)
    return DoctrinePlayer(Doctrine(**settings)).choose(ByHand(request.side, seen), request)  # type: ignore[arg-type]


def asked(side: str, verb: Any, *values: Any) -> Choose[Any]:
    return Choose(side, verb, values, "What now?", str, "22.15")


# --- whole operations -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_doctrine_plays_every_operation_to_its_end(name: str) -> None:
    opening = flagplot.load(name, seed=0)
    for seed, mixed in ((1, False), (2, True)):
        game = opening.copy(Seeded(seed))
        players: dict[str, Any] = {side: DoctrinePlayer() for side in game.sides}
        if mixed:
            players[game.sides[seed % 2]] = RandomPlayer(seed)
        game.play(players, until=4000)
        assert game.result is not None, f"{name}, seed {seed}: no end after {game.turn} answers"
        assert not any([force.voyage or force.patrol == "offensive" for force in game.state.operation.fleet.values()])


@pytest.mark.parametrize(("name", "least"), [("coral-sea-operation", 7), ("arctic-convoy", 8)])
def test_doctrine_beats_random_players(name: str, least: int) -> None:
    """From both sides, with the same dice; a draw counts for nobody."""
    opening = flagplot.load(name, seed=0)
    won = {"doctrine": 0, "random": 0}
    for seed in range(6):
        for us, them in (opening.sides, opening.sides[::-1]):
            game = opening.copy(Seeded(seed))
            game.play({us: player("doctrine", seed), them: player("random", seed)})
            assert game.result is not None
            won["doctrine"] += game.result["winner"] == us
            won["random"] += game.result["winner"] == them
    assert won["doctrine"] >= least > 2 * won["random"], won


def test_the_same_view_and_question_get_the_same_answer() -> None:
    games = [flagplot.load("coral-sea-operation", seed=3) for _ in range(2)]
    for game in games:
        game.play({side: DoctrinePlayer() for side in game.sides})
    assert games[0].tape().texts == games[1].tape().texts


def test_battles_are_sought_and_fought() -> None:
    """In an operation between two doctrine players somebody intercepts, and is met."""
    game = flagplot.load("rendezvous", seed=1)
    game.play({side: DoctrinePlayer() for side in game.sides})
    told = [entry.text for entry in game.log("umpire")]
    assert any([" sets out to intercept " in text for text in told])
    assert any([text.startswith("Naval combat in ") for text in told])


# --- principles -------------------------------------------------------------------------------------------------

LEFT_ALONE = {"over", "recover", "damaged", "sunk"}
"""Questions on the map that get the neutral answer: nothing hangs on them."""


def test_every_question_of_an_operation_has_a_principle() -> None:
    unknown: set[str] = set()

    class Curious(RandomPlayer):
        def choose(self, view: View, request: Choose[Any]) -> Option[Any]:
            verb = request.verb if isinstance(request.verb, str) else str(request.verb[0])
            if len(request.values) > 1 and principle_for(request) is neutral:
                unknown.add(verb.split(":")[0])
            return super().choose(view, request)

    for name in NAMES:
        opening = flagplot.load(name, seed=0)
        for seed in range(4):
            game = opening.copy(Seeded(seed))
            game.play({side: Curious(seed) for side in game.sides})
    assert unknown <= LEFT_ALONE


def test_every_particular_principle_says_what_it_is() -> None:
    modules = {module.__name__ for module in (*SEGMENTS, *OPERATIONS, *TURNS)}
    for verb, entries in PARTICULAR.items():
        for _, function in entries:
            assert function.__doc__, verb
            assert function.__module__ in modules or function.__qualname__.startswith(always.__name__)


# --- announcing -------------------------------------------------------------------------------------------------


def test_the_mission_with_the_most_worth_is_taken() -> None:
    assert says(stopped("malta-landing", "order", "landing-fleet")) == "order:landing-fleet:0"
    game = stopped("norwegian-sortie", "order", "battlegroup")
    assert says(game) == "order:battlegroup:0"  # Trondheim

    def other_worth(seen: Position) -> None:
        change_worth(seen, "battlegroup", 1, 9)

    assert says(game, other_worth) == "order:battlegroup:1"  # Bergen


def test_a_force_that_gains_nothing_stays_in_port() -> None:
    game = stopped("malta-landing", "order", "cruisers")

    def nothing_to_gain(seen: Position) -> None:
        operation(seen).voyages.clear()
        change_worth(seen, "cruisers", 0, 0)

    assert says(game) == "order:cruisers:0"
    assert answers(game, asked("axis", ("order", "cruisers"), "stay", "0"), nothing_to_gain).value == "stay"


def test_the_risk_is_weighed_with_caution() -> None:
    game = stopped("rendezvous", "order", "manila-force")
    assert says(game, caution=0) == "order:manila-force:0"
    assert says(game, caution=2) == "order:manila-force:stay"


def test_an_escort_sails_with_the_cargo_and_meets_it_near_home() -> None:
    game = stopped("arctic-convoy", "order", "home-fleet")
    assert says(game).startswith("order:home-fleet:v")
    game = stopped("arctic-convoy", "meet", "home-fleet")
    assert says(game).count(",") == 1
    assert isinstance(game.pending, Choose)
    places = dict.fromkeys(game.pending.values)
    assert says(game).rsplit(":", 1)[1] in places


def test_submarines_patrol_and_return_and_lines_are_traced() -> None:
    game = flagplot.load("pearl-harbor", seed=1)
    assert answers(game, asked("japan", ("order", "advance-boats"), "stay", "0", "1")).value == "0"
    assert answers(game, asked("japan", ("recall", "advance-boats"), "return", "stay")).value == "return"
    assert answers(game, asked("japan", ("trace", "0"), "trace", "stay")).value == "trace"


def test_cargo_waits_for_its_own_stage() -> None:
    """The landing does not sail with a patrol before it."""
    assert says(stopped("coral-sea-operation", "order", "invasion-force")) == "order:invasion-force:stay"


def test_the_way_is_the_one_with_fewest_enemy_aircraft_over_it() -> None:
    game = stopped("arctic-convoy", "way", "convoy")
    around = says(game)
    assert around != "way:convoy:direct"

    def without_enemy_air(seen: Position) -> None:
        change_parts(seen, sites={key: site.but(air=()) for key, site in seen.sites.items()})

    assert says(game, without_enemy_air) == "way:convoy:direct"


def test_whoever_is_intercepted_sails_first() -> None:
    game = stopped("rendezvous", "sail")
    assert isinstance(game.pending, Choose)
    voyages = operation(game.view(game.pending.side).position).voyages
    met = {voyage.target for voyage in voyages.values() if voyage.arrives}
    assert says(game).split(":")[1] in met

    def nobody_comes(seen: Position) -> None:
        change_parts(operation(seen), voyages={key: voyage.but(arrives=0) for key, voyage in voyages.items()})

    strongest = next(key for key, voyage in voyages.items() if voyage.forces == ("tokyo-force",))
    assert says(game, nobody_comes) == f"sail:{strongest}"


def test_a_patrol_stays_if_a_stage_follows() -> None:
    game = stopped("coral-sea-operation", "stay")
    assert says(game, caution=0).endswith(":stay")
    assert says(game, caution=100).endswith(":return")

    def last_stage(seen: Position) -> None:
        change_parts(operation(seen), stages=("movement",))

    assert says(game, last_stage, caution=0).endswith(":return")


# --- interceptions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theatre", ["europe", "pacific"])
@pytest.mark.parametrize(("dice", "hexes"), [(1, 4), (2, 7), (3, 3), (6, 11)])
def test_chances_are_those_of_the_odds(dice: int, hexes: int, theatre: str) -> None:
    from flagplot.odds import ask

    odds = ask.interception(distance=hexes, theatre=theatre, task_forces=dice)
    exact = odds.parts[0].chances.chances.get("the first round", 0)
    assert chance(dice, hexes, theatre) == pytest.approx(float(exact))


def test_hopeless_distances_have_no_chance() -> None:
    assert chance(9, 21, "pacific") == 0
    assert chance(0, 1, "europe") == 0


def test_all_paths_are_asked_for() -> None:
    game = stopped("malta-landing", "route")
    assert says(game) == "route:all"
    assert answers(game, asked("allies", "route", "none", "v1")).value == "v1"


def intercepting() -> Game[Any]:
    """Britain is asked about the landing on Malta."""
    return stopped("malta-landing", "intercept")


def test_a_landing_is_intercepted_and_who_is_worth_it_goes() -> None:
    game = intercepting()
    assert not says(game).endswith(":none")
    assert says(game, intercept_above=50).endswith(":none")


def test_nobody_intercepts_what_is_far_too_strong() -> None:
    game = intercepting()

    def giants(seen: Position) -> None:
        for name in [name for name, force in operation(seen).forces.items() if force.side == "axis"]:
            change_force(seen, name, ships=ships(Kind.BATTLESHIP, 5, 40, "x"))

    assert says(game, giants).endswith(":none")


def test_a_force_too_far_away_is_held_back() -> None:
    game = stopped("malta-landing", "go")
    assert isinstance(game.pending, Choose)
    name = str(game.pending.verb[3])
    assert says(game).endswith(":direct")

    def at_the_end_of_the_world(seen: Position) -> None:
        change_force(seen, name, inverted=True)

    assert says(game, at_the_end_of_the_world).endswith(":stay")


def test_cargo_intercepts_nobody() -> None:
    game = stopped("malta-landing", "go")
    assert isinstance(game.pending, Choose)
    name = str(game.pending.verb[3])

    def laden(seen: Position) -> None:
        change_own(seen, name, cargo="a division")

    assert says(game, laden).endswith(":stay")


def test_submarines_try_unless_it_is_hopeless() -> None:
    game = stopped("malta-landing", "submarine")
    assert not says(game).endswith(":none")

    def far_away(seen: Position) -> None:
        flotillas = operation(seen).flotillas.items()
        change_parts(operation(seen), flotillas={key: flotilla.but(at=(99, 99)) for key, flotilla in flotillas})

    assert says(game, far_away).endswith(":none")
    assert says(stopped("malta-landing", "factors")).endswith(":2")


def test_forces_sail_as_they_are() -> None:
    assert says(stopped("malta-landing", "regroup")) == "regroup:gibraltar:done"


def test_a_patrol_comes_to_help_unless_the_battle_is_hopeless() -> None:
    game = flagplot.load("coral-sea-operation", seed=4)
    request = asked("japan", ("support", "carrier-force"), "stay", "go")
    enemy = game.state.operation.fleet["tf-17"].marker

    def met_by(power: int) -> Change:
        def change(seen: Position) -> None:
            change_force(seen, enemy, ships=ships(Kind.CRUISER, 2, power))
            landing = voyage("japan", "invasion-force")
            meeting = voyage("allies", enemy, progress=Progress.ARRIVED, target="v1")
            change_parts(operation(seen), voyages={"v1": landing, "v2": meeting})

        return change

    assert answers(game, request, met_by(4)).value == "go"
    assert answers(game, request, met_by(80)).value == "stay"


# --- on the way -------------------------------------------------------------------------------------------------


def test_aircraft_attack_where_they_can_search_and_strike() -> None:
    game = stopped("malta-landing", "sortie")  # Axis air in Sicily, and a British force
    assert says(game).endswith(":yes")

    def only_searchers(seen: Position) -> None:
        for base in seen.sites:
            change_air(seen, base, role=Role.SEARCH)

    def many_fighters(seen: Position) -> None:
        assert isinstance(game.pending, Choose)
        at = operation(seen).voyages[str(game.pending.verb[1])].at
        fighters = squadrons("malta", "britain", Arm.ARMY, Role.COVER, 90)
        seen.sites["malta"] = seen.sites["malta"].but(at=at, air=fighters)

    assert says(game, only_searchers).endswith(":no")
    assert says(game, many_fighters).endswith(":no")


def test_everything_covers_a_force_that_is_attacked_on_its_way() -> None:
    game = stopped("malta-landing", "cover")
    assert isinstance(game.pending, Choose)
    assert answers(game, asked("axis", ("cover", "augusta:germany:army:cover"), 0, 1, 2)).value == 2


def test_a_force_aborts_when_its_cargo_is_gone() -> None:
    game = stopped("malta-landing", "sail")
    landing = next(key for key, one in game.state.operation.voyages.items() if "landing-fleet" in one.forces)
    request = asked("axis", ("abort", landing), "go-on", "abort")

    def lost(seen: Position) -> None:
        for name in [name for name, force in operation(seen).forces.items() if force.own]:
            change_own(seen, name, cargo="")

    assert answers(game, request).value == "go-on"
    assert answers(game, request, lost).value == "abort"


def test_losses_by_abort_are_not_taken_for_the_other_question() -> None:
    """Which squadrons abort is asked under the same word."""
    game = flagplot.load("midway", seed=1)
    assert answers(game, asked("japan", "abort", ("akagi", "ready"), ("akagi", "inverted"))).value[1] == "inverted"


def test_damaged_ships_are_sent_home_without_an_escort() -> None:
    game = flagplot.load("norwegian-sortie", seed=1)
    assert answers(game, asked("britain", ("send-home", "home-fleet", "rodney"), 0, 1)).value == 1
    assert answers(game, asked("britain", ("accompany", "home-fleet", "britain:cruiser"), 0, 1, 2)).value == 0


def test_raiders_are_met_by_the_largest_ship_that_is_no_carrier() -> None:
    game = flagplot.load("norwegian-sortie", seed=1)
    request = asked("britain", "hunter", "ark-royal", "renown", "rodney")
    assert answers(game, request).value == "rodney"


def test_cripples_are_given_up_where_a_port_has_no_room() -> None:
    game = flagplot.load("norwegian-sortie", seed=1)
    ships = ("home-fleet/victorious", "home-fleet/king-george-v/damaged", "home-fleet/britain:cruiser")
    assert answers(game, asked("britain", ("surplus", "scapa-flow"), *ships)).value == ships[1]
    assert answers(game, asked("britain", ("surplus", "scapa-flow"), ships[0], ships[2])).value == ships[2]


# --- bases ------------------------------------------------------------------------------------------------------


def raiding() -> Game[Any]:
    """The Japanese carriers are in their hex north of Oahu."""
    game = flagplot.load("pearl-harbor", seed=5)

    def arrived(game: Game[Any]) -> bool:
        return asks("base-attack")(game) and any(
            [voyage.progress is Progress.ARRIVED for voyage in operation(game.view("japan").position).voyages.values()]
        )

    game.play({side: DoctrinePlayer() for side in game.sides}, until=arrived)
    assert game.pending is not None
    return game


def test_carriers_attack_the_port_with_the_ships() -> None:
    game = raiding()
    assert says(game).endswith(":pearl-harbor")

    def empty(seen: Position) -> None:
        for key in ("battle-line", "harbour-ships"):
            del operation(seen).forces[game.state.operation.fleet[key].marker]

    def full_of_fighters(seen: Position) -> None:
        change_air(seen, "pearl-harbor", count=20)

    assert says(game, empty).endswith(":none")
    assert says(game, full_of_fighters).endswith(":none")


def test_half_of_the_raid_goes_for_the_ships_at_once() -> None:
    game = raiding()
    elite = squadrons("japan-at-sea", "japan", Arm.ELITE, Role.SQUADRONS, 12)
    strike = BaseStrikeView(
        side="japan", base="pearl-harbor", sortie=1, counterair=elite, attackers=(), aims=(), ships=HIDDEN
    )

    def flying(seen: Position) -> None:
        change_parts(operation(seen), base_strike=strike)
        change_air(seen, "pearl-harbor", count=9)

    def undefended(seen: Position) -> None:
        flying(seen)
        seen.sites["pearl-harbor"] = seen.sites["pearl-harbor"].but(air=())

    request = asked("japan", ("share", "japan-at-sea:japan:elite-naval:squadrons"), *range(13))
    assert answers(game, request, flying).value == 6
    assert answers(game, request, undefended).value == 0


def test_ships_leave_a_port_that_is_attacked() -> None:
    game = raiding()
    request = asked("allies", ("escape", "battle-line"), "stay", "hilo")

    def attacked(seen: Position) -> None:
        change_parts(operation(seen), attacked=("pearl-harbor",))

    assert answers(game, request, attacked).value == "hilo"
    assert answers(game, request).value == "stay"  # there is air enough to protect them


def test_aircraft_stay_and_squadrons_go_to_sea() -> None:
    game = raiding()
    assert answers(game, asked("allies", ("flee-from", "pearl-harbor"), "stay", "leave")).value == "stay"
    assert answers(game, asked("allies", ("embark", "task-force-8"), "aboard", "ashore")).value == "aboard"
