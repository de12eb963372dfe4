"""A rule id beside a figure leads to what the rule says, in the reader's language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from rules.registry import RULESETS
from tests.kingdom.conftest import make_user

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("rules/pathfinder", "armies/pathfinder", "battles/pathfinder", "kingdom", "templates")
LAW = RULESETS["combat-de-masse"]


@pytest.fixture
def reader(db) -> Client:
    client = Client()
    client.force_login(make_user("ana"))
    return client


def shown() -> set[str]:
    """Every rule id a page may show: those in strings of the code and in templates."""
    files = [path for room in ROOMS for kind in ("*.py", "*.html") for path in (ROOT / room).rglob(kind)]
    literal = re.compile(r"""["'](?:(?:PF|R)-\d+(?:\.\d+)? ?)+["']""")
    found = (match for path in files for match in literal.findall(path.read_text()))
    return {rule for text in found for rule in re.findall(r"(?:PF|R)-\d+(?:\.\d+)?", text)}


def test_every_rule_that_is_cited_has_its_words():
    assert len(shown()) > 80
    assert sorted(shown() - LAW.catalogues["rules"].items.keys()) == []


def test_no_summary_that_unfolds_holds_a_link():
    """Within it a link could not be told from the fold, by key or by voice."""
    summaries = re.compile(r"<summary.*?</summary>", re.S)
    found = [
        (path.name, summary)
        for path in (ROOT / "templates").rglob("*.html")
        for summary in summaries.findall(path.read_text())
        if "<a " in summary or "rule_id" in summary
    ]
    assert found == []


def test_what_bears_the_rule_of_an_item_is_in_the_codex_by_its_kind():
    for kind, catalogue in LAW.catalogues.items():
        assert all(item.rule in LAW.catalogues["rules"].items for item in catalogue.items.values() if item.rule), kind


@pytest.mark.parametrize("language, told", [("en", "Strategy track"), ("fr", "Échelle de stratégie")])
def test_a_rule_has_a_page(reader, language, told):
    page = reader.get("/rules/PF-3.7/", headers={"Accept-Language": language}).content.decode()
    assert f"<h1>{told}</h1>" in page
    assert ("Reckless" if language == "en" else "Téméraire") in page


def test_a_chapter_of_many_items_is_not_listed_beside_a_figure(reader):
    page = reader.get("/rules/PF-9/").content.decode()
    assert page.count('class="entry"') == 1


def test_beside_a_figure_it_is_the_note_alone(reader):
    note = reader.get("/rules/R-45/", headers={"HX-Request": "true"}).content.decode()
    assert "Fear" in note
    assert "<html" not in note


@pytest.mark.parametrize(
    "kind, slug, told",
    [("conditions", "rain", "Rain"), ("marks", "afraid", "Afraid"), ("rules", "PF-2.5", "An active commander")],
)
def test_a_chip_leads_to_its_item(reader, kind, slug, told):
    place = reverse("kingdom:rule_item", args=["combat-de-masse", kind, slug])
    assert f"<h1>{told}</h1>" in reader.get(place).content.decode()


@pytest.mark.parametrize(
    "place", ["R-999/", "nonsense/", "combat-de-masse/conditions/nothing/", "no-law/marks/afraid/"]
)
def test_what_no_law_knows_is_not_found(reader, place):
    assert reader.get(f"/rules/{place}").status_code == 404
