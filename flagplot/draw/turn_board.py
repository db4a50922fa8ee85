"""An air turn as cards: whose player turn it is, ground units, air over the map, bases with what is inverted and why,
BRPs and force pools, bombers of each front, kamikazes. Ships and the map are drawn as in an operation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flagplot.awaw.air_units import NAMES, NAVAL_ARMS, Arm
from flagplot.awaw.tables.nations import nations
from flagplot.draw.bases import base_card
from flagplot.draw.cards import Band, Board, Card, Row
from flagplot.draw.combat_chart import doing_of
from flagplot.draw.sea_board import forces_of, score_of
from flagplot.draw.ships import air_rows

Data = Mapping[str, Any]

UNTIL = {
    "now": "it may be uninverted in its owner's player turn",
    "turn-end": "until this player turn is over",
    "next-turn": "until its owner's next player turn",
}
"""When inverted air may be uninverted again, at the earliest (18.72)."""


def turn_board(data: Data) -> Board:
    """Everything of a turn that lies beside the map, for whoever the view is made."""
    bands = [_air(data), *[_ground(data, side, number) for number, side in enumerate(data["sides"])]]
    bands += [forces_of(data, side, number) for number, side in enumerate(data["sides"])]
    bands += [*_bases(data), _inverted(data), _strategic(data), _economy(data)]
    return Board(str(data["title"]), [band for band in bands if band.cards or band.lines], _doing(data))


def _doing(data: Data) -> list[str]:
    turn = data["player_turn"]
    line = f"Player turn {turn['number']} of {turn['of']}, {turn['season']}: {data['sides'][turn['side']]} moves"
    fought = [] if "groups" in data else doing_of(data)
    return [line, *score_of(data), *fought]


# --- on the ground, and over it ---------------------------------------------------------------------------------


def _ground(data: Data, side: str, number: int) -> Band:
    """The ground units of a side, those of one hex on one card; those aboard ships apart."""
    places: dict[str, list[Data]] = {}
    for unit in data["units"].values():
        if unit["side"] == side:
            places.setdefault("at sea" if unit["aboard"] else unit["where"], []).append(unit)
    cards = [_stack(data, where, units, number) for where, units in places.items()]
    return Band(f"{data['sides'][side]}: ground units", cards, side=number)


def _stack(data: Data, where: str, units: list[Data], number: int) -> Card:
    near, far, place = where.rpartition(" of ")
    title = f"Near {place}" if near else where[:1].upper() + where[1:]
    card = Card(title, "", "plain", number, about=str(data["sides"][units[0]["side"]]))
    card.rows += [Row(where, look="faint")] * bool(far)
    for unit in units:
        card.rows += [Row(unit["name"], look="strong"), _strength(unit)]
        card.rows += [Row(note, look="faint") for note in _notes(data, unit)]
    return card


def _strength(unit: Data) -> Row:
    factors, defence = unit["factors"], unit["defence"]
    what = f"{nations()[unit['nation']].adjective if unit['nation'] in nations() else unit['nation']} {unit['kind']}"
    words = f"{what}, {factors} factor{'s' * (factors != 1)}, defends with {defence}"
    return Row(f"{factors if factors == defence else f'{factors}-{defence}'} {what}", words=words)


def _notes(data: Data, unit: Data) -> list[str]:
    notes = [] if unit["supply"] == "full" else [f"supply: {unit['supply']}"]
    notes += [f"travelled by air: {unit['travelled']}"] if unit["travelled"] else []
    if unit["aboard"]:
        force = data["forces"].get(unit["aboard"])
        notes.append(f"aboard {force['marker'] if force else 'ships'}")
    return notes


def _air(data: Data) -> Band:
    """Missions over hexes, ground attacks with what they are made of, and air transport on its way."""
    sides = list(data["sides"])
    cards = [_flight(data, flight, sides.index(flight["side"])) for flight in data["flights"]]
    cards += [_attack(data, attack) for attack in data["attacks"]]
    cards += [_airlift(data, data["airlift"])] if data["airlift"] else []
    return Band("Over the map", cards)


def _flight(data: Data, flight: Data, number: int) -> Card:
    rows = [Row(f"over {flight['where']}", look="faint"), *air_rows(flight["air"])]
    return Card(_plainly(flight["kind"]).capitalize(), str(data["sides"][flight["side"]]), "plain", number, rows)


def _attack(data: Data, attack: Data) -> Card:
    first = data["units"].get(attack["units"][0]) if attack["units"] else None
    side = first["side"] if first else data["player_turn"]["side"]
    rows = [Row(f"on {' and '.join(attack['where'])}", look="faint")]
    rows += [Row(name) for name in attack["names"]]
    rows += [Row(f"{attack['guns']} factors of shore bombardment")] if attack["guns"] else []
    rows += [Row(f"{attack['cves']} escort carriers")] if attack["cves"] else []
    return Card("Ground attack", _plainly(attack["kind"]), "plain", list(data["sides"]).index(side), rows)


def _airlift(data: Data, mission: Data) -> Card:
    rows = [Row(f"to {_place(data, mission['to'])}", look="faint")] if mission["to"] else []
    rows += air_rows(mission["transports"])
    rows += [Row(name) for name in mission["names"]]
    rows += air_rows(mission["interceptors"], "intercepting")
    rows += air_rows(mission["guards"], "guarding it")
    number = list(data["sides"]).index(mission["side"])
    return Card(_plainly(mission["kind"]).capitalize(), str(data["sides"][mission["side"]]), "plain", number, rows)


def _place(data: Data, key: str) -> str:
    site = data["sites"].get(key)
    return str(site["name"]) if site else str(key)


def _plainly(kind: object) -> str:
    return str(kind).replace("-", " ")


# --- bases ------------------------------------------------------------------------------------------------------


def _bases(data: Data) -> list[Band]:
    """The bases of each side with room and airbase counters; those that hold nothing are only named."""
    return [_bases_of(data, side, number) for number, side in enumerate(data["sides"])]


def _bases_of(data: Data, side: str, number: int) -> Band:
    cards, empty = [], []
    for key, site in data["sites"].items():
        if site["side"] != side or site["kind"] == "box":
            continue
        if not _holds(data, key, site):
            empty.append(str(site["name"]))
            continue
        card = base_card(data, key, site, number, whose=False)
        card.rows += [Row(words, look="faint") for words in _about_base(data, key)]
        card.unit = key if side == data["side"] else ""
        cards.append(card)
    note = f"nothing on {', '.join(empty)}" if empty else ""
    return Band(f"{data['sides'][side]}: bases", cards, note, side=number)


def _holds(data: Data, key: str, site: Data) -> bool:
    return any(site.get(part) for part in ("air", "hidden", "searching", "struck", "counteraired")) or (
        key in data["airbases"] or "marker" in site
    )


def _about_base(data: Data, key: str) -> list[str]:
    """18.11, 18.14: an airbase counter, and how much the base holds."""
    told = []
    if key in data["airbases"]:
        nation = data["airbases"][key]
        told.append(f"{nations()[nation].adjective if nation in nations() else nation} airbase counter")
    room = data["room"].get(key)
    if room:
        told.append(f"room for {room['squadrons']} squadrons" + (", naval air too" * bool(room["naval"])))
    return told


def _inverted(data: Data) -> Band:
    """18.42: why air is inverted, and until when; everybody may know."""
    lines = []
    for down in data["inverted"]:
        air = "; ".join(str(one["text"]) for one in down["air"])
        until = UNTIL.get(str(down["until"]), str(down["until"]))
        lines.append(f"{_place(data, down['home'])}: {air}: {down['why']}; {until} ({down['rule']})")
    return Band("Inverted air units: why, and until when", [], lines=lines)


# --- beside the map ---------------------------------------------------------------------------------------------


def _strategic(data: Data) -> Band:
    """Strategic bombers and interceptors, by front; kamikazes."""
    mine = data["nations"].get(data["side"], ())
    cards = []
    for front, air in data["strategic"].items():
        card = Card(f"{_plainly(front).capitalize()} front", "", "plain", -1, air_rows(air))
        card.rows = card.rows or [Row("none left", look="faint")]
        card.unit = front if any(one["nation"] in mine for one in air) else ""
        cards.append(card)
    pool = data["kamikaze_pool"]
    if pool["limit"]:
        counts = {"ready": pool["ready"], "to build": pool["unbuilt"], "have flown": pool["used"]}
        rows = [Row(f"{number} {words}", "plane") for words, number in counts.items() if number or words == "ready"]
        rows.append(Row(f"force pool {pool['limit']}" + (f", grows by {pool['growth']}" * bool(pool["growth"]))))
        cards.append(Card("Kamikazes", "", "plain", -1, rows, unit="kamikazes" if "japan" in mine else ""))
    return Band("Bombers, interceptors, kamikazes", cards)


def _economy(data: Data) -> Band:
    """The BRPs of each nation, and the air units in its force pool that can be built."""
    cards = []
    for number, (side, mine) in enumerate(data["nations"].items()):
        place = list(data["sides"]).index(side) if side in data["sides"] else number
        for nation in mine:
            pool = {key: count for key, count in data["force_pool"].items() if key.split("/")[0] == nation}
            if nation in data["brps"] or pool:
                name = nations()[nation].name if nation in nations() else nation
                rows = [Row(f"{data['brps'].get(nation, 0)} BRPs", look="strong")]
                rows += [Row(pool_words(key, count), "plane") for key, count in pool.items()]
                rows += [] if pool else [Row("nothing to build", look="faint")]
                cards.append(Card(name, "", "plain", place, rows))
    return Band("BRPs and force pools", cards, "air units that can be built")


def pool_words(key: str, count: int) -> str:
    """An entry of a force pool in words: ``3 naval air squadrons``, ``1 army air squadron, waits to be a factor``."""
    _, arm, *rest = key.split("/")
    known = Arm(arm) if arm in set(Arm) else None
    name = NAMES[known] if known else arm
    unit = "squadron" if rest or known in NAVAL_ARMS else "factor"
    waits = ", which make factors by threes" if rest else ""
    return f"{count} {name} {unit}{'s' * (count != 1)}{waits}"
