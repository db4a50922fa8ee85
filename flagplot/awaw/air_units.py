"""Air units (chapter 17): what they are, how they are counted, and how far they fly.

Identical units are counted, not named: a `Unit` stands for any number of units of one nation and arm that share a home,
a role and a status, and a force is a dict that says how many there are of each.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import cache

from flagplot.awaw.counting import add as add
from flagplot.awaw.counting import in_order as in_order
from flagplot.awaw.counting import take as take
from flagplot.awaw.tables.nations import nation
from flagplot.kernel.rules import rule


@rule("17.11")
class Arm(StrEnum):
    """17.11: the types of air unit, elite Japanese naval air (17.352) and Pacific bombers (17.75) apart."""

    ARMY = "army"
    NAVAL = "naval"
    ELITE = "elite-naval"
    JET = "jet"
    TRANSPORT = "transport"
    INTERCEPTOR = "interceptor"
    BOMBER = "bomber"
    PACIFIC_BOMBER = "pacific-bomber"


FIRST_JETS = 9
"""17.54: the research result with which jets can be built."""
NAVAL_ARMS = frozenset({Arm.NAVAL, Arm.ELITE})


class Role(StrEnum):
    """17.14: in what the units are counted; army air squadrons are of three kinds (23.132)."""

    FACTORS = "factors"
    SQUADRONS = "squadrons"
    SEARCH = "search"
    COVER = "cover"
    ATTACK = "attack"


ARMY_ROLES = (Role.SEARCH, Role.COVER, Role.ATTACK)

Type = tuple[str, Arm, int]
"""19.61: units that count as one type when losses are shared: of one nation, arm and Air Nationality DRM."""


class Unit:
    """Identical air units with one home. Made by `unit` alone, so that equal ones are the same object."""

    __slots__ = (
        "_over",
        "arm",
        "drm",
        "home",
        "inverted",
        "is_factor",
        "is_naval",
        "jets",
        "nation",
        "pool",
        "reach",
        "role",
        "size",
        "strength",
        "tag",
        "text",
        "type",
    )

    nation: str
    arm: Arm
    drm: int
    """Their Air Nationality DRM at their home (19.31A)."""
    reach: int
    """Their operational range in hexes (18.31)."""
    home: str
    role: Role
    inverted: bool
    is_factor: bool
    """Whether they are counted in factors, not in squadrons (17.14)."""
    is_naval: bool
    jets: int
    """The jet squadrons that one counts as (17.56)."""
    size: int
    """The basing room that one takes, in squadrons (18.11)."""
    strength: int
    """What one counts for the row of the Air Combat Table (17.55, 17.65)."""
    type: Type
    pool: str
    """Under what they are counted when they are lost: nation, arm, and factors or squadrons."""
    tag: str
    """What they are called in the text of an option."""
    text: str
    """Everything about them in one word, by which forces are kept in order."""
    _over: Unit | None

    def turned(self, *, inverted: bool) -> Unit:
        """The same units face up or face down."""
        if inverted == self.inverted:
            return self
        if self._over is None:
            self._over = unit(self.nation, self.arm, self.drm, self.reach, self.home, self.role, inverted)
        return self._over

    def counted(self, role: Role) -> Unit:
        """The same units in another role, or counted in factors."""
        return unit(self.nation, self.arm, self.drm, self.reach, self.home, role, self.inverted)

    def based(self, home: str, drm: int) -> Unit:
        """The same units in another home, with the DRM that they have there."""
        return unit(self.nation, self.arm, drm, self.reach, home, self.role, self.inverted)

    @property
    def name(self) -> str:
        """What people call one of them."""
        return name_of(self, 1)

    @classmethod
    def parse(cls, text: str) -> Unit:
        """The unit of a text that `str` made."""
        home, country, arm, drm, reach, role, status = text.split(":")
        return unit(country, Arm(arm), int(drm), int(reach), home, Role(role), status == "inverted")

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Unit.parse({self.text!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return Unit.parse, (self.text,)


@cache
@rule("17.55", "17.56", "17.65.2", "17.141B", "18.11")
def unit(country: str, arm: Arm, drm: int, reach: int, home: str, role: Role, inverted: bool) -> Unit:
    """17.55: each jet counts as three for the row; 17.65: transports count nothing; 18.11: a factor takes the room of
    three squadrons."""
    made = Unit()
    made.nation, made.arm, made.drm, made.reach = country, arm, drm, reach
    made.home, made.role, made.inverted = home, role, inverted
    made._over = None
    made.is_factor, made.is_naval = role is Role.FACTORS, arm in NAVAL_ARMS
    made.size = 3 if made.is_factor else 1
    made.jets = made.size if arm is Arm.JET else 0
    made.strength = 3 if arm is Arm.JET else 0 if arm is Arm.TRANSPORT else 1
    made.type = (country, arm, drm)
    made.tag = f"{home}:{country}:{arm}:{role}"
    made.pool = f"{country}/{arm}/{'factors' if made.is_factor else 'squadrons'}"
    made.text = f"{home}:{country}:{arm}:{drm}:{reach}:{role}:{'inverted' if inverted else 'ready'}"
    return made


def listed(country: str, arm: Arm, home: str, role: Role, *, inverted: bool = False) -> Unit:
    """Units as a scenario lists them; their DRM and range follow when all of it has been read."""
    return unit(country, arm, 0, 0, home, role, inverted)


Force = dict[Unit, int]
"""How many there are of each kind of unit; never zero. Kept in the order of the units' texts, so that equal forces are
equal in every way: in what is asked about them, and in what is shown."""


def room(force: Force) -> int:
    """18.11: the basing room that a force takes, in squadrons."""
    return sum([number * which.size for which, number in force.items()])


@rule("17.141A")
def value(force: Force) -> int:
    """17.141A: what a force cost to build, in BRPs: three a factor, one a squadron."""
    return room(force)


@rule("17.22", "17.32", "17.52A", "17.52B", "17.52C", "17.62", "18.31A", "18.31B", "18.31D", "18.31E")
def flying_range(arm: Arm, pacific: bool, jets: int) -> int:
    """18.31: the operational range in hexes; that of jets grows with the research result for jets."""
    if arm in NAVAL_ARMS:
        return 3
    if arm is Arm.JET:
        return (4 if jets >= 12 else 3 if jets >= 11 else 2) - pacific
    return 3 if pacific else 4


# --- words ------------------------------------------------------------------------------------------------------

NAMES = {
    Arm.ARMY: "army air",
    Arm.NAVAL: "naval air",
    Arm.ELITE: "elite naval air",
    Arm.JET: "jet",
    Arm.TRANSPORT: "air transport",
    Arm.INTERCEPTOR: "interceptor",
    Arm.BOMBER: "strategic bomber",
    Arm.PACIFIC_BOMBER: "Pacific strategic bomber",
}


def name_of(which: Unit, number: int) -> str:
    """What people call such units: ``German army air factors``."""
    counter = "factor" if which.is_factor else "squadron"
    part = f" {which.role.value}" if which.role in ARMY_ROLES else ""
    return f"{nation(which.nation).adjective} {NAMES[which.arm]}{part} {counter}{'s' * (number != 1)}"


def described(force: Iterable[tuple[Unit, int]]) -> str:
    """A force in words, whatever its homes: ``3 German army air factors (1 inverted)``."""
    totals: dict[tuple[str, Arm, Role], list[int]] = {}
    samples: dict[tuple[str, Arm, Role], Unit] = {}
    for which, number in force:
        key = (which.nation, which.arm, which.role)
        samples.setdefault(key, which)
        counts = totals.setdefault(key, [0, 0])
        counts[0] += number
        counts[1] += number * which.inverted
    parts = [
        f"{number} {name_of(samples[key], number)}" + (f" ({inverted} inverted)" if inverted else "")
        for key, (number, inverted) in totals.items()
    ]
    return "; ".join(parts) or "no air units"


class Listed(tuple[tuple[Unit, int], ...]):
    """A force as it was at one moment, put into words only when somebody reads it: ``Listed(force.items())``."""

    __slots__ = ()

    def __str__(self) -> str:
        return described(self)


class Lost(Listed):
    """Eliminated units, put into words without regard to what they were before."""

    __slots__ = ()

    def __str__(self) -> str:
        return described([(which.turned(inverted=False), number) for which, number in self])


class Counted:
    """So many units of a kind, put into words only when somebody reads it: ``3 German army air factors``."""

    __slots__ = ("_number", "_which")

    def __init__(self, which: Unit, number: int) -> None:
        self._which = which
        self._number = number

    def __str__(self) -> str:
        return f"{self._number} {name_of(self._which, self._number)}"


class From(Counted):
    """The same, and where they are at home: ``3 German army air factors from Augusta``."""

    __slots__ = ("_place",)

    def __init__(self, which: Unit, number: int, place: str) -> None:
        super().__init__(which, number)
        self._place = place

    def __str__(self) -> str:
        return f"{super().__str__()} from {self._place}"


class Plural:
    """What several units of a kind are called, put into words only when somebody reads it."""

    __slots__ = ("_which",)

    def __init__(self, which: Unit) -> None:
        self._which = which

    def __str__(self) -> str:
        return name_of(self._which, 2)
