"""The Naval Combat Chart of a view, as a board of cards: six places a side, and what else is to be seen of a battle.

Everything is made from the data of one view, so nothing shows more than its reader may know.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from flagplot.draw.bases import bases_of
from flagplot.draw.cards import Band, Board, Card, Row, Tone
from flagplot.draw.ships import air_rows, ship_rows

Data = Mapping[str, Any]

PLACES = 6
TONES: Final[dict[str, Tone]] = {"active": "active", "distant": "distant", "destroyed": "gone"}
CARRIER_AIR = {
    "aboard": "ready",
    "aborted": "of them aborted this round",
    "flown": "have flown",
    "struck": "back from strikes",
    "grounded": "on damaged carriers",
    "returned": "returned to port",
}


def combat_chart(data: Data) -> Board:
    """The whole chart: the places of both sides, what stands beside them, bases, and what was sunk."""
    sides = list(enumerate(data["sides"]))
    bands = [_places(data, side, number) for number, side in sides]
    beside = [card for number, side in sides for card in (*_waiting(data, side, number), *_beside(data, side, number))]
    for title, cards in (("Beside the chart", beside), ("Lost", _lost(data))):
        if cards:
            bands.append(Band(title, cards))
    return Board(str(data["title"]), [*bands, *bases_of(data)], doing_of(data))


def _places(data: Data, side: str, number: int) -> Band:
    role = "moving" if side == data["attacker"] else "intercepting"
    you = ", you" if side == data["side"] else ""
    strength = data["strength"].get(side)
    note = f"{strength['left']} of {strength['began']} factors undamaged and here" if strength else ""
    return Band(f"{data['sides'][side]} ({role}{you})", places_of(data, side, number), note, "places", number)


# --- the six places ---------------------------------------------------------------------------------------------


def places_of(data: Data, side: str, number: int) -> list[Card]:
    """22.423: places 1 to 6; a group is active once the number of the round has reached its own (22.425)."""
    groups = {group["number"]: group for group in data["groups"] if group["side"] == side}
    cards = []
    for place in range(1, max([PLACES, *groups]) + 1):
        group = groups.get(place)
        cards.append(_group(data, group, number) if group else _nobody(data, side, number, place))
    return cards


def _nobody(data: Data, side: str, number: int, place: int) -> Card:
    return Card(str(place), "empty", "empty", number, key=f"{side}-{place}", about=_name(data, side))


def _group(data: Data, group: Data, number: int) -> Card:
    known = "ships" in group or group["told"] or "name" in group
    tone = TONES[group["status"]] if known else "hidden"
    card = Card(
        f"CG {group['number']}",
        group["status"],
        tone,
        number,
        key=f"{group['side']}-{group['number']}",
        about=_name(data, group["side"]),
    )
    if "name" in group:
        card.rows.append(Row(str(group["name"]), look="strong"))
    card.rows += _found(group)
    card.rows += ship_rows(group.get("ships", ()))
    card.rows += _about(group) if known else [Row("hidden", look="strong"), Row("nothing is known of it", look="faint")]
    return card


def _found(group: Data) -> list[Row]:
    found, used = group["results"], group["attacks"]
    rows = []
    if found:
        spent = f", {used} used" if used else ""
        rows.append(Row(f"found ×{found}{spent}", "eye", words=f"found {found} time{'s' * (found != 1)}{spent}"))
    return rows + ([Row("evaded", "speed")] if group["evaded"] else [])


def _about(group: Data) -> list[Row]:
    """What else is known: its owner knows all, the enemy what he was told."""
    told = group["told"]
    if "name" in group:
        speed = "slow" if group["slow"] else "fast"
        rows = [Row(f"{group['factors']} factors, {speed}", look="faint")]
        rows += [Row(str(group["cargo"]), "cargo", words=f"carries {group['cargo']}")] if group["cargo"] else []
        rows += ship_rows(group.get("shed", ()), "left behind: ")
    else:
        rows = [Row(words, look="faint") for words in _told(told)] if told and "ships" not in group else []
    rows += air_rows(group.get("air", ()), "aboard")
    rows += air_rows(group.get("patrol", ()), "combat air patrol")
    return rows + air_rows(group.get("cover", ()), "air cover")


def _told(told: Data) -> list[str]:
    """22.452B: the four things that the owner of a found group tells."""
    carriers = told["carriers"]
    return [
        "fewer than ten factors" if told["small"] else "ten factors or more",
        f"{carriers} fast carrier{'s' * (carriers != 1)}" if carriers else "no fast carrier",
        f"{'slow' if told['slow'] else 'fast'}, {'with' if told['cargo'] else 'without'} cargo",
    ]


# --- beside the places ------------------------------------------------------------------------------------------


def _waiting(data: Data, side: str, number: int) -> list[Card]:
    pending = data["pending"][side]
    if isinstance(pending, int):
        more = f"{pending} more force{'s' * (pending != 1)}"
        card = Card("Waiting", _name(data, side), "hidden", number, [Row(more, look="strong")])
        return [card] if pending else []
    cards = []
    for group in pending:
        when = f"{_name(data, side)}, from round {group['arrives']}" if group["arrives"] > 1 else _name(data, side)
        rows = [Row(str(group["name"]), look="strong"), *ship_rows(group["ships"])]
        rows += _about({**group, "told": None})
        cards.append(Card("Waiting", when, "distant", number, rows))
    return cards


def _beside(data: Data, side: str, number: int) -> list[Card]:
    cards = []
    air = data["carrier_air"].get(side, {})
    rows = [row for key, doing in CARRIER_AIR.items() for row in air_rows(air.get(key, ()), doing)]
    rows += ship_rows(air.get("returned_ships", ()), "returned to port: ")
    if rows:
        cards.append(Card("Carrier air", _name(data, side), "plain", number, rows))
    boats = [_boats(some) for some in data["submarines"] if some["side"] == side]
    if boats:
        cards.append(Card("Submarines", _name(data, side), "plain", number, boats))
    cards += [_gone(data, group, number) for group in data["departed"] if group["side"] == side]
    return cards


def _name(data: Data, side: str) -> str:
    return str(data["sides"][side])


def _boats(some: Data) -> Row:
    words = (("factors", "ready"), ("spent", "spent"), ("lost", "lost"))
    counts = [f"{some[key]} {doing}" for key, doing in words if some.get(key)]
    counts += ["advanced"] * bool(some.get("advanced")) + ["with a force"] * bool(some.get("accompany"))
    counts += [f"from round {some['arrives']}"] if some.get("arrives", 1) > 1 else []
    return Row(", ".join(counts) or "none left", "submarine")


def _gone(data: Data, group: Data, number: int) -> Card:
    rows = [Row(str(group["name"]), look="strong")] if "name" in group else []
    rows += ship_rows(group["ships"]) if "ships" in group else [Row("ships unknown", look="faint")]
    rows += [Row(str(group["cargo"]), "cargo")] if group.get("cargo") else []
    rows += air_rows(group.get("air", ()), "aboard")
    rows.append(Row(f"withdrew after round {group['round']}", look="faint"))
    return Card(f"CG {group['number']}", _name(data, group["side"]), "gone", number, rows)


def _lost(data: Data) -> list[Card]:
    from flagplot.cli.position import losses

    cards = []
    for key, title in (("sunk", "Sunk"), ("sunk_elsewhere", "Sunk elsewhere"), ("shielded", "Behind the battle")):
        if data.get(key):
            cards.append(Card(title, "", "gone", -1, ship_rows(data[key], lost=True)))
    if data["lost"]:
        cards.append(Card("Air units lost", "", "gone", -1, [Row(words, "plane") for words in losses(data["lost"])]))
    return cards


# --- what is being done -----------------------------------------------------------------------------------------


def doing_of(data: Data) -> list[str]:
    """Strikes, kamikazes, missions and fleet combats that are under way or agreed on, in words."""
    from flagplot.cli.fights import under_way
    from flagplot.cli.position import missions
    from flagplot.cli.screen import TIE

    return [line.text.plain.replace(TIE, " ") for line in [*missions(data), *under_way(data)]]
