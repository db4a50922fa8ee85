"""The colours of all pages: contrast after WCAG 2, light and dark, and differences that every kind of eyes sees."""

from __future__ import annotations

import re

import pytest

from flagplot.draw import colours
from flagplot.draw.nations import CODES, OTHER
from flagplot.draw.picture import Picture
from flagplot.draw.shapes import Box
from flagplot.draw.svg import svg
from flagplot.table.pages import STATIC

Colour = tuple[float, float, float]
SHEET = (STATIC / "palette.css").read_text(encoding="utf8")
NATIONS = sorted({*CODES.values(), OTHER})
WORDS_ON = {
    "ink": ("desk", "paper", "inset", "note-wash", "hit-wash", "act-wash", "sea", "deep", "shoal"),
    "soft": ("desk", "paper", "inset", "note-wash", "act-wash"),
    "act": ("desk", "paper", "inset", "note-wash", "hit-wash", "act-wash"),
    "on-act": ("act", "act-2"),
    "hit": ("desk", "paper", "inset", "hit-wash"),
    "good": ("desk", "paper"),
    "note": ("desk", "paper", "note-wash"),
    "place": ("halo", "sea", "deep", "shoal", "land"),
    "water": ("halo", "sea", "deep"),
    "one": ("desk", "paper"),
    "two": ("desk", "paper"),
    **{f"{nation}-word": ("desk", "paper", f"{nation}-wash") for nation in NATIONS},
    **{f"{nation}-ink": (nation,) for nation in NATIONS},
}
"""Text, and what it stands on: 4.5 to 1."""
SHAPES_ON = {
    "edge": ("desk", "paper", "inset"),
    "focus": ("desk", "paper", "inset", "sea", "act-wash"),
    "act": ("sea", "deep"),
    "bar": ("paper",),
    "mark": ("paper",),
    "hit": ("desk", "paper"),
    "dmg": ("paper",),
    "coast": ("land", "sea"),
    "one": ("paper",),
    "two": ("paper",),
    **{f"{nation}-edge": (nation,) for nation in NATIONS},
}
"""What has to be seen without being read, and what it stands on: 3 to 1."""
APART = [
    *[("one", "two"), ("hit", "act"), ("bar", "mark"), ("good", "hit"), ("focus", "act"), ("hit", "none")],
    *[("jp", "us"), ("uk", "de"), ("uk", "it"), ("de", "su"), ("us", "de"), ("fr", "it")],
]
"""Colours that tell things apart, among them nations that fight each other. A counter has its nation's sign too."""
EYES = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""How colours of linear light look to eyes of each kind (the published matrices of Machado and others, 2009)."""


def palette(dark: bool) -> dict[str, str]:
    """The colours of the style sheet: those for a dark page go before the others."""
    light, after = schemes()
    found = dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6});", light))
    return found | dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6});", after)) if dark else found


def schemes() -> tuple[str, str]:
    """The style sheet's colours for a light page, and those for a dark one."""
    light, _, after = SHEET.partition("@media (prefers-color-scheme: dark)")
    return light, after.partition("/* what does not change")[0]


def light_of(colour: str) -> Colour:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return red, green, blue


def luminance(colour: str) -> float:
    red, green, blue = light_of(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted([luminance(one), luminance(other)], reverse=True)
    return (high + 0.05) / (low + 0.05)


def seen(colour: str, eyes: str) -> Colour:
    """A colour as eyes of some kind see it, in CIE L*a*b*, where distances are differences."""
    light = light_of(colour)
    red, green, blue = [
        min(1.0, max(0.0, sum(weight * part for weight, part in zip(row, light, strict=True)))) for row in EYES[eyes]
    ]
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    fx, fy, fz = [part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z)]
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def difference(one: str, other: str, eyes: str) -> float:
    pairs = zip(seen(one, eyes), seen(other, eyes), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


def test_contrast_is_reckoned_right() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert difference("#ff0000", "#ff0000", "usual") == 0
    assert difference("#c04040", "#608000", "deuteranopia") < difference("#c04040", "#608000", "usual") / 2


def test_both_schemes_have_every_colour() -> None:
    light, after = schemes()
    names = re.findall(r"--([\w-]+):", light)
    assert re.findall(r"--([\w-]+):", after) == names
    assert set(names) - {"lift", "lift-2"} == set(palette(dark=False)) == set(palette(dark=True))


def test_every_nation_has_its_colours_and_its_class() -> None:
    for nation in NATIONS:
        assert {nation, *[f"{nation}-{part}" for part in ("edge", "ink", "word", "wash")]} <= set(palette(dark=False))
        assert f".{nation} {{ --face: var(--{nation});" in SHEET


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(("pairs", "least"), [(WORDS_ON, 4.5), (SHAPES_ON, 3.0)], ids=["words", "shapes"])
def test_everything_can_be_read_and_seen(dark: bool, pairs: dict[str, tuple[str, ...]], least: float) -> None:
    known = palette(dark)
    poor = {
        f"{front} on {back}": round(contrast(known[front], known[back]), 2)
        for front, backs in pairs.items()
        for back in backs
        if contrast(known[front], known[back]) < least
    }
    assert not poor


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("eyes", EYES)
def test_what_differs_differs_for_every_kind_of_eyes(dark: bool, eyes: str) -> None:
    known = palette(dark)
    alike = {
        (one, other): round(found) for one, other in APART if (found := difference(known[one], known[other], eyes)) < 15
    }
    assert not alike


@pytest.mark.parametrize("name", ["site.css", "desk.css", "lobby.css"])
def test_other_style_sheets_take_their_colours_from_the_palette(name: str) -> None:
    text = (STATIC / name).read_text(encoding="utf8")
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b(?![^{]*\{)", text)
    known = set(re.findall(r"--([\w-]+):", SHEET))
    for used in re.findall(r"var\(--([\w-]+)\)", text):
        assert used in known


def test_every_colour_of_a_chart_has_its_rule_on_pages() -> None:
    text = (STATIC / "site.css").read_text(encoding="utf8")
    assert set(colours.COLOURS) <= set(re.findall(r"\.flagplot-chart \.flagplot-(\w+) ", text))
    drawn = svg(Picture("A chart", 20, 10, "words", [Box(1, 1, 5, 5, "bar")]), "page")
    assert "style" not in drawn
    assert 'width="20"' in drawn
