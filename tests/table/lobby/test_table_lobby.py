"""Making tables, joining them, links that are replaced and seats that are handed over."""

from __future__ import annotations

import json
import re
from html import unescape
from importlib import resources
from pathlib import Path

import pytest
from fastapi import FastAPI
from httpx2 import Response

from flagplot import library
from flagplot.kernel.briefings import MOODS
from flagplot.table.info import HOTSEAT, PERSON
from flagplot.table.refusals import NoSuchSeat
from flagplot.table.tables import Tables
from tests.table.browsers import Browser, site, value_of, words

FRIENDS = {"scenario": "first-battle", "seat.japan": "me", "seat.allies": "friend"}


@pytest.fixture
def host(app: FastAPI) -> Browser:
    return Browser(app)


@pytest.fixture
def friend(app: FastAPI) -> Browser:
    return Browser(app)


@pytest.fixture
def tables(app: FastAPI) -> Tables:
    found: Tables = app.state.tables
    return found


def game_of(response: Response) -> str:
    found = re.match("/table/(g[a-z2-7]{10})", response.headers["location"])
    assert found, response.headers["location"]
    return found[1]


def with_friend(host: Browser, **more: str) -> tuple[str, str]:
    """A new table, and the link for the other side."""
    made = host.post("/new", {**FRIENDS, **more})
    game = game_of(made)
    assert made.headers["location"].endswith("/seats")
    return game, value_of(host.get(f"/table/{game}/seats"), "link-2")


def joined(browser: Browser, link: str, **more: str) -> Response:
    return browser.post("/join", {"token": link.partition("#")[2], **more})


# --- a new table --------------------------------------------------------------------------------------------------


def test_every_scenario_can_be_chosen(host: Browser) -> None:
    page = host.get("/new")
    for name in library.scenario_names():
        assert f'href="/new/{name}"' in page.text
        shown = host.get(f"/new/{name}")
        assert shown.status_code == 200
        for side in library.described(name)["sides"]:
            assert f'name="side" value="{side["id"]}"' in shown.text


def test_every_battle_is_offered_by_its_mood(host: Browser) -> None:
    for address in ("/", "/new"):
        text = host.get(address).text
        parts = re.split(r'<section class="mood".*?<h3[^>]*>([^<]+)</h3>', text, flags=re.DOTALL)[1:]
        shelves = dict(zip(parts[::2], parts[1::2], strict=True))
        assert list(shelves) == list(MOODS.values())
        for name in library.scenario_names():
            told = library.read_scenario(name)["briefing"]
            assert f'href="/new/{name}"' in shelves[MOODS[told["mood"]]]


def test_one_click_on_the_first_page_plays(host: Browser, tables: Tables) -> None:
    text = host.get("/").text
    form = re.search(r'<form class="go" action="/new" method="post">(.*?)</form>', text, re.DOTALL)
    assert form
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form[1]))
    made = host.client.post("/new", data=fields)
    game = game_of(made)
    assert made.headers["location"] == f"/table/{game}/briefing"
    assert {side: holder.kind for side, holder in tables.table(game).holders.items()} == {
        "japan": PERSON,
        "allies": "doctrine",
    }
    told = words(host.get(made.headers["location"]))
    assert "Orders for Japan Keep the landing afloat." in told
    assert "Hornet" not in told.partition("The enemy, as you know him")[2].partition("What wins")[0]
    first = words(host.get("/"))
    assert "Waiting for you" in first
    assert "You play Japan against the staff" in first


@pytest.mark.parametrize(
    ("chosen", "kinds"),
    [
        ({"side": "allies", "against": "random"}, {"japan": "random", "allies": PERSON}),
        ({"side": "both", "against": "doctrine"}, {"japan": HOTSEAT, "allies": HOTSEAT}),
        ({"side": "none", "against": "doctrine"}, {"japan": "doctrine", "allies": "doctrine"}),
        ({"side": "japan", "against": "friend"}, {"japan": PERSON, "allies": PERSON}),
    ],
)
def test_a_side_and_an_opponent_are_enough(
    host: Browser, tables: Tables, chosen: dict[str, str], kinds: dict[str, str]
) -> None:
    game = game_of(host.post("/new", {"scenario": "first-battle", **chosen}))
    assert {side: holder.kind for side, holder in tables.table(game).holders.items()} == kinds


def test_links_that_lead_nobody_here_say_so_and_how_to_change_it(tmp_path: Path) -> None:
    here, there = "http://127.0.0.1:8350", "http://192.168.1.5:8350"
    for number, (address, reached, wrong) in enumerate(
        [("", here, True), ("", there, False), ("https://table.example", here, False)]
    ):
        app = site(tmp_path / str(number), rate_limits=False, address=address)
        host = Browser(app)
        host.client.base_url = reached
        made = host.post("/new", FRIENDS)
        seats = host.get(made.headers["location"])
        said, _, how = words(seats).partition("How to do it")
        assert ("These links work on this computer only." in said) == wrong
        assert ("This link works on this computer only." in words(seats)) == wrong, "that of spectators"
        assert ("type what stands there for others in your network" in how) == wrong
        assert "serve" not in said + how, "the window where it runs has the command; a page has none"
        assert f'value="{address or reached}/join#' in seats.text
        assert f'value="{address or reached}/watch/' in seats.text
        app.state.tables.close()


def test_a_scenario_that_there_is_not(host: Browser) -> None:
    assert host.get("/new/atlantis").status_code == 404
    assert host.get("/new/..%2f..%2fetc%2fpasswd").status_code == 404
    for name in ("atlantis", "", "/etc/passwd", "../scenarios/midway.toml"):
        refused = host.post("/new", {"scenario": name})
        assert refused.status_code == 422
        assert "there is no such scenario here" in words(refused)


def test_against_the_program_one_sits_down_at_once(host: Browser, tables: Tables) -> None:
    made = host.post("/new", {"scenario": "first-battle", "name": "Nagumo", "title": "Tuesday"})
    game = game_of(made)
    assert made.headers["location"] == f"/table/{game}/briefing"
    table = tables.table(game)
    assert table.title == "Tuesday"
    assert [holder.kind for holder in table.holders.values()] == [PERSON, "doctrine"]
    assert table.holders["japan"].name == "Nagumo"
    seat = tables.seat(host.cookies[f"seat-{game}"])
    assert seat.sides == ("japan",)
    assert tables.seat(host.cookies[f"host-{game}"]).is_host


def test_all_sides_are_mine_at_a_hot_seat(host: Browser, tables: Tables) -> None:
    game = game_of(host.post("/new", {**FRIENDS, "seat.allies": "me"}))
    assert {holder.kind for holder in tables.table(game).holders.values()} == {HOTSEAT}
    assert tables.seat(host.cookies[f"seat-{game}"]).sides == ("japan", "allies")


def test_who_plays_neither_side_is_the_host_and_gets_all_links(host: Browser, tables: Tables) -> None:
    made = host.post("/new", {**FRIENDS, "seat.japan": "friend"})
    game = game_of(made)
    page = host.get(f"/table/{game}/seats")
    links = [value_of(page, "link-1"), value_of(page, "link-2")]
    assert [tables.seat(link.partition("#")[2]).sides for link in links] == [("japan",), ("allies",)]
    assert f"seat-{game}" not in host.cookies
    assert "Watch the table" in words(page)


def test_options_are_those_of_the_form(host: Browser, tables: Tables) -> None:
    made = host.post("/new", {**FRIENDS, "option.critical_hits": "never", "option.classic": "true"})
    header = json.loads(tables.store.lines(game_of(made))[0].text)
    assert header["options"]["critical_hits"] == "never"
    assert header["options"]["classic"] is True


@pytest.mark.parametrize(
    ("extra", "says"),
    [
        ({"option.critical_hits": "always"}, "“always” is not one of on-6, on-5-6, never"),
        ({"against": "nobody"}, "nobody of that kind can hold japan"),
    ],
)
def test_what_cannot_be_chosen_is_refused_and_the_form_keeps_the_rest(
    host: Browser, extra: dict[str, str], says: str
) -> None:
    chosen = {"scenario": "first-battle", "side": "allies", "against": "friend", "name": "Nagumo"}
    refused = host.post("/new", chosen | extra)
    assert refused.status_code == 422
    assert says.casefold() in words(refused).casefold()
    assert value_of(refused, "name") == "Nagumo"
    assert 'value="allies" checked' in refused.text


# --- scenarios of one's own ---------------------------------------------------------------------------------------


def scenario_text(name: str) -> str:
    return (resources.files("flagplot") / "scenarios" / f"{name}.toml").read_text(encoding="utf8")


def upload(browser: Browser, content: bytes, name: str = "mine.toml") -> Response:
    return browser.post("/new/file", files={"file": (name, content, "text/plain")})


@pytest.mark.parametrize("kind", ["toml", "json"])
def test_an_uploaded_scenario_can_be_played(host: Browser, tables: Tables, kind: str) -> None:
    text = scenario_text("midway").replace('title = "Midway, June 1942"', 'title = "My Midway"')
    if kind == "json":
        data = {**library.read_scenario("midway"), "title": "My Midway"}
        text = json.dumps(data)
    checked = upload(host, text.encode(), f"mine.{kind}")
    assert checked.status_code == 200
    assert "My Midway" in words(checked)
    kept = re.search('<textarea name="text" hidden[^>]*>(.*?)</textarea>', checked.text, re.DOTALL)
    assert kept
    made = host.post("/new", {"text": unescape(kept[1]), "seat.japan": "me", "seat.allies": "random"})
    assert tables.table(game_of(made)).title == "My Midway"


def test_pasted_text_is_as_good_as_a_file(host: Browser) -> None:
    assert "You play" in words(host.post("/new/file", {"text": scenario_text("malta")}))


def test_all_faults_of_a_file_are_shown_at_once(host: Browser) -> None:
    text = scenario_text("midway").replace('theatre = "pacific"', 'theatre = "moon"').replace('"Akagi"', '"Akagy"')
    refused = upload(host, (text + "\nfoo = 1\n").encode())
    assert refused.status_code == 422
    told = words(refused)
    for fault in ("theatre : “moon” is not", "Akagy"):
        assert fault in told
    assert re.search(r"Your scenario has \d+ faults", told)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "it is empty"),
        (b"\xff\xfe\x00", "not text in UTF-8"),
        (b"= = =", "this is not TOML"),
        (b'{"game": ', "this is not JSON"),
        (b'{"game": "chess"}', "“chess” is not a game"),
        (b'game = "awaw"\n', "is missing"),
        pytest.param(b'{"a":' + b"[" * 30_000 + b"]" * 30_000 + b"}", "JSON", id="deep"),
        (b'game = "awaw"\nkind = "operation"\nmap = "/etc/passwd"\n', "an operation needs one of the maps"),
        pytest.param(b"x = 9" + b"9" * 9000, "this is not", id="digits"),
    ],
)
def test_a_bad_file_is_refused_with_its_faults(host: Browser, content: bytes, says: str) -> None:
    refused = upload(host, content)
    assert refused.status_code == 422
    assert says in words(refused)
    assert "root:" not in refused.text


def test_names_in_a_scenario_are_shown_as_text(host: Browser) -> None:
    text = scenario_text("first-battle").replace('name = "Japan"', 'name = "<script>alert(1)</script>"')
    checked = upload(host, text.encode())
    assert checked.status_code == 200
    assert "<script>alert" not in checked.text


# --- joining ------------------------------------------------------------------------------------------------------


def test_a_friend_can_change_the_link_when_he_joins(host: Browser, friend: Browser, tables: Tables) -> None:
    game, link = with_friend(host)
    token = link.partition("#")[2]
    joined(friend, link, name="Ann", alone="yes")
    with pytest.raises(NoSuchSeat):
        tables.seat(token)
    own = friend.cookies[f"seat-{game}"]
    assert tables.seat(own).name == "Ann"
    assert friend.get(f"/table/{game}").status_code == 200
    assert token not in host.get(f"/table/{game}/seats").text
    assert own not in host.get(f"/table/{game}/seats").text


def test_a_friend_joins_by_the_link_and_nothing_else(host: Browser, friend: Browser, tables: Tables) -> None:
    game, link = with_friend(host, name="Nagumo")
    assert link.startswith("http://testserver/join#")
    token = link.partition("#")[2]
    invited = friend.post("/join/look", {"token": token})
    assert "You play the United States in A first battle" in words(invited)
    assert "Japan is played by Nagumo" in words(invited)
    assert not tables.table(game).holders["allies"].joined
    made = joined(friend, link, name="  Spruance\n ")
    assert made.headers["location"] == f"/table/{game}/briefing"
    holder = tables.table(game).holders["allies"]
    assert (holder.joined, holder.contributed, holder.name) == (True, False, "Spruance")
    assert friend.cookies[f"seat-{game}"] == token
    seen = words(host.get(f"/table/{game}/seats"))
    assert "Spruance has joined" in seen
    assert "Link for United States" not in seen


def test_a_pasted_link_is_as_good(host: Browser, friend: Browser) -> None:
    game, link = with_friend(host)
    assert friend.post("/join", {"token": f"  {link} "}).headers["location"] == f"/table/{game}/briefing"


@pytest.mark.parametrize("token", ["", "x", "A" * 43, "' or 1=1 --", "é" * 43, "#" * 10, "A" * 5000])
def test_a_link_that_opens_nothing(friend: Browser, token: str) -> None:
    for path in ("/join", "/join/look"):
        refused = friend.post(path, {"token": token})
        assert refused.status_code == 404
        assert "link opens no seat" in words(refused)
        assert token not in refused.text or len(token) < 2
    assert not [name for name in friend.cookies if name.startswith("seat-")]


def test_the_page_of_a_link_tells_nothing_by_itself(friend: Browser) -> None:
    page = friend.get("/join")
    assert page.status_code == 200
    assert 'name="token" value=""' in page.text


def test_who_sits_down_adds_to_the_dice_after_he_has_seen_what_the_server_is_committed_to(
    host: Browser, friend: Browser, tables: Tables
) -> None:
    game, link = with_friend(host)
    joined(friend, link)
    page = friend.get(f"/table/{game}").text
    assert f'data-commitment="{tables.table(game).commitment}"' in page
    assert 'data-contributed="no"' in page
    given = {"contribution": "cd" * 32}
    added = friend.post(f"/table/{game}/contribute", given)
    assert added.status_code == 204
    assert re.fullmatch("[0-9a-f]{64}", receipt := added.headers["Flagplot-Receipt"])
    assert tables.table(game).holders["allies"].contributed
    assert friend.post(f"/table/{game}/contribute", given).headers["Flagplot-Receipt"] == receipt
    refused = friend.post(f"/table/{game}/contribute", {"contribution": "ef" * 32})
    assert refused.status_code == 409
    assert "has added something of its own to the dice already" in words(refused)
    assert friend.post(f"/table/{game}/contribute", {"contribution": "many"}).status_code == 422
    assert 'data-contributed="yes"' in friend.get(f"/table/{game}").text
    assert "was not taken" in friend.post(f"/table/{game}/receipt", {"nonce": "00" * 16}).text


# --- seats --------------------------------------------------------------------------------------------------------


def test_the_page_of_seats_is_for_those_who_sit_there(host: Browser, friend: Browser) -> None:
    game, link = with_friend(host)
    refused = friend.get(f"/table/{game}/seats")
    assert refused.status_code == 403
    assert "open the link that you were given" in words(refused)
    assert friend.get("/table/gaaaaaaaaaa/seats").status_code == 403
    assert friend.get("/table/nonsense/seats").status_code == 404
    for action in ("replace", "leave", "give"):
        assert friend.post(f"/table/{game}/seats/{action}", {"side": "allies", "holder": "person"}).status_code == 403
    joined(friend, link)
    page = friend.get(f"/table/{game}/seats")
    assert page.status_code == 200
    secrets = [host.cookies[f"seat-{game}"], host.cookies[f"host-{game}"]]
    assert not [secret for secret in secrets if secret in page.text]


def test_a_cookie_of_another_table_opens_nothing(host: Browser, friend: Browser) -> None:
    game, link = with_friend(host)
    other, _ = with_friend(friend)
    host.client.cookies.set(f"seat-{other}", host.cookies[f"seat-{game}"])
    assert host.get(f"/table/{other}/seats").status_code == 403
    assert link


def test_a_replaced_link_is_dead_and_who_replaced_it_plays_on(host: Browser, friend: Browser, tables: Tables) -> None:
    game, link = with_friend(host)
    joined(friend, link, name="Spruance")
    old = friend.cookies[f"seat-{game}"]
    assert friend.post(f"/table/{game}/seats/replace", {"side": "allies"}).status_code == 303
    fresh = friend.cookies[f"seat-{game}"]
    assert fresh != old
    assert tables.seat(fresh).sides == ("allies",)
    assert tables.table(game).holders["allies"].name == "Spruance"
    assert value_of(friend.get(f"/table/{game}/seats"), "own-2").endswith(fresh)
    assert joined(host, link).status_code == 404
    assert fresh not in host.get(f"/table/{game}/seats").text


def test_the_host_replaces_a_link_that_went_astray(host: Browser, friend: Browser) -> None:
    game, link = with_friend(host)
    assert host.post(f"/table/{game}/seats/replace", {"side": "allies"}).status_code == 303
    fresh = value_of(host.get(f"/table/{game}/seats"), "link-2")
    assert fresh != link
    assert joined(friend, link).status_code == 404
    assert joined(friend, fresh).status_code == 303


def test_a_seat_is_handed_over(host: Browser, friend: Browser, app: FastAPI, tables: Tables) -> None:
    game, link = with_friend(host)
    joined(friend, link, name="Fletcher")
    left = friend.post(f"/table/{game}/seats/leave", {"side": "allies"})
    assert left.status_code == 200
    fresh = value_of(left, "given-away")
    assert f"seat-{game}" not in friend.cookies
    assert friend.get(f"/table/{game}/seats").status_code == 403
    third = Browser(app)
    assert joined(third, fresh, name="Spruance").status_code == 303
    assert tables.table(game).holders["allies"].name == "Spruance"
    assert host.post(f"/table/{game}/seats/leave", {"side": "allies"}).status_code == 403


def test_the_host_gives_a_seat_to_the_program_and_back(host: Browser, friend: Browser, tables: Tables) -> None:
    game, _ = with_friend(host)
    assert host.post(f"/table/{game}/seats/give", {"side": "allies", "holder": "random"}).status_code == 303
    assert tables.table(game).holders["allies"].kind == "random"
    assert friend.get(f"/table/{game}/seats").status_code == 403
    assert host.post(f"/table/{game}/seats/give", {"side": "allies", "holder": "person"}).status_code == 303
    fresh = value_of(host.get(f"/table/{game}/seats"), "link-2")
    assert joined(friend, fresh).status_code == 303
    assert friend.post(f"/table/{game}/seats/give", {"side": "japan", "holder": "random"}).status_code == 403
    assert host.post(f"/table/{game}/seats/give", {"side": "mars", "holder": "random"}).status_code == 422
    assert host.post(f"/table/{game}/seats/give", {"side": "allies", "holder": "hotseat"}).status_code == 422


# --- my tables ----------------------------------------------------------------------------------------------------


def test_the_tables_of_a_browser(host: Browser, friend: Browser) -> None:
    assert "No tables yet." in words(host.get("/tables"))
    game, link = with_friend(host, title="The first one")
    joined(friend, link)
    other, _ = with_friend(host, title="The second one")
    told = words(host.get("/tables"))
    assert "The first one" in told
    assert "You play Japan" in told
    assert "your turn" in told
    assert "The second one" not in words(friend.get("/tables"))
    assert "waiting for Japan" in words(friend.get("/tables"))
    assert host.post(f"/table/{other}/forget").headers["location"] == "/tables"
    assert "The second one" not in words(host.get("/tables"))
    host.client.cookies.set("seat-gaaaaaaaaaa", "A" * 43)
    host.client.cookies.set("seat-nonsense", "A" * 43)
    told = words(host.get("/tables"))
    assert "1 seat of this browser can no longer be opened" in told
    assert game
