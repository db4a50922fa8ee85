"""Many battles of one scenario, and what comes of them; two scenarios, or two ways to play one, compared."""

from __future__ import annotations

from flagplot.simulation.comparing import compare, comparing
from flagplot.simulation.comparison import Comparison
from flagplot.simulation.simulating import running, simulate
from flagplot.simulation.simulation import Simulation

__all__ = ["Comparison", "Simulation", "compare", "comparing", "running", "simulate"]
