"""A game at one keyboard: people answer for their sides, the program for the others.

All that a side gets to see comes from that side's view, its log and its own pending request. Where two people share
the keyboard, the screen is wiped before the other sits down.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.text import Text

from flagplot.board.model import Board
from flagplot.briefing.briefing import brief
from flagplot.cli.keyboard import briefing, coach, plan, question, rulebook, sea_map
from flagplot.cli.keyboard.position import news_lines, picture
from flagplot.cli.keyboard.steps import line_in_words, stage_of
from flagplot.cli.saves.chronicle import lines_of, news, with_rule
from flagplot.cli.saves.orders import NO_ORDERS, Standing, Told
from flagplot.cli.saves.saving import new_save
from flagplot.cli.screen import FAINT, Line, Screen
from flagplot.cli.seats import Seats
from flagplot.kernel.dice import Typed
from flagplot.kernel.errors import DiceError, FlagplotError, UndoRefused
from flagplot.kernel.explaining import help_for, verb_of
from flagplot.kernel.game import Game, Player
from flagplot.kernel.levels import Level
from flagplot.kernel.requests import Choose, Roll
from flagplot.kernel.ruleset import UMPIRE
from flagplot.kernel.sheets import Field, Sheet
from flagplot.lessons import Lesson, steps_due


class Quit(Exception):
    """Somebody wants to stop."""


class Session:
    """Drives a game until its end, or until somebody quits. `save` is the file that the game is kept in, if any."""

    def __init__(
        self,
        game: Game[Any],
        seats: Seats,
        screen: Screen,
        save: Path | None,
        standing: Standing = NO_ORDERS,
        level: Level | None = None,
        guide: Lesson | None = None,
        staff: Player | None = None,
    ) -> None:
        """`level` is how much people decide themselves, as plans; without one they are asked question by question.
        `guide` is a lesson whose coach speaks up at the first decision of each kind. `staff` fills in plans."""
        self.game = game
        self.seats = seats
        self.screen = screen
        self.save = save
        self.standing = standing
        self.level = level
        self.guide = guide
        self.staff = staff
        self._steps = 0
        """Questions of a plan that are asked one at a time, because somebody wanted it so."""
        humans = seats.humans
        self.reader = UMPIRE if not humans else humans[0] if len(humans) == 1 else ""
        """Who looks at the screen now: the only human, the one who sat down last, or the umpire if there is none."""
        self.names = game.view(game.sides[0]).names
        self._seen = {reader: self._last_look(reader) for reader in (*game.sides, UMPIRE)}
        self._drawn = ""
        self._missions: list[Line] = []
        self._stage: list[Line] = []
        self._sea = sea_map.Shown(game)
        self._greeted: set[str] = set()
        self._odds_asked = (-1, 0)
        """The moment at which the odds were asked for last, and how often before."""
        self._plans_ahead = len(humans) > 1  # the program keeps nobody waiting
        self._dropped: set[str] = set()
        """Sides that are asked something else than they had planned."""
        self._by_hand = -1
        """The moment of a question that an order answered and that its side took back: it answers by hand."""

    def play(self) -> None:
        """Answer until the game is over. Raises Quit, EOFError or KeyboardInterrupt if it is left before."""
        while (request := self.game.pending) is not None:
            if isinstance(request, Roll):
                self._roll(request)
            elif request.side in self.seats.bots:
                self.standing.answer(self.game, self.seats.bots[request.side], request)
            elif self._given_ahead(request) or self._by_order(request):
                pass
            elif self.level is not None and not self._steps:
                self._decide(request, self.level)
            elif self._sit_down(request.side):
                self._choose(request)
                self._steps = max(0, self._steps - 1)
        if self.reader:
            self.tell_news()
            self._coach([])

    # --- what is seen -------------------------------------------------------------------------------------------

    def _last_look(self, reader: str) -> int:
        """How much of its log a side knows when a game begins or goes on: up to its own last answer."""
        if self.game.turn == 0:
            return 0
        log = self.game.log(reader)
        own = [place for place, entry in enumerate(log, 1) if entry.kind == "choice" and entry.side == reader]
        return len(log) if reader == UMPIRE else max(own, default=0)

    def tell_news(self) -> None:
        """Tell the reader what happened since he last looked."""
        self._tell(self._news())
        self._seen[self.reader] = len(self.game.log(self.reader))

    def _news(self) -> list[Told]:
        told = self.standing.told(self.game.log(self.reader), self.reader)
        return news(told[self._seen[self.reader] :], self.reader)

    def _tell(self, lines: list[Told]) -> None:
        for entry, order in lines:
            self.screen.show(lines_of(entry, self.names, self.game.ruleset.name, self.reader, order))

    def brief(self, ask: Callable[[], None]) -> None:
        """Before a question: the position, if more than the reader's own answers changed it, the news, and where the
        battle stands."""
        self._open()
        fresh = bool(self._news()) or self._drawn != self.reader
        now = self._at_sea()
        if now and not now.is_naval_combat:
            fresh = self._show_operation(now)
        elif fresh:
            self.view()
        else:
            self._show_missions()
        self.tell_news()
        self._greet()
        self._show_stage(again=fresh)
        ask()

    def _open(self) -> None:
        """Before the first decision of a side: its briefing."""
        if self.reader in self._seen and not self._seen[self.reader] and self.reader not in self._greeted:
            self.screen.show(briefing.opening(brief(self.game, self.reader)))

    def _at_sea(self) -> sea_map.Moment | None:
        """The operation as the reader sees it; None in other games."""
        view = self.game.view(self.reader)
        return sea_map.moment_of(view.position, view.board)

    def _show_operation(self, now: sea_map.Moment) -> bool:
        """The map and what is announced, if that has changed; all forces at first, in a new stage, and when a fight
        has cost something. Says whether the map was drawn."""
        if self._drawn != self.reader or self._sea.needs_view(now):
            self.view()
            return True
        self.screen.show(self._sea.changes(now, self._map_width))
        self._show_missions()
        return self._sea.drawn

    @property
    def _map_width(self) -> int:
        return self.screen.width if self.screen.pretty else sea_map.PIPE

    def _greet(self) -> None:
        """Once for each who sits down at a terminal: how to get help."""
        if self.screen.pretty and self.reader not in self._greeted:
            self.screen.show([Line(Text(question.GREETING if self.level is None else plan.GREETING, FAINT))])
        self._greeted.add(self.reader)

    def _show_missions(self) -> None:
        """Who flies so far, if that has changed."""
        lines = _missions(self.game.view(self.reader).board)
        if lines != self._missions:
            self.screen.show(lines)
        self._missions = lines

    def _show_stage(self, *, again: bool) -> None:
        """The line of segments: on a terminal below each position, where it stays in sight, else if it has changed."""
        lines = stage_of(self.game.view(self.reader).board)
        if lines != self._stage or (again and self.screen.pretty):
            self.screen.show(lines)
        self._stage = lines

    def _look(self) -> None:
        self.view()
        self._show_stage(again=True)

    def view(self) -> None:
        """Draw the position as the reader may know it."""
        view = self.game.view(self.reader)
        if self.screen.pretty:
            self.screen.draw(picture(view, self.screen.console, getattr(self.game.ruleset, "draw_at", None)))
        else:
            self.screen.say(str(view))
        board = view.board
        if now := sea_map.moment_of(view.position, board):
            self.screen.show(self._sea.all_of(now, self._map_width))
        self._drawn, self._stage, self._missions = self.reader, stage_of(board), _missions(board)

    def ask(self, request: Choose[Any] | Roll[Any]) -> None:
        """Show what is asked."""
        if isinstance(request, Roll):
            self.screen.show(question.dice_wanted(request, self._at_the_dice()))
        else:
            self.screen.show(question.question(request, self.names))

    def _at_the_dice(self) -> str:
        """Who reads what is to be rolled: the only human; of two, neither more than the other may know."""
        return self.reader if len(self.seats.humans) < 2 else ""

    # --- who sits at the keyboard -------------------------------------------------------------------------------

    def _sit_down(self, side: str) -> bool:
        """Hand the keyboard over if it is another human's turn. False if the last answer was taken back instead."""
        if self.reader == side:
            return True
        handing = f"Hand over to {self.names.get(side, side)}"
        self.screen.wipe()
        if not self.screen.live:
            self.screen.rule(handing)
        elif not self._handed_over(f"{handing}; press Enter "):
            return False
        self.screen.wipe()
        self.reader, self._drawn = side, ""
        return True

    def _handed_over(self, prompt: str) -> bool:
        """Wait until the other has sat down. False if the last answer was taken back instead."""
        while word := self.screen.ask(prompt).lower():
            if word == "quit":
                raise Quit
            if word.startswith("ahead"):
                self._ahead(word.partition(" ")[2].strip())
            if word == "undo" and self.reader and self._undo():
                return False
        return True

    # --- answers ------------------------------------------------------------------------------------------------

    def _by_order(self, request: Choose[Any]) -> bool:
        """Answer for a human by his standing orders, unless he has just taken that answer back."""
        side = request.side
        if side not in self.standing.orders or self._by_hand == self.game.moment_of(side):
            return False
        taken = self.standing.taken(self.game, request)
        if taken is not None:
            self.standing.note(self.game, side, taken.order)
            self.game.choose(taken.option)
        return taken is not None

    def _choose(self, request: Choose[Any]) -> None:
        """Ask until the choice is answered or the game is at another point."""
        self.brief(lambda: self.ask(request))
        turn = self.game.turn
        while self.game.turn == turn:
            text = self.screen.ask("> ")
            if self._command(text, request):
                continue
            option = question.option_of(request, text)
            if option is None:
                keys = question.keys_in_words(request)
                rules = ", ".join(request.rules)
                self._refuse(f"“{text}” is not an answer here. Type {keys}, or help ({rules}).")
                self._hint()
            else:
                self.standing.note(self.game, request.side, None)
                self.game.choose(option)

    # --- plans --------------------------------------------------------------------------------------------------

    def _decide(self, request: Choose[Any], level: Level) -> None:
        """Let the staff answer what does not matter at this level; ask about the rest as one plan."""
        sheet = self.game.sheet(
            request.side, staff=self.staff, orders=self.standing.answer_sheet, level=level, ahead=self._plans_ahead
        )
        if all([one.ahead for one in sheet.open_to(level)]):
            self._confirm(replace(sheet, fields=sheet.now), level)
        elif self._sit_down(request.side):
            self.brief(lambda: self._present(sheet, level))
            self._change(sheet, level, request)

    def _present(self, sheet: Sheet, level: Level) -> None:
        """A new plan, with what the coach says of it."""
        if sheet.side in self._dropped:
            self._dropped.discard(sheet.side)
            self.screen.say("You are asked something else than you had planned: your orders ahead were dropped.")
        self._coach([one.family for one in sheet.open_to(level)])
        self._show_plan(sheet, level, everything=False)

    def _coach(self, asked: list[str]) -> None:
        """Let the coach speak, if there is one and this is new."""
        if self.guide is not None:
            self.screen.show([*coach.card(self.guide, steps_due(self.guide, self.game, asked))])

    def _show_plan(self, sheet: Sheet, level: Level, *, everything: bool) -> None:
        self.screen.show(plan.plan(sheet, plan.shown(sheet, level, everything=everything), self.names))

    def _change(self, sheet: Sheet, level: Level, request: Choose[Any]) -> None:
        """Let the plan be changed until it is confirmed, or the game is at another point."""
        turn, everything = self.game.turn, False
        while self.game.turn == turn and self.level == level and not self._steps:
            text = self.screen.ask("> ")
            word, _, rest = text.lower().partition(" ")
            if not text:
                self._confirm(sheet, level)
            elif word == "step":
                self._steps = max(1, len(sheet.now))
            elif word == "level":
                self._set_level(rest.strip())
            elif text.lower() == "coach off":
                self.guide = None
            elif word == "help":
                self.screen.show([*plan.help_lines(), *question.help_lines()])
            elif word in ("staff", "all", "plan"):
                sheet = sheet.clear() if word == "staff" else sheet
                everything = everything or word == "all"
                self._show_plan(sheet, level, everything=everything)
            else:
                changed = self._changed(sheet, plan.shown(sheet, level, everything=everything), text, request)
                if changed is not sheet:
                    sheet = changed
                    self._show_plan(sheet, level, everything=everything)

    def _changed(self, sheet: Sheet, fields: list[Field], text: str, request: Choose[Any]) -> Sheet:
        """The plan after something was typed that may change it, show a decision of it, or be a command."""
        try:
            wanted = plan.change(text, fields)
            if wanted is not None and wanted.value:
                return sheet.set(wanted.field.key, wanted.value)
        except FlagplotError as error:
            self._refuse(str(error))
            return sheet
        if wanted is not None:
            verb = wanted.field.key.partition(":")[0].partition("#")[0]
            self.screen.show(plan.options(wanted.field, help_for(self.game, verb)))
        elif not self._command(text, request):
            self._refuse(f"“{text}” is not a command. Enter confirms the plan; “help” lists what you can type.")
        return sheet

    def _confirm(self, sheet: Sheet, level: Level) -> None:
        self.standing.note_sheet(self.game, sheet)
        self.game.confirm(sheet)
        if self.reader == sheet.side:
            self.screen.show(plan.decided(sheet, level))
            if waiting := self.game.orders_ahead[sheet.side]:
                self.screen.show(plan.ahead_wait(len(waiting)))

    # --- orders ahead -------------------------------------------------------------------------------------------

    def _given_ahead(self, request: Choose[Any]) -> bool:
        """Answer for a human as he has ordered ahead. Nothing is shown: perhaps his enemy sits there."""
        if not self.game.orders_ahead.get(request.side):
            return False
        self.standing.note(self.game, request.side, None)
        given = self.game.give_ahead()
        if not given:
            self._dropped.add(request.side)
        return given

    def _ahead(self, wanted: str) -> None:
        """List the reader's orders ahead, or take them back."""
        orders = self.game.orders_ahead.get(self.reader, ())
        if wanted == "cancel" and orders:
            self.game.orders_ahead.pop(self.reader)
            self.screen.say("Your orders ahead are cancelled. You will be asked.")
        elif wanted:
            self._refuse("Type ahead to see your orders ahead, or ahead cancel to take them back.")
        else:
            self.screen.show(plan.ahead_listed(orders))

    def _set_level(self, given: str) -> None:
        try:
            self.level = plan.read_level(given)
        except FlagplotError as error:
            self._refuse(str(error))

    # --- dice, and what else can be typed -----------------------------------------------------------------------

    def _roll(self, request: Roll[Any]) -> None:
        if not isinstance(self.game.dice, Typed):
            self.game.roll()
        elif self.reader or self._sit_down(request.side):
            self._type_dice(request)

    def _type_dice(self, request: Roll[Any]) -> None:
        """Ask for the faces that people rolled until they can be right."""
        self.tell_news()
        self.ask(request)
        turn = self.game.turn
        count = f"{request.dice} {'die' if request.dice == 1 else 'dice'}"
        prompt = f"{count}, such as {' '.join(('35261432' * request.dice)[: request.dice])}> "
        while self.game.turn == turn:
            text = self.screen.ask(prompt)
            if self._command(text, request):
                continue
            try:
                self.game.roll(question.faces_of(text))
            except DiceError as error:
                self._refuse(f"{error}")

    def _hint(self) -> None:
        if self._why_not() is not None:
            self.screen.show([Line(Text("“why” says what is not offered to your forces, and why.", FAINT))])

    def _refuse(self, text: str) -> None:
        self.screen.say(text, "bold")

    def _command(self, text: str, request: Choose[Any] | Roll[Any]) -> bool:
        """Carry out a command; False if the text is none. Enter is none where it gives the only answer there is."""
        if not text and isinstance(request, Choose) and len(request) == 1:
            return False
        word, _, rest = text.partition(" ")
        if text.startswith("?"):
            self.screen.show(self._rules(text[1:].strip(), request))
            return True
        plain: dict[str, Callable[[], object]] = {
            "": lambda: self.ask(request),
            "help": lambda: self.screen.show(question.help_lines()),
            "undo": self._undo,
            "view": self._look,
            "briefing": lambda: self.screen.show(briefing.in_full(brief(self.game, self.reader))),
            "log": self._log,
            "round": self._round,
            "map": self._map,
            "why": self._why,
            "explain": lambda: self._explain(rest.strip()),
            "odds": lambda: self._odds(rest.strip(), request),
            "hint": lambda: self._hints(request),
            "quit": self._quit,
            "save": lambda: self._save(rest.strip()),
            "level": lambda: self._set_level(rest.strip()),
            "ahead": lambda: self._ahead(rest.strip()),
        }
        action = plain.get(word.lower())
        if action is None or (rest and word.lower() not in ("save", "odds", "explain", "level", "ahead")):
            return False
        action()
        return True

    def _rules(self, wanted: str, request: Choose[Any] | Roll[Any]) -> list[Line]:
        """The rules behind a request, an option of it, or a number of the rulebook."""
        if isinstance(request, Roll):
            numbers = [wanted] if wanted else question.rules_behind(request, self._at_the_dice())
        elif not wanted:
            told = help_for(self.game, verb_of(request))
            meaning = [Line(with_rule(told.says, told.rule), 2)] if told else []
            return [*meaning, *rulebook.explained(list(request.rules))]
        else:
            option = question.option_of(request, wanted)
            numbers = [option.rule if option else wanted]
        return rulebook.explained(numbers)

    def _undo(self) -> bool:
        try:
            self._take_back()
        except UndoRefused as error:
            self._refuse(f"Too late to take back: {error.message}.")
            return False
        self._seen[self.reader] = min(self._seen[self.reader], len(self.game.log(self.reader)))
        ordered = self.standing.is_next_of(self.game, self.reader)
        self._by_hand = self.game.moment_of(self.reader) if ordered else -1
        self.screen.say("Taken back. This time you answer yourself, not your orders." if ordered else "Taken back.")
        return True

    def _take_back(self) -> None:
        """The last plan, or the last answer."""
        try:
            self.game.undo_sheet(self.reader)
        except UndoRefused:
            self.game.undo(self.reader)

    def _log(self) -> None:
        self._tell(self.standing.told(self.game.log(self.reader), self.reader))

    def _round(self) -> None:
        lines = line_in_words(self.game.view(self.reader).board)
        if lines:
            self.screen.show(lines)
        else:
            self._refuse("This game has no list of steps.")

    def _map(self) -> None:
        if now := self._at_sea():
            self.screen.show([*self._sea.map(now, self._map_width, names=True), *now.told(now.sea.announced)])
        else:
            self._refuse("This game has no map.")

    def _why_not(self) -> list[Any] | None:
        """Why forces of the reader are not offered; None in a game that does not tell."""
        why = getattr(self.game.ruleset, "why", None)
        return why(self.game.state, self.reader) if why and self.reader in self.game.sides else None

    def _why(self) -> None:
        found = self._why_not()
        if found is None:
            self._refuse("No reasons to show at this step. “?” explains the question.")
        elif not found:
            self.screen.say("Everything that your forces may do now is offered. “?” explains the question.")
        else:
            self.screen.show(sea_map.reasons_told(found))

    def _explain(self, unit: str) -> None:
        """What the reader's air units may do, and why not; of the enemy's what everybody sees."""
        from flagplot.cli.saves.explain import explained

        if not unit:
            self._refuse("Type explain and a base, or BASE:NATION:ARM.")
            return
        try:
            told = self.game.explain(unit, self.reader)
        except FlagplotError as error:
            self._refuse(str(error))
            return
        self.screen.show(explained(told, self.names))

    def _odds(self, wanted: str, request: Choose[Any] | Roll[Any]) -> None:
        """The odds of the question, as the reader may know them: of all its answers in short, or of one in full."""
        from flagplot.cli.odds.position import at_prompt, full_lines, short_lines

        if isinstance(request, Roll):
            self._refuse("Roll the dice first: there is nothing to decide now.")
            return
        option = question.option_of(request, wanted) if wanted else None
        if wanted and option is None:
            self._refuse(f"“{wanted}” is not an answer here. Type odds and {question.keys_in_words(request)}.")
            return
        moment, asked = self._odds_asked
        asked = asked + 1 if moment == self.game.moment else 0
        self._odds_asked = (self.game.moment, asked)
        answer = at_prompt(self.game, request.side, asked)
        keys = [question.key_of(one) for one in request.options]
        self.screen.show(full_lines(answer, option.index) if option else short_lines(answer, keys))

    def _hints(self, request: Choose[Any] | Roll[Any]) -> None:
        """What the staff would do, with all options weighed: of the question, or of the whole plan."""
        from flagplot.cli.saves.hint import all_lines
        from flagplot.players.search.hints import hint, hints, why_none

        side = request.side
        if isinstance(request, Roll) or side != self.reader:
            self._refuse("Roll the dice first: there is nothing to decide now.")
            return
        if self.level is not None and not self._steps:
            found = hints(self.game, side, self.level).thoughts
        else:
            one = hint(self.game, side)
            found = (one,) if one else ()
        if found:
            self.screen.show(all_lines(found))
        else:
            self.screen.say(why_none(self.game, side))

    def _save(self, name: str) -> None:
        if not name:
            self._refuse("Type save and the name of a new file.")
            return
        try:
            path = new_save(name)
            self.game.save(path)
        except FlagplotError as error:
            self._refuse(str(error))
            return
        self.save = path
        self.screen.say(f"Saved in {path}, and every later answer too.")

    def _quit(self) -> None:
        raise Quit


def _missions(board: Board | None) -> list[Line]:
    """Who flies against which base."""
    return news_lines(board, board.told("mission")) if board else []
