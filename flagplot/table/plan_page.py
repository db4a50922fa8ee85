"""The plan of a side as a form: what the staff has filled in, to be changed and confirmed."""

from __future__ import annotations

from markupsafe import Markup

from flagplot.kernel.sheets import Sheet
from flagplot.table.info import Look
from flagplot.table.pages import environment
from flagplot.table.reader import Place


def panel(place: Place, look: Look, sheet: Sheet, note: str = "") -> Markup:
    """The form; `note` is a sentence that stands above it."""
    template = environment().get_template("battle_sheet.html")
    return Markup(template.render(here=place, look=look, sheet=sheet, note=note, form_token=""))
