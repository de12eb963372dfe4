"""The picture below the map: placed, undone, carried along; what hides a hex hides the picture there."""

from __future__ import annotations

from io import BytesIO

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import Http404
from django.urls import reverse
from PIL import Image

from armies.marches.services import put_army
from config.web.request_bodies import get_limit
from core.images import BACKGROUND
from core.text import load_said, render
from kingdom.chronicle.queries import latest_for
from kingdom.chronicle.services import undo_last
from kingdom.map import background_queries, svg
from kingdom.map.background_queries import find_background
from kingdom.map.painting_services import paint_map, place_background
from kingdom.map.queries import find_map, forget_map, load_eyes
from kingdom.map.services import configure_map, put_map_away
from kingdom.models import Campaign, CampaignMap, Picture
from kingdom.pictures.queries import get_picture, list_visible_pictures
from kingdom.pictures.services import remove_picture, save_picture
from rules.core.errors import IllegalCommand, InvalidInput
from rules.hexes.geometry import at_place, hex_at, label_of
from tests.kingdom.archive.journeys import bring_in, taken_along
from tests.kingdom.conftest import api_of, client_of
from tests.pictures_sent import make_picture

pytestmark = pytest.mark.django_db
WIDE, HIGH = svg.measure_land(16, 12)  # units of the drawing; the picture has a pixel for each
SECRET = (255, 0, 255)


def give(marches, sent=None, by=None):
    key = str(CampaignMap.objects.get(campaign=marches.campaign).pk)
    sent = sent or make_picture("PNG", WIDE, HIGH, color=SECRET)
    return save_picture(by=by or marches.gm, campaign=marches.campaign, kind="map", key=key, sent=sent)


def place(marches, by=None, **changes):
    given = {"width": None, "left": 0, "top": 0, "opacity": 100, **changes}
    return place_background(by=by or marches.gm, campaign=marches.campaign, **given)


def seen_by(marches, user):
    """The picture as this reader sees it on the map."""
    campaign = Campaign.objects.get(pk=marches.campaign.pk)
    return find_background(user, campaign, find_map(campaign))


def shown(content, *, left=0):
    """The hexes of which the file shows anything, and whether it shows all of these: their middles and their corners,
    but for a little.
    """
    image = Image.open(BytesIO(content)).convert("RGBA")
    found = {}
    for at in find_hexes():
        x, y = svg.spot(at)
        points = [(x + 0.9 * east - svg.MARGIN - left, y + 0.9 * south - svg.MARGIN)
                  for east, south in ((0, 0), *svg.CORNERS)]  # fmt: skip
        found[label_of(at)] = {image.getpixel((round(x), round(y)))[3] > 200 for x, y in points}
    return {at for at, seen in found.items() if True in seen}, all(len(seen) == 1 for seen in found.values())


def find_hexes():
    return [at_place(column, row) for row in range(12) for column in range(16)]


def known_by(marches, user):
    campaign = Campaign.objects.get(pk=marches.campaign.pk)
    known = {label_of(at) for at in load_eyes(user, campaign, find_map(campaign)).known}
    assert 8 < len(known) < 30
    return known


def under_fog(marches):
    configure_map(by=marches.gm, campaign=marches.campaign, fog=True, sight=1)
    forget_map(marches.campaign)


def test_the_gm_uploads_places_and_removes_it_and_undoes_all_of_that(marches):
    give(marches)
    told = latest_for(marches.ana, marches.campaign)[0]
    assert render(load_said(told.text)) == "New background picture: Marches."
    place(marches, width=24.5, left=-1.25, top=2, opacity=60)
    found = seen_by(marches, marches.ana)
    assert found[1:6] == (-1.25 * 52, 104, 24.5 * 52, 24.5 * 52 * HIGH / WIDE, 60)
    drawn = CampaignMap.objects.get(campaign=marches.campaign)
    remove_picture(by=marches.gm, campaign=marches.campaign, kind="map", key=str(drawn.pk))
    assert seen_by(marches, marches.ana) is None
    undo_last(by=marches.gm, campaign=marches.campaign)
    assert seen_by(marches, marches.ana).opacity == 60
    undo_last(by=marches.gm, campaign=marches.campaign)
    assert seen_by(marches, marches.ana)[1:6] == (0, 0, WIDE, HIGH, 100)
    undo_last(by=marches.gm, campaign=marches.campaign)
    assert seen_by(marches, marches.ana) is None


def test_only_the_gm_changes_it_and_only_members_see_it(marches):
    row = give(marches)
    for user in (marches.ana, marches.viewer):
        with pytest.raises(PermissionDenied):
            give(marches, by=user)
        with pytest.raises(PermissionDenied):
            place(marches, by=user)
        assert get_picture(user, marches.campaign, "map", row.key, row.digest) == row
    with pytest.raises(Http404):
        get_picture(marches.stranger, marches.campaign, "map", row.key)
    put_map_away(by=marches.gm, campaign=marches.campaign)
    forget_map(marches.campaign)
    with pytest.raises(Http404):
        get_picture(marches.ana, marches.campaign, "map", row.key)
    with pytest.raises(IllegalCommand, match="no map yet"):
        place(marches)


@pytest.mark.parametrize(
    ("field", "value"),
    [("width", 0.5), ("width", 401), ("left", -401), ("top", float("nan")), ("left", float("inf")), ("top", "3"),
     ("left", None), ("width", True), ("opacity", 5), ("opacity", 101), ("opacity", 50.5)],
)  # fmt: skip
def test_a_place_out_of_reach_is_refused(marches, field, value):
    with pytest.raises(InvalidInput) as refused:
        place(marches, **{field: value})
    assert refused.value.field == f"/{field}"
    assert CampaignMap.objects.get(campaign=marches.campaign).picture_opacity == 100


def test_a_large_picture_is_kept_large_and_a_larger_file_refused(marches):
    row = give(marches, make_picture("JPEG", 5000, 2000))
    assert (row.width, row.height, row.content[8:12]) == (4096, 1638, b"WEBP")
    with pytest.raises(InvalidInput, match="larger than 8 MB"):
        give(marches, b"x" * (BACKGROUND.upload + 1))


def test_a_request_has_room_for_a_picture_below_a_map_and_for_no_other(marches):
    campaign = f"{marches.campaign.pk}/pictures"
    for address in ("/c/", "/api/v1/campaigns/"):
        assert get_limit(f"{address}{campaign}/map/{marches.crown.pk}/") > BACKGROUND.upload
        assert get_limit(f"{address}{campaign}/kingdom/{marches.crown.pk}/") < BACKGROUND.upload


def test_under_fog_a_player_is_sent_no_pixel_of_a_hex_they_have_never_seen(marches):
    drawing, sent = Image.new("RGB", (WIDE, HIGH), (90, 90, 90)), BytesIO()
    drawing.paste((0, 255, 0), (320, 0, WIDE, HIGH))  # where the crown has never been
    drawing.save(sent, "PNG")
    whole = give(marches, sent.getvalue())
    under_fog(marches)
    assert get_picture(marches.viewer, marches.campaign, "map", whole.key).content == whole.content
    part = get_picture(marches.ana, marches.campaign, "map", whole.key)
    assert shown(part.content) == (known_by(marches, marches.ana), True)
    image = Image.open(BytesIO(part.content)).convert("RGBA")
    colors = [color for _count, color in image.getcolors(2**20)]
    assert max(green - red for red, green, _blue, _alpha in colors) < 40  # nothing stands behind what is empty
    with pytest.raises(Http404):
        get_picture(marches.ana, marches.campaign, "map", whole.key, whole.digest)
    assert whole.digest not in str(list(list_visible_pictures(marches.ana, marches.campaign)))


def test_what_lies_elsewhere_is_cut_where_it_lies(marches):
    row = give(marches, make_picture("PNG", 2 * WIDE, 2 * HIGH, color=SECRET))
    place(marches, width=33, left=-1)  # as many units as the picture has pixels
    under_fog(marches)
    part = get_picture(marches.ana, marches.campaign, "map", row.key)
    assert shown(part.content, left=-52) == (known_by(marches, marches.ana), True)


def test_a_small_picture_far_too_large_shows_nothing_unseen(marches):
    row = give(marches, make_picture("PNG", 32, 32, color=SECRET))
    place(marches, width=400)
    under_fog(marches)
    part = get_picture(marches.ana, marches.campaign, "map", row.key)
    image = Image.open(BytesIO(part.content)).convert("RGBA")
    assert max(color[3] for _count, color in image.getcolors()) == 0


def test_what_is_seen_later_is_sent_at_another_address_and_nothing_else_changes_it(marches):
    give(marches)
    under_fog(marches)
    before = seen_by(marches, marches.ana).picture
    put_army(by=marches.gm, army=marches.raiders, hex="F9")
    paint_map(by=marches.gm, campaign=marches.campaign, command={"command": "paint", "at": "J9", "terrain": "lake"})
    assert seen_by(marches, marches.ana).picture == before
    put_army(by=marches.gm, army=marches.levy, hex="G3")
    after = seen_by(marches, marches.ana).picture
    assert after.digest != before.digest
    answers = [client_of(marches.ana).get(one.url) for one in (before, after)]
    assert [answer.status_code for answer in answers] == [404, 200]
    assert "G3" in shown(answers[1].content)[0]
    assert client_of(marches.bo).get(after.url).status_code == 404


def test_a_part_is_cut_once(marches, monkeypatch):
    row = give(marches)
    under_fog(marches)
    background_queries._parts.clear()
    first = get_picture(marches.ana, marches.campaign, "map", row.key)
    monkeypatch.setattr(background_queries, "_cut", None)
    assert get_picture(marches.ana, marches.campaign, "map", row.key).content == first.content


def test_pages_draw_it_below_the_hexes_and_a_layer_hides_it(marches):
    page, ana = reverse("armies:map", args=[marches.campaign.pk]), client_of(marches.ana)
    assert ">Background" not in ana.get(page).content.decode().replace(" ", "").replace("\n", "")
    row = give(marches)
    text = ana.get(page).content.decode()
    assert text.index(row.digest) < text.index('class="hexes"')
    assert 'class="map pictured"' in text
    assert row.digest not in ana.get(f"{page}?layers=claims").content.decode()
    easel = client_of(marches.gm).get(reverse("kingdom:map_paint", args=[marches.campaign.pk])).content.decode()
    assert easel.index(row.digest) < easel.index('id="canvas-rows"')


def test_a_downloaded_map_has_it_as_far_as_its_reader_sees(marches):
    give(marches)
    address = reverse("kingdom:map_png", args=[marches.campaign.pk])

    def colored(*labels):
        image = Image.open(BytesIO(client_of(marches.ana).get(address).content)).convert("RGB")
        zoom, found = image.width / (WIDE + svg.MARGIN + 4), []
        for x, y in (svg.spot(hex_at(at)) for at in labels):
            red, green, _blue = image.getpixel((round(x * zoom), round((y - 9) * zoom)))
            found.append(red > green + 40)
        return found

    assert colored("M10", "D4") == [True, True]
    under_fog(marches)
    assert colored("M10", "D4") == [False, True]


def test_the_form_keeps_a_place_and_says_what_is_wrong(marches):
    gm, address = client_of(marches.gm), reverse("kingdom:map_background", args=[marches.campaign.pk])
    assert "Fit it to the hexes" not in gm.get(address).content.decode()
    file = SimpleUploadedFile("world.png", make_picture("PNG", 400, 300), "image/png")
    picture = reverse("kingdom:picture", args=[marches.campaign.pk, "map", CampaignMap.objects.get().pk])
    assert gm.post(picture, {"file": file}).headers["Location"] == address
    assert "Fit it to the hexes" in gm.get(address).content.decode()
    sent = {"width": "20.5", "left": "-2", "top": "0.25", "opacity": "70"}
    assert gm.post(address, sent).headers["Location"] == address
    drawn = CampaignMap.objects.get()
    assert (drawn.picture_width, drawn.picture_left, drawn.picture_top, drawn.picture_opacity) == (2050, -200, 25, 70)
    for wrong in ({"width": "0"}, {"left": "x"}, {"top": ""}, {"opacity": "7"}, {"left": "0.001"}):
        answer = gm.post(address, sent | wrong)
        assert (answer.status_code, "field-error" in answer.content.decode()) == (422, True), wrong
    gm.post(address, sent | {"width": ""})
    assert CampaignMap.objects.get().picture_width is None
    assert client_of(marches.ana).get(address).status_code == 403


def test_by_program(marches):
    address = f"/api/v1/campaigns/{marches.campaign.pk}/map/background/"
    gm, ana = api_of(marches.gm), api_of(marches.ana)
    empty = gm.get(address).json()
    assert empty | {"upload": ""} == {"width": None, "left": 0, "top": 0, "opacity": 100, "picture": None, "upload": ""}
    file = SimpleUploadedFile("world.png", make_picture("PNG", 400, 300), "image/png")
    assert gm.put(empty["upload"], {"file": file}, format="multipart").status_code == 200
    placed = gm.put(address, {"width": 12.5, "left": -1, "top": 0.5, "opacity": 80}, format="json").json()
    assert (placed["width"], placed["left"], placed["top"], placed["opacity"]) == (12.5, -1, 0.5, 80)
    assert placed["picture"]["file"] == placed["upload"]
    for wrong in ({"width": "12"}, {"left": None}, {"top": True}, {"opacity": 5}, {"more": 1}):
        body = {"width": 1, "left": 0, "top": 0, "opacity": 80, **wrong}
        assert gm.put(address, body, format="json").status_code == 400, wrong
    assert ana.put(address, {"width": 1, "left": 0, "top": 0, "opacity": 80}, format="json").status_code == 403
    under_fog(marches)
    told = ana.get(address).json()["picture"]
    assert told["digest"] != placed["picture"]["digest"]
    assert ana.get(told["file"]).content != gm.get(told["file"]).content
    assert api_of(marches.stranger).get(address).status_code == 404
    assert gm.delete(placed["upload"]).status_code == 204
    assert gm.get(address).json()["picture"] is None


def test_it_travels_with_its_campaign_and_its_place(marches):
    row = give(marches)
    place(marches, width=20, opacity=40)
    document = taken_along(marches.campaign)
    there = Campaign.objects.get(pk=bring_in(marches.gm, document).campaign.pk)
    found = find_background(marches.gm, there, find_map(there))
    assert (found.picture.digest, found.wide, found.opacity) == (row.digest, 1040, 40)
    undo_last(by=marches.gm, campaign=there)
    forget_map(there)
    assert find_background(marches.gm, there, find_map(there)).opacity == 100
    for older in document["tables"]["map"]:
        for column in ("picture_width", "picture_left", "picture_top", "picture_opacity"):
            del older[column]
    assert bring_in(marches.gm, document)


def test_a_document_brings_in_no_place_out_of_reach(marches):
    give(marches)
    document = taken_along(marches.campaign)
    for change in ({"picture_width": 99}, {"picture_left": 40_001}, {"picture_opacity": 0}):
        row = document["tables"]["map"][0]
        before = dict(row)
        row |= change
        with pytest.raises(InvalidInput):
            bring_in(marches.gm, document)
        document["tables"]["map"][0] = before
    assert Picture.objects.count() == 1
