"""Odds: the scripts that play, with all dice instead of some."""
