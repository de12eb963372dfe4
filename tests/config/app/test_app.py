"""Warhost as an app: what the browser installs, the worker's shell, and pages that say whose they are."""

from __future__ import annotations

import re
import struct

import pytest
from django.conf import settings
from django.test import Client
from django.urls import get_resolver, reverse

from config.app import icons, views
from config.app.readers import NOBODY, OF_NOBODY, READER, SHEET, SHEETS
from config.ops.data_directory import BASE_DIR
from kingdom.campaign.services import create_campaign
from kingdom.realms.services import found_kingdom
from kingdom.sharing.services import create_share
from tests.kingdom.conftest import make_user

pytestmark = pytest.mark.django_db


def size_of(picture: bytes) -> tuple[int, int]:
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


@pytest.mark.parametrize("language, told", [("en", "Kingdoms, their armies"), ("fr", "Des royaumes")])
def test_the_manifest_is_what_a_browser_installs_in_its_readers_language(client, language, told):
    answer = client.get("/manifest.webmanifest", headers={"Accept-Language": language})
    assert answer["Content-Type"] == "application/manifest+json"
    body = answer.json()
    assert (body["lang"], body["start_url"], body["scope"], body["display"]) == (language, "/", "/", "standalone")
    assert told in body["description"]
    assert {"any", "maskable"} == {icon["purpose"] for icon in body["icons"]}
    for icon in body["icons"]:
        picture = BASE_DIR / icon["src"].lstrip("/")
        assert "x".join(map(str, size_of(picture.read_bytes()))) == icon["sizes"]


def test_the_icons_are_those_of_the_drawing(tmp_path):
    icons.draw(tmp_path)
    for name in icons.SIZES:
        assert (tmp_path / name).read_bytes() == (icons.FOLDER / name).read_bytes(), name


def test_the_worker_stands_above_every_page_and_is_asked_for_anew(client):
    answer = client.get("/worker.js")
    assert (answer["Content-Type"], answer["Cache-Control"]) == ("text/javascript", "private, no-store")
    script = answer.content.decode()
    assert script.startswith("const APP = {")
    assert re.search(r'"version": "[0-9a-f]{16}"', script)


def test_all_of_the_shell_is_there_and_nothing_a_page_is_drawn_with_is_missing(client):
    shell = views.shell_names()
    assert len(views.shell_files()) == len(shell)
    drawn = re.findall(
        r'(?:href|src)="/static/([^"#]+\.(?:css|js|woff2|svg))', client.get("/credits/").content.decode()
    )
    assert drawn
    assert set(drawn) <= set(shell)


@pytest.mark.parametrize("language, told", [("en", "You are offline"), ("fr", "hors ligne")])
def test_the_page_for_what_was_not_seen_is_the_same_for_everybody(client, language, told):
    stranger = client.get(f"/offline/{language}/").content.decode()
    assert told in stranger
    client.force_login(make_user("ana"))
    assert client.get(f"/offline/{language}/").content.decode() == stranger
    assert client.get("/offline/xx/").status_code == 404


def test_another_page_for_what_was_not_seen_makes_another_shell(monkeypatch):
    """It is kept with the shell: a device would show the old one for as long as no file is another."""
    made = views.worker_script.__wrapped__
    script = made()
    assert made() == script
    draw = views.render_to_string
    monkeypatch.setattr(views, "render_to_string", lambda *told: draw(*told).replace("You are", "We are"))
    assert made() != script


def test_every_page_says_whose_it_is_and_only_sheets_may_be_kept(client):
    nobody = client.get("/")
    assert (nobody[READER], SHEET in nobody) == (NOBODY, False)
    readers = set()
    for name in ("ana", "bo"):
        own = Client()
        own.force_login(make_user(name))
        home, account, part = own.get("/"), own.get("/account/"), own.get("/", headers={"HX-Request": "true"})
        assert (SHEET in home, SHEET in account) == (True, False)
        assert home[READER] == account[READER] != NOBODY
        assert not {READER, SHEET} & set(part.headers)
        assert READER not in own.get("/api/v1/campaigns/")
        readers.add(home[READER])
    assert len(readers) == 2


@pytest.mark.parametrize("opens", [True, False])
def test_a_page_behind_a_link_tells_nothing_of_who_reads_here(client, opens):
    """Else a member who looks at their own link would lose all that their device keeps."""
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="Restov marches", ruleset="combat-de-masse")
    crown = found_kingdom(by=gm, campaign=campaign, name="Crown")
    token = create_share(by=gm, campaign=campaign, kind="kingdom", thing=crown.pk).token if opens else "no-such-token"
    client.force_login(gm)
    page = client.get(reverse("kingdom:shared", args=[token]))
    assert page.status_code == (200 if opens else 404)
    assert not {READER, SHEET} & set(page.headers)
    assert client.get("/")[READER] != NOBODY


def test_the_sheets_that_are_kept_are_addresses_there_are():
    known = {
        f"{namespace}:{name}"
        for namespace, (_prefix, resolver) in get_resolver().namespace_dict.items()
        for name in resolver.reverse_dict
        if isinstance(name, str)
    }
    assert known >= SHEETS | OF_NOBODY
    assert set(dict(settings.LANGUAGES)) == {"en", "fr"}  # each has its page in the worker
