"""Naval air training (17.353, 17.356): how many naval air squadrons and escort carriers a nation builds in a turn."""

from __future__ import annotations

from types import MappingProxyType

from flagplot.awaw.state.state import State
from flagplot.kernel.ledger import Ledger, Line
from flagplot.kernel.rules import rule

CVE = "cve"
"""Escort carriers in the force pool, which are counted and nothing more."""

CVE_NATIONS = ("united-states", "britain")
"""17.353B: those for which the U.S. builds escort carriers."""

RATES = MappingProxyType({"united-states": 4, "japan": 1, "britain": 1, "germany": 0, "italy": 0, "australia": 0})
"""17.353A: the naval air training rates at the start."""

CLASSIC = MappingProxyType({"united-states": 4, "japan": 3, "britain": 2, "germany": 1, "italy": 1, "australia": 0})
"""17.353A: those of the classic game."""

EUROPEAN_CVES = 4
"""17.356: American escort carriers in a turn of a European scenario."""


@rule("17.353A", "17.353A.1", "17.353A#classic", "17.353C", "17.356")
def training_rate(state: State, nation: str) -> Ledger:
    """17.353: the naval air squadrons that a nation may build in a turn: the rate that it starts with, in a European
    scenario none for the U.S. (17.356), and what research and the games before the war have added."""
    classic, european = state.setting.options.classic, not state.setting.pacific
    if nation == "united-states" and european:
        lines = [Line(0, "the U.S. in a European scenario", "17.356")]
    else:
        rates, number = (CLASSIC, "17.353A#classic") if classic else (RATES, "17.353A")
        lines = [Line(rates.get(nation, 0), "starting rate", number)]
    added = state.turn.plan.training.get(nation, 0)
    if added:
        lines.append(Line(added, "from production, or from before the war", "17.353C"))
    return Ledger(tuple(lines))


@rule("17.353A", "17.34")
def squadrons_left(state: State, nation: str) -> int:
    """17.353A: the naval air squadrons that a nation may still build in this turn, rebuilt and new ones together."""
    built = sum([state.turn.built.get(f"{nation}/{arm}", 0) for arm in ("naval", "elite-naval")])
    return max(0, training_rate(state, nation).total - built)


@rule("17.353B", "17.353B.1", "17.356.1")
def escort_carriers(state: State, nation: str) -> Ledger:
    """17.353B: the escort carriers for itself, or for Britain, that the U.S. may begin in a turn: as many as that
    nation's naval air training rate, without using it up; for itself four in a European scenario (17.356)."""
    if nation == "united-states" and not state.setting.pacific:
        return Ledger((Line(EUROPEAN_CVES, "American CVEs in a European scenario", "17.356.1"),))
    return training_rate(state, nation)


def escort_carriers_left(state: State, nation: str) -> int:
    """How many more of them may be begun in this turn."""
    return max(0, escort_carriers(state, nation).total - state.turn.built.get(f"{nation}/{CVE}", 0))
