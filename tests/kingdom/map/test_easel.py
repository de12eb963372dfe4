"""The page on which a GM paints the map, sheets that take its place, and the map as files."""

from __future__ import annotations

import json
import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from armies.marches.services import put_army
from armies.models import Army
from battles.models import Battle, BattleArmy
from kingdom.map.painting_services import paint_map
from kingdom.map.queries import load_map_state
from kingdom.map.services import configure_map, put_map_away
from kingdom.models import CampaignMap
from rules.hexes.geometry import hex_at
from rules.hexes.mapfile import written
from tests.kingdom.map.conftest import drawing

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
FOREST = {"brush": "paint", "terrain": "forest", "size": "1"}


def of(user):
    client = Client()
    client.force_login(user)
    return client


def at(marches, name):
    return reverse(f"kingdom:{name}", args=[marches.campaign.pk])


def field():
    return load_map_state(CampaignMap.objects.get()).field


def version():
    return CampaignMap.objects.get().version


def tap(marches, label, **brush):
    given = FOREST | {"version": version(), "hex": label} | brush
    return of(marches.gm).post(at(marches, "map_paint"), given, headers=HTMX)


def test_the_easel_has_a_button_for_every_hex_with_what_lies_there(marches):
    page = of(marches.gm).get(at(marches, "map_paint")).content.decode()
    assert page.count('<button name="hex" value="') == 16 * 12
    assert 'value="G6" id="G6" aria-label="G6, Lake, Tuskwater"' in page
    assert 'aria-label="C3, Plains, Restov, ' in page


def test_a_tap_answers_the_rows_that_changed_and_no_others(marches):
    answer = tap(marches, "C7")
    page = answer.content.decode()
    assert answer.status_code == 200
    assert page.count("hex-row") == 1
    assert 'id="row-7" hx-swap-oob="true"' in page
    assert 'aria-label="C7, Forest"' in page
    assert "Forest on C7." in page
    assert f'name="version" value="{version()}"' in page
    assert field().at(hex_at("C7")).slug == "forest"


def test_who_paints_on_an_older_drawing_loses_nothing_and_is_shown_all_of_the_new_one(marches):
    before = version()
    paint_map(by=marches.gm, campaign=marches.campaign, command={"command": "paint", "at": "A1", "terrain": "swamp"})
    page = tap(marches, "C7", version=before).content.decode()
    assert 'id="canvas-rows" hx-swap-oob="true"' in page
    assert 'aria-label="A1, Swamp"' in page
    assert 'aria-label="C7, Forest"' in page


def test_a_wall_stands_between_two_hexes_that_touch_and_is_taken_away(marches):
    begun = tap(marches, "B5", brush="wall").content.decode()
    assert "Tap the hex on the other side of the wall beside B5." in begun
    assert tap(marches, "D5", brush="wall", start="B5").status_code == 422
    built = tap(marches, "C5", brush="wall", start="B5").content.decode()
    assert 'name="start" value=""' in built, "the next one begins anew"
    assert field().edges == {(hex_at("B5"), hex_at("C5")): "wall"}
    away = tap(marches, "C5", brush="wall", start="B5", away="on").content.decode()
    assert "Obstacle removed between B5, C5." in away
    assert field().edges == {}


def test_hx_9_3_the_easel_shows_who_stands_where_and_asks_before_a_stroke_takes_them_off_the_map(marches):
    """Whoever is in a battle all the same is named with it; what is agreed to is what was asked about."""
    battle = Battle.objects.create(
        campaign=marches.campaign,
        name="The ford",
        ruleset=marches.campaign.ruleset,
        opening={},
        state={"sides": [], "awaited": []},
        day=0,
    )
    BattleArmy.objects.create(campaign=marches.campaign, battle=battle, army_id=marches.levy.pk, side=0)
    page = of(marches.gm).get(at(marches, "map_paint")).content.decode()
    assert 'aria-label="D3, Plains, Crown of Restov, Levy (In battle: The ford)" title="Levy (In' in page
    assert page.count('class="stander ') == 2
    asked = tap(marches, "D3", terrain="lake", size="3")
    question = asked.content.decode()
    assert (
        "Levy (In battle: The ford) would be taken off the map because its hex would be impassable or gone." in question
    )
    assert "Not painted yet." in question
    assert (field().at(hex_at("D3")).slug, Army.objects.get(pk=marches.levy.pk).hex) == ("plains", "D3")
    stroke = unescape(re.search(r'name="anyway" value="([^"]*)"', question)[1])  # type: ignore[index]
    left = tap(marches, "", anyway=stroke).content.decode()
    assert "Levy (In battle: The ford) was taken off the map" in left
    assert left.count('class="stander ') == 1
    assert (field().at(hex_at("D3")).slug, Army.objects.get(pk=marches.levy.pk).hex) == ("lake", "")
    without_scripts = of(marches.gm).post(at(marches, "map_paint"), FOREST | {"terrain": "lake", "hex": "M10"})
    assert "Paint anyway" in without_scripts.content.decode()
    assert tap(marches, "", anyway="brush=axe").status_code == 422
    assert "Raiders" not in told_to(marches.ana, marches)


def told_to(user, marches):
    """What another than the GM is shown at the easel."""
    return of(user).post(at(marches, "map_paint"), FOREST | {"terrain": "lake", "hex": "M10"}).content.decode()


def test_a_road_goes_on_from_tap_to_tap(marches):
    first = tap(marches, "A8", brush="road").content.decode()
    assert 'name="start" value="A8"' in first
    assert 'id="A8" aria-pressed="true"' in first
    assert "Tap where it goes" in first
    second = tap(marches, "C8", brush="road", start="A8").content.decode()
    assert "Road drawn through A8, B8, C8." in second
    assert 'name="start" value="C8"' in second
    tap(marches, "A8", brush="road", start="C8", away="on")
    assert hex_at("A8") not in {end for step in field().roads for end in step}


def test_many_hexes_passed_over_are_one_stroke(marches):
    page = tap(marches, "", hexes="A1,B1,C1,C2").content.decode()
    assert page.count("hex-row") == 2
    assert {field().at(hex_at(label)).slug for label in ("A1", "B1", "C1", "C2")} == {"forest"}
    undone = of(marches.gm).post(at(marches, "map_paint_undo"), FOREST | {"version": version()}, headers=HTMX)
    assert "Undone: " in undone.content.decode()
    assert field().at(hex_at("C2")).slug == "plains"


def test_a_brush_without_scripts_stays_in_hand_and_enter_paints_nothing(marches):
    client = of(marches.gm)
    given = {"brush": "label", "text": "Sill", "terrain": "sea", "size": "3"}
    answer = client.post(at(marches, "map_paint"), given | {"hex": "B9"})
    assert answer.status_code == 302
    assert field().labels[hex_at("B9")] == "Sill"
    assert parse_qs(urlsplit(answer.url).query)["terrain"] == ["sea"]
    page = client.get(answer.url).content.decode()
    assert "B9 was named Sill." in page
    assert 'value="Sill"' in page
    before = written(field())
    client.post(at(marches, "map_paint"), given | {"hex": ""})
    assert written(field()) == before


def test_a_name_that_cannot_be_shown_is_refused_and_the_picture_stays(marches):
    kept = dict(field().labels)
    for sign in ("\x0b", "\u202e", "\uffff", "\x1b"):
        tapped = tap(marches, "C7", brush="label", text=f"Old{sign}wood")
        assert tapped.status_code == 422
        assert "t be displayed" in tapped.content.decode()
        assert dict(field().labels) == kept
    for name in ("map_svg", "map_png"):
        assert of(marches.gm).get(at(marches, name)).status_code == 200


def test_a_refused_tap_says_why_and_draws_all_anew(marches):
    answer = tap(marches, "Z99")
    assert answer.status_code == 422
    assert "off the map" in answer.content.decode()
    assert of(marches.gm).post(at(marches, "map_paint"), {"brush": "spray"}).status_code == 422


@pytest.mark.parametrize("name", ["map_paint", "map_sheet", "map_sheet_preview"])
def test_only_the_gm_comes_to_the_easel(marches, name):
    for user in (marches.ana, marches.viewer):
        assert of(user).get(at(marches, name)).status_code == 403
    assert of(marches.stranger).get(at(marches, name)).status_code == 404


def test_a_land_is_looked_at_before_it_is_taken(marches):
    client, address = of(marches.gm), at(marches, "map_sheet")
    nobody_stands(marches)
    land = {"kind": "coast", "columns": 12, "rows": 10, "seed": "7", "river": "on", "roads": "on"}
    before = written(field())
    page = client.get(address, land).content.decode()
    assert "kind=coast" in page
    preview = client.get(at(marches, "map_sheet_preview"), land)
    assert preview["Content-Type"] == "image/svg+xml"
    assert preview.content.startswith(b"<svg")
    assert 'value="7"' not in client.get(address, land | {"another": "1"}).content.decode()
    assert written(field()) == before
    assert client.post(address, land).status_code == 302
    assert (field().columns, field().name) == (12, "Marches")
    refused = client.post(address, land | {"columns": 7})
    assert refused.status_code == 422


def nobody_stands(marches):
    for army in (marches.levy, marches.raiders):
        put_army(by=marches.gm, army=army, hex="")


def test_a_map_goes_out_as_a_file_and_comes_in_again(marches):
    client = of(marches.gm)
    nobody_stands(marches)
    sent = client.get(at(marches, "map_file"))
    assert sent["Content-Disposition"] == 'attachment; filename="marches.json"'
    assert sent.content.decode() == written(field())
    client.post(at(marches, "map_sheet_sides"), {"columns": 9, "rows": 9})
    assert field().columns == 9
    file = SimpleUploadedFile("map.json", sent.content)
    assert client.post(at(marches, "map_sheet_file"), {"file": file}).status_code == 302
    assert written(field()) == sent.content.decode()


def in_a_file(document):
    return {"file": SimpleUploadedFile("map.json", json.dumps(document).encode())}


def hidden(page, name):
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    return found and unescape(found[1])


def laid_all_the_same(client, address, page):
    """What the button sends, whatever was typed since."""
    return client.post(address, {"anyway": hidden(page, "anyway"), "text": hidden(page, "text") or "", "columns": 20})


COAST = {"kind": "coast", "columns": 12, "rows": 8, "seed": "7"}
LAKE = drawing(terrain=["~" * 16] * 12, labels={}, roads=[], rivers=[])
SHEETS = [
    ("map_sheet", lambda: COAST, "Raiders would be taken off the map"),
    ("map_sheet_sides", lambda: {"columns": 8, "rows": 8}, "Raiders would be taken off the map"),
    ("map_sheet_file", lambda: in_a_file(LAKE), "Levy, Raiders would"),
]


@pytest.mark.parametrize(("name", "sent", "told"), SHEETS, ids=[name for name, *_ in SHEETS])
def test_hx_9_3_a_sheet_that_would_take_armies_off_the_map_asks_first(marches, name, sent, told):
    """By seed, by other sides and by file; who agrees agrees to what was told, and no more than that."""
    client, address, before = of(marches.gm), at(marches, name), written(field())
    asked = client.post(address, sent())
    page = asked.content.decode()
    assert (asked.status_code, page.count('id="ask-first"'), told in page) == (200, 1, True)
    assert page.count("The map is unchanged so far.") == 1
    assert written(field()) == before
    put_army(by=marches.gm, army=marches.raiders, hex="")
    put_army(by=marches.gm, army=marches.levy, hex="P12")
    other = laid_all_the_same(client, address, page).content.decode()
    assert "Levy would be taken off" in other
    assert written(field()) == before
    assert laid_all_the_same(client, address, other).status_code == 302
    assert written(field()) != before
    assert Army.objects.get(pk=marches.levy.pk).hex == ""
    client.post(at(marches, "map_paint_undo"), FOREST | {"version": version()})
    assert (written(field()), Army.objects.get(pk=marches.levy.pk).hex) == (before, "P12")


def test_hx_9_3_a_sheet_in_the_place_of_a_map_that_is_put_away_asks_too(marches):
    client = of(marches.gm)
    put_map_away(by=marches.gm, campaign=marches.campaign)
    make = reverse("armies:map_make", args=[marches.campaign.pk])
    for address, sent in (
        (at(marches, "map_sheet"), COAST),
        (at(marches, "map_sheet_file"), in_a_file(LAKE)),
        (make, {"name": "Elsewhere", "columns": 8, "rows": 8}),
    ):
        page = client.post(address, sent).content.decode()
        assert "Raiders would be taken off the map" in page
        assert (CampaignMap.objects.get().put_away, Army.objects.get(pk=marches.raiders.pk).hex) == (True, "M10")
    assert client.post(make, {"anyway": hidden(page, "anyway")}).status_code == 302
    assert (field().name, Army.objects.get(pk=marches.raiders.pk).hex) == ("Elsewhere", "")
    assert client.post(make, {"name": "A third", "columns": 40, "rows": 40}).status_code == 302
    assert field().name == "Elsewhere", "somebody has laid one there meanwhile"


def test_hx_9_3_who_agreed_to_one_army_is_asked_about_another(marches):
    question = tap(marches, "D3", terrain="lake", size="3").content.decode()
    put_army(by=marches.gm, army=marches.raiders, hex="D4")
    again = tap(marches, "", anyway=hidden(question, "anyway")).content.decode()
    assert "Levy, Raiders would be taken off the map" in again
    assert Army.objects.get(pk=marches.levy.pk).hex == "D3"
    tap(marches, "", anyway=hidden(again, "anyway"))
    assert field().at(hex_at("D4")).slug == "lake"


def test_a_file_that_is_refused_is_not_read_once_more_in_the_place_of_another(marches):
    client, address = of(marches.gm), at(marches, "map_sheet_file")
    page = client.post(address, in_a_file(LAKE)).content.decode()
    wrong = SimpleUploadedFile("map.json", b"{")
    page = client.post(address, {"text": hidden(page, "text") or "", "file": wrong}).content.decode()
    assert "Invalid JSON" in page
    assert not hidden(page, "text")
    assert client.post(address, {"text": hidden(page, "text") or ""}).status_code == 422


def test_half_a_character_in_a_file_is_refused_or_kept_and_breaks_nothing(marches):
    for document in (drawing(name="\ud800", columns=3), LAKE | {"more": "\ud800"}):
        answer = of(marches.gm).post(at(marches, "map_sheet_file"), in_a_file(document))
        assert answer.status_code in (200, 422)
        assert field().columns == 16


def test_a_file_that_is_wrong_is_refused_by_row_and_column(marches):
    rows = [*drawing()["terrain"][:4], "..!" + "." * 13, *drawing()["terrain"][5:]]
    before = written(field())
    for content, fault in (
        (json.dumps(drawing(terrain=rows)).encode(), "Row 5, column C: unknown terrain “!”."),
        (b"{", "Invalid JSON"), (b" " * 300_000, "256 KB"), (b"", "This isn’t a map file."),
        (b"\x89PNG", "This isn’t a map file."), (b"[]", "This isn’t a map file."),
    ):  # fmt: skip
        file = SimpleUploadedFile("map.json", content)
        answer = of(marches.gm).post(at(marches, "map_sheet_file"), {"file": file})
        assert (answer.status_code, fault in answer.content.decode()) == (422, True)
    assert written(field()) == before


def test_a_battle_map_is_refused_as_one_and_not_by_its_limits(marches):
    document = drawing(columns=60)
    del document["kind"]
    answer = of(marches.gm).post(at(marches, "map_sheet_file"), in_a_file(document))
    assert "This is a battle map, not a campaign map." in answer.content.decode()
    assert "from 8 to 40" not in answer.content.decode()


def test_a_file_that_is_wrong_is_refused_by_the_name_of_its_member(marches):
    file = SimpleUploadedFile("map.json", json.dumps(drawing(name="", columns=3)).encode())
    refused = of(marches.gm).post(at(marches, "map_sheet_file"), {"file": file}).content.decode()
    assert "“name”: Enter a text of 1 to 120 characters." in refused
    assert "“columns”: Enter a whole number from 8 to 100." in refused


def test_who_paints_before_there_is_a_map_is_led_to_where_one_is_made(war):
    assert of(war.gm).get(at(war, "map_paint")).url == at(war, "map_sheet")
    assert of(war.ana).get(at(war, "map_paint")).status_code == 403
    assert of(war.gm).post(at(war, "map_paint"), FOREST).status_code == 404


def test_pictures_show_what_their_reader_sees(marches):
    whole = of(marches.gm).get(at(marches, "map_svg")).content.decode()
    assert "Canary Barrow" in whole
    assert "Restov" in whole
    png = of(marches.gm).get(at(marches, "map_png"))
    assert png.content.startswith(b"\x89PNG")
    configure_map(by=marches.gm, campaign=marches.campaign, fog=True)
    seen = of(marches.ana).get(at(marches, "map_svg")).content.decode()
    assert "Canary Barrow" not in seen
    assert "Restov" in seen
    assert of(marches.ana).get(at(marches, "map_file")).status_code == 404
    assert of(marches.stranger).get(at(marches, "map_svg")).status_code == 404
