"""Sides in sentences: articles, verbs, and the words of results that saves keep as they were first written."""

from __future__ import annotations

import pytest

from flagplot.kernel.naming import closing_words, ending_words, has, in_sentence, plainly


@pytest.mark.parametrize(
    ("name", "told", "verb"),
    [
        ("Japan", "Japan", "has"),
        ("United States", "the United States", "has"),
        ("The Allies", "the Allies", "have"),
        ("Allies", "the Allies", "have"),
        ("The Axis", "the Axis", "has"),
        ("Germany and Hungary", "Germany and Hungary", "have"),
        ("Red", "Red", "has"),
    ],
)
def test_a_side_in_a_sentence(name: str, told: str, verb: str) -> None:
    assert (in_sentence(name), has(name)) == (told, verb)


def test_a_result_is_read_in_good_english_though_the_save_keeps_its_words() -> None:
    names = {"allies": "The Allies", "japan": "Japan"}
    result = {
        "summary": "The Allies has won: Japan withdrew; The Allies lost nothing and 1 air squadrons; "
        "Japan lost 11 air squadrons",
        "ended": "The Allies withdrew",
    }
    assert closing_words(result, names) == (
        "The Allies have won: Japan withdrew; the Allies lost nothing and 1 air squadron; Japan lost 11 air squadrons"
    )
    assert ending_words(result, names) == "the Allies withdrew"
    assert ending_words({"summary": ""}, names) == ""
    american = {"usa": "United States"}
    assert closing_words({"summary": "United States has 1 points; Japanese ships"}, american) == (
        "The United States has 1 point; Japanese ships"
    )


@pytest.mark.parametrize(
    ("kept", "read"),
    [
        ("1 Japanese cruiser (1 damaged)", "1 Japanese cruiser (damaged)"),
        ("4 Japanese cruisers (1 damaged)", "4 Japanese cruisers (1 damaged)"),
        ("Red lost no ships and 0 air squadrons", "Red lost no ships and no air squadrons"),
        ("it was broken off after the last round of the scenario", "broken off after the scenario's last round"),
        ("CG 1 (Red): goes on with its activity (patrol)", "CG 1 (Red): continues its activity (patrol)"),
        ("CG 1 (Red): goes on", "CG 1 (Red): continues"),
        (
            "Japanese submarines: factors that attacked, return to Truk and are inverted: 2",
            "Japanese submarines: 2 factors that attacked return to Truk, inverted",
        ),
        (
            "Red: bases that hold too much are put right by the end of the next movement phase of their owner, or the "
            "excess is eliminated",
            "Red: overfull bases must be cleared by the end of the owner's next movement phase, or the excess is "
            "eliminated",
        ),
    ],
)
def test_old_words_of_results_are_read_as_we_say_them_today(kept: str, read: str) -> None:
    assert plainly(kept) == read
