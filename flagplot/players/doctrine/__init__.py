"""The doctrine player: it answers by fixed principles, from the view alone.

Each principle is a small function under the verb of the question that it answers. The modules follow the segments of a
naval round: `forming` (A), `raiding` (B, and whole air phases), `flying` (C to F), `diving` and `striking` (G),
`enduring` (losses and decks, whenever they come), `fighting` (H), `ending` (I, and what comes after a round). On the
map `announcing` takes orders, `intercepting` weighs interceptions (by `attempts`: chance, strength, and what is at
stake), `sailing` attacks from the air hex by hex and goes on or aborts, `bases` attacks bases; `sea` is the map as it
is seen. The same view and question always get the same answer: nothing is drawn, and nothing is remembered from one
question to the next.
"""

from flagplot.players.doctrine.player import DoctrinePlayer as DoctrinePlayer
from flagplot.players.doctrine.settings import Doctrine as Doctrine
from flagplot.players.doctrine.settings import read_doctrine as read_doctrine
