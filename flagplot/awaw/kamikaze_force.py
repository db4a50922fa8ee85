"""Which kamikazes can attack, and what it costs (17.43, 17.46, 17.47)."""

from __future__ import annotations

from flagplot.awaw.basing import distance
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.state.setting import is_air_base
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.nations import home_bases
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.rules import rule


@rule("17.45", "17.462", "17.47D.1", "18.31C", "18.49", "22.35C")
def kamikazes_fly(state: State, side: str, at: Hex | None = None) -> bool:
    """17.462: kamikazes fly four hexes from any air base in Japan, whatever its supply and oil (17.45); those of a
    turn attack at one time, and nobody after them (17.47D). Without a map all are in range. None fly into an SW box,
    where raiders fight (18.49, 22.35C)."""
    if state.scene.raiders or "japan" not in state.setting.nations[side] or no_kamikazes(state):
        return False
    if state.operation_if_any is None:
        return True
    target = state.scene.at if at is None else at
    return any([distance(state.place(base).at, target) <= 4 for base in _kamikaze_bases(state, side)])


def no_kamikazes(state: State) -> Refusal | None:
    """Why none can attack now, whatever is in range."""
    if state.kamikazes <= 0:
        if state.turn_if_any is not None and not state.turn.pool.limit:
            return _NOT_INVOKED
        return _NONE_BUILT
    return _ATTACKED if state.operation_if_any is not None and have_attacked(state) else None


_NOT_INVOKED = Refusal("Japan has not invoked the kamikaze rule", "17.41")
_NONE_BUILT = Refusal("none are built", "17.44B")
_ATTACKED = Refusal("all kamikazes of a turn attack together, and some already did", "17.47D")


def _kamikaze_bases(state: State, side: str) -> list[str]:
    """17.462: the air bases in Japan that the side with Japan holds."""
    if state.turn_if_any is not None:
        return home_bases(state, side, "japan")
    named = state.operation.plan.kamikaze_bases
    places = {base: state.place(base) for base in state.of_side(side) if base in named or not named}
    return [base for base, place in places.items() if is_air_base(place) and not place.afloat and not place.box]


def have_attacked(state: State) -> bool:
    """17.47D: whether kamikazes have attacked in this player turn, or by option in this game turn."""
    turn = state.turn_if_any
    if turn is None:
        return state.operation.kamikazes_flown
    if state.setting.options.kamikaze_turn == "game-turn":
        return turn.pool.last >= 0 and turn.pool.last // 2 == turn.player_turn // 2
    return turn.pool.last == turn.player_turn


@rule("17.43B", "17.43C")
def spend_kamikazes(state: State, number: int) -> None:
    """Kamikazes have flown, and are lost (17.48). 17.43B: in an air turn they are counted, and may be built again
    (17.44B)."""
    if turn := state.turn_if_any:
        turn.pool.used += number
        turn.pool.unbuilt += number
        turn.pool.last = turn.player_turn
    elif operation := state.operation_if_any:
        operation.kamikazes_flown = True
