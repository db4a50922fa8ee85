"""The doctrine player: it answers by principles, from the view alone.

Each principle is a small function under the verb of the question that it answers. The modules follow the segments of a
naval round: `combat_groups` (A), `counterair` (B, and whole air phases), `air_plan` (C to F), `kamikazes` and
`air_strikes` (G), `losses` (and decks, whenever they come), `fleet_combat` (H), `round_end` (I, and what comes after a
round). On the map `activities` takes orders, `interception` weighs interceptions (by `interception_odds`: chance,
strength, and what is at stake), `voyages` attacks from the air hex by hex and goes on or aborts, `base_attacks` attacks
bases; `sea` is the map as it is seen. Secret choices are drawn by the player's seed (`lots`); apart from that the same
view and question always get the same answer, and nothing is remembered from one question to the next. A principle reads
the parts of the view that it needs and no more: parts that nobody reads are never made, which is most of the speed of
simulations.
"""

from flagplot.players.doctrine.player import DoctrinePlayer as DoctrinePlayer
from flagplot.players.doctrine.settings import Doctrine as Doctrine
from flagplot.players.doctrine.settings import read_doctrine as read_doctrine
