"""Test vectors of both hex laws by page and API: WC-T 3 and 8, TF-T 6 and 7."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

from tests.battles.conftest import Client
from tests.everyday import everyday
from tests.rulesets.thucidide_fantasy import hosts as fantasy_hosts
from tests.rulesets.thucidide_fantasy.test_play import Evening
from tests.rulesets.thucidide_fantasy.test_secrecy import face
from tests.rulesets.wing_command import hosts as wing_hosts
from tests.rulesets.wing_command.test_play import chosen, override, page_of, to_action
from tests.rulesets.wing_command.test_secrecy import wing
from tests.worlds import built_once


@built_once
def crown(db) -> SimpleNamespace:
    """The crown commands; its units of the first wing by name, and one of the horde's."""
    table = wing_hosts.hosts()
    battle = wing_hosts.begun(table)
    units = Client(table.ana, battle).read()["units"]
    first = wing(table, "crown", 0)
    own = {one["name"]: one["unit"] for one in units if one["own"]["wing"] == first}
    foe = next(one["unit"] for one in units if (one["name"], one["side"]) == ("Foot", 1))
    return SimpleNamespace(table=table, battle=battle, units=own, foe=foe)


def short(unit: str) -> str:
    return unit.rpartition(":")[2]


PRICES = {  # where it stands, its states, what it costs
    "E14": ({}, 2),
    "D14": ({}, 1),
    "I14": ({"profile": "irregular", "morale": 2}, 6),
    "M14": ({"morale": 1, "fatigue": 1, "infiltrate": True, "posture": "infiltrating"}, 8),
}


@pytest.mark.parametrize("at", everyday(list(PRICES), keep=lambda at: at == "M14"))
def test_wc_t_3_the_price_of_orders(crown, at):
    """Chief at A14: the distance alone is 3, 4, 8 and 12."""
    gm, ana = (Client(who, crown.battle) for who in (crown.table.gm, crown.table.ana))
    states, price = PRICES[at]
    head, foot = crown.units["Chief C1"], crown.units["Foot 1"]
    override(gm, head, "at", "A14")
    for field, value in {"at": at, **states}.items():
        override(gm, foot, field, value)
    ana.ok(type="distribute", character=head, dice=[face(head, "points", 6)])
    told = ana.api.get(f"{ana.url}?pick={head}").json()["choices"]
    sums = next(one["sum"] for one in told if one["id"] == foot)
    assert sum(int(line.rpartition(" ")[2]) for line in sums) == price
    page = page_of(crown.table.ana, crown.battle, f"?unit={short(head)}&target={short(foot)}")
    assert re.search(rf"Special order to Foot 1( \([^)]+\))?: {price} of 12 order points", page.content.decode())
    assert chosen(crown.table.ana, crown.battle, target=short(foot)).status_code == 200
    assert ana.read()["distribution"]["points"] == 12 - price


def test_wc_t_8_foot_with_its_leader_charges_shaken_foot_beside_one_friend(crown):
    """The same sum where it is picked by API, on the page, and in the log once the dice have fallen."""
    gm, ana = (Client(who, crown.battle) for who in (crown.table.gm, crown.table.ana))
    to_action(gm)
    foot, foe = crown.units["Foot 1"], crown.foe
    override(gm, crown.units["Foot 2"], "at", "G11")
    for friend in ana.read()["units"]:
        if friend["at"] == "F12":
            override(gm, friend["unit"], "at", "P9")
    for unit, field, value in (
        (foot, "at", "F14"), (crown.units["Chief C1"], "at", "F14"), (foe, "at", "F11"), (foe, "morale", 1),
    ):  # fmt: skip
        override(gm, unit, field, value)
    ana.ok(type="take_wing", wing=wing(crown.table, "crown", 0))
    told = ana.api.get(f"{ana.url}?pick={foot}&pick=F12&pick={foe}").json()
    target = next(one for one in told["choices"] if one["id"] == foe)
    assert (target["from"], target["throw"]) == ("F12", "2D6 + 4")
    assert [line for line in target["sum"] if line.endswith(": +1")] == target["sum"][2:]
    picks = {"unit": short(foot), "to": "F12", "target": short(foe)}
    page = page_of(crown.table.ana, crown.battle, "?" + "&".join(f"{name}={what}" for name, what in picks.items()))
    assert "2D6 + 4" in page.content.decode()
    other = page_of(crown.table.ana, crown.battle, f"?unit={short(foot)}&to=F12&target={short(foe)}&pick=charge:no")
    assert "2D6 + 3" in other.content.decode()
    attack = {"target": foe, "how": "melee"}
    ana.ok(type="act", unit=foot, to="F12", attack=attack, dice=[face(foot, "melee", 3, 4)])
    blow = next(one for one in reversed(ana.api.get(f"{ana.url}events/").json()["results"]) if one["sums"])
    assert blow["type"] == "attacked"
    assert "recoil and routed" in blow["text"], "7 and 4: the column of 11"


@pytest.mark.parametrize(
    ("realm", "dark", "turn", "victory"),
    everyday([(11, 10, (1, 4), 4), (9, 11, (1, 3), 4), (16, 9, (2, 3), 3)], first=1),
)
def test_tf_t_6_activations_and_victory_by_numbers(db, monkeypatch, realm, dark, turn, victory):
    sizes = {"Realm": realm - 9, "Dark host": dark - 9}
    more = {
        side: {**told, "units": [{"type": "foot-light"} for _unit in range(sizes[side])]}
        for side, told in fantasy_hosts.MORE.items()
    }
    monkeypatch.setattr(fantasy_hosts, "MORE", more)
    table = fantasy_hosts.hosts()
    battle = fantasy_hosts.begun(table)
    evening = Evening(table, battle)
    told = evening.ana.read()
    assert (told["turn"]["activations"], told["turn"]["share"]) == turn
    assert told["contingents"][0]["victory"] == victory
    assert told["must"].startswith(f"{turn[0]} activation")
    assert f"up to {turn[1]} units" in told["must"]
    assert told["must"] in evening.page(table.ana)
    chief = evening.id("Chief Realm")
    assert f"0 of {turn[1]}" in evening.page(table.ana, f"?unit={short(chief)}&pick=with:")
    at = evening.state.at(chief)
    near = evening.state.field.ground.within(at, 5)
    units = [one["unit"] for one in told["units"] if one["side"] == 0 and one["kind"] == "troop" and one["at"] in near]
    assert len(units) > turn[1]
    refused = evening.ana.send(type="activate", leader=chief, units=units[: turn[1] + 1])
    assert refused.status_code == 409
    assert f"at most {turn[1]}" in refused.json()["detail"]
    picks = " ".join(f"with:{unit}" for unit in units[: turn[1]])
    assert evening.chosen(table.ana, unit=chief, pick=picks).status_code == 200
    assert len(evening.state.activations[0].units) == turn[1]


PLACES = {("Medium foot 2", 1): "E9", ("Ogres", 1): "D8", ("Light foot", 1): "E8",
          ("Heavy foot 3", 0): "E10", ("Pikes", 0): "D10", ("Medium foot 2", 0): "F10"}  # fmt: skip


@pytest.mark.parametrize("by", everyday(["page", "api"], first=1))
def test_tf_t_7_two_losses_the_flag_ignored_by_support_and_a_riposte(db, by):
    """Three dice of supported medium foot, not an assault, on supported heavy foot: red, flag, advantage."""
    table = fantasy_hosts.hosts()
    battle = fantasy_hosts.opened(table)
    fantasy_hosts.lined_up(table, battle).ok(type="start", dice=fantasy_hosts.lot(table, first=1))
    evening = Evening(table, battle)
    ours, foe = evening.id("Medium foot 2", 1), evening.id("Heavy foot 3", 0)
    evening.set(ours, "activated", True)
    evening.end(2)
    for (name, side), at in PLACES.items():
        evening.put(evening.id(name, side), at)
    told = evening.bo.api.get(f"{evening.bo.url}?pick={ours}&pick=&pick={foe}").json()["choices"]
    assert next(one for one in told if one["id"] == foe)["throw"] == "3 dice"
    faces = [face(ours, "attack", "red", "flag", "advantage"), face(foe, "riposte", "green", "green", "green")]
    fought(evening, ours, foe, faces, by)
    state = evening.state
    assert (state.units[foe].stands, state.at(foe), state.units[ours].stands) == (2, "E10", 4)
    events = evening.bo.api.get(f"{evening.bo.url}events/").json()["results"]
    assert "riposte" in {die["roll"] for one in events for die in one["rolls"]}
    assert not [one for one in events if one["type"] == "retreated"]


def fought(evening: Evening, ours: str, foe: str, faces: list[dict[str, Any]], by: str) -> None:
    if by == "api":
        evening.bo.ok(type="attack", unit=ours, target=foe, dice=faces)
        return
    picks = {"unit": ours, "target": foe}
    keys = [f"{die['army']}|{die['roll']}|6" for die in faces for _face in die["values"]]
    typed = [value for die in faces for value in die["values"]]
    dice = {"dice_by": "table", "how": "rolled", "die": keys, "face": typed, "need": [""] * len(keys)}
    answer = evening.chosen(evening.table.bo, **picks, **dice, settled=str(len(keys)))
    assert answer.status_code == 200, answer.content.decode()[:500]
