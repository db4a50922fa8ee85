"""Patrols, what they support, and raids into an SW box (21.41, 21.53, 22.163)."""
