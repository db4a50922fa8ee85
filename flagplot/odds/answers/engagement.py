"""A whole fleet combat between two groups: what each side loses, and who has ships left."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.battle.groups import CARGO_MISSIONS, on_cargo_duty
from flagplot.awaw.battle.screening import NONE, is_always_screened
from flagplot.awaw.procedures import engagement as fleet_combat
from flagplot.awaw.ships import Fleet, Ships
from flagplot.awaw.state.battle import Engagement
from flagplot.awaw.state.state import State
from flagplot.kernel.errors import BadValue
from flagplot.kernel.game import Player
from flagplot.kernel.requests import Choose, Option
from flagplot.kernel.rules import rule
from flagplot.kernel.views import View
from flagplot.odds.answer import Answer, Ledgers, Part
from flagplot.odds.answers.fleet_combat import fought
from flagplot.odds.answers.following import Fought
from flagplot.odds.answers.losses import Cases, Loss, factor_parts, folded, light_parts, ship_part
from flagplot.odds.answers.two_fleets import Fleets, battle_state, check_apart, squadrons_aboard
from flagplot.odds.chances import Distribution
from flagplot.odds.enumerator import Limits
from flagplot.odds.questions.engagement import JOIN, EngagementQuestion
from flagplot.odds.questions.shared import SIDES, THEM, US
from flagplot.odds.ship_lists import ShipList
from flagplot.players.doctrine import DoctrinePlayer

LIMITS = Limits(states=20_000, seconds=20.0)
HINT = (
    "what light ships do depends on the fate of each capital ship, which is too much to follow; if surplus light ships "
    "join in, and no fire is held for screened ships, the answer is complete"
)
JOINED = "; surplus light ships join in firing at light ships"
WHOSE = {US: "Our", THEM: "Their"}


def engagement(question: EngagementQuestion) -> Answer:
    """What comes of a fleet combat; we are the moving side. Both sides decide by doctrine, but for ships to be screened
    that are given."""
    readings, differing = question.option
    activities = {US: question.our_activity, THEM: question.their_activity}
    fleets = Fleets(
        _on_mission(question.ours.fleet(question.nation, question.hits, readings), activities[US]),
        _on_mission(question.theirs.fleet(question.their_nation, question.their_hits, readings), activities[THEM]),
        activities,
        question.codebreaking,
        options=readings,
    )
    check_apart(fleets.ours, fleets.theirs)
    screens = {
        US: _screened(question.screen, fleets.ours, question.nation),
        THEM: _screened(question.their_screen, fleets.theirs, question.their_nation),
    }
    ledgers = Ledgers()
    players = {side: _player(screens[side], joins=question.surplus == JOIN) for side in SIDES}
    state = combat_state(fleets)
    for side in SIDES:
        state.battle.groups[side].withheld = screens[side] or {}  # those are screened without a question (22.531C)
    limits = Limits(question.states or LIMITS.states, question.seconds or LIMITS.seconds)
    found = fought(state, players, limits, ledgers)
    policies = [_policy(side, fleets.of(side), screens[side], question.surplus) for side in SIDES]
    return _answer(fleets, found, ledgers, policies, differing)


def combat_state(fleets: Fleets) -> State:
    """A fleet combat that is about to begin; carriers have all their squadrons aboard."""
    state = battle_state(fleets, fleet_combat.start())
    for side in SIDES:
        state.battle.groups[side].air = squadrons_aboard(side, fleets.of(side))
    state.battle.engagement = Engagement(US, THEM)
    return state


@rule("22.552B.3")
def _on_mission(fleet: Fleet, activity: str) -> Fleet:
    """22.552B: ships on a cargo mission without cargo are on the way to it or from it."""
    empty = activity in CARGO_MISSIONS and not any([which.laden for which in fleet])
    return on_cargo_duty(fleet) if empty else fleet


# --- how the sides decide -----------------------------------------------------------------------------------------


def _screened(ships: ShipList | None, fleet: Fleet, nation: str) -> dict[str, int] | None:
    """By their tags: the ships to be screened besides those that always are; nothing if the doctrine decides."""
    if not ships:
        return None if ships is None else {}
    there = {which.tag: number for which, number in fleet.items() if not is_always_screened(which)}
    named = ships.fleet(nation)
    duty = {which: which.carrying(empty=True).tag for which in named}
    wanted = {duty[which] if duty[which] in there else which.tag: number for which, number in named.items()}
    for tag, number in wanted.items():
        if number > there.get(tag, 0):
            allowed = [str(Ships([(which, number)])) for which, number in fleet.items() if which.tag in there]
            message = "the fleet has fewer ships that may be screened"
            raise BadValue(message, given=ships.text, allowed=allowed, rule="22.531C")
    return wanted


class Screener:
    """Screens no more ships than it has been told to, and leaves everything else to another player."""

    def __init__(self, player: Player) -> None:
        self.player = player

    def choose(self, view: View, request: Choose[Any]) -> Option[Any] | str:
        if request.verb == "screen":
            return request.option(request.values.index(NONE))
        return self.player.choose(view, request)


class Joiner:
    """Lets surplus light ships do what all the others do, whatever has happened; leaves everything else to another."""

    blind = frozenset({"aim"})

    def __init__(self, player: Player) -> None:
        self.player = player

    def choose(self, view: View, request: Choose[Any]) -> Option[Any] | str:
        return request.option(0) if request.verb == "aim" else self.player.choose(view, request)


def _player(screen: dict[str, int] | None, *, joins: bool) -> Player:
    player: Player = DoctrinePlayer() if screen is None else Screener(DoctrinePlayer())
    return Joiner(player) if joins else player


def _policy(side: str, fleet: Fleet, screen: dict[str, int] | None, surplus: str) -> str:
    words = f"the doctrine player decides for {side}"
    if screen is not None:
        ships = Ships([(which, screen[which.tag]) for which in fleet if which.tag in screen])
        words += f", but screens {ships if screen else 'nothing more than it must'}"
    return words + (JOINED if surplus == JOIN else "")


# --- what is told -------------------------------------------------------------------------------------------------


def _answer(fleets: Fleets, found: Fought, ledgers: Ledgers, policies: list[str], differing: dict[str, Any]) -> Answer:
    parts = [Part("Ships left", _afloat(fleets, found.cases)), Part("Who loses more factors", _loser(found.cases))]
    for side in SIDES:
        parts += factor_parts(found.cases, side, WHOSE[side])
    for side in SIDES:
        parts += [ship_part(found.cases, side, which) for which in fleets.of(side) if which.named]
        parts += light_parts(found.cases, side, fleets.of(side))
    left = parts[0].chances.left_over
    if left and JOINED not in policies[0]:
        policies = [*policies, HINT]
    question = f"Fleet combat of {Ships(fleets.ours.items())} with {Ships(fleets.theirs.items())}"
    return Answer(question, tuple(parts), ledgers.kept, tuple(policies), differing, found.states, left)


def _by_side(loss: Loss, number: int) -> tuple[int, int]:
    return (number, 0) if loss.side == US else (0, number)


def _afloat(fleets: Fleets, cases: Cases) -> Distribution[str]:
    ours, theirs = (sum(fleets.of(side).values()) for side in SIDES)
    words = {(True, True): "both sides", (True, False): "only we", (False, True): "only they"}
    sunk = folded(cases, lambda loss: _by_side(loss, loss.sunk), 2)
    return sunk.of(lambda lost: words.get((lost[0] < ours, lost[1] < theirs), "nobody"))


def _loser(cases: Cases) -> Distribution[str]:
    sunk = folded(cases, lambda loss: _by_side(loss, loss.sunk * loss.size), 2)
    return sunk.of(lambda lost: "we" if lost[0] > lost[1] else "they" if lost[0] < lost[1] else "both alike")
