"""The odds desk: questions by address, answers as `flagplot odds` gives them, and no question that does harm."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from fractions import Fraction
from html import unescape
from urllib.parse import parse_qsl, quote, unquote_plus

import pytest
from fastapi import FastAPI
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.main import get_command

import flagplot
from flagplot.cli.app import app as command_line
from flagplot.kernel.errors import BadValue
from flagplot.odds.answers.air_combat import TRANSPORTS
from flagplot.odds.answers.port_attack import WIPED_OFF
from flagplot.odds.answers.search import NO_ENEMY_DICE
from flagplot.odds.questions.forms import FORMS
from flagplot.register import find
from flagplot.table.desk.cases import neighbours, swapped
from flagplot.table.desk.pages import place_of
from flagplot.table.desk.question import example, read
from flagplot.table.pages import with_rules
from flagplot.table.workers import calculator
from flagplot.table.workers.calculator import Busy, Calculator, TooLong
from tests.table.browsers import Browser, value_of, words
from tests.table.servers import eventually

MIDWAY = "/odds/strike?attackers=6+japan+elite&target=Enterprise%2C+Wasp%2C+8+cruisers&cap=2"


@pytest.fixture
def browser(app: FastAPI) -> Browser:
    return Browser(app)


def test_a_stranger_sees_an_answer_at_once(browser: Browser) -> None:
    page = browser.get("/odds")
    assert page.status_code == 200
    assert "A strike of 12 Japanese elite squadrons on Enterprise" in words(page)
    assert "✓ exact" in words(page)
    assert value_of(page, "word-cap") == "4"


@pytest.mark.parametrize("kind", FORMS)
def test_every_kind_has_a_form_with_all_its_words_and_examples_that_are_answered(browser: Browser, kind: str) -> None:
    page = browser.get(f"/odds/{kind}")
    assert page.status_code == 200
    for word in FORMS[kind].words:
        assert (f'name="{word.name}"' in page.text) == word.at_desk
        assert (f'id="fault-{word.name}"' in page.text) == word.at_desk
    for place in range(len(FORMS[kind].examples)):
        shown = browser.get(example(FORMS[kind], place).address)
        assert "Exact" in words(shown)
        assert "No answer yet" not in words(shown)


def test_the_desk_and_the_command_line_have_the_same_kinds_and_words() -> None:
    odds = get_command(command_line).commands["odds"]  # type: ignore[attr-defined]
    assert set(FORMS) == set(odds.commands) - {"position"}
    for form in FORMS.values():
        assert any(word.needed for word in form.words)
        assert all(form.word(name) for one in form.examples for name in one)


def test_the_numbers_are_those_of_the_engine(browser: Browser) -> None:
    answer = flagplot.odds("strike", attackers="6 japan elite", target="Enterprise, Wasp, 8 cruisers", cap="2")
    document = browser.get(MIDWAY.replace("strike?", "strike.json?")).json()
    assert document == answer.as_dict()
    told = words(browser.get(MIDWAY))
    for part in answer.parts:
        assert part.title in told
    hits = answer.parts[0].chances
    assert str(hits[3]) in told
    assert f"{float(hits[3]) * 100:.2f}%" in told
    assert sum(hits.chances.values()) == Fraction(1)


def test_the_ledger_is_there_and_its_rules_open_our_summary(browser: Browser) -> None:
    page = browser.get(MIDWAY)
    assert "naval air attacking ships at sea" in words(page)
    assert '<a class="rule" href="/rules/17.354" data-rule="17.354">17.354</a>' in page.text
    assert "17.354" in words(browser.get("/rules/17.354/card"))


def test_ledgers_that_say_the_same_are_told_once(browser: Browser) -> None:
    page = browser.get(MIDWAY)
    assert "Japan: attack on Enterprise and Wasp" in words(page)
    assert page.text.count("<td>naval air attacking ships at sea</td>") == 1


def test_a_question_is_its_address_and_can_be_mailed(browser: Browser) -> None:
    page = browser.get(MIDWAY)
    assert value_of(page, "share-link") == f"http://testserver{MIDWAY}"
    assert "flagplot odds" not in words(page)
    mail = re.search('<pre id="share-text"[^>]*>(.*?)</pre>', page.text, re.DOTALL)
    assert mail
    answer = flagplot.odds("strike", attackers="6 japan elite", target="Enterprise, Wasp, 8 cruisers", cap="2")
    assert unescape(mail[1]) == f"{answer}\n\nhttp://testserver{MIDWAY}\n"


def test_while_somebody_types_the_answer_alone_comes_and_brings_the_address(browser: Browser) -> None:
    part = browser.get(
        "/odds/fire/answer?ships=Bismarck&target=Hood&hits=&nation=&factors=&codebreaking=", **{"HX-Request": "true"}
    )
    assert part.headers["HX-Replace-Url"] == "/odds/fire?ships=Bismarck&target=Hood"
    assert "<html" not in part.text
    assert "Fire by Bismarck on Hood" in words(part)
    assert part.text.count('hx-swap-oob="true"') == sum(word.at_desk for word in FORMS["fire"].words)


@pytest.mark.parametrize(
    ("address", "field", "says"),
    [
        ("/odds/strike?attackers=6+japan+elitt&target=Wasp,+4+cruisers", "attackers", "No such arm"),
        ("/odds/strike?attackers=6+japan+elite&target=Hoodd", "target", "“Hoodd”"),
        ("/odds/strike?attackers=6+japan+elite&target=Wasp,+4+cruisers&cap=99", "cap", "99"),
        ("/odds/strike?attackers=6+japan+elite&target=Wasp,+4+cruisers&surprise=x", "surprise", "surprise level"),
        ("/odds/fire?target=Hood&factors=0&nation=germany", "factors", "from 1 to 200"),
        ("/odds/fire?target=Hood&ships=Bismarck&codebreaking=nobody", "codebreaking", "us or them"),
        ("/odds/search?groups=1,9", "groups", "from 1 to 6"),
        ("/odds/interception?distance=far&theatre=pacific", "distance", "whole number"),
        ("/odds/interception?distance=2&theatre=moon", "theatre", "No such theatre"),
        ("/odds/engagement?ours=Kongo&theirs=Kongo", "ours", "one side only"),
        ("/odds/submarine?submarines=2&nation=narnia&target=Hood", "nation", "No such country"),
        ("/odds/air-combat?attackers=2+japan+elite&defenders=1+american+naval&options=magic=true", "options", "magic"),
        (f"/odds/fire?ships=Bismarck&target={'x' * 500}", "target", "too long"),
    ],
)
def test_bad_input_gets_a_readable_message_next_to_the_field(
    browser: Browser, address: str, field: str, says: str
) -> None:
    page = browser.get(address)
    assert page.status_code == 200
    found = re.search(f'id="fault-{field}">([^<]*)<', page.text)
    assert found
    assert says in unescape(found[1])
    assert "No answer yet" in words(page)
    others = re.findall(r'id="fault-(\w+)">[^<]', page.text)
    assert others == [field]
    document = browser.get(address.replace("?", ".json?"))
    assert document.status_code == 422
    assert list(document.json()["faults"]) == [field]


def test_every_field_that_cannot_be_read_has_its_message(browser: Browser) -> None:
    page = browser.get("/odds/strike?attackers=6+japan+elitt&target=Hoodd&surprise=x")
    faults = re.findall(r'id="fault-(\w+)">([^<]+)<', page.text)
    assert [name for name, _ in faults] == ["attackers", "target", "surprise"]
    assert "No such arm" in faults[0][1]
    document = browser.get("/odds/strike.json?attackers=6+japan+elitt&target=Hoodd&surprise=x")
    assert (document.status_code, document.json()["faults"]) == (422, {name: unescape(text) for name, text in faults})


def test_forces_are_counters_whose_numbers_change_the_question(browser: Browser) -> None:
    page = browser.get(MIDWAY)
    assert 'name="n.attackers.0" id="n.attackers.0" value="6"' in page.text
    assert 'name="hit.target.0"' in page.text, "a named ship has its hits"
    assert 'name="n.target.2" id="n.target.2" value="8" min="0" max="99" step="2"' in page.text, "cruisers by twos"
    was = {"was.attackers": "6 japan elite", "was.target": "Enterprise, Wasp, 8 cruisers", "was.hits": ""}
    form = {"attackers": "6 japan elite", "target": "Enterprise, Wasp, 8 cruisers", "hits": "", **was}

    def question(**changed: str) -> str:
        pairs = {**form, **{name.replace("__", "."): value for name, value in changed.items()}}
        asked = read(FORMS["strike"], [*pairs.items()], whole=True)
        return "; ".join([asked.value(word) for word in asked.form.words if asked.has(word)])

    assert question() == "6 japan elite; Enterprise, Wasp, 8 cruisers"
    assert question(n__attackers__0="9", n__target__2="0") == "9 japan elite; Enterprise, Wasp"
    assert question(hit__target__0="1", hit__target__1="0").endswith("Wasp, 8 cruisers; Enterprise 1")
    assert question(drop="target.1", hit__target__1="1") == "6 japan elite; Enterprise, 8 cruisers"
    assert question(add="target", new__target="Hornet, 2 destroyers").endswith("8 cruisers, Hornet, 2 destroyers")
    assert question(new__attackers="2 japan army") == "6 japan elite, 2 japan army; Enterprise, Wasp, 8 cruisers"
    assert question(attackers="3 japan army", n__attackers__0="9").startswith("3 japan army"), "typed words count"
    assert question(n__attackers__0="x", n__attackers__7="3", drop="nobody.9") == question()


def test_a_form_with_counters_leads_to_the_address_of_its_question(browser: Browser) -> None:
    page = browser.get(
        "/odds/fire?ships=Bismarck&target=Hood&was.ships=Bismarck&was.target=Hood&hit.target.0=1&was.hits="
    )
    assert (page.status_code, page.headers["location"]) == (303, "/odds/fire?ships=Bismarck&target=Hood&hits=Hood+1")
    part = browser.get(
        "/odds/fire/answer?ships=Bismarck&target=Hood&was.ships=Bismarck&was.target=Hood&hit.target.0=1&was.hits=",
        **{"HX-Request": "true"},
    )
    assert '<hx-partial hx-target="#tray-target"' in part.text
    assert '<hx-partial hx-target="#word-hits"' in part.text, "the field of the text follows the counter"
    assert '<hx-partial hx-target="#word-target"' not in part.text, "what nobody changed stays as it is typed"


def test_an_entry_that_cannot_be_read_lies_beside_the_others_with_its_fault(browser: Browser) -> None:
    page = browser.get("/odds/strike?attackers=6+japan+elite&target=Enterprise,+Hoodd,+3+cruiserz")
    pieces = re.findall(r'<li class="piece( unread)?">', page.text)
    assert pieces == ["", "", " unread", " unread"]
    fault = re.search('id="fault-target">([^<]*)<', page.text)
    assert fault
    assert "Hoodd" in fault[1]
    assert "3 cruiserz" in fault[1], "all faults of a field are told at once"


def test_what_is_still_needed_is_said_and_is_no_fault(browser: Browser) -> None:
    page = browser.get("/odds/strike?clear=")
    assert "Required: Attackers , Target" in words(page)
    assert 'class="fault" id="fault-attackers"><' in page.text
    assert value_of(page, "word-cap") == ""


def test_an_unknown_word_in_an_address_is_told(browser: Browser) -> None:
    for extra in ("colour=red", "seconds=9999", "states=1000000"):
        page = browser.get(f"{MIDWAY}&{extra}")
        assert f"There is no “{extra.split('=')[0]}” in this question" in words(page)
        assert "✓ exact" in words(page)


def test_addresses_that_there_are_not(browser: Browser) -> None:
    assert browser.get("/odds/roulette").status_code == 404
    assert "there are strike, fire" in words(browser.get("/odds/roulette"))
    assert browser.get("/?attackers=x").headers["location"] == "/odds/strike?attackers=x"


def test_what_is_typed_is_shown_as_text(browser: Browser) -> None:
    nasty = '"><script>alert(1)</script>'
    page = browser.get(f"/odds/strike?attackers={quote(nasty)}&target={quote('Wasp <b>, 4 cruisers')}&{quote(nasty)}=1")
    assert page.status_code == 200
    assert "<script>alert" not in page.text
    assert "Wasp <b>" not in page.text


@settings(max_examples=60)
@given(kind=st.sampled_from(sorted(FORMS)), data=st.data())
def test_no_question_is_a_fault_of_the_program(app: FastAPI, kind: str, data: st.DataObject) -> None:
    names = [word.name for word in FORMS[kind].words] + ["other"]
    usual = st.sampled_from(
        ["Hood", "6 japan elite", "1,2", "3", "germany", "", "yes", "none", "us", "europe", "hood 1", "-1", "9" * 12]
    )
    said = data.draw(st.dictionaries(st.sampled_from(names), usual | st.text(max_size=30), max_size=8))
    browser = Browser(app)
    page = browser.client.get(f"/odds/{kind}/answer", params=said)
    assert page.status_code == 200
    assert page.headers["HX-Replace-Url"].isascii()
    assert app.state.meters.faults._value.get() == 0


def test_what_fields_complete(browser: Browser) -> None:
    known = browser.get("/odds/words.json").json()
    assert "Bismarck" in known["ships"]
    assert "germany" in known["countries"]
    assert "elite" in known["arms"]
    assert "critical_hits=never" in known["readings"]


def test_a_refusal_without_words_of_a_field_belongs_to_none() -> None:
    asked = read(FORMS["strike"], [("attackers", "6 japan elite"), ("target", "Wasp")])
    assert place_of(asked, BadValue("a country cannot fight on both sides", given="Japan")) == "attackers"
    assert place_of(asked, BadValue("something else", given="nothing of this")) == ""


def test_charts_need_no_inline_style(browser: Browser) -> None:
    page = browser.get(MIDWAY)
    assert page.text.count("<svg") > 5
    assert "<style" not in page.text
    assert " style=" not in page.text
    assert not re.search(r"<script(?![^>]* src=)", page.text)
    assert not re.search(r"\son\w+=", page.text)


def test_every_chart_has_a_title_and_its_words(browser: Browser) -> None:
    page = browser.get(MIDWAY)
    for svg in re.findall(r'<svg[^>]*role="img".*?</svg>', page.text, re.DOTALL):
        title, about = re.search('aria-labelledby="([^"]+)"', svg), re.search('aria-describedby="([^"]+)"', svg)
        assert title
        assert about
        assert f'<title id="{title[1]}">' in svg
        assert f'<desc id="{about[1]}">' in svg


# --- the processes that answer ------------------------------------------------------------------------------------


def test_a_question_that_takes_too_long_is_ended_and_the_next_one_answered() -> None:
    made = Calculator(workers=1, seconds=1)
    large = {"submarines": "99", "nation": "germany", "target": "Ark Royal, Hood, Nelson, 98 cruisers, 99 destroyers"}
    try:
        start = time.monotonic()
        with suppress(TooLong):  # on a busy machine
            assert made.ask("submarine", large).left_over
        assert time.monotonic() - start < 10
        assert not made.ask("fire", {"ships": "Bismarck", "target": "Hood"}).left_over
    finally:
        made.close()


def test_a_worker_that_does_not_answer_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calculator, "PATIENCE", -0.999)  # no question is that quick
    made = Calculator(workers=1, seconds=1)
    try:
        with pytest.raises(TooLong, match="name fewer ships"):
            made.ask("search", {"groups": "1,2,3,4,5,6", "dice": "20", "enemy_dice": "20", "own_groups": "1,2,3"})
        monkeypatch.setattr(calculator, "PATIENCE", 20.0)
        assert made.ask("search", {"groups": "1", "dice": "1"}).parts
    finally:
        made.close()


def test_a_worker_begins_with_everything_imported() -> None:
    made = Calculator(workers=1)
    try:
        imported = made.run(eval, "set(__import__('sys').modules)")
    finally:
        made.close()
    assert set(calculator.PRELOADED) <= imported


def test_of_what_one_asks_while_others_are_answered_only_the_newest_is_begun() -> None:
    made = Calculator(workers=1, seconds=1)
    busy = made._idle.get()
    said: list[dict[str, str | bool | list[str]]] = [{"groups": "1", "dice": str(dice)} for dice in range(1, 5)]
    try:
        with ThreadPoolExecutor(4) as pool:
            asked = []
            for one in said:
                asked.append(pool.submit(made.ask, "search", one, "the same"))
                while made._waiting < len(asked):
                    time.sleep(0.01)
            made._idle.put(busy)
            ends = [one.exception() for one in asked]
        assert [type(end) for end in ends] == [Busy, Busy, Busy, type(None)]
    finally:
        made.close()


def test_a_worker_is_begun_before_anybody_asks_and_more_when_several_do() -> None:
    made = Calculator(workers=2)
    try:
        made.start()
        eventually(lambda: (len(made._workers), made._idle.qsize()) == (1, 2))
        held = made._idle.get()
        assert made.ask("search", {"groups": "1", "dice": "2"}).parts
        made._idle.put(held)
        assert (len(made._workers), made._idle.qsize()) == (2, 2)
    finally:
        made.close()


def test_a_closed_desk_refuses_at_once() -> None:
    made = Calculator(workers=1, seconds=1)
    made.close()
    with pytest.raises(Busy, match="stopping"):
        made.ask("fire", {"ships": "Bismarck", "target": "Hood"})


def test_whole_answers_are_remembered(app: FastAPI) -> None:
    made: Calculator = app.state.calculator
    said = {"ships": "Bismarck", "target": "Hood"}
    assert made.ask("fire", said) is made.ask("fire", said)


# --- rules --------------------------------------------------------------------------------------------------------


def test_rule_numbers_in_a_text_are_links() -> None:
    linked = str(with_rules("see 22.54A, T23.44-08 and SOP-NC-I.A.1; 99.99 and 22.50% are none <b>"))
    assert [*re.findall('data-rule="([^"]+)"', linked)] == ["22.54A", "T23.44-08", "SOP-NC-I.A.1"]
    assert "&lt;b&gt;" in linked


@pytest.mark.parametrize("number", ["22.54A", "22.54", "18", "T22.552A", "SOP-NC-I.A", "22.552A.99"])
def test_a_rule_has_a_page_and_a_card(browser: Browser, number: str) -> None:
    for address in (f"/rules/{number}", f"/rules/{number}/card"):
        page = browser.get(address)
        assert page.status_code == 200
        assert number.removesuffix(".99") in words(page)


def test_the_page_of_a_rule_explains_it_in_full(browser: Browser) -> None:
    for address in ("/rules/19.31C", "/rules/19.31C/card"):
        letters = re.sub(r"\W+", "", words(browser.get(address)))
        assert re.sub(r"\W+", "", find("19.31C").meaning) in letters
    assert "CAP thus rolls" not in words(browser.get("/rules/chapter/19")), "a list has a sentence for each"


def test_rules_that_there_are_not(browser: Browser) -> None:
    assert browser.get("/rules/99.99").status_code == 404
    assert "Perhaps" in words(browser.get("/rules/2.5"))
    assert browser.get("/rules/chapter/99").status_code == 404
    assert "Naval operations" in words(browser.get("/rules"))
    assert "22.54A" in words(browser.get("/rules/chapter/22"))


def test_all_faults_of_a_field_are_named_with_what_was_meant(browser: Browser) -> None:
    page = browser.get(
        "/odds/strike?attackers=12+japn+elite%2C+2+amrican+naval&target=Enterprise%2C+Hornett%2C+8+crusers"
    )
    told = words(page)
    for wrong, right in (("12 japn elite", "japan"), ("2 amrican naval", "united-states"), ("Hornett", "Hornet")):
        assert wrong in told
        assert right in told
    assert "8 crusers" in told


def test_neighbouring_cases_say_what_one_more_or_fewer_would_change(browser: Browser) -> None:
    page = browser.get(MIDWAY)
    assert 'hx-get="/odds/strike/near?attackers=6' in page.text
    near = browser.get(MIDWAY.replace("?", "/near?"), **{"HX-Request": "true"})
    cases = re.findall(r'href="([^"]+)">([^<]+) <b class="(more|less|same)">([\d.]+)%<', near.text)
    assert [(label, way) for _, label, way, _ in cases[:2]] == [
        ("5 Japanese elite", "less"),
        ("7 Japanese elite", "more"),
    ]
    assert float(cases[0][3]) < float(cases[1][3])
    assert f"{cases[1][3]}%" in words(browser.get(unescape(cases[1][0]))), "the case itself tells the same chance"
    whole = browser.get(MIDWAY.replace("?", "/near?"))
    assert "7 Japanese elite" in words(whole), "without a script it is a page"
    assert "<h1" in whole.text
    assert browser.get("/odds/strike/near?attackers=x").status_code == 200


def test_cases_of_numbers_and_of_ships() -> None:
    search = read(FORMS["search"], [("groups", "1,3"), ("dice", "3")])
    assert [case.label for case in neighbours(search)] == ["search dice 4", "no search dice"]
    fire = read(FORMS["fire"], [("ships", "Bismarck"), ("target", "6 britain cruisers")])
    assert [case.label for case in neighbours(fire)] == ["2 cruisers", "4 cruisers"]
    assert neighbours(fire)[0].asked.query == "ships=Bismarck&target=4+britain+cruisers"


@pytest.mark.parametrize(
    ("kind", "said", "back"),
    [
        (
            "air-combat",
            "attackers=6 japan elite&defenders=4 american naval&kind=at-sea",
            "attackers=4 american naval&defenders=6 japan elite",
        ),
        ("fire", "ships=Bismarck&target=Hood&hits=hood 1", "ships=Hood&target=Bismarck"),
        (
            "engagement",
            "ours=Kongo&theirs=Washington&their_hits=washington 1&codebreaking=us",
            "ours=Washington&theirs=Kongo&hits=washington 1&codebreaking=them",
        ),
        (
            "strike",
            "attackers=5 japan elite&target=Enterprise, 4 cruisers&cap=1",
            "attackers=2 american naval&target=Akagi, Kaga, 4 cruisers&cap=1",
        ),
        ("strike", "attackers=6 japan army&target=Repulse", ""),
        ("submarine", "submarines=3&nation=germany&target=Hood", ""),
        ("fire", "factors=12&nation=germany&target=Hood", ""),
    ],
)
def test_the_sides_of_a_question_can_be_swapped(kind: str, said: str, back: str) -> None:
    found = swapped(read(FORMS[kind], parse_qsl(said)))
    assert (unquote_plus(found.query) if found else "") == back


@pytest.mark.parametrize(
    ("address", "says"),
    [
        (
            "/odds/air-combat?kind=counterair&attackers=3+germany+army&defenders=2+britain+army,+2+britain+transport",
            TRANSPORTS,
        ),
        ("/odds/search?groups=1,3&dice=2&own_groups=2", NO_ENEMY_DICE),
        ("/odds/base-attack?attackers=2+japan+elite&port=1+city&ships=Enterprise,+2+destroyers", WIPED_OFF),
        (
            "/odds/strike?attackers=4+japan+naval&target=Enterprise,+Hornet,+Wasp,+Yorktown",
            "A strike of 4 Japanese naval",
        ),
        ("/odds/strike?attackers=2+japan+naval&target=Akagi", "A country cannot fight on both sides"),
    ],
)
def test_what_is_taken_for_granted_is_said_at_the_desk(browser: Browser, address: str, says: str) -> None:
    assert says in unescape(words(browser.get(address)))
