"""All procedures of an operation, in the order of a player turn."""

from flagplot.awaw.operations.announcing import announcing
from flagplot.awaw.operations.base_strikes import base_strike, carrier_mission, land_strikes
from flagplot.awaw.operations.below import submarine_hunt, submarine_interception
from flagplot.awaw.operations.completion import completion
from flagplot.awaw.operations.en_route import air_attack
from flagplot.awaw.operations.encounters import encounter
from flagplot.awaw.operations.escape import escape
from flagplot.awaw.operations.homeward import homeward
from flagplot.awaw.operations.interceptions import attempts, interceptions
from flagplot.awaw.operations.operation import operation, stage
from flagplot.awaw.operations.passage import confrontation, passage
from flagplot.awaw.operations.patrols import patrol, patrols
from flagplot.awaw.operations.port_dives import port_dive
from flagplot.awaw.operations.raids import raid
from flagplot.awaw.operations.sortie import sortie

OPERATIONS = (
    operation,
    stage,
    announcing,
    submarine_hunt,
    patrols,
    patrol,
    interceptions,
    attempts,
    land_strikes,
    passage,
    confrontation,
    encounter,
    air_attack,
    sortie,
    submarine_interception,
    completion,
    carrier_mission,
    base_strike,
    port_dive,
    escape,
    raid,
    homeward,
)
