"""A drawing that can be written as SVG or as PNG."""

from __future__ import annotations

from flagplot.draw.shapes import Drawing, Theme
from flagplot.draw.svg import svg


class Picture(Drawing):
    """Shapes on paper, for notebooks, files and pages."""

    __slots__ = ()

    def svg(self, theme: Theme = "auto") -> str:
        """The picture as the text of an SVG file."""
        return svg(self, theme)

    def png(self, scale: float = 2) -> bytes:
        """The picture as the bytes of a PNG file, so many dots for each unit of length."""
        from flagplot.draw.png import png

        return png(self, scale)

    def _repr_svg_(self) -> str:
        return self.svg()
