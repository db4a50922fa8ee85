"""The service: seats, answers, take-backs, players of the program, replay and proof, on both databases."""

from __future__ import annotations

import json
import random
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from flagplot import library
from flagplot.kernel.dice import receipt_of
from flagplot.kernel.errors import (
    BadValue,
    DiceError,
    IllegalAnswer,
    ScenarioError,
    StaleAnswer,
    UndoRefused,
    UnknownName,
)
from flagplot.kernel.requests import Roll
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE
from flagplot.players.orders import OrdersError
from flagplot.table.info import Created
from flagplot.table.refusals import Conflict, NoSuchSeat, NoSuchTable, NotAllowed, NotYet, NotYourTurn, OldRules
from flagplot.table.store.store import Store
from flagplot.table.tables import Tables
from tests.table.nonces import fresh_nonce

Open = Callable[[], Tables]
PATIENCE = 20.0


def hexed() -> str:
    return secrets.token_hex(32)


def step(tables: Tables, game: str, chance: random.Random) -> bool:
    """Whoever is asked answers at random; False at the end."""
    side = tables.look(game, NEUTRAL).waiting_for
    if side is None:
        return False
    question, asked, _ = tables.asked(game, side)
    assert question is not None
    assert asked == side
    tables.answer(game, side, chance.choice(question.options).text, question.at, fresh_nonce())
    return True


def play(tables: Tables, game: str, seed: int = 1) -> int:
    chance, count = random.Random(seed), 0
    while step(tables, game, chance):
        count += 1
    return count


def eventually(what: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.005)


def two(tables: Tables, scenario: str = "first-battle") -> Created:
    return tables.create(scenario)


# --- making tables and sitting down -----------------------------------------------------------------------------


def test_a_table_is_made_and_its_links_open_its_seats(tables: Tables) -> None:
    made = tables.create("first-battle", title="  Evening\n game\x00 ")
    table = tables.table(made.game)
    assert (table.title, table.sides, table.finished) == ("Evening game", ("japan", "allies"), False)
    assert tables.public_table(made.public_id) == table
    assert len({made.host_token, *made.tokens.values()}) == 3
    seat = tables.seat(made.tokens["japan"])
    assert (seat.game, seat.sides, seat.is_host, seat.joined) == (made.game, ("japan",), False, False)
    host = tables.seat(made.host_token)
    assert (host.game, host.sides, host.is_host) == (made.game, (), True)


def test_tokens_are_neither_in_the_store_nor_in_what_is_printed(tables: Tables, store: Store) -> None:
    made = two(tables)
    kept = json.dumps([store.links(made.game), store.seats(made.game), store.game(made.game)])
    for token in (made.host_token, *made.tokens.values()):
        assert token not in kept
        assert token not in repr(made)


def test_an_unknown_link_is_refused_without_being_quoted(tables: Tables) -> None:
    with pytest.raises(NoSuchSeat) as refused:
        tables.join("surely-not-a-token", contribution=hexed())
    assert "surely" not in str(refused.value)
    with pytest.raises(NoSuchTable):
        tables.table("gnowhere")
    with pytest.raises(NoSuchTable):
        tables.look("gnowhere", NEUTRAL)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"scenario": "no-such"}, UnknownName),
        ({"scenario": "/etc/passwd"}, UnknownName),
        ({"scenario": "../scenarios/midway.toml"}, UnknownName),
        ({"scenario": {"game": "awaw"}}, ScenarioError),
        ({"scenario": {}}, ScenarioError),
        ({"scenario": "midway", "options": {"nonsense": True}}, ScenarioError),
        ({"scenario": "midway", "seats": {"atlantis": "person"}}, UnknownName),
        ({"scenario": "midway", "seats": {"japan": "wizard"}}, UnknownName),
        ({"scenario": "midway", "seats": {"japan": "person:x"}}, UnknownName),
        ({"scenario": "midway", "seats": {"japan": "doctrine:nonsense=1"}}, (BadValue, UnknownName)),
    ],
)
def test_a_bad_table_is_refused(given: dict[str, Any], error: Any, tmp_path: Path) -> None:
    tables = Tables(Store(str(tmp_path / "s")))
    with pytest.raises(error):
        tables.create(given.pop("scenario"), **given)
    assert tables.figures()["tables"] == 0
    tables.close()


def test_joining_adds_to_the_dice_once(tables: Tables) -> None:
    made = two(tables)
    mine, other = hexed(), hexed()
    seat = tables.join(made.tokens["japan"], name="Nagumo", contribution=mine)
    assert (seat.name, seat.joined) == ("Nagumo", True)
    again = tables.join(made.tokens["japan"], name=" Yamaguchi ", contribution=other)
    assert again.name == "Yamaguchi"
    holder = tables.table(made.game).holders["japan"]
    assert (holder.name, holder.joined, holder.contributed) == ("Yamaguchi", True, True)
    play(tables, made.game)
    assert mine in tables.save(made.game)
    assert other not in tables.save(made.game)


def test_a_bad_contribution_is_refused(tables: Tables) -> None:
    made = two(tables)
    for bad in ("xyz", "ab", "0" * 31, "0" * 130):
        with pytest.raises(DiceError):
            tables.join(made.tokens["japan"], contribution=bad)
    assert not tables.seat(made.tokens["japan"]).joined


def test_a_link_is_replaced_by_its_holder_or_the_host(tables: Tables) -> None:
    made = two(tables)
    new = tables.handovers.replace_link(made.tokens["japan"], "japan")
    with pytest.raises(NoSuchSeat):
        tables.seat(made.tokens["japan"])
    newer = tables.handovers.replace_link(made.host_token, "japan")
    with pytest.raises(NoSuchSeat):
        tables.seat(new)
    assert tables.seat(newer).sides == ("japan",)
    with pytest.raises(NotAllowed):
        tables.handovers.replace_link(made.tokens["allies"], "japan")
    with pytest.raises(UnknownName):
        tables.handovers.replace_link(made.host_token, "atlantis")


def test_a_hot_seat_has_one_link_for_both_sides(tables: Tables) -> None:
    made = tables.create("first-battle", seats={"japan": "hotseat", "allies": "hotseat"})
    assert made.tokens["japan"] == made.tokens["allies"]
    seat = tables.join(made.tokens["japan"], contribution=hexed())
    assert seat.sides == ("japan", "allies")
    new = tables.handovers.replace_link(made.tokens["japan"], "allies")
    assert tables.seat(new).sides == ("japan", "allies")


def test_the_host_hands_a_seat_to_a_player_of_the_program_and_back(tables: Tables) -> None:
    made = two(tables)
    with pytest.raises(NotAllowed):
        tables.handovers.hand_over(made.tokens["japan"], "japan", "random")
    with pytest.raises(UnknownName):
        tables.handovers.hand_over(made.host_token, "japan", "wizard")
    assert tables.handovers.hand_over(made.host_token, "japan", "random") == ""
    with pytest.raises(NoSuchSeat):
        tables.seat(made.tokens["japan"])
    eventually(lambda: tables.table(made.game).waiting_for == "allies")
    token = tables.handovers.hand_over(made.host_token, "japan", "person")
    assert tables.join(token, name="Abe").sides == ("japan",)
    assert tables.table(made.game).holders["japan"].kind == "person"


# --- answering --------------------------------------------------------------------------------------------------


def test_two_people_play_to_the_end_and_the_proof_holds(tables: Tables) -> None:
    made = two(tables)
    for token in made.tokens.values():
        tables.join(token, contribution=hexed())
    with pytest.raises(NotYet):
        tables.save(made.game)
    with pytest.raises(NotYet):
        tables.verify(made.game)
    with pytest.raises(NotYet):
        tables.look(made.game, UMPIRE)
    play(tables, made.game)
    assert tables.table(made.game).finished
    found = tables.verify(made.game)
    assert found.sound
    assert found.proved == found.rolls > 0
    assert set(found.contributions) == {"japan", "allies"}
    look = tables.look(made.game, NEUTRAL)
    assert look.reader == UMPIRE
    assert look.result is not None


def test_each_side_gets_its_own_question_only(tables: Tables) -> None:
    made = two(tables)
    looks = {side: tables.look(made.game, side) for side in ("japan", "allies", NEUTRAL)}
    asked = looks["japan"].waiting_for
    for reader, look in looks.items():
        assert (look.pending is not None) == (reader == asked)
    with pytest.raises(UnknownName):
        tables.look(made.game, "atlantis")


def test_wrong_answers_are_refused_and_change_nothing(tables: Tables) -> None:
    made = two(tables)
    before = tables.table(made.game)
    side = before.waiting_for
    assert side is not None
    other = next(each for each in before.sides if each != side)
    question, _, _ = tables.asked(made.game, side)
    assert question is not None
    with pytest.raises(IllegalAnswer):
        tables.answer(made.game, side, "nonsense", question.at, fresh_nonce())
    with pytest.raises(StaleAnswer):
        tables.answer(made.game, side, question.options[0].text, question.at - 3, fresh_nonce())
    with pytest.raises(NotYourTurn):
        tables.answer(made.game, other, question.options[0].text, tables.asked(made.game, other)[2], fresh_nonce())
    with pytest.raises(UnknownName):
        tables.answer(made.game, "atlantis", question.options[0].text, question.at, fresh_nonce())
    assert tables.table(made.game).version == before.version


def test_two_answers_to_one_question_one_wins(tables: Tables) -> None:
    made = two(tables)
    side = tables.table(made.game).waiting_for
    assert side is not None
    question, _, _ = tables.asked(made.game, side)
    assert question is not None
    begin, told = threading.Barrier(6), []

    def answer(number: int) -> None:
        begin.wait()
        try:
            tables.answer(
                made.game, side, question.options[number % len(question.options)].text, question.at, fresh_nonce()
            )
            told.append("taken")
        except StaleAnswer as refused:
            told.append(refused.message)

    _together(answer, 6)
    assert told.count("taken") == 1
    assert sum("answered already" in words for words in told) == 5


def _together(work: Callable[[int], None], number: int) -> None:
    threads = [threading.Thread(target=work, args=(each,)) for each in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_of_two_servers_one_wins_and_the_other_says_so(open_tables: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = open_tables(), open_tables()
    made = two(first)
    side = second.table(made.game).waiting_for
    assert side is not None
    question, _, _ = second.asked(made.game, side)
    assert question is not None
    blind = monkeypatch.context()
    with blind as patched:  # the second server has looked just before the first one wrote
        patched.setattr(second.store, "lines", lambda game, begin=0: [])
        first.answer(made.game, side, question.options[0].text, question.at, fresh_nonce())
        patched.setattr(second.store, "append", _seeing_again(second.store, patched))
        with pytest.raises(Conflict, match="answered first"):
            second.answer(made.game, side, question.options[-1].text, question.at, fresh_nonce())
    assert second.look(made.game, side) == first.look(made.game, side)
    play(second, made.game)
    assert first.verify(made.game).sound


def _seeing_again(store: Store, patched: pytest.MonkeyPatch) -> Any:
    append = type(store).append

    def appending(*given: Any, **named: Any) -> None:
        patched.setattr(store, "lines", lambda game, begin=0: Store.lines(store, game, begin))
        append(store, *given, **named)

    return appending


def test_servers_take_turns(open_tables: Open) -> None:
    servers = [open_tables(), open_tables()]
    made = two(servers[0], "denmark-strait")
    chance = random.Random(3)
    while step(chance.choice(servers), made.game, chance):
        looks = [server.look(made.game, "britain") for server in servers]
        assert looks[0] == looks[1]
    assert servers[1].verify(made.game).sound


def test_a_game_goes_on_where_it_was_after_a_restart(open_tables: Open) -> None:
    first = open_tables()
    made = two(first, "midway")
    for token in made.tokens.values():
        first.join(token, contribution=hexed())
    chance = random.Random(5)
    for _ in range(10):
        step(first, made.game, chance)
    before = {reader: first.look(made.game, reader) for reader in ("japan", "allies", NEUTRAL)}
    first.close()
    second = open_tables()
    assert {reader: second.look(made.game, reader) for reader in before} == before
    play(second, made.game)
    assert second.verify(made.game).sound


def test_dice_that_were_left_lying_are_rolled_at_the_next_look(tables: Tables, open_tables: Open) -> None:
    made = two(tables, "kursk")
    chance = random.Random(1)
    with tables._playing.using(made.game) as live:  # the server is killed between an answer and its dice
        while not isinstance(live.game.pending, Roll):
            request = live.game.pending
            assert request is not None
            live.game.choose(request.option(chance.randrange(len(request))), nonce=fresh_nonce())
        tables.store.append(made.game, live.fresh(1.0), {"changed": 1.0})
        live.forget()
    again = open_tables()
    rows = again.table(made.game).version
    assert again.look(made.game, NEUTRAL).waiting_for is not None
    assert again.table(made.game).version > rows


def test_a_fault_in_the_engine_leaves_the_table_as_it_was(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    made = two(tables)
    side = tables.table(made.game).waiting_for
    assert side is not None
    before = tables.look(made.game, side)
    assert before.pending is not None
    with monkeypatch.context() as patched:
        patched.setattr(tables.store, "append", _broken)
        with pytest.raises(ZeroDivisionError):
            tables.answer(made.game, side, before.pending.options[0].text, before.pending.at, fresh_nonce())
    assert tables.look(made.game, side) == before
    tables.answer(made.game, side, before.pending.options[0].text, before.pending.at, fresh_nonce())


def _broken(*given: Any, **named: Any) -> None:
    raise ZeroDivisionError


def test_few_games_stay_in_memory(store: Store) -> None:
    tables = Tables(store, keep=3)
    made = [two(tables) for _ in range(6)]
    assert tables.figures()["in_memory"] <= 3
    for each in made:
        assert step(tables, each.game, random.Random(1))
    tables.close()


# --- taking back ------------------------------------------------------------------------------------------------


def at_a_free_take_back(tables: Tables, scenario: str = "midway") -> tuple[Created, str]:
    """A table at which the side that is asked has just decided something that it may take back."""
    for seed in range(20):
        made, chance = two(tables, scenario), random.Random(seed)
        while step(tables, made.game, chance):
            side = tables.look(made.game, NEUTRAL).waiting_for
            if side and tables.look(made.game, side).may_undo:
                return made, side
    raise AssertionError("no such moment")


def test_a_decision_is_taken_back_freely(tables: Tables) -> None:
    made, side = at_a_free_take_back(tables)
    rows = tables.table(made.game).version
    old = tables.look(made.game, side).pending
    assert old is not None
    tables.undo(made.game, side, fresh_nonce())
    assert tables.table(made.game).version == rows + 1
    with pytest.raises(StaleAnswer):
        tables.answer(made.game, side, old.options[0].text, old.at, fresh_nonce())
    play(tables, made.game)
    assert tables.verify(made.game).sound


def after_dice(tables: Tables, made: Created, seed: int = 2) -> str:
    """Play until a side has decided something, dice fell since, and it may only ask; that side."""
    chance = random.Random(seed)
    while step(tables, made.game, chance):
        for side in tables.table(made.game).sides:
            look = tables.look(made.game, side)
            if look.may_propose and not look.may_undo and look.log[-1].faces:
                return side
    raise AssertionError("no such moment")


def test_after_dice_the_other_side_has_to_consent(tables: Tables) -> None:
    made = two(tables, "midway")
    side = after_dice(tables, made)
    other = next(each for each in tables.table(made.game).sides if each != side)
    entries = len(tables.look(made.game, side).log)
    with pytest.raises(UndoRefused):
        tables.undo(made.game, side, fresh_nonce())
    assert not tables.propose_undo(made.game, side, fresh_nonce())
    for reader in (side, other, NEUTRAL):
        proposal = tables.look(made.game, reader).proposal
        assert proposal is not None
        assert (proposal.side, proposal.asked) == (side, (other,))
    with pytest.raises(Conflict):
        tables.propose_undo(made.game, other, fresh_nonce())
    with pytest.raises(NotAllowed):
        tables.consent(made.game, side, True, fresh_nonce())
    tables.consent(made.game, other, True, fresh_nonce())
    look = tables.look(made.game, side)
    assert look.proposal is None
    assert len(look.log) < entries
    assert look.waiting_for == side
    play(tables, made.game)
    found = tables.verify(made.game)
    assert found.sound
    assert found.taken_back_by_consent == 1


def test_a_proposal_is_refused_withdrawn_or_lapses(tables: Tables) -> None:
    made = two(tables, "midway")
    side = after_dice(tables, made)
    other = next(each for each in tables.table(made.game).sides if each != side)
    rows = tables.table(made.game).version
    tables.propose_undo(made.game, side, fresh_nonce())
    tables.consent(made.game, other, False, fresh_nonce())
    tables.propose_undo(made.game, side, fresh_nonce())
    tables.consent(made.game, side, False, fresh_nonce())
    with pytest.raises(Conflict, match="no longer open"):
        tables.consent(made.game, other, True, fresh_nonce())
    assert tables.table(made.game).version == rows
    tables.propose_undo(made.game, side, fresh_nonce())
    chance = random.Random(4)
    while tables.look(made.game, NEUTRAL).waiting_for != side:
        assert tables.look(made.game, NEUTRAL).proposal is not None  # the other side's answers do not settle it
        step(tables, made.game, chance)
    step(tables, made.game, chance)
    assert tables.look(made.game, NEUTRAL).proposal is None


def test_what_the_other_side_takes_back_in_secret_settles_no_proposal(tables: Tables) -> None:
    """Otherwise who asks would learn that the other side has answered something, and has taken it back."""
    made = two(tables, "midway")
    chance = random.Random(1)
    side = tables.look(made.game, NEUTRAL).waiting_for
    assert side is not None
    while tables.look(made.game, NEUTRAL).waiting_for == side:
        step(tables, made.game, chance)
    other = tables.look(made.game, NEUTRAL).waiting_for
    assert other is not None
    tables.propose_undo(made.game, side, fresh_nonce())
    before = tables.look(made.game, side)
    step(tables, made.game, chance)
    tables.undo(made.game, other, fresh_nonce())
    assert before.proposal is not None
    assert replace(tables.look(made.game, side), version=0) == replace(before, version=0)


def test_the_program_and_the_same_person_consent_at_once(tables: Tables) -> None:
    made = tables.create("midway", seats={"japan": "hotseat", "allies": "hotseat"})
    side = after_dice(tables, made)
    assert tables.propose_undo(made.game, side, fresh_nonce())
    assert tables.look(made.game, side).waiting_for == side


def test_nothing_is_taken_back_past_somebody_joining(tables: Tables) -> None:
    made = two(tables, "midway")
    side = after_dice(tables, made)
    tables.join(made.tokens[side], contribution=hexed())
    assert not tables.look(made.game, side).may_propose
    with pytest.raises(UndoRefused, match="added to the dice"):
        tables.propose_undo(made.game, side, fresh_nonce())


# --- players of the program and standing orders -----------------------------------------------------------------


def test_players_of_the_program_play_to_the_end(tables: Tables) -> None:
    made = tables.create("midway", seats={"japan": "doctrine", "allies": "random"})
    assert made.tokens == {}
    eventually(lambda: tables.table(made.game).finished)
    assert tables.verify(made.game).sound


def test_a_person_plays_against_the_program(tables: Tables) -> None:
    made = tables.create("midway", seats={"japan": "doctrine"}, level="step")  # nothing is passed by itself
    chance = random.Random(7)

    def mine() -> bool:
        table = tables.table(made.game)
        return table.finished or table.waiting_for == "allies"

    while True:
        eventually(mine)
        if not step(tables, made.game, chance):
            break
    assert tables.verify(made.game).sound


def test_players_of_the_program_go_on_when_the_server_starts_again(open_tables: Open) -> None:
    first = open_tables()
    first._playing._stopped = True  # it is stopped before its players answer
    made = first.create("first-battle", seats={"japan": "random", "allies": "random"})
    assert not first.table(made.game).finished
    second = open_tables()
    second.start_waiting_players()
    eventually(lambda: second.table(made.game).finished)
    assert second.verify(made.game).sound


def test_standing_orders_answer_and_a_take_back_puts_them_aside_once(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flagplot.table.playing.staff.delay", lambda live: 0.0)
    made = two(tables, "midway")
    side = tables.table(made.game).waiting_for
    assert side is not None
    question, _, _ = tables.asked(made.game, side)
    assert question is not None
    verb = question.options[0].text.split(":")[0]
    orders = f'[[order]]\r\nwhen = "{verb}"\r\nanswer = "first"\r\n'
    with pytest.raises(OrdersError):
        tables.set_orders(made.game, side, "[[order]]\nwhen = 3")
    with pytest.raises(OrdersError):
        tables.set_orders(made.game, side, "this is not TOML")
    tables.set_orders(made.game, side, orders)
    assert tables.orders(made.game, side) == orders.replace("\r\n", "\n")
    eventually(lambda: tables.asked(made.game, side)[0] != question)
    if tables.look(made.game, side).may_undo:
        tables.undo(made.game, side, fresh_nonce())
        time.sleep(0.05)
        again, _, _ = tables.asked(made.game, side)
        assert again is not None
        assert again.options[0].text.split(":")[0] == verb
    tables.set_orders(made.game, side, "")
    assert tables.orders(made.game, side) == ""


# --- since, replay, old rules -----------------------------------------------------------------------------------


def test_what_happened_since_a_seat_looked(tables: Tables) -> None:
    made = two(tables, "midway")
    first = tables.since(made.game, "japan")
    assert first.when is None
    tables.seen(made.game, "japan", first.total)
    assert tables.since(made.game, "japan").entries == []
    play(tables, made.game)
    news = tables.since(made.game, "japan")
    assert len(news.entries) == news.total - first.total > 0
    assert news.when is not None
    assert len(tables.since(made.game, "allies").entries) == news.total or tables.since(made.game, "allies").total > 0


def test_a_replay_shows_what_a_side_saw_then(tables: Tables) -> None:
    made, chance = two(tables, "denmark-strait"), random.Random(9)
    seen = []
    while (side := tables.look(made.game, NEUTRAL).waiting_for) is not None:
        step(tables, made.game, chance)
        seen.append((side, tables.look(made.game, side)))
    for side in ("germany", "britain"):
        steps = tables.replay(made.game, side, 0).steps
        shown = [tables.replay(made.game, side, place) for place in range(steps + 1)]
        told = [(look.view, look.log, look.moment) for look in shown]
        mine = [look for who, look in seen if who == side]
        assert len(mine) >= 2
        assert all((look.view, look.log, look.moment) in told for look in mine)
        assert shown[-1].result == tables.look(made.game, side).result is not None
        assert all(look.result is None for look in shown[:-1]), "the end is one step, whoever answered last"
        assert [(look.step, look.steps) for look in shown] == [(place, steps) for place in range(steps + 1)]
    for wrong in (1000, -1):
        with pytest.raises(BadValue):
            tables.replay(made.game, "britain", wrong)
    assert tables.replay(made.game, UMPIRE, 0).steps >= tables.replay(made.game, "britain", 0).steps


def test_a_replay_counts_no_secret_answers_of_the_other_side(tables: Tables) -> None:
    made, chance = two(tables, "midway"), random.Random(11)
    quiet = 0
    for _ in range(25):
        looks = {side: tables.look(made.game, side) for side in ("japan", "allies")}
        other = "japan" if looks["japan"].waiting_for == "allies" else "allies"
        before, steps = looks[other], tables.replay(made.game, other, 0).steps
        if not step(tables, made.game, chance):
            break
        after = tables.look(made.game, other)
        if (after.view, after.log, after.moment) == (before.view, before.log, before.moment):
            quiet += 1
            assert tables.replay(made.game, other, 0).steps == steps
    assert quiet >= 3
    for reader in (NEUTRAL, UMPIRE):
        with pytest.raises(NotYet):
            tables.replay(two(tables).game, reader, 0)


def test_a_table_of_older_rules_is_kept_but_not_played(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    made = two(tables)
    tables._playing.games.forget(made.game)
    monkeypatch.setattr(library.ruleset("awaw"), "version", "awaw-99")
    table = tables.table(made.game)
    assert "awaw-99" in table.readonly
    with pytest.raises(OldRules, match="kept as it is"):
        tables.look(made.game, "japan")
    with pytest.raises(OldRules):
        tables.answer(made.game, "japan", "x", 0, fresh_nonce())


def test_a_table_whose_lines_are_of_an_older_format_is_kept_but_not_played(tables: Tables) -> None:
    from sqlalchemy import update

    from flagplot.table.store.schema import lines

    made = two(tables)
    first = tables.store.lines(made.game)[0].text
    with tables.store._writing() as connection:
        old = first.replace('{"flagplot":2', '{"flagplot":1', 1)
        connection.execute(update(lines).where(lines.c.game == made.game, lines.c.n == 0).values(text=old))
    tables._playing.games.forget(made.game)
    assert "saves of format 1" in tables.table(made.game).readonly
    with pytest.raises(OldRules, match=r"format 1.*kept as it is"):
        tables.look(made.game, "japan")


def test_every_answer_has_the_receipt_of_its_own_line_also_the_one_that_ends_the_game(tables: Tables) -> None:
    made, chance, receipts = two(tables, "force-z"), random.Random(5), dict[str, str]()
    while (side := tables.table(made.game).waiting_for) is not None:
        question, _, _ = tables.asked(made.game, side)
        assert question is not None
        nonce = f"{len(receipts):032x}"
        receipts[nonce] = tables.answer(made.game, side, chance.choice(question.options).text, question.at, nonce)
    bodies = [json.loads(text) for text in tables.save(made.game).splitlines()]
    assert "nonce" in bodies[-2]  # no dice after the last answer
    secret = bodies[-1]["secret"]
    assert receipts == {body["nonce"]: receipt_of(secret, body["hash"]) for body in bodies if "nonce" in body}


def test_an_answer_that_is_sent_again_with_its_nonce_gets_its_receipt_again(tables: Tables) -> None:
    made, nonce = two(tables, "midway"), hexed()[:32]
    side = tables.table(made.game).waiting_for or ""
    question, _, _ = tables.asked(made.game, side)
    assert question is not None
    receipt = tables.answer(made.game, side, question.options[0].text, question.at, nonce)
    rows = tables.table(made.game).version
    assert tables.answer(made.game, side, question.options[0].text, question.at, nonce) == receipt
    with pytest.raises(BadValue, match="used for something else"):
        tables.answer(made.game, side, question.options[1].text, question.at, nonce)
    assert tables.table(made.game).version == rows
    play(tables, made.game)
    bodies = [json.loads(line.text) for line in tables.store.lines(made.game)]
    (mark,) = [body["hash"] for body in bodies if body.get("nonce") == nonce]
    assert receipt == receipt_of(bodies[-1]["secret"], mark)


def test_a_seat_that_changes_hands_is_on_the_tape(tables: Tables) -> None:
    made = two(tables, "midway")
    fresh = tables.handovers.replace_link(made.tokens["japan"], "japan")
    tables.handovers.hand_over(made.host_token, "allies", "doctrine:withdraw_below=0.3")
    eventually(lambda: tables.table(made.game).finished or tables.table(made.game).waiting_for == "japan")
    tables.handovers.hand_over(made.host_token, "allies", "person")
    assert tables.seat(fresh).sides == ("japan",)
    bodies = [json.loads(line.text) for line in tables.store.lines(made.game)]
    assert bodies[0]["seats"] == {"japan": "person", "allies": "person"}
    assert [(body["side"], body["seat"]) for body in bodies if "seat" in body] == [
        ("japan", "person"),
        ("allies", "doctrine:withdraw_below=0.3"),
        ("allies", "person"),
    ]
    play(tables, made.game)
    assert tables.verify(made.game).sound


# --- news -------------------------------------------------------------------------------------------------------


def test_those_who_wait_hear_of_answers_also_from_another_server(open_tables: Open) -> None:
    first, second = open_tables(), open_tables()
    made = two(first)
    waiting = second if first.store.shared else first
    if waiting._listener is not None:
        assert waiting._listener.ready.wait(PATIENCE)
    tick, heard = waiting.tick(made.game), []
    thread = threading.Thread(target=lambda: heard.append(waiting.wait(made.game, tick, PATIENCE)))
    thread.start()
    step(first, made.game, random.Random(1))
    thread.join()
    assert heard[0] != tick
    assert waiting.wait(made.game, heard[0], 0.3) <= heard[0] + 3, "word of the set-up may come late, but no more"


def test_a_side_waits_in_an_event_loop(tables: Tables) -> None:
    import asyncio

    made = two(tables)

    async def scene() -> list[Any]:
        told: list[Any] = []
        with tables.subscribe(made.game, "japan") as news:
            told.append(tables.table(made.game).holders["japan"].present)
            waits = [await news.wait(0.3) for _ in range(5)]  # word of the set-up may still come from the database
            told.append(waits[-1])
            await asyncio.to_thread(step, tables, made.game, random.Random(1))
            told.append(await news.wait(PATIENCE))
            tables.stop_streams()
            told.append(await news.wait(PATIENCE))
            told.append(news.stopped)
        told.append(tables.wakeups.streams)
        return told

    assert asyncio.run(scene()) == [True, False, True, True, True, 0]


def test_the_clock_tells_nothing_of_single_answers(tables: Tables) -> None:
    made, chance = two(tables, "midway"), random.Random(2)
    for _ in range(12):
        before = tables.look(made.game, NEUTRAL)
        step(tables, made.game, chance)
        after = tables.look(made.game, NEUTRAL)
        same = before.waiting_for == after.waiting_for and before.log == after.log
        assert not same or before.waiting_since == after.waiting_since
