"""The words that explain each rule: there for all of them, short, in order, and saying more than the summary."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import flagplot.register
from flagplot.register import Rule, find, meanings, register

FOLDER = Path(flagplot.register.__file__).parent / "meanings"
FILES = sorted(FOLDER.iterdir())
SENTENCE_END = re.compile(r"[.?!][)”]*(?=\s|$)")


def part(rule_id: str) -> str:
    """The file in which a rule is explained: `17`, `t19`, `sop` …"""
    return re.split(r"[.-]", rule_id)[0].lower()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file_explains_all_rules_of_its_part_in_order(file: Path) -> None:
    explained = list(tomllib.loads(file.read_text(encoding="utf8")))
    assert explained == [name for name in register() if part(name) == file.stem]


def test_every_rule_is_explained() -> None:
    assert set(meanings()) == set(register())
    assert find("17.11").meaning == f"{find('17.11').summary} {meanings()['17.11']}"


def explained_rules() -> list[Rule]:
    return [find(name) for name in meanings()]


def test_a_rule_is_explained_in_two_to_five_sentences() -> None:
    counted = {rule.id: len(SENTENCE_END.findall(rule.meaning)) for rule in explained_rules()}
    assert {name: number for name, number in counted.items() if not 2 <= number <= 5} == {}


def test_every_sentence_is_whole() -> None:
    for name, words in meanings().items():
        assert words == " ".join(words.split()), name
        assert words[0].isupper() or words[0].isdigit(), name
        assert words.endswith((".", "?", ".)")), name


def test_no_explanation_repeats_its_summary() -> None:
    repeated = [
        rule.id for rule in explained_rules() if set(_sentences(rule.summary)) & set(_sentences(meanings()[rule.id]))
    ]
    assert repeated == []


def _sentences(text: str) -> list[str]:
    return [" ".join(re.findall(r"\w+", one.lower())) for one in SENTENCE_END.split(text) if one.strip()]


def test_rules_that_an_explanation_cites_exist() -> None:
    cited = re.compile(r"\b(?:1[789]|2[23])\.\d+[A-Z]?(?:\.\d+)*")
    wrong = {
        rule.id: [n for n in cited.findall(meanings()[rule.id]) if n not in register()] for rule in explained_rules()
    }
    assert {name: numbers for name, numbers in wrong.items() if numbers} == {}
