"""The map on the battle page: its layers, what can be chosen on it, and what is known of each path, also in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup

from flagplot import library
from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.own_groups import in_own_words
from flagplot.awaw.tables.counts import interception_distance
from flagplot.board.model import Board, Hex, MapAnswer, Threat
from flagplot.draw.map.page import (
    answer_layers,
    board_named,
    ground_layers,
    map_in_words,
    moving_layers,
    places_in_words,
)
from flagplot.kernel.sheets import Sheet
from flagplot.kernel.words import capital
from flagplot.odds.answers.dice import sum_of_dice
from flagplot.table.battle.board_page import PLAN
from flagplot.table.info import Look
from flagplot.table.pages import environment


class Fact(NamedTuple):
    """Something that is known of a path."""

    name: str
    value: str
    more: str = ""

    def __str__(self) -> str:
        return f"{self.name}: {self.value}" + (f" ({self.more})" if self.more else "")


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of an option that lies on the map."""

    option: str
    words: str
    facts: tuple[Fact, ...]

    @property
    def sentence(self) -> str:
        return ". ".join([self.words, *map(str, self.facts)])


@dataclass(frozen=True, slots=True)
class MapParts:
    """The map of a position for a page."""

    ground: Markup
    layers: Markup
    places: Sequence[tuple[Hex, str, str]]
    """What is where: hex, name of the place, what there is."""
    words: Sequence[str]
    reaches: tuple[tuple[str, str], ...]
    """Ranges that can be shown: what they are called on the drawing, and in words."""


def map_drawn(board: Board, scenario_map: Any) -> MapParts | None:
    """The map of a board, as the scenario names it or holds it."""
    if board.sea is None or scenario_map is None:
        return None
    chart = board_named(scenario_map)
    return MapParts(
        ground=Markup(ground_layers(chart, board.sea.bases)),
        layers=Markup(moving_layers(chart, board.sea)),
        places=places_in_words(board.sea, chart),
        words=map_in_words(board.sea, chart),
        reaches=tuple([(reach.key, reach.words) for reach in board.sea.reaches]),
    )


# --- what can be chosen -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chosen:
    """What can be chosen on the map: the layers, and what is known of each option."""

    layers: Markup
    known: tuple[Known, ...]


def choices_of(look: Look, sheet: Sheet | None = None) -> Chosen | None:
    """The answers of the question that lie on the map, or of the fields of a plan: that of the look, or another."""
    if look.pending is None or look.chart is None:
        return None
    chart, plan = board_named(look.chart), sheet or look.sheet
    if plan is not None:
        return _chosen(look, chart, _in_plan(look, chart, plan), PLAN, {one.key: one.chosen for one in plan.fields})
    offered = [(choice.text, choice.label) for choice in look.pending.options]
    found = library.map_answers(look.game, look.view, chart, offered)
    keys = {choice.text: str(choice.number) for choice in look.pending.options if choice.number < 10}
    answers = [answer._replace(key=keys.get(answer.option, "")) for answer in found]
    return _chosen(look, chart, answers, f"asked-{look.pending.at}", {})


def _in_plan(look: Look, chart: Mapboard, plan: Sheet) -> list[MapAnswer]:
    """What sets a field of the plan that its side decides itself."""
    chosen = {one.key: one.chosen for one in plan.fields}
    answers = []
    for field in plan.open_to():
        offered = [(offer.text, offer.label) for offer in field.offers]
        for answer in library.map_answers(look.game, look.view, chart, offered, chosen):
            words = f"{field.question} {answer.words}"
            answers.append(answer._replace(field=field.key, words=words, chosen=answer.option == field.chosen))
    return answers


def _chosen(
    look: Look, chart: Mapboard, answers: Sequence[MapAnswer], form: str, plan: Mapping[str, str]
) -> Chosen | None:
    if not answers:
        return None
    name = str(look.view.sides.get(look.reader, ""))
    answers = [answer._replace(words=in_own_words(answer.words, name)) for answer in answers]
    orders = [plan.get("order:" + answer.option.split(":")[1], "") if answer.is_way else "" for answer in answers]
    known = tuple([known_of(look, chart, answer, order) for answer, order in zip(answers, orders, strict=True)])
    told = {one.option: one.sentence for one in known}
    return Chosen(Markup(answer_layers(chart, answers, form, _nation(look), told)), known)


def _nation(look: Look) -> str:
    position: Any = look.view
    nations = position.operation.nations if position.operation else {}
    return str(nations.get(look.reader, ("",))[0])


def known_of(look: Look, chart: Mapboard, answer: MapAnswer, order: str = "") -> Known:
    """What is known of an option: how far it is, through which straits, who could intercept and how likely."""
    facts = list(_facts(look, chart, answer, order)) if len(answer.path) > 1 else []
    return Known(answer.option, answer.words, tuple(facts))


def _facts(look: Look, chart: Mapboard, answer: MapAnswer, order: str) -> Iterator[Fact]:
    hexes = len(answer.path) - 1
    yield Fact("Distance", f"{hexes} hex{'es' * (hexes != 1)}")
    if straits := chart.straits_along(answer.path):
        yield Fact("Through", ", ".join(straits))
    theatre = "pacific" if chart.pacific else "europe"
    threats = library.threats_on(look.game, look.view, chart, answer.option, answer.path, order)
    risks = sorted([(chance_of(threat, theatre), threat) for threat in threats], key=lambda risk: -risk[0])
    for chance, threat in risks:
        if chance:
            dice = f"{threat.dice} di{'c' * (threat.dice != 1)}e over {threat.hexes} hex{'es' * (threat.hexes != 1)}"
            where = f"{capital(chart.name_of(threat.meet))}, {dice}"
            yield Fact(f"Interception by {threat.who}", _percent(chance), where)
    if not any([chance for chance, _ in risks]):
        yield Fact("Interception", "none", "by nobody that you know of")


@lru_cache(maxsize=4096)
def _reaching(dice: int, hexes: int, theatre: str) -> Fraction:
    return sum_of_dice(dice).chance(lambda total: interception_distance(total, theatre) >= hexes)


def chance_of(threat: Threat, theatre: str) -> Fraction:
    """22.23: the chance that an attempt reaches the interception hex in time, if it is the only one."""
    return _reaching(threat.dice, threat.hexes, theatre)


def _percent(chance: Fraction) -> str:
    if 0 < chance < Fraction(1, 100):
        return "under 1%"
    return "over 99%" if Fraction(99, 100) < chance < 1 else f"{round(chance * 100)}%"


def answers_partial(look: Look, sheet: Sheet) -> str:
    """What can be chosen on the map of a page, for another plan than the one that it shows."""
    text = environment().get_template("battle_answers.html").render(on_map=choices_of(look, sheet))
    return f'<hx-partial hx-target="#part-answers" hx-swap="innerMorph">{text}</hx-partial>'
