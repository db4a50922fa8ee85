"""Small games solved exactly, as the measure of players: what perfect play is worth, and what a player gives away."""
