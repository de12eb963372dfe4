"""A kingdom's outlook says what its weeks cost and what is due, under every ruleset that pays armies."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest
from django.urls import reverse

from armies.models import Army
from kingdom.models import Kingdom
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
    main = page[page.index("<main") :]
    return " ".join(re.sub("<[^>]+>", " ", main).split())


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
    assert "Ironwatch fled and needs a week before it can fight." in shown


def test_a_kingdom_without_armies_or_treasury_is_told_so(table):
    Army.objects.filter(kingdom=table.crown).delete()
    assert "This kingdom has no army yet." in outlook(table.ana, table.crown)
    Kingdom.objects.filter(pk=table.horde.pk).update(without_treasury=True)
    assert "No treasury: armies cost nothing." in outlook(table.bo, table.horde)
