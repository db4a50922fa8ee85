"""Interceptions (22.1, 22.2): who may intercept whom, where, with how many dice, and in which order."""
