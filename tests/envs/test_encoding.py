"""Arrays hold what the view shows, from nothing but what it is now, as version 2 of the encoding tells it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

import flagplot
from flagplot.awaw.views.battle import BattleView
from flagplot.awaw.views.glances import (
    AirGlance,
    BaseGlance,
    CarrierAirGlance,
    DepartedGlance,
    EngagementGlance,
    GroupGlance,
    Makers,
    MissionGlance,
    ShipsGlance,
    StrikeGlance,
    SubmarinesGlance,
)
from flagplot.awaw.views.position import Position
from flagplot.envs import (
    VERSION,
    Encoder,
    FlagplotAEC,
    base_rows,
    battle_rows,
    encoding,
    line_rows,
    map_rows,
    rows,
    unit_rows,
)
from flagplot.envs.rows import COLUMNS, NUMBERS, code
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose, value_text
from flagplot.kernel.view_types import HIDDEN
from flagplot.line_of_battle.views import CounterGlance
from flagplot.players.random import RandomPlayer

MODULES = (base_rows, battle_rows, encoding, line_rows, map_rows, rows, unit_rows)
Table = NDArray[np.float32]


def forget() -> None:
    """Forget every row that was made."""
    for module in MODULES:
        for thing in vars(module).values():
            if isinstance(thing, rows.Remembered):
                thing.clear()
            elif hasattr(thing, "cache_clear"):
                thing.cache_clear()
    map_rows._known.clear()


def table(view: Any, request: Choose[Any] | None = None) -> Table:
    encoder = Encoder(units=400)
    array, left_out = encoder.encode(view, request)
    assert not left_out
    things = encoder.unpack(array)["units"]
    present: Table = things[things[:, 0] == 1]
    return present


def column(name: str) -> int:
    return COLUMNS.index(name)


def is_coded(things: Table, part: str, *words: str) -> NDArray[np.bool_]:
    """Which things have the codes of these words, added up."""
    first = column(f"{part}0")
    wanted = np.sum([code(word) for word in words], axis=0)
    found: NDArray[np.bool_] = (things[:, first : first + 8] == wanted).all(axis=1)
    return found


@cache
def games(scenario: str) -> list[Game[Any]]:
    """Random games of a scenario at some of their moments."""
    moments = []
    for seed in (4, 5):
        game = flagplot.load(scenario, seed=seed)
        players = {side: RandomPlayer(seed) for side in game.sides}
        while game.pending is not None and game.turn < 160:
            game.play(players, until=game.turn + 7)
            moments.append(game.copy(game.dice))
    return moments


# --- nothing is told that is no longer so -----------------------------------------------------------------------


@pytest.mark.parametrize("scenario", flagplot.scenario_names())
def test_rows_that_are_remembered_are_those_that_are_made_anew(scenario: str) -> None:
    game = flagplot.load(scenario, seed=6)
    players, encoder = {side: RandomPlayer(6) for side in game.sides}, Encoder()
    told: list[tuple[int, str, bytes]] = []
    again = flagplot.load(scenario, seed=6)
    others = {side: RandomPlayer(6) for side in game.sides}
    while game.pending is not None and game.turn < 120:
        game.play(players, until=game.turn + 3)
        for reader in (*game.sides, "umpire", "neutral"):
            told.append((game.turn, reader, encoder.encode(game.view(reader), None)[0].tobytes()))
    for turn, reader, array in told:
        again.play(others, until=turn)
        forget()
        assert Encoder().encode(again.view(reader), None)[0].tobytes() == array


def test_what_is_remembered_is_forgotten_before_it_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "ENOUGH", 3)
    made: list[int] = []

    def double(number: int) -> int:
        made.append(number)
        return 2 * number

    doubled = rows.Remembered(double)
    assert [doubled[number] for number in (1, 2, 1, 3, 4, 1)] == [2, 4, 2, 6, 8, 2]
    assert made == [1, 2, 3, 4, 1]
    assert doubled == {4: 8, 1: 2}


@pytest.mark.parametrize("scenario", ["midway", "coral-sea-operation", "malta-turn", "savo-island"])
def test_options_have_the_rows_of_their_texts(scenario: str) -> None:
    texts: dict[Any, str] = {}
    for game in games(scenario):
        request = game.pending
        if isinstance(request, Choose):
            for value in request.values:
                text = value_text(value)
                assert texts.setdefault(value, text) == text, "equal values are remembered as one"
            encoder = Encoder()
            told = encoder.unpack(encoder.encode(game.view(request.side), request)[0])["options"].tobytes()
            options = [option.text.removeprefix(f"{value_text(request.verb)}:") for option in request.options]
            assert told.startswith(b"".join([rows.row_of_option(text) for text in options]))


def test_an_array_is_of_its_own() -> None:
    game, encoder = flagplot.load("midway", seed=1), Encoder()
    first = encoder.encode(game.view("japan"), None)[0]
    kept = first.copy()
    first[:] = 7
    assert np.array_equal(encoder.encode(game.view("japan"), None)[0], kept)


# --- what is told at a glance is what the view says -------------------------------------------------------------


class Lost(NamedTuple):
    air: tuple[tuple[str, int], ...]


class Sunk(NamedTuple):
    ships: tuple[tuple[Any, int], ...]


class Glances(dict[tuple[Any, ...], Any]):
    """Makes of what is seen nothing but a value with its fields."""

    def __init__(self, kind: Callable[..., Any]) -> None:
        self.kind = kind

    def __missing__(self, fields: tuple[Any, ...]) -> Any:
        return self.kind(*fields)


GLANCES: Makers[Any] = Makers(
    base=Glances(BaseGlance),
    mission=Glances(MissionGlance),
    lost=Glances(lambda *air: Lost(air)),
    group=Glances(GroupGlance),
    ships=Glances(ShipsGlance),
    air=Glances(AirGlance),
    carrier_air=Glances(CarrierAirGlance),
    strike=Glances(StrikeGlance),
    engagement=Glances(EngagementGlance),
    submarines=Glances(SubmarinesGlance),
    departed=Glances(DepartedGlance),
    sunk=Glances(lambda *ships: Sunk(ships)),
)


def at_a_glance(position: Position) -> Any:
    """A position at a glance; each group with its ships and air, which come after it."""
    kind, moving, kamikazes, on_map, combat_round, stage, waiting, things = position.at_a_glance(GLANCES)
    groups: list[Any] = []
    for thing in things:
        if isinstance(thing, GroupGlance):
            nothing = {"ships": (), "shed": (), "aboard": (), "patrol": (), "cover": ()}
            groups.append(SimpleNamespace(**thing._asdict(), **nothing))
        elif isinstance(thing, ShipsGlance | AirGlance):
            group = groups[-1]
            assert (group.mine, group.number) == (thing.mine, thing.number)
            where = thing.task if isinstance(thing, AirGlance) else "shed" if thing.status == "shed" else "ships"
            assert where != "ships" or thing[2] == group.status
            setattr(group, where, thing[-1])

    def all_of(kind: type) -> list[Any]:
        return [thing for thing in things if isinstance(thing, kind)]

    return SimpleNamespace(
        kind=kind,
        moving=moving,
        kamikazes=kamikazes,
        on_map=on_map,
        round=combat_round,
        stage=stage,
        waiting=waiting,
        groups=groups,
        bases=all_of(BaseGlance),
        missions=all_of(MissionGlance),
        lost=dict([pair for lost in all_of(Lost) for pair in lost.air]),
        carrier_air=all_of(CarrierAirGlance),
        strikes=all_of(StrikeGlance),
        engagements=all_of(EngagementGlance),
        submarines=all_of(SubmarinesGlance),
        departed=all_of(DepartedGlance),
        sunk=[pair for sunk in all_of(Sunk) for pair in sunk.ships],
    )


def counted(pairs: Any) -> Counter[tuple[Any, ...]]:
    """Units at a glance, as `listed` counts those of a view."""
    found: Counter[tuple[Any, ...]] = Counter()
    for which, number in pairs:
        found[_name(which)] += number
    return found


def listed(units: tuple[Any, ...]) -> Counter[tuple[Any, ...]]:
    found: Counter[tuple[Any, ...]] = Counter()
    for one in units or ():
        found[_name(one)] += one.count
    return found


def _name(one: Any) -> tuple[Any, ...]:
    if hasattr(one, "kind"):
        return one.nation, one.kind, one.id, one.hits, one.damaged, one.laden, one.empty, one.size
    return one.home, one.nation, one.arm, one.role, one.inverted


@pytest.mark.parametrize("scenario", ["midway", "coral-sea", "okinawa", "malta-convoy", "coral-sea-operation", "kursk"])
def test_a_glance_says_what_the_view_says(scenario: str) -> None:
    battles = 0
    for game in games(scenario):
        for reader in (*game.sides, "umpire", "neutral"):
            position: Position = game.view(reader).position
            glance = at_a_glance(game.view(reader).glance())
            assert (glance.kind, glance.moving) == (position.kind, position.attacker == reader)
            assert glance.lost == position.lost
            assert len(glance.missions) == bool(position.mission) + len(position.announced)
            for base, (key, site) in zip(glance.bases, position.sites.items(), strict=True):
                assert (base.key, base.mine, base.at) == (key, site.side == reader, site.at)
                assert base.counteraired == site.counteraired
                for name in ("air", "searching", "struck", "hidden"):
                    assert counted(getattr(base, name)) == listed(getattr(site, name)), (key, name)
            if position.battle:
                battles += 1
                compare(glance, position.battle, reader)
            else:
                assert (glance.round, glance.stage, glance.groups) == (0, position.phase, [])
    assert battles or scenario == "kursk"


def compare(glance: Any, battle: BattleView, reader: str) -> None:
    """A battle at a glance, and as the view has it."""
    assert (glance.round, glance.stage) == (battle.round, battle.segment.mark if battle.segment else "")
    assert counted(glance.sunk) == listed(battle.sunk)
    numbered = [group for group in glance.groups if group.number]
    for group, seen in zip(numbered, battle.groups, strict=True):
        own = seen.own or None
        assert (group.mine, group.number) == (seen.side == reader, seen.number)
        assert (group.found, group.attacks, group.told) == (seen.results, seen.attacks, seen.told)
        assert (group.revealed, group.evaded) == (seen.revealed, seen.evaded)
        assert counted(group.ships) == listed(seen.ships or ())
        assert counted(group.cover) == listed(seen.cover or ())
        compare_own(group, own)
        if seen.status != "destroyed":
            assert group.status == seen.status
    waiting = [group for group in glance.groups if not group.number]
    own_pending = [one for some in battle.pending.values() if not isinstance(some, int) for one in some]
    for group, pending in zip(waiting, own_pending, strict=True):
        compare_own(group, pending.own)
        assert counted(group.ships) == listed(pending.ships)
        assert group.arrives == pending.arrives
    assert glance.waiting == sum([some for some in battle.pending.values() if isinstance(some, int)])
    for air, (_, carrier_air) in zip(glance.carrier_air, battle.carrier_air.items(), strict=True):
        for name in air._fields:
            assert counted(getattr(air, name)) == listed(getattr(carrier_air, name))
    for gone, departed in zip(glance.departed, battle.departed, strict=True):
        assert (gone.mine, gone.number, gone.round) == (departed.side == reader, departed.number, departed.round)
        assert counted(gone.ships) == listed(departed.ships or ())
    compare_combat(glance, battle, reader)


def compare_own(group: Any, own: Any) -> None:
    """What only its owner knows."""
    if own is None:
        assert (group.cargo, group.aboard, group.patrol, group.shed) == (False, (), (), ())
        assert (group.patrol_limit, group.ready_carrier, group.slow) == (0, False, False)
        return
    assert group.cargo == bool(own.cargo)
    assert (group.patrol_limit, group.ready_carrier) == (own.patrol_limit, own.ready_carrier)
    assert group.slow == own.slow or not group.mine
    for name, seen in (("aboard", own.air), ("patrol", own.patrol), ("shed", own.shed)):
        assert counted(getattr(group, name)) == listed(seen)


def compare_combat(glance: Any, battle: BattleView, reader: str) -> None:
    strikes = [strike for strike in glance.strikes if not strike.kamikazes and strike.attackers]
    if battle.strike and battle.strike.attackers:
        (strike,) = strikes
        assert (strike.mine, strike.target) == (battle.strike.side == reader, battle.strike.target)
        assert counted(strike.attackers) == listed(battle.strike.attackers)
        assert counted(strike.defenders) == listed(battle.strike.defenders)
    assert len(glance.strikes) == bool(battle.strike) + len(battle.dives)
    assert len(glance.engagements) == len(battle.engagements) + bool(battle.engagement)
    if battle.engagement:
        fought = glance.engagements[-1]
        assert {fought.ours, fought.theirs} == {battle.engagement.agreed.moving, battle.engagement.agreed.intercepting}
        assert fought.revealed == battle.engagement.revealed
        screened = battle.engagement.screened
        if screened is HIDDEN:
            assert (fought.screened, fought.volleys, fought.held) == ((), (), ())
        else:
            assert [counted(ships) for _, ships in fought.screened] == [listed(ships) for ships in screened.values()]
    for boats, seen in zip(glance.submarines, battle.submarines, strict=True):
        assert (boats.mine, boats.factors, boats.lost) == (seen.side == reader, seen.factors, seen.lost)


@pytest.mark.parametrize("scenario", ["savo-island", "ceylon-raid"])
def test_a_counter_at_a_glance_is_as_the_view_has_it(scenario: str) -> None:
    for game in games(scenario):
        position = game.view(game.sides[0]).glance()
        *seen, counters = position.at_a_glance(Glances(CounterGlance))
        mark = position.segment.mark if position.segment else ""
        phasing = position.phasing == position.reader
        assert seen == [position.kind, phasing, position.round, position.action, mark, position.selected]
        for glance, unit in zip(counters, position.units, strict=True):
            names = ("bonus", "damaged", "points", "disabled", "target", "attacked", "fate")
            assert [getattr(glance, name) for name in names] == [getattr(unit, name) for name in names]
            assert glance.factors == (unit.gunnery, unit.torpedo, unit.airstrike, unit.defense, unit.damage)
            assert (glance.unit.id, glance.unit.side, glance.box) == (unit.id, unit.side, unit.box)
            assert (glance.mine, glance.unit.lba) == (unit.side == game.sides[0], unit.kind == "lba")
            assert glance.weapons == "+".join(unit.weapons)


# --- rows -------------------------------------------------------------------------------------------------------


def test_version_2_of_the_encoding() -> None:
    assert VERSION == 2, "the same view gives another array: change this test with the version"
    assert (len(COLUMNS), len(NUMBERS), Encoder().size) == (79, 42, 24 + 128 * 79 + 64 * 10)
    view = flagplot.load("midway", seed=1).view("japan")
    things = table(view)
    akagi = things[is_coded(things, "who", "akagi", "japan")]
    assert akagi[:, column("size")].tolist() == [3]
    assert akagi[:, column("mine")].tolist() == [1]
    assert is_coded(akagi, "what", "ship", "cv").all()
    assert is_coded(akagi, "state", "waits").all()
    assert is_coded(things, "where", "midway").sum() >= 1


def test_every_ship_and_squadron_that_the_view_shows_has_a_row() -> None:
    shown = 0
    for game in games("midway"):
        position = game.view("japan").position
        things = table(game.view("japan"))
        numbered = [group for group in position.battle.groups if group.ships] if position.battle else []
        for group in numbered:
            in_it = things[(things[:, column("group")] == group.number) & is_coded(things, "what", "ship", "cruiser")]
            ours = in_it[in_it[:, column("mine")] == (1 if group.side == "japan" else -1)]
            standing = ours[is_coded(ours, "state", "active") | is_coded(ours, "state", "distant")]
            cruisers = [ship.count for ship in group.ships if ship.kind == "cruiser"]
            assert standing[:, column("count")].sum() == sum(cruisers)
            shown += bool(cruisers)
    assert shown


def test_arrays_of_line_of_battle() -> None:
    env = FlagplotAEC("force-z", units=40)
    env.reset(seed=1)
    parts = env.encoder.unpack(env.observe("britain")["observation"])
    things = parts["units"][parts["units"][:, 0] == 1]
    units = env.game.view("britain").position.units
    assert sorted(things[things[:, column("mine")] == 1][:, column("gunnery")])[-3:] == [1, 5, 5]
    assert things[:, column("gunnery")].sum() == sum([unit.gunnery for unit in units])
    assert parts["options"][:2, 0].tolist() == [1, 1]
    assert parts["head"][:2].tolist() == [1, 2]
    array, left_out = Encoder(units=5).encode(env.game.view("britain"), None)
    assert left_out == len(things) - 5
    assert not Encoder(units=5).unpack(array)["options"].any()
    assert array.shape == (Encoder(units=5).size,)


def test_operations_and_turns_have_rows_for_what_is_on_the_map() -> None:
    game = games("coral-sea-operation")[0]
    for reader in game.sides:
        things, operation = table(game.view(reader)), game.view(reader).position.operation
        forces = things[is_coded(things, "what", "force")]
        assert len(forces) == len(operation.forces)
        for key in operation.forces:
            assert is_coded(forces, "who", key).sum() == 1
        assert is_coded(things, "what", "submarines").sum() == len(operation.flotillas)
    turn = games("malta-turn")[3]
    things, seen = table(turn.view(turn.sides[0])), turn.view(turn.sides[0]).position.turn
    for unit in seen.units.values():
        row = things[is_coded(things, "what", "ground", unit.kind) & (things[:, column("factors")] == unit.factors)]
        assert len(row)


def test_a_game_that_is_not_ours_is_told_leaf_by_leaf() -> None:
    view: Any = SimpleNamespace(glance=lambda: {"round": 5000, "ships": ["akagi", None]})
    first, *others = table(view)
    assert first[column("count")] == 1000, "no number is larger"
    assert is_coded(first[None], "who", ".round").all()
    assert is_coded(np.array(others), "where", "akagi").tolist() == [True, False]
