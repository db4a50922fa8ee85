"""All procedures of A World at War, in the order of play.

They are declared here, without their segments, so that any of them can call any other; the modules of the chapters fill
them (see `flagplot.awaw.sequence`).
"""

from __future__ import annotations

from flagplot.kernel.procedures import Procedure

DECLARED: list[Procedure] = []


def _declare(name: str, rule: str, title: str) -> Procedure:
    DECLARED.append(Procedure(name, rule, title))
    return DECLARED[-1]


# --- air phases and naval battles -------------------------------------------------------------------------------------

air_phase = _declare("air-phase", "18.511-18.512", "Counterair in one or more phases of a player turn")
counterair = _declare("counterair", "18.52", "A counterair mission")
naval_battle = _declare("naval-battle", "22.41", "A naval battle, round by round")
base_attacks = _declare("base-attacks", "22.432", "One side's attacks against enemy air bases")
air_strikes = _declare("air-strikes", "22.461B", "One side's air strikes")
strike = _declare("strike", "23.76", "An air strike")
kamikazes = _declare("kamikazes", "17.47D", "Kamikaze attacks")
kamikaze_attack = _declare("kamikaze-attack", "17.47E", "One kamikaze attack")
fleet_combat = _declare("fleet-combat", "22.521", "Fleet combat: who meets whom")
engagement = _declare("engagement", "22.53", "A fleet combat")
submarine_attacks = _declare("submarine-attacks", "22.9", "Submarines attack")
submarine_ambush = _declare("submarine-ambush", "22.921", "Submarines attack without a naval battle")

# --- operations -------------------------------------------------------------------------------------------------------

operation = _declare("operation", "22.15", "The naval activities of a player turn")
stage = _declare("stage", "22.15", "The naval activities of one stage of a player turn")
announcing = _declare("announcing", "22.15", "The moving side announces its naval activities")
submarine_hunt = _declare("submarine-hunt", "21.4184", "Land-based air attacks submarines on patrol")
patrols = _declare("patrols", "21.416", "Patrols, one after the other")
patrol = _declare("patrol", "21.416", "A patrol")
interceptions = _declare("interceptions", "22.164", "Interceptions and counter-interceptions are declared and rolled")
attempts = _declare("attempts", "22.14", "Attempts to intercept, all those of one level")
land_strikes = _declare("land-strikes", "23.51", "Land-based air attacks bases")
passage = _declare("passage", "22.19", "A naval force sails along its path")
confrontation = _declare("confrontation", "22.19C", "A force is met where it is")
encounter = _declare("encounter", "22.141", "A naval battle on the map")
air_attack = _declare("air-attack", "23.752", "Land-based air attacks a naval force on its way")
sortie = _declare("sortie", "23.752", "One sortie by land-based air at sea")
submarine_interception = _declare("submarine-interception", "22.915", "Submarines attack whom they intercepted")
completion = _declare("completion", "22.131", "A naval activity is carried out")
carrier_mission = _declare("carrier-mission", "23.61B", "Carriers attack bases from their mission hex")
base_strike = _declare("base-strike", "23.411", "An attack on a base from the air")
port_dive = _declare("port-dive", "17.463", "Kamikazes attack the ships in a port")
escape = _declare("escape", "23.46", "Those within range of enemy air may leave their base")
raid = _declare("raid", "21.53", "Raiders in an SW box")
homeward = _declare("homeward", "22.15D", "A force that turns back returns to base at once")

# --- the player turn --------------------------------------------------------------------------------------------------

air_turn = _declare("air-turn", "18.4", "The air and naval forces of one or two player turns")
player_turn = _declare("player-turn", "18.5", "A player turn")
opening_airbases = _declare("opening-airbases", "18.141", "Airbases are placed in the opening setup")
airbases = _declare("airbases", "18.142", "Airbases are placed")
transfers = _declare("transfers", "17.3122", "Naval air goes between ports and fast carriers")
staging = _declare("staging", "18.21", "Air units stage to other bases")
embarking = _declare("embarking", "18.24", "Air units embark for sea transport, or redeploy by sea escort")
disembarking = _declare("disembarking", "18.15", "Air units that were not landed come ashore where their ships are")
crowding = _declare("crowding", "18.15", "Overfull bases are relieved")
redeploying = _declare("redeploying", "18.72D", "Air units redeploy to other bases")
isolation = _declare("isolation", "18.147.1", "Airbases that are cut off are removed")
naval_air_declared = _declare("naval-air-declared", "17.3123", "Naval air is aboard or ashore")
construction = _declare("construction", "17.24", "The unit construction phase")
uninverting = _declare("uninverting", "18.7", "Air units are uninverted")
air_transport = _declare("air-transport", "18.54", "Ground units are transported by air")
air_supply = _declare("air-supply", "18.53", "Ground units are supplied by air")
hump = _declare("hump", "18.511E", "BRPs are flown to China")
airdrops = _declare("airdrops", "18.512C", "Airborne units are dropped")
air_interception = _declare("air-interception", "18.62", "Air transports are intercepted")
flights_home = _declare("flights-home", "18.46", "Air that is out over a hex returns to base")
turn_end = _declare("turn-end", "18.72B", "The end of a player turn")
overruns = _declare("overruns", "18.511G", "Overruns in the movement phase")
bombing = _declare("bombing", "18.57", "Economic targets are bombed")
sw_redeploying = _declare("sw-redeploying", "17.71", "Strategic bombers and interceptors change fronts")
ground_support = _declare("ground-support", "18.55", "Ground attacks are announced, and supported from the air")
ground_combat = _declare("ground-combat", "18.61", "Ground attacks are supported, opposed and fought")
ground_attack = _declare("ground-attack", "18.61", "One ground attack")
das_interception = _declare("das-interception", "18.56", "Interception of defensive air support")
exploitation = _declare("exploitation", "18.512D", "Exploitation attacks")
