"""The glossary has the words of the game as pages say them, in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from django.utils.translation import override

from armies.models import Army
from battles.models import Battle
from core.text import render
from kingdom.access.permissions import KINDS
from rules.core.viewers import BANDS
from rules.registry import RULESETS

ROOT = Path(__file__).resolve().parents[2]
GLOSSARY, CATALOGUE = ROOT / "docs/glossary.md", ROOT / "locale/fr/LC_MESSAGES/django.po"


class Entry(NamedTuple):
    slugs: tuple[str, ...]
    english: str
    french: str


def entries() -> list[Entry]:
    rows = re.findall(r"^\| (`.+?`) \| (.+?) \| (.+?) \| .+ \|$", GLOSSARY.read_text(), re.MULTILINE)
    return [Entry(tuple(re.findall(r"`(.+?)`", slugs)), english, french) for slugs, english, french in rows]


def on_sheets() -> Iterator[tuple[str, object]]:
    """What the laws of the house put on a kingdom's sheet, and ask for of an army."""
    for law in RULESETS.values():
        if law.__class__.__module__.startswith("rules."):
            for slug, figure in {**law.realm.sheet, **law.armies.entries}.items():
                yield slug, figure.name


def told() -> dict[str, list[tuple[str, object]]]:
    return {
        "figures of a sheet": list(on_sheets()),
        "kinds of deeds": [(slug, kind.name) for slug, kind in KINDS.items()],
        "what a battle may be": list(Battle.Status.choices),
        "what an army may be": list(Army.Status.choices),
        "how an army looks": [("looks", band.word) for band in BANDS],
    }


def said(words: object, language: str) -> str:
    with override(language):
        return render(words).lower()


@pytest.mark.parametrize("what", told())
def test_the_glossary_has_the_words_of_pages(what):
    """By their slug, in both languages."""
    known, words = entries(), told()[what]
    assert words
    missing = [
        (slug, said(word, "en"), said(word, "fr"))
        for slug, word in words
        if not any(
            slug in entry.slugs
            and said(word, "en") in entry.english.lower()
            and said(word, "fr") in entry.french.lower()
            for entry in known
        )
    ]
    assert missing == []


def test_every_row_of_the_glossary_is_read():
    rows = [line for line in GLOSSARY.read_text().splitlines() if line.startswith("| `")]
    assert len(entries()) == len(rows) > 60


def test_what_an_army_can_do_has_one_name_in_french():
    """An ability is a `pouvoir`, wherever it is named. The sheet of wing command has its *capacité de commandement*."""
    words = CATALOGUE.read_text().replace('"\n"', "").lower()
    assert "capacité" not in words.replace("capacité de commandement", "").replace("capacités de commandement", "")


def test_a_caster_has_one_name_in_french():
    """A *jeteur de sorts*, in whole."""
    words = " ".join(re.findall(r'^msgstr(?:\[\d\])? "(.*)"$', CATALOGUE.read_text().replace('"\n"', ""), re.MULTILINE))
    assert "jeteur de sorts" in words
    assert re.findall(r"\blanceurs?\b|\bjeteurs?\b(?! de sorts)", words) == []
