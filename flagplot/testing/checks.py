"""All that the suite checks, in one place. A check is named by what should hold and yields what it found instead."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from flagplot.testing import asking, keeping, plainness, sameness, secrecy, telling
from flagplot.testing.trial import Trial

Check = Callable[[Trial], Iterable[str]]

AT_THE_OPENING: tuple[Check, ...] = (plainness.the_state_is_plain_data,)

AT_EVERY_REQUEST: tuple[Check, ...] = (
    asking.every_question_has_a_moment_of_its_own,
    asking.a_choice_has_two_options_or_more,
    asking.option_values_are_small_and_immutable,
    asking.option_texts_are_unique_single_words,
    asking.option_texts_can_be_read_back,
    asking.a_choice_says_who_what_and_by_which_rule,
    asking.a_roll_says_who_what_and_by_which_rule,
    asking.a_roll_lists_its_outcomes,
    asking.a_roll_reads_its_dice_in_any_order,
    asking.a_rolls_ledger_adds_up,
    asking.there_is_a_result_at_the_end_and_only_then,
    keeping.the_rulesets_invariants_hold,
    keeping.the_laws_of_the_game_hold,
    telling.what_was_taken_back_is_not_told,
    telling.every_secret_has_its_public_twin,
    telling.log_entries_have_words_and_rule_numbers,
)

CLOSELY: tuple[Check, ...] = (
    plainness.the_state_is_plain_data,
    plainness.the_state_survives_json,
    plainness.copies_share_nothing_that_changes,
    plainness.nothing_is_in_two_places,
    secrecy.views_are_json,
    secrecy.looking_changes_nothing,
    secrecy.views_can_be_read_and_drawn,
    sameness.a_moment_met_again_is_the_same,
    sameness.a_copy_is_equal,
    sameness.a_replay_of_the_tape_is_equal,
    sameness.what_is_refused_changes_nothing,
    sameness.a_choice_taken_back_leaves_no_trace,
    sameness.dice_are_never_taken_back,
    plainness.play_goes_on_from_a_state_read_from_json,
    secrecy.secrets_stay_secret,
    sameness.what_is_done_to_copies_does_not_touch_the_game,
)

RARELY: tuple[Check, ...] = (
    sameness.take_backs_lead_through_the_moments_before,
    sameness.copies_and_replays_go_on_alike,
    sameness.a_save_is_resumed_equal_and_proved,
)
"""Costly even beside the others: made at one in a few of the moments that are looked at closely."""

ON_REQUEST: tuple[Check, ...] = (plainness.equal_states_play_alike,)
"""Held only against rulesets that promise it: give them to `conform` as `also`."""

AT_THE_END: tuple[Check, ...] = (
    asking.the_result_is_plain_and_complete,
    telling.words_stand_as_they_were_told,
    telling.the_log_only_grows,
    plainness.shared_parts_never_change,
)
