"""A portrait in Chromium: chosen, uploaded, seen, removed and undone, on a phone in French."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browsing import PHONE, overflow
from tests.pictures_sent import make_picture

LOADED = "image => image.complete && image.naturalWidth > 0"


def test_a_portrait_is_uploaded_seen_and_brought_back(transactional_db, war, open_page, sign_in, accessibility, shoot):
    page = open_page(viewport=PHONE, language="fr")
    sign_in(page, war.gm)
    page.goto(f"/commanders/{war.vell.pk}/")
    page.get_by_role("link", name="Ajouter une image").click()
    sent = {"name": "vell.jpg", "mimeType": "image/jpeg", "buffer": make_picture("JPEG", 900, 1200, color="navy")}
    page.get_by_label("Fichier").set_input_files(sent)
    assert accessibility(page) == []
    page.get_by_role("button", name="Enregistrer").click()
    portrait = page.get_by_role("img", name="Portrait : Ser Vell")
    expect(portrait).to_be_visible()
    page.wait_for_function(f"() => ({LOADED})(document.querySelector('img.portrait'))")
    assert (accessibility(page), overflow(page) <= 0) == ([], True)
    shoot(page, "portrait-390")
    page.get_by_role("link", name="Changer l’image").click()
    page.get_by_role("button", name="Retirer").click()
    expect(portrait).to_have_count(0)
    page.get_by_role("button", name="Annuler").first.click()
    page.goto(f"/commanders/{war.vell.pk}/")
    expect(portrait).to_be_visible()
