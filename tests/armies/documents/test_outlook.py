"""A kingdom's outlook says what its weeks cost and what is due, under every ruleset that pays armies."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest
from django.urls import reverse

from armies.models import Army
from armies.weeks.queries import list_due
from armies.weeks.services import confirm_time
from kingdom.models import Campaign, Kingdom
from kingdom.realms.planned_services import plan_line
from tests.kingdom.conftest import client_of
from tests.rulesets.drivers import driver_of, table_of

pytestmark = pytest.mark.django_db
LAWS = ("wing-command", "thucidide-fantasy")


@pytest.fixture(params=LAWS)
def table(request, db) -> SimpleNamespace:
    return table_of(driver_of(request.param))


def outlook(user, kingdom) -> str:
    page = client_of(user).get(reverse("kingdom:outlook", args=[kingdom.pk])).content.decode()
    return plain(page[page.index("<main") :])


def plain(markup: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", markup).split())


def test_it_says_what_armies_cost_and_that_the_treasury_is_short(table):
    Army.objects.filter(pk=table.watch.pk).update(upkeep=7)
    assert "Armies cost 7 BP a week." in outlook(table.ana, table.crown)
    assert "Army upkeep: 7 BP C-5" in outlook(table.ana, table.crown)
    Kingdom.objects.filter(pk=table.crown.pk).update(treasury=3)
    assert "day 7 Army upkeep: 7 BP, but the treasury has only 3" in outlook(table.ana, table.crown)


def test_it_lists_planned_entries_and_armies_that_fled(table):
    Army.objects.filter(pk=table.watch.pk).update(status=Army.Status.ROUTED)
    plan_line(by=table.gm, kingdom=table.crown, name="Tithe", amount=5, every="week", until=None)
    shown = outlook(table.ana, table.crown)
    assert "Tithe: +5 BP" in shown
    assert "day 7 Ironwatch: ready again, unless it fights before then. C-7" in shown


def test_upcoming_names_the_armies_that_the_outlook_names(table, django_assert_max_num_queries):
    """C-7. It names the day, too: the end of the first week without battle."""
    Army.objects.filter(pk=table.watch.pk).update(status=Army.Status.ROUTED)
    page, told = f"/c/{table.campaign.pk}/time/", "Ironwatch: ready again, unless it fights before then. C-7"
    client = client_of(table.ana)
    client.get(page)
    with django_assert_max_num_queries(16):
        markup = client.get(page).content.decode()
    assert told in plain(markup)
    assert f'<a href="/armies/{table.watch.pk}/">Ironwatch: ready again' in markup
    assert told not in plain(client_of(table.bo).get(page).content.decode()), "of another kingdom"
    Army.objects.filter(pk=table.watch.pk).update(health=0)
    assert told not in plain(client.get(page).content.decode()), "nobody is left to rally"


def test_an_army_is_ready_on_the_day_that_is_named(table):
    Army.objects.filter(pk=table.watch.pk).update(status=Army.Status.ROUTED)
    (day,) = [line.day for line in list_due(table.gm, table.campaign) if line.army == table.watch.pk]
    confirm_time(by=table.gm, campaign=table.campaign, days=day - 1)
    assert Army.objects.get(pk=table.watch.pk).status == Army.Status.ROUTED
    confirm_time(by=table.gm, campaign=Campaign.objects.get(pk=table.campaign.pk), days=1)
    assert Army.objects.get(pk=table.watch.pk).status == Army.Status.READY


def test_it_looks_twelve_weeks_ahead(table):
    Army.objects.filter(pk=table.watch.pk).update(upkeep=7)
    Kingdom.objects.filter(pk=table.crown.pk).update(treasury=20)
    shown = outlook(table.ana, table.crown)
    assert "The treasury covers 2 more full weeks." in shown
    assert "Week 3 can’t be paid in full: the treasury is 1 BP short." in shown
    assert "Today 20 1 7 7 13 2 14 7 6 3 21 7 −1" in shown
    assert " 12 84 7 " in shown
    plan_line(by=table.gm, kingdom=table.crown, name="Tithe", amount=7, every="week", until=None)
    shown = outlook(table.ana, table.crown)
    assert "At this rate, the treasury lasts for years." in shown
    assert "can’t be paid" not in shown


def test_a_kingdom_without_armies_or_treasury_is_told_so(table):
    Army.objects.filter(kingdom=table.crown).delete()
    assert "This kingdom has no army yet." in outlook(table.ana, table.crown)
    Kingdom.objects.filter(pk=table.horde.pk).update(without_treasury=True)
    assert "No treasury: armies cost nothing." in outlook(table.bo, table.horde)
