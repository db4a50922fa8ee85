"""Hooks of MkDocs: pages that lie elsewhere or are made, and nothing on a page that a strict content policy refuses."""

from __future__ import annotations

import re
from hashlib import blake2b
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

from flagplot.register import register

ROOT = Path(__file__).resolve().parents[1]
BROUGHT = {"changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md"}
"""Pages of the site that lie in the top folder."""
MOVED = {
    "](../README.md)": "](index.md)",
    "](../CONTRIBUTING.md)": "](contributing.md)",
    "](../CHANGELOG.md)": "](changelog.md)",
    "](docs/": "](",
}
"""Links as they are in the folders, and as they are on the site."""
CHAPTERS = {
    "17": "Air units",
    "18": "Air operations",
    "19": "Air combat",
    "22": "Naval operations",
    "23": "Air-naval operations",
    "SOP": "Sequence of play",
    "LOB": "Line of Battle",
}
INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)
SCRIPTS = "assets/inline"
SHIM = "https://unpkg.com/iframe-worker/shim"
"""What Material would fetch from elsewhere, so that a page opened from a folder can be searched."""
OUR_SHIM = "assets/workers-from-a-folder.js"


def on_files(files: Files, config: Any) -> Files:
    """Add the change log, the page for contributors, the rules in our words, and our own shim."""
    for name, source in BROUGHT.items():
        files.append(File.generated(config, name, content=(ROOT / source).read_text(encoding="utf8")))
    links = []
    for chapter, title in CHAPTERS.items():
        rules = [rule for rule in register().values() if rule.chapter == chapter]
        name = f"{chapter.lower()}.md"
        links.append(f"- [{chapter}: {title}]({name}), {len(rules)} rules")
        rows = [f"**{rule.id}** {rule.title}. {rule.summary}\n" for rule in rules]
        files.append(File.generated(config, f"rules/{name}", content="\n".join([f"# {chapter}: {title}\n", *rows])))
    about = "Our own summaries of the rules that Flagplot carries out, by chapter. The rulebook itself is not here."
    text = "\n".join(["# The rules in our words\n", f"{about}\n", *links])
    shim = (Path(__file__).parent / "workers-from-a-folder.js").read_text(encoding="utf8")
    files.append(File.generated(config, OUR_SHIM, content=shim))
    files.append(File.generated(config, "rules/index.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Links that are right in the folders become right on the site."""
    for before, after in MOVED.items():
        markdown = markdown.replace(before, after)
    return markdown


def on_post_page(output: str, page: Any, config: Any) -> str:
    """Scripts within the page become files, so that a server may refuse all others."""
    to_root = "../" * page.file.dest_uri.count("/")

    def move(found: re.Match[str]) -> str:
        name = f"{SCRIPTS}-{blake2b(found[1].encode(), digest_size=6).hexdigest()}.js"
        place = Path(config.site_dir) / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(found[1], encoding="utf8")
        return f'<script src="{to_root}{name}"></script>'

    return INLINE.sub(move, output).replace(SHIM, to_root + OUR_SHIM)
