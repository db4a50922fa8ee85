"""Standing orders: answers that a side writes down in advance for kinds of questions.

An order names questions by the words of their options, ``patrol`` or ``patrol:*:japan:*``, and says what is answered:
an option, a list of them in order of preference, or a word such as ``most``. Orders are tried in the order of their
file; the first whose answer is offered is taken. Where none applies the player behind them is asked. They see no more
than the view of their own side. `docs/orders.md` describes the file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple, Protocol, runtime_checkable

from flagplot.kernel.errors import Fault, FaultsError, quoted
from flagplot.kernel.game import Player
from flagplot.kernel.requests import Choose, Option, value_text
from flagplot.kernel.views import View
from flagplot.kernel.words import plural


class OrdersError(FaultsError):
    """All faults of a file of standing orders at once."""

    code: ClassVar[str] = "orders"

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


# --- one order --------------------------------------------------------------------------------------------------


class Order(NamedTuple):
    """What is answered to some questions. `number` counts the orders of a file from one."""

    number: int
    when: str
    answers: tuple[str, ...]
    """In order of preference."""
    below: float | None = None
    """Only when the side has less than this share of its strength left."""

    def concerns(self, request: Choose[Any]) -> bool:
        """Whether the order is about this question."""
        return fits(self.when, value_text(request.verb))

    def is_due(self, view: View) -> bool:
        """Whether the side is weak enough. A game whose views tell no strength never makes it so."""
        if self.below is None:
            return True
        position = view.position
        strength = position.strength.get(view.side) if isinstance(position, TellsStrength) else None
        return strength is not None and strength.left < self.below * strength.began

    def answer(self, request: Choose[Any]) -> Option[Any] | None:
        """The option that the order takes, if one of its answers is offered."""
        for wanted in self.answers:
            option = _named(request, wanted) or _meant(request, wanted)
            if option is not None:
                return option
        return None

    def __str__(self) -> str:
        below = f" below {self.below:g}" if self.below is not None else ""
        return f"{self.when}{below}: {', else '.join(self.answers)}"


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
        if order.concerns(request) and order.is_due(view) and (option := order.answer(request)) is not None:
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

KEYS: Final = ("when", "answer", "below")


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


def orders_of(data: Mapping[str, Any], name: str = "orders") -> list[Order]:
    """The orders in a file's data."""
    faults = [Fault(key, "no such key here; use order") for key in data if key != "order"]
    entries = data.get("order", [])
    if not isinstance(entries, list):
        faults.append(Fault("order", "each order is a table of its own that begins with [[order]]"))
        entries = []
    elif not entries and not faults:
        faults.append(Fault("the file", "there are no orders; each begins with [[order]]"))
    orders = [_order(number, entry, faults) for number, entry in enumerate(entries, 1)]
    if faults:
        raise OrdersError(name, faults)
    return orders


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
    return Order(number, str(when).strip(), _answers(place, entry, faults), below if below is None else float(below))


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
