"""Gifts of gods before the battle, by page and API (TF-7): who is shown what, and that nobody else is."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from battles.models import Battle
from tests.battles.conftest import Client
from tests.rulesets.browsing import Reader, plain
from tests.rulesets.thucidide_fantasy import hosts
from tests.rulesets.thucidide_fantasy.test_secrecy import LOW, MAGE, SETUPS, read_both, setup_of

REALM, DARK = 0, 1


def page_of(battle: Battle) -> str:
    return f"/battles/{battle.pk}/"


def sent(user: Any, battle: Battle, kind: str, **fields: Any) -> Any:
    version = Battle.objects.get(pk=battle.pk).version
    return Reader(user).client.post(f"{page_of(battle)}command/", {"type": kind, "version": version, **fields})


def told_of(user: Any, battle: Battle, name: str) -> dict[str, Any]:
    told = Client(user, battle).read()
    return next(unit for unit in told["units"] if unit["name"] == name)


def gifts_of(user: Any, battle: Battle) -> list[tuple[bool, list[str]]]:
    return [(side["sealed"], side["dreams"]) for side in Client(user, battle).read()["contingents"]]


def test_the_gm_sends_a_dream_of_the_enemy_by_page_and_takes_it_back_by_the_api(table, setting_up):
    gm = hosts.lined_up(table, setting_up)
    assert 'id="do-reveal"' in Reader(table.gm).markup(f"{page_of(setting_up)}?rail=tools")
    assert 'id="do-reveal"' not in Reader(table.ana).markup(f"{page_of(setting_up)}?rail=tools")
    mage = hosts.unit(setting_up, MAGE)
    gm.ok(type="choose_cards", caster=mage, spells=["fear", "terror"])
    for what in ("list", "deployment"):
        assert sent(table.gm, setting_up, "reveal", side=REALM, what=what, on="yes").status_code == 302
    shown = told_of(table.ana, setting_up, MAGE)
    assert (shown["own"]["cards"], bool(shown["at"])) == (["fear", "terror"], True)
    card = unescape(Reader(table.ana).markup(f"{page_of(setting_up)}?unit={mage.rpartition(':')[2]}"))
    assert "Terror" in card
    for who in ("bo", "viewer"):
        assert gifts_of(getattr(table, who), setting_up) == [(False, []), (False, [])], who
        assert "dream" not in Reader(getattr(table, who)).read(f"{page_of(setting_up)}?rail=log").casefold(), who
    assert told_of(table.viewer, setting_up, MAGE)["own"]["cards"] is None
    assert told_of(table.viewer, setting_up, LOW)["at"] is None
    assert gifts_of(table.ana, setting_up) == [(False, ["list", "deployment"]), (False, [])]
    assert "can see in a dream where the enemy sets up" in Reader(table.ana).read(f"{page_of(setting_up)}?rail=log")
    gm.ok(type="reveal", side=REALM, what="deployment", on=False)
    assert told_of(table.ana, setting_up, LOW)["at"] is None
    gm.ok(type="undo")
    assert told_of(table.ana, setting_up, LOW)["at"]
    gm.ok(type="start", dice=hosts.lot(table))
    assert told_of(table.ana, setting_up, MAGE)["own"]["cards"] is None
    assert re.search(r"dream has revealed the spells of Necromancer: Fear", _log(table.ana, setting_up))
    assert "dream" not in _log(table.bo, setting_up)


def _log(user: Any, battle: Battle) -> str:
    return plain(Reader(user).markup(f"{page_of(battle)}log/"))


def test_a_fog_keeps_a_deployment_hidden_once_both_sides_are_ready(table, setting_up):
    gm = hosts.lined_up(table, setting_up)
    assert sent(table.gm, setting_up, "seal", side=DARK, on="yes").status_code == 302
    for side in (REALM, DARK):
        gm.ok(type="ready", side=side)
    assert [bool(told_of(getattr(table, who), setting_up, LOW)["at"]) for who in ("ana", "bo", "viewer")] == [
        False, True, False]  # fmt: skip
    assert told_of(table.bo, setting_up, "Pikes")["at"]
    assert gifts_of(table.viewer, setting_up) == [(False, []), (True, [])]
    assert "Dark host sets up here" in Reader(table.ana).markup(page_of(setting_up))
    assert "A fog hides where Dark host sets up" in _log(table.viewer, setting_up)
    gm.ok(type="start", dice=hosts.lot(table))
    assert told_of(table.ana, setting_up, LOW)["at"]


@pytest.mark.parametrize("command", [{"type": "reveal", "side": 0, "what": "list"}, {"type": "seal", "side": 0}])
def test_gifts_are_the_gms_alone_and_refused_in_words(table, setting_up, command):
    assert Client(table.ana, setting_up).send(**command).status_code == 403
    assert sent(table.ana, setting_up, command["type"], **command).status_code == 403
    gm = Client(table.gm, setting_up)
    wrong = gm.send(**{**command, "side": 5})
    assert wrong.json()["errors"][0]["pointer"] == "/side"
    wrong = gm.send(type="reveal", side=0, what="purse")
    assert wrong.json()["errors"][0]["pointer"] == "/what"


def in_a_fog(table: Any, at: str, spell: str) -> Client:
    """The same battle set up, both sides ready, and the dark host in a fog; it dreams of the realm."""
    gm = setup_of(table, at, spell)
    gm.ok(type="seal", side=DARK)
    gm.ok(type="reveal", side=DARK, what="list")
    gm.ok(type="ready", side=REALM)
    return gm


@pytest.mark.slow
def test_what_a_fog_hides_reads_alike_at_every_address(table, monkeypatch):
    a, b = read_both(table, in_a_fog, SETUPS, monkeypatch)
    assert a.keys() == b.keys()
    assert [address for address, text in a.items() if text != b[address]] == []
