"""The odds of whole battles: played elsewhere, counted in order, shown as they come, from what a reader knows alone."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from unittest.mock import Mock

import pytest

from flagplot import library
from flagplot.kernel.errors import BadValue
from flagplot.players import is_our_own, player
from flagplot.simulation.battles import Plan, fight, opening_of
from flagplot.simulation.what_if import without
from flagplot.table.build.packed import LONGEST, pack, unpack
from flagplot.table.desk.forecast_pages import levels, names_of
from flagplot.table.desk.forecast_words import told
from flagplot.table.workers import forecast_work
from flagplot.table.workers import forecasts as module
from flagplot.table.workers.calculator import Busy, TooLong
from flagplot.table.workers.forecast_work import SEED, Battle, Played, battles_played
from flagplot.table.workers.forecasts import Forecast, Forecasts
from tests.table.browsers import words
from tests.table.halls import Hall
from tests.table.servers import eventually

NAME = "savo-island"
SIDES = {"japan": "doctrine", "allies": "doctrine"}


def battle(name: str = NAME) -> Battle:
    return Battle(library.read_scenario(name), SIDES)


@pytest.fixture(autouse=True)
def no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, all battles of a chunk are played."""
    monkeypatch.setattr(forecast_work, "CHUNK", 60.0)


@pytest.fixture
def hall(hall: Hall) -> Iterator[Hall]:
    yield hall
    hall.app.state.forecasts.close()


@pytest.fixture
def forecasts(monkeypatch: pytest.MonkeyPatch) -> Iterator[Forecasts]:
    """The battles are played here, four at a time, until 12 are played."""
    made = Forecasts(1, 1)
    made.calculator = Mock(number=1, run=Mock(side_effect=_played_here))
    monkeypatch.setattr(module, "MOST", 12)
    yield made
    made.close()


def _played_here(work: Callable[[bytes, list[int]], Played], pickled: bytes, numbers: list[int]) -> Played:
    return work(pickled, numbers[:4])


def test_battles_are_those_of_a_simulation_with_the_same_seed() -> None:
    played = battles_played(pickle.dumps(battle()), [3, 1])
    plan = Plan(library.read_scenario(NAME), SIDES, SEED)
    assert played.battles == [(fight(plan, opening_of(plan), number), None) for number in (3, 1)]


def test_players_who_think_for_minutes_are_not_offered_and_a_commodore_thinks_briefly() -> None:
    assert "commodore" in levels()
    assert "fleet" not in levels()
    assert all([is_our_own(name) and player(name, 0) for name in forecast_work.BRIEFLY.values()])


def test_figures_do_not_hang_on_the_order_in_which_battles_are_played() -> None:
    played = battles_played(pickle.dumps(battle()), range(1, 7)).battles
    straight, turned = Forecast(tuple(SIDES), b""), Forecast(tuple(SIDES), b"")
    straight.add([*range(1, 7)], Played(played, 0.1), 0.1)
    for pair in (played[4], played[1], played[5], played[0]):
        turned.add([pair[0].number], Played([pair], 0.1), 0.1)
    assert turned.battles == 2, "the third is still being played"
    for pair in (played[3], played[2]):
        turned.add([pair[0].number], Played([pair], 0.1), 0.1)
    assert turned.tally == straight.tally
    assert turned.estimates() == straight.estimates()


def test_battles_that_were_not_played_are_given_out_again() -> None:
    forecast = Forecast(tuple(SIDES), b"")
    first = forecast.reserve()
    forecast.add(first, Played([], 0.0), 0.1)
    assert forecast.reserve() == first
    forecast.give_back(first)
    assert forecast.reserve() == first


def test_a_forecast_is_worked_on_while_somebody_looks_and_kept(forecasts: Forecasts) -> None:
    found = forecasts.of(battle(), "me")
    assert found.battles == 0, "nobody looks yet"
    forecasts.look(found, "me")
    eventually(lambda: found.done)
    assert found.battles == 12
    assert forecasts.of(battle(), "you") is found
    assert forecasts.of(Battle(battle().scenario, SIDES | {"japan": "random"}), "you") is not found
    shown = told(found, names_of(battle().scenario))
    assert "12 battles" in shown.state
    assert sum([one.share for one in shown.winners]) == pytest.approx(100)


def test_whoever_asks_something_else_looks_no_longer(forecasts: Forecasts) -> None:
    found = forecasts.of(battle(), "me")
    found.lookers["me"] = found.lookers["you"] = 1.0
    forecasts.of(battle("force-z"), "me")
    assert [*found.lookers] == ["you"]


def test_what_goes_wrong_is_told(forecasts: Forecasts) -> None:
    forecasts.calculator.run.side_effect = [Busy("later"), TooLong("too long")]  # type: ignore[attr-defined]
    found = forecasts.of(battle(), "me")
    forecasts.look(found, "me")
    eventually(lambda: found.problem)
    assert "longer than the odds desk has" in found.problem


def test_too_many_forecasts_at_a_time_are_refused(forecasts: Forecasts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ACTIVE", 1)
    monkeypatch.setattr(Forecast, "is_active", lambda self, now: True)
    forecasts.of(battle(), "me")
    with pytest.raises(Busy, match="many battles"):
        forecasts.of(battle("force-z"), "you")


def test_the_page_of_a_scenario_shows_the_figures_so_far(hall: Hall, forecasts: Forecasts) -> None:
    hall.app.state.forecasts = forecasts
    assert hall.stranger().get("/odds/battle").headers["location"] == "/odds/battle?from=first-battle"
    first = words(hall.stranger().get(f"/odds/battle?from={NAME}"))
    assert "Who wins? Savo Island" in first
    found = next(iter(forecasts._known.values()))
    eventually(lambda: found.done)
    page = hall.stranger().get(f"/odds/battle?from={NAME}&stop=yes")
    assert "12 battles played" in words(page)
    assert "rounds on average" in words(page)
    assert hall.stranger().get(f"/odds/battle.json?from={NAME}").json()["battles"] == 12
    stream = hall.stranger().get(f"/odds/battle/stream?from={NAME}").text
    assert "12 battles played" in stream
    assert stream.rstrip().endswith("data: done"), "the page is told that nothing more comes"


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("?from=no-such", 404),
        (f"?from={NAME}&level.japan=exec:ls", 422),
        (f"?from={NAME}&level.japan=fleet", 422),
        (f"?from={NAME}&more=9", 422),
    ],
)
def test_addresses_that_mean_nothing_are_refused(hall: Hall, address: str, status: int) -> None:
    assert hall.stranger().get(f"/odds/battle{address}").status_code == status


def test_a_side_sees_the_odds_of_its_game_from_what_it_knows(hall: Hall, forecasts: Forecasts) -> None:
    hall.app.state.forecasts = forecasts
    made = hall.make("first-battle")
    seat = hall.browser(made, "japan")
    page = seat.get(f"/table/{made.game}/forecast")
    assert "from what you know" in words(page)
    found = next(iter(forecasts._known.values()))
    known = pickle.loads(found.battle)
    assert known.side == "japan"
    assert not known.scenario
    assert hall.stranger().get(f"/table/{made.game}/forecast").status_code == 403


def test_a_side_asks_what_would_be_without_a_ship_of_its_game(hall: Hall, forecasts: Forecasts) -> None:
    hall.app.state.forecasts = forecasts
    made = hall.make("first-battle")
    seat = hall.browser(made, "japan")
    address = f"/table/{made.game}/forecast"
    page = seat.get(address)
    assert "<option>Hiryu</option>" in page.text
    assert "<option>Hornet</option>" not in page.text, "nobody has seen her yet"
    assert seat.get(f"{address}?without=Hornet").status_code == 422
    assert "Change a force" not in page.text
    first = seat.get(f"{address}?without=Hiryu")
    assert "<option selected>Hiryu</option>" in first.text
    found = [*forecasts._known.values()][-1]
    eventually(lambda: found.done)
    assert found.change.battles == 12
    assert "Japan wins" in words(seat.get(f"{address}?without=Hiryu&stop=yes"))
    assert "±" in words(seat.get(f"{address}?without=Hiryu&stop=yes"))
    lost = found.before.estimates()["won japan"].mean - found.shares()["japan"].mean
    assert lost > 0, "Japan wins less often without her carrier"


def test_a_ship_is_taken_out_with_the_squadrons_that_have_no_deck_left() -> None:
    state = library.load("first-battle", seed=1).state
    group = next(one for one in state.battle.groups.values() if any(ship.name == "Hiryu" for ship in one.ships))
    changed = without(state, "Hiryu")
    assert changed is not None
    other = next(one for one in changed.battle.groups.values() if one.name == group.name)
    assert sum(group.air.values()) == 3
    assert not other.air
    assert len(other.ships) == len(group.ships) - 1
    assert without(state, "Yamato") is None
    assert without("another game", "Hiryu") is None


def test_a_text_in_an_address_comes_back_and_no_more_is_unpacked_than_it_may_have() -> None:
    text = "Japan TF1: Akagi, Kaga\nUS: Enterprise\n"
    assert unpack(pack(text)) == text
    for bad in ("", "!!", pack(text)[:-3], "A" * 9000, pack("a" * (LONGEST + 1))):
        with pytest.raises(BadValue):
            unpack(bad)
