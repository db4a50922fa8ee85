"""Battles on the map: who meets whom, how a battle is set up and cleared away, who gets which ships back."""
