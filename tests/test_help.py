"""Help at a question explains the choice: every kind of decision of both games says what it means and cites a rule."""

from __future__ import annotations

import re
from typing import Any

import pytest

import flagplot
from flagplot import library
from flagplot.kernel.explaining import Help, help_for, verb_of
from flagplot.kernel.requests import Choose
from flagplot.register.rule_lookup import is_known

GAMES = ("awaw", "line-of-battle")


def helps(game: str) -> dict[str, Help]:
    rules: Any = library.ruleset(game)
    return dict(rules.helps)


@pytest.mark.parametrize("game", GAMES)
def test_every_verb_has_help_and_no_other(game: str) -> None:
    rules: Any = library.ruleset(game)
    known = {word.rpartition("/")[2] for word in rules.levels.words}
    explained = {word.rpartition("/")[2] for word in helps(game)}
    assert sorted(known - explained) == []
    assert sorted(explained - known) == []


@pytest.mark.parametrize("game", GAMES)
def test_help_of_a_procedure_names_one_that_there_is(game: str) -> None:
    procedures = {*library.ruleset(game).procedures}
    named = {word.partition("/")[0] for word in helps(game) if "/" in word}
    assert sorted(named - procedures) == []


@pytest.mark.parametrize("game", GAMES)
def test_help_is_two_sentences_at_most_and_cites_a_rule(game: str) -> None:
    for word, told in helps(game).items():
        sentences = re.findall(r"[.!?](?:\s|$)", told.says)
        assert 1 <= len(sentences) <= 2, word
        assert len(told.says) <= 200, word
        assert is_known(told.rule) or told.rule.startswith("21."), word


def test_the_pending_question_is_explained() -> None:
    game = flagplot.load("first-battle", seed=7)
    game.choose("strengthen:alone")
    assert isinstance(game.pending, Choose)
    told = help_for(game, verb_of(game.pending))
    assert told is not None
    assert str(told).startswith("Groups with low numbers meet the enemy earlier")
    assert told.rule == "22.423"
