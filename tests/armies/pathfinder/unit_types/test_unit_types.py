"""The library of unit types, a campaign's own, and files of them."""

from __future__ import annotations

import json

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile

from armies.pathfinder.models import UnitType
from armies.pathfinder.unit_types import services as unit_types_services
from armies.pathfinder.unit_types import unit_files as unit_types_unit_files
from armies.pathfinder.unit_types.queries import UnitsSought, load_unit_types, search_unit_types
from armies.pathfinder.unit_types.services import import_unit_types, remove_unit_type, save_unit_type
from core.text import load_said, render
from kingdom.campaign.services import create_campaign
from kingdom.chronicle.field_change import Blocked
from kingdom.chronicle.services import undo_entry, undo_last
from kingdom.models import Campaign, ChronicleEntry, Membership, User
from kingdom.realms.services import found_kingdom
from rules.core.errors import IllegalCommand, InvalidInput, Refusal
from rules.pathfinder.catalogue.units import FAMILIES, UNITS
from rules.pathfinder.documents import unit_from_json, unit_to_json
from rules.pathfinder.spec import ArmySpec
from rules.registry import ruleset
from tests.everyday import everyday
from tests.kingdom.conftest import api_of
from tests.worlds import built_once

pytestmark = pytest.mark.django_db
LAW = ruleset("combat-de-masse")


@built_once
def gm(django_user_model: type[User]) -> User:
    return django_user_model.objects.create_user("gm")


@built_once
def campaign(gm: User) -> Campaign:
    return create_campaign(by=gm, name="Marches", ruleset="combat-de-masse")


def test_every_kind_of_the_library_is_a_unit_the_law_accepts():
    for slug in UNITS:
        kind = UNITS[slug]
        assert kind.family in FAMILIES, slug
        assert unit_from_json(unit_to_json(kind.unit), LAW) == kind.unit, slug
        assert LAW.sheet(ArmySpec("a", "A", kind.unit, 500)).hp_max >= 1, slug


def test_the_library_has_at_least_sixty_kinds_across_the_families():
    assert len(UNITS) >= 60
    used = {kind.family for kind in UNITS.values()}
    assert {"humanoids", "undead", "monsters", "mounts", "constructs"} <= used


def test_a_changed_kind_takes_the_librarys_place_until_it_is_removed(gm, campaign):
    unit = {**load_unit_types(campaign)["ogres"].unit, "cr": "4"}
    row = save_unit_type(by=gm, campaign=campaign, unit=unit, family="giants", slug="ogres")
    assert load_unit_types(campaign)["ogres"].unit["cr"] == "4"
    remove_unit_type(by=gm, unit_type=row)
    assert load_unit_types(campaign)["ogres"].unit["cr"] == "3"


def test_a_removed_kind_is_told_of_and_brought_back_as_it_was(gm, campaign):
    unit = {**load_unit_types(campaign)["ogres"].unit, "cr": "4", "name": "Hill Ogres"}
    row = save_unit_type(by=gm, campaign=campaign, unit=unit, family="giants", slug="ogres")
    before = UnitType.objects.values().get(pk=row.pk)
    remove_unit_type(by=gm, unit_type=row)
    remove_unit_type(by=gm, unit_type=UnitType(**before))  # by two GMs at once: once
    told = [render(load_said(entry.text)) for entry in ChronicleEntry.objects.filter(campaign=campaign).order_by("seq")]
    assert told == ["The unit type Hill Ogres was saved.", "The unit type Hill Ogres was deleted."]
    undo_last(by=gm, campaign=campaign)
    assert UnitType.objects.values().get(pk=row.pk) == before
    assert load_unit_types(campaign)["ogres"].unit["cr"] == "4"


def test_a_removed_kind_comes_back_only_where_no_other_has_its_place(gm, campaign):
    row = save_unit_type(by=gm, campaign=campaign, unit={"name": "Bog Lancers", "cr": "1"})
    remove_unit_type(by=gm, unit_type=row)
    removal = ChronicleEntry.objects.latest("seq")
    other = save_unit_type(by=gm, campaign=campaign, unit={"name": "Bog lancers!", "cr": "2"})
    with pytest.raises(IllegalCommand, match="Another unit type has taken its place: Bog lancers!"):
        undo_entry(by=gm, entry=removal)
    assert [kept.pk for kept in UnitType.objects.all()] == [other.pk]
    remove_unit_type(by=gm, unit_type=other)
    undo_entry(by=gm, entry=removal)
    assert [kept.pk for kept in UnitType.objects.all()] == [row.pk]


NO_UNITS = ["x", {}, {"name": 5, "cr": []}]


def test_what_no_unit_can_be_is_brought_back_by_no_undo(gm, campaign):
    """Of a document somebody else wrote."""
    row = save_unit_type(by=gm, campaign=campaign, unit={"name": "Bog Lancers", "cr": "1"})
    remove_unit_type(by=gm, unit_type=row)
    struck = ChronicleEntry.objects.latest("seq").struck.get()
    for unit in NO_UNITS:
        struck.whole["columns"]["unit"] = unit
        struck.save()
        with pytest.raises(Refusal):
            undo_entry(by=gm, entry=ChronicleEntry.objects.latest("seq"))
        assert not UnitType.objects.exists(), unit


def test_a_campaign_of_another_law_has_no_unit_types(client, gm):
    other = create_campaign(by=gm, name="Fords", ruleset="breaking-point")
    client.force_login(gm)
    for page in ("units/", "units/new/", "units/export/", "units/ogres/"):
        assert client.get(f"/c/{other.pk}/{page}").status_code == 404
    assert client.post(f"/c/{other.pk}/units/import/", {}).status_code == 404
    assert client.post(f"/c/{other.pk}/units/ogres/remove/", {}).status_code == 404
    assert api_of(gm).get(f"/api/v1/unit-types/?campaign={other.pk}").status_code == 404


def test_what_was_done_to_a_kind_is_undone_only_once_it_is_back(gm, campaign):
    """Writing it and writing it anew: what came later is named, and where it is undone."""
    row = save_unit_type(by=gm, campaign=campaign, unit={"name": "Bog Lancers", "cr": "1"})
    save_unit_type(by=gm, campaign=campaign, unit={"name": "Bog Lancers", "cr": "3"}, slug=row.slug)
    written, changed = ChronicleEntry.objects.order_by("seq")
    remove_unit_type(by=gm, unit_type=row)
    removal = ChronicleEntry.objects.latest("seq")
    for entry in (changed, written):
        with pytest.raises(Blocked, match=r"was deleted\.” .* depends on this") as refusal:
            undo_entry(by=gm, entry=entry)
        assert refusal.value.entry == removal
    for entry in (removal, changed):
        undo_entry(by=gm, entry=entry)
    assert UnitType.objects.get().unit["cr"] == "1"
    undo_entry(by=gm, entry=written)
    assert not UnitType.objects.exists()


def test_a_new_kind_gets_a_slug_from_its_name(gm, campaign):
    row = save_unit_type(by=gm, campaign=campaign, unit={"name": "Bog Lancers", "cr": "1"})
    assert (row.slug, row.family) == ("bog-lancers", "other")


def test_a_new_kind_takes_no_other_s_place(gm, campaign):
    """One of the same name, one that reads alike, those whose letters no slug knows, and one of the library's."""
    names = ["Bog Lancers", "Bog Lancers", "Bog-lancers", "近衛兵", "Гвардия", "Ogres"]
    rows = [save_unit_type(by=gm, campaign=campaign, unit={"name": name, "cr": "1"}) for name in names]
    slugs = ["bog-lancers", "bog-lancers-2", "bog-lancers-3", "unit", "unit-2", "ogres-2"]
    assert [row.slug for row in rows] == slugs
    assert {row.name for row in UnitType.objects.all()} == set(names)
    again = save_unit_type(by=gm, campaign=campaign, unit={"name": "Гвардия", "cr": "2"}, slug="unit-2")
    assert again.pk == rows[4].pk
    longest = save_unit_type(by=gm, campaign=campaign, unit={"name": "x" * 120, "cr": "1"})
    assert (longest.slug, longest.name) == ("x" * 80, "x" * 120)
    assert save_unit_type(by=gm, campaign=campaign, unit={"name": "x" * 119, "cr": "1"}).slug == "x" * 78 + "-2"


def test_a_file_without_slugs_finds_kinds_by_their_names_and_loses_none(gm, campaign):
    first = unit_types_unit_files.read("name,cr\n近衛兵,1\nГвардия,2\nGarde rouge,3\nGarde-rouge,4\n")
    made = import_unit_types(by=gm, campaign=campaign, rows=first)
    assert [row.slug for row in made] == ["unit", "unit-2", "garde-rouge", "garde-rouge-2"]
    second = unit_types_unit_files.read("name,cr\nГвардия,5\nGarde-rouge,6\n")
    assert [row.pk for row in import_unit_types(by=gm, campaign=campaign, rows=second)] == [made[1].pk, made[3].pk]
    assert {row.name: row.unit["cr"] for row in UnitType.objects.all()} == {
        "近衛兵": "1", "Гвардия": "5", "Garde rouge": "3", "Garde-rouge": "6",
    }  # fmt: skip


def test_a_player_changes_no_unit_type(gm, campaign, django_user_model):
    player = django_user_model.objects.create_user("player")
    Membership.objects.create(campaign=campaign, user=player, role="player")
    with pytest.raises(PermissionDenied):
        save_unit_type(by=player, campaign=campaign, unit={"name": "Mine", "cr": "1"})


@pytest.mark.parametrize("write", [unit_types_unit_files.dump_json, unit_types_unit_files.dump_csv])
def test_files_go_out_and_come_back_the_same(gm, campaign, write):
    before = load_unit_types(campaign)
    rows = unit_types_unit_files.read(write(before.values()))
    import_unit_types(by=gm, campaign=campaign, rows=rows)
    after = load_unit_types(campaign)
    assert {slug: (e.family, e.unit) for slug, e in after.items()} == {s: (e.family, e.unit) for s, e in before.items()}


def test_a_file_is_written_in_as_few_steps_whatever_is_in_it(gm, campaign, django_assert_max_num_queries):
    rows = unit_types_unit_files.read(unit_types_unit_files.dump_json(load_unit_types(campaign).values()))
    assert len(rows) > 60
    changed = [*rows[:7], {**rows[7], "unit": {**rows[7]["unit"], "name": "Others"}}, *rows[8:]]
    for given, told in ((rows, 1), (rows, 1), (changed, 2)):  # new, as they were, one of them changed
        with django_assert_max_num_queries(13):
            import_unit_types(by=gm, campaign=campaign, rows=given)
        assert ChronicleEntry.objects.filter(campaign=campaign).count() == told
    assert UnitType.objects.count() == len(rows)


def test_of_two_rows_of_one_kind_the_last_is_kept(gm, campaign):
    rows = [{"slug": "boars", "unit": {"name": name, "cr": "1"}} for name in ("Boars", "Wild boars")]
    first, last = import_unit_types(by=gm, campaign=campaign, rows=rows)
    assert first == last == UnitType.objects.get()
    assert last.name == "Wild boars"
    undo_last(by=gm, campaign=campaign)
    assert not UnitType.objects.exists()


def test_rows_without_room_are_named_and_none_is_written(gm, campaign, monkeypatch):
    monkeypatch.setattr(unit_types_services, "MOST_TYPES", 2)
    save_unit_type(by=gm, campaign=campaign, unit={"name": "Boars", "cr": "1"})
    rows = [{"unit": {"name": name, "cr": "2"}} for name in ("Boars", "Lions")]
    assert len(import_unit_types(by=gm, campaign=campaign, rows=rows)) == 2
    with pytest.raises(InvalidInput) as refusal:
        import_unit_types(by=gm, campaign=campaign, rows=[rows[0], {"unit": {"name": "Bears", "cr": "2"}}])
    assert [(at, str(said)) for at, said in refusal.value.errors] == [
        ("/units/1", "Row 2 (Bears): A campaign can have 2 unit types of its own at most. Delete one first.")
    ]
    with pytest.raises(IllegalCommand, match="2 unit types"):
        save_unit_type(by=gm, campaign=campaign, unit={"name": "Bears", "cr": "2"})


def test_a_file_with_one_bad_row_writes_nothing_and_names_the_row(gm, campaign):
    rows = [{"unit": {"name": "Good", "cr": "1"}}, {"unit": {"name": "Bad", "cr": "abc"}}, "nonsense"]
    with pytest.raises(InvalidInput) as refusal:
        import_unit_types(by=gm, campaign=campaign, rows=rows)
    assert [pointer for pointer, _said in refusal.value.errors] == ["/units/1/unit/cr", "/units/2"]
    assert "Row 2 (Bad)" in str(refusal.value)
    assert not UnitType.objects.exists()


NO_FILES = ["", "{", "[1", "hello", '{"units": 3}', "a,b\n1,2"]


def test_what_is_no_file_of_units_is_refused(gm, campaign):
    for text in NO_FILES:
        with pytest.raises(InvalidInput):
            import_unit_types(by=gm, campaign=campaign, rows=unit_types_unit_files.read(text))


def test_a_name_a_spreadsheet_would_run_is_made_harmless(gm, campaign):
    save_unit_type(by=gm, campaign=campaign, unit={"name": "=HYPERLINK(1)", "cr": "1"})
    text = unit_types_unit_files.dump_csv(load_unit_types(campaign).values())
    assert "'=HYPERLINK(1)" in text
    assert "=HYPERLINK(1)" in {row["unit"]["name"] for row in unit_types_unit_files.read(text)}


def test_names_come_back_from_csv_as_they_were(gm, campaign):
    names = {"＝cmd", "'=1", "“+1", "'Tis the guard", "@all", "-3"}
    for name in names:
        save_unit_type(by=gm, campaign=campaign, unit={"name": name, "cr": "1"})
    text = unit_types_unit_files.dump_csv(load_unit_types(campaign).values())
    assert names <= {row["unit"]["name"] for row in unit_types_unit_files.read(text)}


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, '{"units": [{"unit": {"level": ' + "9" * 5_000 + "}}]}", "x" * 200_000, "name,cr\na\0b,1",
     "name,cr\nx," + "9" * 5_000, "name,cr,level\nx,1,1e400", '[{"unit": {"name": "\\ud800", "cr": "1"}}]',
     '[{"unit": {"name": "x", "cr": "1"}, "colour": "red"}]'],
    ids=["deep", "huge", "wide", "nul", "cr", "infinite", "half", "stranger"],
)  # fmt: skip
def test_a_file_nobody_could_mean_is_refused(gm, campaign, text):
    with pytest.raises(InvalidInput):
        import_unit_types(by=gm, campaign=campaign, rows=unit_types_unit_files.read(text))


def test_units_are_found_by_name_and_ability(campaign):
    slugs = {entry.slug for entry in search_unit_types(load_unit_types(campaign), UnitsSought(query="regeneration"))}
    assert "trolls" in slugs
    assert "skeletons" not in slugs


def test_the_page_lists_searches_and_leads_to_raising(client, gm, campaign):
    kingdom = found_kingdom(by=gm, campaign=campaign, name="Crown")
    client.force_login(gm)
    page = client.get(f"/c/{campaign.pk}/units/?q=troll").content.decode()
    assert "Trolls" in page
    assert "Skeletons" not in page
    assert f"/kingdoms/{kingdom.pk}/armies/new/?unit=trolls" in page
    form = client.get(f"/kingdoms/{kingdom.pk}/armies/new/?unit=trolls").content.decode()
    assert 'value="Trolls"' in form
    assert "Regeneration" in form


def test_the_form_saves_a_kind_and_a_refusal_stays_beside_its_field(client, gm, campaign):
    client.force_login(gm)
    url = f"/c/{campaign.pk}/units/new/"
    fields = {"unit_name": "Bog lancers", "cr": "1", "hit_die": "d10", "level": "1", "speed_m": "9",
              "creature_type": "humanoid", "alignment": "N", "family": "humanoids"}  # fmt: skip
    refused = client.post(url, {**fields, "cr": "abc"})
    assert refused.status_code == 422
    assert "is not a challenge rating" in refused.content.decode()
    assert client.post(url, fields).status_code == 302
    assert load_unit_types(campaign)["bog-lancers"].family == "humanoids"


def test_a_file_is_brought_in_by_the_page(client, gm, campaign):
    client.force_login(gm)
    url = f"/c/{campaign.pk}/units/import/"
    assert client.post(url, {"pasted": "name,cr\nMarsh folk,1/2"}).status_code == 302
    assert load_unit_types(campaign)["marsh-folk"].unit["cr"] == "1/2"
    assert client.post(url, {"pasted": "name,cr\nMarsh folk,x"}).status_code == 422
    assert client.post(url, {}).status_code == 422


def test_a_file_in_another_encoding_is_refused_and_no_name_garbled(client, gm, campaign):
    client.force_login(gm)
    sent = SimpleUploadedFile("units.csv", "name,cr\nÉpéistes,1".encode("cp1252"))
    refused = client.post(f"/c/{campaign.pk}/units/import/", {"file": sent})
    assert refused.status_code == 422
    assert "UTF-8" in refused.content.decode()
    assert not UnitType.objects.filter(campaign=campaign).exists()


def test_the_same_by_api(client, gm, campaign):
    client.force_login(gm)
    body = {"campaign": str(campaign.pk), "unit": {"name": "Bog lancers", "cr": "1"}}
    made = client.post("/api/v1/unit-types/", json.dumps(body), "application/json")
    assert made.status_code == 201
    assert made.json()["slug"] == "bog-lancers"
    query = f"?campaign={campaign.pk}"
    assert client.get(f"/api/v1/unit-types/bog-lancers/{query}").json()["own"] is True
    assert len(client.get(f"/api/v1/unit-types/{query}").json()["results"]) == len(UNITS) + 1
    text = client.get(f"/api/v1/unit-types/export/{query}&as=csv").content.decode()
    again = {"campaign": str(campaign.pk), "file": text}
    assert client.post("/api/v1/unit-types/import/", json.dumps(again), "application/json").status_code == 201
    bad = {"campaign": str(campaign.pk), "unit": {"name": "", "cr": "0"}}
    assert client.post("/api/v1/unit-types/", json.dumps(bad), "application/json").status_code == 400
    assert client.delete(f"/api/v1/unit-types/bog-lancers/{query}").status_code == 204
    assert client.get(f"/api/v1/unit-types/bog-lancers/{query}").status_code == 404


def test_a_stranger_sees_no_unit_types(client, campaign, django_user_model):
    client.force_login(django_user_model.objects.create_user("stranger"))
    assert client.get(f"/c/{campaign.pk}/units/").status_code == 404
    assert client.get(f"/api/v1/unit-types/?campaign={campaign.pk}").status_code in (400, 404)


@pytest.mark.parametrize("own", everyday([50, 1], first=1))
def test_the_list_asks_as_often_with_one_kind_as_with_fifty(client, gm, campaign, own, django_assert_num_queries):
    kind = save_unit_type(by=gm, campaign=campaign, unit={"name": "Kind", "cr": "1"})
    more = ({"slug": f"kind-{number}", "name": f"Kind {number}"} for number in range(1, own))
    UnitType.objects.bulk_create(
        UnitType(campaign=campaign, family=kind.family, unit={**kind.unit, "name": one["name"]}, **one) for one in more
    )
    client.force_login(gm)
    client.get(f"/c/{campaign.pk}/units/")
    with django_assert_num_queries(7):
        client.get(f"/c/{campaign.pk}/units/")


def test_unit_types_are_downloaded_in_the_forms_there_are_and_no_other(gm, campaign):
    api, url = api_of(gm), f"/api/v1/unit-types/export/?campaign={campaign.pk}"
    assert api.get(url).json()["format"] == "warhost-unit-types"
    assert api.get(f"{url}&as=csv").headers["Content-Type"].startswith("text/csv")
    refused = api.get(f"{url}&as=xml")
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "/as")
