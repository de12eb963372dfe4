"""Contingents in Chromium: raised on a phone in French, shown on a laptop in both lights, printed."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from armies.forces.services import raise_army
from armies.models import Army
from tests.browsing import overflow
from tests.everyday import everyday
from tests.paper import pages_printed

PHONE = {"width": 390, "height": 844}


def test_a_contingent_is_raised_on_a_phone_in_french(table, open_page, sign_in, accessibility, shoot):
    page = open_page(viewport=PHONE, language="fr", dark=True)
    sign_in(page, table.ana)
    page.goto(f"/kingdoms/{table.realm.pk}/armies/new/")
    figures = page.locator("#preview")
    points = figures.locator(".figure").first
    expect(points).to_contain_text("48")
    page.get_by_label("Nom de l’armée").fill("Armée du Nord")
    page.get_by_label("Armée d’exemple").select_option("dark-host")
    page.get_by_role("button", name="Utiliser cette armée").click()
    expect(page.locator("#units-2 > summary")).to_contain_text("Ogres")
    expect(page.get_by_label("Nom de l’armée")).to_have_value("Armée du Nord")
    shoot(page, "tf-form-390")
    page.locator("#units-2 > summary").click()
    page.locator("#id_units-2-experience").select_option("guard")
    expect(points).to_contain_text("47")
    page.locator("#id_units-2-lost").fill("5")
    expect(figures).to_contain_text("Il doit rester au moins une plaquette")
    page.locator("#id_units-2-lost").fill("1")
    expect(points).to_contain_text("47")
    page.get_by_role("button", name="Ajouter : Personnage").click()
    page.locator("#id_characters-1-name").fill("Béatrix")
    page.locator("#id_characters-1-kind").select_option("hero")
    assert accessibility(page, both=True) == []
    assert overflow(page) <= 0
    shoot(page, "tf-form-filled-390")
    page.get_by_role("button", name="Lever l’armée").click()
    expect(page.get_by_role("heading", name="Armée du Nord")).to_be_visible()
    sheet = Army.objects.get(name="Armée du Nord").sheet
    assert sheet["units"][2] == {"type": "ogres", "experience": "guard", "lost": 1}
    assert [one["name"] for one in sheet["characters"]] == ["Nécromancien", "Béatrix"]
    page.locator("[popovertarget=unit-2-melee]").click()
    expect(page.locator("#unit-2-melee")).to_contain_text("+2")
    assert accessibility(page, both=True) == []
    assert overflow(page) <= 0
    shoot(page, "tf-army-390")


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
        shoot(page, f"tf-{name}-1280-{language}")


def test_its_cards_are_printed(table, open_page, sign_in, shoot):
    page = open_page()
    sign_in(page, table.ana)
    page.goto(f"/kingdoms/{table.realm.pk}/armies/cards/")
    shoot(page, "tf-cards-1280")
    army, spells_of_leader, spells_of_mage = page.locator("article.a6").all()
    for words in ("Ironwatch", "Isaut", "Old guard", "4–4, move 1", "Heavy weight", "Odo (Hero"):
        expect(army).to_contain_text(words)
    assert army.locator(".stands > i").count() == 15
    assert army.locator(".stands > .struck").count() == 2
    expect(spells_of_leader).to_contain_text("Blessing (2)")
    for words in ("Mira", "Spells of Ironwatch", "Fear spell (1)", "Warriors of dust (2)"):
        expect(spells_of_mage).to_contain_text(words)
    for card in (army, spells_of_leader, spells_of_mage):
        assert card.evaluate("card => card.scrollHeight <= card.clientHeight + 1"), "all of it stands on the card"
    page.emulate_media(media="print")
    assert pages_printed(page) == 1


def test_a_whole_contingent_stands_on_its_card(table, open_page, sign_in, shoot):
    """Twenty units and eight characters: what an army may have at most (C-3)."""
    units = [{"type": "crossbows", "name": f"Crossbows of the {place}th", "experience": "elite", "traits": ["rapid"]}
             for place in range(20)]  # fmt: skip
    characters = [{"name": f"Alderic the {place}th", "kind": "hero", "shot": 1, "range": 3} for place in range(8)]
    sheet = {"units": units, "characters": characters}
    raise_army(by=table.gm, kingdom=table.realm, name="Bowmen of the northern border", sheet=sheet)
    page = open_page(language="fr")
    sign_in(page, table.ana)
    page.goto(f"/kingdoms/{table.realm.pk}/armies/cards/")
    shoot(page, "tf-cards-whole-1280")
    for card in page.locator("article.a6").all():
        assert card.evaluate("card => card.scrollHeight <= card.clientHeight + 1")
