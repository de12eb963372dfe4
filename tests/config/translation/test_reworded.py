"""Sentences stored in words of yesterday read in the words of today."""

from __future__ import annotations

import json
import string

from django.utils.translation import override

from config.ops.data_directory import BASE_DIR
from config.translation import extract_sentences
from core.text import load_said, render

REWORDED: dict[str, str] = json.loads((BASE_DIR / "locale/reworded.json").read_text())


def list_parameters(template: str) -> set[str]:
    return {name for _text, name, _how, _conversion in string.Formatter().parse(template) if name}


def test_a_sentence_in_old_words_reads_in_those_of_today_in_both_languages():
    template = next(old for old, new in REWORDED.items() if list_parameters(old) == list_parameters(new) == {"army"})
    stored = {"say": template, "with": {"army": "Iron Watch"}}
    today = REWORDED[template].format(army="Iron Watch")
    assert render(load_said(stored)) == today
    with override("fr"):
        assert render(load_said(stored)) not in (today, template.format(army="Iron Watch"))


def test_every_old_sentence_leads_to_one_that_is_said_today_and_asks_for_nothing_more():
    said = {words for sentence in extract_sentences() for words in (sentence.msgid, sentence.plural) if words}
    assert {new for new in REWORDED.values() if new not in said} == set()
    assert {old for old in REWORDED if old in said} == set()
    assert {old for old, new in REWORDED.items() if not list_parameters(new) <= list_parameters(old)} == set()
