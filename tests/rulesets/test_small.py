"""The laws of the tests are whole, they are small, and nobody but the settings of the tests knows of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.test_house import ROOT, laws

OWN = Path(__file__).resolve().parent
OF_THE_TESTS = ("test_", "driver", "conftest")
ODDS = "odds.py"
LINES = {"coin": 250, "turns": 600, "skirmish": 450}
ODDS_LINES = 200


def files_of(law: str) -> list[Path]:
    found = [path for path in (OWN / law).rglob("*") if path.suffix in (".py", ".html")]
    assert len(found) > 3
    return found


@pytest.mark.parametrize("law", LINES)
def test_a_whole_law_is_short(law):
    """Rules, UIs and templates. What the coin knows of its own future (`odds.py`) comes on top, and could be left."""
    whole = [path for path in files_of(law) if not path.name.startswith(OF_THE_TESTS)]
    assert sum(len(path.read_text().splitlines()) for path in whole if path.name != ODDS) < LINES[law]
    assert all(len(path.read_text().splitlines()) < ODDS_LINES for path in whole if path.name == ODDS)


@pytest.mark.parametrize("law", LINES)
def test_a_law_of_its_own_needs_nothing_of_another(law):
    """Not even its drivers: what they are annotated with is what a reader copies."""
    others = "|".join({*laws(), *LINES} - {law})
    named = re.compile(rf"^\s*(from|import) [\w.]*\b({others})\b", re.MULTILINE)
    assert [path.name for path in files_of(law) if named.search(path.read_text())] == []


def test_the_house_does_not_know_them():
    places = [ROOT / app for app in ("rules", "core", "kingdom", "armies", "battles", "config", "templates")]
    knowing = [
        path.relative_to(ROOT).as_posix()
        for place in places
        for path in place.rglob("*")
        if path.suffix in (".py", ".html") and re.search(r"rulesets\.(coin|turns|skirmish)|\bcoin\b", path.read_text())
    ]
    assert knowing == ["config/settings_test.py"]
