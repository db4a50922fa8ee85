"""All procedures of an air turn, in the order of play."""

from flagplot.awaw.turn.air_interception import air_interception
from flagplot.awaw.turn.air_supply import air_supply
from flagplot.awaw.turn.airbases import airbases, isolation, opening
from flagplot.awaw.turn.airdrops import airdrops
from flagplot.awaw.turn.airlift import air_transport
from flagplot.awaw.turn.bombing import bombing
from flagplot.awaw.turn.construction import construction
from flagplot.awaw.turn.das_interception import das_interception
from flagplot.awaw.turn.ending import flights_home, turn_end
from flagplot.awaw.turn.exploitation import exploitation
from flagplot.awaw.turn.ground_combat import ground_attack, ground_combat
from flagplot.awaw.turn.ground_support import ground_support
from flagplot.awaw.turn.hump import hump
from flagplot.awaw.turn.overruns import overruns
from flagplot.awaw.turn.redeploying import redeploying
from flagplot.awaw.turn.sea_transport import disembarking, embarking
from flagplot.awaw.turn.staging import crowding, staging
from flagplot.awaw.turn.strategic import sw_redeploying
from flagplot.awaw.turn.transfers import declaring_air, transfers
from flagplot.awaw.turn.turn import air_turn, player_turn
from flagplot.awaw.turn.uninverting import uninverting

TURN = (
    air_turn,
    player_turn,
    opening,
    airbases,
    transfers,
    staging,
    embarking,
    disembarking,
    crowding,
    redeploying,
    isolation,
    declaring_air,
    construction,
    uninverting,
    air_transport,
    air_supply,
    hump,
    airdrops,
    air_interception,
    flights_home,
    turn_end,
    overruns,
    bombing,
    sw_redeploying,
    ground_support,
    ground_combat,
    ground_attack,
    das_interception,
    exploitation,
)
