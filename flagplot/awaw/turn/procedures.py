"""All procedures of an air turn, in the order of play."""

from flagplot.awaw.turn.construction import construction
from flagplot.awaw.turn.turn import air_turn, player_turn

TURN = (air_turn, player_turn, construction)
