"""The odds workshop: two armies, asked by an address; what a reader may not know he neither picks nor infers."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse


@pytest.fixture
def gm_client(table) -> Client:
    client = Client()
    client.force_login(table.gm)
    return client


def ask(client: Client, table, **said):
    return client.get(reverse("battles:workshop", args=[table.campaign.pk]), said)


def test_two_armies_are_set_against_each_other(gm_client, table):
    page = ask(gm_client, table)
    assert page.status_code == 200
    odds = page.context["page"].answers.odds
    assert odds.sides[0].win + odds.sides[1].win + odds.mutual + odds.undecided == pytest.approx(1)
