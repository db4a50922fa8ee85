"""The plan of a side as a form: what the staff has filled in, to be changed and confirmed."""

from __future__ import annotations

from markupsafe import Markup

from flagplot.board.model import Board
from flagplot.kernel.sheets import Sheet
from flagplot.table.battle.page_words import board_of, in_words_of, own_words
from flagplot.table.info import Look
from flagplot.table.pages import environment
from flagplot.table.plans.grid import number_in, numbers_of, told_in_column
from flagplot.table.plans.missions import Standings
from flagplot.table.plans.rows import plan_of
from flagplot.table.plans.words import words_of
from flagplot.table.reader import Place

DROPPED = "You are asked something else than you had planned, so your orders ahead were dropped. Check the plan."


def panel(
    place: Place,
    look: Look,
    sheet: Sheet,
    note: str = "",
    board: Board | None = None,
    standings: Standings | None = None,
) -> Markup:
    """The form; `note` is a sentence that stands above it. Who has made the board already may give it. `standings` is
    who may fly the missions of this sheet, if it is another one than that of the look."""
    told = look.standings if standings is None else standings
    lies = board or board_of(look)
    plan = plan_of(in_words_of(sheet, own_words(look, lies)), words_of(look.game), lies, place.side, told)
    enemies = [name for one, name in look.view.sides.items() if one != place.side]
    template = environment().get_template("battle_sheet.html")
    return Markup(
        template.render(
            here=place,
            look=look,
            sheet=sheet,
            plan=plan,
            note=note or (DROPPED if look.ahead.again else ""),
            enemy=enemies[0] if enemies else "",
            form_token="",
            number_in=number_in,
            numbers_of=numbers_of,
            told_in_column=told_in_column,
        )
    )
