"""What a reader sees of a game in memory. Everything here goes through the reader's view, log and own question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from flagplot.kernel.errors import UndoRefused
from flagplot.kernel.game import Game
from flagplot.kernel.log import is_secret_from
from flagplot.kernel.requests import Choose, Roll
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE
from flagplot.kernel.save_lines import FORMAT
from flagplot.kernel.words import say
from flagplot.lessons import lesson_for, steps_due
from flagplot.table.games.keeper import is_bot
from flagplot.table.games.live import LiveGame, old_format, old_rules
from flagplot.table.games.seat_log import request_of
from flagplot.table.games.wakeups import Wakeups, is_present
from flagplot.table.info import Choice, Holder, Look, Proposal, Question, Table
from flagplot.table.refusals import NotYet
from flagplot.table.store.database import Row


def reader_of(game: Game[Any], reader: str) -> str:
    """Who looks: a side or the neutral; the umpire, and to the neutral everything, only when the game is over."""
    over = game.pending is None
    if reader == UMPIRE and not over:
        raise NotYet("everything is shown when the game is over, not before")
    return UMPIRE if reader == NEUTRAL and over else reader


def look_at(live: LiveGame, reader: str) -> Look:
    """This moment of a game as a reader may know it."""
    game = live.game
    reader = reader_of(game, reader)
    view = game.view(reader)
    side = reader in game.sides
    return Look(
        reader=reader,
        game=view.game,
        view=view.position.settled(),
        log=live.log(reader),
        pending=question_to(game, reader),
        waiting_for=live.waiting_for,
        rolling=isinstance(game.pending, Roll),
        waiting_since=live.since if live.asked else None,
        version=live.version,
        moment=view.moment,
        result=game.result,
        proposal=proposal_in(live),
        seat_requests=tuple(request_of(row) for row in live.requests.values()),
        may_undo=side and why_no_undo(game, reader) == "",
        may_propose=side and _may_propose(live, reader),
        level=level_of(live.seats, reader) if side else "",
        chart=game.scenario.get("map"),
    )


def question_to(game: Game[Any], reader: str) -> Question | None:
    """What the game asks this side; None if it asks another side, or nobody."""
    request = game.pending
    if not isinstance(request, Choose) or request.side != reader:
        return None
    return Question(
        side=reader,
        text=say(request.question),
        options=tuple(
            Choice(number, option.text, option.label, option.rule)
            for number, option in enumerate(request.options, start=1)
        ),
        rules=request.rules,
        at=game.moment_of(reader),
    )


def level_of(seats: Mapping[str, Row], side: str) -> str:
    """How much a side decides itself: what it has set, else the flag's decisions against the program, and everything
    against people."""
    programs = [is_bot(seat) for other, seat in seats.items() if other != side]
    return str(seats[side]["level"]) or ("flag" if programs and all(programs) else "everything")


def with_coach(live: LiveGame, look: Look) -> Look:
    """What the coach says of the plan, where a newcomer plays a lesson's battle against the program."""
    guide = lesson_for(str(live.game.scenario["title"]), look.reader)
    programs = [is_bot(seat) for side, seat in live.seats.items() if side != look.reader]
    if guide is None or look.sheet is None or not all(programs):
        return look
    return replace(look, coach=steps_due(guide, live.game, [one.family for one in look.sheet.open_to()]))


# --- taking back ------------------------------------------------------------------------------------------------


def why_no_undo(game: Game[Any], side: str) -> str:
    """Why a side cannot take back its last decision without asking, in words; nothing if it can.

    While another side decides in secret it is always refused: else it would show whether that side has answered yet.
    """
    pending = game.pending
    if isinstance(pending, Choose) and is_secret_from(pending, side):
        return f"{pending.side} is deciding already"
    refused = game.undo_refused(side)
    return refused.message if refused else ""


def _may_propose(live: LiveGame, side: str) -> bool:
    """Whether a side may ask for a take-back. It hangs on nothing but its own decisions, dice and who has joined."""
    others = [other for other in live.game.sides if other != side]
    if live.proposal is not None or not others:
        return False
    try:
        live.game.last_answer_of(side, others[0])
    except UndoRefused:
        return False
    return True


def proposal_in(live: LiveGame) -> Proposal | None:
    """The take-back that is asked for now."""
    row = live.proposal
    if row is None:
        return None
    asked = tuple(side for side in live.seats if side != row["side"])
    return Proposal(str(row["side"]), asked, float(row["made"]))


# --- the table --------------------------------------------------------------------------------------------------


def table_of(
    row: Row, seats: Sequence[Row], version: int, wakeups: Wakeups, now: float, written: int = FORMAT
) -> Table:
    """A table as everybody at it may know it; `written` is the format of its lines."""
    return Table(
        id=row["id"],
        public_id=row["public_id"],
        title=row["title"],
        scenario=row["scenario"],
        game=row["ruleset"],
        rules=row["rules"],
        created=row["created"],
        sides=tuple(seat["side"] for seat in seats),
        holders={seat["side"]: _holder(row["id"], seat, wakeups, now) for seat in seats},
        finished=row["finished"] is not None,
        waiting_for=row["waiting_for"],
        commitment=row["commitment"],
        version=version,
        readonly=old_rules(row["ruleset"], row["rules"]) or old_format(written),
    )


def _holder(game: str, seat: Row, wakeups: Wakeups, now: float) -> Holder:
    bot = is_bot(seat)
    return Holder(
        side=seat["side"],
        kind=seat["holder"].partition(":")[0],
        name=seat["name"],
        joined=bot or seat["joined"] is not None,
        present=bot or is_present(game, seat, wakeups, now),
        contributed=bool(seat["contributed"]),
    )
