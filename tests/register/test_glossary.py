"""The glossary: one sentence for each word, and one source for pages and documents."""

from __future__ import annotations

from pathlib import Path

from flagplot.register.glossary import linked, page, term, terms

ROOT = Path(__file__).parent.parent.parent


def test_every_term_is_one_sentence_and_there_are_enough() -> None:
    assert len(terms()) >= 60
    for one in terms():
        assert one.says.endswith("."), one.name
        assert ". " not in one.says, one.name
        assert len(one.says) <= 170, one.name


def test_no_word_means_two_things() -> None:
    forms = [form.lower() for one in terms() for form in {one.name, *one.also}]
    assert len(forms) == len(set(forms))


def test_a_term_is_found_by_any_of_its_forms() -> None:
    wanted = term("CAP")
    assert wanted is not None
    assert term("combat air patrol") is wanted
    assert term("Combat Air Patrol") is wanted
    assert term("teapot") is None


def test_terms_in_a_text_are_marked_once_and_the_longest_wins() -> None:
    pieces = linked("Air cover over a combat group: cover costs squadrons.")
    assert "".join([piece.text for piece in pieces]) == "Air cover over a combat group: cover costs squadrons."
    assert [piece.term.name for piece in pieces if piece.term] == ["air cover", "combat group", "squadron"]


def test_the_document_is_made_from_the_data() -> None:
    assert (ROOT / "docs" / "glossary.md").read_text(encoding="utf8") == page()
