"""Sea supply lines that are attacked from the air or by submarines (22.9434, 23.752D, 30.374, 30.381).

A line is the voyage of the activity sea supply; its path is the line. Naval units that protect it sail along with it,
and are attacked in each hex as any naval force is. A line that nobody protects has no forces: it is found and struck as
one combat group without ships, and what disrupts it is an assumption (`docs/rulings.md`).
"""

from __future__ import annotations

from flagplot.awaw.operations.names import hex_name
from flagplot.awaw.operations.passage.homeward import finish
from flagplot.awaw.state.battle import Group, Shipless
from flagplot.awaw.state.operation import Activity, Progress, Voyage
from flagplot.awaw.state.state import State
from flagplot.kernel.requests import Script, disclosed
from flagplot.kernel.rules import rule


@rule("23.752D", "22.9434")
def is_bare_line(state: State, voyage: Voyage) -> bool:
    """23.752D: whether a voyage is a sea supply line that nobody protects, or nobody any longer, and that is not
    disrupted."""
    line = voyage.activity is Activity.SEA_SUPPLY and not voyage.disrupted and voyage.progress is not Progress.OVER
    return line and not state.operation.sailing(voyage)


@rule("23.752D", "23.4211D")
def put_line(state: State, key: str) -> None:
    """23.752D: the hex of the line is a combat group of its own, without ships and without guns (23.4211D)."""
    voyage = state.operation.voyages[key]
    name = f"the sea supply line to {hex_name(state, voyage.path[-1])}"
    state.battle.groups[key] = Group(
        voyage.side, name, {}, False, activity="sea-supply", formed=True, number=1, shipless=Shipless(1)
    )


@rule("23.752D")
def take_line(state: State, key: str) -> None:
    """The line after an attack: whether it is disrupted."""
    shipless = state.battle.groups.pop(key).shipless
    if shipless is not None and not shipless.left:
        disrupt(state, key)


@rule("22.9434")
def disrupt(state: State, key: str) -> None:
    """22.9434: the line is disrupted: its activity is over, and who was to intercept it returns."""
    state.operation.voyages[key].disrupted = True
    finish(state, key)


@rule("22.9434")
def overrun(state: State, key: str) -> Script[None]:
    """An interception that nobody opposes disrupts a line (an assumption)."""
    voyage = state.operation.voyages[key]
    side = state.name(state.other(voyage.side))
    words = ("{}: unprotected sea supply line to {} disrupted", side, hex_name(state, voyage.path[-1]))
    disrupt(state, key)
    yield disclosed(words, "22.9434", True)
