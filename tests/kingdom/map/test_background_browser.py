"""The picture below the map in Chromium: uploaded, fitted with a preview, seen by a player on a phone."""

from __future__ import annotations

from playwright.sync_api import expect

from kingdom.map.services import configure_map
from kingdom.models import CampaignMap, Picture
from tests.browsing import LAPTOP, PHONE, overflow
from tests.pictures_sent import make_picture


def test_a_picture_is_uploaded_fitted_and_seen_below_the_hexes(
    server, open_page, sign_in, accessibility, shoot, marches
):
    page = open_page(viewport=LAPTOP)
    sign_in(page, marches.gm)
    page.goto(f"/c/{marches.campaign.pk}/map/background/")
    sent = {"name": "world.jpg", "mimeType": "image/jpeg", "buffer": make_picture("JPEG", 1600, 1200, color="navy")}
    page.get_by_label("File").set_input_files(sent)
    page.get_by_role("button", name="Upload").click()
    preview = page.locator("#background-preview .background image")
    expect(preview).to_have_attribute("width", "858")
    page.get_by_label("Width in hexes").fill("10")
    page.get_by_label("From the left, in hexes").fill("-1.5")
    page.get_by_label("Opacity in percent").fill("60")
    for name, value in {"width": "520", "height": "390", "x": "-78", "opacity": "0.6"}.items():
        expect(preview).to_have_attribute(name, value)
    assert accessibility(page, both=True) == []
    shoot(page, "background-1280")
    page.get_by_role("button", name="Save").click()
    expect(preview).to_have_attribute("width", "520")
    drawn = CampaignMap.objects.get()
    assert (drawn.picture_width, drawn.picture_left, drawn.picture_opacity) == (1000, -150, 60)

    configure_map(by=marches.gm, campaign=marches.campaign, fog=True, sight=1)
    phone = open_page(viewport=PHONE, dark=True, language="fr")
    sign_in(phone, marches.ana)
    with phone.expect_response(lambda response: "/pictures/map/" in response.url) as answered:
        phone.goto(f"/c/{marches.campaign.pk}/map/")
    assert answered.value.ok
    assert Picture.objects.get().digest not in answered.value.url
    expect(phone.locator("#map.pictured .background image")).to_have_count(1)
    assert (accessibility(phone, both=True), overflow(phone) <= 0) == ([], True)
    shoot(phone, "background-390")
    phone.get_by_role("link", name="Fond", exact=True).click()
    expect(phone.locator("#map .background")).to_have_count(0)
