"""Standing orders at the table: reading `--orders`, who answered what by order, and `flagplot orders`."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from flagplot import library
from flagplot.cli.failures import DONE
from flagplot.cli.output import new_console, print_json
from flagplot.cli.screen import Screen
from flagplot.cli.seats import pair
from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.game import Game
from flagplot.kernel.log import FORCED, Entry
from flagplot.kernel.requests import Choose, Option
from flagplot.kernel.ruleset import UMPIRE
from flagplot.kernel.sheets import By, Sheet
from flagplot.kernel.views import View
from flagplot.players import player
from flagplot.players.orders import STAFF, Order, Taken, read_orders, taken_by


class Told(NamedTuple):
    """A line of the log, with the number of the standing order that gave the answer, or 0."""

    entry: Entry
    order: int = 0


class Standing:
    """The standing orders of a game, and which answers they gave.

    An answer is known by its place among the answers of its side. That holds in the side's own log and in the umpire's,
    and nobody else may know which answers they are."""

    def __init__(self, orders: Mapping[str, Sequence[Order]], files: Mapping[str, str]) -> None:
        self.orders = orders
        self.files = files
        self._given: dict[str, dict[int, int]] = {side: {} for side in orders}

    def taken(self, game: Game[Any], request: Choose[Any]) -> Taken | None:
        """The answer that an order gives to a question, if there is one."""
        orders = self.orders.get(request.side)
        return taken_by(orders, game.view(request.side), request) if orders else None

    def note(self, game: Game[Any], side: str, order: Order | None) -> None:
        """Remember, before it is given, that the next answer of a side comes from an order, or from its player."""
        if side in self._given:
            place = answers_of(game, side)
            self._given[side] = {other: number for other, number in self._given[side].items() if other < place}
            if order is not None:
                self._given[side][place] = order.number

    def answer_sheet(self, view: View, request: Choose[Any]) -> tuple[Option[Any], int] | None:
        """What the orders of a side fill in on a sheet."""
        taken = taken_by(self.orders.get(request.side, ()), view, request)
        return None if taken is None else (taken.option, taken.order.number)

    def note_sheet(self, game: Game[Any], sheet: Sheet) -> None:
        """Remember, before it is confirmed, which answers of a sheet come from orders."""
        if sheet.side in self._given:
            place = answers_of(game, sheet.side)
            self.note(game, sheet.side, None)
            for number, one in enumerate(sheet.now):
                if one.by is By.ORDER:
                    self._given[sheet.side][place + number] = one.order

    def is_next_of(self, game: Game[Any], side: str) -> bool:
        """Whether the answer that a side has just taken back, and is asked for again, came from an order."""
        return answers_of(game, side) in self._given.get(side, {})

    def told(self, log: Iterable[Entry], reader: str) -> list[Told]:
        """The lines of a log, with the orders that the reader may know of."""
        places = dict.fromkeys(self._given, 0)
        lines = []
        for entry in log:
            order = 0
            if entry.kind == "choice" and entry.side in places and reader in (entry.side, UMPIRE):
                order = self._given[entry.side].get(places[entry.side], 0)
                places[entry.side] += 1
            lines.append(Told(entry, order))
        return lines

    def play(self, game: Game[Any], bots: Mapping[str, Any]) -> None:
        """Let orders and players answer until the end."""
        if not self.orders:
            game.play(bots)
        while (request := game.pending) is not None:
            if isinstance(request, Choose):
                self.answer(game, bots[request.side], request)
            else:
                game.roll()

    def answer(self, game: Game[Any], bot: Any, request: Choose[Any]) -> None:
        """Answer a question by order, or as a player of the program likes."""
        taken = self.taken(game, request)
        self.note(game, request.side, taken.order if taken else None)
        game.choose(taken.option if taken else bot.choose(game.view(request.side), request))

    def arguments(self) -> str:
        """As they are written on a command line."""
        return "".join(f" --orders {shlex.quote(f'{side}={file}')}" for side, file in self.files.items())


NO_ORDERS = Standing({}, {})


def answers_of(game: Game[Any], side: str) -> int:
    """How many answers a side has given that stand."""
    return sum(
        isinstance(request, Choose) and request.side == side and answer != FORCED for request, answer in game.events
    )


def standing(sides: Sequence[str], given: Sequence[str]) -> Standing:
    """The files after `--orders`, each read and checked."""
    files: dict[str, str] = {}
    for text in given:
        side, file = pair(text, "SIDE=FILE", f"{sides[0]}=orders.toml")
        if side not in sides:
            raise UnknownName(f"no such side in --orders {text}", given=side, allowed=list(sides))
        if side in files:
            raise BadValue(f"{side} has two files of orders", given=text, allowed=["one --orders for each side"])
        files[side] = file
    return Standing({side: read_orders(file) for side, file in files.items()}, files)


# --- flagplot orders --------------------------------------------------------------------------------------------

GAMES = 12
"""Games at random that are played to see which questions come up."""


class Use(NamedTuple):
    """How often the questions of an order came up for a side, and how often one of its answers was offered."""

    asked: int = 0
    answered: int = 0


def check(file: str, scenario: str | None, *, as_json: bool) -> int:
    """`flagplot orders`: is the file sound, and which of its orders can ever apply?"""
    orders = read_orders(file)
    uses = _uses(orders, scenario) if scenario is not None else []
    if as_json:
        found = [_as_dict(order, uses[place] if uses else None) for place, order in enumerate(orders)]
        print_json({"file": file, "sound": True, "scenario": scenario, "games": GAMES * bool(uses), "orders": found})
        return DONE
    screen = Screen(new_console())
    screen.say(f"{file} is valid: {len(orders)} standing order{'s' * (len(orders) != 1)}")
    for place, order in enumerate(orders):
        screen.say(f"  {order.number}  {order}")
        if uses:
            screen.say(f"     {_in_words(uses[place])}")
    if uses:
        screen.say(f"(counted in {GAMES} random games of {scenario}; rare questions may be missing)")
    return DONE


def _uses(orders: Sequence[Order], scenario: str) -> list[dict[str, Use]]:
    """For each order, what it would find in some games at random: a use for each side that was asked."""
    uses: list[dict[str, Use]] = [{} for _ in orders]
    for seed in range(GAMES):
        game = library.load(scenario, seed=seed)
        bots = {side: player("random", 2 * seed + place) for place, side in enumerate(game.sides)}
        while (request := game.pending) is not None:
            if isinstance(request, Choose):
                _count(orders, request, uses)
                game.choose(bots[request.side].choose(game.view(request.side), request))
            else:
                game.roll()
    return uses


def _count(orders: Sequence[Order], request: Choose[Any], uses: list[dict[str, Use]]) -> None:
    for order, use in zip(orders, uses, strict=True):
        if order.concerns(request):
            asked, answered = use.get(request.side, Use())
            has_answer = STAFF in order.answers or order.answer(request) is not None
            use[request.side] = Use(asked + 1, answered + has_answer)


def _in_words(use: Mapping[str, Use]) -> str:
    if not use:
        return "never asked"
    return "; ".join(f"{side}: asked {counts.asked}×, answers {counts.answered}×" for side, counts in use.items())


def _as_dict(order: Order, use: Mapping[str, Use] | None) -> dict[str, Any]:
    entry: dict[str, Any] = {"number": order.number, "when": order.when, "answers": list(order.answers)}
    entry |= {"below": order.below, "during": order.during, "until": order.until}
    return entry if use is None else entry | {"uses": {side: counts._asdict() for side, counts in use.items()}}
