"""Two battles with equal dice that differ in hidden things alone read alike at every address, but to their own side."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.db import connection, transaction
from django.test import Client as Browser
from django.test import override_settings

from battles.models import Battle
from battles.play import battle_state as play_state
from core.client_info import parse_networks
from kingdom.models import WebhookDelivery
from kingdom.sharing.services import create_share
from kingdom.webhooks import delivery, event_types
from kingdom.webhooks.services import create_webhook
from tests.battles.conftest import Client
from tests.battles.frame.conftest import opened, play
from tests.everyday import FULL, at_most, spread
from tests.kingdom.conftest import api_of
from tests.rulesets.skirmish import ui
from tests.rulesets.skirmish.driver import DRIVER as hexes
from tests.rulesets.skirmish.driver import NORTH, SOUTH

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
RANDOM = re.compile(
    r'name="csrfmiddlewaretoken" value="[^"]*"|"csrf[^"]*": ?"[^"]*"|nonce="[^"]*"|X-CSRFToken[^}]*'
    r'|data-seen="[^"]*"|"revision":"[^"]*"'
)
PAGES = (
    "", "aftermath/", "replay/", "log/", "log.txt", "log.json", "log.jsonl", "order-of-battle/", "report/",
    "?tables=1", "?list=enemy", "?layers=zones.losses.sight", "log/luck/", "fairness/", "forecast/",
    "ground/none.svg", "?rail=log", "?hex=A14", "?hex=B13", "?hex=P14", "?hex=G9", "?find=S1", "?find=A14",
)  # fmt: skip
API = ("", "fairness/", "opponents/", "events/", "events/?undone=true", "replay/", "export/")
ACTS = ("R1", "R2", "F1", "F2", "F3", "S1")


def battle_of(table: Any, scouts: str, goes: str, false: str) -> Client:
    """The same battle with the scouts of the watch elsewhere, and another of its units false. The scouts stay far off,
    and no die strikes the false one down.
    """
    table.watch.sheet["false"] = false
    table.watch.save()
    gm = opened(table)
    play(gm, hexes.placing(table.watch, SOUTH | {"S1": scouts}) + hexes.placing(table.raiders, NORTH))
    play(gm, [{"type": "ready", "side": 0}, {"type": "ready", "side": 1}, {"type": "start"}])
    watch, raiders = table.watch, table.raiders
    strike = hexes.act(watch, "R1", "F7", hexes.unit(raiders, "R1"))
    gm.ok(**hexes.act(watch, "S1", goes))
    gm.ok(**hexes.theirs(table))
    gm.ok(**strike, dice=hexes.face(watch, "R1", 4))
    gm.ok(**hexes.answer(raiders, "R1", "F4"))
    gm.ok(**hexes.act(raiders, "F3", "K4"))
    gm.ok(**hexes.act(watch, "R2", "G7"))
    struck = hexes.unit(watch, "R2")  # false in one of them
    gm.ok(**hexes.act(raiders, "R2", "F6", struck), dice=hexes.face(raiders, "R2", 3))
    gm.ok(**hexes.act(watch, "F1"))
    asks = gm.ok(**hexes.act(raiders, "F1", "G6", struck), dice=hexes.face(raiders, "F1", 4))["pending"]
    gm.ok(**hexes.answer(watch, "R2", asks[0]["asks"][0]["options"][-1]["slug"]))
    gm.ok(**hexes.act(watch, "F3", "J10"))
    return gm


VARIANTS = {"a": ("A14", "B13", "R2"), "b": ("P14", "", "F3")}


def setup_of(table: Any, places: dict[str, str], false: str) -> Client:
    """The same battle in setup, with the units of the watch elsewhere and another of them false."""
    table.watch.sheet["false"] = false
    table.watch.save()
    gm = opened(table)
    play(gm, hexes.placing(table.watch, places) + hexes.placing(table.raiders, {"F1": "H3"}))
    gm.ok(type="ready", side=0)
    gm.ok(type="paint", hexes=["H14"], terrain="wood")
    return gm


ELSEWHERE = {"F1": "A12", "F2": "B12", "F3": "C12", "R1": "P12", "R2": "O12", "S1": "H14"}
SETUPS = {"a": (SOUTH, "R2"), "b": (ELSEWHERE, "F3")}


def read(table: Any, made: Callable[..., Client], differs: tuple[Any, ...], monkeypatch: Any) -> dict[str, str]:
    """What others than its side read of a battle, by address."""
    monkeypatch.setattr(ui, "token_hex", lambda _bytes: "salt")
    with override_settings(WEBHOOKS_TO=parse_networks(["127.0.0.1"])):
        given = {"url": "http://127.0.0.1:9/", "events": event_types.list_slugs(), "origin": "https://war.example.org"}
        create_webhook(by=table.gm, campaign=table.campaign, **given)
    with hearing() as news:
        gm = made(table, *differs)
    battle = Battle.objects.get(pk=gm.battle.pk)
    found = dict(addresses(table, battle)) | {"live": "\n".join(news)}
    found |= {
        f"webhook {number}": delivery.build_body(row)
        for number, row in enumerate(WebhookDelivery.objects.select_related("webhook", "campaign").order_by("id"))
    }
    return {address: plain(text, battle) for address, text in found.items()}


@contextmanager
def hearing() -> Iterator[list[str]]:
    """What is told meanwhile to pages that follow a campaign or battle, for `plain`."""
    told: list[str] = []

    def hear(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if "pg_notify" in str(sql):
            told.append(f"{sql} {params}")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(hear):
        yield told


def plain(text: str, battle: Battle) -> str:
    for known in (str(battle.pk), battle.pk.hex, str(battle.revision)):
        text = text.replace(known, "BATTLE")
    return RANDOM.sub("", text)


def theirs(asked: Sequence[str], place: int) -> Sequence[str]:
    """What the first or the second of two readers asks for: every day the first of it, and the rest by turns; in the
    full run all.
    """
    return asked if FULL else [*asked[:1], *asked[1 + place :: 2]]


def addresses(table: Any, battle: Battle) -> Iterator[tuple[str, str]]:
    units = [hexes.unit(army, tag) for army in (table.watch, table.raiders) for tag in ACTS]
    short = [unit.rpartition(":")[2] for unit in units]
    steps = len(api_of(table.bo).get(f"/api/v1/battles/{battle.pk}/events/").json()["results"]) + 2
    for place, who in enumerate(("bo", "viewer")):
        browser, api = Browser(), api_of(getattr(table, who))
        browser.force_login(getattr(table, who))
        page = f"/battles/{battle.pk}/"
        asked = [
            *PAGES,
            *(f"replay/?step={step}" for step in spread(range(1, steps), 5)),
            *(f"?unit={unit}" for unit in short),
        ]
        asked += [f"?unit={short[7]}&target={foe}" for foe in short[:6]]
        asked += [f"?unit={short[7]}&to={at}" for at in ("A14", "B13", "P14", "G8", "E4")]
        for query in theirs(asked, place):
            answer = browser.get(f"{page}{query}")
            yield f"{who} {query}", f"{answer.status_code} {answer.headers} {answer.getvalue().decode()}"
        api_asked = [*API, *(f"?pick={unit}" for unit in units), f"?pick={units[7]}&pick=&pick={units[4]}"]
        for query in theirs(api_asked, place):
            answer = api.get(f"/api/v1/battles/{battle.pk}/{query}")
            yield f"{who} api {query}", f"{answer.status_code} {answer.headers} {answer.getvalue().decode()}"
        for choice in ("", f"unit={short[7]}", f"unit={short[7]}&to=G8", "hex=B13"):  # as scripts ask
            asks = {"HX-Request": "true", "Field-Choice": str(battle.version)}
            answer = browser.get(f"{page}?{choice}", headers=asks)
            yield f"{who} chooses {choice}", f"{answer.status_code} {answer.headers} {answer.getvalue().decode()}"
        elsewhere = [
            f"/c/{table.campaign.pk}/battles/",
            f"/c/{table.campaign.pk}/",
            f"/c/{table.campaign.pk}/chronicle/",
            *(f"/find/?campaign={table.campaign.pk}&q={words}" for words in ("Ironwatch", "S1", "B13", "The ford")),
            *(f"/find/choices/?campaign={table.campaign.pk}&q={words}" for words in ("Ironwatch", "S1")),
            f"/armies/{table.raiders.pk}/",
        ]
        for address in theirs(elsewhere, place):
            yield f"{who} {address}", browser.get(address).content.decode()
        yield f"{who} list", api.get("/api/v1/battles/").content.decode()
        for command in refused(table):
            answer = Client(getattr(table, who), battle).send(**command)
            yield f"{who} sends {command}", f"{answer.status_code} {answer.content.decode()}"
    for kind in ("live", "replay", "report"):
        token = create_share(by=table.gm, campaign=table.campaign, kind=kind, thing=battle.pk).token
        answer = Browser().get(f"/s/{token}/")
        yield f"share {kind}", f"{answer.status_code} {answer.getvalue().decode().replace(token, 'TOKEN')}"


def refused(table: Any) -> Iterator[dict[str, Any]]:
    """What a player of the raiders may try to learn of the watch."""
    own = hexes.unit(table.raiders, "F3")
    for tag in ACTS:
        unit = hexes.unit(table.watch, tag)
        yield {"type": "act", "unit": unit, "to": "C10"}
        yield {"type": "act", "unit": own, "target": unit}
        yield {"type": "answer", "key": unit, "answers": {"to": "C10"}}
        yield {"type": "place", "unit": unit, "at": "C13"}
    yield {"type": "act", "unit": own, "path": ["J3", "K2", "B13"]}
    yield {"type": "act", "unit": own, "to": "B13"}
    yield {"type": "undo"}


def read_both(table: Any, made: Callable[..., Client], variants: Any, monkeypatch: Any) -> list[dict[str, str]]:
    found = []
    for differs in variants.values():
        before = transaction.savepoint_create()
        with time_machine.travel(NOON, tick=False):
            found.append(read(table, made, differs, monkeypatch))
        transaction.savepoint_rollback(before)
        play_state._states.clear()
        table.watch.refresh_from_db()
    return found


@pytest.mark.slow  # every day the hex laws people play are asked the same
@pytest.mark.parametrize("made, variants", [(battle_of, VARIANTS), (setup_of, SETUPS)], ids=["played", "set up"])
def test_what_is_hidden_reads_alike_at_every_address(table, monkeypatch, made, variants):
    a, b = read_both(table, made, variants, monkeypatch)
    assert a.keys() == b.keys()
    assert len([text for text in a.values() if text.startswith("200")]) > at_most(50, full=100)
    assert all(text.startswith("200") for address, text in a.items() if address == "share live")
    if made is battle_of:
        assert len([address for address in a if address.startswith("webhook")]) > 5
        assert all(text.startswith("200") for address, text in a.items() if address.startswith("share"))
    differing = [f"{address}: {apart(text, b[address])}" for address, text in a.items() if text != b[address]]
    if differing:
        pytest.fail("\n".join(differing))


def apart(one: str, other: str) -> str:
    """Where they part, with what stands around it."""
    at = next((n for n, (x, y) in enumerate(zip(one, other, strict=False)) if x != y), min(len(one), len(other)))
    return f"…{one[max(0, at - 200) : at + 80]}… / …{other[max(0, at - 60) : at + 80]}…"


def test_its_own_side_tells_them_apart(table, monkeypatch):
    """Else the other test would notice nothing."""
    monkeypatch.setattr(ui, "token_hex", lambda _bytes: "salt")
    gm = battle_of(table, *VARIANTS["a"])
    ana, bo = Client(table.ana, gm.battle), Client(table.bo, gm.battle)
    own = {unit["name"]: unit for unit in ana.read()["units"]}
    assert own["Ironwatch S1"]["at"] == "B13"
    assert own["Ironwatch R2"]["states"] == ["false"]
    others = {unit["name"]: unit for unit in bo.read()["units"]}
    assert "Ironwatch S1" not in others
    assert others["Ironwatch R2"]["states"] == []
    assert "false" not in json.dumps(others).replace('"can_act": false', "").replace('"done": false', "")
