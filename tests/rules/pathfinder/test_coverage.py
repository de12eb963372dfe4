"""The catalogue is complete: every item is named, explained, ruled, translated and shown to change something."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest

from rules.core.content import Item
from rules.pathfinder.catalogue.conditions import MARKS
from rules.pathfinder.ruleset import COMBAT_DE_MASSE, ULTIMATE_CAMPAIGN
from tests.rules.pathfinder.shown import SHOWN

ROOT = Path(__file__).resolve().parents[3]
OTHERS = {"breaking_point", "hexes", "forecast", "weeks"}
TESTS = [
    path for path in sorted((ROOT / "tests/rules").rglob("test_*.py")) if not OTHERS & {*path.relative_to(ROOT).parts}
]
FRENCH = ROOT / "locale" / "fr" / "LC_MESSAGES" / "django.po"
KINDS = {
    "ability": "abilities",
    "tactic": "tactics",
    "strategy": "strategies",
    "boon": "boons",
    "resource": "resources",
    "condition": "conditions",
    "office": "offices",
    "size": "sizes",
}
LAW_IDS = [
    *(f"PF-1.{n}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12)),
    *(f"PF-2.{n}" for n in (1, 2, 3, 4, 5, 6, 8, 9)),
    *(f"PF-3.{n}" for n in range(1, 13)),
    "PF-4", "PF-4.1", "PF-5", "PF-5.1",
    *(f"PF-6.{n}" for n in range(1, 7)),
    "PF-9", "PF-VAR", "PF-HOUSE",
    *(f"R-{n}" for n in (*range(1, 8), *range(10, 18), *range(20, 30), *range(30, 35), *range(40, 47), *range(50, 70))),
    *(f"R-{n}" for n in range(84, 94)),
]  # fmt: skip
# PF-1.11 and PF-2.7, PF-4.2, PF-5.2, PF-7, PF-8 are kept by armies, the calendar and kingdoms, and tested there.


def items() -> Iterator[tuple[str, Item]]:
    for law in (COMBAT_DE_MASSE, ULTIMATE_CAMPAIGN):
        for kind, catalogue in KINDS.items():
            for slug, item in getattr(law, catalogue).items():
                yield f"{kind}:{slug}", item


def test_the_counts_of_the_law() -> None:
    """PF-9, R-91: ninety-seven abilities; PF-3.11, PF-3.7, PF-2.9, PF-5, PF-4, PF-2.6, PF-1.2."""
    counts = {kind: len(getattr(COMBAT_DE_MASSE, catalogue)) for kind, catalogue in KINDS.items()}
    assert counts == {
        "ability": 97, "tactic": 14, "strategy": 5, "boon": 11, "resource": 8, "condition": 14, "office": 14, "size": 9,
    }  # fmt: skip


def test_every_item_has_a_name_a_sentence_and_a_rule() -> None:
    wrong = [
        where
        for where, item in items()
        if not item.name or not item.summary.endswith(".") or not re.fullmatch(r"(PF-\d+(\.\d+)?|R-\d+)", item.rule)
    ]
    assert wrong == []


def test_every_slug_is_its_key_and_fit_for_an_address() -> None:
    assert [
        w for w, item in items() if not w.endswith(f":{item.slug}") or not re.fullmatch(r"[a-z-]+", item.slug)
    ] == []


def test_every_mark_has_a_name_a_sentence_and_a_rule() -> None:
    assert [mark.slug for mark in MARKS.values() if not (mark.name and mark.summary and mark.rule)] == []


def test_every_item_is_shown_to_change_something() -> None:
    """A test marked `@shows(…)` for each; and nothing is shown that is not there."""
    for path in TESTS:
        importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    everything = {where for where, _item in items()}
    assert sorted(everything - SHOWN.keys()) == []
    assert sorted(SHOWN.keys() - everything) == []


def test_every_paragraph_and_every_ruling_is_cited_by_a_test() -> None:
    """PF-1.1 to PF-6.6, PF-9 and R-1 to R-69, R-84 to R-93, in the docstring of a test."""
    cited: set[str] = set()
    for path in TESTS:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                cited |= set(re.findall(r"\b(?:PF-(?:[A-Z]+|\d+(?:\.\d+)?)|R-\d+)", ast.get_docstring(node) or ""))
    assert [law for law in LAW_IDS if law not in cited] == []


@pytest.mark.skipif(not FRENCH.exists(), reason="no French catalogue yet")
def test_every_item_has_a_french_name_and_sentence() -> None:
    french = {entry.msgid for entry in polib.pofile(str(FRENCH)) if entry.translated()}
    said = {text for _where, item in items() for text in (item.name, item.summary)}
    said |= {text for mark in MARKS.values() for text in (mark.name, mark.summary)}
    assert sorted(said - french) == []
