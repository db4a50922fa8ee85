"""Battles off Lantern Reef."""
