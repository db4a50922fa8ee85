"""All procedures of an air turn, in the order of play."""

from flagplot.awaw.turn.air_interception import air_interception
from flagplot.awaw.turn.air_supply import air_supply
from flagplot.awaw.turn.airdrops import airdrops
from flagplot.awaw.turn.airlift import air_transport
from flagplot.awaw.turn.construction import construction
from flagplot.awaw.turn.ending import flights_home, turn_end
from flagplot.awaw.turn.hump import hump
from flagplot.awaw.turn.turn import air_turn, player_turn
from flagplot.awaw.turn.uninverting import uninverting

TURN = (
    air_turn,
    player_turn,
    construction,
    uninverting,
    air_transport,
    air_supply,
    hump,
    airdrops,
    air_interception,
    flights_home,
    turn_end,
)
