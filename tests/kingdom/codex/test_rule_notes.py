"""A rule id beside a figure leads to what the rule says, in the reader's language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from kingdom.codex.queries import entries_of_rule
from kingdom.templatetags.look import rule_id
from rules.hexes.terrain import MAP_RULES
from rules.registry import RULESETS
from tests.everyday import at_most, by_turns
from tests.kingdom.conftest import make_user
from tests.rules.thucidide_fantasy import fights as army_fights
from tests.rules.thucidide_fantasy import random_fights as armies
from tests.rules.wing_command import fights as wing_fights
from tests.rules.wing_command import random_fights as wings

ROOT = Path(__file__).resolve().parents[3]
ROOMS = ("rules", "armies", "battles", "core", "kingdom", "templates")
LAWS = [RULESETS["combat-de-masse"], RULESETS["breaking-point"]]
ID = r"(?:PF|R|BP|B|HX)-\d+(?:\.\d+)?"


@pytest.fixture
def reader(db) -> Client:
    client = Client()
    client.force_login(make_user("ana"))
    return client


def shown() -> set[str]:
    """Every rule id a page may show: those in strings of the code and in templates."""
    files = [path for room in ROOMS for kind in ("*.py", "*.html") for path in (ROOT / room).rglob(kind)]
    found = (match for path in files for match in re.findall(rf"""["'](?:{ID} ?)+["']""", path.read_text()))
    return {rule for text in found for rule in re.findall(ID, text)}


def test_every_rule_that_is_cited_has_its_words():
    assert len(shown()) > 150
    known = set().union(MAP_RULES, *(law.catalogues["rules"].items for law in LAWS))
    assert sorted(shown() - known) == []


def test_every_ruling_of_a_law_has_its_words():
    """Two numbers were never given."""
    told = LAWS[1].catalogues["rules"].items
    assert [number for number in range(1, 70) if f"B-{number}" not in told] == [4, 62]


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
    for law in LAWS:
        for kind, catalogue in law.catalogues.items():
            cited = {item.rule for item in catalogue.items.values() if item.rule}
            assert cited <= law.catalogues["rules"].items.keys(), kind


@pytest.mark.parametrize(
    "rule, language, told",
    [
        ("B-57", "en", "A week of siege"),
        ("B-57", "fr", "Une semaine de siège"),
        ("HX-3.1", "en", "Cheapest path"),
    ],
)
def test_a_ruling_and_a_rule_of_every_map_have_a_page(reader, rule, language, told):
    page = reader.get(f"/rules/{rule}/", headers={"Accept-Language": language}).content.decode()
    assert f"<h1>{told}</h1>" in page


@pytest.mark.parametrize("language, told", [("en", "Strategy track"), ("fr", "Échelle de stratégie")])
def test_a_rule_has_a_page(reader, language, told):
    page = reader.get("/rules/PF-3.7/", headers={"Accept-Language": language}).content.decode()
    assert f"<h1>{told}</h1>" in page
    assert ("Reckless" if language == "en" else "Téméraire") in page


@pytest.mark.parametrize(
    ("ruleset", "told"),
    [("wing-command", "returns on 4+"), ("thucidide-fantasy", "A destroyed unit keeps one stand if its side won")],
)
def test_an_id_two_rulesets_use_leads_to_the_law_of_its_page(reader, ruleset, told):
    url = re.search('href="(.*?)"', rule_id("C-6", ruleset))[1]
    page = reader.get(url).content.decode()
    assert told in page
    assert page.count('class="entry"') == 1
    assert rule_id("TF-1.1", ruleset) == rule_id("TF-1.1")


def test_an_id_two_rulesets_use_is_told_by_both_where_none_is_named(reader):
    page = reader.get("/rules/C-6/").content.decode()
    assert "returns on 4+" in page
    assert "A destroyed unit keeps one stand if its side won" in page
    assert "<small>THUCIDIDE fantasy</small>" in page
    assert rule_id("C-6", "combat-de-masse") == rule_id("C-6"), "a ruleset without it names nobody's"


@pytest.mark.parametrize("law", ["wing-command", "thucidide-fantasy"])
def test_every_id_cited_under_a_hex_law_is_answered_by_that_law(law):
    """Its own prefixes, and the lists of rulings both laws share by letter."""
    room, own = law.replace("-", "_"), {"wing-command": "WC|W|D|M", "thucidide-fantasy": "TF|T|D|M"}[law]
    cited = {rule for path in list_sources(room) for rule in list_cited(path, f"{own}|C|H|HX")}
    assert len(cited) > 30
    for rule in sorted(cited):
        assert entries_of_rule(rule, law), rule


@pytest.mark.parametrize("rule", ["C-5", "C-7"])
def test_ids_both_hex_laws_cite_are_answered_by_each(rule):
    for law in ("wing-command", "thucidide-fantasy"):
        assert [entry.rule for entry in entries_of_rule(rule, law)] == [rule]


@pytest.mark.parametrize("law, start, played, chooser", [
    ("wing-command", wings.start, wing_fights.played, wing_fights.next_command),
    ("thucidide-fantasy", armies.start, army_fights.played, armies.any_command),
])  # fmt: skip
def test_every_id_the_log_of_a_battle_cites_can_be_opened(reader, law, start, played, chooser):
    """With every line of its sums, whatever composed it."""
    battles, cited = RULESETS[law].battle, set()
    for seed in range(at_most(1, full=8)):
        state, _commands, events = played(start(seed), f"random {seed}", choosers=(chooser, chooser), most=400)
        for entry in (battles.describe(state, event) for event in events):
            lines = [line.rule for one in entry.sums for line in one.breakdown.lines]
            cited |= {rule for told in (entry.rule, *lines) for rule in told.split()}
    assert len(cited) > at_most(3, full=8)
    for rule in sorted(cited):
        assert rule in "".join(entry.rule for entry in entries_of_rule(rule, law)), rule
    for rule in by_turns(law, sorted(cited)):
        assert reader.get(re.search('href="(.*?)"', rule_id(rule, law))[1]).status_code == 200, rule


def list_sources(room: str) -> list[Path]:
    folders = [folder for top in ROOMS for folder in (ROOT / top).rglob(room) if folder.is_dir()]
    return [path for folder in folders for kind in ("*.py", "*.html") for path in folder.rglob(kind)]


def list_cited(path: Path, prefixes: str) -> set[str]:
    """Ids in strings of their own; templates name them so, too."""
    one = rf"(?:{prefixes})-\d+(?:\.\d+)?"
    found = re.findall(rf"""["'](?:{one} ?)+["']""", path.read_text())
    return {rule for text in found for rule in re.findall(one, text)}


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
    "place",
    [
        "R-999/", "nonsense/", "combat-de-masse/conditions/nothing/", "no-law/marks/afraid/", "C-6/?ruleset=no-law",
        "W-1/?ruleset=thucidide-fantasy",
    ],
)  # fmt: skip
def test_what_no_law_knows_is_not_found(reader, place):
    assert reader.get(f"/rules/{place}").status_code == 404
