"""Seats: making and joining tables, links, handovers, rematches, talk, and calls to seats whose turn it is."""
