"""Help at the table: what a decision means, why something is not offered, what comes next; the words of the game."""

from __future__ import annotations

import re

import pytest

import flagplot
from flagplot.kernel.requests import Choose
from flagplot.register.glossary import terms
from flagplot.table.help.page import told
from flagplot.table.pages import slug, with_rare_terms, with_terms
from tests.games import decisions
from tests.table.battle.test_table_pages import words
from tests.table.halls import Hall


def test_a_word_of_the_game_is_marked_once_and_leads_to_the_glossary() -> None:
    made = str(with_terms("CAP over the Carrier Group: no CAP, see 23.33"))
    assert made.count('data-term="cap"') == 1
    assert 'href="/glossary#cap"' in made
    assert 'data-rule="23.33"' in made, "numbers of rules are links as before"
    assert with_terms("1 hit <b>") == "1 hit &lt;b&gt;", "everyday words are not marked, and all is escaped"
    assert with_terms("CAP") is with_terms("CAP"), "a text is looked through once"
    line = "2 squadrons fly CAP"
    assert with_terms(line).count("data-term") == 2
    assert with_rare_terms(line).count("data-term") == 1, "in the log common words are not marked"


def test_every_word_has_its_place_in_the_glossary(hall: Hall) -> None:
    client = hall.stranger()
    page, data = client.get("/glossary").text, client.get("/glossary.json").json()
    for term in terms():
        assert f'id="{slug(term.name)}"' in page
        assert data[slug(term.name)]["says"] == term.says
    assert len({slug(term.name) for term in terms()}) == len(terms())


def test_help_says_what_the_decision_means(hall: Hall) -> None:
    made = hall.make("first-battle")
    japan = hall.browser(made, "japan")
    page = japan.get(f"/table/{made.game}")
    assert f'href="/table/{made.game}/help"' in page.text
    card = words(japan.get(f"/table/{made.game}/help", headers={"HX-Request": "true"}).text)
    assert "Your decision" in card
    assert "Groups with" in card or "escort" in card
    assert "What comes next" in card
    assert "<html" in japan.get(f"/table/{made.game}/help").text, "without script a page"
    waiting = words(hall.browser(made, "allies").get(f"/table/{made.game}/help").text)
    assert "Where we are" in waiting
    assert "Your decision" not in waiting


def test_help_says_which_forces_are_not_offered_and_why() -> None:
    game = flagplot.load("norwegian-sortie", seed=1)
    found = told(game, "germany", game.sheet("germany"))
    assert found.explained
    assert found.reasons
    for reasons in found.reasons.values():
        assert all([re.match(r"[\dA-Z]", rule) for _, rule in reasons])
    assert not told(game, "britain", None).decisions


@pytest.mark.parametrize(
    ("scenario", "about", "rule"),
    [
        ("malta", "Alexandria", "18.521"),
        ("ceylon-raid", "Cornwall", "LOB-20"),
        ("coral-sea", "the Port Moresby Invasion Force", "22.421C"),
    ],
)
def test_every_kind_of_play_says_why_not(scenario: str, about: str, rule: str) -> None:
    game = flagplot.load(scenario, seed=1)
    found = set[tuple[str, str]]()
    while game.pending and (about, rule) not in found:
        if isinstance(game.pending, Choose):
            reasons = told(game, game.pending.side, None).reasons
            found |= {(name, number) for name, entries in reasons.items() for _, number in entries}
            game.choose(game.pending.option(0).text)
        else:
            game.roll()
    assert (about, rule) in found


def test_after_the_withdrawal_comes_another_round() -> None:
    game = flagplot.load("denmark-strait", seed=2)
    for asked in decisions(game):
        if asked.option(0).text.startswith("withdraw"):
            break
        game.choose(asked.option(0).text)
    (line,) = told(game, game.sides[0], None).ahead
    assert (line.now, line.then) == ("withdrawal", ("the next round, unless the battle ends",))


def test_every_question_of_a_plan_is_explained_once() -> None:
    game = flagplot.load("first-battle", seed=3)
    sheet = game.sheet("japan")
    asked = told(game, "japan", sheet).decisions
    assert [one.help is not None for one in asked] == [True] * len(asked)
    assert len(asked) == len({field.family for field in sheet.open_to()})
