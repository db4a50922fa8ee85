"""How a map looks: one list of rules, for pages by the names of their colours and for files by fixed values.

The page has the rules as `static/map-drawing.css`, which a test compares with `page_sheet`. After a change:

    python -m flagplot.draw.map.style > flagplot/table/static/map-drawing.css
"""

from __future__ import annotations

import re
from typing import Final, Literal

from flagplot.draw.nations import CODES, OTHER

Scheme = Literal["light", "dark"]

LIGHT: Final = {
    "paper": "#fffdf9", "ink": "#16202b", "soft": "#47535f",
    "sea": "#cfe2ea", "deep": "#bcd5e1", "grid": "#a3c0cf", "shoal": "#e2f0ee", "land": "#e9dbb6", "coast": "#84703d",
    "place": "#1d2a35", "halo": "#f7fbfc", "water": "#2a5b75", "act": "#0a6a5c", "on-act": "#ffffff", "hit": "#b01f24",
    "jp": "#f0b65f", "jp-edge": "#8a3a06", "jp-ink": "#231404", "jp-word": "#8a3a06",
    "us": "#95c1ec", "us-edge": "#174a80", "us-ink": "#081a2e", "us-word": "#174a80",
    "uk": "#dcc690", "uk-edge": "#664f12", "uk-ink": "#221a05", "uk-word": "#664f12",
    "au": "#d5d67c", "au-edge": "#565c0c", "au-ink": "#1d1f04", "au-word": "#565c0c",
    "de": "#bac0c6", "de-edge": "#39424b", "de-ink": "#12161a", "de-word": "#39424b",
    "it": "#a2d6ba", "it-edge": "#1b5b40", "it-ink": "#06200f", "it-word": "#1b5b40",
    "fr": "#b4b8f0", "fr-edge": "#3a3a92", "fr-ink": "#101033", "fr-word": "#3a3a92",
    "su": "#e9a79c", "su-edge": "#8c1f1f", "su-ink": "#2b0808", "su-word": "#8c1f1f",
    "nl": "#f5b896", "nl-edge": "#8f3f0e", "nl-ink": "#2b1205", "nl-word": "#8f3f0e",
    "cn": "#9fd3d8", "cn-edge": "#125a63", "cn-ink": "#042023", "cn-word": "#125a63",
    "ca": "#e3b9c6", "ca-edge": "#7d2747", "ca-ink": "#290a16", "ca-word": "#7d2747",
    "pl": "#e8c3d9", "pl-edge": "#7a2a5e", "pl-ink": "#270a1d", "pl-word": "#7a2a5e",
    "fi": "#c3d6e6", "fi-edge": "#33566f", "fi-ink": "#0d1b25", "fi-word": "#33566f",
    "hu": "#b9cf9b", "hu-edge": "#3f5a1a", "hu-ink": "#131e05", "hu-word": "#3f5a1a",
    "ro": "#d9c67a", "ro-edge": "#5f4f05", "ro-ink": "#201b02", "ro-word": "#5f4f05",
    "xx": "#d6d3cd", "xx-edge": "#55514a", "xx-ink": "#1c1a16", "xx-word": "#55514a",
}  # fmt: skip
DARK: Final = LIGHT | {
    "paper": "#161f29", "ink": "#edf1f3", "soft": "#b3bfc9",
    "sea": "#11283a", "deep": "#0d2030", "grid": "#25465d", "shoal": "#17384a", "land": "#48422f", "coast": "#b7a56f",
    "place": "#f2efe4", "halo": "#0b1620", "water": "#8fc3dd", "act": "#58d3ba", "on-act": "#04211c", "hit": "#ff8f86",
    "jp": "#dc9f47", "jp-word": "#f2ab63", "us": "#7eaddb", "us-word": "#93c4f6", "uk": "#c4ad74", "uk-word": "#dcc690",
    "au": "#bdbf62", "au-word": "#d6d878", "de": "#9fa7af", "de-word": "#c3cad1", "it": "#86bfa1", "it-word": "#9bdcb9",
    "fr": "#9ba0de", "fr-word": "#b9bdf5", "su": "#d48d81", "su-word": "#f3aba0", "nl": "#dd9f7b", "nl-word": "#f6b793",
    "cn": "#83bac0", "cn-word": "#98d8de", "ca": "#cb9fad", "ca-word": "#eebccb", "pl": "#cfa8c0", "pl-word": "#ecc4dd",
    "fi": "#a6bccd", "fi-word": "#c6dcee", "hu": "#9fb680", "hu-word": "#c2db9f", "ro": "#bfac62", "ro-word": "#ddca7d",
    "xx": "#b9b5ae", "xx-word": "#d5d1c9",
}  # fmt: skip
"""What the colours are worth in files; a page has them by the same names in its palette."""
COLOURS: Final[dict[Scheme, dict[str, str]]] = {"light": LIGHT, "dark": DARK}
FONTS: Final = {
    "sans": "'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif",
    "serif": "'Iowan Old Style', 'Palatino Linotype', Palatino, Georgia, 'DejaVu Serif', serif",
    "narrow": "'Roboto Condensed', 'Arial Narrow', 'DejaVu Sans Condensed', sans-serif",
}

THIN = "vector-effect:non-scaling-stroke"
ROUND = "stroke-linejoin:round;stroke-linecap:round"
HALO = "paint-order:stroke;stroke:var(--halo);stroke-width:.3em;stroke-linejoin:round"
RULES: Final = {
    ".m-sea": "fill:var(--sea)",
    ".m-shoal": "fill:none;stroke:var(--shoal);stroke-width:12;stroke-linejoin:round",
    ".m-shelf": "fill:none;stroke:var(--shoal);stroke-width:26;stroke-linejoin:round;opacity:.45",
    ".m-land": "fill:var(--land);fill-rule:evenodd;stroke:var(--coast);stroke-width:1.4;stroke-linejoin:round",
    ".m-grid": f"fill:none;stroke:var(--grid);stroke-width:1;opacity:.6;{THIN}",
    ".m-edge": "fill:none;stroke:var(--grid);stroke-width:1.5",
    ".m-bar": f"fill:none;stroke:var(--coast);stroke-width:2;{THIN}",
    ".m-strait": f"fill:none;stroke:var(--water);stroke-width:3;stroke-dasharray:5 4;{THIN}",
    ".m-name": f"font-family:var(--sans);font-weight:700;fill:var(--place);{HALO}",
    ".m-town": "font-weight:600",
    ".m-water": "font-family:var(--serif);font-style:italic;font-weight:600;fill:var(--water);stroke:var(--sea)",
    ".m-box": "fill:var(--water)",
    ".m-dot": "fill:var(--paper);stroke:var(--place)",
    ".m-icon": "fill:var(--place)",
    ".m-cell": "fill:currentColor;fill-opacity:.22;stroke:currentColor;stroke-opacity:.7;stroke-width:1",
    ".m-under": f"fill:none;stroke:var(--halo);stroke-width:7;{ROUND};opacity:.85;{THIN}",
    ".m-route": f"fill:none;stroke:currentColor;stroke-width:4;{ROUND};{THIN}",
    ".m-set": "stroke-width:3.6;stroke-dasharray:.1 7.5",
    ".m-head": "fill:currentColor;stroke:var(--halo);stroke-width:1",
    ".m-step": "fill:var(--paper);stroke:currentColor",
    ".m-reach": f"fill:currentColor;fill-opacity:.1;stroke:currentColor;stroke-width:1.8;stroke-dasharray:7 5;{THIN}",
    ".m-fight": f"fill:none;stroke:var(--hit);stroke-width:3;{THIN}",
    ".m-goal": f"fill:var(--act);fill-opacity:.18;stroke:var(--act);stroke-width:3;stroke-dasharray:7 5;{THIN}",
    ".m-badge": "fill:var(--act)",
    ".m-key": "font-family:var(--sans);font-weight:800;fill:var(--on-act);text-anchor:middle",
    ".m-pole": f"fill:none;stroke:var(--place);stroke-width:1.2;opacity:.75;{THIN}",
    ".m-chip": "stroke-width:1.4",
    ".m-chip text": "font-family:var(--narrow);font-weight:700",
    ".m-chip .m-f": "font-weight:800",
    ".m-hatch": "fill:none;stroke-width:5;opacity:.28",
    ".m-note": "font-family:var(--sans);fill:var(--ink)",
    ".m-faint": "fill:var(--soft)",
    ".m-paper": "fill:var(--paper)",
}
"""By class: how a part of a map looks. Lengths without a unit are in units of the drawing, 40 a hex."""


def _rules() -> dict[str, str]:
    nations = {
        f".m-{code}{part}": look
        for code in (*dict.fromkeys(CODES.values()), OTHER)
        for part, look in (
            (" .m-face", f"fill:var(--{code});stroke:var(--{code}-edge)"),
            (" .m-print", f"fill:var(--{code}-ink)"),
            (" .m-hatch", f"stroke:var(--{code}-ink)"),
            ("-word", f"color:var(--{code}-word)"),
        )
    }
    return RULES | nations


def page_sheet() -> str:
    """The rules for a page, which knows the colours by their names."""
    lines = [f"{selector} {{ {look.replace(';', '; ')}; }}" for selector, look in _rules().items()]
    return "/* Made by flagplot/draw/map/style.py: change it there. */\n\n" + "\n".join(lines) + "\n"


def file_sheet(scheme: Literal["auto", "light", "dark"], text: str) -> str:
    """The rules that a picture needs by itself, with fixed colours; `auto` follows whoever looks at it."""
    if scheme != "auto":
        return _fixed(COLOURS[scheme], text)
    return f"{_fixed(LIGHT, text)}@media (prefers-color-scheme:dark){{{_fixed(DARK, text)}}}"


def _fixed(colours: dict[str, str], text: str) -> str:
    """The rules for the classes that a picture uses."""
    values = colours | FONTS
    used = {name for names in re.findall('class="([^"]+)"', text) for name in names.split()}
    rules = [
        f"{selector}{{{look}}}"
        for selector, look in _rules().items()
        if used.issuperset(re.findall(r"\.([a-z-]+)", selector))
    ]
    return re.sub(r"var\(--([a-z-]+)\)", lambda found: values[found[1]], "".join(rules))


if __name__ == "__main__":
    print(page_sheet(), end="")
