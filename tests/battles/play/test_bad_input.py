"""What is wrong is refused with a 4xx that says where, and changes nothing."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from armies.pathfinder.armies.march_services import march_army, rest_army
from armies.pathfinder.armies.services import correct_army
from armies.pathfinder.armies.trade_services import buy_resource, disband_army
from armies.pathfinder.commanders.command_services import assign_commander
from armies.pathfinder.forces.specs import Road
from battles.models import Battle, BattleArmy, BattleRecord
from rules.core.errors import IllegalCommand
from tests.battles.conftest import Client, make_table, open_ford
from tests.kingdom.conftest import make_user
from tests.worlds import built_once

ANY = object()


def sides(*groups: Any) -> list[dict[str, Any]]:
    return [{"name": f"Side {index}", "armies": [str(a) for a in group]} for index, group in enumerate(groups)]


@built_once
def foreign(table):
    """An army of another GM's campaign."""
    return make_table(make_user("elsewhere")).watch


def post(table: Any, **body: Any) -> Any:
    whole = {"campaign": str(table.campaign.pk), "name": "The ford", **body}
    return Client(table.gm).api.post("/api/v1/battles/", whole)


def refused(response: Any, code: int, pointer: str | None = None, case: str = "") -> dict[str, Any]:
    assert response.status_code == code, (case, response.content)
    assert response["Content-Type"] == "application/problem+json", case
    body = response.json()
    assert body["status"] == code, case
    assert body["detail"], case
    if pointer is not None:
        assert pointer in [error["pointer"] for error in body.get("errors", [])], (case, body)
    return body


OPENINGS = {
    "no sides": (lambda t: {"sides": []}, 400, "/sides"),
    "sides are no list": (lambda t: {"sides": 5}, 400, "/sides"),
    "no sides member": (lambda t: {}, 400, "/sides"),
    "one side": (lambda t: {"sides": sides([t.watch.pk])}, 400, "/sides"),
    "an empty side": (lambda t: {"sides": sides([t.watch.pk], [])}, 400, "/sides/1/armies"),
    "an army twice on a side": (
        lambda t: {"sides": sides([t.watch.pk, t.watch.pk], [t.raiders.pk])},
        400,
        "/sides/0/armies/1",
    ),
    "an army on two sides": (lambda t: {"sides": sides([t.watch.pk], [t.watch.pk])}, 400, "/sides/1/armies/0"),
    "an army written otherwise": (
        lambda t: {"sides": sides([t.watch.pk, str(t.watch.pk).upper()], [t.raiders.pk])},
        400,
        "/sides/0/armies/1",
    ),
    "an army nobody knows": (lambda t: {"sides": sides([t.watch.pk], [uuid4()])}, 404, "/sides/1/armies/0"),
    "no id at all": (lambda t: {"sides": sides([t.watch.pk], ["the raiders"])}, 404, "/sides/1/armies/0"),
    "a number as id": (lambda t: {"sides": [{"name": "A", "armies": [7]}]}, 400, "/sides/0/armies/0"),
    "an unknown condition": (
        lambda t: {"sides": sides([t.watch.pk], [t.raiders.pk]), "conditions": [{"condition": "frogs"}]},
        400,
        "/conditions/0/condition",
    ),
    "a wind nobody knows": (
        lambda t: {
            "sides": sides([t.watch.pk], [t.raiders.pk]),
            "conditions": [{"condition": "fog"}, {"condition": "wind", "value": "draught"}],
        },
        400,
        "/conditions/1/value",
    ),
    "heroes of +40": (
        lambda t: {
            "sides": sides([t.watch.pk], [t.raiders.pk]),
            "conditions": [{"condition": "heroes", "army": str(t.watch.pk), "value": 40}],
        },
        400,
        "/conditions/0/value",
    ),
    "a condition for an army elsewhere": (
        lambda t: {
            "sides": sides([t.watch.pk], [t.raiders.pk]),
            "conditions": [{"condition": "fog", "armies": [str(t.spare.pk)]}],
        },
        400,
        "/conditions/0/armies",
    ),
    "heroes in an army nobody knows": (
        lambda t: {
            "sides": sides([t.watch.pk], [t.raiders.pk]),
            "conditions": [{"condition": "fog"}, {"condition": "heroes", "army": "zz", "value": 4}],
        },
        400,
        "/conditions/1/army",
    ),
    "a condition that spares an army elsewhere": (
        lambda t: {
            "sides": sides([t.watch.pk], [t.raiders.pk]),
            "conditions": [{"condition": "fog", "except": [str(t.spare.pk)]}],
        },
        400,
        "/conditions/0/except",
    ),
    "conditions are no list": (
        lambda t: {"sides": sides([t.watch.pk], [t.raiders.pk]), "conditions": "fog"},
        400,
        "/conditions",
    ),
    "an ambush on a friend": (
        lambda t: {
            "sides": sides([t.watch.pk], [t.raiders.pk, t.spare.pk]),
            "ambush": {"by": str(t.spare.pk), "target": str(t.raiders.pk)},
        },
        400,
        "/ambush",
    ),
    "overcomes without a defender": (
        lambda t: {"sides": sides([t.watch.pk], [t.raiders.pk]), "overcomes": [{"attacker": str(t.watch.pk)}]},
        400,
        "/overcomes/0/defender",
    ),
    "a misspelt member": (lambda t: {"sides": sides([t.watch.pk], [t.raiders.pk]), "condition": []}, 400, "/condition"),
    "no name": (lambda t: {"sides": sides([t.watch.pk], [t.raiders.pk]), "name": ""}, 400, "/name"),
    "a name too long": (lambda t: {"sides": sides([t.watch.pk], [t.raiders.pk]), "name": "x" * 200}, 400, "/name"),
    "a name that is a number": (lambda t: {"sides": sides([t.watch.pk], [t.raiders.pk]), "name": 7}, 400, "/name"),
    "a NUL in a side's name": (
        lambda t: {
            "sides": [{"name": "A\0", "armies": [str(t.watch.pk)]}, {"name": "B", "armies": [str(t.raiders.pk)]}]
        },
        400,
        "/sides/0/name",
    ),
    "a campaign nobody knows": (
        lambda t: {"sides": sides([t.watch.pk], [t.raiders.pk]), "campaign": str(uuid4())},
        404,
        "/campaign",
    ),
    "a campaign that is no id": (
        lambda t: {"sides": sides([t.watch.pk], [t.raiders.pk]), "campaign": "here"},
        404,
        "/campaign",
    ),
}


def test_a_battle_that_cannot_be_opened(table):
    gm, plain = Client(table.gm).api, {"campaign": str(table.campaign.pk), "name": "The ford"}
    for case, (body, code, pointer) in OPENINGS.items():
        refused(gm.post("/api/v1/battles/", {**plain, **body(table)}), code, pointer, case)
        assert not Battle.objects.exists(), case
        assert not BattleArmy.objects.exists(), case


def test_a_battle_without_a_campaign_asks_for_one(table):
    refused(Client(table.gm).api.post("/api/v1/battles/", {}), 400, "/campaign", "no campaign")


def test_another_campaigns_army_does_not_exist_here(table, foreign):
    refused(post(table, sides=sides([table.watch.pk], [foreign.pk])), 404, "/sides/1/armies/0")
    assert not Battle.objects.exists()


@pytest.mark.parametrize("status", ["defeated", "disbanded", "captured"])
def test_an_army_that_is_no_more_opens_no_battle(table, status):
    correct_army(by=table.gm, army=table.raiders, status=status)
    refused(post(table, sides=sides([table.watch.pk], [table.raiders.pk])), 400, "/sides/1/armies/0")


def test_a_routed_army_is_attacked_but_does_not_attack(table):
    correct_army(by=table.gm, army=table.raiders, status="routed")
    refused(post(table, sides=sides([table.raiders.pk], [table.watch.pk])), 400, "/sides/0/armies/0")
    assert post(table, sides=sides([table.watch.pk], [table.raiders.pk])).status_code == 201


def test_an_army_fights_one_battle_at_a_time(table):
    open_ford(table)
    body = refused(post(table, sides=sides([table.watch.pk], [table.spare.pk])), 409, "/sides/0/armies/0")
    assert "“The ford”" in body["detail"]
    assert Battle.objects.count() == 1


def test_an_army_in_a_battle_stays_as_it_is(table):
    open_ford(table)
    held = {
        "buys": lambda: buy_resource(by=table.gm, army=table.watch, resource="ranged-weapons"),
        "disbands": lambda: disband_army(by=table.gm, army=table.watch),
        "marches": lambda: march_army(by=table.gm, army=table.watch, place="home", road=Road(hexes=1)),
        "rests": lambda: rest_army(by=table.gm, army=table.watch),
        "loses its leader": lambda: assign_commander(by=table.gm, army=table.watch, commander=None),
    }
    for deed in held.values():
        with pytest.raises(IllegalCommand, match="Finish that battle first"):
            deed()
    Battle.objects.update(status=Battle.Status.AFTERMATH)
    with pytest.raises(IllegalCommand, match=r"fought in “The ford”\. Settle its aftermath first"):
        held["rests"]()


COMMANDS = {
    "nothing": (lambda t: {}, 400, "/type"),
    "an unknown command": (lambda t: {"type": "flee"}, 400, "/type"),
    "a misspelt member": (lambda t: {"type": "resolve", "dices": []}, 400, "/dices"),
    "an army nobody knows": (lambda t: {"type": "order", "army": str(uuid4()), "tactic": "standard"}, 400, "/army"),
    "an army that is no id": (lambda t: {"type": "order", "army": {"id": 1}}, 400, "/army"),
    "an unknown tactic": (lambda t: {"type": "order", "army": str(t.watch.pk), "tactic": "sing"}, 400, "/tactic"),
    "a tactic it does not know": (
        lambda t: {"type": "order", "army": str(t.watch.pk), "tactic": "defensive-wall"},
        409,
        "/tactic",
    ),
    "an unknown strategy": (lambda t: {"type": "order", "army": str(t.watch.pk), "strategy": "bold"}, 400, "/strategy"),
    "a target on its own side": (
        lambda t: {"type": "order", "army": str(t.watch.pk), "target": str(t.watch.pk)},
        409,
        "/target",
    ),
    "a target nobody knows": (
        lambda t: {"type": "order", "army": str(t.watch.pk), "target": str(uuid4())},
        400,
        "/target",
    ),
    "an unknown use": (
        lambda t: {"type": "order", "army": str(t.watch.pk), "use": [{"ability": "juggling"}]},
        400,
        "/use/0",
    ),
    "a use it has not": (
        lambda t: {"type": "order", "army": str(t.watch.pk), "use": [{"ability": "rage"}]},
        409,
        "/use/0",
    ),
    "two uses in one": (
        lambda t: {"type": "order", "army": str(t.watch.pk), "use": [{"ability": "rage", "boon": "triage"}]},
        400,
        "/use/0",
    ),
    "withdrawing somewhere": (
        lambda t: {"type": "order", "army": str(t.watch.pk), "withdraw": "home"},
        400,
        "/withdraw",
    ),
    "a flag that is a text": (
        lambda t: {"type": "order", "army": str(t.watch.pk), "let_go": "yes"},
        400,
        "/let_go",
    ),
    "a face no die has": (
        lambda t: {
            "type": "resolve",
            "dice": [
                {"army": str(t.raiders.pk), "roll": "attack", "values": [20]},
                {"army": str(t.watch.pk), "roll": "attack", "values": [21]},
            ],
        },
        400,
        "/dice/1/values/0",
    ),
    "a face of 0": (
        lambda t: {"type": "resolve", "dice": [{"army": str(t.watch.pk), "roll": "attack", "values": [0]}]},
        400,
        "/dice/0/values/0",
    ),
    "a face that is a text": (
        lambda t: {"type": "resolve", "dice": [{"army": str(t.watch.pk), "roll": "attack", "values": ["20"]}]},
        400,
        "/dice/0/values/0",
    ),
    "dice nobody needs": (
        lambda t: {"type": "resolve", "dice": [{"army": str(t.watch.pk), "roll": "ambush", "values": [9]}]},
        400,
        "/dice/0/values/0",
    ),
    "too many dice": (
        lambda t: {"type": "resolve", "dice": [{"army": str(t.watch.pk), "roll": "attack", "values": [9, 9]}]},
        400,
        "/dice/0/values/1",
    ),
    "dice that are no list": (lambda t: {"type": "resolve", "dice": 14}, 400, "/dice"),
    "next out of phase": (lambda t: {"type": "next"}, 409, None),
    "another kind of phase": (lambda t: {"type": "next", "kind": "siege"}, 400, "/kind"),
    "an unknown condition": (lambda t: {"type": "condition", "condition": "frogs"}, 400, "/condition"),
    "heroes in an army nobody knows": (
        lambda t: {"type": "condition", "condition": "heroes", "army": "zz", "value": 4},
        400,
        "/army",
    ),
    "a condition that spares an army nobody knows": (
        lambda t: {"type": "condition", "condition": "fog", "armies": [str(t.watch.pk)], "except": ["zz"]},
        400,
        "/except",
    ),
    "armies nobody knows": (
        lambda t: {"type": "condition", "condition": "fog", "armies": [str(t.watch.pk), "zz"]},
        400,
        "/armies",
    ),
    "heroes in an army nobody knows, in a member of their own": (
        lambda t: {"type": "condition", "condition": {"condition": "heroes", "army": "zz", "value": 4}},
        400,
        "/condition/army",
    ),
    "an unknown condition in a member of its own": (
        lambda t: {"type": "condition", "condition": {"condition": "frogs"}},
        400,
        "/condition/condition",
    ),
    "a part of a condition in a member of its own": (
        lambda t: {"type": "condition", "condition": {"condition": "fog", "parts": [{"value": 1}]}},
        400,
        "/condition/parts",
    ),
    "what stands beside a condition in a member of its own": (
        lambda t: {"type": "condition", "condition": {"condition": "fog"}, "value": 4},
        400,
        "/value",
    ),
    "lifting what is not there": (lambda t: {"type": "condition", "condition": "fog", "lift": True}, 409, "/condition"),
    "an override of what is not there": (
        lambda t: {"type": "override", "army": str(t.watch.pk), "field": "luck", "value": 1, "reason": "x"},
        400,
        "/field",
    ),
    "an override out of range": (
        lambda t: {"type": "override", "army": str(t.watch.pk), "field": "hp", "value": 5000, "reason": "x"},
        400,
        "/value",
    ),
    "an override without a reason": (
        lambda t: {"type": "override", "army": str(t.watch.pk), "field": "hp", "value": 5},
        400,
        "/reason",
    ),
    "a reinforcement that is there": (
        lambda t: {"type": "reinforce", "army": str(t.watch.pk), "side": "Crown"},
        409,
        "/army",
    ),
    "a reinforcement nobody knows": (
        lambda t: {"type": "reinforce", "army": str(uuid4()), "side": "Crown"},
        404,
        "/army",
    ),
    "a side nobody knows": (lambda t: {"type": "reinforce", "army": str(t.spare.pk), "side": "Elves"}, 400, "/side"),
    "a side beyond the last": (lambda t: {"type": "reinforce", "army": str(t.spare.pk), "side": 2}, 400, "/side"),
    "an end without a reason": (lambda t: {"type": "end"}, 400, "/reason"),
    "an aftermath before the end": (lambda t: {"type": "aftermath"}, 409, None),
    "a closing of its own": (lambda t: {"type": "close"}, 400, "/type"),
    "choices that are no object": (lambda t: {"type": "aftermath", "choices": [1]}, 400, "/choices"),
    "choices that are an empty list": (lambda t: {"type": "aftermath", "choices": []}, 400, "/choices"),
}


def test_a_command_that_cannot_be_carried_out(battle, table):
    gm = Client(table.gm, battle)
    gm.ok(type="next")
    gm.ok(type="resolve")
    before, records, rows = gm.read(), BattleRecord.objects.count(), Battle.objects.values().get()
    for case, (command, code, pointer) in COMMANDS.items():
        refused(gm.api.post(f"{gm.url}commands/", command(table), headers={"If-Match": '"3"'}), code, pointer, case)
        assert Battle.objects.values().get() == rows, case
        assert BattleRecord.objects.count() == records, case
    assert gm.read() == before


def test_a_body_that_is_no_object(battle, table):
    gm = Client(table.gm, battle)
    for body in ([], "next", 7, None):
        response = gm.api.post(f"{gm.url}commands/", body, headers={"If-Match": '"1"'})
        assert response.status_code == 400, body
    response = gm.api.post(f"{gm.url}commands/", "{", content_type="application/json", headers={"If-Match": '"1"'})
    assert response.status_code == 400


def test_reinforcements_from_another_campaign_do_not_exist(battle, table, foreign):
    refused(Client(table.gm, battle).send(type="reinforce", army=str(foreign.pk), side="Crown"), 404, "/army")


def test_reinforcements_that_fight_elsewhere_or_are_no_more(battle, table):
    gm = Client(table.gm, battle)
    correct_army(by=table.gm, army=table.spare, status="defeated")
    refused(gm.send(type="reinforce", army=str(table.spare.pk), side="Horde"), 409, "/army")


def test_a_log_asked_for_wrongly(battle, table):
    gm = Client(table.gm, battle)
    for path in ("?after=x", "?after=-1", "?limit=0", "?limit=x", "?since=3"):
        refused(gm.api.get(f"{gm.url}events/{path}"), 400, case=path)


def test_lists_refuse_filters_they_do_not_know(battle, table):
    gm = Client(table.gm)
    for path in ("?colour=red", "?status=lost", "?campaign=7"):
        refused(gm.api.get(f"/api/v1/battles/{path}"), 400, case=path)


def test_no_such_battle(table):
    gm = Client(table.gm)
    assert gm.api.get(f"/api/v1/battles/{uuid4()}/").status_code == 404
    assert gm.api.get("/api/v1/battles/ford/").status_code == 404
