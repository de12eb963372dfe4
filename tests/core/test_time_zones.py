"""Hours and dates as their reader writes them, where they are; the API knows UTC alone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from config.web.jinja import date_of
from core.text import DEVICE, list_known, list_offered
from kingdom.accounts.forms import SettingsForm
from kingdom.accounts.services import choose_settings
from kingdom.models import SecurityEvent, User
from rules.core.errors import InvalidInput
from tests.kingdom.conftest import client_of, make_user

PAGE, SETTINGS = "/account/security/", "/account/"
MOMENT = datetime(2026, 11, 24, 23, 30, tzinfo=UTC)
PARIS, NEW_YORK = "Europe/Paris", "America/New_York"


@pytest.fixture
def ana(db) -> User:
    user = make_user("ana")
    SecurityEvent.objects.create(user=user, kind="sign-in", at=MOMENT)
    SecurityEvent.objects.filter(user=user).update(at=MOMENT)
    return user


def told(client: Client) -> str:
    return client.get(PAGE).content.decode()


@pytest.mark.parametrize(
    "language, zone, written",
    [
        ("en", PARIS, "25 Nov 2026, 00:30"),
        ("en", NEW_YORK, "24 Nov 2026, 18:30"),
        ("fr", PARIS, "25/11/2026 00:30"),
        ("fr", NEW_YORK, "24/11/2026 18:30"),
    ],
)
def test_the_hour_is_told_in_ones_own_zone_and_language(ana, language, zone, written):
    choose_settings(by=ana, time_zone=zone, language=language)
    assert written in told(client_of(ana))


def test_where_nothing_is_chosen_the_device_says_where_it_is(ana):
    client = client_of(ana)
    assert "24 Nov 2026, 23:30" in told(client)
    client.cookies[DEVICE] = NEW_YORK
    assert "24 Nov 2026, 18:30" in told(client)
    choose_settings(by=ana, time_zone=PARIS)
    assert "25 Nov 2026, 00:30" in told(client)
    assert timezone.get_current_timezone_name() == "UTC", "the next request begins anew"


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../../etc/passwd", "Europe", "\xe9"])
def test_a_device_that_is_nowhere_is_told_the_sites_hour(ana, zone):
    client = client_of(ana)
    client.cookies[DEVICE] = zone
    assert "24 Nov 2026, 23:30" in told(client)


def test_the_api_tells_utc_to_whoever_is_wherever(ana):
    choose_settings(by=ana, time_zone=NEW_YORK)
    client = client_of(ana)
    client.cookies[DEVICE] = PARIS
    events = client.get("/api/v1/account/security/").json()["results"]
    assert "2026-11-24T23:30:00Z" in [event["at"] for event in events]


def test_the_api_tells_utc_wherever_the_site_is(ana, settings):
    settings.TIME_ZONE = PARIS
    client = client_of(ana)
    assert "25 Nov 2026, 00:30" in told(client)
    events = client.get("/api/v1/account/security/").json()["results"]
    assert "2026-11-24T23:30:00Z" in [event["at"] for event in events]


def test_a_zone_is_chosen_from_a_list_without_scripts_and_costs_no_query(ana):
    client = client_of(ana)
    told(client)
    with CaptureQueriesContext(connection) as before:
        told(client)
    chosen = {"language": "", "dice": "server", "time_zone": NEW_YORK}
    assert client.post(SETTINGS, {**chosen, "time_zone": "Mars/Olympus"}).status_code == 422
    assert client.post(SETTINGS, chosen).status_code == 302
    assert f'<option value="{NEW_YORK}" selected>America/New York</option>' in client.get(SETTINGS).content.decode()
    told(client)
    with CaptureQueriesContext(connection) as after:
        assert "24 Nov 2026, 18:30" in told(client)
    assert len(after) == len(before)
    with pytest.raises(InvalidInput):
        choose_settings(by=ana, time_zone="Mars/Olympus")
    assert len(list_offered()) > 300
    assert set(list_offered()) <= list_known()
    assert "Asia/Kolkata" in list_offered()
    assert not {"Asia/Calcutta", "America/Buenos_Aires", "Europe/Kiev"} & set(list_offered()), "each place once"
    old = SettingsForm({"time_zone": "Asia/Calcutta"}, initial={"time_zone": "Asia/Calcutta"})
    assert "time_zone" not in old.errors, "who chose an older name keeps it"
    assert "time_zone" in SettingsForm({"time_zone": "Asia/Calcutta"}).errors


def test_what_the_other_engine_draws_is_told_alike():
    with timezone.override(NEW_YORK), translation.override("en"):
        assert date_of(MOMENT, "SHORT_DATETIME_FORMAT") == "24 Nov 2026, 18:30"
        assert date_of(MOMENT, "DATE_FORMAT") == "24 November 2026"
