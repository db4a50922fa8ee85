"""What the pages of a table add for a demanding player: air turns, calls, marks in the log, replaced links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from starlette.testclient import TestClient

from flagplot.awaw.board.boards import board_of, steps_in
from flagplot.awaw.board.turn import UNTIL, pool_words
from flagplot.awaw.operations.steps import StepView
from flagplot.awaw.tables.nations import nations
from flagplot.awaw.views.operation import OperationView
from flagplot.awaw.views.position import Position
from flagplot.awaw.views.turn import PlayerTurnView, TurnView
from flagplot.board.model import Steps
from flagplot.draw.board_words import board_in_words
from flagplot.kernel.requests import Choose
from flagplot.kernel.ruleset import NEUTRAL
from flagplot.players import player
from flagplot.table.battle.rendering import Rendered
from flagplot.table.games.logbook import Logbook
from flagplot.table.guard.rates import RATES, kind_of
from flagplot.table.info import Created
from flagplot.table.reader import seated
from flagplot.table.seats.outgoing import Post
from flagplot.table.server.app import create_app
from flagplot.table.settings import Settings
from flagplot.table.store.store import Store
from flagplot.table.tables import Tables
from tests.awaw.looks import position, staged
from tests.table.halls import Hall, Page, answer, options_in, token_of
from tests.table.nonces import fresh_nonce
from tests.table.servers import eventually

TURNS = ("malta-turn", "solomons-turn", "rhine-turn", "kamikaze-turn")


def words(text: str) -> str:
    plain = re.sub(r"<(script|style|title|desc)\b.*?</\1>", " ", text, flags=re.DOTALL)
    return " ".join(unescape(re.sub("<[^>]+>", " ", plain)).split())


def post(client: TestClient, path: str, **data: str) -> Any:
    return client.post(path, data={"form_token": token_of(client.get("/join").text), **data})


def play(hall: Hall, made: Created, answers: int) -> None:
    """Both sides are played sensibly for a while."""
    players = {side: player("doctrine", number) for number, side in enumerate(made.tokens)}
    with hall.tables._playing.using(made.game) as live:
        until = live.game.turn + answers
        while live.game.turn < until and isinstance(request := live.game.pending, Choose):
            option = players[request.side].choose(live.game.view(request.side), request)
            live.game.choose(option, nonce=fresh_nonce())
            live.roll()
        hall.tables._playing.keep(live)


# --- the air turn -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TURNS)
def test_the_board_of_a_turn_tells_all_that_lies_beside_the_map(hall: Hall, name: str) -> None:
    made = hall.make(name)
    for _ in range(6):
        for reader in (*made.tokens, NEUTRAL):
            look = hall.tables.look(made.game, reader)
            seen = look.view
            assert isinstance(seen, Position)
            turn, board = seen.turn, board_of(seen)
            assert turn is not None
            told = "\n".join(board_in_words(board.around or board))
            now = turn.player_turn
            assert f"Player turn {now.number} of {now.of}, {now.season}" in told
            for nation, left in turn.brps.items():
                assert f"{nations()[nation].name}: {left} BRPs" in told
            for unit in turn.units.values():
                assert f"{nations()[unit.nation].adjective} {unit.kind}, {unit.factors} factor" in told
            for base in turn.airbases:
                assert "airbase counter" in told
                assert seen.sites[base].name in told
            for down in turn.inverted:
                assert down.why in told
                assert UNTIL[down.until] in told
            for flight in turn.flights:
                assert f"over {flight.where}" in told
            for air in turn.strategic.values():
                assert all(str(one.count) in told for one in air)
        if hall.tables.table(made.game).finished:
            break
        play(hall, made, 30)


@pytest.mark.parametrize(
    ("key", "count", "told"),
    [
        ("britain/naval", 3, "3 naval air squadrons"),
        ("britain/army", 1, "1 army air factor"),
        ("italy/army/squadrons", 1, "1 army air squadron, which make factors by threes"),
        ("germany/jet", 2, "2 jet factors"),
    ],
)
def test_a_force_pool_is_told_in_words(key: str, count: int, told: str) -> None:
    assert pool_words(key, count) == told


def test_the_phases_of_a_player_turn_stay_in_sight_while_ships_sail() -> None:
    inner = StepView(
        stage="combat", title="Combat stage", mark="sail", name="", rule="22.19", line={"sail": "they sail"}
    )
    outer, line = steps_of(inner)
    assert (outer.title, outer.mark, outer.rule) == ("Player turn of Red", "combat", "18.512")
    assert outer.marked == "movement [combat]"
    assert line.title == "Combat stage"
    assert len(steps_of(inner.but(mark="combat", line={"combat": "now"}))) == 1


def steps_of(step: StepView) -> tuple[Steps, ...]:
    """The lines of steps while Red sails in its combat phase."""
    now = PlayerTurnView(side="red", number=1, of=2, season="summer 1942")
    turn = staged(TurnView, stage="combat", stages=("movement", "combat"), step=None, player_turn=now)
    return tuple(steps_in(position(kind="air-turn", turn=turn, operation=staged(OperationView, step=step))))


def test_the_owner_asks_what_a_base_may_do_and_nobody_else(hall: Hall) -> None:
    made = hall.make("malta-turn")
    axis, allies = hall.browser(made, "axis"), hall.browser(made, "allies")
    page = axis.get(f"/table/{made.game}").text
    asked = re.findall(rf'href="/table/{made.game}/unit/([\w-]+)"', page)
    assert "augusta" in asked
    assert "malta" not in asked
    whole, card = (
        axis.get(f"/table/{made.game}/unit/augusta"),
        axis.get(f"/table/{made.game}/unit/augusta", headers={"HX-Request": "true"}),
    )
    for response in (whole, card):
        assert response.status_code == 200
        assert "German army air factors" in words(response.text)
        assert "May not" in words(response.text)
        assert 'data-rule="18.' in response.text
    assert "<html" in whole.text
    assert "<html" not in card.text
    assert "German" not in words(allies.get(f"/table/{made.game}/unit/augusta").text)
    assert axis.get(f"/table/{made.game}/unit/nowhere").status_code == 404
    assert hall.stranger().get(f"/table/{made.game}/unit/augusta").status_code == 403
    public = hall.tables.table(made.game).public_id
    assert "/unit/" not in hall.stranger().get(f"/watch/{public}").text


def test_only_an_air_turn_is_asked_what_units_may_do(hall: Hall) -> None:
    made = hall.make("surigao-strait")
    assert hall.browser(made, "japan").get(f"/table/{made.game}/unit/brunei").status_code == 404


def test_the_map_is_sent_again_only_when_something_moved(hall: Hall) -> None:
    made = hall.make("malta-turn")
    client, look = hall.browser(made, "axis"), Page(hall, made, "axis").look
    assert 'hx-target="#part-map"' in look()
    shown = client.get(f"/table/{made.game}").text
    answer(client, made, shown, options_in(shown)[-1])
    later = look()
    assert 'hx-target="#part-question"' in later
    assert 'hx-target="#part-map"' not in later


# --- calls ------------------------------------------------------------------------------------------------------


class Receiver(BaseHTTPRequestHandler):
    came: list[bytes]

    def do_POST(self) -> None:
        self.came.append(self.rfile.read(int(self.headers["content-length"])))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def hook() -> Iterator[tuple[str, list[bytes]]]:
    came: list[bytes] = []
    server = HTTPServer(("127.0.0.1", 0), type("Here", (Receiver,), {"came": came}))
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/hook", came
    server.shutdown()
    server.server_close()


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Hall]:
    """A server that may call addresses of its own network, and has a mail server."""
    made = Hall(tmp_path)
    made.tables.close()
    post_ = Post(smtp="smtp://127.0.0.1:9?from=table@example.org", private=True)
    made.tables = Tables(Store(f"sqlite:///{tmp_path / 'office.db'}"), post=post_)
    made.app = create_app(made.tables, Settings(rate_limits=False, log_requests=False))
    yield made
    made.tables.close()


def test_a_seat_sets_tests_and_removes_its_webhook(office: Hall, hook: tuple[str, list[bytes]]) -> None:
    made, (address, came) = office.make(), hook
    path = f"/table/{made.game}/seats"
    japan = office.browser(made, "japan")
    assert "Notify me" in japan.get(path).text
    assert post(japan, f"{path}/call", side="japan", webhook=address, do="test").status_code == 303
    eventually(lambda: "on its way" not in japan.get(f"{path}/call/1").text)
    assert len(came) == 1
    assert b"Japan" in came[0]
    page = japan.get(path).text
    assert address in page
    assert "webhook: it arrived" in page
    assert address not in office.browser(made, "allies").get(path).text
    assert post(japan, f"{path}/call", side="japan", webhook=address, do="keep").status_code == 303
    assert "it arrived" in japan.get(path).text  # what is kept already is not taken for new
    assert post(japan, f"{path}/call", side="japan", webhook=address, do="remove").status_code == 303
    assert address not in japan.get(path).text
    assert office.tables.calls.messenger(made.game, "japan").webhook == ""


def test_an_address_that_cannot_be_called_is_refused_with_what_was_typed(office: Hall) -> None:
    made = office.make()
    japan = office.browser(made, "japan")
    back = post(japan, f"/table/{made.game}/seats/call", side="japan", webhook="ftp://<b>", email="me@example.org")
    assert back.status_code == 422
    assert "not the address of a webhook" in words(back.text)
    assert 'value="ftp://&lt;b&gt;"' in back.text
    assert 'value="me@example.org"' in back.text
    assert office.tables.calls.messenger(made.game, "japan").email == ""
    nothing = post(japan, f"/table/{made.game}/seats/call", side="japan", do="test")
    assert nothing.status_code == 422
    assert "No webhook" in words(nothing.text)


def test_only_who_holds_a_seat_says_how_it_is_called(office: Hall) -> None:
    made = office.make()
    allies, host = office.browser(made, "allies"), office.stranger()
    host.cookies.set(f"host-{made.game}", made.host_token)
    for client in (allies, host):
        assert post(client, f"/table/{made.game}/seats/call", side="japan", webhook="").status_code == 403
    assert "Call me" not in host.get(f"/table/{made.game}/seats").text
    bare = office.browser(made, "japan").post(f"/table/{made.game}/seats/call", data={"side": "japan"})
    assert bare.status_code == 403  # without the token of the form


def test_mail_is_offered_where_the_server_can_send_it(office: Hall, hall: Hall) -> None:
    for place, offered in ((office, True), (hall, False)):
        made = place.make()
        page = place.browser(made, "japan").get(f"/table/{made.game}/seats").text
        assert ('type="email"' in page) == offered


def test_calls_are_counted_for_themselves() -> None:
    assert kind_of("POST", "/table/gaaaaaaaaaa/seats/call") == "call"
    assert kind_of("POST", "/api/tables/gaaaaaaaaaa/sides/japan/calls/test") == "call"
    assert kind_of("PUT", "/api/tables/gaaaaaaaaaa/sides/japan/calls") == "call"
    assert RATES["call"].a_minute < RATES["post"].a_minute


# --- the log ----------------------------------------------------------------------------------------------------


def test_answers_of_standing_orders_are_marked_for_their_own_side_alone(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flagplot.table.playing.staff.delay", lambda live: 0.0)
    made = hall.make("surigao-strait")
    look = hall.tables.look(made.game, "japan")
    assert look.pending
    verb = look.pending.options[0].text.partition(":")[0]
    hall.tables.set_orders(made.game, "japan", f'[[order]]\nwhen = "{verb}"\nanswer = "first"\n')
    hall.tables._playing._workers.shutdown(wait=True)
    own = hall.tables.look(made.game, "japan").log
    assert any(entry.mark == "orders" for entry in own)
    assert all(not entry.mark for entry in hall.tables.look(made.game, "allies").log)
    assert "Staff</span>" in hall.browser(made, "japan").get(f"/table/{made.game}/log").text
    assert "Staff</span>" not in hall.browser(made, "allies").get(f"/table/{made.game}/log").text
    again = hall.tables.replay(made.game, "japan", 1)
    assert [entry for entry in again.log if entry.mark]


def test_what_was_forced_is_shown_to_its_own_side(hall: Hall) -> None:
    made = hall.make("kamikaze-turn")
    marks: dict[str, int] = {}
    for _ in range(12):
        play(hall, made, 10)
        for side in made.tokens:
            log = hall.tables.look(made.game, side).log
            assert all(entry.side == side for entry in log if entry.mark)
            marks[side] = sum(entry.mark == "forced" for entry in log)
        if hall.tables.table(made.game).finished:
            break
    assert marks["allies"] > 0
    page = hall.browser(made, "allies").get(f"/table/{made.game}/log").text
    assert page.count(">forced</span>") == marks["allies"]


def test_a_log_that_is_read_on_is_the_same_as_one_read_at_once(hall: Hall) -> None:
    made = hall.make("surigao-strait")
    taken_back = 0
    for number in range(12):
        play(hall, made, 3)
        taken_back += number % 3 == 2 and _taken_back(hall, made)
        with hall.tables._playing.using(made.game) as live:
            for reader in (*made.tokens, NEUTRAL):
                fresh = Logbook().read(live.game, live.game.tape().texts, reader)
                assert live.log(reader) == fresh
                plain = [entry for entry in fresh if entry.mark != "forced"]
                assert [entry._replace(mark="") for entry in plain] == live.game.log(reader)
    assert taken_back


def _taken_back(hall: Hall, made: Created) -> bool:
    """Somebody takes his last decision back, with the consent of the other side; whether anybody could."""
    for side in made.tokens:
        if hall.tables.look(made.game, side).may_propose:
            hall.tables.propose_undo(made.game, side, fresh_nonce())
            hall.tables.consent(made.game, next(other for other in made.tokens if other != side), True, fresh_nonce())
            return True
    return False


# --- links ------------------------------------------------------------------------------------------------------


def test_who_lost_his_seat_is_told_why(hall: Hall) -> None:
    made = hall.make()
    allies = hall.browser(made, "allies")
    assert allies.get(f"/table/{made.game}").status_code == 200
    hall.tables.handovers.replace_link(made.host_token, "allies")
    for path in ("", "/stream"):
        back = allies.get(f"/table/{made.game}{path}")
        assert back.status_code == 403
        assert "was replaced" in back.text
    assert "has no seat" in hall.stranger().get(f"/table/{made.game}").text
    gone = allies.get("/tables")
    assert "can no longer be opened" in gone.text
    assert any(f'seat-{made.game}=""; ' in cookie for cookie in gone.headers.get_list("set-cookie"))  # it is told once


def test_the_other_side_learns_that_a_link_was_replaced(hall: Hall) -> None:
    made = hall.make()
    japan = hall.browser(made, "japan")
    assert "new link" not in japan.get(f"/table/{made.game}").text
    look = Page(hall, made, "japan").look
    look()
    hall.tables.join(made.tokens["allies"], name="Frieda")
    assert "against Frieda" in words(look())
    hall.now += 60
    hall.tables.handovers.replace_link(made.host_token, "allies")
    assert "the host asks to give it to another player" in words(look())
    hall.tables.handovers.settle(made.tokens["allies"], "allies", yes=True)
    hall.tables.handovers.replace_link(made.host_token, "allies")
    assert "new link since" in words(look())
    assert "new link since" in words(japan.get(f"/table/{made.game}").text)
    assert "Frieda" not in japan.get(f"/table/{made.game}").text
    hall.tables.handovers.hand_over(made.host_token, "allies", "doctrine")
    assert "against the staff" in words(japan.get(f"/table/{made.game}").text)


def test_what_came_too_late_is_told_without_numbers(hall: Hall) -> None:
    made = hall.make()
    japan = hall.browser(made, "japan")
    page = japan.get(f"/table/{made.game}").text
    answer(japan, made, page, options_in(page)[0])
    late = words(answer(japan, made, page, options_in(page)[0]).text)
    assert late.endswith("the table shows what is asked now")


def test_a_page_is_no_slower_at_the_end_of_a_long_game(hall: Hall) -> None:
    """A page holds some lines of the log, however long it is."""
    made = hall.make("malta-turn")
    client = hall.browser(made, "axis")
    request = hall.request(client, f"/table/{made.game}")
    sizes = []
    for _ in range(3):
        play(hall, made, 60)
        place = seated(request, made.game, "axis")
        parts = Rendered.of(place, hall.tables.look(made.game, "axis")).parts
        sizes.append(len(re.findall('class="entry', parts["since"] + parts["news"])))
    assert len(hall.tables.look(made.game, "axis").log) > 150
    assert max(sizes) <= 40
