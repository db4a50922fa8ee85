"""Tables, dates, sections, and the other kinds of battle in plain text."""

from __future__ import annotations

from typing import Any

import pytest

import flagplot
from flagplot.awaw.ships import named_ship
from flagplot.builder import read, totals, write, write_line
from flagplot.builder.history import orders, serves
from flagplot.kernel.errors import ScenarioError, UnknownName

US = "US TF16: Enterprise, Hornet, 8 CA, 3 DD; 6 NAS\n"


def built(text: str) -> dict[str, Any]:
    reading = read(text)
    assert reading.problems == ()
    assert reading.document is not None
    flagplot.load(reading.document, seed=1)
    return reading.document


@pytest.mark.parametrize(
    "table",
    [
        'Side,Force,Ships,CA,DD,NAS,From\nJapan,TF1,"Akagi, Kaga",6,4,6,Truk\nUS,TF2,Washington; Indiana,4,2,,\n',
        "Side\tForce\tShips\tCA\tDD\tNAS\tFrom\nJapan\tTF1\tAkagi, Kaga\t6\t4\t6\tTruk\n"
        "US\tTF2\tWashington, Indiana\t4\t2\t-\t\n",
        "| Side | Force | Ships | CA | DD | NAS | From |\n|---|:--|---|---|---|---|---|\n"
        "| Japan | TF1 | Akagi, Kaga | 6 | 4 | 6 | Truk |\n| US | TF2 | Washington, Indiana | 4 | 2 | 0 | |\n",
    ],
    ids=["csv", "tabs", "markdown"],
)
def test_a_table_is_read_as_lines(table: str) -> None:
    lines = "Japan TF1: Akagi, Kaga, 6 CA, 4 DD; 6 NAS; from Truk\nUS TF2: Washington, Indiana, 4 CA, 2 DD"
    assert built(table) == built(lines)
    wrong = table.replace("Kaga", "Kagga").replace("6", "7", 1)
    told = [(one.line - read(table).lines[0].line, one.length) for one in read(wrong).problems]
    assert told == [(0, 5), (0, 1)]


def test_a_nation_alone_begins_its_section() -> None:
    document = built("Japan:\n- TF1: Kongo, 8 CA, 4 DD\n- TF2: 4 CA\n\nUSA\n* TF16: Washington, 8 CA, 4 DD\n")
    assert [force["side"] for force in document["forces"]] == ["japan", "japan", "united-states"]
    assert document["forces"][1]["task_force"] is False


def test_several_nations_make_axis_and_allies() -> None:
    document = built("Italy TF1: Roma, 8 CA, 4 DD\nBritain TF2: Hood, 4 CA, 5 DD\nAustralia TF3: 8 CA")
    assert [(side["id"], side["nations"]) for side in document["sides"]] == [
        ("italy", ["italy"]),
        ("allies", ["britain", "australia"]),
    ]
    assert document["theatre"] == "europe"
    told = built(
        "Side: The Allies\nItaly TF1: Roma, 8 CA, 4 DD\nAllies TF2: Hood, 4 CA, 5 DD\nAllies TF3: 8 Australian CA"
    )
    assert [side["nations"] for side in told["sides"]] == [["britain", "australia"], ["italy"]]


def test_a_date_fills_in_what_our_orders_of_battle_say() -> None:
    text = f"Japan TF1: Akagi, Kaga, 2 BC, 4 CA, 2 DD; 6 NAS\n{US}"
    assert "research" not in built(text)
    dated = read(f"Date: Summer 1942\n{text}")
    assert dated.document is not None
    assert dated.document["research"] == flagplot.read_scenario("midway")["research"]
    assert dated.document["forces"][0]["air"][0]["elite"] is True
    assert built(f"Midway, June 1942\n{text}") == {**dated.document, "title": "Midway, June 1942"}
    assert "elite" not in built(f"Date: 1944\n{text}")["forces"][0]["air"][0]
    assert (
        "elite" not in built(f"Date: Summer 1942\n{text.replace('6 NAS', '6 regular NAS', 1)}")["forces"][0]["air"][0]
    )
    own = built(f"Date: Summer 1942\nResearch: Japan radar 2\n{text}")
    assert own["research"]["japan"] == {"radar": 2}
    assert all(note.estimate for note in dated.notes if "research" in note.message)
    assert "not in service" in str(read(f"Date: 1941\nJapan TF1: Musashi, 8 CA, 4 DD\n{US}").notes)


def test_ships_without_a_name_are_those_that_served() -> None:
    document = built(f"Japan TF1: 2 BC, Haruna, 6 CA, 1 DD\n{US}")
    assert document["forces"][0]["ships"][0]["named"] == ["Haruna", "Kongo", "Hiei"]
    assert built(f"Britain TF1: 1 carrier, 8 CA, 4 DD\n{US}")["forces"][0]["ships"][0]["named"] == ["Furious"]
    (problem,) = read(f"Japan TF1: 99 CV\n{US}").problems
    assert "only" in problem.message


def test_dates_of_ships_agree_with_every_order_of_battle() -> None:
    """The published set-ups of Midway and the Coral Sea are among them."""
    for order in orders():
        year, month = order.date
        for force in order.document.get("forces", ()):
            for name in [name for part in force["ships"] for name in part.get("named", ())]:
                assert serves(named_ship(name).id, (year, month + 2)), (order.name, name)
    late = read(f"Date: 1941\nJapan TF1: Musashi, 8 CA, 4 DD\n{US}").notes
    assert [note.estimate for note in late if "Musashi was not in service" in note.message] == [True]


def test_places_that_we_know_need_no_more_than_their_name() -> None:
    document = built(f"Japan TF1: Kongo, 8 CA, 4 DD\nMidway: 1 AAF, 1 NAS\nRabaul: 2 AAF; 6 hexes away\n{US}")
    midway, rabaul = document["bases"]
    assert (midway["side"], midway["island"], midway["at"]) == ("united-states", True, [1, 0])
    assert (rabaul["side"], rabaul["ports"]) == ("japan", 1)
    assert max(abs(rabaul["at"][0]), abs(rabaul["at"][1]), abs(sum(rabaul["at"]))) == 6


def test_a_published_set_up_names_places_not_forces() -> None:
    text = "Truk: 6 elite NAS; Shokaku CV, Zuikaku CV; CA8, DD2\nNoumea: 6 NAS; Lexington CV, Yorktown CV; CA8, DD1"
    forces = built(text)["forces"]
    assert [(one["name"], one["origin"]) for one in forces] == [("Truk Force", "Truk"), ("Noumea Force", "Noumea")]
    on_map = built(f"Map: coral sea\n{text}")
    assert [(one["id"], one["base"]) for one in on_map["forces"]] == [
        ("truk-force", "truk"),
        ("noumea-force", "noumea"),
    ]


def test_an_operation_adds_the_ports_that_forces_lie_in() -> None:
    text = (
        "Map: coral sea\nMoves: Japan\n"
        "Japan Strike: Shokaku, Zuikaku, 8 CA, 2 DD; 6 NAS; in Truk; may patrol to the Coral Sea worth 2\n"
        "US TF17: Lexington, Yorktown, 8 CA, 1 DD; 6 NAS; in Noumea; on patrol at 3,1\nUS submarines: 1, in Noumea\n"
    )
    document = built(text)
    assert document["kind"] == "operation"
    assert document["forces"][0]["orders"] == [{"activity": "patrol", "to": "coral-sea", "worth": 2}]
    assert [base["id"] for base in document["bases"]] == ["truk", "noumea"]
    assert document["flotillas"][0]["base"] == "noumea"
    (problem,) = read(text.replace("in Truk", "in Trukk")).problems
    assert (problem.suggestion, problem.line) == ("Truk", 3)


def test_a_port_can_be_put_on_the_map() -> None:
    text = (
        "Map: coral sea\nJapan Strike: Kongo, 8 CA, 2 DD; in Our Cove\nJapan Our Cove base: at 4,-2; port\n"
        "US TF17: Washington, 8 CA, 1 DD; in Noumea\n"
    )
    assert built(text)["bases"][0]["at"] == [4, -2]


def test_counters_of_line_of_battle_need_no_more_than_their_factors() -> None:
    document = built("Japan Chokai: gunnery 3, torpedo 3, defense 5\nUS Quincy: 3 guns, def 4")
    assert document["game"] == "line-of-battle"
    assert document["sides"][1]["ships"] == [{"id": "quincy", "name": "Quincy", "gunnery": 3, "defense": 4}]


def test_what_is_missing_is_told_at_the_end_and_by_name() -> None:
    (problem,) = read("Japan TF1: Kongo, 8 CA, 4 DD").problems
    assert (problem.line, problem.column) == (1, 29)
    assert "Only Japan has forces here" in problem.message
    (late,) = read(f"Japan TF1: Kongo, 8 CA, 4 DD\n{US.strip()}; arrives round 2").problems
    assert late.message.startswith("The United States has no naval force")


def test_totals_stand_beside_their_limits() -> None:
    found = totals(read(f"Japan TF1: Kongo, 8 CA, 4 DD\nMidway: 1 AAF, 1 NAS\n{US}").draft)
    assert [(one.path, *map(str, one.figures)) for one in found] == [
        ("forces[0]", "15 of 25 factors"),
        ("forces[1]", "17 of 25 factors", "6 of 8 carrier factors", "6 of 6 squadrons"),
        ("bases[0]", "4 of 10 squadrons' room"),
    ]
    assert found[0].figures[0].rule == "20.162"


def test_winter_is_that_of_all_bases() -> None:
    document = built(f"Winter: 8\nJapan TF1: Kongo, 8 CA, 4 DD\nMidway: 1 AAF\nRabaul: 2 AAF; winter 3\n{US}")
    assert [base["winter"] for base in document["bases"]] == [8, 3]


def test_what_is_no_scenario_is_not_written() -> None:
    for nothing in ({}, {"game": "awaw", "forces": 3}, {"game": "line-of-battle", "sides": [{}]}):
        with pytest.raises(ScenarioError):
            write(nothing)


def test_one_line_is_written_again() -> None:
    document = flagplot.read_scenario("midway")
    assert write_line(document, "forces[5]").startswith("United States Task Force 17: Yorktown, 8 CA, 2 DD; 3 NAS")
    assert write_line(document, "bases[0]") == "United States Midway base: at 1,0, airbase, island; 1 AAF, 1 NAS"
    with pytest.raises(UnknownName):
        write_line(document, "forces[99]")


def test_long_nonsense_is_read_quickly() -> None:
    """Each of these once took half a minute, or would."""
    words = [f"w{number:x}" for number in range(2500)]
    for text in (
        "Japan a: " + "9 CA " * 2400,
        "Japan a: 1 " + " ".join(words),
        "Japan a: " + ",".join(words),
        "\n".join([f"{one}: x" for one in words]),
    ):
        assert read(text).problems
