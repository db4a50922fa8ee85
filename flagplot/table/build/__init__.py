"""Battles that somebody types, as a page shows them: trays, limits, settings, a map, and changes by a click."""
