"""Answers that lie on the map: the hexes that options name, the paths of ways, and who could intercept."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import flagplot
from flagplot.awaw.board.answers_on_map import map_answers, threats_on
from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.mapboard.reading import read_map
from flagplot.awaw.operations.interception.dice import dice_of, prey
from flagplot.board.model import MapAnswer
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose

ORDER = "order:carrier-force:0"


@pytest.fixture(scope="module")
def board() -> Mapboard:
    return read_map("coral-sea")


def asked(*answers: str) -> Game[Any]:
    game = flagplot.load("coral-sea-operation", seed=7)
    for answer in answers:
        game.choose(answer)
    return game


def found(game: Game[Any], board: Mapboard, chosen: dict[str, str] | None = None) -> dict[str, MapAnswer]:
    assert isinstance(game.pending, Choose)
    offered = [(option.text, option.label) for option in game.pending.options]
    answers = map_answers(game.view(game.pending.side).position, board, offered, chosen)
    return {answer.option: answer for answer in answers}


def test_an_order_lies_where_it_leads_with_the_shortest_way(board: Mapboard) -> None:
    answers = found(asked(), board)
    assert answers["order:carrier-force:stay"].at == board.find("truk")
    there = answers[ORDER]
    assert there.at == there.path[-1] == board.find("coral-sea")
    assert there.path == board.sea_path(board.find("truk"), there.at)
    assert answers["order:carrier-force:2"].at == board.find("rabaul")


def test_a_way_lies_where_it_passes_and_has_its_own_path(board: Mapboard) -> None:
    game = asked(ORDER)
    ways = found(game, board)
    assert len(ways) == len(game.pending.options) > 5  # type: ignore[union-attr]
    for text, way in ways.items():
        assert way.is_way
        assert way.path[0] == board.find("truk")
        assert way.path[-1] == board.find("coral-sea")
        assert way.at in way.path
        assert f"{len(way.path) - 1} hexes" in way.words
        assert text.endswith(("direct", next(place.id for place in board.places if place.at == way.at)))


def test_the_path_that_is_shown_is_the_one_that_is_sailed(board: Mapboard) -> None:
    way = found(asked(ORDER), board)["way:carrier-force:milne-bay"]
    game = asked(ORDER, way.option)
    voyages = game.view("japan").position.operation.voyages
    assert [voyage.path for voyage in voyages.values()] == [way.path]


def test_a_plan_says_which_order_a_way_belongs_to(board: Mapboard) -> None:
    game = asked()
    position = game.view("japan").position
    offered = [("way:carrier-force:direct", "the shortest way")]
    for number, place in ((0, "coral-sea"), (1, "the-slot"), (2, "rabaul")):
        chosen = {"order:carrier-force": f"order:carrier-force:{number}"}
        assert map_answers(position, board, offered, chosen)[0].path[-1] == board.find(place)
    assert map_answers(position, board, offered) == ()  # it could be any of them


def test_bases_forces_and_hexes_are_found_by_the_last_word(board: Mapboard) -> None:
    position = asked().view("japan").position
    options = [
        ("counterair:lae", "Lae"),
        ("sail:carrier-force", "TF 1"),
        ("intercept:v1:1:3,-1", "there"),
        ("go:4", "4"),
    ]
    hexes = {answer.option: answer.at for answer in map_answers(position, board, options)}
    assert hexes == {
        "counterair:lae": board.find("lae"),
        "sail:carrier-force": board.find("truk"),
        "intercept:v1:1:3,-1": (3, -1),
    }


@pytest.mark.rule("22.22")
@pytest.mark.parametrize("way", ["direct", "milne-bay", "guadalcanal"])
def test_the_dice_that_are_told_are_those_that_the_rules_count(board: Mapboard, way: str) -> None:
    """Task Force 17 has fast ships, as its marker is taken for; the others lie open."""
    game = asked(ORDER)
    chosen = found(game, board)[f"way:carrier-force:{way}"]
    told = threats_on(game.view("japan").position, board, chosen.option, chosen.path, ORDER)
    assert [threat.who for threat in told] == ["TF 1 (Allies)", "group 1 (Allies)", "a submarine from Brisbane"]
    game.choose(chosen.option)
    operation = game.state.operation
    voyage = next(iter(operation.voyages))
    for threat in told:
        about = prey(game.state, voyage, 0, threat.meet)
        ships = next((force.group.ships for force in operation.fleet.values() if force.marker == threat.who), None)
        ledger = dice_of(about, ships, 1)
        assert ledger.total == threat.dice
        assert sum(amount for amount, _, _ in threat.reasons) == ledger.total
        assert threat.hexes == board.sea_distance(threat.at, threat.meet)


def test_nobody_is_threatened_by_his_own_side_or_without_a_path(board: Mapboard) -> None:
    position = asked().view("japan").position
    answer = found(asked(), board)[ORDER]
    threats = threats_on(position, board, answer.option, answer.path)
    assert all("(Japan)" not in threat.who for threat in threats)
    assert threats_on(position, board, answer.option, answer.path[:1]) == ()
    assert threats_on(position, board, "patrol:carrier-force:2", answer.path) == ()


def test_who_is_hidden_is_judged_by_his_marker_alone(board: Mapboard) -> None:
    """Other ships under the marker of Task Force 17 change nothing that Japan is told."""
    game = asked()
    answer = found(game, board)[ORDER]
    told = threats_on(game.view("japan").position, board, answer.option, answer.path)
    for seed in range(3):
        other = game.ruleset.reshuffle(game.state, "japan", Random(seed))
        seen = game.ruleset.look(other, "japan")
        assert threats_on(seen, board, answer.option, answer.path) == told


@pytest.mark.rule("22.11A.6")
def test_nobody_is_expected_where_a_force_is_safe() -> None:
    """From Kiel to Bergen the coast of Norway is safe, from Kiel to Trondheim it is not."""
    norway = read_map("norway")
    game = flagplot.load("norwegian-sortie", seed=7)
    position = game.view("germany").position
    safe = set(position.operation.safe_coast)
    assert safe
    answers = {norway.name_of(answer.at): answer for answer in found(game, norway).values()}
    path = answers["Bergen"].path
    assert safe & {*path}
    along = path[: path.index(next(at for at in path if at in safe)) + 1]
    unsafe = threats_on(position, norway, answers["Trondheim"].option, along)
    assert {one.meet for one in unsafe} & safe
    assert not {one.meet for one in threats_on(position, norway, answers["Bergen"].option, along)} & safe
