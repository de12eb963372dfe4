"""What depends on who asks is kept by no browser and no proxy."""

from __future__ import annotations

from types import SimpleNamespace
from urllib.request import urlopen

import pytest
from django import shortcuts
from django.test import Client

from tests.access.people import is_read, reads
from tests.everyday import FULL
from tests.kingdom.conftest import make_user
from tests.manners.doors import doors, is_kept


@pytest.fixture
def undrawn(monkeypatch):
    """What stands in a page says nothing of how long it may be kept."""
    monkeypatch.setattr(shortcuts, "loader", SimpleNamespace(render_to_string=lambda *_given, **_named: ""))


def test_nothing_a_member_reads_may_be_stored(table, undrawn):
    """Every day what the GM alone is told: what a player reads is asked for in tests/access/test_canaries.py."""
    client = Client()
    client.force_login(table.gm)
    kept = {}
    for door in doors(table):
        if "logout" in door.url or (not FULL and (door.api or reads("player", door.pattern))):
            continue
        if not is_read(door.pattern) or is_kept(door):
            continue
        answer = client.get(door.url)
        if "no-store" not in answer.headers.get("Cache-Control", ""):
            kept[door.url] = answer.headers.get("Cache-Control")
    assert kept == {}


def test_pages_and_reads_of_the_api_are_private(table):
    client = Client()
    client.force_login(table.gm)
    api = {"Authorization": f"Token {table.key}"}
    assert client.get(f"/armies/{table.watch.pk}/").headers["Cache-Control"] == "private, no-store"
    assert client.get(f"/c/{table.campaign.pk}/chronicle/csv/").headers["Cache-Control"] == "private, no-store"
    read = client.get(f"/api/v1/armies/{table.watch.pk}/", headers=api)
    assert read.headers["Cache-Control"] == "private, no-store"
    again = client.get(f"/api/v1/armies/{table.watch.pk}/", headers={**api, "If-None-Match": read["ETag"]})
    assert again.status_code == 304
    assert again.headers["Cache-Control"] == "private, no-store"


def test_a_picture_is_kept_by_the_browser_of_its_reader_alone(table):
    client = Client()
    client.force_login(table.gm)
    (found,) = (door for door in doors(table) if is_kept(door))
    assert client.get(found.url).headers["Cache-Control"] == "private, max-age=31536000, immutable"
    client.logout()
    assert "no-store" in client.get(found.url).headers["Cache-Control"]


def test_static_files_are_still_kept(server):
    with urlopen(f"{server.url}/static/js/warhost.js") as answer:
        assert answer.status == 200
        assert "no-store" not in answer.headers.get("Cache-Control", "")


def test_going_back_after_signing_out_shows_nothing(page, sign_in, server):
    sign_in(page, make_user("gm"))
    page.goto("/tokens/")
    page.goto("/account/")
    assert page.locator("h1").count() == 1
    page.goto("/accounts/logout/")
    page.locator("main form[action$='/accounts/logout/'] button, main form button").first.click()
    page.wait_for_url(f"{server.url}/")
    page.go_back()
    page.go_back()
    page.wait_for_url("**/accounts/login/**")
