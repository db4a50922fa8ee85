"""Text as a picture: a panel of lines, for a notebook that shows a view."""

from __future__ import annotations

from html import escape

LINE, WIDTH, MARGIN = 18, 8, 12


def panel(text: str) -> str:
    """An SVG of some lines of text, readable on a light and on a dark page."""
    lines = text.splitlines()
    width = MARGIN * 2 + WIDTH * max(map(len, lines), default=1)
    height = MARGIN * 2 + LINE * len(lines)
    rows = "".join(
        f'<text x="{MARGIN}" y="{MARGIN + LINE * (number + 1) - 4}" xml:space="preserve">{escape(line)}</text>'
        for number, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="100%" '
        f'style="max-width:{width}px" role="img" aria-label="{escape(lines[0] if lines else "", quote=True)}">'
        f'<rect width="{width}" height="{height}" rx="6" fill="#fbfaf7" stroke="#8a8578"/>'
        f'<g font-family="monospace" font-size="13" fill="#1f2430">{rows}</g></svg>'
    )
