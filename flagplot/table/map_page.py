"""The map on the battle page: its layers, what can be chosen on it, and what is known of each path, also in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from flagplot import library
from flagplot.awaw.mapboard.board import Mapboard
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
from flagplot.odds.answers.dice import sum_of_dice
from flagplot.table.info import Look


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of an option that lies on the map."""

    option: str
    words: str
    facts: tuple[tuple[str, str], ...]
    """What it is about and what is so, such as a distance."""

    @property
    def sentence(self) -> str:
        return ". ".join([self.words, *[f"{name}: {value}" for name, value in self.facts]])


@dataclass(frozen=True, slots=True)
class MapParts:
    """The map of a position for a page."""

    ground: Markup
    layers: Markup
    places: Sequence[tuple[Hex, str, str]]
    """What is where: hex, name of the place, what there is."""
    words: Sequence[str]
    title: str
    boxes: tuple[str, ...]
    reaches: tuple[tuple[str, str], ...]
    """Ranges that can be shown: what they are called on the drawing, and in words."""


def map_of(look: Look, board: Board) -> MapParts | None:
    """The map, if the game has one."""
    if board.sea is None or look.chart is None:
        return None
    chart = board_named(look.chart)
    return MapParts(
        ground=Markup(ground_layers(chart, board.sea.bases)),
        layers=Markup(moving_layers(chart, board.sea)),
        places=places_in_words(board.sea, chart),
        words=map_in_words(board.sea, chart),
        title=chart.title,
        boxes=tuple([box.name for box in chart.boxes]),
        reaches=tuple([(reach.key, reach.words) for reach in board.sea.reaches]),
    )


# --- what can be chosen -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chosen:
    """What can be chosen on the map: the layers, and what is known of each option."""

    layers: Markup
    known: tuple[Known, ...]


def choices_of(look: Look) -> Chosen | None:
    """The answers of the question that lie on the map."""
    if look.pending is None or look.chart is None:
        return None
    chart = board_named(look.chart)
    offered = [(choice.text, choice.label) for choice in look.pending.options]
    found = library.map_answers(look.game, look.view, chart, offered)
    keys = {choice.text: str(choice.number) for choice in look.pending.options if choice.number < 10}
    answers = [answer._replace(key=keys.get(answer.option, "")) for answer in found]
    return _chosen(look, chart, answers, f"asked-{look.pending.at}")


def _chosen(look: Look, chart: Mapboard, answers: Sequence[MapAnswer], form: str) -> Chosen | None:
    if not answers:
        return None
    known = tuple([known_of(look, chart, answer) for answer in answers])
    told = {one.option: one.sentence for one in known}
    nation = _nation(look)
    return Chosen(Markup(answer_layers(chart, answers, form, nation, told)), known)


def _nation(look: Look) -> str:
    position: Any = look.view
    nations = position.operation.nations if position.operation else {}
    return str(nations.get(look.reader, ("",))[0])


def known_of(look: Look, chart: Mapboard, answer: MapAnswer, order: str = "") -> Known:
    """What is known of an option: how far it is, through which straits, who could intercept and how likely."""
    facts = list(_facts(look, chart, answer, order)) if len(answer.path) > 1 else []
    return Known(answer.option, answer.words, tuple(facts))


def _facts(look: Look, chart: Mapboard, answer: MapAnswer, order: str) -> Iterator[tuple[str, str]]:
    hexes = len(answer.path) - 1
    yield "Distance", f"{hexes} hex{'es' * (hexes != 1)}"
    if straits := chart.straits_along(answer.path):
        yield "Through", ", ".join(straits)
    theatre = "pacific" if chart.pacific else "europe"
    threats = library.threats_on(look.game, look.view, chart, answer.option, answer.path, order)
    risks = sorted([(chance_of(threat, theatre), threat) for threat in threats], key=lambda risk: -risk[0])
    for chance, threat in risks:
        if chance:
            dice = f"{threat.dice} di{'c' * (threat.dice != 1)}e over {threat.hexes} hexes"
            yield f"{threat.who} could intercept in {chart.name_of(threat.meet)}", f"{_percent(chance)} ({dice})"
    if not any([chance for chance, _ in risks]):
        yield "Interception", "nobody that you know of"


@lru_cache(maxsize=4096)
def _reaching(dice: int, hexes: int, theatre: str) -> Fraction:
    return sum_of_dice(dice).chance(lambda total: interception_distance(total, theatre) >= hexes)


def chance_of(threat: Threat, theatre: str) -> Fraction:
    """22.23: the chance that an attempt reaches the interception hex in time, if it is the only one."""
    return _reaching(threat.dice, threat.hexes, theatre)


def _percent(chance: Fraction) -> str:
    return "under 1%" if 0 < chance < Fraction(1, 100) else f"{round(chance * 100)}%"
