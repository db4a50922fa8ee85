"""Small signs for cards: what kind of ship it is, air units, boats, cargo, and what is known. Each is one path."""

from __future__ import annotations

from typing import Final

from flagplot.board.model import Sign, Silhouette

Glyph = Silhouette | Sign

GLYPH_WIDTH: Final = 19.0

GLYPHS: Final[dict[Glyph, str]] = {
    "carrier": "M0 5H19L17 7.2H15.5L14.5 10H2.5L1 7.2ZM11 5V1.8H12V3H13.6V5Z",
    "battleship": "M0 6.6H19L16.8 10H2Z M2.4 6.2V4.6H0.6V3.9H5.2V6.2Z M7 6.2V2.6H8.2V0.6H9V2.6H11V6.2Z "
    "M12.6 6.2V3.9H17.6V4.6H15.6V6.2Z",
    "cruiser": "M1 7H18L16.4 10H2.6Z M4 6.6V5.2H2.4V4.6H6.2V6.6Z M8 6.6V3.8H8.9V1.8H9.6V3.8H11V6.6Z "
    "M12.6 6.6V5.2H16V5.8H14.4V6.6Z",
    "destroyer": "M2 7.6H17.4L15.8 10H3.4Z M6 7.2V5.2H7.4V3H8V5.2H9.4V7.2Z M11 7.2V6.2H13.4V7.2Z",
    "transport": "M1.4 6.4H17.6L16 10H3Z M3 6V3.8H5.2V6Z M6.6 6V3.8H8.8V6Z M10.2 6V3.8H12.4V6Z M13.4 6V1.8H15.6V6Z",
    "submarine": "M1 8.4C1 7.2 3 6.6 5 6.6H7.4V4.2H10.4V6.6H14C16.4 6.6 18 7.4 18 8.4C18 9.4 16.4 10 14 10H5"
    "C3 10 1 9.6 1 8.4Z M8.6 4V2H10V2.6H9.2V4Z",
    "plane": "M8.8 0.6H10.2L10.8 3.8L18 6V7.4L10.8 6.9L10.4 9.4L12.4 10.4V11.2H6.6V10.4L8.6 9.4L8.2 6.9L1 7.4V6"
    "L8.2 3.8Z",
    "cargo": "M4 1.6H15V10H4Z M5 2.6V9H14V2.6Z M5 2.6L6 2.6L14 8.2V9L13 9L5 3.4Z",
    "eye": "M1.5 5.6C4 2.6 6.6 1.4 9.5 1.4C12.4 1.4 15 2.6 17.5 5.6C15 8.6 12.4 9.8 9.5 9.8C6.6 9.8 4 8.6 1.5 5.6Z "
    "M9.5 3.2A2.4 2.4 0 1 0 9.5 8A2.4 2.4 0 1 0 9.5 3.2Z",
    "speed": "M2 2L8 5.6L2 9.2Z M8.4 2L14.4 5.6L8.4 9.2Z",
}
