"""The odds of a position: for the pending decision of a side, option by option, with what that side knows alone.

The state of the game is looked at through a veil (`Staff.veiled`): what the side does not know is taken out of it, and
nothing after that sees more. Then it is filled in again, in all the ways that fit what the side has seen, or as the
side assumes; in each of these states the segment is played again up to the question, an option is taken, and the
enumerator follows the rest to the end of the procedure that decides. If the ways to fill it in cannot be listed, they
are drawn by chance, always the same ones, and the answer says so.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from importlib import import_module
from random import Random
from typing import Any

from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.game import Game, Player
from flagplot.kernel.ledger import Ledger
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.requests import Choose, Option, Roll
from flagplot.kernel.words import say
from flagplot.odds.answer import Answer, Part
from flagplot.odds.chances import Distribution
from flagplot.odds.enumerator import Limits, Tally, enumerate_apart
from flagplot.odds.position_answer import OF_A_SHIP, OptionOdds, PositionAnswer, SampledAnswer, SampledPart
from flagplot.odds.position_replay import Reached, Replay, dice_of, played_out, stand_of, through_segment
from flagplot.odds.position_staff import Counted, Horizon, Missing, Staff, Told, Worlds, apart

STAFFS = {
    "awaw": "flagplot.odds.position_awaw:STAFF",
    "line-of-battle": "flagplot.odds.position_lob:STAFF",
}
"""Who knows the odds of each game; imported when somebody asks."""

LIMITS = Limits(states=400_000, seconds=30.0)
TRIALS = 400
NOTHING = "Until the end of {} no option changes losses of ships or air units."
NOTHING_TRIED = "Until the end of {} no trial lost ships or air units, whatever you decide."
TRIES = 40
"""How often an arrangement is drawn that fits what was seen since the border."""
TOO_MUCH = Fraction(1, 2)
"""What may be left over of an exact answer; with more it is sampled."""


def position(
    game: Game[Any],
    side: str,
    *,
    assume: Mapping[str, str] | Sequence[str] = (),
    limits: Limits | None = None,
    trials: int = TRIALS,
    only: str = "",
) -> PositionAnswer:
    """The odds of the pending decision of a side: of all its options, or of the `only` one that is wanted. Without
    `trials` nothing is sampled: if it cannot be exact the answer is `slow`, and has no options."""
    if side not in game.sides:
        raise UnknownName("no such side", given=side, allowed=game.sides)
    given = _read(assume)
    request = game.pending
    why_not = _not_asked(game, side)
    if why_not or not isinstance(request, Choose):
        return _silent(side, "", why_not, given)
    question = say(request.question)
    staff = _staff(game.ruleset.name)
    if staff is None:
        return _silent(side, question, "There are no odds for positions of this game.", given)
    stand = stand_of(game)
    horizon = staff.horizon(stand.state, request, side)
    if isinstance(horizon, str):
        return _silent(side, question, horizon, given)
    asking = _Asking(game, side, request, staff, horizon, given, limits or LIMITS, trials, only)
    try:
        return asking.answer()
    except _Slow:
        return PositionAnswer(side, question, slow=True)


def can_be_asked(game: Game[Any], side: str) -> bool:
    """Whether there are odds of what a side is asked now."""
    staff, request = _staff(game.ruleset.name), game.pending
    if staff is None or _not_asked(game, side) or not isinstance(request, Choose):
        return False
    return not isinstance(staff.horizon(stand_of(game).state, request, side), str)


class _Slow(Exception):
    """It would have to be sampled."""


def _read(assume: Mapping[str, str] | Sequence[str]) -> dict[str, str]:
    """Assumptions by their keys, from ``KEY=VALUE`` texts or a dict."""
    if isinstance(assume, Mapping):
        return {key: str(value) for key, value in assume.items()}
    read: dict[str, str] = {}
    for entry in assume:
        key, mark, value = entry.partition("=")
        key = key.strip().casefold()
        if not mark or not key:
            raise BadValue("an assumption is a key and a value", given=entry, allowed=["cg2=Akagi, Kaga, 8 cruisers"])
        if key in read:
            raise BadValue("this is assumed twice", given=entry)
        read[key] = value.strip()
    return read


def _staff(game: str) -> Staff | None:
    if game not in STAFFS:
        return None
    module, attribute = STAFFS[game].split(":")
    found: Staff = getattr(import_module(module), attribute)
    return found


def _not_asked(game: Game[Any], side: str) -> str:
    request = game.pending
    if request is None:
        return "The game is over."
    if isinstance(request, Roll):
        return "Roll the dice first: there is nothing to decide now."
    if request.side != side:
        return f"{request.side} decides now, not {side}."
    return ""


def _silent(side: str, question: str, why_not: str, given: Mapping[str, str]) -> PositionAnswer:
    if given:
        raise BadValue(f"nothing can be assumed here: {why_not}", given=next(iter(given)))
    return PositionAnswer(side, question, why_not=why_not)


@dataclass(slots=True)
class _Found:
    """What was found out about one option, and how."""

    counted: Counted
    trials: int = 0
    """0 if it is exact."""
    why: str = ""


class _Asking:
    """One position that is asked about."""

    def __init__(
        self,
        game: Game[Any],
        side: str,
        request: Choose[Any],
        staff: Staff,
        horizon: Horizon,
        given: Mapping[str, str],
        limits: Limits,
        trials: int,
        only: str,
    ) -> None:
        self.options = [option for option in request.options if only in ("", option.text)]
        self.ruleset = game.ruleset
        self.side = side
        self.request = request
        self.staff = staff
        self.horizon = horizon
        self.limits = limits
        self.trials = trials
        self.readings = _differing(game.options, game.ruleset.options)
        stand = stand_of(game)
        self.known = staff.veiled(stand, side)
        self.players: dict[str, Player] = {one: _doctrine() for one in game.sides}
        self.replay = Replay(game.ruleset, side, stand, request, self.players)
        self.missing = self._missing()
        self.assumed = staff.assumed(self.known, side, _checked(given, self.missing), self.missing)
        self.given = given

    def _missing(self) -> list[Missing]:
        """What is not known, for whatever option."""
        found: dict[str, Missing] = {}
        for option in self.options:
            for one in self.staff.missing(self.known, self.side, [*self.replay.own, option.text]):
                found.setdefault(one.key, one)
        return [*found.values()]

    # --- option by option ---------------------------------------------------------------------------------------

    def answer(self) -> PositionAnswer:
        options = self.options
        share = _share(self.limits, len(options))
        found, reasons = [], []
        for option in options:
            kept = Reasons()
            found.append(self._found(option, share, kept))
            reasons.append(kept)
        told = _varying([one.counted for one in found])
        if not told:
            words = NOTHING_TRIED if any([one.trials for one in found]) else NOTHING
            return PositionAnswer(self.side, say(self.request.question), why_not=words.format(self.horizon.name))
        unknown = tuple([one.words for one in self.missing if one.key not in self.given])
        policies = (
            *[f"{key} is {value}, as assumed" for key, value in self.given.items()],
            "both sides decide everything else like the doctrine player",
            *self.staff.policies(self.known, self.side, self.horizon),
        )
        answers = [
            OptionOdds(option.text, option.label, self._answer(option, one, told, kept, (*unknown, *policies)))
            for option, one, kept in zip(options, found, reasons, strict=True)
        ]
        return PositionAnswer(
            self.side,
            say(self.request.question),
            tuple(answers),
            f"{self.horizon.name} ({self.horizon.rule})",
            unknown,
            tuple([one.key for one in self.missing]),
            policies,
            readings=self.readings,
        )

    def _answer(
        self, option: Option[Any], found: _Found, told: list[str], reasons: Reasons, policies: tuple[str, ...]
    ) -> Answer:
        parts, (_, left_over, states) = tuple(_parts(found, told)), found.counted
        ledgers = tuple(_for_instance(reasons.kept)) if found.trials else reasons.kept
        head = (option.label, parts, ledgers, policies, self.readings, states, left_over)
        return SampledAnswer(*head, found.trials, found.why) if found.trials else Answer(*head)

    def _found(self, option: Option[Any], limits: Limits, reasons: Reasons) -> _Found:
        worlds = self.staff.worlds(self.known, self.side, [*self.replay.own, option.text], self.assumed)
        if worlds.all is None:
            why = f"the arrangements of {', '.join(worlds.left_open)} that fit are too many to follow"
            return self._sampled(option, worlds, limits, reasons, why)
        found = self._exact(option, worlds, limits, reasons)
        if found.left_over > TOO_MUCH:
            why = "there are too many states to follow within the limits"
            return self._sampled(option, worlds, limits, reasons, why)
        return _Found(found)

    # --- exactly ------------------------------------------------------------------------------------------------

    def _exact(self, option: Option[Any], worlds: Worlds, limits: Limits, reasons: Reasons) -> Counted:
        assert worlds.all is not None
        fitting = [(weight, world, reached) for weight, world in worlds.all if (reached := self.replay.reach(world))]
        if not fitting:
            raise BadValue("what has been seen fits no arrangement of this kind", given=", ".join(self.given) or None)
        whole = sum([weight for weight, _, _ in fitting], Fraction(0))
        share = _share(limits, len(fitting))
        mixed: list[tuple[Fraction, Counted]] = []
        for weight, world, reached in fitting:
            mixed.append((weight / whole, self._ends(world, reached, option, share, reasons)))
        return _mixed(mixed)

    def _ends(self, world: Any, reached: Reached, option: Option[Any], limits: Limits, reasons: Reasons) -> Counted:
        """All that can come of an option in one state."""
        value, tell = _value(reached, option), self.staff.tell(world, self.side, names=True)
        start, given = self._begun(world, [*reached.answers, value])
        if not given and self.horizon.over(start):
            tally = self.horizon.take_out(start)
            return apart(Distribution({self._told(tell(start), tally): Fraction(1)}), 1)
        quick = self.staff.quickly(start, given, self.horizon, self.players, limits, reasons)
        if quick is not None:
            return quick
        found = enumerate_apart(
            self.ruleset,
            start,
            self.players,
            tell,
            self.horizon.take_out,
            over=self.horizon.over,
            limits=limits,
            seen=reasons,
            given=given,
        )
        return apart(found.ends.of(lambda end: self._told(*end)), found.states)

    def _begun(self, world: Any, given: list[Any]) -> tuple[Any, list[Any]]:
        """A state with an option taken, and the answers that are still to be given in it."""
        start = copy_of(world)
        if self.horizon.narrow is None:
            return start, given
        through_segment(self.ruleset, self.players, start, given)
        self.horizon.narrow(start, self.replay.own, self.request)
        return start, []

    def _told(self, told: Told, tally: Tally) -> Told:
        """What is told at the end, with what was counted beside the states."""
        return (*told, *zip(self.horizon.tallies, tally, strict=True)) if tally else told

    # --- by chance ----------------------------------------------------------------------------------------------

    def _sampled(self, option: Option[Any], worlds: Worlds, limits: Limits, reasons: Reasons, why: str) -> _Found:
        """So many trials, each in a state of its own; the same for every option, and whenever it is asked."""
        if not self.trials:
            raise _Slow
        counts: dict[Told, int] = {}
        start, trials = time.monotonic(), 0
        for trial in range(self.trials):
            if trials and time.monotonic() - start > limits.seconds:
                why += f"; time ran out after {trials} of {self.trials} trials"
                break
            world, reached = self._drawn(worlds, trial)
            tell = self.staff.tell(world, self.side, names=worlds.all is not None)
            begun, given = self._begun(world, [*reached.answers, _value(reached, option)])
            roll = dice_of(Random(f"dice {trial}"), reasons)
            if given or not self.horizon.over(begun):
                played_out(self.ruleset, self.players, begun, given, self.horizon.over, roll)
            told = self._told(tell(begun), self.horizon.take_out(begun))
            counts[told] = counts.get(told, 0) + 1
            trials += 1
        chances = {told: Fraction(number, trials) for told, number in counts.items()}
        return _Found(apart(Distribution(chances), trials), trials, why)

    def _drawn(self, worlds: Worlds, trial: int) -> tuple[Any, Reached]:
        """An arrangement that fits also what has happened since the border."""
        for attempt in range(TRIES):
            world = worlds.draw(Random(f"arrangement {trial} {attempt}"))
            reached = self.replay.reach(world)
            if reached is not None:
                return world, reached
        raise BadValue("no arrangement fits what has been seen", allowed=["another --assume"])


# --- small things -------------------------------------------------------------------------------------------------


def _share(limits: Limits, number: int) -> Limits:
    """Limits for one of so many parts; segments may be gone through in as many ways as there may be states."""
    states = max(1, limits.states // number)
    return Limits(states, limits.seconds / number, states)


def _value(reached: Reached, option: Option[Any]) -> Any:
    found = reached.request.find(option.text)
    assert found is not None
    return found.value


def _doctrine() -> Player:
    from flagplot.players.by_game import DoctrineByGame

    return DoctrineByGame()


def _differing(options: Any, usual: Any) -> dict[str, Any]:
    """The readings of a game that differ from the usual."""
    names = [part.name for part in fields(options)]
    return {name: getattr(options, name) for name in names if getattr(options, name) != getattr(usual, name)}


def _checked(given: Mapping[str, str], missing: Sequence[Missing]) -> Mapping[str, str]:
    keys = [one.key for one in missing]
    for key, value in given.items():
        if key not in keys:
            said = f"{key}={value}"
            if not keys:
                raise BadValue("nothing to assume here: everything that matters is known", given=said)
            raise UnknownName("this is not an unknown that matters here", given=said, allowed=keys)
    return given


def _mixed(all_counted: Sequence[tuple[Fraction, Counted]]) -> Counted:
    """Several states with their weights as one; of ships only those that are in all of them."""
    first = all_counted[0][1]
    titles = [title for title in first.chances if all([title in one.chances for _, one in all_counted])]
    chances: dict[str, Distribution[Any]] = {}
    for title in titles:
        sums: dict[Any, Fraction] = {}
        for weight, one in all_counted:
            for value, chance in one.chances[title].chances.items():
                sums[value] = sums.get(value, Fraction(0)) + weight * chance
        chances[title] = Distribution(sums)
    left = sum([weight * one.left_over for weight, one in all_counted], Fraction(0))
    return Counted(chances, left, sum([one.states for _, one in all_counted]))


def _varying(all_counted: Sequence[Counted]) -> list[str]:
    """The titles of what is not the same whatever is decided and however dice fall, in the order of telling."""
    values: dict[str, set[Any]] = {}
    for counted in all_counted:
        for title, chances in counted.chances.items():
            values.setdefault(title, set()).update(chances)
    return [title for title, some in values.items() if len(some) > 1]


def _parts(found: _Found, titles: Sequence[str]) -> Iterator[Part]:
    for title in titles:
        chances = found.counted.chances.get(title)
        if chances is not None and not (title.endswith(OF_A_SHIP) and len(chances) == 1):  # else of another option
            yield SampledPart(title, chances, found.trials) if found.trials else Part(title, chances)


MOST_LEDGERS = 12
FEW_LEDGERS = 4


def _for_instance(ledgers: Sequence[tuple[str, Ledger]]) -> Iterator[tuple[str, Ledger]]:
    """Of arrangements that were drawn by chance a few ledgers are enough: in others they are others."""
    for title, ledger in ledgers[:FEW_LEDGERS]:
        yield f"In one of the trials, {title}", ledger


class Reasons:
    """Collects the ledgers of rolls: each purpose with each total once."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, int], tuple[str, Ledger]] = {}
        self._met: set[tuple[object, int]] = set()

    def __call__(self, roll: Roll[Any]) -> None:
        if len(self._kept) >= MOST_LEDGERS or not len(roll.ledger):
            return
        met = (roll.purpose if isinstance(roll.purpose, str) else id(roll.purpose[0]), roll.ledger.total)
        if met in self._met and len(self._met) > MOST_LEDGERS:
            return
        self._met.add(met)
        title = say(roll.purpose).partition(", row ")[0]
        self._kept.setdefault((title, roll.ledger.total), (title, roll.ledger))

    @property
    def kept(self) -> tuple[tuple[str, Ledger], ...]:
        return tuple(self._kept.values())
