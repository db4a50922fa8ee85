"""Patrols step by step, as their sequence of play has them (SOP-PA-A to SOP-PA-E.10)."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.interception.dice import prey, task_forces
from flagplot.awaw.operations.interception.sailing_together import companions
from flagplot.awaw.operations.names import hex_name
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import confrontation, operation, passage, patrol, patrols
from flagplot.awaw.state.operation import Activity, Order, Progress
from flagplot.awaw.state.state import State
from flagplot.kernel.dice import Scripted
from flagplot.kernel.errors import UndoRefused
from flagplot.kernel.game import Game
from flagplot.kernel.procedures import Frame
from flagplot.kernel.requests import Roll
from tests.awaw import seas
from tests.awaw.seas import flotilla, force, least, offered, play, port, questions, sail, sea, steer
from tests.awaw.voyages import Cruise, cruise, dive, go_on_until, intercept, reaching

TRUK, NOUMEA = port("truk", "red", (0, 0)), port("noumea", "blue", (9, 0))
AIRFIELD = port("noumea", "blue", (9, 0), "2 united-states army")
KIDO = force("kido", "red", "truk", "Akagi", cruisers=8, air=3)
TF = force("tf", "blue", "noumea", cruisers=10)
MEET = ("intercept:v1:1:{}", "go:v1:1:tf:direct")


def scene(*more: dict[str, Any], noumea: dict[str, Any] = NOUMEA, **plan: Any) -> State:
    """Kido goes on patrol from Truk in (0, 0) to (6, 0) as v1; Noumea is in (9, 0)."""
    state = sea(TRUK, noumea, KIDO, TF, *more, **plan)
    sail(state, "patrol", "kido", (6, 0), shown=False)
    state.operation.fleet["kido"].group.activity = "patrol"
    return state


def go(state: State, *orders: str, **more: Any) -> Cruise:
    more.setdefault("dice", reaching())
    return cruise(state, patrol.start("v1"), *orders, **more)


def met_in(hex_: str) -> tuple[str, ...]:
    """Blue's orders to intercept the patrol in a hex."""
    return tuple(order.format(hex_) for order in MEET)


def steps(state: State, *orders: str) -> list[tuple[tuple[int, int], str]]:
    """Where the patrol was at each question, and the verb of the question."""
    game = play(state, patrol.start("v1"), dice=reaching())
    found = []
    for texts in questions(game):
        found.append((game.state.operation.fleet["kido"].at, texts[0].split(":")[0]))
        order = next((order for order in orders if order in texts), None)
        game.choose(order or least(texts, "none", "no", "stay"))
    return found


# --- A, B: on the way -------------------------------------------------------------------------------------------


@pytest.mark.rule("SOP-PA-A", "SOP-PA-SEQ")
@pytest.mark.parametrize("first", ["v1", "v2"])
def test_all_patrols_are_announced_and_then_conducted_one_at_a_time(first: str) -> None:
    """SOP-PA-A: all patrol hexes are named before the first patrol sails; then they sail one by one, each to the end,
    in the order that the moving side says."""
    orders = [Order(Activity.PATROL, "movement", at) for at in ((6, 0), (6, 3))]
    one = force("one", "red", "truk", cruisers=10, orders=orders[:1])
    two = force("two", "red", "truk", cruisers=10, orders=orders[1:])
    state = sea(TRUK, NOUMEA, one, two, TF, stages=("movement", "combat"))
    second = {"v1": "v2", "v2": "v1"}[first]
    told = ("order:one:0", "order:two:0", f"patrol:{first}")
    at = {"v1": "6,0", "v2": "6,3"}[second]
    more = (f"intercept:{second}:1:{at}", f"go:{second}:1:tf:direct")
    played = cruise(state, operation, *told, *more, flees="blue", dice=reaching())
    verbs = [verb.split(":")[0] for verb in played.asked]
    assert verbs.index("intercept") > max(index for index, verb in enumerate(verbs) if verb == "order")
    other = {"v1": "one", "v2": "two"}[first]
    assert played.battles[0].where[other] == {"v1": (6, 0), "v2": (6, 3)}[first]
    assert f"stay:{first}" in played.asked[: played.asked.index(f"intercept:{second}:1")]


@pytest.mark.rule("SOP-PA-B", "SOP-PA-B.1.a", "22.164A")
def test_a_patrol_is_intercepted_hex_by_hex() -> None:
    """SOP-PA-B: it sails hex by hex; in each new hex the enemy says whether he intercepts it there, not elsewhere."""
    found = [at for at, verb in steps(scene()) if verb == "intercept"]
    assert found == [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (6, 0)], "the last as it wants to stay"
    played = go(scene(), *met_in("3,0"), flees="blue")
    assert played.places == ["3,0"]


@pytest.mark.rule("SOP-PA-SEQ", "22.22E")
def test_nobody_is_with_a_patrol() -> None:
    """21.416M: patrols sail one at a time: others from the same port, patrols or not, are neither counted for the dice
    nor in the battle."""
    state = sea(
        TRUK,
        port("rabaul", "blue", (4, 4)),
        force("a", "red", "truk", "Nagato", cruisers=8),
        force("b", "red", "truk", "Mutsu", cruisers=8),
        force("d", "red", "truk", "Ise", cruisers=8),
        force("x", "blue", "rabaul", "Iowa", cruisers=8),
    )
    sail(state, "patrol", "a", (8, 0))
    sail(state, "patrol", "b", (9, 0))
    sail(state, "base-change", "d", (10, 0))
    assert task_forces(state, "v1", 0, (2, 0)) == 1
    assert companions(state, "v3", (2, 0)) == []
    orders = ("intercept:v1:1:2,0", "go:v1:1:x:direct")
    (battle,) = cruise(state, patrol.start("v1"), *orders, flees="blue", dice=reaching()).battles
    assert battle.forces == {"a", "x"}


def told(game: Game[State], reader: str) -> list[str]:
    return [entry.text for entry in game.log(reader)]


def declines(game: Game[State]) -> None:
    texts = offered(game)
    game.choose(least(texts, "none", "no", "stay"))


@pytest.mark.rule("SOP-PA-B.1.a", "22.164A")
@pytest.mark.parametrize("reader", ["red", "blue", "neutral"])
def test_that_nobody_intercepts_a_patrol_is_announced_before_it_sails_on(reader: str) -> None:
    """SOP-PA-B: in each hex the interception is settled first, so when the patrol goes on everybody knows that there
    was none, and each hex has its line."""
    game, left = play(scene(), patrol.start("v1"), dice=reaching()), list[str]()
    while len(left) < 4:
        before, at = told(game, reader), game.state.operation.fleet["kido"].at
        declines(game)
        left.append(f"Blue: no interception of TF 1 (Red) in {hex_name(game.state, at)}")
        assert game.state.operation.fleet["kido"].at == (at[0] + 1, 0)
        assert [line for line in told(game, reader) if "no interception" in line] == left
        assert told(game, reader)[: len(before)] == before


@pytest.mark.rule("SOP-PA-B.1.a", "22.164A")
def test_that_nobody_intercepts_a_patrol_is_not_told_before_all_is_decided() -> None:
    """Ships are held back and submarines are still to decide: the patrol knows nothing yet, and has not moved."""
    state = scene(flotilla("boats", "blue", "noumea", 2))
    game = play(state, patrol.start("v1"), dice=reaching())
    before = told(game, "red"), game.view("red").data
    while not offered(game)[0].startswith("submarine:"):
        before = told(game, "red"), game.view("red").data
        declines(game)
    assert (told(game, "red"), game.view("red").data) == before
    at = game.state.operation.fleet["kido"].at
    declines(game)
    assert told(game, "red")[len(before[0])] == f"Blue: no interception of TF 1 (Red) in {hex_name(game.state, at)}"


@pytest.mark.rule("SOP-PA-B.1.a", "22.164A")
def test_what_was_announced_of_a_patrol_is_not_taken_back() -> None:
    """The patrol has sailed on because no interception of it; that cannot be undone without its owner."""
    game = play(scene(), patrol.start("v1"), dice=reaching())
    declines(game)
    with pytest.raises(UndoRefused, match="revealed"):
        game.undo("blue")


@pytest.mark.rule("SOP-PA-B.1.a.1", "22.81A.1")
@pytest.mark.parametrize("choice", ["go-on", "abort"])
def test_a_patrol_that_wins_goes_on_or_aborts(choice: str) -> None:
    """SOP-PA-B.1.a.1: victorious it may go on to its hex, or return."""
    played = go(scene(), *met_in("3,0"), f"activity:kido:{choice}", flees="blue")
    kido = played.state.operation.fleet["kido"]
    assert (kido.at, kido.patrol) == (((6, 0), "offensive") if choice == "go-on" else ((0, 0), ""))
    assert kido.inverted == (choice == "abort")
    assert [verb for verb in played.asked if verb == "intercept:v1:1"] == ["intercept:v1:1"] * 4, "one attempt is all"


@pytest.mark.rule("SOP-PA-B.1.a.2", "SOP-PA-E", "22.81B")
@pytest.mark.parametrize("choice", ["go-on", "abort"])
def test_an_interceptor_that_wins_may_stay_on_defensive_patrol(choice: str) -> None:
    """SOP-PA-B.1.a.2: who has beaten a patrol may stay in the hex as a defensive patrol, or returns and is inverted."""
    played = go(scene(), *met_in("3,0"), f"activity:tf:{choice}", flees="red")
    tf = played.state.operation.fleet["tf"]
    stays = ("defensive", (3, 0), False, "")
    assert (tf.patrol, tf.at, tf.inverted, tf.voyage) == (stays if choice == "go-on" else ("", (9, 0), True, ""))
    assert played.state.operation.fleet["kido"].at == (0, 0)
    assert played.state.operation.fleet["kido"].inverted


@pytest.mark.rule("22.81B")
def test_who_intercepts_something_else_may_not_stay() -> None:
    """22.81B: only who has met a patrol stays; others return."""
    state = sea(TRUK, NOUMEA, KIDO, TF, stage="combat")
    sail(state, "shore-bombardment", "kido", (6, 0))
    intercept(state, "tf", "v1", (3, 0))
    played = cruise(state, passage.start("v1"), flees="red")
    assert "activity:tf" not in played.asked
    assert played.state.operation.fleet["tf"].at == (9, 0)


@pytest.mark.rule("SOP-PA-B.1.b.1", "19.12.2", "23.61A")
def test_carriers_may_counterair_from_hexes_on_the_way() -> None:
    """SOP-PA-B.1.b: in each hex within range of an enemy base in which it was not intercepted a patrol may fly a round
    of counterair; not where there was naval combat."""
    near = port("lae", "blue", (3, 3), "2 united-states army")
    quiet = [at for at, verb in steps(scene(near)) if verb == "base-attack"]
    assert {(3, 0), (4, 0), (5, 0)} <= set(quiet)
    assert (1, 0) not in quiet
    assert quiet.count((3, 0)) == 1
    met = steps(scene(near), *met_in("3,0"), "activity:kido:go-on", "withdraw:all")
    assert (3, 0) not in [at for at, verb in met if verb == "base-attack"]


@pytest.mark.rule("19.12.2")
@pytest.mark.parametrize("from_base", [True, False])
def test_the_water_of_its_base_is_a_hex_that_a_patrol_enters_unless_an_option_says_no(from_base: bool) -> None:
    """19.12, 22.12A: as it leaves port it enters the water of its base, and may counterair from there."""
    near = port("lae", "blue", (-2, 0), "2 united-states army")
    options = Options(counterair_from_base_hex=from_base)
    hexes = [at for at, verb in steps(scene(near, options=options)) if verb == "base-attack"]
    assert hexes == [(0, 0)] * from_base + [(1, 0), (6, 0)]


@pytest.mark.rule("SOP-PA-B.1.b.2", "SOP-PA-D.1.a", "SOP-PA-D.2.a", "23.752A")
@pytest.mark.parametrize("leaves", ["stay", "return"])
def test_land_based_air_flies_one_sortie_in_each_hex(leaves: str) -> None:
    """SOP-PA-B.1.b.2, D.1.a, D.2.a: one sortie in each hex on the way; in the patrol hex a single one, when the patrol
    has said whether it stays or leaves."""
    found = steps(scene(noumea=AIRFIELD), f"stay:v1:{leaves}")
    sorties = [at for at, verb in found if verb == "sortie"]
    out = sorties[: sorties.index((6, 0)) + 1]
    assert out == [(5, 0), (6, 0)]
    assert found.index(((6, 0), "stay")) < found.index(((6, 0), "sortie"))


@pytest.mark.rule("SOP-PA-D.1.a", "SOP-PA-D.2.a", "22.132B")
@pytest.mark.parametrize("leaves", ["stay", "return"])
def test_no_parting_sortie_after_naval_combat(leaves: str) -> None:
    """SOP-PA-D.1.a: if there was naval combat in the patrol hex no sortie is flown there."""
    state = scene(noumea=AIRFIELD)
    played = go(state, *met_in("6,0"), f"stay:v1:{leaves}", flees="blue")
    assert played.places == ["6,0"]
    assert played.asked.count("sortie:v1") == 1, "only in the hex before"


@pytest.mark.rule("SOP-PA-B.1.c", "22.921", "22.13E")
def test_submarines_attack_after_the_air() -> None:
    """SOP-PA-B.1.c: submarines that have intercepted in the hex attack after any air attack there."""
    state = scene(flotilla("boats", "blue", "noumea"), noumea=AIRFIELD, strategic="blue")
    played = go(state, "submarine:v1:1:boats:5,0")
    log = played.log()
    assert "submarine factor attacks" in log
    assert played.asked.index("sortie:v1") < played.asked.index("abort:v1")


@pytest.mark.rule("SOP-PA-B.1.c", "22.921", "22.915")
def test_submarines_attack_a_patrol_that_stays() -> None:
    """22.921: so do those that intercept it as it wants to stay, if there is no naval combat."""
    state = scene(flotilla("boats", "blue", "noumea"))
    state.operation.voyages["v1"].intercepted.append(0)
    game = play(state, patrol.start("v1"), dice=reaching())
    _until(game, "stay:v1")
    game.choose("stay:v1:stay")
    _until(game, "submarine:v1")
    game.choose("submarine:v1:1:boats:6,0")
    played = cruise(game)
    assert "submarine factor attacks" in played.log()
    assert played.state.operation.flotillas["boats"].inverted + played.state.operation.flotillas["boats"].lost == 1


@pytest.mark.rule("22.921", "SOP-PA-D.2.a")
def test_in_the_patrol_hex_submarines_attack_after_the_air() -> None:
    """22.921: a patrol that stays may be attacked by one sortie, and by submarines that intercept it, in this order."""
    near = port("rabaul", "blue", (4, 2), "3 united-states army")
    state = sea(TRUK, near, force("a", "red", "truk", "Nagato", cruisers=8), flotilla("boats", "blue", "rabaul"))
    sail(state, "patrol", "a", (4, 0))
    orders = ("stay:v1:stay", "submarine:v1:1:boats:4,0", "factors:v1:1:boats:1")
    game, asked = play(state, patrol.start("v1"), dice=reaching()), []
    while game.pending is not None:
        if isinstance(game.pending, Roll):
            game.roll()
            continue
        texts, staying = offered(game), game.state.operation.voyages["v1"].staying
        asked += [texts[0].split(":")[0]] * staying
        given = next((text for text in orders if text in texts), "") if staying or "stay:v1:stay" in texts else ""
        quiet = least(texts, "no", "none", "done")
        game.choose(given or quiet)
    assert asked[:2] == ["submarine", "sortie"]
    assert asked.count("sortie") == 1
    log = "\n".join(map(str, game.log("umpire")))
    assert log.index("with land-based air", log.index("stays on patrol")) < log.index("ubmarine attack")


@pytest.mark.rule("SOP-PA-D.2.a")
@pytest.mark.parametrize("staying", [True, False])
def test_the_sortie_is_for_the_patrol_that_stays(staying: bool) -> None:
    """23.752A: between its attacks on bases a patrol is not attacked from the air; the one sortie comes in the end."""
    near = port("rabaul", "blue", (4, 2), "3 united-states army")
    state = sea(TRUK, near, force("a", "red", "truk", "Nagato", cruisers=8))
    sail(state, "patrol", "a", (4, 0), step=4, progress=Progress.ARRIVED, staying=staying)
    assert ("sortie:v1" in cruise(state, confrontation.start("v1")).asked) == staying


# --- C: on station ----------------------------------------------------------------------------------------------


@pytest.mark.rule("SOP-PA-C", "SOP-PA-C.1", "SOP-PA-C.2", "18.511C")
def test_on_station_it_attacks_as_long_as_it_likes_and_may_be_intercepted_in_between() -> None:
    """SOP-PA-C: in its hex the patrol attacks bases one round at a time; after each round the enemy may intercept it if
    nobody has tried before."""
    state = scene(noumea=AIRFIELD)
    game = play(state, patrol.start("v1"), dice=reaching())
    while not offered(game)[0].startswith("base-attack:v1"):
        game.choose(next(text for text in offered(game) if text.endswith(("none", "no"))))
    game.choose("base-attack:v1:noumea")
    while not offered(game)[0].startswith("intercept:v1"):
        _least(game)
    assert game.state.operation.fleet["kido"].at == (6, 0)
    assert game.state.frames[-3].procedure == "patrol"
    game.choose("intercept:v1:1:none")
    while not offered(game)[0].startswith(("base-attack:v1", "stay:v1")):
        _least(game)
    assert offered(game)[0].startswith("base-attack:v1"), "once more, if it likes"


def _least(game: Any) -> None:
    if isinstance(game.pending, Roll):
        game.roll()
    else:
        texts = offered(game)
        game.choose(least(texts, "none", "no", "stop"))


@pytest.mark.rule("SOP-PA-C.1", "SOP-PA-D.2", "22.13")
def test_after_one_attempt_nobody_intercepts_it_again() -> None:
    """SOP-PA-C.1, D.2: an attempt on the way, even in vain, is the only one."""
    played = go(scene(), *met_in("1,0"), dice=reaching(1))
    assert not played.battles
    assert played.asked.count("intercept:v1:1") == 2
    assert played.state.operation.fleet["kido"].patrol == "offensive"


# --- D: stay or return ------------------------------------------------------------------------------------------


@pytest.mark.rule("SOP-PA-D", "SOP-PA-E", "22.22B")
def test_a_patrol_stays_and_is_an_offensive_patrol() -> None:
    """SOP-PA-D, E: unopposed it stays for the combat stage; who wants to drive it away has two dice more (22.22B)."""
    played = go(scene(), "stay:v1:stay")
    kido = played.state.operation.fleet["kido"]
    assert (kido.patrol, kido.at, kido.voyage, kido.inverted) == ("offensive", (6, 0), "", False)
    assert "stays on patrol" in played.log()
    state = scene()
    for staying in (False, True):
        state.operation.voyages["v1"].staying = staying
        assert prey(state, "v1", 0, (6, 0))["patrol_staying"] == staying


@pytest.mark.rule("SOP-PA-D.2", "SOP-PA-E")
@pytest.mark.parametrize("loser", ["red", "blue"])
def test_a_patrol_that_stays_may_be_driven_away(loser: str) -> None:
    """SOP-PA-D.2, E: if nobody has tried before it may be intercepted as it stays; the victor stays if he likes."""
    state = scene()
    state.operation.fleet["kido"].at, state.operation.voyages["v1"].path = (6, 0), ((6, 0),)
    game = play(state, patrol.start("v1"), dice=reaching())
    game.choose("intercept:v1:1:none")
    _until(game, "stay:v1")
    played = cruise(game, None, "stay:v1:stay", *met_in("6,0"), flees=loser)
    kido, tf = played.state.operation.fleet["kido"], played.state.operation.fleet["tf"]
    assert played.places == ["6,0"]
    assert (kido.patrol, tf.patrol) == (("", "defensive") if loser == "red" else ("offensive", ""))


def _until(game: Any, verb: str) -> None:
    while not offered(game)[0].startswith(verb):
        _least(game)


@pytest.mark.rule("SOP-PA-D.1", "22.18")
def test_a_patrol_that_returns_may_be_intercepted() -> None:
    """SOP-PA-D.1: on its way home it may be intercepted as all returning forces; back in port it is inverted."""
    state = scene(strategic="blue")
    home = ("stay:v1:return", "route:v2", "intercept:v2:1:4,0", "go:v2:1:tf:direct")
    played = go(state, *home, flees="blue")
    assert "stays on patrol" not in played.log()
    assert not any(verb.startswith("intercept:v1") for verb in played.asked[played.asked.index("stay:v1") :])
    assert played.places == ["4,0"]
    kido = played.state.operation.fleet["kido"]
    assert (kido.at, kido.patrol, kido.inverted) == ((0, 0), "", True)


@pytest.mark.rule("SOP-PA-C", "SOP-PA-D.1")
@pytest.mark.parametrize("choice", ["stay", "return"])
def test_a_patrol_counts_when_it_was_in_its_hex_and_returns_inverted(choice: str) -> None:
    """SOP-PA-C, D.1: by being in its hex a patrol is carried out, whether it stays or not; who returns is inverted at
    base although nobody has met him."""
    kido = force("kido", "red", "truk", cruisers=10)
    state = sea(seas.TRUK, port("noumea", "blue", (20, 0)), kido)
    sail(state, "patrol", "kido", (6, 0), worth=2)
    played = cruise(state, patrol.start("v1"), f"stay:v1:{choice}")
    assert played.state.operation.done == {"red": 2}
    made = played.state.operation.fleet["kido"]
    assert (made.inverted, made.patrol) == ((False, "offensive") if choice == "stay" else (True, ""))


# --- E: in the combat stage -------------------------------------------------------------------------------------

WHOLE = Order(Activity.PATROL, "movement", (6, 0))
PATROL = force("kido", "red", "truk", "Akagi", cruisers=8, air=3, orders=[WHOLE])


@pytest.mark.rule("SOP-PA-E.1", "SOP-PA-E.3", "22.15C")
def test_an_offensive_patrol_has_one_task_and_returns_after_the_combat_stage() -> None:
    """SOP-PA-E.1, E.3: in the combat stage its squadrons do one thing: they are asked once for an attack on a base;
    with the end of that stage the patrol returns."""
    state = sea(TRUK, AIRFIELD, PATROL, TF, stages=("movement", "combat", "redeployment"))
    game = play(state, operation, dice=reaching())
    game.choose("order:kido:0")
    stages: dict[str, list[str]] = {"movement": [], "combat": [], "redeployment": []}
    while game.pending is not None:
        if isinstance(game.pending, Roll):
            game.roll()
            continue
        now = game.state.now
        stages[now].append(offered(game)[0].split(":")[0])
        if now == "combat":
            assert game.state.operation.fleet["kido"].patrol == "offensive" or game.state.operation.fleet["kido"].voyage
        assert now != "redeployment" or game.state.operation.fleet["kido"].in_port
        _least(game) if not offered(game)[0].startswith("stay") else game.choose("stay:v1:stay")
    assert stages["combat"].count("base-attack") == 1
    kido = game.state.operation.fleet["kido"]
    assert (kido.at, kido.patrol, kido.inverted) == ((0, 0), "", True)


def carriers(name: str, *named: str, at: Hex) -> dict[str, Any]:
    return force(name, "red", "truk", *named, cruisers=6, air=3, at=at, patrol="offensive")


@pytest.mark.rule("SOP-PA-E.1", "SOP-PA-E.1.c", "18.512B")
@pytest.mark.parametrize("strikes", [True, False])
def test_patrols_in_one_hex_strike_together_and_once(strikes: bool) -> None:
    """SOP-PA-E.1: in the combat stage the squadrons of all patrols in a hex fly together, in one attack, or do not; a
    patrol in another hex has its own."""
    pearl = port("pearl", "blue", (9, 0), "1 united-states army")
    patrols = (
        carriers("one", "Akagi", at=(7, 0)),
        carriers("two", "Kaga", at=(7, 0)),
        carriers("three", "Soryu", at=(7, 2)),
    )
    state = sea(seas.TRUK, pearl, *patrols, stage="combat", stages=("combat",))
    game = play(state, operation, dice=reaching(1))
    go_on_until(game, "base-attack:one")
    game.choose(f"base-attack:one:{'pearl' if strikes else 'none'}")
    if strikes:
        go_on_until(game, "fly")
        assert offered(game)[-1] == "fly:red-at-sea:japan:naval:squadrons:6"
        game.choose(offered(game)[-1])
    asked = [verb for verb in go_on_until(game, "nothing more") if verb.startswith("base-attack")]
    assert asked == ["base-attack:three"]


@pytest.mark.rule("SOP-PA-E.1", "SOP-PA-E.1.c")
@pytest.mark.parametrize("before", ["", "ground-support/combat"])
def test_a_patrol_whose_squadrons_have_done_something_else_attacks_no_base(before: str) -> None:
    """SOP-PA-E.1: its squadrons have one task: who has attacked a base has done his, and who has done another attacks
    none."""
    state = sea(seas.TRUK, port("pearl", "blue", (9, 0)), carriers("one", "Akagi", at=(7, 0)), stage="combat")
    state.operation.tasks = {"one": before} if before else {}
    game = play(state, operation)
    go_on_until(game, "base-attack:one")
    assert (game.pending is None) == bool(before)
    if not before:
        game.choose("base-attack:one:pearl")
        go_on_until(game, "fly")
        assert game.state.operation.tasks == {"one": "base-attack"}


@pytest.mark.rule("SOP-PA-E.10", "SOP-PA-E.3")
def test_patrols_of_both_sides_return_after_the_combat_stage() -> None:
    """SOP-PA-E.3, E.10: offensive and defensive patrols return before exploitation, inverted."""
    ours = force("ours", "red", "truk", cruisers=10, at=(6, 0), patrol="offensive")
    theirs = force("theirs", "blue", "noumea", cruisers=10, at=(8, 3), patrol="defensive")
    last = force("last", "red", "truk", cruisers=10, orders=[Order(Activity.BOMBARDMENT, "redeployment", (5, 0))])
    state = sea(TRUK, NOUMEA, ours, theirs, last, stage="combat", stages=("combat", "redeployment"))
    game = play(state, operation)
    _until(game, "order:last")
    assert game.state.now == "redeployment"
    there = {key: (one.at, one.patrol, one.inverted) for key, one in game.state.operation.fleet.items()}
    assert there == {"ours": ((0, 0), "", True), "theirs": ((9, 0), "", True), "last": ((0, 0), "", False)}


@pytest.mark.rule("SOP-PA-E.3", "SOP-PA-E.10")
def test_patrols_stay_over_the_end_of_the_movement_stage() -> None:
    """SOP-PA-E: a patrol that stays is still there in the combat stage."""
    ours = force("ours", "red", "truk", cruisers=10, at=(6, 0), patrol="offensive")
    mission = force("kido", "red", "truk", cruisers=10, orders=[Order(Activity.BOMBARDMENT, "combat", (5, 0))])
    state = sea(TRUK, NOUMEA, ours, mission, stage="movement", stages=("movement", "combat"))
    game = play(state, operation)
    assert offered(game) == ["order:kido:stay", "order:kido:0"]
    assert (game.state.now, game.state.operation.fleet["ours"].patrol, game.state.operation.fleet["ours"].at) == (
        "combat",
        "offensive",
        (6, 0),
    )


@pytest.mark.rule("22.18E", "22.163")
def test_patrols_wait_to_help_those_who_return() -> None:
    """22.18E, 22.15C: patrols return after the others, and may come to their aid on their way home."""
    ours = force("ours", "red", "truk", cruisers=10, at=(4, 2), patrol="offensive")
    mission = force("kido", "red", "truk", cruisers=10, orders=[Order(Activity.BOMBARDMENT, "combat", (6, 0))])
    state = sea(TRUK, NOUMEA, ours, mission, TF, stage="combat", stages=("combat",), strategic="blue")
    home = ("order:kido:0", "route:none", "route:v2", "intercept:v2:1:4,0", "go:v2:1:tf:direct", "support:ours:go")
    played = cruise(state, operation, *home, flees="blue", dice=reaching())
    assert played.battles[0].forces == {"kido", "tf", "ours"}
    assert played.state.operation.fleet["ours"].at == played.state.operation.fleet["kido"].at == (0, 0)


@pytest.mark.rule("SOP-PA-E.5", "22.913")
@pytest.mark.parametrize("choice", ["return", "stay"])
def test_submarines_return_with_the_patrols_or_stay(choice: str) -> None:
    """SOP-PA-E.5: submarines on patrol return after the combat stage, or stay for the enemy's turn."""
    boats = flotilla("boats", "red", "truk", 2, at=(6, 0), patrol="offensive")
    state = sea(TRUK, NOUMEA, boats, stage="combat", stages=("combat", "redeployment"))
    made = cruise(state, operation, f"recall:boats:{choice}").state.operation.flotillas["boats"]
    assert (made.at, bool(made.patrol)) == (((0, 0), False) if choice == "return" else ((6, 0), True))


@pytest.mark.rule("SOP-PA-E.5", "22.913")
def test_submarines_are_recalled_after_the_combat_stage_and_not_asked_again() -> None:
    """SOP-PA-E.5: who stays after the combat stage stays until the enemy's player turn is over."""
    boats = flotilla("boats", "red", "truk", 2, at=(6, 0), patrol="offensive")
    state = sea(seas.TRUK, seas.RABAUL, boats, stages=("movement", "combat", "redeployment"))
    played = cruise(state, operation, "recall:boats:stay")
    assert played.asked.count("recall:boats") == 1


@pytest.mark.rule("SOP-PA-E.6", "22.92")
def test_submarines_that_attack_have_left_their_patrol_hex() -> None:
    """SOP-PA-E.6: submarines on defensive patrol that attack are back in port, inverted; the others stay on patrol."""
    boats = flotilla("boats", "blue", "noumea", 3, at=(5, 2), patrol="defensive")
    state = sea(TRUK, NOUMEA, KIDO, boats, stage="combat")
    sail(state, "shore-bombardment", "kido", (6, 0))
    dive(state, "boats", "v1", (4, 0))
    made = cruise(state, passage.start("v1"), dice=reaching(4)).state.operation.flotillas["boats"]
    assert (made.factors, made.inverted + made.lost, made.patrol) == (2, 1, "defensive")


@pytest.mark.rule("SOP-PA-SEQ")
def test_patrols_that_join_others_do_not_sail_by_themselves() -> None:
    """SOP-PA-SEQ: who is to join a patrol sails with it."""
    state = scene(force("two", "red", "truk", cruisers=10))
    sail(state, "patrol", "two", (0, 0), joins="v1")
    played = cruise(state, patrols, dice=reaching(1))
    assert "patrol" not in [verb.split(":")[0] for verb in played.asked]
    assert {played.state.operation.fleet[name].at for name in ("kido", "two")} == {(6, 0)}


@pytest.mark.rule("23.443A.2", "SOP-PA-D.2.a")
def test_damaged_ships_of_a_patrol_that_stays_return_at_once() -> None:
    """23.443A: the sortie in the patrol hex damages a carrier: she returns, and the others stay."""
    field = port("noumea", "blue", (9, 0), "6 united-states naval")
    state = sea(TRUK, field, force("kido", "red", "truk", "Akagi", cruisers=8))
    sail(state, "patrol", "kido", (6, 0), step=6)
    state.operation.voyages["v1"].progress = Progress.ARRIVED
    air = "noumea:united-states:naval:squadrons"
    orders = ("number:kido:1", f"search:{air}:1", "strike:1", f"fly:{air}:3", "target:akagi", f"against:akagi:{air}:3")
    dice = Scripted(("search", 1), ("air defense", 1, 1), ("attack on", 3, 3))
    start = Frame("patrol", "be_challenged", ("v1",))
    sortie = ("stay:v1:stay", "sortie:v1:yes", *orders, "send-home:kido:akagi:1")
    after = steer(play(state, start, dice=dice), *sortie).state
    kido, akagi = after.operation.fleet["kido"], after.operation.fleet["kido-2"]
    assert (kido.patrol, kido.at, kido.inverted) == ("offensive", (6, 0), False)
    assert (akagi.in_port, akagi.at, akagi.inverted) == (True, (0, 0), True)
