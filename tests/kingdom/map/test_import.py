"""Maps of other tools: what is proposed, corrected, kept, drawn and undone, by page and by API."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from armies.models import Army
from core.text import render
from kingdom.campaign.services import create_campaign
from kingdom.chronicle.services import undo_last
from kingdom.map import import_forms
from kingdom.map.import_forms import seal, unseal
from kingdom.map.import_queries import KEPT_MOST, kept_terrains, propose_map
from kingdom.map.import_services import import_map
from kingdom.map.queries import forget_map, load_map_state
from kingdom.map.services import claim_hexes, make_map, put_map_away
from kingdom.models import Campaign, CampaignMap, ChronicleEntry, MapKnowledge
from rules.core.errors import InvalidInput, StaleProposal
from rules.hexes.geometry import hex_at
from rules.hexes.imports.files import ReadOptions, read_foreign
from tests.armies.conftest import api_of
from tests.kingdom.archive.journeys import bring_in, taken_along
from tests.kingdom.map.conftest import CROWN_HEXES
from tests.rules.hexes.imports.samples import cells, tmj, tmx, wxx

pytestmark = pytest.mark.django_db

WIDE = tuple([1, 2, 3, 4] * 4) * 12
CHOSEN = {"hexes #3": "swamp"}


def wide(**changes):
    """Sixteen by twelve hexes in columns: plains, forest, sea, and tiles without a name."""
    layer = {"name": "Ground", "type": "tilelayer", "width": 16, "height": 12, "data": list(WIDE)}
    return tmj(width=16, height=12, layers=[layer], **changes)


def foreign(raw=None, name="Stolen Lands.tmj"):
    return read_foreign(raw or wide(), name, ReadOptions())


def again(campaign):
    return Campaign.objects.get(pk=campaign.pk)


def field():
    return load_map_state(CampaignMap.objects.get()).field


def brought(war, raw=None, **given):
    return import_map(by=war.gm, campaign=again(war.campaign), foreign=foreign(raw), **given)


# The proposal.


def test_names_are_guessed_and_the_others_have_to_be_chosen(war):
    proposal = propose_map(war.campaign, foreign())
    assert [(one.name, one.hexes, one.terrain) for one in proposal.choices] == [
        ("hexes #3", 48, None), ("Ocean", 48, "sea"), ("Plains", 48, "plains"), ("forêt", 48, "forest"),
    ]  # fmt: skip
    assert (proposal.open, proposal.field, proposal.empty, proposal.name) == (
        ["hexes #3"],
        None,
        "plains",
        "Stolen Lands",
    )
    assert propose_map(war.campaign, foreign(), CHOSEN).field.terrain[0] == ".wom" * 4


@pytest.mark.parametrize(
    ("chosen", "options", "at"),
    [
        ([], {}, "/terrains"), ({"Nowhere": "sea"}, {}, "/terrains/Nowhere"),
        ({"Ocean": "lava"}, {}, "/terrains/Ocean"),
        ({"Ocean": 7}, {}, "/terrains/Ocean"), ({"a/b": "sea"}, {}, "/terrains/a~1b"), ({}, {"empty": ""}, "/empty"),
        ({}, {"empty": "lava"}, "/empty"), ({}, {"name": "x" * 121}, "/name"), ({}, {"name": "a\0b"}, "/name"),
    ],
)  # fmt: skip
def test_choices_that_make_no_sense_say_where(war, chosen, options, at):
    with pytest.raises(InvalidInput) as refused:
        propose_map(
            war.campaign, foreign(), chosen or ([] if chosen == [] and at == "/terrains" else chosen), **options
        )
    assert refused.value.field == at


def test_the_proposal_tells_what_it_replaces(marches):
    small = propose_map(marches.campaign, foreign(tmx()), CHOSEN)
    told = small.replaced
    assert (told.name, told.columns, told.rows, told.claims, told.claims_lost) == ("Marches", 16, 12, 7, 2)
    assert told.lines_lost == 5
    assert told.towns == ()
    assert render(told.armies).startswith("Raiders would be taken off the map because its hex")
    assert propose_map(marches.campaign, foreign(tmx())).replaced is None, "not before everything is chosen"


# The import.


def test_a_first_map_is_drawn_told_and_undone(war):
    drawn = brought(war, terrains=CHOSEN, name="Greenbelt")
    assert (drawn.name, drawn.columns, drawn.rows) == ("Greenbelt", 16, 12)
    assert field().terrain == (".wom" * 4,) * 12
    undo_last(by=war.gm, campaign=war.campaign)
    assert not CampaignMap.objects.exists()


def test_another_map_keeps_claims_fog_settings_and_armies_where_they_can_stay(marches):
    seen = list(MapKnowledge.objects.values_list("kingdom", "seen"))
    brought(marches, terrains=CHOSEN)
    entry = ChronicleEntry.objects.latest("seq")
    assert entry.text["say"] == "Map imported from {tool}: {map}."
    assert (field().name, field().labels, len(field().roads)) == ("Marches", {}, 0)
    claims = load_map_state(CampaignMap.objects.get()).claims
    assert {at for at in CROWN_HEXES if claims.get(hex_at(at)) == marches.crown.pk} == set(CROWN_HEXES)
    assert set(seen) <= set(MapKnowledge.objects.values_list("kingdom", "seen"))
    assert Army.objects.get(pk=marches.levy.pk).hex == "D3"
    undo_last(by=marches.gm, campaign=marches.campaign)
    assert field().labels[hex_at("G6")] == "Tuskwater"


def test_a_map_that_was_put_away_comes_back_as_the_imported_one(marches):
    put_map_away(by=marches.gm, campaign=marches.campaign)
    brought(marches, terrains=CHOSEN)
    assert CampaignMap.objects.get().put_away is False
    assert field().terrain[0] == ".wom" * 4


def test_only_the_gm_imports(war):
    with pytest.raises(PermissionDenied):
        import_map(by=war.ana, campaign=war.campaign, foreign=foreign(), terrains=CHOSEN)


def test_every_name_needs_a_terrain(war):
    with pytest.raises(InvalidInput) as refused:
        brought(war)
    assert refused.value.errors[0][0] == "/terrains/hexes #3"
    assert "Choose a terrain for “hexes #3”" in str(refused.value)
    assert again(war.campaign).headings == {}


def test_a_map_that_has_changed_meanwhile_is_not_replaced(marches):
    mark = propose_map(again(marches.campaign), foreign()).mark
    claim_hexes(by=marches.gm, campaign=marches.campaign, kingdom=marches.crown, hexes=["H8"])
    with pytest.raises(StaleProposal):
        brought(marches, terrains=CHOSEN, mark=mark)
    brought(marches, terrains=CHOSEN, mark=propose_map(again(marches.campaign), foreign()).mark)


# What is kept.


def test_choices_are_kept_and_proposed_for_the_next_map(war):
    brought(war, terrains={**CHOSEN, "Ocean": "lake", "forêt": ""}, empty="tundra")
    proposal = propose_map(again(war.campaign), foreign())
    assert dict(proposal.terrains) == {"hexes #3": "swamp", "Ocean": "lake", "forêt": "", "Plains": "plains"}
    assert (proposal.empty, proposal.open, proposal.empties) == ("tundra", [], 48)
    assert propose_map(again(war.campaign), foreign(), {"Ocean": "sea"}).terrains["Ocean"] == "sea"


def test_the_choice_for_a_tile_called_dash_is_kept_beside_that_for_empty_hexes(war):
    raw = tmj(tilesets=[{"firstgid": 1, "name": "t", "tiles": [{"id": at, "type": "-"} for at in range(4)]}])
    brought(war, raw, terrains={"-": "sea"}, empty="forest")
    proposal = propose_map(again(war.campaign), foreign(raw))
    assert (dict(proposal.terrains), proposal.empty) == ({"-": "sea"}, "forest")
    assert bring_in(war.gm, taken_along(again(war.campaign))).campaign.headings == again(war.campaign).headings


def test_the_choice_for_empty_hexes_that_was_kept_before_still_counts(war):
    war.campaign.headings = {"map": {"-": "tundra"}}
    war.campaign.save()
    assert propose_map(again(war.campaign), foreign()).empty == "tundra"


def test_what_is_kept_stays_bounded_and_travels_with_the_campaign(war):
    names = [{"id": at, "type": f"Kind {at} of tile"} for at in range(KEPT_MOST + 20)]
    layer = {"name": "G", "type": "tilelayer", "width": 55, "height": 4, "data": list(range(1, KEPT_MOST + 21))}
    raw = tmj(width=55, height=4, layers=[layer], tilesets=[{"firstgid": 1, "name": "t", "tiles": names}])
    brought(war, raw, terrains={one["type"]: "moor" for one in names})
    campaign = again(war.campaign)
    assert len(kept_terrains(campaign)) == KEPT_MOST
    assert bring_in(war.gm, taken_along(campaign)).campaign.headings == campaign.headings


def test_what_is_kept_and_no_terrain_any_more_is_passed_over(war):
    war.campaign.headings = {"map": {"ocean": "lava", "plains": "hills"}}
    war.campaign.save()
    assert propose_map(again(war.campaign), foreign()).terrains["Ocean"] == "sea"
    assert propose_map(again(war.campaign), foreign()).terrains["Plains"] == "hills"


# By page.


def of(user, language="en"):
    client = Client(headers={"accept-language": language})
    client.force_login(user)
    return client


def address(war):
    return reverse("kingdom:map_import", args=[war.campaign.pk])


def upload(raw, name="Stolen Lands.tmj"):
    return {"file": SimpleUploadedFile(name, raw), "columns": "40", "turn": "turn"}


def sent_of(page):
    """What the form of the page would send, as it stands."""
    html = page.content.decode()
    given = {"sent": unescape(re.search(r'<textarea hidden name="sent">\n([^<]*)</textarea>', html)[1])}
    for name, options in re.findall(r'<select name="([^"]+)"[^>]*>(.*?)</select>', html, re.DOTALL):
        given[name] = (re.findall(r'<option value="([^"]*)" selected', options) or [""])[0]
    for name, value in re.findall(r'<input type="(?:hidden|text)" name="(mark|name)" value="([^"]*)"', html):
        given[name] = unescape(value)
    return given


def test_a_file_is_read_corrected_and_imported(marches):
    client = of(marches.gm)
    assert client.get(address(marches)).status_code == 200
    page = client.post(address(marches), upload(wide()))
    html = unescape(page.content.decode())
    assert page.status_code == 200
    for told in ("Stolen Lands from Tiled", "1 tile layer read: Ground.", "16 by 12 hexes", "48 hexes", "Choose…"):
        assert told in html
    assert "land-preview" not in html
    given = sent_of(page)
    assert sorted(given.values())[:1] == [""], "one name has to be chosen"
    refused = client.post(address(marches), {**given, "do": "confirm"})
    assert refused.status_code == 422
    assert "Choose a terrain for “hexes #3”" in unescape(refused.content.decode())
    assert field().terrain[0] == "." * 16
    preview = client.post(address(marches), {**given, "terrain-3": "swamp", "name": "Greenbelt", "do": "preview"})
    html = unescape(preview.content.decode())
    assert preview.status_code == 200
    for told in ('<path class="t-swamp" d="', "This replaces Marches (16 by 12 hexes)", "5 roads, rivers, walls and",
                 "Claimed hexes and what players have seen stay as they are."):  # fmt: skip
        assert told in html
    done = client.post(address(marches), {**sent_of(preview), "do": "confirm"})
    assert (done.status_code, done["Location"]) == (302, reverse("kingdom:map_paint", args=[marches.campaign.pk]))
    assert (field().name, field().terrain[0]) == ("Greenbelt", ".wom" * 4)
    assert client.post(address(marches), {**sent_of(preview), "do": "confirm"}).status_code == 412, "sent again"
    assert client.post(address(marches), {**sent_of(preview), "do": "preview"}).status_code == 200


def test_armies_that_would_leave_the_map_are_asked_about_first(marches):
    client = of(marches.gm)
    given = {**sent_of(client.post(address(marches), upload(wide()))), "terrain-3": "lake", "do": "confirm"}
    asked = client.post(address(marches), given)
    html = unescape(asked.content.decode())
    assert asked.status_code == 200
    assert "Levy would be taken off the map" in html
    assert Army.objects.get(pk=marches.levy.pk).hex == "D3"
    anyway = unescape(re.search(r'name="anyway" value="([^"]*)"', asked.content.decode())[1])
    assert client.post(address(marches), {"anyway": anyway}).status_code == 302
    assert Army.objects.get(pk=marches.levy.pk).hex == ""
    assert field().terrain[2][3] == "~"


def test_a_map_changed_by_somebody_else_is_shown_again(marches):
    client = of(marches.gm)
    given = {**sent_of(client.post(address(marches), upload(wide()))), "terrain-3": "swamp", "do": "confirm"}
    make_map(by=marches.gm, campaign=marches.campaign, name="Elsewhere", columns=8, rows=8)
    shown = client.post(address(marches), given)
    assert shown.status_code == 412
    html = unescape(shown.content.decode())
    assert "The map has changed since this preview was made" in html
    assert "This replaces Elsewhere (8 by 8 hexes)" in html
    assert client.post(address(marches), {**sent_of(shown), "do": "confirm"}).status_code == 302


FOR_ANOTHER = pytest.param(signing.dumps([1], salt="other"), id="signed for another")


@pytest.mark.parametrize("sent", ["", "nonsense", FOR_ANOTHER, "\0"])
def test_what_the_server_has_not_read_itself_leads_back_to_the_file(marches, sent):
    answer = of(marches.gm).post(address(marches), {"sent": sent, "do": "confirm"}, follow=True)
    assert answer.redirect_chain == [(address(marches), 302)]
    assert "Choose the file again" in answer.content.decode()


def test_a_preview_expires(marches, monkeypatch):
    sealed = seal(marches.campaign, foreign())
    assert unseal(marches.campaign, sealed) == foreign()
    monkeypatch.setattr(import_forms, "KEPT_SECONDS", -1)
    with pytest.raises(InvalidInput, match="expired"):
        unseal(marches.campaign, sealed)


def test_a_preview_of_one_campaign_is_not_confirmed_in_another(marches):
    other = create_campaign(by=marches.gm, name="Elsewhere", ruleset=marches.campaign.ruleset)
    given = {**sent_of(of(marches.gm).post(address(marches), upload(wide()))), "terrain-3": "swamp", "mark": ""}
    there = reverse("kingdom:map_import", args=[other.pk])
    answer = of(marches.gm).post(there, {**given, "do": "confirm"}, follow=True)
    assert answer.redirect_chain == [(there, 302)]
    assert "Choose the file again" in answer.content.decode()
    assert not CampaignMap.objects.filter(campaign=other).exists()


@pytest.mark.parametrize(
    ("raw", "english", "french"),
    [
        (b"nonsense", "Choose another file", "Choisissez un autre fichier"),
        (b"", "Choose another file", "Choisissez un autre fichier"),
        (tmx(head="<!DOCTYPE map>"), "DOCTYPE", "DOCTYPE"),
        (tmj(orientation="orthogonal"), "hexagonal", "hexagonale"),
        (tmj(width=1000), "the limit is 100 by 100", "la limite est de 100 sur 100"),
    ],
)  # fmt: skip
def test_files_that_cannot_be_read_say_why_in_both_languages(marches, raw, english, french):
    for language, told in (("en", english), ("fr", french)):
        answer = of(marches.gm, language).post(address(marches), upload(raw))
        assert answer.status_code == 422
        assert told in unescape(answer.content.decode())
    assert field().name == "Marches"


def test_the_pages_in_french(marches):
    client = of(marches.gm, "fr")
    page = client.post(address(marches), upload(cells(), "Brevoy.geojson") | {"columns": "16"})
    html = unescape(page.content.decode())
    for told in ("Montagnes d’après l’altitude", "hexagones", "Choisir…", "Forêt", "4 cellules lues"):
        assert told in html


def test_a_form_that_was_meddled_with_is_refused(marches):
    client = of(marches.gm)
    given = sent_of(client.post(address(marches), upload(wide())))
    for wrong in ({"terrain-0": "lava"}, {"empty": "lava"}, {"name": ""}, {"name": "x" * 121}):
        answer = client.post(address(marches), {**given, "terrain-3": "swamp", "do": "confirm", **wrong})
        assert answer.status_code == 422, wrong
    assert field().name == "Marches"
    for wrong in ({"columns": "7"}, {"columns": "x"}, {"turn": "upside-down"}):
        assert client.post(address(marches), upload(wide()) | wrong).status_code == 422, wrong


# By API.


def post(war, raw, filename="Stolen Lands.tmj", **given):
    forget_map(war.campaign)
    url = f"/api/v1/campaigns/{war.campaign.pk}/map/import/"
    return api_of(war.gm).post(url, {"file": SimpleUploadedFile(filename, raw), **given}, format="multipart")


def test_the_api_proposes_and_imports_in_two_steps(marches):
    answer = post(marches, wide())
    assert answer.status_code == 200
    told = answer.data
    assert (told["tool"], told["columns"], told["rows"], told["map"]) == ("tiled", 16, 12, None)
    assert told["terrains"][0] == {"name": "hexes #3", "hexes": 48, "terrain": None}
    assert told["notes"] == [{"understood": True, "told": "1 tile layer read: Ground."}]
    chosen = {**{one["name"]: one["terrain"] for one in told["terrains"]}, "hexes #3": "lake"}
    second = post(marches, wide(), terrains=json.dumps(chosen), mark=told["mark"])
    assert second.data["map"]["terrain"][0] == ".wo~" * 4
    assert second.data["replaces"]["claims"] == 7
    assert "Levy would be taken off" in second.data["replaces"]["armies"]
    done = post(marches, wide(), terrains=json.dumps(chosen), mark=told["mark"], confirm="true")
    assert done.status_code == 201
    assert done.data["told"].startswith("Map imported from Tiled: Marches. Levy was taken off the map")
    assert field().terrain[0] == ".wo~" * 4
    assert post(marches, wide(), mark=told["mark"], confirm="true").status_code == 412


def test_the_api_imports_in_one_step(war):
    done = post(war, wxx(orientation="ROWS", size=(9, 10)), "a.wxx", confirm="true", name="Greenbelt", empty="sea")
    assert (done.status_code, done.data["tool"]) == (201, "worldographer")
    assert (field().name, field().columns, field().rows, field().terrain[0]) == ("Greenbelt", 9, 10, "f" * 9)
    wide_one = post(war, cells(), "b.geojson", columns="12")
    assert (wide_one.data["tool"], wide_one.data["columns"]) == ("azgaar", 12)


@pytest.mark.parametrize(
    ("given", "at"),
    [
        ({"confirm": "true"}, "/terrains/hexes #3"), ({"terrains": "{"}, "/terrains"),
        ({"terrains": "[]"}, "/terrains"),
        ({"terrains": '{"Ocean": "lava"}'}, "/terrains/Ocean"), ({"empty": "lava"}, "/empty"),
        ({"columns": "5"}, "/columns"), ({"turn": "upside-down"}, "/turn"), ({"name": "x" * 121}, "/name"),
        ({"colour": "red"}, "/colour"),
    ],
)  # fmt: skip
def test_the_api_refuses_with_a_pointer(war, given, at):
    answer = post(war, wide(), **given)
    assert answer.status_code == 400
    assert [one["pointer"] for one in answer.json()["errors"]] == [at]
    assert not CampaignMap.objects.exists()


def test_the_api_refuses_hostile_files(war):
    for raw in (b"", b"nonsense", tmx(head="<!DOCTYPE map>"), tmj(width=10**9)):
        answer = post(war, raw)
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["pointer"] == "/file"
