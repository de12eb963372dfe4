"""The list of unit types in the form that raises an army: it searches, narrows, and wipes nothing that was typed."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from django.utils.translation import override

from armies.pathfinder.armies.forms import ArmyForm
from armies.pathfinder.armies.unit_fields import with_unit
from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.unit_types.forms import find_picked
from armies.pathfinder.unit_types.queries import TERRAINS, UnitsSought, load_unit_types, search_unit_types
from armies.pathfinder.unit_types.services import save_unit_type
from kingdom.realms.figures import get_ruleset
from rules.pathfinder.catalogue.units import FAMILIES, HOMES, UNITS
from tests.everyday import at_most
from tests.kingdom.conftest import api_of

UNITS_OF = {family: {slug for slug, kind in UNITS.items() if kind.family == family} for family in FAMILIES}

TYPED = {"name": "Night watch", "count": "321", "copies": "1", "unit_name": "Somebody", "cr": "7", "hit_die": "d8",
         "level": "4", "speed_m": "9", "creature_type": "humanoid", "alignment": "LG", "mounted": "on",
         "mount_name": "Old mule", "mount_creature_type": "animal", "ability-0": "rage"}  # fmt: skip


@pytest.fixture
def client(war) -> Client:
    client = Client()
    client.force_login(war.gm)
    return client


@pytest.fixture
def address(war) -> str:
    return f"/kingdoms/{war.crown.pk}/armies/new/"


def shown(answer: Any) -> dict[str, Any]:
    form = answer.context["form"]
    return {name: form[name].value() for name in ("name", "count", "unit_name", "cr", "mounted", "mount_name")}


def names(answer: Any) -> list[str]:
    return [entry.slug for entry in answer.context["picker"].page]


def test_searching_and_narrowing_keeps_everything_typed_without_javascript(client, address):
    answer = client.post(address, {**TYPED, "find": "1", "find-query": "troll", "find-type": "humanoid"})
    assert answer.status_code == 200
    assert names(answer) == ["trolls"]
    assert shown(answer) == {"name": "Night watch", "count": "321", "unit_name": "Somebody", "cr": "7", "mounted": True,
                             "mount_name": "Old mule"}  # fmt: skip
    assert [row.ability.slug for row in answer.context["form"].rows] == ["rage"]
    assert not PathfinderArmy.objects.filter(name="Night watch").exists()


def test_enter_in_the_search_searches_and_raises_nothing(client, address):
    answer = client.post(address, {**TYPED, "find-query": "ogre", "find-shown": ""})
    assert (answer.status_code, names(answer)) == (200, ["ogres"])
    assert not PathfinderArmy.objects.filter(name="Night watch").exists()


def test_a_unit_that_is_taken_stands_in_the_form_and_the_rest_stays(client, address):
    answer = client.post(address, {**TYPED, "use": "trolls"})
    kept = {name: value for name, value in shown(answer).items() if name not in ("unit_name", "cr")}
    assert kept == {"name": "Night watch", "count": "321", "mounted": True, "mount_name": "Old mule"}
    form = answer.context["form"]
    assert (form["unit_name"].value(), form["cr"].value(), form["ranged"].value()) == ("Trolls", "5", False)
    rows = {row.ability.slug: row.value for row in form.rows}
    assert rows["regeneration"] == "5"
    assert "rage" not in rows
    assert shown(client.post(address, {**TYPED, "use": "nonsense"}))["unit_name"] == "Somebody"


def form_with(war: Any, sent: dict[str, str]) -> ArmyForm:
    """The form as the page has it once a unit type is taken: a page beside it each time costs ten times as much."""
    data = QueryDict(mutable=True)
    data.update(sent)
    data = with_unit(data, find_picked(war.campaign, sent["use"]), get_ruleset(war.campaign))
    return ArmyForm(data, kingdom=war.crown, gm=True, reader=war.gm)


def test_every_unit_type_that_is_taken_raises_that_army(client, address, war):
    """What the form shows of a unit is all of it, options of its abilities too; one by the page, in full one each."""
    by_page = {min(slugs) for slugs in at_most([UNITS_OF["giants"]], full=[*UNITS_OF.values()]) if slugs}
    for slug in UNITS:
        sent = {**TYPED, "name": slug, "mounted": "", "use": slug}
        form = client.post(address, sent).context["form"] if slug in by_page else form_with(war, sent)
        assert form.is_valid(), slug
        kept = UNITS[slug].unit
        taken = form.unit()
        assert (taken["cr"], taken["level"], len(taken["abilities"])) == (kept.cr, kept.level, len(kept.abilities))
        assert [choice.get("options") or {} for choice in taken["abilities"]] == [
            {name: list(value) if isinstance(value, tuple) else value for name, value in one.options.items()}
            for one in kept.abilities
        ]


def test_the_list_comes_a_page_at_a_time(client, address):
    first = client.post(address, {"find": "1"})
    assert len(names(first)) == 12
    assert names(client.post(address, {"find": "2"})) != names(first)
    part = client.post(f"{address}?list=1", {"find": "2", "find-ability": "flight"}, headers={"hx-request": "true"})
    assert part.content.decode().strip().startswith('<div id="picker-found"')


SOUGHT = [
    (UnitsSought(least="10", creature_type="construct"), {"clay-golems", "stone-golems", "iron-golems"}),
    (UnitsSought(most="1/4"), {"kobold-trappers"}),
    (UnitsSought(query="dragon", ability="breath-weapon"), {"young-dragons"}),
    (UnitsSought(family="undead", least="5", most="5"), {"wraiths", "mummies", "nightmares"}),
    (UnitsSought(ability="no-such-thing"), set()),
    (UnitsSought(least="no-such-cr", query="imps"), {"imps"}),
    (UnitsSought(terrain="jungle", family="animals"), {"giant-spiders", "war-elephants"}),
    (UnitsSought(terrain="sea", family="monsters"), {"sea-serpents"}),
    (UnitsSought(terrain="sea", family="constructs"), UNITS_OF["constructs"]),
    (UnitsSought(terrain="no-such-place", family="monsters"), set()),
]


def test_unit_types_are_found_by_all_that_is_asked(war):
    for sought, slugs in SOUGHT:
        assert {entry.slug for entry in search_unit_types(load_unit_types(war.campaign), sought)} == slugs, sought


WORDS = (
    ("en", "breath weapon", {"young-dragons", "iron-golems"}),
    ("en", "breath-weapon", {"young-dragons", "iron-golems"}),
    ("en", "weapon BREATH dragon", {"young-dragons"}),
    ("en", "riders goblin", {"goblin-wolf-riders"}),
    ("en", "cr 1/4", {"kobold-trappers"}),
    ("en", "rend 5", {"trolls"}),
    ("en", "rend 1", set()),
    ("en", "régénération", {"trolls"}),
    ("en", "a zz", set()),
    ("en", '"rend 5"', set()),
    ("en", '"regeneration 5"', {"trolls"}),
    ("en", "trolls 5", {"trolls"}),
    ("en", "spellcasting 3", {"human-wizards"}),
    ("en", "wizards 4", {"human-wizards"}),
    ("en", "spellcasting 1", {"human-bards"}),
    ("fr", "«incantation 3»", {"human-wizards"}),
    ("fr", "spellcasting 3", {"human-wizards"}),
    (
        "en",
        "ranged badlands",
        {slug for slug, kind in UNITS.items() if kind.unit.ranged and "badlands" in kind.homes},
    ),
    ("fr", "insectes jungle tout terrain", set()),
    ("fr", "régénération", {"trolls"}),
    ("fr", "regeneration", {"trolls"}),
    ("fr", "vol dragon fp 9", {"young-dragons"}),
    ("fr", "gobelins loup", {"goblin-wolf-riders"}),
    ("fr", "elementaires feu", {"fire-elementals"}),
    ("fr", "geants givre", {"frost-giants"}),
    ("fr", "GÉANTS rochers feu", {"fire-giants"}),
    ("fr", "artificielle fer", {"iron-golems"}),
    ("fr", "frost giants", {"frost-giants"}),
    ("fr", "creature magique petrification", {"basilisks"}),
    ("fr", "introuvable vol", set()),
)


@pytest.mark.parametrize("reader", ["en", "fr"])
def test_every_word_is_sought_in_any_order_in_the_readers_words_and_in_english(war, reader):
    with override(reader):
        for language, query, slugs in WORDS:
            if language == reader:
                sought = search_unit_types(load_unit_types(war.campaign), UnitsSought(query=query))
                assert {entry.slug for entry in sought} == slugs, query


ODD = ["x" * 100_000, "é " * 5_000, "%_\\'\"", "½ \ufdfa\u200d\U0001f409", "\0", "( [ * ?"]


def test_nobody_breaks_the_search_by_what_he_types(client, address):
    for query in ODD:
        assert client.post(address, {"find": "1", "find-query": query, "find-terrain": query}).status_code == 200, query


def test_an_empty_search_of_blanks_finds_everything(war):
    everything = load_unit_types(war.campaign)
    assert len(search_unit_types(everything, UnitsSought(query=" \t "))) == len(everything)


def test_homes_are_terrains_of_the_map_and_of_kinds_there_are():
    assert set(HOMES) <= set(UNITS)
    assert {terrain for homes in HOMES.values() for terrain in homes} <= set(TERRAINS)
    for homes in HOMES.values():
        assert list(homes) == [terrain for terrain in TERRAINS if terrain in homes]


def test_a_campaigns_own_kind_is_at_home_anywhere_and_a_changed_one_where_it_was(war):
    ogres = load_unit_types(war.campaign)["ogres"]
    for slug in ("ogres", "bog-folk"):
        save_unit_type(by=war.gm, campaign=war.campaign, unit={**ogres.unit, "name": slug}, slug=slug, family="giants")
    there = {
        entry.slug
        for entry in search_unit_types(load_unit_types(war.campaign), UnitsSought(terrain="swamp", family="giants"))
    }
    assert there == {"trolls", "bog-folk"}


def test_the_form_shows_homes_and_narrows_by_them(client, address):
    answer = client.post(address, {**TYPED, "find": "1", "find-terrain": "swamp", "find-type": "humanoid"})
    there = {"human-rangers", "human-druids", "goblin-rabble", "human-witches", "lizardfolk-hunters", "trolls"}
    assert set(names(answer)[:6]) == there
    assert {UNITS[slug].homes for slug in names(answer)[6:]} == {()}  # who is anywhere comes after them
    assert "ogres" not in names(answer)
    text = answer.content.decode()
    assert ("any terrain" in text, "Jungle" in text, '<option value="swamp" selected>' in text) == (True, True, True)
    assert shown(answer)["name"] == "Night watch"


def test_the_page_of_unit_types_is_narrowed_alike(client, war):
    page = client.get(f"/c/{war.campaign.pk}/units/?least=10&type=construct")
    assert page.context["page_obj"].paginator.count == 3
    page = client.get(f"/c/{war.campaign.pk}/units/?terrain=glacier&type=humanoid&least=9&q=rock")
    assert [entry.slug for family in page.context["families"] for entry in family.entries] == ["frost-giants"]


def test_the_api_narrows_by_the_same_names(war):
    api, url = api_of(war.gm), "/api/v1/unit-types/"
    asked = {"campaign": war.campaign.pk, "q": "catching rock", "least": "7", "most": "8", "type": "humanoid",
             "family": "giants", "ability": "rock-throwing", "terrain": "mountains"}  # fmt: skip
    results = api.get(url, asked).json()["results"]
    assert [(one["slug"], one["terrains"]) for one in results] == [("stone-giants", ["hills", "mountains"])]
    french = api.get(url, {"campaign": war.campaign.pk, "q": "geants givre"}, headers={"accept-language": "fr"})
    assert [one["slug"] for one in french.json()["results"]] == ["frost-giants"]


PARTS = ["family", "least", "most", "type", "ability", "terrain", "q", "colour"]


def test_the_api_refuses_what_no_unit_type_could_answer_to(war):
    api = api_of(war.gm)
    for name in PARTS:
        refused = api.get("/api/v1/unit-types/", {"campaign": war.campaign.pk, name: "x" * 101})
        assert refused.status_code == 400, name
        assert [one["pointer"] for one in refused.json()["errors"]] == [f"/{name}"], name


def test_classes_of_an_ability_are_in_the_readers_language(client, address):
    answer = client.post(address, {**TYPED, "count": ""}, headers={"Accept-Language": "fr"}).content.decode()
    assert "<small>barbare 1</small>" in answer
    assert "barbarian 1" not in answer
