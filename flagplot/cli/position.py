"""The position as a side's view has it: the groups and bases of both sides beside each other, or below on a narrow
screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from flagplot.cli import seamap
from flagplot.cli.chart import chart_of
from flagplot.cli.chronicle import style_of
from flagplot.cli.fights import under_way
from flagplot.cli.screen import FAINT, STRONG, TIE, TWO_COLUMNS, Line, broken
from flagplot.kernel.views import View

WORDS = 48
"""The least width of a column in which signs are spelt out."""

READY, INVERTED, ABORTED, HIDDEN = "●", "○", "✕", "◌"
LEGEND = {READY: "ready", INVERTED: "inverted", ABORTED: "aborted", HIDDEN: "hidden from the enemy"}

Data = Mapping[str, Any]
DrawAt = Callable[[Data, int], str]
"""How a game draws a look for so many columns."""


def picture(view: View, console: Console, draw_at: DrawAt | None = None) -> RenderableType:
    """A drawing of the view. A game whose views hold no sites is shown as its own text, as wide as the screen if the
    game offers that by `draw_at`."""
    data, width = view.data, console.width
    if "sites" not in data:
        return Text(draw_at(data, width) if draw_at else str(view))
    two = width >= TWO_COLUMNS and len(data["sides"]) == 2
    column = (width - 2) // 2 if two else width
    sides = [_pieces(_side(data, side, words=column >= WORDS), console, column) for side in data["sides"]]
    title = f"{data['title']}: {data['phase']}" + (" (over)" if data["over"] else "")
    title = seamap.title_of(data) if seamap.is_operation(data) else title
    top = Rule(Text(title, STRONG), style=FAINT, align="left")
    rest = _pieces(_below(data), console, width)
    return Group(top, _beside(sides, column) if two else Group(*sides), rest, Rule(style=FAINT))


def _beside(sides: list[Text], width: int) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for _ in sides:
        table.add_column(width=width)
    table.add_row(*sides)
    return table


def _pieces(lines: list[Line], console: Console, width: int) -> Text:
    return Text("\n").join(piece for line in lines for piece in broken(line, console, width))


def _side(data: Data, side: str, *, words: bool) -> list[Line]:
    style = f"{STRONG} {style_of(side, data['sides'])}"
    doing = "moving" if "groups" in data or seamap.is_operation(data) else "attacking"
    marks = [doing] * (side == data["attacker"]) + ["you"] * (side == data["side"])
    name = Text.assemble((data["sides"][side], f"{style} underline"), f" ({', '.join(marks)})" if marks else "")
    lines = [Line(name), *chart_of(data, side, style)]
    if seamap.is_operation(data):
        lines += [] if "groups" in data else seamap.forces_of(data, side, style)
        return lines + _bases(data, side, style, words=words) + _on_the_ground(data, side, style)
    for site in data["sites"].values():
        if site["side"] == side:
            lines += _site(site, style, words=words)
    return lines


def _bases(data: Data, side: str, style: str, *, words: bool) -> list[Line]:
    """The bases of a side in an operation: those without air units are only named."""
    lines, empty = [], []
    for site in data["sites"].values():
        if site["side"] == side and site["kind"] == "base":
            if any(site.get(key) for key in ("air", "hidden", "searching", "struck")):
                lines += _site(site | {"air": together(site["air"])}, style, words=words)
            else:
                empty.append(site["name"])
    return lines + [Line(Text(f"no air units: {', '.join(empty)}", FAINT))] * bool(empty)


def _on_the_ground(data: Data, side: str, style: str) -> list[Line]:
    """In an air turn: the ground units of a side, and the BRPs of its nations."""
    from flagplot.awaw.tables.nations import nation

    units = [unit for unit in data.get("units", {}).values() if unit["side"] == side]
    lines = [Line(Text("On the ground", style))] * bool(units)
    for unit in units:
        where = f"aboard {data['forces'][unit['aboard']]['marker']}" if unit["aboard"] else unit["where"]
        supply = "" if unit["supply"] == "full" else f", supply {unit['supply']}"
        lines.append(_line(Text(f"■ {unit['name']}, {unit['kind']} of {unit['factors']}: {where}{supply}")))
    theirs = {key: left for key, left in data.get("brps", {}).items() if key in data["nations"][side]}
    if theirs:
        lines.append(Line(Text("BRPs: " + ", ".join(f"{nation(key).name} {left}" for key, left in theirs.items()))))
    return lines


def together(flights: Sequence[Data]) -> list[Data]:
    """Air units with the squadrons of broken-down factors in one entry: ``2 attack, 2 cover``."""
    parts: dict[tuple[object, ...], list[Data]] = {}
    for flight in flights:
        whole = flight["role"] in ("factors", "squadrons")
        key = (flight["text"] if whole else "", flight["nation"], flight["arm"], flight["inverted"])
        parts.setdefault(key, []).append(flight)
    return [some[0] if len(some) == 1 else _several(some) for some in parts.values()]


def _several(flights: Sequence[Data]) -> Data:
    roles = ", ".join(f"{flight['count']} {flight['role']}" for flight in flights)
    kind = flights[0]["text"].split(" ", 1)[1].split(f" {flights[0]['role']} ")[0]
    aborted = sum(flight["aborted"] for flight in flights)
    return {**flights[0], "text": f"{kind}: {roles}", "aborted": aborted}


def _site(site: Data, style: str, *, words: bool) -> list[Line]:
    marks = [f"TF marker {site['marker']}"] if "marker" in site else []
    marks += ["counteraired"] if site["counteraired"] else []
    name = Text.assemble((site["name"], style), f" [{', '.join(marks)}]" if marks else "")
    lines = [Line(name)]
    lines += [_line(_flight(flight, words=words)) for flight in site["air"]]
    lines += [_line(_flight(flight, HIDDEN, words=words)) for flight in site.get("hidden", ())]
    for key, doing in (("searching", "searching"), ("struck", "back from a strike")):
        lines += [_line(Text(f"{ABORTED} {flight['text']}, {doing}", FAINT)) for flight in site.get(key, ())]
    return lines if len(lines) > 1 else [*lines, _line(Text("no air units", FAINT))]


def _line(text: Text) -> Line:
    return Line(text, 1, 2)


def _flight(flight: Data, symbol: str = READY, *, words: bool = True) -> Text:
    """Identical units with their sign and, where there is room, what the sign means."""
    symbol = INVERTED if flight["inverted"] else symbol
    aborted = f", {ABORTED} {flight['aborted']} aborted" if flight["aborted"] else ""
    meaning = f", {LEGEND[symbol].split()[0]}" if words and symbol != READY else ""
    return Text(f"{symbol} {flight['text']}{meaning}{aborted}", FAINT if flight["inverted"] else "")


def _below(data: Data) -> list[Line]:
    """The missions, what is lost so far, and what the signs mean."""
    lines = [*seamap.fought(data), *missions(data), *under_way(data)]
    if data["lost"]:
        lines.append(Line(Text.assemble(("Lost so far: ", STRONG), "; ".join(losses(data["lost"])))))
    for key, words in (("sunk", "Sunk so far: "), ("sunk_elsewhere", "Sunk elsewhere: ")):
        if data.get(key):
            lines.append(Line(Text.assemble((words, STRONG), ", ".join(ship["text"] for ship in data[key]))))
    legend = "  ".join(f"{symbol} {meaning}".replace(" ", TIE) for symbol, meaning in _signs(data).items())
    return [*lines, Line(Text(legend, FAINT))]


def _signs(data: Data) -> dict[str, str]:
    """The signs that this position uses."""
    if "groups" not in data:
        return {sign: LEGEND[sign] for sign in (READY, INVERTED, ABORTED)} if "voyages" in data else LEGEND
    return {**{sign: LEGEND[sign] for sign in (READY, INVERTED, ABORTED)}, "◆": "found", "3/3": "hits left"}


def missions(data: Data) -> list[Line]:
    """The mission under way and those that are announced."""
    sites = data.get("sites", {})
    under_way = [mission] if (mission := data.get("mission")) else []
    flown = [_mission(sites, flown) for flown in [*under_way, *data.get("announced", ())] if flown["attackers"]]
    return [*seamap.raid(data), *flown]


def _mission(sites: Data, mission: Data) -> Line:
    where = sites[mission["target"]]["name"]
    words = f"Over {where}, round {mission['round']}: " if mission["round"] else f"Against {where}: "
    flights = [Text.assemble(_flight(air), (_from(sites, air), FAINT)) for air in mission["attackers"]]
    return Line(Text.assemble((words, STRONG), Text("; ").join(flights)))


def _from(sites: Data, flight: Data) -> str:
    """Where a flight comes from, if that is a place on the map."""
    return f" ({sites[flight['home']]['name']})" if flight["home"] in sites else ""


ARMS = {"army": "army air", "naval": "naval air", "elite-naval": "elite naval air", "transport": "air transport"}


def losses(lost: Mapping[str, int]) -> list[str]:
    """Losses in words; a result names them in this way: `germany/army/factors`."""
    return [_loss(kind.split("/"), count) for kind, count in lost.items()]


def _loss(kind: list[str], count: int) -> str:
    from flagplot.awaw.tables.nations import nations

    whose, arm, unit = kind
    unit = unit if count != 1 else unit.removesuffix("s")
    if whose not in nations():  # a faction of Line of Battle: 2 LBAs destroyed
        return f"{count} {unit} {arm}"
    return f"{count} {nations()[whose].adjective} {ARMS.get(arm, arm)} {unit}"
