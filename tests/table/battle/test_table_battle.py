"""The battle page: what each reader is shown, what he can do, and that nothing else reaches him."""

from __future__ import annotations

import asyncio
import re
from html import unescape

import pytest

from flagplot.kernel.codewords import words_of
from flagplot.kernel.ruleset import NEUTRAL
from flagplot.library import read_scenario
from flagplot.table.battle.recap import is_own_move
from flagplot.table.battle.streaming import stream
from flagplot.table.info import Created
from flagplot.table.reader import seated
from tests.table.halls import AT, HTMX, Hall, Page, answer, form_of, moment_of, options_in, play_on, token_of
from tests.table.nonces import fresh_nonce

# --- the page ---------------------------------------------------------------------------------------------------


def test_the_page_of_a_seat_has_the_question_the_chart_the_steps_and_the_log(hall: Hall) -> None:
    made = hall.make()
    page = hall.browser(made, "japan").get(f"/table/{made.game}")
    assert page.status_code == 200
    assert "Your turn" in page.text
    assert page.text.count('class="tray ') >= 4
    assert options_in(page.text)
    assert 'aria-current="step"' in page.text
    assert 'id="board-words"' in page.text
    assert 'aria-live="polite"' in page.text
    assert f'hx-sse:connect="/table/{made.game}/stream"' in page.text
    assert "style=" not in page.text
    assert "<script>" not in page.text


def test_a_seat_that_is_not_asked_gets_no_options_and_is_told_whose_turn_it_is(hall: Hall) -> None:
    made = hall.make()
    page = hall.browser(made, "allies").get(f"/table/{made.game}").text
    assert options_in(page) == []
    assert "Waiting for Japan" in page


def test_who_has_no_seat_is_refused_alike_whether_the_table_exists_or_not(hall: Hall) -> None:
    made = hall.make()
    stranger = hall.stranger()
    for game in (made.game, "gaaaaaaaaaa"):
        stranger.cookies.set(f"seat-{game}", "x" * 43)
    paths = ["", "/stream", "/log", "/orders", "/replay", "/report", "/save", "/proof", "/odds?at=0"]
    for path in paths:
        here, nowhere = stranger.get(f"/table/{made.game}{path}"), stranger.get(f"/table/gaaaaaaaaaa{path}")
        assert here.status_code == nowhere.status_code == 403
        assert _without_names(here.text) == _without_names(nowhere.text)


def _without_names(text: str) -> str:
    return re.sub(r"g[a-z2-7]{10}|content=\"[0-9a-f]+\"", "", text)


def test_a_seat_of_one_table_opens_no_other_and_no_other_side(hall: Hall) -> None:
    one, other = hall.make(), hall.make()
    client = hall.browser(one, "japan")
    client.cookies.set(f"seat-{other.game}", one.tokens["japan"])
    assert client.get(f"/table/{other.game}").status_code == 403
    assert client.get(f"/table/{one.game}?as=allies").status_code == 403
    page = client.get(f"/table/{one.game}").text
    refused = answer(client, one, page, options_in(page)[0], **{"as": "allies"})
    assert refused.status_code == 403


# --- answering --------------------------------------------------------------------------------------------------


def test_an_answer_counts_and_what_comes_of_it_is_left_to_the_stream(hall: Hall) -> None:
    """Two ways to the page could overtake each other."""
    made = hall.make("midway")
    client = hall.browser(made, "japan")
    page = client.get(f"/table/{made.game}").text
    back = answer(client, made, page, options_in(page)[0])
    assert back.status_code == 200
    assert "part-" not in back.text
    assert "not possible" not in back.text
    after = client.get(f"/table/{made.game}").text
    assert AT.findall(after) != AT.findall(page)


def test_without_script_some_typing_does_for_random_bytes(hall: Hall) -> None:
    made = hall.make()
    client = hall.browser(made, "japan")
    page = client.get(f"/table/{made.game}").text
    assert '<noscript><label class="typed">' in page
    data = {**form_of(page), "option": options_in(page)[0], "typed": "qwxkzzpt"}
    assert client.post(f"/table/{made.game}/answer", data=data).status_code == 303
    assert AT.findall(client.get(f"/table/{made.game}").text) != [moment_of(page)]


def test_without_script_a_decision_is_taken_back_by_typing_again_and_again(hall: Hall) -> None:
    made = hall.make("midway")
    client, base = hall.browser(made, "japan"), f"/table/{made.game}"
    for _ in range(2):
        before = client.get(base).text
        data = {**form_of(before), "typed": "the same letters"}
        assert client.post(f"{base}/answer", data={**data, "option": options_in(before)[0]}).status_code == 303
        page = client.get(base).text
        form = page[page.index('<form class="takeback"') :].partition("</form>")[0]
        assert '<noscript><label class="typed">' in form
        deed, moment = re.findall(r'action="([^"]+)"', form)[0], re.findall(r'name="moment" value="(\d+)"', form)[0]
        back = client.post(deed, data={**data, "moment": moment})
        assert back.status_code == 303, back.text
        assert options_in(client.get(base).text) == options_in(before)


def test_without_script_nobody_can_answer_and_the_page_says_why(hall: Hall) -> None:
    made = hall.make()
    client = hall.browser(made, "japan")
    page = client.get(f"/table/{made.game}").text
    data = {**form_of(page), "option": options_in(page)[0]}
    for deed in ("answer", "undo", "propose", "consent"):
        refused = client.post(f"/table/{made.game}/{deed}", data={**data, "yes": "yes"})
        assert refused.status_code == 409
        assert "Let this site run its script" in refused.text
    assert hall.tables.look(made.game, "japan").pending
    assert client.post(f"/table/{made.game}/answer", data={**data, "typed": "abc"}).status_code == 409, "too little"
    data["nonce"] = fresh_nonce()
    back = client.post(f"/table/{made.game}/answer", data=data)
    assert (back.status_code, back.headers["location"]) == (303, f"/table/{made.game}")
    assert client.post(f"/table/{made.game}/answer", data=data).status_code == 303, "the same answer once more"
    again = client.post(f"/table/{made.game}/answer", data={**data, "nonce": fresh_nonce()})
    assert again.status_code == 409
    assert "not asked any more" in again.text


def test_an_answer_to_an_older_question_is_refused(hall: Hall) -> None:
    made = hall.make()
    client = hall.browser(made, "japan")
    page = client.get(f"/table/{made.game}").text
    answer(client, made, page, options_in(page)[0])
    back = answer(client, made, page, options_in(page)[0])
    assert "That is not possible" in back.text
    assert "not asked any more" in unescape(back.text)


def test_what_is_not_offered_is_refused(hall: Hall) -> None:
    made = hall.make()
    client = hall.browser(made, "japan")
    page = client.get(f"/table/{made.game}").text
    before = hall.tables.look(made.game, "japan")
    told = unescape(answer(client, made, page, "nonsense").text)
    assert "Not one of the answers" in told
    assert not any(text in told for text in options_in(page)), "an id of an option"
    after = hall.tables.look(made.game, "japan")
    assert (after.log, after.moment) == (before.log, before.moment)


def test_a_form_of_another_site_is_refused(hall: Hall) -> None:
    made = hall.make()
    client = hall.browser(made, "japan")
    page = client.get(f"/table/{made.game}").text
    data = {"option": options_in(page)[0], "at": moment_of(page)}
    assert client.post(f"/table/{made.game}/answer", data=data).status_code == 403


@pytest.mark.parametrize(("labels", "keys"), [(["none", "1", "2"], ["0", "1", "2"]), (["yes", "no"], ["1", "2"])])
def test_numbers_are_their_own_keys_and_other_options_are_counted(labels: list[str], keys: list[str]) -> None:
    from flagplot.table.battle.page_words import buttons_of
    from flagplot.table.info import Choice, Question

    choices = tuple(Choice(number, f"x:{label}", label, "") for number, label in enumerate(labels, start=1))
    assert [button.key for button in buttons_of(Question("red", "?", choices, (), 1))] == keys


def test_take_back_is_free_at_first_and_asked_for_later(hall: Hall) -> None:
    made = hall.make("midway")
    japan, allies = hall.browser(made, "japan"), hall.browser(made, "allies")
    first = japan.get(f"/table/{made.game}").text
    answer(japan, made, first, options_in(first)[0])
    assert "Take back" in japan.get(f"/table/{made.game}").text
    token = token_of(first)
    japan.post(f"/table/{made.game}/undo", data={"form_token": token, "nonce": fresh_nonce()}, headers=HTMX)
    assert options_in(japan.get(f"/table/{made.game}").text) == options_in(first)
    while options_in(page := japan.get(f"/table/{made.game}").text):
        answer(japan, made, page, options_in(page)[0])
    assert "Ask to take back" in page
    japan.post(f"/table/{made.game}/propose", data={"form_token": token, "nonce": fresh_nonce()}, headers=HTMX)
    assert "You asked to take back" in japan.get(f"/table/{made.game}").text
    asked = allies.get(f"/table/{made.game}").text
    assert "Japan asks to take back" in asked
    own = token_of(asked)
    allies.post(f"/table/{made.game}/consent", data={"form_token": own, "yes": "no"}, headers=HTMX)
    assert "You asked to take back" not in japan.get(f"/table/{made.game}").text
    japan.post(f"/table/{made.game}/propose", data={"form_token": token, "nonce": fresh_nonce()}, headers=HTMX)
    allies.post(
        f"/table/{made.game}/consent", data={"form_token": own, "yes": "yes", "nonce": fresh_nonce()}, headers=HTMX
    )
    assert options_in(japan.get(f"/table/{made.game}").text)
    assert hall.tables.look(made.game, "japan").proposal is None


def test_standing_orders_are_kept_checked_and_shown_to_their_side_alone(hall: Hall) -> None:
    made = hall.make()
    japan = hall.browser(made, "japan")
    page = japan.get(f"/table/{made.game}/orders").text
    token = token_of(page)
    wrong = japan.post(f"/table/{made.game}/orders", data={"form_token": token, "text": "[[order]]\nwhen = 3"})
    assert wrong.status_code == 422
    assert "should be the word of a question" in unescape(wrong.text)
    never = '[[order]]\nwhen = "zanzibar"\nanswer = "most"\n'
    wrong = japan.post(f"/table/{made.game}/orders", data={"form_token": token, "text": never})
    assert wrong.status_code == 422
    text = '# zanzibar\n[[order]]\nwhen = "withdraw"\nanswer = "first"\n'
    given = japan.post(f"/table/{made.game}/orders", data={"form_token": token, "text": text})
    assert given.status_code == 303
    assert "zanzibar" in japan.get(f"/table/{made.game}/orders").text
    assert "zanzibar" not in hall.browser(made, "allies").get(f"/table/{made.game}/orders").text


# --- one screen for two -----------------------------------------------------------------------------------------


def test_a_hot_seat_shows_nothing_of_a_side_before_somebody_sits_down(hall: Hall) -> None:
    scenario = read_scenario("surigao-strait")
    for number, force in enumerate(scenario["forces"]):
        force["name"] = f"Quokka{number}"
    made = hall.make(scenario, japan="hotseat", allies="hotseat")
    client = hall.browser(made, "japan")
    screen = client.get(f"/table/{made.game}").text
    assert "Quokka" not in screen
    assert "Sit down as Japan" in screen
    assert client.get(f"/table/{made.game}/stream").status_code == 403
    page = client.get(f"/table/{made.game}?as=japan").text
    assert "Quokka" in page
    for _ in range(40):
        if not options_in(page):
            break
        answer(client, made, page, options_in(page)[0], **{"as": "japan"})
        page = client.get(f"/table/{made.game}?as=japan").text
    assert "Hand over to The Allies" in page


# --- streams ----------------------------------------------------------------------------------------------------


def test_a_stream_sends_all_parts_first_and_then_only_what_has_changed(hall: Hall) -> None:
    made = hall.make()
    page = Page(hall, made, "japan")
    first = page.look()
    assert re.findall(r'hx-target="#part-(\w+)"', first) == [
        "top",
        "status",
        "since",
        "question",
        "news",
        "map",
        "answers",
        "places",
        "board",
        "around",
        "dice",
    ]
    assert page.look() == ""
    client = hall.browser(made, "japan")
    shown = client.get(f"/table/{made.game}").text
    answer(client, made, shown, options_in(shown)[0])
    news = page.look()
    assert 'hx-target="#part-question"' in news
    assert 'hx-target="#part-map"' not in news


def test_what_happened_since_the_last_move_is_told_in_order_under_its_steps(hall: Hall) -> None:
    """The page has every line of the log since the reader's last decision, the newest last."""
    made = hall.make("midway")
    page, clients = Page(hall, made, "japan"), {side: hall.browser(made, side) for side in made.tokens}
    told = 0
    for number in range(40):
        side = hall.tables.table(made.game).waiting_for
        if side is None:  # with some dice the battle is over sooner
            break
        now = clients[side].get(f"/table/{made.game}").text
        if number % 7 == 6 and hall.tables.look(made.game, side).may_undo:
            hall.tables.undo(made.game, side, fresh_nonce())
        else:
            answer(clients[side], made, now, options_in(now)[-1])
        since = re.search(r'hx-target="#part-since".*?</hx-partial>', page.look(), re.DOTALL)
        log = hall.tables.look(made.game, "japan").log
        moves = [place for place, line in enumerate(log, 1) if is_own_move(line, "japan")]
        if since:
            lines = [int(place) for place in re.findall(r'data-line="(\d+)"', since[0])]
            assert lines == [*range(max(moves[-1] if moves else 0, len(log) - 40) + 1, len(log) + 1)]
            told += len(lines)
    assert told


def test_how_often_the_enemy_answers_in_secret_shows_in_no_stream(hall: Hall) -> None:
    """While Japan forms its groups in secret, the other seat and the spectators are sent nothing at all."""
    made = hall.make("midway")
    pages = {side: Page(hall, made, side) for side in ("allies", NEUTRAL)}
    for page in pages.values():
        page.look()
    client = hall.browser(made, "japan")
    answers = 0
    while True:
        shown = client.get(f"/table/{made.game}").text
        if not options_in(shown):
            break
        answer(client, made, shown, options_in(shown)[0])
        answers += 1
        hall.now += 7
        if hall.tables.table(made.game).waiting_for == "japan":
            assert {side: page.look() for side, page in pages.items()} == {"allies": "", NEUTRAL: ""}
    assert answers > 1
    assert "Your turn" in pages["allies"].look()


def test_the_stream_itself_begins_with_what_is_now_and_ends_with_the_server(hall: Hall) -> None:
    made = hall.make()
    request = hall.request(hall.browser(made, "japan"), f"/table/{made.game}/stream")

    async def watched() -> list[str]:
        found = []
        place = seated(request, made.game)
        async for event in stream(request, place, lambda: seated(request, made.game)):
            found.append(event.decode())
            hall.tables.stop_streams()
        return found

    events = asyncio.run(asyncio.wait_for(watched(), 10))
    assert len(events) == 1
    assert 'hx-target="#part-board"' in events[0]


def test_rolls_and_turns_are_said_aloud(hall: Hall) -> None:
    made = hall.make()
    page = Page(hall, made, "allies")
    page.look()
    play_on(hall, made, 30)
    said = re.search(r'<hx-partial hx-target="#part-said"[^>]*>(.*?)</hx-partial>', page.look())
    assert said
    assert re.search(r"Your turn\.|Waiting for .+\.|Battle over\.", said[1])
    rolls = [entry for entry in hall.tables.look(made.game, "allies").log if entry.kind == "roll"]
    assert rolls


# --- nothing else reaches anybody -------------------------------------------------------------------------------


def test_no_secret_of_one_side_reaches_the_other_or_a_spectator(hall: Hall) -> None:
    """A battle in which the names of forces and cargo, which stay secret to the end, are words found nowhere else:
    every byte of every page and of the streams is searched for them."""
    scenario = read_scenario("coral-sea")
    words = {"japan": "Quokka", "allies": "Wombat"}
    for number, force in enumerate(scenario["forces"]):
        force["name"] = f"{words[force['side']]}{number}"
        if force.get("cargo"):
            force["cargo"] = f"{words[force['side']]}cargo"
    made = hall.make(scenario)
    pages = {side: Page(hall, made, side) for side in (*made.tokens, NEUTRAL)}
    received: dict[str, list[str]] = {side: [] for side in pages}

    def seen(side: str, text: str) -> None:
        received[side].append(text)
        if "part-question" not in text:  # an answer was given
            for reader, page in pages.items():
                received[reader].append(page.look())

    assert play_on(hall, made, 50, seed=3, seen=seen) == 50
    for side in made.tokens:
        client = hall.browser(made, side)
        for path in ("", "/log", "/orders", "/replay", "/replay?step=9", "/report", "/proof", "/save"):
            received[side].append(client.get(f"/table/{made.game}{path}").text)
    for path in ("", "/log", "/replay", "/report", "/proof", "/save"):
        received[NEUTRAL].append(hall.stranger().get(f"/watch/{made.public_id}{path}").text)
    for side, word in words.items():
        other = next(one for one in words if one != side)
        assert word in "".join(received[side])
        assert word not in "".join(received[other])
        assert word not in "".join(received[NEUTRAL])


def test_a_spectator_sees_what_lies_open_and_gets_nothing_to_answer(hall: Hall) -> None:
    made = hall.make()
    play_on(hall, made, 20)
    page = hall.stranger().get(f"/watch/{made.public_id}")
    assert page.status_code == 200
    assert options_in(page.text) == []
    assert "You see only what both sides know" in page.text
    assert made.game not in page.text
    assert hall.stranger().get("/watch/waaaaaaaaaa").status_code == 404
    for path in ("/save", "/replay", "/report"):
        assert hall.stranger().get(f"/watch/{made.public_id}{path}").status_code == 403


# --- the end ----------------------------------------------------------------------------------------------------


@pytest.fixture
def over(hall: Hall) -> Created:
    made = hall.make("denmark-strait")
    play_on(hall, made, 400)
    assert hall.tables.table(made.game).finished
    return made


def test_at_the_end_there_are_report_replay_proof_and_save(hall: Hall, over: Created) -> None:
    client = hall.browser(over, "germany")
    page = client.get(f"/table/{over.game}").text
    assert "data-over" in page
    assert "Nothing yet" not in page
    assert "hx-sse:connect" not in page
    report = client.get(f"/table/{over.game}/report").text
    assert "Losses" in report
    proof = client.get(f"/table/{over.game}/proof").text
    assert "all allowed by the rules" in unescape(proof)
    verified = hall.tables.verify(over.game)
    assert verified.secret in proof
    assert verified.head in proof
    assert f'<p class="codewords">{words_of(verified.head)}</p>' in proof
    assert "Read these words to each other: the same words, the same game." in proof
    save = client.get(f"/table/{over.game}/save")
    assert save.text == hall.tables.save(over.game)
    name = f"{over.public_id}.jsonl"
    assert save.headers["content-disposition"] == f'attachment; filename="{name}"'
    for page in (report, proof):
        assert f"flagplot verify {name}" in page, "whoever downloads it finds it under this name"
    watched = hall.stranger().get(f"/watch/{over.public_id}").text
    assert "Everything is shown" in watched


def test_before_the_end_the_proof_says_what_is_fixed_and_tells_no_secret(hall: Hall) -> None:
    made = hall.make()
    page = hall.browser(made, "japan").get(f"/table/{made.game}/proof").text
    commitment = hall.tables.table(made.game).commitment
    assert commitment in page
    assert f'<p class="codewords">{words_of(commitment)}</p>' in page
    assert "now opened" not in page
    assert hall.browser(made, "japan").get(f"/table/{made.game}/save").status_code == 403


def test_the_replay_shows_each_step_as_each_side_saw_it(hall: Hall, over: Created) -> None:
    client = hall.browser(over, "germany")
    first = client.get(f"/table/{over.game}/replay").text
    assert "Step 0 of" in first
    assert 'type="range"' in first
    part = client.get(f"/table/{over.game}/replay?step=2&seen=britain", headers=HTMX).text
    assert "Step 2 of" in part
    assert "<html" not in part
    assert "Step 1 of" in hall.stranger().get(f"/watch/{over.public_id}/replay?step=1&seen=umpire").text
    assert client.get(f"/table/{over.game}/replay?seen=nobody").status_code == 403


def test_before_the_end_a_side_replays_its_own_view_and_no_other(hall: Hall) -> None:
    made = hall.make()
    play_on(hall, made, 10)
    client = hall.browser(made, "japan")
    assert client.get(f"/table/{made.game}/replay?step=3").status_code == 200
    for reader in ("allies", "umpire", "neutral"):
        assert client.get(f"/table/{made.game}/replay?seen={reader}").status_code == 403


# --- coming back, and all games ---------------------------------------------------------------------------------


def test_the_line_below_the_chart_has_news_before_any_dice(hall: Hall) -> None:
    def line(text: str) -> str:
        return text[text.index("<b>Just now</b>") : text.index("Whole log")]

    made = hall.make("surigao-strait")
    japan = hall.browser(made, "japan")
    assert "Round 1 of naval combat" in line(japan.get(f"/table/{made.game}").text)
    operation = hall.make("coral-sea-operation")
    begun = hall.browser(operation, "japan").get(f"/table/{operation.game}").text
    assert "Japan: movement stage begins" in line(begun), "nothing was rolled yet"


def test_who_comes_back_after_a_while_is_told_what_happened(hall: Hall) -> None:
    made = hall.make()
    allies = hall.browser(made, "allies")
    assert 'data-line="3"' not in allies.get(f"/table/{made.game}").text
    japan = hall.browser(made, "japan")
    while options_in(page := japan.get(f"/table/{made.game}").text):
        answer(japan, made, page, options_in(page)[0])
    hall.now += 3600
    page = allies.get(f"/table/{made.game}").text
    assert "Since your last move" in page
    assert 'data-line="3"' in page


@pytest.mark.parametrize("scenario", ["malta", "force-z", "coral-sea-operation", "okinawa"])
def test_every_kind_of_game_has_its_page(hall: Hall, scenario: str) -> None:
    made = hall.make(scenario)
    play_on(hall, made, 12)
    for side in made.tokens:
        page = hall.browser(made, side).get(f"/table/{made.game}")
        assert page.status_code == 200
        assert 'class="tray ' in page.text or "m-ground" in page.text
        assert ("m-ground" in page.text) == (scenario == "coral-sea-operation")
    assert hall.stranger().get(f"/watch/{made.public_id}").status_code == 200


def test_the_odds_of_a_question_are_told(hall: Hall) -> None:
    made = hall.make("denmark-strait")
    client = hall.browser(made, hall.tables.table(made.game).waiting_for or "")
    at = AT.search(client.get(f"/table/{made.game}").text)
    assert at
    side = hall.tables.table(made.game).waiting_for or ""
    seat = {"Authorization": f"Bearer {made.tokens[side]}"}
    try:
        told = client.get(f"/table/{made.game}/odds?at={at[1]}").text
        again = client.get(f"/table/{made.game}/odds?at={at[1]}").text
        read = client.get(f"/api/tables/{made.game}/sides/{side}/odds?at={at[1]}", headers=seat).json()
        gone = client.get(f"/api/tables/{made.game}/sides/{side}/odds?at={int(at[1]) + 3}", headers=seat).json()
        wrong = client.get(f"/table/{made.game}/odds?at={at[1]}&believe=nonsense").text
    finally:
        hall.app.state.calculator.close()
    assert again == told, "it is remembered"
    assert "Both sides play on to the end of the battle." in told
    assert "data-more" in told
    assert "the forces of the scenario</option>" in told
    assert read["played_on"]
    assert read["decided_by"] == "the battle (22.72)"
    assert [one["exact"] for one in read["options"]] == [False] * len(read["options"]) != []
    assert read["belief"]["name"] == "forces"
    assert gone["why_not"] == "This question is not asked any more."
    assert "No such belief" in wrong
    assert 'class="exact about"' in told, "it is played on and sampled"
    assert "flagplot " not in told, "a command of the terminal"
    assert "not asked any more" in client.get(f"/table/{made.game}/odds?at={int(at[1]) + 3}").text


def test_against_the_staff_a_take_back_needs_no_asking(hall: Hall) -> None:
    made = hall.make("surigao-strait", allies="doctrine")
    japan = hall.browser(made, "japan")
    for _ in range(3):
        page = japan.get(f"/table/{made.game}").text
        if options := options_in(page):
            answer(japan, made, page, options[0])
    page = japan.get(f"/table/{made.game}").text
    assert "Take back" in page
    assert "Ask to take back" not in page
