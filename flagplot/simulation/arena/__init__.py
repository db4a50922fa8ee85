"""The arena: players meet in scenarios, on both sides and with the same seeds, and it is measured who is better."""

from __future__ import annotations

from flagplot.simulation.arena.meeting import Arena, arena

__all__ = ["Arena", "arena"]
