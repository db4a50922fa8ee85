"""Charts: what they show is what was found, and everybody can read them."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from math import comb
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import flagplot
from flagplot.draw import Picture, draw_answer, draw_options, draw_simulation
from flagplot.draw.bins import Bin, bins_of, place_of
from flagplot.draw.chart_page import divided
from flagplot.draw.chart_panels import whole_percent
from flagplot.draw.colours import COLOURS, DARK, LIGHT, Colour
from flagplot.draw.measuring import width_of, wrapped
from flagplot.draw.png import drawable
from flagplot.draw.shapes import Box, Diamond, Stroke, Words
from flagplot.kernel.ledger import Ledger, Line
from flagplot.odds.answer import Answer, Part
from flagplot.odds.chances import Distribution
from flagplot.players.random import RandomPlayer
from flagplot.simulation import simulate
from flagplot.simulation.simulation import Simulation, prepared

SVG = "{http://www.w3.org/2000/svg}"
OTHER_READING = {"hit_faces": "5-6"}
ODD = 'Graf <b>&"Spee"</b>'


def chances(*parts: int) -> Distribution[Any]:
    """So many parts of the whole for 0, 1, 2, ..."""
    return Distribution({number: Fraction(part, sum(parts)) for number, part in enumerate(parts)})


def binomial(number: int) -> dict[int, Fraction]:
    return {one: Fraction(comb(number, one), 2**number) for one in range(number + 1)}


def answer_of(*parts: Part, question: str = "What?", **rest: Any) -> Answer:
    return Answer(question, parts, **rest)


@pytest.fixture(scope="module")
def strike() -> Answer:
    target = "Enterprise, Hornet, Yorktown, Wasp, 8 cruisers, 4 destroyers"
    return flagplot.odds("strike", attackers="12 japan elite", target=target, cap=4)


@pytest.fixture(scope="module")
def battles() -> Simulation:
    return simulate("force-z", 40, {"japan": "random"}, seed=7)


def bars(picture: Picture) -> list[Box]:
    """The bars that stand for something, without the legend."""
    return [shape for shape in picture.shapes if isinstance(shape, Box) and shape.told]


def texts(picture: Picture) -> list[str]:
    return [shape.text for shape in picture.shapes if isinstance(shape, Words)]


# --- what is shown is what was found ----------------------------------------------------------------------------


def test_bars_are_as_long_as_chances_are_great() -> None:
    seen = bars(draw_answer(answer_of(Part("Hits", chances(1, 4, 2, 3)))))
    assert [bar.told for bar in seen] == ["0: 10.00%", "1: 40.00%", "2: 20.00%", "3: 30.00%"]
    full = seen[0].width * 10
    assert [bar.width / full for bar in seen] == pytest.approx([0.1, 0.4, 0.2, 0.3])
    assert len({bar.height for bar in seen}) == 1


def test_outlines_are_the_chance_of_so_many_or_more() -> None:
    picture = draw_answer(answer_of(Part("Hits", chances(1, 4, 2, 3))))
    full = bars(picture)[0].width * 10
    outlines = [one.width / full for one in picture.shapes if isinstance(one, Box) and one.hollow][1:]  # without legend
    assert outlines == pytest.approx([1.0, 0.9, 0.5])  # that of the last number is its chance itself
    shown = texts(picture)
    assert [shown[shown.index(f"{chance}.00%") + 1] for chance in (10, 40, 20)] == ["100.00%", "90.00%", "50.00%"]


def test_the_average_is_told_and_marked_where_it_lies() -> None:
    picture = draw_answer(answer_of(Part("Hits", chances(1, 1, 2))))
    rows = [bar.y + bar.height / 2 for bar in bars(picture)]
    mark = [one for one in picture.shapes if isinstance(one, Diamond)][-1]
    assert mark.y == pytest.approx(rows[1] + (rows[2] - rows[1]) / 4)
    assert "1.250 on average" in texts(picture)
    assert mark.told == "1.250 on average"


def test_outcomes_in_words_have_their_chances_the_likeliest_first() -> None:
    part = Part("Ends", Distribution({"sunk": Fraction(1, 4), "afloat": Fraction(3, 4)}))
    seen = bars(draw_answer(answer_of(part)))
    assert [bar.told for bar in seen] == ["afloat: 75.00%", "sunk: 25.00%"]
    assert seen[0].width == pytest.approx(3 * seen[1].width)


def test_numbers_keep_their_words_and_gaps_are_shown(strike: Answer) -> None:
    shown = texts(draw_answer(strike))
    assert {"2 damaged", "3 sunk", "58.87%", "Enterprise, 3 factors: hits"} <= set(shown)
    gap = draw_answer(answer_of(Part("Hits", Distribution({0: Fraction(1, 2), 2: Fraction(1, 2)}))))
    assert {"0", "1", "2", "0.00%"} <= set(texts(gap))


def test_rules_policies_options_and_exactness_are_told(strike: Answer) -> None:
    shown = " ".join(texts(draw_answer(strike)))
    assert "Exact" in shown
    assert "Rules of the modifiers: 19.31A, 19.31C, 23.4211, 22.552A, 17.354." in shown
    assert "Assumed: United States engages with everything over the target." in shown
    assert "Certain: Light ships sunk, in factors: 0; Cruisers damaged: 0." in shown
    ledgers = (("fire", Ledger([Line(1, "a reason", "22.5")])),)
    other = answer_of(Part("Hits", chances(1, 1)), ledgers=ledgers, options={"critical_hits": "never"})
    assert {"Rules of the modifiers: 22.5.", "Option critical_hits = never"} <= set(texts(draw_answer(other)))


def test_what_is_certain_is_drawn_if_there_is_nothing_else() -> None:
    assert [bar.told for bar in bars(draw_answer(answer_of(Part("Hits", chances(1)))))] == ["0: 100.00%"]


def test_what_was_not_followed_is_a_row_of_its_own() -> None:
    half = Distribution({0: Fraction(1, 4), 1: Fraction(1, 4)})
    words = Distribution({"sunk": Fraction(1, 2)})
    picture = draw_answer(answer_of(Part("Hits", half), Part("Ends", words), left_over=Fraction(1, 2)))
    left = [bar for bar in bars(picture) if bar.told == "not followed: 50.00%"]
    assert [bar.hollow for bar in left] == [True, True]
    assert any(text.startswith("Incomplete: 50.00% of the outcomes were not followed") for text in texts(picture))
    nothing = draw_answer(answer_of(Part("Hits", Distribution({})), left_over=Fraction(1)))
    assert [bar.told for bar in bars(nothing)] == ["not followed: 100.00%"]


# --- many numbers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("most", [4, 10, 14])
@pytest.mark.parametrize(
    "weights", [binomial(40), {one: Fraction(1, 121) for one in range(121)}, {-7: Fraction(1, 2), 993: Fraction(1, 2)}]
)
def test_bins_are_few_and_hold_every_number_once(weights: dict[int, Fraction], most: int) -> None:
    bins = bins_of(weights, most)
    assert 1 < len(bins) <= most
    assert sum(Fraction(one.weight(weights)) for one in bins) == 1
    assert all(one.last + 1 == other.first for one, other in pairwise(bins))
    assert (bins[0].first, bins[-1].last) == (min(weights), max(weights))


def test_bins_say_what_they_hold() -> None:
    few = [one.label for one in bins_of({3: 1, 5: 1}, 14)]
    assert few == ["3", "4", "5"]
    many = bins_of(binomial(40), 14)
    assert [one.label for one in many[:2]] == ["up to 13", "14 to 15"]
    assert many[-1].label == "28 or more"
    assert bins_of({}, 14) == []
    rare = {**dict.fromkeys(range(8), 100), 30: 1}
    assert [one.label for one in bins_of(rare, 10)][-2:] == ["6", "7 or more"]


def test_forty_values_are_a_chart_of_a_few_rows() -> None:
    picture = draw_answer(answer_of(Part("Factors", Distribution(binomial(40)))))
    seen = bars(picture)
    assert len(seen) <= 14
    outlines = [one for one in picture.shapes if isinstance(one, Box) and one.hollow][1:]
    assert sum(bar.width for bar in seen) == pytest.approx(outlines[0].width)  # the first outline is certainty


def test_places_among_bins() -> None:
    bins = [Bin(0, 0, "0"), Bin(1, 1, "1"), Bin(2, 3, "2 to 3")]
    assert [place_of(number, bins) for number in (-1, 0.5, 1.0, 1.75, 9)] == [0, 0.5, 1, 1.5, 2]


# --- options beside each other ----------------------------------------------------------------------------------


def test_options_share_columns_and_scale() -> None:
    one, other = answer_of(Part("Hits", chances(1, 3))), answer_of(Part("Hits", chances(1, 1, 2)))
    picture = draw_options("Whom to strike?", [("Akagi", one), ("Kaga", other)])
    seen = {bar.told: bar for bar in bars(picture)}
    assert [*seen] == ["Akagi: 0: 25.00%", "Akagi: 1: 75.00%", "Kaga: 0: 25.00%", "Kaga: 1: 25.00%", "Kaga: 2: 50.00%"]
    heights = [bar.height for bar in seen.values()]
    assert [height / heights[1] * 0.75 for height in heights] == pytest.approx([0.25, 0.75, 0.25, 0.25, 0.5])
    assert seen["Akagi: 0: 25.00%"].x == seen["Kaga: 0: 25.00%"].x
    assert {"0.75", "1.25", "average"} <= set(texts(picture))
    assert "Kaga:\nHits: 1.250 on average" in picture.text


def test_options_tell_what_is_alike_what_is_missing_and_what_is_noted() -> None:
    sure, words = Part("Lost", chances(1)), Part("Ends", Distribution({"sunk": Fraction(1, 2)}))
    options = [("A", answer_of(sure, words, left_over=Fraction(1, 2))), ("B", answer_of(sure))]
    picture = draw_options("Which?", options, notes=["Not known: their numbers."])
    shown = texts(picture)
    assert "In every trial, whatever is chosen: Lost: 0." in shown
    assert "not followed" in shown
    assert "Not known: their numbers." in shown
    assert any(text.startswith("A: Incomplete: 50.00% of the outcomes were not followed") for text in shown)


def test_sampled_answers_are_not_called_exact() -> None:
    class Sampled(Answer):
        @property
        def soundness(self) -> str:
            return "SAMPLED: 100 trials."

        def as_dict(self) -> dict[str, Any]:
            return {"exact": False}

    sampled = Sampled("What?", (Part("Hits", chances(1, 1)), Part("Lost", chances(1))))
    for picture in (draw_answer(sampled), draw_options("What?", [("A", sampled), ("B", sampled)])):
        shown = " ".join(texts(picture))
        assert shown.count("SAMPLED: 100 trials.") == 1
        assert "Exact" not in shown
        assert "Certain" not in shown


def test_columns_are_as_many_as_there_is_room_for() -> None:
    forty = answer_of(Part("Factors", Distribution(binomial(40))))
    seen = bars(draw_options("Which?", [("A name that takes all the room that labels have", forty)], columns=1))
    assert 4 < len(seen) <= 10
    assert (seen[0].told.split(": ")[1], seen[-1].told.split(": ")[1]) == ("up to 13", "28 +")
    assert min(bar.width for bar in seen) / 0.7 > width_of("<1", 9.5)


def test_unlikely_words_are_taken_together() -> None:
    outcomes = Distribution({f"end {number}": Fraction(1, 20) for number in range(20)})
    seen = bars(draw_answer(answer_of(Part("Ends", outcomes))))
    assert (len(seen), seen[-1].told) == (14, "others: 35.00%")
    grid = bars(draw_options("Which?", [("A", answer_of(Part("Ends", outcomes)))]))
    assert (len(grid), grid[-1].told) == (6, "A: others: 75.00%")


def test_whole_per_cent_never_read_as_nothing_or_all() -> None:
    assert [whole_percent(share) for share in (0.001, 0.005, 0.006, 0.5, 0.999, 1.0)] == [
        "<1", "<1", "1", "50", "99", "100"
    ]  # fmt: skip


# --- simulations ------------------------------------------------------------------------------------------------


def test_a_simulation_is_drawn_with_its_intervals(battles: Simulation) -> None:
    picture = draw_simulation(battles)
    seen = {bar.told: bar for bar in bars(picture)}
    share = battles.won("britain")
    bar = seen[f"Britain: {100 * share.share:.1f} %"]
    full = bar.width / share.share
    ends = sorted(
        [one.x1 for one in picture.shapes if isinstance(one, Stroke) and one.y1 < bar.y + bar.height / 2 < one.y2]
    )
    low, high = share.interval
    assert any(end == pytest.approx(bar.x + low * full) for end in ends)
    assert any(end == pytest.approx(bar.x + high * full) for end in ends)
    general = {"Winners", "How it ended", "Rounds", "Answers and rolls"}
    assert general | {"Britain: lost in a battle", "Japan: by name"} <= set(texts(picture))
    assert "Sampled: 40 battles from seed 7. Britain: doctrine, Japan: random." in texts(picture)


def test_losses_of_a_simulation_are_whole(battles: Simulation) -> None:
    lost = [bar for bar in bars(draw_simulation(battles)) if bar.told.startswith("ships: ")]
    shares = [float(bar.told.split(": ")[2].rstrip("%")) for bar in lost]
    assert sum(shares) == pytest.approx(200)  # both sides lose ships
    assert [bar.height / lost[0].height for bar in lost[:3]] == pytest.approx([one / shares[0] for one in shares[:3]])


def test_small_numbers_are_not_taken_together_because_others_are_great() -> None:
    found = prepared("force-z", 10, {}, 3)
    for _ in range(10):
        found.tally.battles += 1
        found.tally.answers[20] += 1
    found.tally.lost["japan", "ships"].update({1: 4})
    found.tally.lost["japan", "boats"].update({11: 5})
    found.tally.lost["japan", "men"].update({400: 10})
    seen = [bar.told for bar in bars(draw_simulation(found)) if bar.told.startswith(("ships", "boats", "men"))]
    assert seen[:4] == ["boats: 0: 50.00%", "boats: 11: 50.00%", "ships: 0: 60.00%", "ships: 1: 40.00%"]
    assert seen[4:] == ["men: 400: 100.00%"]
    assert "Japan: lost in a battle, greater numbers" in texts(draw_simulation(found))


def test_a_simulation_that_was_stopped_says_so() -> None:
    nothing = replace(prepared("force-z", 100, {}, 3), stopped="stopped before the end")
    picture = draw_simulation(nothing)
    assert "Fewer than 100 battles: stopped before the end. This is the answer so far." in " ".join(texts(picture))
    assert bars(picture) == []


def test_a_simulation_tells_its_options_and_where_it_was_played_on(tmp_path: Path) -> None:
    game = flagplot.load("force-z", seed=1, options=OTHER_READING)
    game.play({side: RandomPlayer(1) for side in game.sides}, until=3)
    game.save(tmp_path / "mine.jsonl", follow=False)
    text = draw_simulation(simulate(tmp_path / "mine.jsonl", 2, seed=3)).text
    (name, value), *_ = OTHER_READING.items()
    assert f"\nOptions: {name}={value}." in text
    assert f"\nContinued from mine.jsonl after {game.turn:,} answers, with other dice" in text
    assert "For the umpire only: hidden forces are as they really are." in text
    assert str(tmp_path) not in text  # a picture is shown around


# --- everybody can read it --------------------------------------------------------------------------------------


def pictures(strike: Answer, battles: Simulation) -> Iterator[Picture]:
    odd = answer_of(Part(ODD, Distribution({ODD * 4: Fraction(1)})), question=ODD)
    forty = answer_of(Part("Forty", Distribution(binomial(40))), question="A very long question " * 20)
    for columns in (None, 1, 2, 3):
        yield draw_answer(strike, columns)
        yield draw_simulation(battles, columns)
        yield draw_options("Which?", [("One", strike), ("Another one, with a long name " * 3, strike)], columns)
    yield draw_answer(odd)
    yield draw_answer(forty)


def test_the_svg_is_well_formed_and_has_its_text_twin(strike: Answer, battles: Simulation) -> None:
    for picture in pictures(strike, battles):
        root = ET.fromstring(picture.svg())
        assert root.tag == f"{SVG}svg"
        assert root.get("role") == "img"
        assert root.get("width") == "100%"
        _, _, width, height = map(float, root.get("viewBox", "").split())
        assert (width, height) == pytest.approx((picture.width, picture.height), abs=0.01)
        title, described = root[0], root[1]
        assert (title.tag, title.text) == (f"{SVG}title", picture.title)
        assert (described.tag, described.text) == (f"{SVG}desc", picture.text)
        assert (root.get("aria-labelledby"), root.get("aria-describedby")) == (title.get("id"), described.get("id"))
    assert draw_answer(strike).text == str(strike)
    share = battles.winners["Britain"].share * 100
    assert f"Britain: share {share:.1f} %, 95 % interval" in draw_simulation(battles).text


def test_odd_names_are_escaped() -> None:
    broken = ODD + "\x00\x1b\ud800"
    picture = draw_answer(answer_of(Part(broken, Distribution({ODD: Fraction(1)})), question=broken))
    root = ET.fromstring(picture.svg().encode())
    shown = [element.text for element in root.iter(f"{SVG}text")]
    assert ODD + "\ufffd" * 3 in shown
    assert [element.tag for element in root.iter() if element.tag.endswith("}b")] == []


def test_ids_hang_on_the_content(strike: Answer, battles: Simulation) -> None:
    first, again, other = draw_answer(strike).svg(), draw_answer(strike).svg(), draw_simulation(battles).svg()
    assert first == again
    assert ET.fromstring(first)[0].get("id") != ET.fromstring(other)[0].get("id")


def test_no_text_is_cut_off_or_overlaps_another(strike: Answer, battles: Simulation) -> None:
    for picture in pictures(strike, battles):
        boxes = [room(shape) for shape in picture.shapes if isinstance(shape, Words)]
        for left, top, right, bottom, _ in boxes:
            assert left >= 0
            assert top >= 0
            assert right <= picture.width
            assert bottom <= picture.height
        pairs = [(one[4], other[4]) for one, other in combinations(boxes, 2) if overlap(one, other)]
        assert pairs == []


Room = tuple[float, float, float, float, str]


def room(words: Words) -> Room:
    """The room that a line of capital letters takes: left, top, right, bottom."""
    width = width_of(words.text, words.size, bold=words.bold)
    left = words.x - {"start": 0, "middle": width / 2, "end": width}[words.anchor]
    return left, words.y - 0.73 * words.size, left + width, words.y + 0.1 * words.size, words.text


def overlap(one: Room, other: Room) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_words_are_broken_to_fit() -> None:
    lines = wrapped("a few words and Donaudampfschiffahrtsgesellschaft", 10, 60)
    assert "".join(lines).replace(" ", "") == "afewwordsandDonaudampfschiffahrtsgesellschaft"
    assert all(width_of(line, 10) <= 60 for line in lines)
    assert wrapped("", 10, 60) == [""]


def test_panels_are_divided_in_their_order_into_columns_of_like_height() -> None:
    assert divided([10, 10, 10, 30], 2) == [range(3), range(3, 4)]
    assert divided([10, 10, 10], 1) == [range(3)]


# --- colours ----------------------------------------------------------------------------------------------------


def luminance(colour: str) -> float:
    """WCAG 2: the relative luminance of a colour."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_that_of_the_books() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_text_and_shapes_stand_out(palette: dict[Colour, str]) -> None:
    assert set(palette) == set(COLOURS)
    for text in ("ink", "faint"):
        assert contrast(palette[text], palette["paper"]) >= 4.5
    for shape in ("bar", "edge", "mark"):
        assert contrast(palette[shape], palette["paper"]) >= 3
    assert contrast(palette["ink"], palette["bar"]) >= 3  # intervals lie on bars


def test_text_is_in_the_colours_of_text(strike: Answer, battles: Simulation) -> None:
    for picture in pictures(strike, battles):
        assert {shape.colour for shape in picture.shapes if isinstance(shape, Words)} <= {"ink", "faint"}


def test_the_svg_follows_the_scheme_of_whoever_looks(strike: Answer) -> None:
    picture = draw_answer(strike)
    auto, light, dark = picture.svg(), picture.svg("light"), picture.svg("dark")
    assert "@media (prefers-color-scheme:dark)" in auto
    assert all(f".flagplot-{colour}{{fill:{DARK[colour]}}}" in auto for colour in COLOURS)
    for element in ET.fromstring(auto).iter():  # without a style sheet it is light
        assert element.get("fill") in (None, "none", *LIGHT.values())
        assert element.get("stroke") in (None, *LIGHT.values())
    assert "<style>" not in light
    assert "<style>" not in dark
    assert not any(colour in dark for colour in LIGHT.values())


# --- PNG and notebooks ------------------------------------------------------------------------------------------


def test_the_png_shows_what_the_svg_shows() -> None:
    picture = draw_answer(answer_of(Part("Hits", chances(1, 3))))
    image = Image.open(io.BytesIO(picture.png(scale=1))).convert("RGB")
    assert image.size == (round(picture.width), round(picture.height))
    blue = tuple(bytes.fromhex(LIGHT["bar"][1:]))
    for bar in bars(picture):
        y = round(bar.y + bar.height / 2)
        for x in (bar.x + 6, bar.x + bar.width - 2):
            assert image.getpixel((round(x), y)) == blue
        assert image.getpixel((round(bar.x + bar.width) + 2, y)) != blue
    title = next(shape for shape in picture.shapes if isinstance(shape, Words))
    seen = image.crop((round(title.x), round(title.y - title.size), round(title.x) + 40, round(title.y)))
    assert min(seen.convert("L").tobytes()) < 100  # the text has not vanished


def test_characters_that_the_font_lacks_are_shown_as_others() -> None:
    assert drawable("Plain ASCII, 100 % <b>&\"'") == "Plain ASCII, 100 % <b>&\"'"
    assert drawable("Köln, Dupleix à Brest, Ångström") == "Koln, Dupleix a Brest, Angstrom"
    assert drawable("Ko\u0308ln – Straße × 2 ≥ 1") == "Koln - Strasse x 2 >= 1"
    assert drawable("赤城") == "??"


def test_answers_and_simulations_show_themselves(strike: Answer, battles: Simulation) -> None:
    assert ET.fromstring(strike._repr_svg_()).tag == f"{SVG}svg"
    assert strike._repr_svg_() == draw_answer(strike).svg()
    assert battles._repr_svg_() == draw_simulation(battles).svg()
    assert str(battles) == draw_simulation(battles).text
    assert str(battles).startswith("Force Z, December 1941\nSampled: 40 battles from seed 7.")
    assert (strike.as_dict()["exact"], battles.as_dict()["battles"]) == (True, 40)
    assert draw_answer(strike)._repr_svg_() == draw_answer(strike).svg()


def test_the_picture_of_the_documents_is_that_of_the_standard_strike(strike: Answer) -> None:
    kept = (Path(flagplot.__file__).parents[1] / "docs" / "odds.svg").read_text(encoding="utf8")
    assert kept == draw_answer(strike).svg(), "draw it again: the first command under Plots in docs/odds.md"
