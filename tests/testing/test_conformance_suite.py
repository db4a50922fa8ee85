"""The suite itself: a sound game passes it, and whatever is wrong with a game is caught and named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from flagplot.testing import ConformanceError, conform
from flagplot.testing.checks import AT_EVERY_REQUEST, AT_THE_END, AT_THE_OPENING, CLOSELY, ON_REQUEST, RARELY
from flagplot.testing.state_checks import equal_states_play_alike
from flagplot.testing.trial import Trial
from tests.testing import conformance_broken as broken
from tests.testing.conformance_toys import SCENARIO, Toy

BROKEN: list[tuple[type[Toy], str, str]] = [
    (broken.Endless, "the_game_comes_to_an_end", "80 answers, and it still asks"),
    (broken.OffersNothing, "nothing_goes_wrong", "the rules offer nothing: red: How many attack?"),
    (broken.SameTextTwice, "option_texts_are_unique_single_words", "have the text 'go:far:away'"),
    (broken.BlankInText, "option_texts_are_unique_single_words", "'go:far away' holds blanks"),
    (broken.ListAsValue, "option_values_are_small_and_immutable", "['far'] is offered"),
    (broken.NoLabel, "a_choice_says_who_what_and_by_which_rule", "'aside:1' has no label"),
    (broken.NoQuestion, "a_choice_says_who_what_and_by_which_rule", "an empty question for (go:far, go:near)"),
    (broken.AsksNobody, "a_choice_says_who_what_and_by_which_rule", "'green' is asked, but the sides are"),
    (broken.CitesNothing, "a_choice_says_who_what_and_by_which_rule", "cites 'see the rules', which is not a rule"),
    (broken.LyingLedger, "a_rolls_ledger_adds_up", "but its lines make"),
    (broken.NoDice, "a_roll_lists_its_outcomes", "0 dice for “red: Red attacks”"),
    (broken.UnhashableReading, "a_roll_lists_its_outcomes", "what is read cannot be hashed"),
    (broken.ForgetfulReading, "a_roll_lists_its_outcomes", "read differently the second time"),
    (broken.OrderOfDiceMatters, "a_roll_reads_its_dice_in_any_order", "for “red: Red attacks”"),
    (broken.Crashes, "nothing_goes_wrong", "KeyError: 'blue'"),
    (broken.NoWinner, "the_result_is_plain_and_complete", "the result lacks winner"),
    (broken.UnknownWinner, "the_result_is_plain_and_complete", "the winner is 'green'"),
    (broken.LabelReadsLaterState, "words_stand_as_they_were_told", "in round 1"),
    (broken.NoteKeepsALiveList, "words_stand_as_they_were_told", "So far: ["),
    (broken.NoTwin, "every_secret_has_its_public_twin", "red reads nothing where blue reads “Blue keeps watch”"),
    (broken.RawObject, "log_entries_have_words_and_rule_numbers", "only a programmer understands: “Left: {'red'"),
    (broken.StateIsNotPlain, "the_state_is_plain_data", "not plain data: set"),
    (broken.CopiesShareAList, "copies_share_nothing_that_changes", "shares state.marks[0]"),
    (broken.OneThingInTwoPlaces, "nothing_is_in_two_places", "state.stones and state.aside are one and the same"),
    (broken.ChangesWhatIsFrozen, "shared_parts_never_change", "a Fixed is frozen, but something in it changed"),
    (broken.RemembersOutsideTheState, "a_copy_is_equal", "the pending request is not the same"),
    (broken.ViewLeaks, "secrets_stay_secret", "red can tell two states apart that differ in secrets alone: the view"),
    (broken.DrawingLeaks, "secrets_stay_secret", "the view in words: "),
    (
        broken.QuestionLeaks,
        "secrets_stay_secret",
        "what will be told of the question: “…Are ",
    ),
    (broken.LabelLeaks, "secrets_stay_secret", "red can tell two states apart that differ in secrets alone: what is"),
    (broken.CountOfQuestionsLeaks, "secrets_stay_secret", "what is asked"),
    (broken.NumberOfWordsLeaks, "secrets_stay_secret", "what is asked"),
    (broken.ProgressLeaks, "secrets_stay_secret", "what is asked"),
    (broken.Trap, "secrets_stay_secret", "red can tell two states apart that differ in secrets alone: what is asked"),
    (broken.LedgerLeaks, "secrets_stay_secret", '"ledger": {"total": '),
    (broken.PurposeLeaks, "secrets_stay_secret", "Blue watches with"),
    (broken.CountOfEntriesLeaks, "secrets_stay_secret", "the log"),
    (broken.SilenceLeaks, "secrets_stay_secret", "what will be told of the question"),
    (broken.LookingChangesIt, "looking_changes_nothing", "the state is not the same"),
    (broken.ViewIsNotJson, "views_are_json", "the view of red does not survive JSON"),
    (broken.ReshuffleSpoils, "secrets_stay_secret", "reshuffle changed the state that it was given"),
    (broken.BreaksItsInvariants, "the_rulesets_invariants_hold", "blue has few stones"),
]


def caught(game: Toy, **how: Any) -> ConformanceError:
    with pytest.raises(ConformanceError) as error:
        conform(SCENARIO, ruleset=game, seeds=range(8), longest=80, **how)
    return error.value


def test_a_sound_game_passes() -> None:
    report = conform(SCENARIO, ruleset=Toy(), seeds=range(6))
    assert report.games == 6
    assert report.looked == report.requests + report.games
    assert report.differed > report.pairs / 2 > 0
    assert report.rules == {"1.1", "1.2", "1.2A", "1.3"}


def test_looked_at_less_closely_the_same_games_are_played() -> None:
    deep, shallow = (conform(SCENARIO, ruleset=Toy(), seeds=range(6), deep=deep) for deep in (True, False))
    assert (deep.requests, deep.longest, deep.rules) == (shallow.requests, shallow.longest, shallow.rules)
    assert shallow.looked < deep.looked / 4


SOUND = [broken.ManyQuestionsInOneWait, broken.HiddenTrap, broken.HiddenLedger, broken.ManyDice]


@pytest.mark.parametrize("kind", SOUND)
def test_what_only_looks_broken_passes(kind: type[Toy]) -> None:
    report = conform(SCENARIO, ruleset=kind(), seeds=range(4))
    assert report.games == 4
    assert report.differed > report.pairs / 2 > 0
    assert report.unlike < report.pairs / 4


@pytest.mark.parametrize(("kind", "check", "words"), BROKEN, ids=[kind.__name__ for kind, _, _ in BROKEN])
def test_what_is_broken_is_caught_and_named(kind: type[Toy], check: str, words: str) -> None:
    error = caught(kind())
    assert error.check == check
    assert words in error.found


def test_every_part_of_the_list_of_checks_has_a_game_that_breaks_it() -> None:
    """Those left out look at the kernel itself: a ruleset cannot break them without breaking another first."""
    kernel = {
        "every_question_has_a_moment_of_its_own",
        "a_choice_has_two_options_or_more",
        "option_texts_can_be_read_back",
        "a_roll_says_who_what_and_by_which_rule",
        "there_is_a_result_at_the_end_and_only_then",
        "the_laws_of_the_game_hold",
        "what_was_taken_back_is_not_told",
        "the_state_survives_json",
        "views_can_be_read_and_drawn",
        "a_moment_met_again_is_the_same",
        "what_is_done_to_copies_does_not_touch_the_game",
        "a_replay_of_the_tape_is_equal",
        "what_is_refused_changes_nothing",
        "a_choice_taken_back_leaves_no_trace",
        "dice_are_never_taken_back",
        "take_backs_lead_through_the_moments_before",
        "play_goes_on_from_a_state_read_from_json",
        "copies_and_replays_go_on_alike",
        "a_save_is_resumed_equal_and_proved",
        "the_log_only_grows",
    }
    listed = {check.__name__ for check in (*AT_THE_OPENING, *AT_EVERY_REQUEST, *CLOSELY, *RARELY, *AT_THE_END)}
    assert listed - {check for _, check, _ in BROKEN} == kernel


def test_a_secret_without_a_twin_may_have_a_reason() -> None:
    assert conform(SCENARIO, ruleset=broken.NoTwinForAReason(), seeds=range(2), deep=False).games == 2


def test_order_of_keys_is_checked_on_request() -> None:
    game = broken.OrderMatters()
    assert conform(SCENARIO, ruleset=game, seeds=[1]).games == 1
    assert (equal_states_play_alike,) == ON_REQUEST
    error = caught(game, also=ON_REQUEST)
    assert error.check == "equal_states_play_alike"
    assert "the pending request is not the same" in error.found


def test_laws_know_the_opening_and_every_step() -> None:
    class FewerStones:
        def __init__(self, opening: Any) -> None:
            self.most = sum(opening.stones.values())

        def always(self, state: Any) -> Iterator[str]:
            if sum(state.stones.values()) > self.most:
                yield "more stones than at the opening"

        def step(self, before: Any, after: Any) -> Iterator[str]:
            if after.stones["blue"] < before.stones["blue"]:
                yield f"blue has {after.stones['blue']}, and had {before.stones['blue']}"

    error = caught(Toy(), laws=FewerStones)
    assert error.check == "the_laws_of_the_game_hold"
    assert "blue has" in error.found


def test_a_fault_says_how_to_see_it_again() -> None:
    def nobody_attacks(trial: Trial) -> Iterator[str]:
        if trial.answers == 5:
            yield "somebody attacks"

    with pytest.raises(ConformanceError) as error:
        conform(
            "malta", seeds=[4], deep=False, every=1, also=[nobody_attacks], options={"inverted_air": "always-engaged"}
        )
    fault = error.value
    assert (fault.scenario, fault.seed, fault.answer) == ("Malta, spring 1942", 4, 5)
    again = "conform('malta', options={'inverted_air': 'always-engaged'}, seeds=[4], also=(nobody_attacks,))"
    assert str(fault).splitlines() == [
        "Malta, spring 1942, seed 4, answer 5: somebody attacks",
        "  what should hold: nobody attacks",
        f"  to see it again: flagplot.testing.{again}",
    ]


def test_a_crash_keeps_its_cause() -> None:
    assert isinstance(caught(broken.Crashes()).__cause__, KeyError)
