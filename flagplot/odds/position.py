"""The odds of a position: for the pending decision of a side, option by option, with what that side knows alone.

The state of the game is looked at through a veil (`Staff.veiled`): what the side does not know is taken out of it, and
nothing after that sees more. Then it is filled in again, in all the ways that fit what the side has seen, or as the
side assumes; in each of these states the segment is played again up to the question, an option is taken, and the
enumerator follows the rest to the end of the procedure that decides. If the ways to fill it in cannot be listed, or if
no single procedure decides, states and dice are drawn by chance, always the same ones (`position_sampling`), and the
answer says so.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.game import Game, Player
from flagplot.kernel.ledger import Ledger
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.playout import Start
from flagplot.kernel.plugins import imported
from flagplot.kernel.replaying import Reached, Replay, Stand, asked_in, seen_by, stand_of, through_segment
from flagplot.kernel.requests import Choose, Option, Roll
from flagplot.kernel.words import say
from flagplot.odds.answer import Answer, Part
from flagplot.odds.chances import Distribution
from flagplot.odds.enumerator import Limits, Tally, enumerate_apart
from flagplot.odds.position_answer import OF_A_SHIP, OptionOdds, PositionAnswer, SampledAnswer, SampledPart
from flagplot.odds.position_depends import other_beliefs
from flagplot.odds.position_sampling import KeyedDice, NothingFits, play_on, pools_of, sample
from flagplot.odds.position_staff import WINNER, Counted, Horizon, Missing, Staff, Told, Worlds, apart

STAFFS = {
    "awaw": "flagplot.odds.position_awaw:STAFF",
    "line-of-battle": "flagplot.odds.position_lob:STAFF",
}
"""Who knows the odds of each game; imported when somebody asks."""

LIMITS = Limits(states=400_000, seconds=30.0)
TRIALS = 400
NOTHING = "Until the end of {} no option changes losses or the result."
TOO_MUCH = Fraction(1, 2)
"""What may be left over of an exact answer; with more it is sampled."""
EXACTLY = 0.5
"""The share of the time that is spent on exact answers: what cannot be exact is sampled after them."""
LATER = 0.25
"""The share of the time that is left at least for a later horizon, if nothing has come of a nearer one."""


def position(
    game: Game[Any],
    side: str,
    *,
    assume: Mapping[str, str] | Sequence[str] = (),
    believe: str = "",
    limits: Limits | None = None,
    trials: int = TRIALS,
    only: str = "",
) -> PositionAnswer:
    """The odds of the pending decision of a side: of all its options, or of the `only` one that is wanted. Without
    `trials` nothing is sampled: if it cannot be exact the answer is `slow`, and has no options. `believe` says what is
    public of the enemy's forces, if not what the scenario says."""
    if side not in game.sides:
        raise UnknownName("no such side", given=side, allowed=game.sides)
    given = _read(assume)
    request = game.pending
    why_not = _not_asked(game, side)
    if why_not or not isinstance(request, Choose):
        return _silent(side, "", why_not, given)
    question = say(request.question)
    staff = staff_of(game.ruleset.name)
    if staff is None:
        return _silent(side, question, "There are no odds for positions of this game.", given)
    stand = stand_of(game)
    known = staff.veiled(game, stand, side, believe)
    asked = _Asked(game, side, request, staff, stand, known, limits or LIMITS, trials, only, time.monotonic())
    try:
        return _answer(asked, given)
    except _Slow:
        return PositionAnswer(side, question, slow=True)
    except NothingFits:
        belief = staff.believed(known)
        if belief is None or not belief.wider:
            raise
        return position(game, side, assume=given, believe=belief.wider, limits=limits, trials=trials, only=only)


def compared(game: Game[Any], answer: PositionAnswer, *, limits: Limits | None = None, **asked: Any) -> PositionAnswer:
    """The answer with what the figures would be if something else were believed of the enemy's forces; each in half of
    the time."""
    if answer.belief is None or not answer.options:
        return answer
    given = limits or LIMITS
    half = Limits(given.states, given.seconds / 2)
    others = [
        (other, position(game, answer.side, **{**asked, "limits": half, "believe": other}))
        for other in answer.belief.others
    ]
    return replace(answer, depends=tuple(other_beliefs(answer, others)))


def can_be_asked(game: Game[Any], side: str) -> bool:
    """Whether one procedure decides what a side is asked now, so that the odds may be exact."""
    staff, request = staff_of(game.ruleset.name), game.pending
    if staff is None or _not_asked(game, side) or not isinstance(request, Choose):
        return False
    return staff.horizon(stand_of(game).state, request, side) is not None


class _Slow(Exception):
    """It would have to be sampled."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked about."""

    game: Game[Any]
    side: str
    request: Choose[Any]
    staff: Staff
    stand: Stand
    known: Any
    limits: Limits
    trials: int
    only: str
    start: float


def _answer(asked: _Asked, given: Mapping[str, str]) -> PositionAnswer:
    """What one procedure decides; if none does, or if it changes nothing, what the rest of the battle brings."""
    horizon = asked.staff.horizon(asked.stand.state, asked.request, asked.side)
    if horizon is not None:
        narrow = _Asking(asked, horizon, given).answer()
        if narrow.options or given:
            return narrow
    wide = asked.staff.wide(asked.stand.state, asked.side)
    for nearer in wide[:-1]:
        found = _Asking(asked, nearer, given).answer()
        if found.options:
            return found
    return _Asking(asked, wide[-1], given).answer(last=True)


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


def staff_of(game: str) -> Staff | None:
    """Who knows the odds of a game, by its name."""
    return imported(STAFFS[game]) if game in STAFFS else None


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
    """One position that is asked about, followed to a horizon."""

    def __init__(self, asked: _Asked, horizon: Horizon, given: Mapping[str, str]) -> None:
        self.asked = asked
        self.options = [option for option in asked.request.options if asked.only in ("", option.text)]
        self.ruleset = asked.game.ruleset
        self.side = asked.side
        self.staff = asked.staff
        self.known = asked.known
        self.horizon = horizon
        self.readings = _differing(asked.game.options, asked.game.ruleset.options)
        self.players: dict[str, Player] = {one: _doctrine() for one in asked.game.sides}
        seen = seen_by(asked.stand.events, self.side)
        self.replay = Replay(self.ruleset, self.side, seen, asked_in(asked.request), self.players)
        self.missing = self._missing()
        if given and horizon.tell is not None:
            raise BadValue(
                f"nothing can be assumed here: it is played on to the end of {horizon.name}", given=next(iter(given))
            )
        checked = _checked(given, self.missing)
        self.assumed = self.staff.assumed(self.known, self.side, checked, self.missing)
        self.given = given
        self.reasons = {option.text: Reasons() for option in self.options}

    def _missing(self) -> list[Missing]:
        """What is not known, for whatever option."""
        found: dict[str, Missing] = {}
        for option in self.options if self.horizon.tell is None else ():
            for one in self.staff.missing(self.known, self.side, [*self.replay.own, option.text]):
                found.setdefault(one.key, one)
        return [*found.values()]

    # --- option by option ---------------------------------------------------------------------------------------

    def answer(self, *, last: bool = False) -> PositionAnswer:
        """What comes of each option. If it is all the same, that is told in a sentence, and in the `last` resort as it
        is."""
        found = self._found()
        all_counted = [one.counted for one in found.values()]
        told = varying = _varying(all_counted)
        if self.horizon.tell is not None and (varying or last):  # who wins is told even if it is always the same
            told = [title for title in all_counted[0].chances if title in varying or title == WINNER]
        if last and not varying:
            told = [title for title in all_counted[0].chances if set(all_counted[0].chances[title]) != {0}]
        question = say(self.asked.request.question)
        if not told and not last:
            return PositionAnswer(self.side, question, why_not=NOTHING.format(self.horizon.name))
        unknown = tuple([one.words for one in self.missing if one.key not in self.given])
        policies = (
            *[f"{key} is {value}, as assumed" for key, value in self.given.items()],
            "both sides decide everything else like the doctrine player",
            *self.staff.policies(self.known, self.side, self.horizon),
        )
        if not varying:
            policies += (f"until the end of {self.horizon.name} no option has changed losses or the result",)
        answers = [
            OptionOdds(option.text, option.label, self._answer(option, found[option.text], told, (*unknown, *policies)))
            for option in self.options
        ]
        hidden = self.horizon.tell is not None or any([one.hidden for one in self.missing])
        return PositionAnswer(
            self.side,
            question,
            tuple(answers),
            f"{self.horizon.name} ({self.horizon.rule})",
            unknown,
            tuple([one.key for one in self.missing]),
            policies,
            readings=self.readings,
            belief=self.staff.believed(self.known) if hidden else None,
            played_on=self.horizon.tell is not None,
        )

    def _answer(self, option: Option[Any], found: _Found, told: list[str], policies: tuple[str, ...]) -> Answer:
        parts, (_, left_over, states) = tuple(_parts(found, told)), found.counted
        kept = self.reasons[option.text].kept
        ledgers = tuple(_for_instance(kept)) if found.trials else kept
        head = (option.label, parts, ledgers, policies, self.readings, states, left_over)
        return SampledAnswer(*head, found.trials, found.why) if found.trials else Answer(*head)

    def _found(self) -> dict[str, _Found]:
        """First what can be exact, then the others by chance."""
        found: dict[str, _Found] = {}
        open_: dict[str, tuple[Worlds, str]] = {}
        limits = self.asked.limits
        deadline = max(self.asked.start + limits.seconds, time.monotonic() + LATER * limits.seconds)
        worlds = {option.text: self._worlds(option) for option in self.options}
        listed = [text for text, one in worlds.items() if one.all is not None]
        share = _share(limits, len(listed), EXACTLY)
        for option in self.options:
            one = worlds[option.text]
            if one.all is None:
                why = f"too many arrangements of {', '.join(one.left_open)} fit to follow them all"
                open_[option.text] = one, why if one.left_open else "it depends on much that follows"
                continue
            counted = self._exact(option, one, share)
            if counted.left_over > TOO_MUCH:
                open_[option.text] = one, "there are too many states to follow within the limits"
            else:
                found[option.text] = _Found(counted)
        return found | (self._sampled(open_, deadline) if open_ else {})

    def _worlds(self, option: Option[Any]) -> Worlds:
        if self.horizon.tell is not None:
            return self.staff.whole_worlds(self.known)
        return self.staff.worlds(self.known, self.side, [*self.replay.own, option.text], self.assumed)

    # --- exactly ------------------------------------------------------------------------------------------------

    def _exact(self, option: Option[Any], worlds: Worlds, limits: Limits) -> Counted:
        assert worlds.all is not None
        fitting = [(weight, world, reached) for weight, world in worlds.all if (reached := self.replay.reach(world))]
        if not fitting:
            raise NothingFits("what has been seen fits no arrangement", given=", ".join(self.given) or None)
        whole = sum([weight for weight, _, _ in fitting], Fraction(0))
        share = _share(limits, len(fitting))
        mixed: list[tuple[Fraction, Counted]] = []
        left = Fraction(0)
        for weight, world, reached in fitting:
            counted = self._ends(world, reached, option, share)
            mixed.append((weight / whole, counted))
            left += weight / whole * counted.left_over
            if left > TOO_MUCH or not counted.chances:  # it will be sampled
                return counted._replace(left_over=Fraction(1))
        return _mixed(mixed)

    def _ends(self, world: Any, reached: Reached, option: Option[Any], limits: Limits) -> Counted:
        """All that can come of an option in one state."""
        value, tell = _value(reached, option), self._teller(world, names=True)
        reasons = self.reasons[option.text]
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
        self.horizon.narrow(start, self.replay.own, self.asked.request)
        return start, []

    def _teller(self, world: Any, *, names: bool) -> Any:
        if self.horizon.tell is not None:
            return self.horizon.tell(world, self.side)
        return self.staff.tell(world, self.side, names=names)

    def _told(self, told: Told, tally: Tally) -> Told:
        """What is told at the end, with what was counted beside the states."""
        return (*told, *zip(self.horizon.tallies, tally, strict=True)) if tally else told

    # --- by chance ----------------------------------------------------------------------------------------------

    def _sampled(self, asked: Mapping[str, tuple[Worlds, str]], deadline: float) -> dict[str, _Found]:
        """So many trials, each in a state of its own; the same for every option, and whenever it is asked."""
        if not self.asked.trials:
            raise _Slow
        named = {text: worlds.all is not None for text, (worlds, _) in asked.items()}
        pools = pools_of({text: worlds for text, (worlds, _) in asked.items()}, self.replay, deadline)

        def play(text: str, world: Any, reached: Reached, trial: int) -> Told:
            return self._played(text, world, reached, trial, names=named[text])

        trials = sample([*asked], pools, play, self.asked.trials, deadline)
        found: dict[str, _Found] = {}
        for text, (_, why) in asked.items():
            number = trials.number(text)
            if number < self.asked.trials:
                why += f"; time ran out after {number} of {self.asked.trials} trials"
            found[text] = _Found(apart(Distribution(trials.chances(text)), number), number, why)
        return found

    def _played(self, text: str, world: Any, reached: Reached, trial: int, *, names: bool) -> Told:
        """What comes of an option in one trial."""
        tell, over = self._teller(world, names=names), self.horizon.over
        option = reached.request.find(text)
        assert option is not None
        if self.horizon.narrow is not None:
            begun, _ = self._begun(world, [*reached.answers, option.value])
            start, text = Start(self.ruleset, begun), ""
            if over(begun):
                return self._told(tell(begun), self.horizon.take_out(begun))
        else:
            start = Start(self.ruleset, world, reached.given)
        end = play_on(self.players, start, text, over, KeyedDice(trial, self.reasons[option.text]))
        return self._told(tell(end), self.horizon.take_out(end))


# --- small things -------------------------------------------------------------------------------------------------


def _share(limits: Limits, number: int, part: float = 1.0) -> Limits:
    """Limits for one of so many parts; segments may be gone through in as many ways as there may be states."""
    states = max(1, limits.states // max(1, number))
    return Limits(states, part * limits.seconds / max(1, number), states)


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
