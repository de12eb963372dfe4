"""The clock of the server jumps, back and forth: ids go on in order, who is signed in stays so, what ends does end."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from kingdom.campaign.services import create_campaign, update_campaign
from kingdom.models import ApiToken, Campaign, ChronicleEntry
from kingdom.models.base import uuid7
from kingdom.realms.services import found_kingdom
from tests.everyday import at_most
from tests.faults.report import told
from tests.kingdom.conftest import api_of, make_user

pytestmark = [pytest.mark.django_db]
JUMPS = (0, -3_600, 30, -86_400 * 3, 86_400 * 2, -1, 3_600, -86_400 * 30, 60)
"""Seconds from the true time: summer time undone, a dead battery, a time server that mends it."""


def moments() -> list[datetime]:
    now = timezone.now().replace(microsecond=0)
    return [now + timedelta(seconds=jump) for jump in JUMPS]


def test_ids_go_on_in_order_whatever_the_clock_says() -> None:
    made = []
    for moment in moments():
        with time_machine.travel(moment):
            made += [uuid7() for _ in range(200)]
    told("clock jumps", jumps=len(JUMPS), ids=len(made), out_of_order=sum(a >= b for a, b in zip(made, made[1:])))  # noqa: B905, RUF007
    assert made == sorted(set(made))


def test_a_campaign_goes_on_whatever_the_clock_says() -> None:
    """Made, changed, told in the chronicle and read, at every moment, by the same session and the same token."""
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="Jumping", ruleset="combat-de-masse")
    api, client = api_of(gm), Client()
    client.force_login(gm)
    jumps = moments()[: at_most(4, full=len(JUMPS))]
    for number, moment in enumerate(jumps):
        with time_machine.travel(moment):
            kingdom = found_kingdom(by=gm, campaign=campaign, name=f"Realm {number}")
            update_campaign(by=gm, campaign=campaign, name=f"Jumping {number}")
            assert client.get(f"/kingdoms/{kingdom.pk}/").status_code == 200
            assert client.get(f"/c/{campaign.pk}/story/").status_code == 200
            assert (
                api.get(f"/api/v1/kingdoms/?campaign={campaign.pk}").json()["results"][-1]["name"].startswith("Realm")
            )
    entries = list(ChronicleEntry.objects.filter(campaign=campaign).order_by("seq").values_list("pk", flat=True))
    assert entries == sorted(entries)
    assert Campaign.objects.get(pk=campaign.pk).name == f"Jumping {len(jumps) - 1}"


def test_a_key_ends_when_the_clock_passes_its_end_and_not_before() -> None:
    """Made while the clock was an hour ahead, it lives that much longer: nothing but the clock knows better."""
    gm, now = make_user("gm"), datetime.now(UTC)
    with time_machine.travel(now + timedelta(hours=1)):
        _token, key = ApiToken.objects.create(user=gm, expiry=timedelta(hours=2))
    client, header = Client(), {"Authorization": f"Token {key}"}
    for hours, status in ((0, 200), (2.9, 200), (-48, 200), (3.1, 401)):
        with time_machine.travel(now + timedelta(hours=hours)):
            assert client.get("/api/v1/campaigns/", headers=header).status_code == status
