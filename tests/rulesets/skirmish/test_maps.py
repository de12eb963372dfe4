"""A map that is sent to a battle: a file by the page, whatever it holds; documents by the API; strokes without end."""

from __future__ import annotations

import json
from time import perf_counter
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client as Browser

from battles.models import Battle
from rules.hexes.battlefields import STARTERS
from rules.hexes.mapfile import blank, document
from rules.hexes.terrain import MapKind
from tests.rulesets.browsing import plain
from tests.rulesets.skirmish.driver import DRIVER as hexes

FORD = document(STARTERS["the-ford"])


def sent(user: Any, battle: Battle, **fields: Any) -> Any:
    browser = Browser()
    browser.force_login(user)
    version = Battle.objects.get(pk=battle.pk).version
    return browser.post(f"/battles/{battle.pk}/command/", {"version": version, **fields})


def laid(user: Any, battle: Battle, content: bytes) -> Any:
    return sent(user, battle, type="map", how="file", file=SimpleUploadedFile("map.json", content))


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "marked"])
def test_a_map_is_laid_from_a_file(table, fresh, gm, mark):
    assert laid(table.gm, fresh, mark + json.dumps(FORD).encode()).status_code == 302
    assert gm.read()["map"] == FORD


@pytest.mark.parametrize(
    "content, told",
    [
        (bytes(range(1, 256)) * 20, "This text contains characters that can’t be displayed. Remove them."),
        (b"\0" * 50, "Some characters can’t be stored."),
        (b'{"a":' * 20_000, "This file isn’t valid JSON."),
        (json.dumps({**FORD, "more": float("nan")}).encode(), "This file isn’t valid JSON."),
        (b"[]", "This isn’t a map file."),
        (b"[" + b"1," * 150_000, "At most 262144 characters"),
        (
            json.dumps({**FORD, "labels": {"C7": "\ud800"}}).encode(),
            "This text contains characters that can’t be displayed. Remove them.",
        ),
        (b"", "Choose a file."),
    ],
    ids=["binary", "nulls", "deep", "nan", "list", "long", "surrogate", "empty"],
)
def test_what_is_no_map_is_refused_on_the_page(table, fresh, content, told):
    answer = laid(table.gm, fresh, content)
    assert answer.status_code == 422
    shown = plain(answer.content.decode())
    assert told in shown, shown[shown.find("Use this map") - 900 :][:900]
    assert Battle.objects.get(pk=fresh.pk).version == fresh.version


def test_the_api_takes_no_larger_map_than_the_page(gm, fresh):
    refused = gm.send(type="load_map", map={**FORD, "notes": "y" * 1_500_000})
    assert refused.status_code == 400
    assert refused.json()["errors"] == [{"pointer": "/map/notes", "detail": "A map file can be at most 256 KB."}]
    refused = gm.send(type="load_map", map={**FORD, "legend": {"x": ["wood"]}})
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "/map/legend/x")
    assert Battle.objects.get(pk=fresh.pk).version == fresh.version


def test_a_file_beside_a_command_is_not_kept_with_the_dice_it_asks_for(table, met):
    """A session keeps what was typed while dice are asked for; a file of any size is none of it."""
    fields = {"how": "asked", **hexes.sent(table)}
    assert sent(table.ana, met, **fields).status_code != 302, "dice are asked for"
    kept = [len(row.session_data) for row in Session.objects.all()]
    sent(table.ana, met, **fields, junk=SimpleUploadedFile("junk.bin", bytes(range(256)) * 1000))
    assert max(len(row.session_data) for row in Session.objects.all()) < max(kept) + 1000


def test_filling_from_many_hexes_costs_no_more_than_from_one(table, fresh, gm):
    gm.ok(type="load_map", map=document(blank("Plain", MapKind.BATTLE, 40, 40)))
    labels = [f"{letter}{row}" for row in range(1, 41) for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"] + ["A1"] * 1000
    begun = perf_counter()
    answer = sent(
        table.gm, fresh, type="brush", hexes=" ".join(labels), **{"look-terrain": "wood", "look-size": "fill"}
    )
    assert answer.status_code == 302
    assert perf_counter() - begun < 5
    assert {*gm.read()["map"]["terrain"]} == {"w" * 40}
