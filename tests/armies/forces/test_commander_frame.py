"""A commander's page in the frame of its kingdom: its arms, and the tabs of its pages for who may read them."""

from __future__ import annotations

from django.urls import reverse

from armies.models import Army
from tests.kingdom.conftest import client_of


def page_of(user, commander) -> str:
    return client_of(user).get(reverse("armies:commander", args=[commander.pk])).content.decode()


def test_a_commanders_page_has_the_tabs_of_its_kingdom(war):
    html = page_of(war.ana, war.vell)
    people = reverse("kingdom:people", args=[war.crown.pk])
    tabs = html.partition('<nav class="tabs"')[2].partition("</nav>")[0]
    assert f'href="{people}" aria-current="page"' in tabs
    assert "Commanders and stores" in tabs
    places = html.partition('<nav class="places"')[2].partition("</nav>")[0]
    assert f'href="{reverse("kingdom:campaign", args=[war.campaign.pk])}" aria-current="page"' in places


def test_who_reads_the_commander_only_is_led_to_no_closed_page(war):
    Army.objects.filter(pk=war.levy.pk).update(revealed=True)
    html = page_of(war.bo, war.vell)
    assert war.vell.name in html
    assert reverse("kingdom:outlook", args=[war.crown.pk]) not in html
