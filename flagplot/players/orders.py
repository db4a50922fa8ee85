"""Standing orders: answers that a side writes down in advance for kinds of questions.

An order names questions by the words of their options, ``patrol`` or ``patrol:*:japan:*``, and says what is answered:
an option, a list of them in order of preference, or a word such as ``most``. Orders are tried in the order of their
file; the first whose answer is offered is taken. Where none applies the player behind them is asked. They see no more
than the view of their own side. `docs/orders.md` describes the file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

from flagplot import library
from flagplot.kernel.errors import Fault, FaultsError, quoted
from flagplot.kernel.game import Player
from flagplot.kernel.levels import Levels
from flagplot.kernel.log import Entry
from flagplot.kernel.requests import Choose, Option, value_text
from flagplot.kernel.views import View
from flagplot.kernel.words import plural
from flagplot.players import staff


class OrdersError(FaultsError, code="orders"):
    """All faults of a file of standing orders at once."""

    def __init__(self, name: str, faults: Sequence[Fault]) -> None:
        super().__init__(f"the standing orders {quoted(name)} have {plural(len(faults), 'fault')}", faults)
        self.name = name


# --- how strong a side is ---------------------------------------------------------------------------------------


class Strength(Protocol):
    """What a side has left of what it began with."""

    @property
    def left(self) -> int: ...
    @property
    def began(self) -> int: ...


@runtime_checkable
class TellsStrength(Protocol):
    """A position of a game in which sides have strengths; each knows its own."""

    @property
    def strength(self) -> Mapping[str, Strength]: ...


# --- when an order is in force ----------------------------------------------------------------------------------

NEWS: Final = ("attacked", "found", "hit")
"""News that end an order: something of mine is attacked; a group of the enemy is found; something is damaged, sunk or
shot down."""
SCOPES: Final = ("strike", "phase", "round", "battle")
"""For how long a click gives an order: for one strike, for the step that is played, for its round, for the battle that
it is in."""
STRIKE: Final = " / Strike "


def place_of(view: View, *, strike: bool = False) -> str:
    """Where play stands, in the words that everybody reads: ``Round 2, G``; what is within something else comes after
    it, ``Combat stage, sail / Round 2, G``. If a strike matters it comes last: ``Round 2, G / Strike 3``."""
    return " / ".join(_steps(view)) + (f"{STRIKE}{_strike_number(view)}" if strike else "")


def _strike_number(view: View) -> int:
    """The number of the strike that is flown, or else planned, in the whole game."""
    announced = levels_of(view.game).strikes.announced
    flown = getattr(getattr(view.position, "battle", None), "strike", None) is not None
    return sum([entry.rule == announced for entry in view.log]) + (not flown)


def levels_of(game: str) -> Levels:
    """What a game says of its questions."""
    found: Levels = getattr(library.ruleset(game), "levels", Levels())
    return found


def _steps(view: View) -> list[str]:
    return [f"{steps.title}, {steps.mark!s}" for steps in getattr(view.board, "steps", ())]


def place_for(view: View, scope: str) -> str:
    """The place that a scope means now; nothing if it is the whole game."""
    if scope == "strike":
        return place_of(view, strike=True)
    steps = _steps(view)
    inner = {"phase": steps[-1:], "round": [step.rpartition(", ")[0] for step in steps[-1:]], "battle": []}[scope]
    return " / ".join([*steps[:-1], *inner])


def is_within(place: str, during: str) -> bool:
    """Whether a place is, or is within, another one."""
    return place == during or place.startswith((f"{during}, ", f"{during} / "))


def is_during(view: View, during: str) -> bool:
    """Whether play stands at or within a place."""
    return is_within(place_of(view, strike=STRIKE in during), during)


def news_of(view: View, kind: str) -> int:
    """How much news of a kind a side has read."""
    if kind == "attacked":
        attacks, name = levels_of(view.game).attacks, view.names.get(view.side, view.side)
        own = f"{name}: ".casefold()
        return sum([entry.rule in attacks and _is_attack(entry, own) for entry in view.log])
    told = [entry.headline for entry in view.log if entry.headline is not None]
    if kind == "hit":
        return sum([one.is_hit for one in told])
    return sum([one.kind == kind and not any([f":{view.side}:" in of for of in one.of]) for one in told])


def _is_attack(entry: Entry, own: str) -> bool:
    """Whether a note announces an attack that a side does not make itself."""
    return entry.kind == "note" and not entry.text.casefold().startswith(own)


# --- one order --------------------------------------------------------------------------------------------------


class Order(NamedTuple):
    """What is answered to some questions. `number` counts the orders of a file from one."""

    number: int
    when: str
    answers: tuple[str, ...]
    """In order of preference."""
    below: float | None = None
    """Only when the side has less than this share of its strength left."""
    during: str = ""
    """Only during a step of play, see `place_of`: ``Round 2``, ``Round 2, G``."""
    until: str = ""
    """Only until there is news of some kind, one of `NEWS`."""
    after: int = 0
    """How much news of that kind there was when the order was given."""

    def concerns(self, request: Choose[Any]) -> bool:
        """Whether the order is about this question."""
        return fits(self.when, value_text(request.verb))

    def is_due(self, view: View) -> bool:
        """Whether it is the time for it, and the side weak enough."""
        if self.during and not is_during(view, self.during):
            return False
        return not (self.until and news_of(view, self.until) > self.after) and self._is_weak(view)

    def _is_weak(self, view: View) -> bool:
        """Whether the side is weak enough. A game whose views tell no strength never makes it so."""
        if self.below is None:
            return True
        position = view.position
        strength = position.strength.get(view.side) if isinstance(position, TellsStrength) else None
        return strength is not None and strength.left < self.below * strength.began

    def answer(self, request: Choose[Any], view: View | None = None) -> Option[Any] | None:
        """The option that the order takes, if one of its answers is offered. The view is what the staff decides by."""
        for wanted in self.answers:
            if wanted == STAFF and view is not None:
                return request.find(str(staff().choose(view, request)))
            option = _named(request, wanted) or _meant(request, wanted)
            if option is not None:
                return option
        return None

    def __str__(self) -> str:
        below = f" below {self.below:g}" if self.below is not None else ""
        during = f" during {self.during}" if self.during else ""
        until = f" until {self.until}" if self.until else ""
        return f"{self.when}{below}{during}{until}: {', else '.join(self.answers)}"


def fits(pattern: str, text: str) -> bool:
    """Whether a text is, or begins with, the words of a pattern; ``*`` stands for anything, also for several words."""
    return fnmatchcase(text, pattern) or fnmatchcase(text, f"{pattern}:*")


def _named(request: Choose[Any], wanted: str) -> Option[Any] | None:
    """The option that is written out: exactly, or else the first whose value fits."""
    values = [value_text(value) for value in request.values]
    if wanted in values:
        return request.option(values.index(wanted))
    if (exact := request.find(wanted)) is not None:
        return exact
    return next((option for option in request.options if _fits_option(wanted, option)), None)


def _fits_option(wanted: str, option: Option[Any]) -> bool:
    return fits(wanted, value_text(option.value)) or ("*" in wanted and fnmatchcase(option.text, wanted))


Meaning = Callable[[list[int]], int]

NUMBERS: Final[Mapping[str, Meaning]] = {
    "most": max,
    "all": max,
    "least": min,
    "half": lambda offered: _nearest(offered, max(offered) // 2),
    "third": lambda offered: _nearest(offered, max(offered) // 3),
}
"""Words for a number among those that are offered; a share is of the most."""

PLACES: Final[Mapping[str, int]] = {"first": 0, "last": -1}
"""Words for a place among the options."""


def _nearest(offered: list[int], wanted: int) -> int:
    return min(offered, key=lambda number: (abs(number - wanted), number))


def _meant(request: Choose[Any], wanted: str) -> Option[Any] | None:
    """The option that a word stands for."""
    if wanted in PLACES:
        return request.options[PLACES[wanted]]
    numbers = [value for value in request.values if isinstance(value, int)]
    if len(numbers) < len(request.values):
        return None
    if wanted == "none":
        return request.option(numbers.index(0)) if 0 in numbers else None
    meaning = NUMBERS.get(wanted)
    return request.option(numbers.index(meaning(numbers))) if meaning else None


# --- the player -------------------------------------------------------------------------------------------------


class Taken(NamedTuple):
    """An answer and the order that gave it."""

    order: Order
    option: Option[Any]


def taken_by(orders: Sequence[Order], view: View, request: Choose[Any]) -> Taken | None:
    """The first order that answers a question, with its answer."""
    for order in orders:
        if order.concerns(request) and order.is_due(view) and (option := order.answer(request, view)) is not None:
            return Taken(order, option)
    return None


class StandingOrders:
    """A player who follows orders where they say something, and asks another player where they do not."""

    def __init__(self, orders: Sequence[Order], otherwise: Player) -> None:
        self.orders = tuple(orders)
        self.otherwise = otherwise

    def choose(self, view: View, request: Choose[Any]) -> Option[Any] | str:
        taken = taken_by(self.orders, view, request)
        return taken.option if taken else self.otherwise.choose(view, request)


# --- the file ---------------------------------------------------------------------------------------------------

KEYS: Final = ("when", "answer", "below", "during", "until", "after")
STAFF: Final = "staff"
"""The answer that leaves a question to the staff."""


def read_orders(path: str | Path) -> list[Order]:
    """The orders of a file. Raises OrdersError with every fault of it."""
    try:
        data = tomllib.loads(Path(path).read_text(encoding="utf8"))
    except FileNotFoundError:
        raise OrdersError(str(path), [Fault("the file", "no such file")]) from None
    except (OSError, UnicodeDecodeError) as fault:
        raise OrdersError(str(path), [Fault("the file", f"it cannot be read: {fault}")]) from fault
    except (tomllib.TOMLDecodeError, RecursionError) as fault:
        raise OrdersError(str(path), [Fault("the file", f"this is not TOML: {fault}")]) from fault
    return orders_of(data, str(path))


def orders_of(data: Mapping[str, Any], name: str = "orders", verbs: Collection[str] | None = None) -> list[Order]:
    """The orders in a file's data. An order that is about none of the `verbs`, the first words of questions (of all
    games, unless they are named), can never apply, and is a fault."""
    faults = [Fault(key, "no such key here; use order") for key in data if key != "order"]
    entries = data.get("order", [])
    if not isinstance(entries, list):
        faults.append(Fault("order", "each order is a table of its own that begins with [[order]]"))
        entries = []
    elif not entries and not faults:
        faults.append(Fault("the file", "there are no orders; each begins with [[order]]"))
    orders = [_order(number, entry, faults) for number, entry in enumerate(entries, 1)]
    known = all_verbs() if verbs is None else verbs
    for order in orders:
        if order.when and (fault := _verb_fault(order.when, known)):
            faults.append(Fault(f"order {order.number}, when", fault))
    if faults:
        raise OrdersError(name, faults)
    return orders


@cache
def all_verbs() -> frozenset[str]:
    """The first words of all questions of all games."""
    return frozenset().union(*[verbs_of(library.ruleset(name)) for name in library.games()])


def verbs_of(ruleset: object) -> frozenset[str]:
    """The first words of the questions of a game; nothing if it does not say."""
    levels: Levels = getattr(ruleset, "levels", Levels())
    return frozenset([word.rpartition("/")[2] for word in levels.words])


def _verb_fault(when: str, verbs: Collection[str]) -> str:
    """Why no question can be meant, in words; nothing if one can."""
    word = when.partition(":")[0]
    if not verbs or any([fnmatchcase(verb, word) for verb in verbs]):
        return ""
    near = get_close_matches(word, verbs, n=1)
    return f"no question begins with {quoted(word)}" + (f"; did you mean {quoted(near[0])}?" if near else "")


def _order(number: int, entry: Any, faults: list[Fault]) -> Order:
    place = f"order {number}"
    if not isinstance(entry, Mapping):
        faults.append(Fault(place, f"{quoted(entry)} should be a table that begins with [[order]]"))
        return Order(number, "", ())
    for key in entry:
        if key not in KEYS:
            faults.append(Fault(f"{place}, {key}", f"no such key here; use {', '.join(KEYS)}"))
    when, below = entry.get("when"), entry.get("below")
    if not isinstance(when, str) or not when.strip():
        faults.append(Fault(f"{place}, when", _wanted("when", entry, "the word of a question, such as patrol")))
    if below is not None and not _is_share(below):
        faults.append(Fault(f"{place}, below", f"{quoted(below)} should be a share such as 0.4, above 0 and at most 1"))
    during, until, after = entry.get("during", ""), entry.get("until", ""), entry.get("after", 0)
    if not isinstance(during, str):
        faults.append(Fault(f"{place}, during", f"{quoted(during)} should be a step of play, such as Round 2"))
    if until and until not in NEWS:
        faults.append(Fault(f"{place}, until", f"{quoted(until)} should be one of {', '.join(NEWS)}"))
    if not isinstance(after, int) or isinstance(after, bool) or after < 0:
        faults.append(Fault(f"{place}, after", f"{quoted(after)} should be a whole number"))
    share = None if below is None or not _is_share(below) else float(below)
    return Order(number, str(when or "").strip(), _answers(place, entry, faults), share, str(during), str(until), after)


def _answers(place: str, entry: Mapping[str, Any], faults: list[Fault]) -> tuple[str, ...]:
    given = entry.get("answer")
    answers = given if isinstance(given, list) else [given]
    if not answers or not all(map(_is_answer, answers)):
        wanted = "a text such as most, a whole number, or a list of these"
        faults.append(Fault(f"{place}, answer", _wanted("answer", entry, wanted)))
    return tuple(str(answer).strip() for answer in answers)


def _wanted(key: str, entry: Mapping[str, Any], what: str) -> str:
    return f"{quoted(entry[key])} should be {what}" if key in entry else f"this is missing: {what}"


def _is_answer(given: object) -> bool:
    if isinstance(given, str):
        return bool(given.strip())
    return isinstance(given, int) and not isinstance(given, bool)


def _is_share(given: object) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool) and 0 < given <= 1
