"""The aftermath in a real browser: the fate with its scale, a choice in its place, the foot never off the screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from armies.pathfinder.models import PathfinderCommander
from tests.battles.aftermath.test_page import drowned  # noqa: F401 (a world of this test)
from tests.browsing import LAPTOP, PHONE, overflow
from tests.everyday import everyday


@pytest.mark.parametrize("viewport, dark", everyday([(PHONE, False), (LAPTOP, True)], first=1), ids=["phone", "laptop"])
def test_dice_typed_a_choice_made_confirmed_and_undone(
    table, drowned, open_page, sign_in, accessibility, viewport, dark  # noqa: F811
):  # fmt: skip
    PathfinderCommander.objects.filter(name="Gruk").update(captures=1)
    page = open_page(viewport=viewport, dark=dark)
    sign_in(page, table.gm)
    page.goto(f"/battles/{drowned.pk}/aftermath/")
    expect(page.locator("#confirm")).to_be_in_viewport(ratio=1)
    page.locator("#type-dice").click()
    fields = page.locator(".dice-rows input[name='face']")
    expect(fields).to_have_count(3)
    for field, face in zip(fields.all(), (34, 1, 1), strict=True):
        field.fill(str(face))
    page.locator("#apply-dice").click()
    gruk = page.locator("article.deed", has=page.get_by_role("heading", name="Gruk"))
    expect(gruk.locator(".fate .die")).to_contain_text("34")
    expect(gruk.locator(".axis .hit")).to_have_text("captured 21–70")
    gruk.get_by_label("reputation for losing").select_option("no")
    page.locator("#again").click()
    expect(gruk.get_by_label("reputation for losing")).to_have_value("no")
    for fold in page.locator("#aftermath details.causes > summary").all():
        fold.click()
    assert accessibility(page) == []
    assert overflow(page) <= 0
    expect(page.locator("#confirm")).to_be_in_viewport(ratio=1)
    page.locator("#confirm").click()
    expect(gruk.locator(".fate .die")).to_contain_text("34")
    expect(gruk.get_by_label("reputation for losing")).to_have_count(0)
    assert accessibility(page) == []
    page.locator("#undo-aftermath").click()
    expect(page.locator("#lying")).to_be_visible()
    expect(gruk.locator(".fate .die")).to_contain_text("34")
