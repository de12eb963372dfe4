"""A whole battle through the API, with dice from the table, to its aftermath and back."""

from __future__ import annotations

from typing import Any

import pytest

from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from battles.models import Battle, BattleRecord
from kingdom.models import ChronicleEntry, Kingdom
from kingdom.realms.services import update_kingdom
from tests.battles.conftest import Client
from tests.everyday import everyday
from tests.worlds import built_once


def die(army: Any, roll: str, *values: int | None) -> dict[str, Any]:
    return {"army": str(army.pk), "roll": roll, "values": list(values)}


def two_sides(table: Any) -> list[dict[str, Any]]:
    return [
        {"name": "Crown", "armies": [str(table.watch.pk)]},
        {"name": "Horde", "armies": [str(table.raiders.pk)]},
    ]


@built_once
def ford(table) -> Battle:
    """Opened through the API."""
    body = {"campaign": str(table.campaign.pk), "name": "The ford", "sides": two_sides(table)}
    response = Client(table.gm).api.post("/api/v1/battles/", body)
    assert response.status_code == 201, response.content
    return Battle.objects.get(pk=response.json()["id"])


@pytest.fixture
def gm(table, ford) -> Client:
    """The GM's key on it."""
    return Client(table.gm, ford)


def fight_to_the_end(gm: Client, table: Any) -> dict[str, Any]:
    """44 hp: shot 11, 24 in melee 1, the rest in melee 2; then the raiders' last stand. Every die is typed."""
    watch, raiders = str(table.watch.pk), str(table.raiders.pk)
    gm.ok(type="next")
    gm.ok(type="resolve")
    gm.ok(type="resolve", dice=[die(table.watch, "attack", 20)])
    gm.ok(type="order", army=watch, strategy="reckless", target=raiders)
    gm.ok(type="order", army=raiders, strategy="reckless")
    gm.ok(type="resolve", dice=[die(table.watch, "attack", 19), die(table.raiders, "attack", 2)])
    gm.ok(type="resolve", dice=[die(table.watch, "attack", 18), die(table.raiders, "attack", 12)])
    return gm.ok(type="resolve", dice=[die(table.watch, "attack", 10), die(table.raiders, "attack", 11)])


@built_once
def fought(table, ford) -> dict[str, Any]:
    """The answer to its last command."""
    return fight_to_the_end(Client(table.gm, ford), table)


@built_once
def settled(table, ford, fought) -> dict[str, Any]:
    """The same, with its aftermath confirmed."""
    return settle(Client(table.gm, ford), table)


def test_a_battle_opens_in_the_shape_of_the_contract(gm, table):
    read = gm.read()
    assert read["status"] == "setup"
    assert read["phase"] == {"kind": "setup", "number": 1}
    assert read["sides"] == two_sides(table)
    watch = read["armies"][0]
    assert (watch["name"], watch["side"], watch["acr"]) == ("Ironwatch", "Crown", "9")
    assert (watch["hp"], watch["hp_max"], watch["om"], watch["dv"]) == (49, 49, 9, 19)
    assert (watch["tactic"], watch["strategy"], watch["status"], watch["marks"]) == (
        "standard",
        "standard",
        "fighting",
        [],
    )
    assert sum(line["value"] for line in watch["breakdown"]["dv"]) == 19
    assert all(line["rule"] for line in watch["breakdown"]["dv"])
    assert read["result"] is None


@pytest.mark.slow
def test_typed_dice_carry_who_typed_them_and_missing_ones_are_rolled(gm, table):
    gm.ok(type="next")
    gm.ok(type="resolve")
    gm.ok(type="resolve", dice=[die(table.watch, "attack", 15)])
    answer = gm.ok(type="resolve", dice=[die(table.watch, "attack", 14)])
    attacks = {event["army"]: event for event in answer["events"] if event["type"] == "attacked"}
    typed, rolled = attacks[str(table.watch.pk)]["rolls"][0], attacks[str(table.raiders.pk)]["rolls"][0]
    assert typed == {
        "roll": "attack",
        "army": str(table.watch.pk),
        "die": "d20",
        "values": [14],
        "source": "typed",
        "by": "gm",
    }
    assert (rolled["source"], rolled["by"]) == ("rolled", "")
    assert attacks[str(table.watch.pk)]["numbers"]["check"] == 14 + 9


def test_the_field_empties_and_the_battle_ends(fought):
    assert fought["status"] == "aftermath"
    assert fought["phase"]["kind"] == "aftermath"
    assert fought["result"]["winner"] == "Crown"
    assert {army["name"]: army["status"] for army in fought["armies"]} == {
        "Ironwatch": "fighting",
        "Raiders": "defeated",
    }
    assert fought["legal"] == ["aftermath"]


@pytest.mark.slow
@pytest.mark.usefixtures("fought")
def test_the_aftermath_is_proposed_without_changing_anything(gm, table):
    version = gm.read()["version"]
    first = gm.ok(type="aftermath")
    again = gm.ok(type="aftermath")
    assert first["version"] == again["version"] == version
    assert first["proposal"] == again["proposal"], "the server's dice must stay what was shown"
    losses = {c["field"]: c["after"] - c["before"] for c in first["proposal"]["changes"] if c["kind"] == "kingdom"}
    assert losses == {"economy": -4, "loyalty": -2, "stability": -3}
    assert all(change["rule"] and change["subject"] for change in first["proposal"]["changes"])
    assert PathfinderArmy.objects.get(pk=table.raiders.pk).status == "ready"


def settle(gm: Client, table: Any, **more: Any) -> dict[str, Any]:
    dice = [
        die(table.raiders, "commander-fate", 34),
        die(table.watch, "loyalty-tactic", 20),
        die(table.watch, "loyalty-boon", 1),
    ]
    learned = {f"tactic:{table.watch.pk}": "defensive-wall"}
    return gm.ok(type="aftermath", confirm=True, choices=learned, dice=dice, **more)


def world(table: Any) -> dict[str, Any]:
    """Everything the aftermath may touch."""
    return {
        "armies": list(
            PathfinderArmy.objects.order_by("pk").values(
                "name", "health", "morale", "status", "commander", "tactics__tactic"
            )
        ),
        "kingdoms": list(Kingdom.objects.order_by("pk").values("name", "economy", "loyalty", "stability", "treasury")),
        "commanders": list(PathfinderCommander.objects.order_by("pk").values("name", "status", "captures", "boons")),
    }


def test_confirming_writes_all_of_it_and_closes_the_battle(gm, table, settled):
    assert settled["status"] == "closed"
    raiders, watch = PathfinderArmy.objects.get(pk=table.raiders.pk), PathfinderArmy.objects.get(pk=table.watch.pk)
    assert (raiders.status, raiders.hp, raiders.commander) == ("defeated", 0, None)
    assert PathfinderCommander.objects.get(name="Gruk").status == "captured"
    assert (watch.status, watch.morale) == ("ready", 1)
    assert list(watch.tactics.values_list("tactic", flat=True)) == ["defensive-wall"]
    horde = Kingdom.objects.get(pk=table.horde.pk)
    assert (horde.economy, horde.loyalty, horde.stability) == (5, 3, 3)
    entry = ChronicleEntry.objects.get(campaign=table.campaign, kind="battle")
    assert (entry.battle_id, entry.undone) == (gm.battle.pk, False)


@pytest.mark.usefixtures("settled")
def test_an_aftermath_something_rests_on_stays(gm, table):
    update_kingdom(by=table.gm, kingdom=Kingdom.objects.get(pk=table.horde.pk), economy=12)
    before = world(table)
    refused = gm.send(type="undo")
    assert refused.status_code == 409
    assert "Horde" in refused.json()["detail"]
    assert world(table) == before
    assert gm.read()["status"] == "closed"


@pytest.mark.usefixtures("settled")
def test_an_aftermath_stays_while_an_army_fights_elsewhere(gm, table):
    sides = [{"name": "A", "armies": [str(table.watch.pk)]}, {"name": "B", "armies": [str(table.spare.pk)]}]
    body = {"campaign": str(table.campaign.pk), "name": "Next", "sides": sides}
    assert gm.api.post("/api/v1/battles/", body).status_code == 201
    refused = gm.send(type="undo")
    assert refused.status_code == 409
    assert "“Next”" in refused.json()["detail"]


@pytest.mark.usefixtures("fought")
def test_the_log_can_be_read_from_any_event_on(gm, table):
    whole = gm.api.get(f"{gm.url}events/").json()["results"]
    assert [event["seq"] for event in whole] == list(range(1, len(whole) + 1))
    rest = gm.api.get(f"{gm.url}events/?after=5").json()
    assert rest["results"] == whole[5:]
    assert rest["next"] is None
    page = gm.api.get(f"{gm.url}events/?after=5&limit=2").json()
    assert page["results"] == whole[5:7]
    assert gm.api.get(page["next"]).json()["results"] == whole[7:9]


@pytest.mark.slow
@pytest.mark.usefixtures("settled")
def test_a_replay_decides_the_same_from_the_recorded_dice(gm, table):
    replay = gm.api.get(f"{gm.url}replay/").json()
    assert replay["identical"] is True
    assert replay["events"] == gm.api.get(f"{gm.url}events/").json()["results"]


@pytest.mark.usefixtures("fought")
def test_a_replay_notices_a_forged_record(gm, table):
    record = BattleRecord.objects.filter(battle=gm.battle).exclude(dice=[]).latest("seq")
    record.dice[0]["value"] = 3
    record.save()
    replay = gm.api.get(f"{gm.url}replay/").json()
    assert (replay["identical"], replay["differs"]) == (False, record.seq)


@pytest.mark.slow
def test_undo_takes_back_step_by_step_and_the_trace_stays(gm, table):
    states = [gm.read()]
    for command in ({"type": "next"}, {"type": "resolve"}, {"type": "resolve"}, {"type": "resolve"}):
        gm.ok(**command)
        states.append(gm.read())
    for expected in reversed(states[:-1]):
        gm.ok(type="undo")
        read = gm.read()
        assert {**read, "version": 0} == {**expected, "version": 0}
        assert read["version"] > expected["version"]
    assert gm.send(type="undo").status_code == 409
    assert BattleRecord.objects.filter(battle=gm.battle, undone=True).count() == 4
    assert gm.api.get(f"{gm.url}events/").json()["results"] == []


def test_events_after_an_undo_have_new_numbers(gm):
    gm.ok(type="next")
    first = gm.api.get(f"{gm.url}events/").json()["results"]
    gm.ok(type="undo")
    gm.ok(type="next")
    second = gm.api.get(f"{gm.url}events/?after={first[-1]['seq']}").json()["results"]
    assert [event["type"] for event in second] == [event["type"] for event in first]


def test_a_reinforcement_comes_and_goes_with_undo(gm, table):
    spare = str(table.spare.pk)
    answer = gm.ok(type="reinforce", army=spare, side="Horde")
    assert answer["sides"][1]["armies"] == [str(table.raiders.pk), spare]
    assert gm.battle.seats.filter(army=table.spare).exists()
    assert gm.send(type="reinforce", army=spare, side="Horde").status_code == 409
    gm.ok(type="undo")
    assert not gm.battle.seats.filter(army=table.spare).exists()


def test_conditions_and_overrides_by_the_gm(gm, table):
    watch = str(table.watch.pk)
    gm.ok(type="condition", condition="wind", value="severe")
    answer = gm.ok(type="condition", condition="fog", **{"except": [watch]})
    assert answer["conditions"] == [
        {"condition": "wind", "value": "severe"},
        {"condition": "fog", "except": [watch]},
    ]
    lifted = gm.ok(type="condition", condition="wind", lift=True)
    assert [condition["condition"] for condition in lifted["conditions"]] == ["fog"]
    healed = gm.ok(type="override", army=watch, field="hp", value=30, reason="A landslide")
    assert healed["armies"][0]["hp"] == 30
    assert "A landslide" in healed["events"][0]["text"]


def test_a_battle_may_be_broken_off_and_ended(gm):
    gm.ok(type="next")
    assert gm.ok(type="interrupt", reason="Nightfall")["phase"]["kind"] == "setup"
    ended = gm.ok(type="end", reason="Peace", winner="Horde")
    assert ended["result"] == {"winner": "Horde", "reason": "Peace"}


@pytest.mark.parametrize("language, word", everyday([("en", "moved on"), ("fr", "")], first=1))
def test_problem_documents_name_the_current_version(gm, language, word):
    gm.ok(type="next")
    response = gm.send(version=1, type="next")
    assert response.status_code == 412
    assert response["Content-Type"] == "application/problem+json"
    assert response.json()["version"] == 2
