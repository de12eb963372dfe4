"""Pages of kingdoms ask before a debt and tell of two towns of one name."""

from __future__ import annotations

import pytest
from django.urls import reverse

from kingdom.models import LedgerEntry, Settlement
from kingdom.realms.services import found_settlement
from tests.kingdom.conftest import client_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("page", ["kingdom_entry", "ledger"])
def test_an_expense_beyond_the_treasury_is_asked_about_once(gm, crown, page):
    client, address = client_of(gm), reverse(f"kingdom:{page}", args=[crown.pk])
    entries = LedgerEntry.objects.filter(kingdom=crown)
    before = entries.count()
    asked = client.post(address, {"amount": "-30", "reason": "Bread"})
    assert asked.status_code == 422
    assert "This leaves −9 BP." in asked.content.decode()
    assert 'name="anyway"' in asked.content.decode()
    assert entries.count() == before
    assert client.post(address, {"amount": "-30", "reason": "Bread", "anyway": "on"}).status_code == 302
    assert client.post(address, {"amount": "5", "reason": "A gift to a poor kingdom"}).status_code == 302
    assert [entry.amount for entry in entries.order_by("seq")][-2:] == [-30, 5]


def test_a_second_town_of_one_name_is_told(gm, crown):
    found_settlement(by=gm, kingdom=crown, name="Castelmar")
    address = reverse("kingdom:settlement_new", args=[crown.pk])
    told = client_of(gm).post(address, {"name": "castelmar", "districts": "1"}, follow=True).content.decode()
    assert "This kingdom has another settlement named castelmar." in told
    assert Settlement.objects.filter(kingdom=crown).count() == 2
    told = client_of(gm).post(address, {"name": "Restov", "districts": "1"}, follow=True).content.decode()
    assert "another settlement" not in told


def test_a_check_against_a_dc_below_zero_is_refused(gm, crown):
    answer = client_of(gm).post(reverse("kingdom:kingdom_check", args=[crown.pk]), {"attribute": "economy", "dc": "-5"})
    assert answer.status_code == 422
    assert "At least 0." in answer.content.decode()
