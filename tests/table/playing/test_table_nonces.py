"""Nonces and receipts: nothing is done twice, and the server cannot take back what it has acknowledged."""

from __future__ import annotations

import hmac
import json
import random
from typing import Any

import pytest

from flagplot.kernel.errors import BadValue, FlagplotError, UndoRefused
from flagplot.table.info import Created, Question
from flagplot.table.refusals import Conflict
from flagplot.table.tables import Tables
from tests.table.nonces import fresh_nonce


def asked(tables: Tables, made: Created) -> Question:
    """What the side is asked whose turn it is."""
    return next(question for side in made.tokens if (question := tables.asked(made.game, side)[0]))


def line_with(tables: Tables, made: Created, key: str, value: str) -> dict[str, Any]:
    return next(body for line in tables.store.lines(made.game) if (body := json.loads(line.text)).get(key) == value)


def test_the_same_answer_sent_again_is_given_once_and_has_the_same_receipt(tables: Tables) -> None:
    made = tables.create("denmark-strait")
    question, nonce = asked(tables, made), fresh_nonce()
    option, at = question.options[0].text, question.at
    receipt = tables.answer(made.game, question.side, option, at, nonce)
    lines = tables.store.count(made.game)
    assert tables.answer(made.game, question.side, option, at, nonce) == receipt
    assert tables.answer(made.game, question.side, option, at + 300, nonce) == receipt
    assert tables.store.count(made.game) == lines
    if len(question.options) > 1:
        with pytest.raises(FlagplotError):
            tables.answer(made.game, question.side, question.options[1].text, at, nonce)
    other = asked(tables, made)
    with pytest.raises(FlagplotError):
        tables.answer(made.game, other.side, other.options[0].text, other.at, nonce)
    assert tables.store.count(made.game) == lines
    assert tables.receipt(made.game, question.side, nonce) == receipt


@pytest.mark.parametrize("nonce", ["", "abc", "AB" * 16, "ab" * 17, "xy" * 16])
def test_without_a_nonce_nothing_is_done(tables: Tables, nonce: str) -> None:
    made = tables.create("denmark-strait")
    question = asked(tables, made)
    lines = tables.store.count(made.game)
    with pytest.raises(BadValue, match="32 hexadecimal digits"):
        tables.answer(made.game, question.side, question.options[0].text, question.at, nonce)
    with pytest.raises(BadValue, match="32 hexadecimal digits"):
        tables.undo(made.game, question.side, nonce)
    with pytest.raises(BadValue, match="32 hexadecimal digits"):
        tables.propose_undo(made.game, question.side, nonce)
    with pytest.raises(BadValue, match="32 hexadecimal digits"):
        tables.consent(made.game, question.side, True, nonce)
    assert tables.store.count(made.game) == lines


def test_every_receipt_fits_the_finished_game_and_none_is_a_bare_hash(tables: Tables) -> None:
    made = tables.create("denmark-strait")
    chance, receipts = random.Random(3), dict[str, str]()
    for side in made.tokens:
        bytes_of_its_own = chance.randbytes(32).hex()
        receipts[bytes_of_its_own] = tables.contribute(made.game, side, bytes_of_its_own)
        assert tables.contribute(made.game, side, bytes_of_its_own) == receipts[bytes_of_its_own]
        with pytest.raises(Conflict, match="already"):
            tables.contribute(made.game, side, chance.randbytes(32).hex())
    while not tables.table(made.game).finished:
        question, nonce = asked(tables, made), fresh_nonce()
        option = chance.choice(question.options).text
        receipts[nonce] = tables.answer(made.game, question.side, option, question.at, nonce)
        if len(receipts) == 4:
            nonce = fresh_nonce()
            receipts[nonce] = tables.undo(made.game, question.side, nonce)
            assert tables.undo(made.game, question.side, nonce) == receipts[nonce], "not twice"
    bodies = [json.loads(text) for text in tables.save(made.game).splitlines()]
    secret = bodies[-1]["secret"]
    for sent, receipt in receipts.items():
        line = next(body for body in bodies if sent in (body.get("nonce"), body.get("contribute")))
        assert receipt == hmac.new(secret.encode(), f"receipt/{line['hash']}".encode(), "sha256").hexdigest()
        assert receipt != line["hash"]
    assert len(set(receipts.values())) == len(receipts) > 10
    assert tables.verify(made.game).sound


def test_a_side_gets_receipts_of_its_own_acts_alone(tables: Tables) -> None:
    made = tables.create("denmark-strait")
    question, nonce = asked(tables, made), fresh_nonce()
    receipt = tables.answer(made.game, question.side, question.options[0].text, question.at, nonce)
    other = next(side for side in made.tokens if side != question.side)
    assert tables.receipt(made.game, question.side, nonce) == receipt
    assert tables.receipt(made.game, other, nonce) == ""
    assert tables.receipt(made.game, question.side, fresh_nonce()) == ""


def test_who_consents_gets_the_receipt_of_the_take_back(tables: Tables) -> None:
    made = tables.create("midway")
    question = asked(tables, made)
    side = question.side
    while (question := asked(tables, made)).side == side:
        tables.answer(made.game, side, question.options[0].text, question.at, fresh_nonce())
    other = question.side
    assert tables.propose_undo(made.game, side, fresh_nonce()) is None
    nonce = fresh_nonce()
    receipt = tables.consent(made.game, other, True, nonce)
    assert tables.receipt(made.game, other, nonce) == receipt != ""
    assert tables.receipt(made.game, side, nonce) == ""
    assert tables.consent(made.game, other, True, nonce) == receipt, "not twice"
    line = line_with(tables, made, "nonce", nonce)
    assert (line["side"], line["consent"]) == (side, other)
    with pytest.raises((Conflict, UndoRefused)):
        tables.consent(made.game, other, True, fresh_nonce())
