"""Two battles with equal dice that differ in hidden things alone read alike at every address, but to their own side.

Hidden are where units lie that infiltrate, spells face down, and in setup places and orders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import time_machine
from django.db import transaction
from django.test import Client as Browser
from django.test import override_settings

from battles.models import Battle
from battles.play import battle_state as play_state
from battles.wing_command import ui
from core.client_info import parse_networks
from kingdom.models import WebhookDelivery
from kingdom.sharing.services import create_share
from kingdom.webhooks import delivery, event_types
from kingdom.webhooks.services import create_webhook
from tests.battles.conftest import Client
from tests.everyday import at_most, everyday, spread
from tests.kingdom.conftest import api_of
from tests.rulesets.skirmish.test_secrecy import API, NOON, apart, hearing, plain, theirs
from tests.rulesets.wing_command import hosts

SPIES, MAGE = "Night eyes", "Oshka"
PAGES = (
    "", "aftermath/", "replay/", "log/", "log.txt", "log.json", "log.jsonl", "order-of-battle/", "report/",
    "?tables=1", "?list=enemy", "?layers=zones.losses.command", "log/luck/", "fairness/", "forecast/",
    "ground/none.svg", "?rail=log",
    "?hex=A1", "?hex=P1", "?hex=B3", "?hex=O3", "?find=S1", "?find=A1", "?unit=P1",
)  # fmt: skip
VARIANTS = {"a": ("A1", "A2", "ward"), "b": ("P1", "O2", "courage")}
SETUPS = {"a": ("A1", "attack", "A2"), "b": ("P1", "hold", "D1")}


def wing(table: Any, side: str, number: int) -> str:
    return str(getattr(table, side).armies[number].pk)


def face(army: str, roll: str, *values: int) -> dict[str, Any]:
    return {"army": army, "roll": roll, "values": list(values)}


def initiative(table: Any) -> list[dict[str, Any]]:
    return [face(wing(table, "crown", 0), "initiative", 6), face(wing(table, "horde", 0), "initiative", 1)]


def peaceful(table: Any, gm: Client) -> None:
    """Nobody is compelled to anything."""
    for side, order in (("crown", "hold"), ("horde", "advance")):
        for number in range(3):
            gm.ok(type="set_order", wing=wing(table, side, number), order=order)


def battle_of(table: Any, lies: str, goes: str, spell: str) -> Client:
    """The same battle with the spies of the horde elsewhere, and another spell face down. No die strikes the spies."""
    battle = hosts.opened(table)
    gm = hosts.place_all(table, battle)
    gm.ok(type="place", unit=hosts.unit(battle, SPIES), at=lies)
    peaceful(table, gm)
    gm.ok(type="ready", side=0)
    gm.ok(type="ready", side=1)
    gm.ok(type="start")
    gm.ok(type="roll_initiative", dice=initiative(table))
    gm.ok(type="pass", side=0)
    mage = hosts.unit(battle, MAGE)
    Client(table.bo, battle).ok(type="choose_spell", character=mage, spell=spell)
    gm.ok(type="pass", side=1)
    archers = next(one for one in gm.read()["units"] if one["name"] == "Archers" and one["side"] == 0)["unit"]
    levy = hosts.unit(battle, "Levy 1")
    for number in range(3):
        gm.ok(type="take_wing", wing=wing(table, "crown", number))
        if number == 0:
            gm.ok(type="override", what=levy, field="at", value="C11", reason="lured away")
            blow = [face(archers, "missile", 1, 1)]
            gm.ok(type="act", unit=archers, attack={"target": levy, "how": "missile"}, dice=blow)
        gm.ok(type="end_wing")
        gm.ok(type="take_wing", wing=wing(table, "horde", 2 - number))
        if number == 0:
            Client(table.bo, battle).ok(type="act", unit=hosts.unit(battle, SPIES), to=goes)
            gm.ok(type="act", unit=hosts.unit(battle, "Griffins"), to="J5")
        gm.ok(type="end_wing")
    gm.ok(type="roll_initiative", dice=initiative(table))  # nobody flees: the rout phase passed by itself
    gm.ok(type="pass", side=0)
    gm.ok(type="override", what=hosts.unit(battle, "Levy"), field="morale", value=1, reason="afraid of the dark")
    Client(table.bo, battle).ok(type="cast", character=mage, dice=[face(mage, "spell", 6, 6)])
    return gm


def setup_of(table: Any, lies: str, order: str, foot: str) -> Client:
    """The same battle in setup, with units of the horde elsewhere, and another order for one of its wings."""
    battle = hosts.opened(table)
    gm = hosts.place_all(table, battle)
    levy = [one["unit"] for one in gm.read()["units"] if one["name"].startswith("Levy")]
    gm.ok(type="place", unit=hosts.unit(battle, SPIES), at=lies)
    gm.ok(type="place", unit=levy[0], at=foot)
    gm.ok(type="set_order", wing=wing(table, "horde", 0), order=order)
    gm.ok(type="ready", side=1)
    gm.ok(type="paint", hexes=["H14"], terrain="wood")
    return gm


def read(table: Any, made: Callable[..., Client], differs: tuple[Any, ...], monkeypatch: Any) -> dict[str, str]:
    """What others than its side read of a battle, by address."""
    monkeypatch.setattr(ui, "token_hex", lambda _bytes: "salt")
    with override_settings(WEBHOOKS_TO=parse_networks(["127.0.0.1"])):
        given = {"url": "http://127.0.0.1:9/", "events": event_types.list_slugs(), "origin": "https://war.example.org"}
        create_webhook(by=table.gm, campaign=table.campaign, **given)
    with hearing() as news:
        made_of = made(table, *differs)
    battle = Battle.objects.get(pk=made_of.battle.pk)
    found = dict(addresses(table, battle)) | {"live": "\n".join(news)}
    found |= {
        f"webhook {number}": delivery.build_body(row)
        for number, row in enumerate(WebhookDelivery.objects.select_related("webhook", "campaign").order_by("id"))
    }
    return {address: plain(text, battle) for address, text in found.items()}


def addresses(table: Any, battle: Battle) -> Iterator[tuple[str, str]]:
    spies = hosts.unit(battle, SPIES)
    tokens = [spies, hosts.unit(battle, MAGE), *spread(sorted(play_state.load_state(battle).field.tokens), 6)]
    foot = hosts.unit(battle, "Foot 1").rpartition(":")[2]
    steps = len(api_of(table.ana).get(f"/api/v1/battles/{battle.pk}/events/").json()["results"]) + 2
    for place, who in enumerate(("ana", "viewer")):
        browser, api = Browser(), api_of(getattr(table, who))
        browser.force_login(getattr(table, who))
        page = f"/battles/{battle.pk}/"
        asked = [*PAGES, *(f"replay/?step={step}" for step in spread(range(1, steps), 5))]
        asked += [f"log/{seq}/" for seq in spread(range(1, steps), 2)]
        asked += [f"?unit={unit.rpartition(':')[2]}" for unit in tokens]
        asked += [f"?unit={foot}&to={at}" for at in ("A1", "P1", "A2", "O2")]
        for query in theirs(asked, place):
            answer = browser.get(f"{page}{query}")
            yield f"{who} {query}", f"{answer.status_code} {answer.headers} {answer.getvalue().decode()}"
        for query in theirs([*API, *(f"?pick={unit}" for unit in tokens)], place):
            answer = api.get(f"/api/v1/battles/{battle.pk}/{query}")
            yield f"{who} api {query}", f"{answer.status_code} {answer.headers} {answer.getvalue().decode()}"
        asks = {"HX-Request": "true", "Field-Choice": str(battle.version)}
        for choice in ("", f"unit={foot}", f"unit={spies.rpartition(':')[2]}", "hex=A2"):  # as scripts ask
            answer = browser.get(f"{page}?{choice}", headers=asks)
            yield f"{who} chooses {choice}", f"{answer.status_code} {answer.headers} {answer.getvalue().decode()}"
        elsewhere = [
            f"/c/{table.campaign.pk}/battles/", f"/c/{table.campaign.pk}/", f"/c/{table.campaign.pk}/chronicle/",
            *(f"/find/?campaign={table.campaign.pk}&q={words}" for words in ("Night", "Oshka", "meadows")),
        ]  # fmt: skip
        for address in theirs(elsewhere, place):
            yield f"{who} {address}", browser.get(address).content.decode()
        for command in refused(battle, spies):
            answer = Client(getattr(table, who), battle).send(**command)
            yield f"{who} sends {command}", f"{answer.status_code} {answer.content.decode()}"
    for kind in ("live", "replay", "report"):
        token = create_share(by=table.gm, campaign=table.campaign, kind=kind, thing=battle.pk).token
        answer = Browser().get(f"/s/{token}/")
        yield f"share {kind}", f"{answer.status_code} {answer.getvalue().decode().replace(token, 'TOKEN')}"
        looked = Browser().get(f"/s/{token}/?unit={spies.rpartition(':')[2]}&hex=A1&layers=losses")
        yield f"share {kind} of a unit", f"{looked.status_code} {looked.getvalue().decode().replace(token, 'TOKEN')}"


def refused(battle: Battle, spies: str) -> Iterator[dict[str, Any]]:
    """What a player of the crown may try to learn of the horde."""
    own, mage = hosts.unit(battle, "Foot 1"), hosts.unit(battle, MAGE)
    yield {"type": "act", "unit": spies, "to": "C10"}
    yield {"type": "act", "unit": own, "attack": {"target": spies}}
    yield {"type": "place", "unit": spies, "at": "C1"}
    yield {"type": "rally", "unit": spies}
    yield {"type": "cast", "character": mage}
    yield {"type": "choose_spell", "character": mage, "spell": "dread"}
    yield {"type": "act", "unit": own, "to": "A2"}
    yield {"type": "give_order", "unit": spies}
    yield {"type": "answer", "key": "aim", "choice": spies}
    yield {"type": "aim", "target": spies}
    yield {"type": "undo"}


def read_both(table: Any, made: Callable[..., Client], variants: Any, monkeypatch: Any) -> list[dict[str, str]]:
    found = []
    for differs in variants.values():
        before = transaction.savepoint_create()
        with time_machine.travel(NOON, tick=False):
            found.append(read(table, made, differs, monkeypatch))
        transaction.savepoint_rollback(before)
        play_state._states.clear()
    return found


@pytest.mark.parametrize(
    ("made", "variants"), everyday([(battle_of, VARIANTS), (setup_of, SETUPS)], first=1), ids=["played", "set up"]
)
def test_what_is_hidden_reads_alike_at_every_address(table, monkeypatch, made, variants):
    a, b = read_both(table, made, variants, monkeypatch)
    assert a.keys() == b.keys()
    assert len([text for text in a.values() if text.startswith("200")]) > at_most(40, full=60)
    assert all(text.startswith("200") for address, text in a.items() if address == "share live")
    differing = [f"{address}: {apart(text, b[address])}" for address, text in a.items() if text != b[address]]
    if differing:
        pytest.fail("\n".join(differing[:5]))


def test_its_own_side_tells_them_apart(table, monkeypatch):
    """Else the other test would notice nothing."""
    gm = battle_of(table, *VARIANTS["a"])
    theirs = {unit["name"]: unit for unit in Client(table.bo, gm.battle).read()["units"]}
    assert theirs[SPIES]["at"] == "A2"
    assert theirs[MAGE]["own"]["spell"] == "ward"
    seen = {unit["name"]: unit for unit in Client(table.ana, gm.battle).read()["units"]}
    assert SPIES not in seen
    assert seen[MAGE]["own"]["spell"] is None
    wings = {one["name"]: one for one in Client(table.ana, gm.battle).read()["wings"]}
    assert wings["Right wing of the Horde"]["order"] == "advance", "orders are open once the battle has begun"
