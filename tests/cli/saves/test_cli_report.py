"""The report of a battle: what it tells, to whom, in how many columns, and what it keeps back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import flagplot
from flagplot.awaw.ships import Kind, ship
from flagplot.awaw.views.units import ShipView, counted_together, ships_seen
from flagplot.kernel.dice import Committed
from flagplot.kernel.game import Game
from flagplot.kernel.naming import ending_words, in_sentence, plainly
from flagplot.kernel.words import capital
from flagplot.players.random import RandomPlayer
from flagplot.report.gathering import gathered, numbers
from flagplot.report.page import page, winner

Run = Callable[..., Any]


def played(name: str = "midway", seed: int = 2, until: int | None = None, **more: Any) -> Game[Any]:
    game = flagplot.load(name, **({"seed": seed} | more))
    game.play({side: RandomPlayer(seed + place) for place, side in enumerate(game.sides)}, until=until)
    return game


def text_of(game: Game[Any], reader: str = "umpire") -> str:
    return "\n".join(page(gathered(game, reader, "game.jsonl")))


def joined(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture(scope="module")
def battle() -> Game[Any]:
    return played()


def test_it_is_plain_text_for_a_letter(run: Run, tmp_path: Path, battle: Game[Any]) -> None:
    battle.save(tmp_path / "game.jsonl", follow=False)
    ran = run("report", "game.jsonl")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert max(map(len, lines)) <= 72
    assert lines[:2] == ["Midway, June 1942", "================="]
    assert "Japan (moving) against the United States" in ran.out
    rounds = battle.view("umpire").data["round"]
    assert f"{rounds} round{'s' * (rounds != 1)} fought. As known to the umpire." in ran.out
    titles = ["Result", "Losses", "Consequences", "House rules", "Proof"]
    assert [line for line in lines if line in titles] == titles
    assert f"  {battle.tape().head}" in lines
    assert "Dice: seed 2." in lines
    assert "To verify it: flagplot verify game.jsonl" in lines
    assert run("verify", "game.jsonl").code == 0
    assert flagplot.verify("game.jsonl").head == battle.tape().head


def test_it_names_the_winner_and_the_rule(battle: Game[Any]) -> None:
    result = battle.result
    assert result
    told = joined(text_of(battle))
    names = {"japan": "Japan", "allies": "United States"}
    who = f"{capital(in_sentence(names[result['winner']]))} won" if result["winner"] else "No winner"
    assert f"{who}: {ending_words(result, names)} ({result['rule']})." in told
    for entry in result["consequences"]:
        assert f"{plainly(entry['text']).partition(': ')[2]} ({entry['rule']})" in told


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ({"winner": "a", "ended": "Bees withdrew", "rule": "22.71A"}, "The As won: Bees withdrew (22.71A)."),
        ({"winner": None, "ended": "all is sunk", "rule": "22.71"}, "No winner: all is sunk (22.71)."),
        ({"winner": "b"}, "Bees won."),
        ({"winner": None}, "No winner."),
    ],
)
def test_words_for_the_winner(result: dict[str, Any], words: str) -> None:
    assert winner(result, {"a": "The As", "b": "Bees"}) == words


def test_losses_by_side(battle: Game[Any]) -> None:
    data = battle.view("umpire").data
    found = gathered(battle, "umpire", "game.jsonl")["losses"]
    assert sum(len(lost["sunk"]) for lost in found.values()) == len(data["sunk"])
    assert {**found["japan"]["air"], **found["allies"]["air"]} == data["lost"]
    assert all(key.startswith("japan/") for key in found["japan"]["air"])
    told = joined(text_of(battle))
    for sunk in data["sunk"]:
        assert sunk["text"] in told
    hurt = [hit for lost in found.values() for hit in lost["hit"]]
    assert all(hit["hits"] for hit in hurt)


def test_light_ships_of_several_groups_are_counted_together() -> None:
    def hit(number: int, laden: bool = False) -> ShipView:
        return ships_seen({ship("japan", Kind.CRUISER, "", 2, False, 0, laden, 1): number})[0]

    told = counted_together([hit(1), hit(2, laden=True), hit(1)])
    assert [(one.count, one.laden) for one in told] == [(2, False), (2, True)]
    assert told[0].text == hit(2).text


def test_submarines_and_cargo_are_among_the_losses() -> None:
    told = gathered(played(seed=2), "umpire", "x")
    told["losses"]["japan"] |= {"submarines": 2, "cargo": {"the infantry": 1}}
    text = joined("\n".join(page(told)))
    assert "submarines: 2 factors" in text
    assert "cargo: the infantry (on 1 factor)" in text


def test_a_side_is_told_no_secret_before_the_end() -> None:
    for until in (12, 40):
        game = played(until=until)
        assert game.pending is not None
        text = text_of(game, "allies")
        unseen = {group["number"] for group in game.view("allies").data["groups"] if "ships" not in group}
        assert unseen
        assert "still in progress. As known to United States." in joined(text)
        assert "Akagi" not in text
        assert "Japan:" not in text
        assert game.tape().head not in text
        assert "the seed is shown at the end" in text
        assert "seed 2" not in text
        found = gathered(game, "allies", "x")
        assert found["proof"]["head"] is None
        assert found["proof"]["answers"] is None
        assert found["proof"]["dice"] == {"kind": "seeded"}
        assert found["strength"].keys() == {"allies"}
        whole = text_of(game)
        assert game.tape().head in whole
        assert "Japan: " in whole


def test_the_umpire_is_told_where_a_battle_stands() -> None:
    text = joined(text_of(played(until=12)))
    assert "Round 1, segment B, patrol and bases; still in progress. As known to the umpire." in text
    assert "factors fit for combat." in text


def test_two_games_that_differ_in_secrets_report_alike() -> None:
    """The report of a side is made of its view, its log and what is public."""
    one, other = (played(until=1) for _ in range(2))
    assert one.pending is not None
    texts = [option.text for option in one.pending.options]  # type: ignore[union-attr]
    assert one.pending.side == "japan"
    one.choose(texts[0])
    other.choose(texts[-1])
    assert one.tape().head != other.tape().head
    assert text_of(one, "allies") == text_of(other, "allies")
    assert gathered(one, "allies", "x") == gathered(other, "allies", "x")


# --- readings ---------------------------------------------------------------------------------------------------


def test_changed_options_and_assumptions_are_listed() -> None:
    game = played(options={"cargo_hits": "owner", "damaged_cruiser_first": False})
    told = joined(text_of(game))
    assert "Changed: - Cargo hits: owner (23.43B). " in told
    assert "- Damaged cruiser first: no (T23.44-09 T23.44-11). " in told
    assert "Assumptions that came up: " in told
    assert "All standard." in joined(text_of(played()))


def test_an_assumption_of_which_nothing_came_up_is_not_listed() -> None:
    game = flagplot.load("malta", seed=1)
    assert gathered(game, "umpire", "x")["assumptions"] == []
    names = [entry["name"] for entry in gathered(played(), "umpire", "x")["assumptions"]]
    assert "task_force_escort" in names


def test_numbers_in_citations() -> None:
    assert numbers("T23.44-09") == ["23.44"]
    assert numbers("22.421A.4.2") == ["22.421A.4.2"]
    assert numbers("19.61-19.62") == ["19.61", "19.62"]
    assert numbers("SOP-NC-I.G.2") == []


# --- other games, dice and faults -------------------------------------------------------------------------------


def test_committed_dice_and_an_air_battle() -> None:
    game = played("malta", seed=1, dice=Committed("a secret"))
    text = text_of(game, "axis")
    assert "Malta, spring 1942" in text
    assert "Game over. As known to The Axis." in text
    assert f"  {Committed('a secret').commitment}" in text
    assert game.tape().head in text
    assert max(map(len, text.splitlines())) <= 72
    assert "Consequences" not in text


def test_for_programs(run: Run, tmp_path: Path, battle: Game[Any]) -> None:
    battle.save(tmp_path / "game.jsonl", follow=False)
    found = run("report", "game.jsonl", "--json", "--as", "japan").json
    assert found["as"] == "japan"
    assert found["over"] is True
    assert found["result"] == json.loads(json.dumps(battle.result))
    assert found["proof"] == {
        "dice": {"kind": "seeded", "seed": 2},
        "head": battle.tape().head,
        "answers": battle.turn,
        "command": "flagplot verify game.jsonl",
    }


def test_a_half_written_line_is_mentioned(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    played(until=20).save(path, follow=False)
    path.write_text(path.read_text(encoding="utf8")[:-9], encoding="utf8")
    assert "Note: " in run("report", "game.jsonl").out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere.jsonl"], "nowhere.jsonl"),
        (["junk.jsonl"], "junk.jsonl"),
        (["game.jsonl", "--as", "italy"], "“italy”. Use japan, allies or umpire"),
    ],
)
def test_bad_input(run: Run, tmp_path: Path, arguments: list[str], told: str) -> None:
    played(until=3).save(tmp_path / "game.jsonl", follow=False)
    (tmp_path / "junk.jsonl").write_text("{}\nno\n", encoding="utf8")
    ran = run("report", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


def test_the_end_of_a_game_offers_it(run: Run) -> None:
    players = ("--player", "japan=random", "--player", "allies=random", "--seed", "2")
    ran = run("play", "midway", *players, "--save", "my game.jsonl")
    assert "  flagplot report 'my game.jsonl'\n  flagplot review 'my game.jsonl'\n" in ran.out
    assert "Ahead" not in ran.out
    assert "Ahead" in run("play", "malta", "--seed", "1").out
