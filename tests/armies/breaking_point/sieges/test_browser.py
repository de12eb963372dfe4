"""A siege in a real browser: on a laptop, on a phone in French and in the dark, without JavaScript."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from armies.breaking_point.models import SiegeRow
from armies.breaking_point.sieges.services import begin_siege
from tests.armies.breaking_point.sieges.tables import again, army, foot
from tests.browsing import LAPTOP, PHONE, overflow
from tests.everyday import everyday

LOOKS = {
    "laptop": {"viewport": LAPTOP},
    "phone": {"viewport": PHONE, "dark": True, "language": "fr"},
}
KNOWN = {"laptop": ("Garrison", "Under siege"), "phone": ("Garnison", "Assiégées")}


@pytest.mark.parametrize("look", everyday(["phone", "laptop"], first=1))
def test_every_page_of_a_siege_fits_and_can_be_read(walls, open_page, sign_in, shoot, accessibility, look):
    begun = begin_siege(by=walls.bo, place=walls.ker, armies=[walls.host])
    page = open_page(**LOOKS[look])
    sign_in(page, walls.gm)
    inside, listed = KNOWN[look]
    for name, pk, words in (
        ("siege", begun.pk, inside), ("place", walls.ker.pk, inside), ("sieges", walls.campaign.pk, listed),
        ("place_new", walls.crown.pk, inside), ("time", walls.campaign.pk, "Ker"),
    ):  # fmt: skip
        page.goto(reverse(f"armies:{name}", args=[pk]))
        expect(page.get_by_text(words).first).to_be_visible()
        assert overflow(page) <= 0
        assert accessibility(page, both=True) == []
        shoot(page, f"siege-{name}-{look}")
        page.set_viewport_size(LAPTOP)
        assert overflow(page) <= 0
        page.set_viewport_size(LOOKS[look]["viewport"])


@pytest.mark.slow
def test_a_siege_is_laid_and_ends_by_terms_typed_face_by_face(walls, open_page, sign_in, shoot):
    page = open_page(viewport=PHONE)
    sign_in(page, walls.bo)
    page.goto(reverse("armies:place", args=[walls.ker.pk]))
    page.get_by_label("Host").check()
    page.get_by_role("button", name="Begin siege").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Siege of Ker")
    page.get_by_text("Rolled at the table").click()
    page.get_by_role("button", name="Offer terms").click()
    page.get_by_label("Terms (d10)").fill("10")
    page.get_by_role("button", name="Apply my dice").click()
    page.get_by_label("Terms, die 2 (d10)").fill("4")
    shoot(page, "siege-terms-phone")
    page.get_by_role("button", name="Apply my dice").click()
    expect(page.get_by_text("the garrison surrenders unconditionally").first).to_be_visible()
    shoot(page, "siege-over-phone")
    assert SiegeRow.objects.get().status == "unconditional"
    assert again(walls.ker).kingdom == walls.horde


@pytest.mark.slow
def test_without_javascript_a_siege_is_commanded_all_the_same(walls, open_page, sign_in):
    begun = begin_siege(by=walls.bo, place=walls.ker, armies=[walls.host])
    page = open_page(java_script_enabled=False)
    sign_in(page, walls.bo)
    page.goto(reverse("armies:siege", args=[begun.pk]))
    page.get_by_role("button", name="Assault").click()
    expect(page.get_by_text("the assault began").first).to_be_visible()
    sign_in(page, walls.gm)
    page.goto(reverse("armies:siege", args=[begun.pk]))
    page.locator("#battle-elsewhere > summary").click()
    page.get_by_label("Outcome").select_option("lifted")
    page.get_by_role("button", name="Save outcome").click()
    expect(page.get_by_text("the siege is lifted").first).to_be_visible()
    assert again(begun).status == "lifted"


@pytest.mark.slow
def test_relief_drives_the_besieger_off_in_french_on_a_phone(walls, open_page, sign_in, shoot):
    """Clicked twice a week passes once; taken back it is gone; who saw an older siege is told; then it is relieved."""
    begun = begin_siege(by=walls.bo, place=walls.ker, armies=[walls.host])
    army(walls.crown, "Friends", foot(400))
    # Without scripts their page does not follow what others do.
    late, page = (open_page(viewport=PHONE, language="fr", java_script_enabled=scripts) for scripts in (False, True))
    sign_in(late, walls.bo)
    late.goto(reverse("armies:siege", args=[begun.pk]))
    sign_in(page, walls.gm)
    page.goto(reverse("armies:time", args=[walls.campaign.pk]))
    page.locator("#preview").click()
    page.locator("#confirm").dblclick()
    expect(page.get_by_text("7 jours ont passé").first).to_be_visible()
    assert (again(walls.campaign).day, again(begun).state["age"]) == (7, 1)
    page.get_by_role("button", name="Annuler").click()
    expect(page.get_by_text("Annulation – 7 jours ont passé")).to_be_visible()
    assert (again(walls.campaign).day, again(begun).state["age"]) == (0, 0)
    late.get_by_role("button", name="Négocier").click()
    expect(late.get_by_text("Ce siège a changé").first).to_be_visible()
    page.goto(reverse("armies:siege", args=[begun.pk]))
    page.get_by_role("button", name="Attaque de secours").dblclick()
    page.get_by_role("link", name="Préparer la bataille").click()
    expect(page.locator("[name=circumstances-one]")).to_have_value("0")
    shoot(page, "siege-relief-phone-fr")
    page.goto(reverse("armies:siege", args=[begun.pk]))
    page.locator("#battle-elsewhere > summary").click()
    page.get_by_label("Issue").select_option("lifted")
    page.get_by_role("button", name="Enregistrer").last.click()
    expect(page.get_by_text("le siège est levé").first).to_be_visible()
    shoot(page, "siege-lifted-phone-fr")
    assert (again(begun).status, again(walls.ker).kingdom) == ("lifted", walls.crown)
