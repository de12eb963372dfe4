"""Two battles with equal dice that differ in hidden things alone read alike at every address, but to their own side.

Hidden are cards, spells that are announced, units in groves, phantoms, and in setup places.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
import time_machine
from django.db import transaction
from django.test import Client as Browser
from django.test import override_settings

from battles.models import Battle
from battles.play import battle_state as play_state
from battles.thucidide_fantasy import ui
from core.client_info import parse_networks
from kingdom.models import WebhookDelivery
from kingdom.sharing.services import create_share
from kingdom.webhooks import delivery, event_types
from kingdom.webhooks.services import create_webhook
from rules.thucidide_fantasy.battle.record.state import Unit
from rules.thucidide_fantasy.battle.spells import appeals
from tests.battles.conftest import Client
from tests.everyday import at_most, spread
from tests.kingdom.conftest import api_of
from tests.rulesets.skirmish.test_secrecy import API, NOON, apart, hearing, plain, theirs
from tests.rulesets.thucidide_fantasy import hosts

MAGE, LOW = "Necromancer", "Light foot"
PAGES = (
    "", "aftermath/", "replay/", "log/", "log.txt", "log.json", "log.jsonl", "order-of-battle/", "report/",
    "?tables=1", "?list=enemy", "?layers=zones.losses.command", "log/luck/", "fairness/", "forecast/",
    "ground/none.svg", "?rail=log",
    "?hex=A1", "?hex=P1", "?hex=B2", "?find=FL1", "?find=A1", "?unit=P1",
)  # fmt: skip
VARIANTS = {"a": ("fear", "slowness", "armour"), "b": ("fear", "bell", "speed")}
SETUPS = {"a": ("A1", "fear"), "b": ("P1", "terror")}


def face(who: str, roll: str, *values: Any) -> dict[str, Any]:
    return {"army": who, "roll": roll, "values": list(values)}


def choose(table: Any, battle: Battle, *spells: str) -> None:
    Client(table.bo, battle).ok(type="choose_cards", caster=hosts.unit(battle, MAGE), spells=list(spells))


def battle_of(table: Any, *spells: str) -> Client:
    """The same battle with other cards in the necromancer's hand; they cast the one that is in both."""
    battle = hosts.opened(table)
    gm = hosts.lined_up(table, battle)
    choose(table, battle, *spells)
    gm.ok(type="start", dice=hosts.lot(table))
    for _phase in range(3):
        gm.ok(type="end_phase")
    mage, foot = hosts.unit(battle, MAGE), hosts.unit(battle, "Medium foot 1")
    bo = Client(table.bo, battle)
    bo.ok(type="activate", leader=None, units=[], characters=[mage])
    bo.ok(type="end_phase")
    bo.ok(type="announce", caster=mage)
    bo.ok(type="end_phase")
    bo.ok(type="end_phase")
    far = next(at for at in _within(battle, mage) if not hosts.state_of(battle).field.at(at))
    gm.ok(type="override", what=foot, field="at", value=far, reason="lured away")
    bo.ok(type="cast", caster=mage, spell="fear", targets=[foot], dice=[face(mage, "spell", "green", "green")])
    return gm


def _within(battle: Battle, piece: str) -> list[str]:
    """Hexes two or three away, on foot."""
    state = hosts.state_of(battle)
    ground, at = state.field.ground, state.at(piece)
    return sorted(ground.within(at, 3) - ground.within(at, 1))


def setup_of(table: Any, at: str, spell: str) -> Client:
    """The same battle in setup, with a unit of the dark host elsewhere and other cards."""
    battle = hosts.opened(table)
    gm = hosts.lined_up(table, battle)
    gm.ok(type="place", unit=hosts.unit(battle, LOW), at=at)
    choose(table, battle, spell)
    gm.ok(type="ready", side=1)
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


READERS = {"ana": 0, "viewer": 1}  # by the place in which they take turns


def addresses(table: Any, battle: Battle, readers: Mapping[str, int] = READERS) -> Iterator[tuple[str, str]]:
    mage, low = hosts.unit(battle, MAGE), hosts.unit(battle, LOW)
    tokens = [mage, low, *spread(sorted(play_state.load_state(battle).field.tokens), 6)]
    steps = len(api_of(table.ana).get(f"/api/v1/battles/{battle.pk}/events/").json()["results"]) + 2
    for who, place in readers.items():
        browser, api = Browser(), api_of(getattr(table, who))
        browser.force_login(getattr(table, who))
        page = f"/battles/{battle.pk}/"
        asked = [*PAGES, *(f"replay/?step={step}" for step in spread(range(1, steps), 5))]
        asked += [f"log/{seq}/" for seq in spread(range(1, steps), 2)]
        asked += [f"?unit={unit.rpartition(':')[2]}" for unit in tokens]
        for query in theirs(asked, place):
            answer = browser.get(f"{page}{query}")
            yield f"{who} {query}", f"{answer.status_code} {answer.headers} {answer.getvalue().decode()}"
        for query in theirs([*API, *(f"?pick={unit}" for unit in tokens)], place):
            answer = api.get(f"/api/v1/battles/{battle.pk}/{query}")
            yield f"{who} api {query}", f"{answer.status_code} {answer.headers} {answer.getvalue().decode()}"
        asks = {"HX-Request": "true", "Field-Choice": str(battle.version)}
        for choice in ("", f"unit={mage.rpartition(':')[2]}", "hex=A1"):  # as scripts ask
            answer = browser.get(f"{page}?{choice}", headers=asks)
            yield f"{who} chooses {choice}", f"{answer.status_code} {answer.headers} {answer.getvalue().decode()}"
        elsewhere = [
            f"/c/{table.campaign.pk}/battles/", f"/c/{table.campaign.pk}/", f"/c/{table.campaign.pk}/chronicle/",
            *(f"/find/?campaign={table.campaign.pk}&q={words}" for words in ("Necromancer", "meadows")),
        ]  # fmt: skip
        for address in theirs(elsewhere, place):
            yield f"{who} {address}", browser.get(address).content.decode()
        for command in refused(battle):
            answer = Client(getattr(table, who), battle).send(**command)
            yield f"{who} sends {command}", f"{answer.status_code} {answer.content.decode()}"
    for kind in ("live", "replay", "report"):
        token = create_share(by=table.gm, campaign=table.campaign, kind=kind, thing=battle.pk).token
        answer = Browser().get(f"/s/{token}/")
        yield f"share {kind}", f"{answer.status_code} {answer.getvalue().decode().replace(token, 'TOKEN')}"
        looked = Browser().get(f"/s/{token}/?unit={low.rpartition(':')[2]}&hex=A1&layers=losses")
        yield f"share {kind} of a unit", f"{looked.status_code} {looked.getvalue().decode().replace(token, 'TOKEN')}"


def refused(battle: Battle) -> Iterator[dict[str, Any]]:
    """What a player of the realm may try to learn of the dark host."""
    own, mage, low = (hosts.unit(battle, name) for name in ("Medium foot 2", MAGE, LOW))
    for spell in ("slowness", "bell", "terror"):
        yield {"type": "cast", "caster": mage, "spell": spell, "targets": [own]}
    yield {"type": "choose_cards", "caster": mage, "spells": ["fear"]}
    yield {"type": "decline", "caster": mage}
    yield {"type": "announce", "caster": mage}
    yield {"type": "place", "unit": low, "at": "C1"}
    yield {"type": "attack", "unit": own, "target": low}
    yield {"type": "move", "unit": own, "to": "A1"}
    yield {"type": "line_up", "armies": [low.rpartition(":")[0]]}
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


SUMMONING = pytest.MonkeyPatch()
"""As long as a battle is read: its replay decides anew."""


@pytest.fixture(autouse=True)
def summoning_as_ever() -> Iterator[None]:
    yield
    SUMMONING.undo()


def phantom_of(table: Any, false: bool) -> Client:
    """The same battle with a phantom, and with a true unit where it would be: both are activated and have moved."""
    SUMMONING.undo()
    SUMMONING.setattr(appeals, "Unit", lambda *own, **more: Unit(*own, **{**more, "false": false}))
    battle, gm = conjured(table, "phantom-troop", lambda battle: [_free(battle), "foot-medium"])
    conjured_unit = next(one for one, own in hosts.state_of(battle).units.items() if own.summoned)
    assert hosts.state_of(battle).units[conjured_unit].false is false
    for _phase in range(4):
        gm.ok(type="end_phase")
    gm.ok(type="activate", leader=hosts.unit(battle, "Chief Dark host"), units=[conjured_unit])
    gm.ok(type="end_phase")
    reach = Client(table.bo, battle).api.get(f"/api/v1/battles/{battle.pk}/?pick={conjured_unit}").json()["choices"]
    gm.ok(type="move", unit=conjured_unit, to=next(one["id"] for one in reach if one["what"] == "hex"))
    return gm


def grove_of(table: Any, active: bool) -> Client:
    """The same battle with a unit in a grove that is activated beside another, and isn't."""
    battle, gm = conjured(table, "grove", lambda battle: [hosts.unit(battle, LOW)])
    for _phase in range(4):
        gm.ok(type="end_phase")
    low, other = hosts.unit(battle, LOW), hosts.unit(battle, "Ogres")
    units = [other, low] if active else [other]
    gm.ok(type="activate", leader=hosts.unit(battle, "Chief Dark host"), units=units)
    gm.ok(type="override", what=low, field="stands", value=3 if active else 2, reason="for a test")
    return gm


MADE: tuple[tuple[Callable[..., Client], Any], ...] = (
    (battle_of, VARIANTS), (setup_of, SETUPS), (phantom_of, {"a": (True,), "b": (False,)}),
    (grove_of, {"a": (True,), "b": (False,)}),
)  # fmt: skip
CASES = ("played", "set up", "phantom", "grove")
DEAR = [
    pytest.param(*made, id=case, marks=() if case == "played" else pytest.mark.slow)
    for made, case in zip(MADE, CASES, strict=True)
]


@pytest.mark.parametrize("made, variants", DEAR)
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
    assert theirs[MAGE]["own"]["cards"] == ["slowness", "armour"]
    seen = {unit["name"]: unit for unit in Client(table.ana, gm.battle).read()["units"]}
    assert seen[MAGE]["own"]["cards"] is None


def conjured(table: Any, spell: str, targets: Callable[[Battle], list[str]]) -> tuple[Battle, Client]:
    """The necromancer has cast this."""
    battle = hosts.opened(table)
    gm = hosts.lined_up(table, battle)
    choose(table, battle, spell, spell)
    gm.ok(type="start", dice=hosts.lot(table, first=1))
    mage = hosts.unit(battle, MAGE)
    gm.ok(type="activate", leader=None, units=[], characters=[mage])
    gm.ok(type="end_phase")
    gm.ok(type="announce", caster=mage)
    gm.ok(type="end_phase")
    gm.ok(type="end_phase")
    gm.ok(type="cast", caster=mage, spell=spell, targets=targets(battle))
    return battle, gm


def _free(battle: Battle) -> str:
    state = hosts.state_of(battle)
    hexes = sorted(state.field.ground.within(state.at(hosts.unit(battle, MAGE)), 3))
    return next(at for at in hexes if not state.field.at(at) and state.field.ground.terrain(at).on_foot)


def everything(table: Any, who: str, battle: Battle) -> dict[str, str]:
    """Whatever somebody reads of the battle; every day every other address."""
    return dict(addresses(table, battle, {who: 0}))


def test_a_phantom_is_a_unit_like_any_other_to_the_enemy(table):
    battle, _gm = conjured(table, "phantom-troop", lambda battle: [_free(battle), "foot-medium"])
    (false,) = [one for one, own in hosts.state_of(battle).units.items() if own.false]
    read_by = everything(table, "ana", Battle.objects.get(pk=battle.pk))
    unit = next(one for one in Client(table.ana, battle).read()["units"] if one["unit"] == false)
    real = next(one for one in Client(table.ana, battle).read()["units"] if one["type"] == "medium" and one["side"])
    assert unit["states"] == real["states"] == []
    assert unit["own"].keys() == real["own"].keys()
    told = {name: text.casefold() for name, text in read_by.items() if " sends " not in name}
    assert [name for name, text in told.items() if "phantom" in text] == []
    own = next(one for one in Client(table.bo, battle).read()["units"] if one["unit"] == false)
    assert own["states"] == ["phantom"]


def test_who_is_in_a_grove_stands_nowhere_the_enemy_reads(table):
    battle, _gm = conjured(table, "grove", lambda battle: [hosts.unit(battle, "Light foot")])
    low = hosts.unit(battle, "Light foot")
    state = hosts.state_of(battle)
    assert state.token(low).hidden
    seen = Client(table.ana, battle).read()
    assert low not in [unit["unit"] for unit in seen["units"]]
    assert "grove" not in json.dumps([seen["overlays"], seen["effects"]])
    read_by = everything(table, "ana", Battle.objects.get(pk=battle.pk))
    boards = {name: text for name, text in read_by.items() if name in ("ana ", "ana ?tables=1", "ana ?list=enemy")}
    short = low.rpartition(":")[2]
    assert [name for name, text in boards.items() if f"unit={short}" in text] == []
    told = {name: text.casefold() for name, text in read_by.items() if " sends " not in name}
    assert [name for name, text in told.items() if "grove" in text] == []
