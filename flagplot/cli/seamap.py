"""An operation at the keyboard: the map, the forces on it, and what is announced, as a view may know them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rich.text import Text

from flagplot.awaw.operations.plotting import is_operation as is_operation
from flagplot.awaw.operations.plotting import marks_of, named, paths_of, short, sides_at
from flagplot.cli.chart import air_in_words, ships_in_words
from flagplot.cli.chronicle import style_of, with_rule
from flagplot.cli.screen import FAINT, STRONG, Line

if TYPE_CHECKING:
    from flagplot.awaw.mapboard.board import Mapboard
    from flagplot.kernel.game import Game

Data = Mapping[str, Any]

WIDEST = 120
"""A map is not drawn wider than this, however wide the screen is."""
OPEN, HIDDEN = "◆", "◇"
SIGN = re.compile(r"\[(.)\]")


PIPE = 80
"""The width of a map in a pipe."""


class SeaMap:
    """What was shown last of the map, so that it is shown again only if it has changed."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self._stage = ""
        self._map: tuple[object, ...] = ()
        self._moment: tuple[object, ...] = ()
        self._activities: list[Line] = []
        self._sailing: list[Line] = []
        self._fought: list[Line] = []
        self._costly = 0
        self.drawn = False
        """Whether the map was drawn with the last changes."""

    def needs_view(self, data: Data) -> bool:
        """Whether all forces are worth a look: in a new stage, and when a fight has cost something."""
        return bool(data["stage"] != self._stage or _costly(data) != self._costly)

    def map(self, data: Data, width: int, *, names: bool = False) -> list[Line]:
        return map_lines(board_of(self._game), data, width, names=names)

    def all_of(self, data: Data, width: int) -> list[Line]:
        """Map and activities, whatever was shown before; in naval combat not the map, which can be asked for."""
        self._note(data)
        if in_naval_combat(data):
            return []
        self._map, self._moment = map_changes(data), map_moment(data)
        return [*self.map(data, width), *activities(data)]

    def changes(self, data: Data, width: int) -> list[Line]:
        """The map, the activities, who is under way and what is fought, each only if it has changed."""
        lines, self.drawn = [], False
        if map_changes(data) != self._map and map_moment(data) != self._moment:
            lines, self.drawn = self.map(data, width), True
            self._map, self._moment = map_changes(data), map_moment(data)
        announced, under_way = activities(data), sailing(data)
        lines += announced if announced != self._activities else []
        lines += under_way if under_way != self._sailing else []
        lines += fought(data) if fought(data) != self._fought else []
        self._note(data)
        return lines

    def _note(self, data: Data) -> None:
        self._stage, self._costly = data["stage"], _costly(data)
        self._activities, self._sailing, self._fought = activities(data), sailing(data), fought(data)


def _costly(data: Data) -> int:
    """How many fights so far have cost anything, or were naval battles."""
    return sum([_has_cost(fight) for fight in data["fights"]])


def _has_cost(fight: Data) -> bool:
    hit = [*fight["sunk"].values(), *fight["damaged"].values()]
    lost = [*hit, *fight["air"].values(), *fight["submarines"].values(), fight["cargo"]]
    return fight["kind"] == "battle" or any(lost)


def in_naval_combat(data: Data) -> bool:
    """Whether a naval battle is fought, as against attacks outside it."""
    fight = data.get("fighting")
    return bool(fight and fight["kind"] in ("battle", "raid"))


def board_of(game: Game[Any]) -> Mapboard:
    """The map of a game, as its scenario has it."""
    from flagplot.awaw.mapboard.reading import read_map

    return read_map(game.scenario["map"])


# --- the map ----------------------------------------------------------------------------------------------------


def map_lines(board: Mapboard, data: Data, width: int, *, names: bool = False) -> list[Line]:
    """The waters that matter, with marks and known paths; with `names` all names of places are explained too."""
    from flagplot.awaw.mapboard.drawing import draw_board

    marks, paths = marks_of(data), paths_of(data)
    hexes = tuple(dict.fromkeys(at for path in paths.values() for at in path))
    drawn = draw_board(board, marks, hexes, min(width, WIDEST), names=names, crop=True)
    styles = _styles(data, marks)
    lines = [Line(_coloured(line, styles), hang=4) for line in drawn]
    return lines + [Line(Text("* a path that you know", FAINT))] * bool(hexes and not names)


def _styles(data: Data, marks: Mapping[tuple[int, int], str]) -> dict[str, str]:
    """The colour of each mark that is of one side alone; the legend names the side too."""
    from flagplot.awaw.mapboard.drawing import signs

    there = sides_at(data)
    names = data["sides"]
    return {
        sign: style_of(next(iter(there[at])), names) if len(there[at]) == 1 else ""
        for at, sign in zip(marks, signs(len(marks)), strict=True)
    }


def _coloured(line: str, styles: Mapping[str, str]) -> Text:
    text = Text(line)
    for found in SIGN.finditer(line):
        text.stylize(f"{STRONG} {styles.get(found[1], '')}".strip(), *found.span())
    return text


def map_changes(data: Data) -> tuple[object, ...]:
    """What the map shows: where forces are that do not sail just now, and who is bound where."""
    under_way = {key for key, voyage in data["voyages"].items() if voyage["progress"] == "under way"}
    still = [(key, *force["at"]) for key, force in data["forces"].items() if force["voyage"] not in under_way]
    bound = [(key, "path" in voyage) for key, voyage in data["voyages"].items() if voyage["progress"] not in OVER]
    return (*still, *bound)


def map_moment(data: Data) -> tuple[object, ...]:
    """When it is time to draw the map again, if it has changed: in a new step, or when the enemy has shown a path."""
    step = data["step"] or {"mark": "", "name": ""}
    shown = [key for key, voyage in data["voyages"].items() if "path" in voyage and voyage["side"] != data["side"]]
    return (data["stage"], step["mark"], step["name"], *shown)


# --- what is announced ------------------------------------------------------------------------------------------

OVER = ("over",)
VERBS = {1: "to be intercepted", 2: "to be counter-intercepted", 3: "to be countered in turn"}


def activities(data: Data) -> list[Line]:
    """What is announced, and below each force who intercepts it where, level by level."""
    lines = []
    for key, voyage in data["voyages"].items():
        if not voyage["level"] and voyage["progress"] not in OVER:
            lines += [_activity(voyage, data), *_against(key, data, 1)]
    return lines


def _activity(voyage: Data, data: Data) -> Line:
    host = data["voyages"].get(voyage["joins"])
    words = [f"{voyage['what']}, to meet {named(host, data)}" if host else voyage["what"]]
    words += [f"to {voyage['bound']}"] if "bound" in voyage else []
    words += [f"{_hexes(len(voyage['path']) - 1)}"] if "path" in voyage else ["its path is not known"]
    words += ["with cargo"] if voyage["cargo"] and voyage["activity"] != "return" else []
    words += [str(voyage["progress"])] if voyage["progress"] in ("arrived", "aborted") else []
    who = (f"{named(voyage, data)}: ", f"{STRONG} {style_of(voyage['side'], data['sides'])}")
    return Line(Text.assemble(who, ", ".join(words)))


def _against(key: str, data: Data, depth: int) -> Iterator[Line]:
    for other, voyage in data["voyages"].items():
        if voyage["target"] == key and voyage["progress"] not in OVER:
            who = (named(voyage, data), f"{STRONG} {style_of(voyage['side'], data['sides'])}")
            away = f", {_hexes(len(voyage['path']) - 1)} away" if "path" in voyage else ""
            where = f"{VERBS[voyage['level']]} in {voyage['meets']} by "
            yield Line(Text.assemble(where, who, f"{away}: {_success(voyage)}"), 2 * depth)
            yield from _against(other, data, depth + 1)


def _success(voyage: Data) -> str:
    if voyage["arrives"]:
        when = "there in time" if voyage["arrives"] == 1 else f"late, there in round {voyage['arrives']}"
        return "there" if voyage["flotilla"] else when
    return "dice are still to be rolled" if not voyage["reached"] else f"reaches {_hexes(voyage['reached'])}"


def _hexes(number: int) -> str:
    return f"{number} hex{'es' * (number != 1)}"


def sailing(data: Data) -> list[Line]:
    """Who is under way just now, and how far it has come."""
    lines = []
    for voyage in data["voyages"].values():
        if voyage["progress"] == "under way" and "path" in voyage and voyage["at"] in voyage["path"]:
            step, last = voyage["path"].index(voyage["at"]), len(voyage["path"]) - 1
            way = f"hex {step} of {last} on its way to {voyage['bound']}" if "bound" in voyage else f"hex {step}"
            who = (f"{named(voyage, data)}: ", style_of(voyage["side"], data["sides"]))
            lines.append(Line(Text.assemble(who, f"{voyage['where']}, {way}")))
    return lines


def fought(data: Data) -> list[Line]:
    """Where on the map it is fought, and who meets whom."""
    fight = data.get("fighting")
    if not fight:
        return []
    what = KINDS.get(fight["kind"], "Fighting")
    q, r = fight["at"]
    sides = [words for words in fight["sides"].values() if words]
    return [Line(Text.assemble((f"{what} in {fight['where']} ({q},{r}): ", STRONG), " against ".join(sides)))]


def raid(data: Data) -> list[Line]:
    """The attack on a base that is under way: who counterairs, who attacks the ships, and the ships once seen."""
    attack = data.get("base_strike")
    if not attack:
        return _dives(data)
    head = f"Attack on {data['sites'][attack['base']]['name']}, sortie {attack['sortie']}: "
    parts = [f"{air_in_words(attack['counterair'])} counterair"] if attack["counterair"] else []
    parts += [f"{air_in_words(attack['attackers'])} against the ships"] if attack["attackers"] else []
    lines = [Line(Text.assemble((head, STRONG), "; ".join(parts)))] if parts else []
    ships = attack.get("ships")
    return lines + ([Line(Text.assemble(("In port: ", STRONG), ships_in_words(ships)))] if lines and ships else [])


def _dives(data: Data) -> list[Line]:
    """Kamikazes that attack ships in port, and the ships once seen."""
    lines = []
    for dive in data.get("port_dives", ()):
        head = f"Kamikazes against the ships in {data['sites'][dive['base']]['name']}: "
        words = f"{dive['kamikazes']}" + (f", {dive['diverted']} diverted" if dive["diverted"] else "")
        lines.append(Line(Text.assemble((head, STRONG), words)))
        if dive.get("ships"):
            lines.append(Line(Text.assemble(("In port: ", STRONG), ships_in_words(dive["ships"]))))
    return lines


KINDS = {
    "battle": "Naval combat",
    "air-attack": "Air attack",
    "submarines": "Submarines attack",
    "hunt": "Air attack on submarines",
    "raid": "Raiders",
    "base": "Attack on a base",
}


# --- forces -----------------------------------------------------------------------------------------------------


def forces_of(data: Data, side: str, style: str) -> list[Line]:
    """The naval forces of a side: its own with all that is in them, the enemy's markers with what was seen."""
    lines = []
    points = data["points"][side]
    if points:
        lines.append(Line(Text(f"{points} point{'s' * (points != 1)} so far", FAINT)))
    for force in data["forces"].values():
        if force["side"] == side:
            lines += _force(force, data, style)
    return lines + [line for some in data["flotillas"].values() if some["side"] == side for line in _boats(some, style)]


def _force(force: Data, data: Data, style: str) -> list[Line]:
    sign = OPEN if "ships" in force else HIDDEN
    name = f" {force['name']}" if "name" in force else ""
    marks = [_doing(force, data), *["inverted"] * force["inverted"]]
    lines = [Line(Text.assemble((f"{sign} {short(force, data)}", style), f"{name} [{', '.join(marks)}]"))]
    if "ships" in force:
        lines.append(_below(Text(ships_in_words(force["ships"]))))
    else:
        lines.append(_below(Text("hidden", FAINT)))
    air = [*force.get("air", ())]
    lines += [_below(Text(f"{air_in_words(air)} aboard"))] if air else []
    grounded = force.get("grounded")
    lines += [_below(Text(f"{air_in_words(grounded)} carried on damaged carriers"))] if grounded else []
    lines += [_below(Text(f"carries {force['cargo']}", FAINT))] if force.get("cargo") else []
    sunk = force.get("sunk_in_port")
    return lines + ([_below(Text(f"sunk in port: {ships_in_words(sunk)}"))] if sunk else [])


def _doing(force: Data, data: Data) -> str:
    voyage = data["voyages"].get(force["voyage"])
    if voyage:
        return f"{voyage['what']}, in {force['where']}"
    if force["patrol"]:
        return f"{force['patrol']} patrol in {force['where']}"
    site = data["sites"].get(force["base"])
    return f"in {site['name']}" if site else f"in {force['where']}"


def _boats(some: Data, style: str) -> list[Line]:
    words = {"factors": "ready", "tried": "have tried", "away": "away", "inverted": "inverted", "lost": "lost"}
    counts = ", ".join(f"{some[key]} {doing}" for key, doing in words.items() if some[key])
    where = f"on {some['patrol']} patrol in {some['where']}" if some["patrol"] else f"in {some['where']}"
    return [Line(Text.assemble(("submarines", style), f" {where}: {counts or 'none'}"))]


def _below(text: Text) -> Line:
    return Line(text, 2, 2)


def title_of(data: Data) -> str:
    """The heading of a position: the stage, or what is fought and where."""
    fight = data.get("fighting")
    if data["over"]:
        return f"{data['title']} (over)"
    if fight and data["kind"] == "naval-battle":
        what = KINDS.get(fight["kind"], "fighting").lower()
        return f"{data['title']}: {what} in {fight['where']}"
    if "player_turn" in data:
        return f"{data['title']}: {data['sides'][data['attacker']]}, the {data['stage']} phase"
    return f"{data['title']}: the {data['stage']} stage"


# --- why not ----------------------------------------------------------------------------------------------------


def reasons_told(found: list[Any]) -> list[Line]:
    """Why forces are not offered, each with the rule."""
    lines = []
    for about, text, rule in found:
        lines.append(Line(Text.assemble((f"{about}: ", STRONG), with_rule(text, rule))))
    return lines
