"""A table with any headings: what they stand for is proposed, corrected, kept, and used the next time."""

from __future__ import annotations

import json

import pytest

from armies.pathfinder.models import PathfinderArmy
from armies.ruleset_ui import list_army_uis
from armies.tables.headings import (
    COLUMNS_MOST,
    HEADINGS_MOST,
    SYNONYMS,
    apply_columns,
    fold_heading,
    keep_columns,
    kept_columns,
    propose_columns,
    read_headings,
)
from armies.tables.imports import find_table, propose
from armies.tables.services import bring_in_table
from kingdom.access.decorators import ApprovalRequested
from kingdom.approvals.services import grant_request
from kingdom.models import ApprovalRequest, Campaign
from rules.core.errors import InvalidInput
from tests.armies.breaking_point.conftest import marches  # noqa: F401 - a fixture
from tests.kingdom.approvals.conftest import players_may
from tests.kingdom.archive.journeys import bring_in, taken_along

pytestmark = pytest.mark.django_db

FRENCH = (
    "Royaume;Nom de l’armée;Type d’unité;FP;DV;Effectif;Vitesse (m);Remarques\n"
    "Crown of Restov;Gardes;Piquiers;1/2;d10;1 200;9;loyaux\n"
)
COLUMNS = {
    "royaume": "kingdom", "nom de l armee": "army", "type d unite": "unit", "fp": "cr", "dv": "hit_die",
    "effectif": "count", "vitesse m": "speed_m", "remarques": "",
}  # fmt: skip


def proposed(campaign, *headings):
    return propose_columns(campaign, find_table(campaign, "armies"), headings)


def post(client, campaign, **given):
    return client.post(f"/api/v1/campaigns/{campaign.pk}/tables/armies/", json.dumps(given), "application/json")


# What is proposed.


def test_french_and_english_headings_are_understood(war):
    head = FRENCH.partition("\n")[0].split(";")
    assert proposed(war.campaign, *head) == COLUMNS
    assert proposed(war.campaign, "Realm", "Name", "Troop type", "Challenge Rating", "HD", "Heads", "Hit points") == {
        "realm": "kingdom", "name": "army", "troop type": "unit", "challenge rating": "cr", "hd": "hit_die",
        "heads": "count", "hit points": "hp",
    }  # fmt: skip


def test_headings_with_a_slip_are_understood_and_others_are_left(war):
    assert proposed(war.campaign, "Kingdomm", "Alignement", "Favourite dish", "") == {
        "kingdomm": "kingdom", "alignement": "alignment", "favourite dish": "", "": "",
    }  # fmt: skip


def test_each_column_stands_once_and_its_own_name_goes_first(war):
    assert proposed(war.campaign, "Name", "army", "Effectif", "Nombre") == {
        "name": "", "army": "army", "effectif": "count", "nombre": "",
    }  # fmt: skip


def test_a_speed_in_feet_is_not_taken_for_meters(war):
    assert proposed(war.campaign, "Speed (ft)")["speed ft"] == ""
    assert proposed(war.campaign, "Speed (m)")["speed m"] == "speed_m"


def test_every_ruleset_has_its_own_columns(marches):  # noqa: F811
    assert proposed(marches.campaign, "Armée", "Nom de l’unité", "Effectif", "Armes") == {
        "armee": "army", "nom de l unite": "name", "effectif": "strength", "armes": "weapons",
    }  # fmt: skip


def test_synonyms_are_folded():
    known = [SYNONYMS, *(ui.column_words for ui in list_army_uis())]
    assert sum(map(len, known)) > 25
    assert all(fold_heading(word) == word for told in known for words in told.values() for word in words)


# What is applied.


def test_a_table_with_other_headings_comes_in(war):
    bring_in_table(by=war.gm, campaign=war.campaign, table="armies", text=FRENCH, columns=COLUMNS)
    army = PathfinderArmy.objects.get(campaign=war.campaign, name="Gardes")
    assert (army.unit["name"], army.unit["cr"], army.count) == ("Piquiers", "1/2", 1200)


def test_a_problem_names_its_line_and_the_heading_of_the_file(war):
    wrong = FRENCH + "Crown of Restov;Rôdeurs;Éclaireurs;deux;d10;many;9;\n"
    with pytest.raises(InvalidInput) as refused:
        bring_in_table(by=war.gm, campaign=war.campaign, table="armies", text=wrong, columns=COLUMNS)
    assert refused.value.field.startswith("/rows/3/")
    assert "effectif" in str(refused.value.message)
    assert not PathfinderArmy.objects.filter(campaign=war.campaign, name="Gardes").exists()
    assert kept_columns(Campaign.objects.get(pk=war.campaign.pk), "armies") == {}


def test_rows_with_nothing_under_a_chosen_heading_are_passed_over(war):
    kind = find_table(war.campaign, "armies")
    table = apply_columns(
        read_headings("Nom,Note\nGardes,\n,Total: 1\n", field=""), {"Nom": "army"}, kind.columns(war.campaign)
    )
    assert [row.line for row in table.rows] == [2]
    assert table.headings == {"army": "nom"}


@pytest.mark.parametrize(
    ("columns", "told"),
    [({}, "at least one heading"), ({"royaume": "colour"}, "Unknown column"),
     ({"fp": "cr", "dv": "cr"}, "only one of them")],
)  # fmt: skip
def test_a_choice_that_makes_no_sense_is_refused(war, columns, told):
    with pytest.raises(InvalidInput, match=told):
        propose(war.gm, war.campaign, find_table(war.campaign, "armies"), FRENCH, columns)


def test_headings_that_cannot_be_told_apart_are_refused_and_empty_ones_are_numbered():
    with pytest.raises(InvalidInput, match="Two columns are called"):
        read_headings("Nom,nom!\na,b", field="")
    assert read_headings("Nom,,Nom,,X\na,b,c,d,e", field="").columns == ("nom", "#2", "nom (2)", "#4", "x")


def test_a_table_with_too_many_columns_is_refused():
    with pytest.raises(InvalidInput, match=f"the limit is {COLUMNS_MOST}"):
        read_headings(",".join(f"h{n}" for n in range(COLUMNS_MOST + 1)), field="")


# What is kept.


def test_a_choice_is_kept_for_the_campaign_and_proposed_the_next_time(war):
    columns = {**COLUMNS, "remarques": "", "nom de l armee": "unit", "type d unite": "army"}
    bring_in_table(by=war.gm, campaign=war.campaign, table="armies", text=FRENCH, columns=columns)
    again = Campaign.objects.get(pk=war.campaign.pk)
    assert proposed(again, "Nom de l'armée", "Type d’unité") == {"nom de l armee": "unit", "type d unite": "army"}
    assert proposed(again, "Remarques", "Nom") == {"remarques": "", "nom": "army"}


def test_what_is_kept_stays_bounded_and_the_oldest_give_way(war):
    keep_columns(war.campaign, "armies", {f"h {n}": "" for n in range(HEADINGS_MOST)})
    keep_columns(war.campaign, "armies", {"new": "army"})
    kept = kept_columns(war.campaign, "armies")
    assert len(kept) == HEADINGS_MOST
    assert "h 0" not in kept
    assert kept["new"] == "army"


def test_what_is_kept_travels_with_the_campaign_and_older_files_have_none(war):
    bring_in_table(by=war.gm, campaign=war.campaign, table="armies", text=FRENCH, columns=COLUMNS)
    document = taken_along(war.campaign)
    assert bring_in(war.gm, document).campaign.headings == {"armies": COLUMNS}
    del document["campaign"]["headings"]
    assert bring_in(war.gm, document).campaign.headings == {}


@pytest.mark.parametrize("headings", [[], {"armies": []}, {"armies": {"a": 1}}, {"armies": {"": "army"}}])
def test_kept_headings_no_campaign_could_have_are_refused(war, headings):
    document = taken_along(war.campaign)
    document["campaign"]["headings"] = headings
    with pytest.raises(InvalidInput) as refused:
        bring_in(war.gm, document)
    assert refused.value.field.startswith("/campaign/headings")


def test_a_player_asks_with_their_columns_and_the_grant_uses_them(war):
    players_may(war, **{"raise": "ask"})
    campaign = Campaign.objects.get(pk=war.campaign.pk)
    with pytest.raises(ApprovalRequested):
        bring_in_table(by=war.ana, campaign=campaign, table="armies", text=FRENCH, columns=COLUMNS)
    grant_request(by=war.gm, petition=ApprovalRequest.objects.get(campaign=war.campaign))
    assert PathfinderArmy.objects.filter(campaign=war.campaign, name="Gardes").exists()
    assert kept_columns(Campaign.objects.get(pk=war.campaign.pk), "armies") == COLUMNS


# Page and API.


def test_the_page_proposes_is_corrected_and_imports(client, war):
    client.force_login(war.gm)
    url = f"/c/{war.campaign.pk}/tables/armies/"
    page = client.post(url, {"do": "preview", "pasted": FRENCH})
    assert page.status_code == 200
    assert [choice.column for choice in page.context["headings"]] == list(COLUMNS.values())
    assert page.context["found"].new == 1
    fields = {choice.name: choice.column for choice in page.context["headings"]}
    without = client.post(url, {"do": "preview", "pasted": FRENCH, **fields, "column-5": ""})
    assert without.context["found"].wrong == 1
    mark = page.context["found"].mark
    done = client.post(url, {"do": "confirm", "pasted": FRENCH, "mark": mark, **fields})
    assert done.status_code == 302
    assert PathfinderArmy.objects.filter(campaign=war.campaign, name="Gardes").exists()


def test_what_was_previewed_with_other_columns_is_not_confirmed(client, war):
    client.force_login(war.gm)
    url = f"/c/{war.campaign.pk}/tables/armies/"
    page = client.post(url, {"do": "preview", "pasted": FRENCH})
    fields = {choice.name: choice.column for choice in page.context["headings"]}
    other = {"do": "confirm", "pasted": FRENCH, "mark": page.context["found"].mark, **fields, "column-6": ""}
    assert client.post(url, other).status_code == 412


def test_a_table_nobody_understands_is_refused_with_its_headings_to_choose_from(client, war):
    client.force_login(war.gm)
    page = client.post(f"/c/{war.campaign.pk}/tables/armies/", {"do": "preview", "pasted": "Plat,Vin\nx,y"})
    assert page.status_code == 422
    assert "Match at least one heading with a column." in page.content.decode()
    assert [choice.heading for choice in page.context["headings"]] == ["plat", "vin"]


def test_our_own_headings_ask_nothing(client, war):
    client.force_login(war.gm)
    text = "kingdom,army,unit,cr,count\nCrown of Restov,Gardes,Piquiers,1/2,100"
    page = client.post(f"/c/{war.campaign.pk}/tables/armies/", {"do": "preview", "pasted": text})
    assert page.context["headings"] == ()
    assert page.context["found"].new == 1


def test_the_api_proposes_columns_where_it_is_asked_to(client, war):
    client.force_login(war.gm)
    assert post(client, war.campaign, file=FRENCH).status_code == 400
    found = post(client, war.campaign, file=FRENCH, columns={"FP": "cr"}).json()
    told = {one["heading"]: one["column"] for one in found["columns"]}
    assert {fold_heading(heading): column for heading, column in told.items()} == COLUMNS
    done = post(client, war.campaign, file=FRENCH, columns=told, confirm=True, mark=found["mark"])
    assert done.status_code == 200
    assert done.json()["new"] == 1


@pytest.mark.parametrize("columns", [[], "x", {"FP": 3}])
def test_the_api_refuses_columns_of_another_shape(client, war, columns):
    client.force_login(war.gm)
    refused = post(client, war.campaign, file=FRENCH, columns=columns)
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["pointer"].startswith("/columns")
