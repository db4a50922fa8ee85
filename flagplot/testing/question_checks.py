"""What is asked: choices, rolls, and the result when nothing is asked any more."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from flagplot.kernel.ledger import Ledger
from flagplot.kernel.requests import Choose, Roll
from flagplot.kernel.ruleset import UMPIRE
from flagplot.kernel.words import say
from flagplot.testing.trial import Trial, as_json

MANY_DICE = 6
"""More dice than these fall in too many ways to be listed at every request."""

SELDOM = 0.05
"""How often the outcomes of many dice are listed all the same."""

NUMBER = re.compile(r"(?:[A-Z]+-)*[A-Za-z]*\d[\w.#]*(?:[-–][\w.#]+)*|(?:[A-Z]+-)+[\w.-]+")
"""A rule number: digits, dots and letters (22.451D), a table's note (T19.2-05), a range, a step of a sequence."""


def every_question_has_a_moment_of_its_own(trial: Trial) -> Iterator[str]:
    """For those who may answer moments only grow, also over an undo: so an answer to an older question is never taken
    for this one."""
    request = trial.game.pending
    for reader in trial.readers:
        if isinstance(request, Choose) and reader not in (request.side, UMPIRE):
            continue
        before, now = trial.moments.get(reader, -1), trial.game.moment_of(reader)
        if now <= before:
            yield f"moment {now} comes after moment {before} for {reader}"
        trial.moments[reader] = now


def a_choice_has_two_options_or_more(trial: Trial) -> Iterator[str]:
    request = trial.game.pending
    if isinstance(request, Choose) and len(request) < 2 and not request.always:
        yield f"{len(request)} options for “{request}”"


def option_texts_are_unique_single_words(trial: Trial) -> Iterator[str]:
    request = trial.game.pending
    if not isinstance(request, Choose):
        return
    texts = [option.text for option in request.options]
    if len(set(texts)) < len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        yield f"two options of “{request}” have the text {twice!r}"
    yield from (f"the option text {text!r} holds blanks" for text in texts if re.search(r"\s", text))


def option_texts_can_be_read_back(trial: Trial) -> Iterator[str]:
    request = trial.game.pending
    if not isinstance(request, Choose):
        return
    some = trial.chance("option").randrange(len(request))
    for index in {0, some, len(request) - 1}:
        option = request.option(index)
        found = request.find(option.text)
        if found is None or found.index != index:
            yield f"the option text {option.text!r} leads to {found!r}"


def option_values_are_small_and_immutable(trial: Trial) -> Iterator[str]:
    request = trial.game.pending
    if isinstance(request, Choose):
        yield from (f"{value!r} is offered as an option" for value in request.values if not _is_small(value))


def _is_small(value: object) -> bool:
    return all(map(_is_small, value)) if isinstance(value, tuple) else isinstance(value, str | int)


def a_choice_says_who_what_and_by_which_rule(trial: Trial) -> Iterator[str]:
    request = trial.game.pending
    if not isinstance(request, Choose):
        return
    yield from _side_is_known(trial, request)
    if not say(request.question).strip():
        yield f"an empty question for {request.options!r}"
    for option in request.options:
        if not option.label.strip():
            yield f"the option {option.text!r} has no label"
        yield from wrong_numbers(trial, option.rule, f"the option {option.text!r}")


def _side_is_known(trial: Trial, request: Choose[Any] | Roll[Any]) -> Iterator[str]:
    if request.side not in trial.game.sides:
        yield f"{request.side!r} is asked, but the sides are {trial.game.sides}"


def wrong_numbers(trial: Trial, rule: str, what: str) -> Iterator[str]:
    """What does not look like a rule number (or several, with commas between them)."""
    for number in rule.split(", "):
        if number in trial.report.rules:
            continue
        if NUMBER.fullmatch(number):
            trial.report.rules.add(number)
        else:
            yield f"{what} cites {rule!r}, which is not a rule number"


def a_roll_says_who_what_and_by_which_rule(trial: Trial) -> Iterator[str]:
    request = trial.game.pending
    if isinstance(request, Roll):
        yield from _side_is_known(trial, request)
        if not say(request.purpose).strip():
            yield "a roll without a purpose"
        yield from wrong_numbers(trial, request.rule, f"the roll “{request}”")


def a_roll_lists_its_outcomes(trial: Trial) -> Iterator[str]:
    """At least one die; the same faces always read the same; outcomes of all the faces, hashable and with words."""
    request = trial.game.pending
    if not isinstance(request, Roll):
        return
    if request.dice < 1:
        yield f"{request.dice} dice for “{request}”"
        return
    faces = tuple(trial.chance("faces").choices(range(1, 7), k=request.dice))
    if request.reads(faces) != request.reads(faces):
        yield f"{faces} read differently the second time, for “{request}”"
    if request.dice > MANY_DICE and trial.chance("outcomes").random() > SELDOM:
        return
    try:
        outcomes = request.outcomes()
    except TypeError as fault:
        yield f"what is read cannot be hashed, for “{request}”: {fault}"
        return
    if sum(outcomes.values()) != 6**request.dice:
        yield f"the weights of “{request}” add up to {sum(outcomes.values())}, not {6**request.dice}"
    if not all(str(reading).strip() for reading in outcomes):
        yield f"a reading of “{request}” has no words"


def a_roll_reads_its_dice_in_any_order(trial: Trial) -> Iterator[str]:
    """Outcomes are listed without regard to the order of the dice, so what is read may not hang on it."""
    request = trial.game.pending
    if not isinstance(request, Roll):
        return
    chance = trial.chance("order")
    low_first = tuple(sorted(chance.choices(range(1, 7), k=request.dice)))
    for faces in (low_first[::-1], tuple(chance.sample(low_first, request.dice))):
        ours, theirs = request.reads(low_first), request.reads(faces)
        if ours != theirs:
            yield f"{low_first} read {ours}, but {faces} read {theirs}, for “{request}”"


def a_rolls_ledger_adds_up(trial: Trial) -> Iterator[str]:
    request = trial.game.pending
    if isinstance(request, Roll):
        yield from wrong_ledger(trial, request.ledger, f"the ledger of “{request}”")


def wrong_ledger(trial: Trial, ledger: Ledger, what: str) -> Iterator[str]:
    lines = sum(line.amount for line in ledger.lines)
    if ledger.total != lines:
        yield f"{what} says {ledger.total:+d}, but its lines make {lines:+d}"
    for line in ledger.lines:
        if not say(line.words).strip():
            yield f"{what} has a line without a reason"
        yield from wrong_numbers(trial, line.rule, what)


def there_is_a_result_at_the_end_and_only_then(trial: Trial) -> Iterator[str]:
    result, over = trial.game.result, trial.game.pending is None
    if over and result is None:
        yield "the game is over, but there is no result"
    if not over and result is not None:
        yield f"there is a result, but the game still asks: {trial.game.pending}"


def the_result_is_plain_and_complete(trial: Trial) -> Iterator[str]:
    result = trial.game.result
    if result is None:
        return
    missing = [key for key in ("summary", "winner", "losses") if key not in result]
    if missing:
        yield f"the result lacks {', '.join(missing)}"
        return
    if json.loads(as_json(result)) != result:
        yield f"the result is not plain data: {result}"
    if not isinstance(result["summary"], str) or not result["summary"].strip():
        yield f"the result's summary is no sentence: {result['summary']!r}"
    if result["winner"] is not None and result["winner"] not in trial.game.sides:
        yield f"the winner is {result['winner']!r}, but the sides are {trial.game.sides}"
