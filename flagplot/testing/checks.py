"""All that the suite checks, in one place. A check is named by what should hold and yields what it found instead."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from flagplot.testing import law_checks, log_checks, question_checks, replay_checks, secrecy, state_checks
from flagplot.testing.trial import Trial

Check = Callable[[Trial], Iterable[str]]

AT_THE_OPENING: tuple[Check, ...] = (state_checks.the_state_is_plain_data,)

AT_EVERY_REQUEST: tuple[Check, ...] = (
    question_checks.every_question_has_a_moment_of_its_own,
    question_checks.a_choice_has_two_options_or_more,
    question_checks.option_values_are_small_and_immutable,
    question_checks.option_texts_are_unique_single_words,
    question_checks.option_texts_can_be_read_back,
    question_checks.a_choice_says_who_what_and_by_which_rule,
    question_checks.a_roll_says_who_what_and_by_which_rule,
    question_checks.a_roll_lists_its_outcomes,
    question_checks.a_roll_reads_its_dice_in_any_order,
    question_checks.a_rolls_ledger_adds_up,
    question_checks.there_is_a_result_at_the_end_and_only_then,
    law_checks.the_rulesets_invariants_hold,
    law_checks.the_laws_of_the_game_hold,
    log_checks.what_was_taken_back_is_not_told,
    log_checks.every_secret_has_its_public_twin,
    log_checks.log_entries_have_words_and_rule_numbers,
)

CLOSELY: tuple[Check, ...] = (
    state_checks.the_state_is_plain_data,
    state_checks.the_state_survives_json,
    state_checks.copies_share_nothing_that_changes,
    state_checks.nothing_is_in_two_places,
    secrecy.views_are_json,
    secrecy.looking_changes_nothing,
    secrecy.views_can_be_read_and_drawn,
    replay_checks.a_moment_met_again_is_the_same,
    replay_checks.a_copy_is_equal,
    replay_checks.a_replay_of_the_tape_is_equal,
    replay_checks.what_is_refused_changes_nothing,
    replay_checks.a_choice_taken_back_leaves_no_trace,
    replay_checks.dice_are_never_taken_back,
    state_checks.play_goes_on_from_a_state_read_from_json,
    secrecy.secrets_stay_secret,
    replay_checks.what_is_done_to_copies_does_not_touch_the_game,
)

RARELY: tuple[Check, ...] = (
    replay_checks.take_backs_lead_through_the_moments_before,
    replay_checks.copies_and_replays_go_on_alike,
    replay_checks.a_save_is_resumed_equal_and_proved,
)
"""Costly even beside the others: made at one in a few of the moments that are looked at closely."""

ON_REQUEST: tuple[Check, ...] = (state_checks.equal_states_play_alike,)
"""Held only against rulesets that promise it: give them to `conform` as `also`."""

AT_THE_END: tuple[Check, ...] = (
    question_checks.the_result_is_plain_and_complete,
    log_checks.words_stand_as_they_were_told,
    log_checks.the_log_only_grows,
    state_checks.shared_parts_never_change,
)
