"""Plans in the interface for programs: read a sheet, try answers, confirm all of them in one request."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field, StringConstraints

from flagplot.kernel.sheets import Answers, Sheet
from flagplot.table.api.models import Given, LevelWord, Nonce, Taken, Told, Whole
from flagplot.table.api.routes import SEATED, SIDE, Game, OnSide, Refusing, Service, taken
from flagplot.table.games.lane import laned
from flagplot.table.info import Advice

router = APIRouter(prefix="/api", tags=["plans"], route_class=Refusing)

Text = Annotated[str, StringConstraints(max_length=500)]
Staff = Literal["captain", "commodore", "admiral"]


class Trial(Given):
    """Answers to try out: nothing is decided."""

    answers: dict[Text, Text] = Field(
        default={},
        max_length=500,
        description="What you decide yourself: for the key of a field the text of an option, or what stands there "
        "after the key (a number, for one). Your staff fills in the rest.",
        examples=[{"number:landing-group": "3"}],
    )


class Plan(Trial):
    """A plan to be confirmed: your answers, and your staff's for all other fields."""

    at: Whole = Field(description="The moment of the sheet.")
    nonce: Nonce
    staff: Staff | None = Field(
        default=None,
        description="The `staff` of the sheet that you have read: if it is another one's by now, nothing is taken.",
    )


class LevelGiven(Given):
    """How much a side decides itself."""

    level: LevelWord


class StaffGiven(Given):
    """Who fills in the plans of a side."""

    staff: Staff


class OfferTold(BaseModel):
    """One value that a field may have."""

    text: str
    label: str
    rule: str


class FieldTold(BaseModel):
    """One question of a sheet with the answer that stands there."""

    key: str
    family: str = Field(description="What kind of question it is.")
    subject: str = Field(description="What it is about: a group, a base, a unit.")
    question: str
    offers: list[OfferTold]
    chosen: str = Field(description="The text of the option that stands there.")
    label: str = Field(description="The same in words.")
    by: str = Field(description="Who chose it: you, staff, order, before (as you decided before) or forced.")
    open: bool = Field(description="Whether you decide it yourself at the level of your seat.")
    rules: list[str]
    level: str = Field(description="How much it matters: command, tactics or routine.")
    counts: bool = Field(description="Whether its values are numbers.")
    order: int = Field(description="The number of the standing order that chose it; 0 if none did.")
    dropped: str = Field(description="What you had chosen, if it is no longer possible.")
    ahead: bool = Field(description="Whether its answer must wait for the enemy: confirmed, it is an order ahead.")


class SheetTold(BaseModel):
    """All that a side can decide now without learning anything in between."""

    side: str
    at: int
    level: str
    fields: list[FieldTold] = Field(description="Empty if the side is not asked now.")
    staff: str = Field(description="Whose plan it is: the captain's, or that of a staff that has looked ahead.")
    thinking: bool = Field(description="Whether a staff that looks ahead is still at it: ask again in a few seconds.")
    why: list[str] = Field(description="Why that staff proposes what it does, decision by decision.")

    @classmethod
    def of(cls, sheet: Sheet, level: str, advice: Advice) -> SheetTold:
        own = {one.key for one in sheet.open_to()}
        fields: list[Any] = [{**one.as_dict(), "open": one.key in own} for one in sheet]
        return cls(
            side=sheet.side,
            at=sheet.moment,
            level=level,
            fields=fields,
            staff=advice.by,
            thinking=advice.thinking,
            why=advice.reasons,
        )


class OrderAheadTold(Told):
    """An answer that waits for its question."""

    question: str
    chosen: str = Field(description="The text of the option that it takes.")
    label: str = Field(description="The same in words.")


class AheadTold(Told):
    """What a side has ordered ahead with its last plan."""

    orders: list[OrderAheadTold] = Field(description="Those that wait for their questions.")
    given: int = Field(
        description="How many lines of that plan are on the tape by now, its orders ahead among them. The plan sent "
        "again with its nonce returns the receipts of all of them. 0 if it had no orders ahead."
    )
    again: bool = Field(description="Whether the others were dropped: something else was asked than was planned.")


@router.get(f"{SIDE}/ahead", responses=SEATED)
def ahead(tables: Service, game: Game, side: OnSide) -> AheadTold:
    """The side's orders ahead."""
    return AheadTold.of(tables.ahead(game, side))


@router.delete(f"{SIDE}/ahead", responses=SEATED)
def cancel_ahead(tables: Service, game: Game, side: OnSide) -> AheadTold:
    """Take the side's orders ahead back: it is asked again."""
    tables.cancel_ahead(game, side)
    return ahead(tables, game, side)


@router.get(f"{SIDE}/sheet", responses=SEATED)
def sheet(tables: Service, game: Game, side: OnSide) -> SheetTold:
    """The side's plan as its staff proposes it. A staff that looks ahead begins to think; until it is done the plan is
    the captain's."""
    return _told(tables, game, side, {})


def _told(tables: Service, game: str, side: str, answers: Answers) -> SheetTold:
    advice = tables.advice(game, side)
    return SheetTold.of(tables.plan(game, side, answers), tables.level(game, side), advice)


@router.post(f"{SIDE}/sheet", response_model=Taken, responses=SEATED)
@laned()
def confirm(tables: Service, game: Game, side: OnSide, given: Plan) -> Response:
    """Confirm a plan: all of its answers are on the disk when this returns, or none; those that must wait for the enemy
    as orders ahead. The same plan sent again with the same nonce is not given twice: it returns the same receipts, and
    those of orders ahead that were given since."""
    by = given.staff or ""
    return taken(tables, game, side, tables.confirm_plan(game, side, given.answers, given.at, given.nonce, by=by))


@router.post(f"{SIDE}/sheet/trial", responses=SEATED)
def trial(tables: Service, game: Game, side: OnSide, given: Trial) -> SheetTold:
    """The plan with some answers of your own; what follows from them follows. Nothing is decided."""
    return _told(tables, game, side, given.answers)


@router.put(f"{SIDE}/level", responses=SEATED)
def set_level(tables: Service, game: Game, side: OnSide, given: LevelGiven) -> SheetTold:
    """Say how much the side decides itself; the staff decides the rest."""
    tables.set_level(game, side, given.level)
    return sheet(tables, game, side)


@router.put(f"{SIDE}/staff", responses=SEATED)
def set_staff(tables: Service, game: Game, side: OnSide, given: StaffGiven) -> SheetTold:
    """Say who fills in the side's plans: the captain, by the doctrine and at once; or a commodore or admiral, who looks
    ahead for up to eight seconds a plan."""
    tables.set_staff(game, side, given.staff)
    return sheet(tables, game, side)
