"""Builds the documentation as a site, and checks it. Run it from the top folder:

    .venv/bin/python -m tools.site              into build/docs: open index.html there, no network needed
    .venv/bin/python -m tools.site --to FOLDER  elsewhere

A warning of MkDocs, a link that leads nowhere, or anything that a page would load from elsewhere is an error.
"""

from __future__ import annotations

import argparse
import os
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parents[1]
LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}
"""Elements that make a browser load something, and where they say what."""


class Page(HTMLParser):
    """What a page leads to, loads and can be led to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.inline = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attributes}
        self.anchors |= {said[name] for name in ("id", "name") if name in said}
        if tag == "a" and "href" in said:
            self.links.append(said["href"])
        elif tag in LOADED and LOADED[tag] in said:
            self.loaded.append(said[LOADED[tag]])
        elif tag == "script" and said.get("type", "text/javascript") == "text/javascript":
            self.inline += 1


def build(folder: Path) -> None:
    """The site, with every warning an error."""
    os.environ["NO_MKDOCS_2_WARNING"] = "1"
    from mkdocs.commands.build import build as build_site
    from mkdocs.config import load_config

    config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder), strict=True)
    config.plugins.on_startup(command="build", dirty=False)
    build_site(config)


def faults(folder: Path) -> list[str]:
    """Links that lead nowhere, and what would be loaded from elsewhere."""
    pages = {path.resolve(): Page(path.read_text(encoding="utf8")) for path in sorted(folder.rglob("*.html"))}
    found: list[str] = []
    for path, page in pages.items():
        name = path.relative_to(folder.resolve())
        if name.name == "404.html":  # its links begin at the root of a server
            continue
        found += [f"{name}: a script stands in the page"] * page.inline
        found += [f"{name}: loads {one}" for one in page.loaded if urlsplit(one).netloc]
        for link in [*page.links, *page.loaded]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                found.append(f"{name}: {link} leads nowhere")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                found.append(f"{name}: {link} has no such place")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the documentation.")
    parser.add_argument("--to", type=Path, default=ROOT / "build" / "docs", metavar="FOLDER")
    folder = parser.parse_args().to.resolve()
    from mkdocs.exceptions import Abort

    try:
        build(folder)
    except Abort as refusal:
        print(refusal, file=sys.stderr)
        return 1
    wrong = faults(folder)
    for line in wrong:
        print(line, file=sys.stderr)
    if wrong:
        return 1
    print(f"{len(list(folder.rglob('*.html')))} pages: open {folder / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
