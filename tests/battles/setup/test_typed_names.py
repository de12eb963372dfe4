"""A name is found whichever apostrophe, quotes and blanks it is typed with, wherever names are compared."""

from __future__ import annotations

import csv
import io
import json
from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from armies.models import Army
from armies.pathfinder.foundry.services import get_army_actor, get_kingdom_actor, propose_actors
from armies.pathfinder.unit_types.queries import UnitsSought, load_unit_types, search_unit_types
from armies.tables.imports import find_table, propose
from armies.tables.services import bring_in_table
from battles.codex.page import codex_page
from battles.setup.queries import find_reserves, reserves_like
from core.text_search import fold_name, normalize_typing, strip_accents
from kingdom.chronicle.queries import called, names_like
from kingdom.models import Campaign, Kingdom
from kingdom.notes.queries import build_cards, names_offered
from kingdom.notes.services import write_note
from kingdom.onboarding.checklist import number_names, suggest_name
from kingdom.realms.services import update_kingdom
from kingdom.search.search_registry import find
from kingdom.story.queries import called_so
from tests.battles.conftest import RAIDER, muster
from tests.battles.field.test_pages import open_ford
from tests.everyday import at_most, everyday
from tests.kingdom.conftest import build_subject
from tests.worlds import built_once

pytestmark = pytest.mark.django_db
PRINTED, KEYED = "Garde de l’Aube", "Garde de l'Aube"
WAYS = {
    "both": ("Garde de l’Aube d'Or", "Garde de l'Aube d’Or"),
    "keyed-to-printed": (PRINTED, KEYED),
    "printed-to-keyed": (KEYED, PRINTED),
}


def browser(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture(params=everyday(list(WAYS), first=1))
def way(request) -> str:
    return request.param


@built_once
def dawn(table, way):
    """The table, where campaign, horde and an army of its have one name: written as `name`, typed as
    `normalize_typing`.
    """
    name, other = WAYS[way]
    table.campaign.name = name
    table.campaign.save()
    update_kingdom(by=table.gm, kingdom=table.horde, name=name)
    guard = muster(table.gm, table.horde, name, RAIDER, 300)
    return SimpleNamespace(**vars(table), name=name, typed=other, guard=guard)


@pytest.mark.parametrize("sign", ["'", "’", "‘", "ʼ"])
def test_all_apostrophes_are_one(sign):
    assert normalize_typing(f"l{sign}Aube") == "l'Aube"
    assert strip_accents(f"l{sign}Aube") == "l'aube"


@pytest.mark.parametrize("blank", [" ", "\u00a0", "\u202f", "  ", "\u2009"])
def test_all_blanks_are_one_and_so_are_quotes(blank):
    assert normalize_typing(f" Gué{blank}“de” Brenn ") == 'Gué "de" Brenn'
    assert fold_name(f"GUÉ{blank}„de” Brenn") == fold_name("gué «de» brenn") != fold_name('gue "de" brenn')


@settings(
    max_examples=at_most(20, full=300), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(st.text(alphabet="aÉœßk '’‘ʼ“”„«»\u00a0\u202fガİñ\u05b0", min_size=1, max_size=12))
def test_the_database_folds_a_name_as_python_does(table, text):
    Kingdom.objects.filter(pk=table.crown.pk).update(name=text)
    assert Kingdom.objects.filter(pk=table.crown.pk, name__plain=strip_accents(text)).exists()


def test_a_kingdom_is_dissolved_by_its_name(dawn):
    answer = browser(dawn.gm).post(reverse("kingdom:kingdom_dissolve", args=[dawn.horde.pk]), {"typed": dawn.typed})
    assert answer.status_code == 302
    assert not Kingdom.objects.filter(pk=dawn.horde.pk).exists()


def test_a_campaign_is_deleted_by_its_name(dawn):
    address = reverse("kingdom:campaign_delete", args=[dawn.campaign.pk])
    assert browser(dawn.gm).post(address, {"delete-typed": dawn.typed}).status_code == 302
    assert Campaign.objects.get(pk=dawn.campaign.pk).deleted_at


def test_another_name_still_dissolves_nothing(dawn):
    gm = browser(dawn.gm)
    before, behind = dawn.typed[:10], dawn.typed[11:]  # its first apostrophe
    for wrong in (dawn.typed.lower(), f"{before}{behind}", f"{before}''{behind}"):
        answer = gm.post(reverse("kingdom:kingdom_dissolve", args=[dawn.horde.pk]), {"typed": wrong})
        assert answer.status_code == 422, wrong


def test_the_search_finds_it(dawn):
    groups = find(dawn.gm, dawn.typed.partition(" de ")[2], dawn.campaign)
    assert {"kingdom", "army", "campaign"} <= {group.kind for group in groups}


def test_the_filter_of_armies_finds_it(dawn):
    page = browser(dawn.gm).get(reverse("armies:list", args=[dawn.campaign.pk]), {"q": dawn.typed.split()[-1]})
    assert reverse("armies:army", args=[dawn.guard.pk]) in page.content.decode()


def test_filters_of_chronicle_and_story_find_it_and_offer_it(dawn):
    for text in (dawn.typed, dawn.typed[9:]):
        assert called(dawn.gm, dawn.campaign, "army", text) == [dawn.guard.pk]
        assert called_so(dawn.gm, dawn.campaign, "army", text) == [dawn.guard.pk]
        assert [name for _key, name in names_like(dawn.gm, dawn.campaign, "army", text)] == [dawn.name]


def test_filters_ignore_accents_as_the_search_does_and_nothing_is_no_name(dawn):
    update_kingdom(by=dawn.gm, kingdom=dawn.crown, name="Évêché")
    for look in (called, called_so):
        assert look(dawn.gm, dawn.campaign, "kingdom", "eveche") == [dawn.crown.pk]
        assert list(look(dawn.gm, dawn.campaign, "kingdom", "\u0301")) == []


def test_a_note_mentions_it_and_it_is_offered(dawn):
    for text in (f"We meet @[{dawn.typed}].", f"We meet @{dawn.typed}."):
        note = write_note(by=dawn.gm, about=build_subject("kingdom", dawn.crown), text=text)
        (card,) = build_cards(dawn.gm, dawn.campaign, [note])
        assert f">{dawn.name}</a>" in card.html.replace("&#x27;", "'").replace("&#39;", "'")
    for text in (dawn.typed, dawn.typed[3:]):
        assert dawn.name in [name for name, _topic in names_offered(dawn.gm, dawn.campaign, text)]


def test_of_two_names_that_differ_by_an_accent_a_mention_means_the_one_it_says(table):
    plainly, accented = (muster(table.gm, table.crown, name, RAIDER, 300) for name in ("Eveque", "Évêque"))
    for army in (plainly, accented):
        note = write_note(by=table.gm, about=build_subject("kingdom", table.crown), text=f"@[{army.name}]")
        assert [one["ref"] for one in note.mentions] == [f"army:{army.pk}"]


def test_an_army_that_joins_a_battle_is_found(dawn):
    ford, label = open_ford(dawn), f"{dawn.typed} ({dawn.typed})"
    assert reserves_like(dawn.gm, ford.pk, dawn.typed[4:])
    for text in (dawn.typed, label, label.upper()):
        assert find_reserves(ford, text) == [str(dawn.guard.pk)]


def test_of_two_armies_that_differ_by_an_accent_the_one_that_is_named_joins(table):
    ford = open_ford(table)
    plainly, accented = (muster(table.gm, table.crown, name, RAIDER, 300) for name in ("Eveque", "Évêque"))
    assert find_reserves(ford, "eveque") == [str(plainly.pk)]
    assert find_reserves(ford, "ÉVÊQUE (Crown)") == [str(accented.pk)]
    assert len(find_reserves(ford, "évèque")) == 2


@pytest.mark.parametrize("sign", ["'", "’"])
def test_codex_and_units_are_found(table, sign):
    with override("fr"):
        units = search_unit_types(load_unit_types(table.campaign), UnitsSought(f"Hommes d{sign}armes"))
        quoted = search_unit_types(load_unit_types(table.campaign), UnitsSought(f"«\u00a0Hommes d{sign}armes\u00a0»"))
        page = codex_page(table.gm, table.campaign.pk, f"sur l{sign}eau")
    assert [entry.slug for entry in units] == [entry.slug for entry in quoted] != []
    assert page.found


def rows_of(table) -> list[dict[str, str]]:
    out = find_table(table.campaign, "armies").out(table.gm, table.campaign)
    return [dict(zip(out.head, ["" if cell is None else str(cell) for cell in row], strict=True)) for row in out.rows]


def csv_of(rows) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0].keys())
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def test_a_table_means_the_army_and_the_kingdom_of_that_name_and_leaves_them_their_names(dawn):
    (row,) = [row for row in rows_of(dawn) if row["army"] == dawn.name]
    row |= {"id": "", "kingdom": dawn.typed, "army": dawn.typed, "count": "301"}
    seen = propose(dawn.gm, dawn.campaign, find_table(dawn.campaign, "armies"), csv_of([row]))
    assert (seen.new, seen.changed, seen.wrong) == (0, 1, 0)
    bring_in_table(by=dawn.gm, campaign=dawn.campaign, table="armies", text=csv_of([row]))
    assert list(Army.objects.filter(kingdom=dawn.horde, sheet__count=301).values_list("pk", "name")) == [
        (dawn.guard.pk, dawn.name)
    ]


def test_a_table_by_id_changes_the_apostrophe_of_a_name(dawn):
    (row,) = [row for row in rows_of(dawn) if row["army"] == dawn.name]
    bring_in_table(by=dawn.gm, campaign=dawn.campaign, table="armies", text=csv_of([row | {"army": dawn.typed}]))
    assert Army.objects.get(pk=dawn.guard.pk).name == dawn.typed


def test_actors_of_foundry_mean_what_has_their_name(dawn):
    (_kingdom, realm), army = get_kingdom_actor(dawn.gm, dawn.horde.pk), get_army_actor(dawn.gm, dawn.guard)
    for actor in (realm, army):
        actor["name"] = dawn.typed
        actor["flags"] = {}
    seen = propose_actors(by=dawn.gm, campaign=dawn.campaign, text=json.dumps([realm, army]), kingdom=dawn.horde)
    assert not [line for line in seen.lines if line.what == "new"]
    assert (seen.new, seen.wrong) == (0, 0)


def test_a_suggested_name_is_not_one_that_is_taken_but_for_its_apostrophe():
    assert suggest_name(("L’Aube", "Le soir"), ["L'Aube"]) == "Le soir"
    assert number_names("L’Aube 1", 1, ["L'Aube 1"]) == ["L’Aube 2"]
