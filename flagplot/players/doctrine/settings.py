"""What may be set about the doctrine player, and how it is written: ``withdraw_below=0.3,caution=1.2``."""

from __future__ import annotations

from dataclasses import dataclass, fields

from flagplot.kernel.errors import BadValue, UnknownName


@dataclass(frozen=True, slots=True)
class Doctrine:
    """How the principles are weighed; each is a share, a ratio or a number."""

    mix: float = 1.0
    """Whether secret choices are drawn (1, yes), or the usual answer is given each time (0, no)."""
    cap_share: float = 1.0
    """Of the squadrons that may fly combat air patrol, the share that does; drawn, now and then fewer."""
    last_strike: float = 2.0
    """Late in a battle, a side with this many squadrons afloat or fewer flies no patrol: they all strike."""
    carrier_escort: float = 0.85
    """How often cargo that may be escorted by carriers sails with them."""
    counterair_odds: float = 2.0
    """A base is attacked with at least this many times the air that stands in it, or not at all."""
    counterair_force: float = 4.0
    """How many times that air is sent if there is enough: the more fly, the fewer are lost."""
    caution: float = 0.7
    """Fleet combat is sought, and not evaded, from this ratio of own guns to enemy guns on; on the map own losses are
    weighed so heavily."""
    intercept_above: float = 0.4
    """An interception is tried if it is worth more than so many naval factors, on average."""
    withdraw_below: float = 0.5
    """The battle is given up when no more than this share of the factors is left and sound, and the enemy has twice
    that."""
    toothless_below: float = 0.3
    """It is also given up when no more than this share is left, more was sunk than of the enemy, no squadron can fly,
    and the enemy has more guns."""


def read_doctrine(text: str) -> Doctrine:
    """The doctrine of a text such as ``withdraw_below=0.3,caution=1.2``; what it does not name has its default."""
    known = [part.name for part in fields(Doctrine)]
    given: dict[str, float] = {}
    for entry in filter(None, text.split(",")):
        name, _, value = entry.partition("=")
        if name not in known:
            raise UnknownName("no such setting of the doctrine player", given=name, allowed=known)
        given[name] = _number(entry, value)
    return Doctrine(**given)


def _number(entry: str, value: str) -> float:
    try:
        number = float({"yes": "1", "no": "0"}.get(value, value))
    except ValueError:
        number = -1.0
    if not 0 <= number <= 100:
        raise BadValue("this should be a number from 0 to 100", given=entry, allowed=["withdraw_below=0.3"])
    return number
