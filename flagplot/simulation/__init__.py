"""Many battles of one scenario, and what comes of them."""

from __future__ import annotations

from flagplot.simulation.simulating import Simulation, simulate

__all__ = ["Simulation", "simulate"]
