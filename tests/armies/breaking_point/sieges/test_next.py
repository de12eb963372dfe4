"""The page of a siege offers what can be done next, and nothing that would be refused."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest
from django.urls import reverse

from armies.breaking_point.sieges import services as sieges_services
from armies.breaking_point.sieges.queries import build_siege_page
from tests.armies.breaking_point.sieges.tables import again, army, foot
from tests.armies.weeks.test_pages import text_of
from tests.kingdom.conftest import client_of

pytestmark = pytest.mark.django_db


def shown(user, siege) -> str:
    return text_of(client_of(user).get(reverse("armies:siege", args=[siege.pk])))


def primaries(page: str) -> list[str]:
    """What stands on the primary buttons and links of the page."""
    found = re.findall(r'class="(?:button )?primary"[^>]*>(.*?)</(?:button|a)>', page.partition("<main")[2])
    return [" ".join(re.sub(r"<.*?>", " ", words).split()) for words in found]


def test_before_a_battle_is_set_up_that_is_what_can_be_done_next(walls, laid):
    assert primaries(shown(walls.gm, laid)) == ["Offer terms"]
    sieges_services.begin_assault(by=walls.bo, siege=laid)
    page = shown(walls.gm, laid)
    assert primaries(page) == ["Set up battle"]
    assert '<details class="sheet stack more" id="battle-elsewhere">' in page
    assert "Save outcome" in page.partition('id="battle-elsewhere"')[2]
    assert primaries(shown(walls.bo, laid)) == primaries(shown(walls.ana, laid)) == []


def test_what_was_wrong_with_a_battle_fought_elsewhere_is_shown_open(walls, laid):
    sieges_services.begin_assault(by=walls.bo, siege=laid)
    refused = client_of(walls.gm).post(reverse("armies:siege_battle", args=[laid.pk]), {"outcome": "unheard of"})
    assert refused.status_code == 422
    assert 'id="battle-elsewhere" open>' in text_of(refused)


def test_relief_is_ordered_set_up_as_a_battle_without_circumstances_and_entered_by_the_gm(walls, laid):
    client, url = client_of(walls.gm), reverse("armies:siege_command", args=[laid.pk, "relief"])
    army(walls.crown, "Friends", foot(400))
    assert f'action="{url}"' in shown(walls.gm, laid)
    assert client.post(url, {"version": "0"}).status_code == 302
    assert client.post(url, {"version": "0"}).status_code == 412, "pressed twice, it begins once"
    page = shown(walls.gm, laid)
    way = re.findall(r'href="([^"]*/battles/new/[^"]*)"', page)
    setup = client.get(unescape(way[0])).context["form"]
    assert setup["circumstances-one"].value() == 0
    sent = {"version": "1", "outcome": "lifted", **dict.fromkeys(re.findall(r'name="(losses-\d+)"', page), "0")}
    assert client.post(reverse("armies:siege_battle", args=[laid.pk]), sent).status_code == 302
    assert "the siege is lifted" in shown(walls.gm, laid)
    assert (again(laid).status, again(walls.ker).kingdom) == ("lifted", walls.crown)


def test_terms_are_offered_to_nobody_who_hears_none(walls, laid):
    sieges_services.order_siege(by=walls.ana, siege=laid, hears=False)
    page = shown(walls.bo, laid)
    assert "Offer terms" not in page
    assert "or shares no language with you" in page


def test_nobody_makes_a_sortie_where_nobody_is_left_to_make_it(walls, laid):
    sortie = f"/sieges/{laid.pk}/do/sortie/"
    assert sortie in shown(walls.ana, laid)
    page = build_siege_page(walls.ana, again(laid))
    assert page.sallies
    assert not replace(page, garrison=replace(page.garrison, heads=0)).sallies


def test_a_place_under_siege_says_so_before_anybody_changes_it(walls, laid):
    page = text_of(client_of(walls.gm).get(reverse("armies:place_edit", args=[walls.ker.pk])))
    assert "Ker is besieged." in page
    assert reverse("armies:siege", args=[laid.pk]) in page.partition("<main")[2]
    assert "<form" not in page.partition("<main")[2].partition("</main>")[0]
    sieges_services.lift_siege(by=walls.bo, siege=again(laid))
    page = text_of(client_of(walls.gm).get(reverse("armies:place_edit", args=[walls.ker.pk])))
    assert 'name="garrison"' in page


@pytest.mark.parametrize("form", ["army_edit", "army_disband"])
def test_an_army_in_a_siege_says_so_when_its_form_is_opened(walls, laid, form):
    page = text_of(client_of(walls.bo).get(reverse(f"armies:{form}", args=[walls.host.pk])))
    assert "Host: held by the siege of Ker. End the siege first." in page
    assert reverse("armies:siege", args=[laid.pk]) in page.partition('id="held"')[2]
