"""Task forces (20.16) and the forming of combat groups (22.421): what a naval force may hold.

Of 20.16 only parts could be read: that a task force has at least ten factors follows from other chapters, and that its
carriers need fast fleet factors beside them is an assumption (`docs/rulings.md`).
"""

from __future__ import annotations

from flagplot.awaw.options import Options
from flagplot.awaw.ships import Fleet, factors
from flagplot.kernel.rules import rule

LEAST = 10
"""The naval factors of the smallest task force; a smaller force has no marker (22.14C, 23.31)."""
MOST = 25
"""The naval factors of the largest task force and of the largest combined combat group (20.162, 22.421A)."""

Complaint = tuple[str, str]
"""What is wrong with a force, and the rule that it breaks."""


def task_force_faults(fleet: Fleet, options: Options) -> list[Complaint]:
    """20.16: everything that keeps a fleet from being a task force. Transports count for nothing."""
    size, aboard = factors(fleet), carrier_factors(fleet)
    faults = []
    if size < LEAST:
        faults.append((f"a task force has at least {LEAST} factors, and these are {size}", "20.16"))
    if surplus_factors(fleet):
        faults.append((f"a task force has at most {MOST} factors, and these are {size}", "20.162"))
    if aboard > size // 2:
        message = f"at most half of the factors may be fast carriers: {aboard} of {size} are more than {size // 2}"
        faults.append((message, "20.162F"))
    elif options.task_force_escort == "fast-fleet" and surplus_carriers(fleet):
        escort = fast_fleet_factors(fleet)
        message = f"each fast carrier factor needs a fast fleet factor with it: {aboard} carrier factors have {escort}"
        faults.append((message, "22.421A"))
    return faults


def small_force_faults(fleet: Fleet, _options: Options) -> list[Complaint]:
    """22.14C: what keeps a fleet from sailing without being a task force: ten factors or more, or no ship at all."""
    if not fleet:
        return [("a naval force has at least one ship", "22.31")]
    size = factors(fleet)
    return [(f"only a task force has {LEAST} factors or more, and these are {size}", "22.14C")] if size >= LEAST else []


@rule("22.421A.4.1")
def surplus_factors(fleet: Fleet) -> int:
    """22.421A: the factors of a combined fleet that are too many for one combat group; transports do not count."""
    return max(0, factors(fleet) - MOST)


@rule("22.421A.4.2")
def surplus_carriers(fleet: Fleet) -> int:
    """22.421A: the fast carrier factors that have no fast fleet factor beside them, and so must return to port."""
    return max(0, carrier_factors(fleet) - fast_fleet_factors(fleet))


def carrier_factors(fleet: Fleet) -> int:
    """20.112: the fast carrier factors of a fleet, damaged carriers among them."""
    return sum([number * which.size for which, number in fleet.items() if which.fast_carrier])


def fast_fleet_factors(fleet: Fleet) -> int:
    """20.111, 20.121: the factors of a fleet's capital ships, cruisers and destroyers that are not slow, as CVEs and
    transports always are."""
    return sum([number * which.size for which, number in fleet.items() if not (which.slow or which.fast_carrier)])
