"""Ships and air units of a view as counters, and what people call them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from flagplot.awaw.air_units import Arm, Role
from flagplot.awaw.ships import ALWAYS_SLOW, FAST_CARRIERS, NAMES, Kind, named_ships
from flagplot.awaw.tables.nations import nations
from flagplot.awaw.views.position import SiteView
from flagplot.awaw.views.units import Flights, Ships, ShipView
from flagplot.board.model import Counter, Silhouette
from flagplot.kernel.naming import counted_once
from flagplot.kernel.view_types import from_json

SILHOUETTES: Final[dict[Kind, Silhouette]] = {
    Kind.CVB: "carrier",
    Kind.CV: "carrier",
    Kind.CVL: "carrier",
    Kind.CVE: "carrier",
    Kind.BATTLESHIP: "battleship",
    Kind.BATTLECRUISER: "battleship",
    Kind.POCKET_BATTLESHIP: "battleship",
    Kind.CRUISER: "cruiser",
    Kind.DESTROYER: "destroyer",
    Kind.TRANSPORT: "transport",
}
ARMS: Final[dict[Arm, str]] = {
    Arm.ARMY: "Army",
    Arm.NAVAL: "Naval",
    Arm.ELITE: "Elite",
    Arm.JET: "Jet",
    Arm.TRANSPORT: "Lift",
    Arm.INTERCEPTOR: "Fighter",
    Arm.BOMBER: "Bomber",
    Arm.PACIFIC_BOMBER: "B-29",
}
"""What is printed on the counter of air units."""
ON_PATROL, AS_COVER = "on combat air patrol", "as air cover"
"""What air units do that fly above a combat group."""
WHOLE: Final = (Role.FACTORS, Role.SQUADRONS)


def ships_of(ships: Ships, doing: str = "") -> tuple[Counter, ...]:
    """A counter for each named ship, and for light ships of a kind; nations are named only if there are several."""
    several = len({ship.nation for ship in ships}) > 1
    return tuple(
        [
            Counter(
                text=counted_once(ship.text),
                silhouette=SILHOUETTES[ship.kind],
                brief=_brief(ship.text.partition(" (")[0], ship.nation, several or bool(ship.id)),
                id=ship.id,
                tag=ship.tag,
                label=_printed(ship),
                type=_type(ship),
                nation=ship.nation,
                doing=doing,
                count=ship.count,
                factors=0 if ship.kind is Kind.TRANSPORT else ship.size * ship.count,
                size=ship.size if ship.id else 0,
                hits=ship.hits,
                damaged=ship.damaged,
                laden=ship.laden,
                facts=tuple(_facts(ship)),
            )
            for ship in ships
        ]
    )


def air_of(
    flights: Flights,
    doing: str = "",
    *,
    sites: Mapping[str, SiteView] | None = None,
    idle: bool = False,
    secret: bool = False,
) -> tuple[Counter, ...]:
    """A counter for air units of each kind; with `sites` each tells where it comes from."""
    if not flights:  # at most bases
        return ()
    several = len({flight.nation for flight in flights}) > 1
    return tuple(
        [
            Counter(
                text=counted_once(flight.text),
                silhouette="plane",
                brief=_brief(flight.text, flight.nation, several),
                tag=flight.tag,
                label=ARMS[flight.arm] if flight.role in WHOLE else flight.role.value.capitalize(),
                nation=flight.nation,
                home=sites[flight.home].name if sites and flight.home in sites else "",
                role="" if flight.role in WHOLE else flight.role.value,
                doing=doing,
                count=flight.count,
                inverted=flight.inverted,
                aborted=flight.aborted,
                idle=idle,
                above=doing in (ON_PATROL, AS_COVER),
                secret=secret,
            )
            for flight in flights
        ]
    )


def _type(ship: ShipView) -> str:
    """What it is or they are; destroyers are counted by their factors, which are no part of what they are."""
    return NAMES[ship.kind].removesuffix(" factor") + "s" * (not ship.id and ship.count != 1)


def _facts(ship: ShipView) -> Iterator[str]:
    """What the counter of a ship says, for its card."""
    if ship.id:
        yield f"{adjective(ship.nation)} {NAMES[ship.kind]}"
    known = named_ships().get(ship.id)
    yield "slow" if ship.damaged or ship.kind in ALWAYS_SLOW or (known and known.slow) else "fast"
    if ship.kind in FAST_CARRIERS:
        yield f"bases {ship.size} squadron{'s' * (ship.size != 1)}"


def _printed(ship: ShipView) -> str:
    """A name, or what light ships are and how many; destroyers are counted by their factors, which stand beside."""
    if ship.id:
        return ship.text.partition(" (")[0]
    if ship.kind is Kind.CVE:
        return f"{ship.count} CVE"
    return f"{ship.count} {_type(ship)}" if ship.kind is Kind.CRUISER else _type(ship).capitalize()


def _brief(text: str, nation: str, whole: bool) -> str:
    """``4 Japanese cruisers`` without its nation, ``4 cruisers``."""
    return text if whole or nation not in nations() else text.replace(f" {nations()[nation].adjective} ", " ", 1)


def told_ships(ships: Iterable[Mapping[str, Any]]) -> str:
    """Ships of a result or report, which are plain data, with their hits; they stay together where lines are broken."""
    return ", ".join([counter.tied for counter in ships_of(tuple([from_json(ShipView, ship) for ship in ships]))])


def adjective(nation: str) -> str:
    return nations()[nation].adjective if nation in nations() else nation


def counts(numbers: Iterable[tuple[int, str]]) -> str:
    """``2 ready, 1 lost``."""
    return ", ".join([f"{number} {words}" for number, words in numbers if number])


LOSSES = {"army": "army air", "naval": "naval air", "elite-naval": "elite naval air", "transport": "air transport"}


def losses(lost: Mapping[str, int]) -> list[str]:
    """Losses of air units in words; views and results count them so: ``germany/army/factors``."""
    return [_loss(kind.split("/"), count) for kind, count in lost.items()]


def _loss(kind: list[str], count: int) -> str:
    whose, arm, unit = kind
    unit = unit if count != 1 else unit.removesuffix("s")
    if whose not in nations():  # a faction of Line of Battle: 2 LBAs destroyed
        return f"{count} {unit} {arm}"
    return f"{count} {nations()[whose].adjective} {LOSSES.get(arm, arm)} {unit}"
