"""The small game of `conformance_toys`, broken in one thing at a time. Each class says what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from flagplot.kernel.ledger import Ledger, Line
from flagplot.kernel.procedures import Next
from flagplot.kernel.requests import Choose, Faces, Note, Roll, Script
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import Words
from tests.testing.conformance_toys import SIDES, Reads, Stones, Toy

# --- what is asked ----------------------------------------------------------------------------------------------


class Endless(Toy):
    """The rounds never end."""

    def end_round(self, state: Any) -> Script[Next]:
        yield from super().end_round(state)
        return self.procedures["play"].segments["put_aside"]


class OffersNothing(Toy):
    def attack(self, state: Any) -> Script[Next]:
        yield Choose("red", "attack", [], "How many attack?", self.count, "1.2")
        return None


class AsksFirst(Toy):
    """Something else is asked before red attacks. Nothing is wrong with that."""

    side, question, rule = "red", "Where?", "1.2"
    answers: tuple[object, ...] = ("far", "near")

    def attack(self, state: Any) -> Script[Next]:
        yield Choose(self.side, "go", self.answers, self.question, str, self.rule)
        return (yield from super().attack(state))


class SameTextTwice(AsksFirst):
    """A value that is a tuple reads as one that is not."""

    answers = ("far:away", ("far", "away"))


class BlankInText(AsksFirst):
    answers = ("far away", "near")


class ListAsValue(AsksFirst):
    answers = (["far"], ["near"])


class NoQuestion(AsksFirst):
    question = " "


class AsksNobody(AsksFirst):
    side = "green"


class CitesNothing(AsksFirst):
    rule = "see the rules"


class NoLabel(Toy):
    def count(self, number: int) -> Words:
        return "" if number == 1 else ("{} stones", number)


class LyingLedger(Toy):
    def roll(self, state: Any, sent: int) -> Roll[int]:
        ledger = Ledger([Line(sent, "stones attack", "1.2")])
        ledger.total = sent + 1
        return Roll("red", 1, "Red attacks", Reads(ledger.total), "1.2", ledger)


class NoDice(Toy):
    def roll(self, state: Any, sent: int) -> Roll[int]:
        return Roll("red", 0, "Red attacks", len, "1.2")


class UnhashableReading(Toy):
    def roll(self, state: Any, sent: int) -> Roll[Any]:
        return Roll("red", 1, "Red attacks", list, "1.2")


class ForgetfulReading(Toy):
    """The same faces read otherwise each time."""

    calls = 0

    def roll(self, state: Any, sent: int) -> Roll[int]:
        return Roll("red", 1, "Red attacks", self.reads, "1.2")

    def reads(self, faces: Faces) -> int:
        self.calls += 1
        return self.calls % 2


class OrderOfDiceMatters(Toy):
    """One die is for tens and one for ones."""

    def roll(self, state: Any, sent: int) -> Roll[int]:
        return Roll("red", 2, "Red attacks", self.reads, "1.2")

    def reads(self, faces: Faces) -> int:
        return 10 * faces[0] + faces[1]


class ManyDice(Toy):
    """Nothing is wrong with sixteen dice."""

    def roll(self, state: Any, sent: int) -> Roll[int]:
        return Roll("red", 16, "Red attacks", self.reads, "1.2")

    def reads(self, faces: Faces) -> int:
        return faces.count(6)


class Crashes(Toy):
    def end_round(self, state: Any) -> Script[Next]:
        if state.round == 2:
            raise KeyError("blue")
        return (yield from super().end_round(state))


class NoWinner(Toy):
    def result(self, state: Any) -> dict[str, Any]:
        return {"summary": "over", "losses": {}}


class UnknownWinner(Toy):
    def result(self, state: Any) -> dict[str, Any]:
        return super().result(state) | {"winner": "green"}


# --- what is told -----------------------------------------------------------------------------------------------


class LabelReadsLaterState(Toy):
    def attack(self, state: Any) -> Script[Next]:
        def label(value: str) -> Words:
            return f"{value} in round {state.round}"

        yield Choose("red", "go", ["far", "near"], "Where?", label, "1.2")
        return (yield from super().attack(state))


class NoteKeepsALiveList(Toy):
    def end_round(self, state: Any) -> Script[Next]:
        yield Note(("so far: {}", state.told), "1.3")
        return (yield from super().end_round(state))


class NoTwin(Toy):
    def attack(self, state: Any) -> Script[Next]:
        yield Note("blue keeps watch", "1.2", side="blue")
        return (yield from super().attack(state))


class NoTwinForAReason(NoTwin):
    silences = {"1.2": "that somebody keeps watch is not to be known"}  # noqa: RUF012


class RawObject(Toy):
    def end_round(self, state: Any) -> Script[Next]:
        yield Note(("left: {}", dict(state.stones)), "1.3")
        return (yield from super().end_round(state))


# --- the state --------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class WithASet(Stones):
    """A state that JSON does not know."""

    seen: set[str] = field(default_factory=set)


class StateIsNotPlain(Toy):
    state_type = WithASet


@dataclass(slots=True)
class WithASharedList(Stones):
    """A state whose copies share a list, because it lies in a tuple."""

    marks: tuple[list[int], ...] = field(default_factory=lambda: ([],))


class CopiesShareAList(Toy):
    state_type = WithASharedList


class OneThingInTwoPlaces(Toy):
    """What is put aside changes with what is left, until the game is copied."""

    def attack(self, state: Any) -> Script[Next]:
        state.aside = state.stones
        return (yield from super().attack(state))


@dataclass(frozen=True, slots=True)
class Fixed:
    """Frozen, but what it holds is not."""

    counts: dict[str, int] = field(default_factory=lambda: {"rounds": 0})


@dataclass(slots=True)
class WithFixed(Stones):
    """A state with a frozen part."""

    fixed: Fixed = field(default_factory=Fixed)


class ChangesWhatIsFrozen(Toy):
    state_type = WithFixed

    def end_round(self, state: Any) -> Script[Next]:
        if state.round == 3:
            state.fixed.counts["rounds"] = 3
        return (yield from super().end_round(state))


class RemembersOutsideTheState(Toy):
    """The rules count how often they are run."""

    runs = 0

    def put_aside(self, state: Any) -> Script[Next]:
        self.runs += 1
        yield Choose("red", "go", range(1 + self.runs), "Where?", str, "1.1")
        return (yield from super().put_aside(state))


class OrderMatters(Toy):
    """What is offered depends on the order of a dict's keys, which is no part of a state."""

    def attack(self, state: Any) -> Script[Next]:
        yield Choose("red", "look", list(state.stones), "At whom?", str, "1.2")
        return (yield from super().attack(state))


# --- secrets ----------------------------------------------------------------------------------------------------


class ViewLeaks(Toy):
    def look(self, state: Any, side: str) -> dict[str, Any]:
        return super().look(state, side) | {"aside": dict(state.aside)}


class DrawingLeaks(Toy):
    """The look is clean, but drawing it asks somebody who knows more."""

    knows: Any = None

    def look(self, state: Any, side: str) -> dict[str, Any]:
        self.knows = state
        return super().look(state, side)

    def draw(self, look: Any) -> str:
        return f"{super().draw(look)} of {sum(self.knows.aside.values())}"


class QuestionLeaks(Toy):
    """The question, which stands in everybody's log, says how many red has not put aside."""

    def attack(self, state: Any) -> Script[Next]:
        free = state.stones["red"] - state.aside["red"]
        yield Choose("red", "ready", ["yes", "no"], ("Are {} ready?", free), str, "1.2")
        return (yield from super().attack(state))


class LabelLeaks(Toy):
    def attack(self, state: Any) -> Script[Next]:
        aside = state.aside["blue"]

        def label(value: str) -> Words:
            return f"{value} against {aside}"

        yield Choose("red", "ready", ["yes", "no"], "Are they ready?", label, "1.2")
        return (yield from super().attack(state))


class ManyQuestionsInOneWait(Toy):
    """One question for each stone that is put aside. Nothing is wrong with that: nobody else can count them."""

    def hide(self, state: Any, side: str) -> Script[None]:
        state.aside[side] = 0
        while state.aside[side] < 2:
            more = yield Choose(side, "another", ["yes", "no"], "Another?", str, "1.1", f"{side} puts stones aside")
            if more == "no":
                return
            state.aside[side] += 1
            yield from self.after_each(side)

    def after_each(self, side: str) -> Script[None]:
        yield from ()


class CountOfQuestionsLeaks(ManyQuestionsInOneWait):
    """Everybody reads something between the questions: whoever counts them knows how many stones there are."""

    def after_each(self, side: str) -> Script[None]:
        yield Note((f"{side} ponders",), "1.1")


class NumberOfWordsLeaks(Toy):
    """All is asked in one wait, but for a second stone in other words."""

    def hide(self, state: Any, side: str) -> Script[None]:
        yield from super().hide(state, side)
        if state.aside[side] == 2:
            yield Choose(side, "sure", ["yes", "no"], "Are you sure?", str, "1.1", (f"{side} ponders",))


class ProgressLeaks(Toy):
    """The other side sees how many of the questions are answered, and so how many there are."""

    def hide(self, state: Any, side: str) -> Script[None]:
        state.aside[side] = 0
        for number in range(2):
            state.told.append(f"{side} {number}")
            words = (f"{side} puts stones aside",)
            if (yield Choose(side, "another", ["yes", "no"], "Another?", str, "1.1", words)) == "no":
                return
            state.aside[side] += 1

    def look(self, state: Any, side: str) -> dict[str, Any]:
        return super().look(state, side) | {"asked": len(state.told)}


class Trap(Toy):
    """Whoever has put two stones aside may set a trap. That he is asked tells that he has put two aside."""

    def attack(self, state: Any) -> Script[Next]:
        yield from self.trap(state)
        return (yield from super().attack(state))

    def trap(self, state: Any) -> Script[None]:
        if state.aside["blue"] == 2:
            yield Choose("blue", "trap", ["set", "spare"], "Is a trap set?", str, "1.2", "blue looks around")


class HiddenTrap(Trap):
    """Nothing is wrong with this one: if there is nothing to ask, blue is asked all the same."""

    def trap(self, state: Any) -> Script[None]:
        yield from secretly("blue", "blue looks around", super().trap(state), "1.2")


class LedgerLeaks(Toy):
    """Blue rolls with a modifier for what it has put aside, and everybody reads why."""

    secret = ""

    def attack(self, state: Any) -> Script[Next]:
        ledger = Ledger([Line(state.aside["blue"], "stones that are aside", "1.2B")])
        yield Roll("blue", 2, self.purpose(state), sum, "1.2", ledger, self.secret)
        return (yield from super().attack(state))

    def purpose(self, state: Any) -> Words:
        return "Blue watches"


class PurposeLeaks(LedgerLeaks):
    """The ledger is secret, but the words that everybody reads instead are not the same."""

    def attack(self, state: Any) -> Script[Next]:
        self.secret = f"Blue watches with {state.aside['blue']}"
        return (yield from super().attack(state))


class HiddenLedger(LedgerLeaks):
    """Nothing is wrong with this one: only blue reads what it rolls for and why."""

    secret = "Blue watches"

    def purpose(self, state: Any) -> Words:
        return ("Blue watches with {}", state.aside["blue"])


class CountOfEntriesLeaks(Toy):
    """A line in everybody's log for each stone that is put aside."""

    def hide(self, state: Any, side: str) -> Script[None]:
        yield from super().hide(state, side)
        for number in range(state.aside[side]):
            yield Note("one more", "1.1", side=side, twin=("{} moves, {}", side, number))


class SilenceLeaks(Toy):
    """Where nobody is left to attack red is not asked, and so blue knows how many are aside."""

    def attack(self, state: Any) -> Script[Next]:
        few = 2 - state.aside["red"]
        yield Choose("red", "guard", range(few + 1), "How many stand guard?", self.count, "1.2")
        return (yield from super().attack(state))


class LookingChangesIt(Toy):
    def look(self, state: Any, side: str) -> dict[str, Any]:
        state.told.append(side)
        return super().look(state, side)


class ViewIsNotJson(Toy):
    def look(self, state: Any, side: str) -> dict[str, Any]:
        return super().look(state, side) | {"sides": set(SIDES)}


class ReshuffleSpoils(Toy):
    """The second state is made by changing the first."""

    def reshuffle(self, state: Any, side: str, chance: Any) -> Any:
        state.aside["red" if side == "blue" else "blue"] += 1
        return state


# --- laws -------------------------------------------------------------------------------------------------------


class BreaksItsInvariants(Toy):
    def invariants(self, state: Any) -> list[str]:
        return [f"{side} has few stones" for side, left in state.stones.items() if left < 6]
