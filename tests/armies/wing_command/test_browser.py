"""Wings in Chromium: raised on a phone in French, shown on a laptop in both lights, printed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from armies.forces.services import raise_army
from armies.models import Army
from tests.browsing import overflow
from tests.everyday import everyday
from tests.paper import pages_printed

PHONE = {"width": 390, "height": 844}


def test_a_wing_is_raised_on_a_phone_in_french(table, open_page, sign_in, accessibility, shoot):
    page = open_page(viewport=PHONE, language="fr", dark=True)
    sign_in(page, table.ana)
    page.goto(f"/kingdoms/{table.crown.pk}/armies/new/")
    figures = page.locator("#preview")
    points = figures.locator(".figure").first
    expect(points).to_contain_text("13")
    page.get_by_label("Nom de l’armée").fill("Aile du Nord")
    page.get_by_label("Aile d’exemple").select_option("horde-2")
    page.get_by_role("button", name="Utiliser cette aile").click()
    expect(page.locator("#troops-0 > summary")).to_contain_text("Griffons")
    expect(page.get_by_label("Nom de l’armée")).to_have_value("Aile du Nord")
    shoot(page, "wc-form-390")
    page.locator("#troops-1 > summary").click()
    page.locator("#id_troops-1-type").select_option("heavy-foot")
    expect(figures).to_contain_text("Infanterie lourde")
    page.locator("#id_troops-1-melee").fill("2")
    expect(points).to_contain_text("14")
    page.locator("#id_troops-1-melee").fill("3")
    expect(figures).to_contain_text("de 0 à 2")
    page.locator("#id_troops-1-melee").fill("1")
    page.get_by_role("button", name="Ajouter : Personnage").click()
    page.locator("#id_characters-0-name").fill("Béatrix")
    page.locator("#id_characters-0-kind").select_option("mage")
    assert accessibility(page, both=True) == []
    assert overflow(page) <= 0
    shoot(page, "wc-form-filled-390")
    page.get_by_role("button", name="Lever l’armée").click()
    expect(page.get_by_role("heading", name="Aile du Nord")).to_be_visible()
    sheet = Army.objects.get(name="Aile du Nord").sheet
    assert [troop["type"] for troop in sheet["troops"]] == ["griffins", "heavy-foot", "levy"]
    assert sheet["troops"][1]["melee"] == 1
    assert sheet["characters"] == [{"name": "Béatrix", "kind": "mage", "art": "fire", "level": 3}]
    page.locator("[popovertarget=troop-1-melee]").click()
    expect(page.locator("#troop-1-melee")).to_contain_text("+1")
    assert accessibility(page, both=True) == []
    assert overflow(page) <= 0
    shoot(page, "wc-army-390")


@pytest.mark.parametrize("language", everyday(["fr", "en"], first=1))
def test_pages_stand_on_a_laptop_in_both_lights(table, open_page, sign_in, accessibility, shoot, language):
    page = open_page(dark=language == "fr", language=language)
    sign_in(page, table.gm)
    for address, name in (
        (f"/armies/{table.watch.pk}/", "army"),
        (f"/armies/{table.watch.pk}/edit/", "form"),
        (f"/commanders/{table.leader.pk}/", "commander"),
        (f"/commanders/{table.leader.pk}/edit/", "commander-form"),
        (f"/c/{table.campaign.pk}/codex/?kind=troops", "codex"),
        (f"/c/{table.campaign.pk}/edit/", "rules"),
    ):
        page.goto(address)
        assert accessibility(page, both=True) == [], name
        assert overflow(page) <= 0, name
        shoot(page, f"wc-{name}-1280-{language}")


def test_its_cards_are_printed(table, open_page, sign_in, shoot):
    page = open_page()
    sign_in(page, table.ana)
    page.goto(f"/kingdoms/{table.crown.pk}/armies/cards/")
    shoot(page, "wc-cards-1280")
    card = page.locator("article.a6").first
    for words in ("Ironwatch", "Isaut", "Old guard (move 3, melee 4, guard 4)", "Mira", "recoil, shaken"):
        expect(card).to_contain_text(words)
    assert card.evaluate("card => card.scrollHeight <= card.clientHeight + 1"), "all of it stands on the card"
    page.emulate_media(media="print")
    assert pages_printed(page) == 1


def test_a_whole_wing_stands_on_its_card(table, open_page, sign_in, shoot):
    """Eight troops, four characters, a leader: what a wing may have at most (C-2)."""
    troops = [{"type": "archers", "name": f"Longbowmen of the {place}th hundred", "melee": 2} for place in range(8)]
    characters = [{"name": f"Captain Alderic the {place}th", "kind": "archer-captain"} for place in range(4)]
    sheet = {"troops": troops, "characters": characters}
    raise_army(by=table.gm, kingdom=table.crown, name="Bowmen of the northern border", sheet=sheet)
    page = open_page(language="fr")
    sign_in(page, table.ana)
    page.goto(f"/kingdoms/{table.crown.pk}/armies/cards/")
    shoot(page, "wc-cards-whole-1280")
    for card in page.locator("article.a6").all():
        assert card.evaluate("card => card.scrollHeight <= card.clientHeight + 1")


def test_the_gm_adjusts_a_wing_on_a_phone(table, open_page, sign_in, accessibility, shoot):
    page = open_page(viewport=PHONE)
    sign_in(page, table.gm)
    page.goto(f"/armies/{table.watch.pk}/")
    page.get_by_text("Adjust a figure").click()
    panel = page.locator("section", has=page.locator("#army-adjustments"))
    panel.get_by_label("Figure").select_option("guard")
    panel.get_by_label("Adjustment", exact=True).fill("many")
    panel.get_by_label("Reason").fill("Blessed by the lake")
    panel.get_by_role("button", name="Adjust").click()
    field = panel.get_by_label("Adjustment", exact=True)
    expect(field).to_have_accessible_description(re.compile("Enter a whole number"))
    expect(panel.get_by_label("Reason")).to_have_value("Blessed by the lake")
    panel.get_by_label("Adjustment", exact=True).fill("+2")
    panel.get_by_role("button", name="Adjust").click()
    expect(panel.locator("li")).to_contain_text("Guard of its troops +2")
    expect(page.get_by_text("Value adjusted.")).to_be_visible()
    page.locator("[popovertarget=troop-0-guard]").click()
    expect(page.locator("#troop-0-guard")).to_contain_text("GM: Blessed by the lake")
    assert accessibility(page, both=True) == []
    assert overflow(page) <= 0
    shoot(page, "wc-adjusted-390")
    page.locator("[popovertarget=troop-0-guard]").click()
    panel.get_by_role("button", name="End").click()
    expect(panel.get_by_text("Every figure follows from the rules.")).to_be_visible()
