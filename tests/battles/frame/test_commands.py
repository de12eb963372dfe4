"""Two at once, twice the same, too late, by the wrong hand: one thing happens, or nothing, and it is said."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from battles.codec.requests import parse_request
from battles.models import Battle, BattleRecord
from battles.play import battle_state as play_battle_state
from battles.play import services
from core.live import CHANNEL
from tests.battles.conftest import Client
from tests.battles.frame.conftest import opened, play
from tests.battles.play.test_versions import THREADS, at_once
from tests.rulesets import drivers


def test_every_registered_law_is_driven_by_these_tests():
    assert drivers.unknown_laws() == set()


def test_a_command_needs_the_version_it_was_given_on(gm, table, driver):
    first = driver.first(table)
    assert gm.api.post(f"{gm.url}commands/", first).status_code == 428
    wrong = {'"0"': 412, '"2"': 412, '"1x"': 412, "*": 412, "later": 400, '"1': 400, ",": 400, '"1", "2"': 400}
    for tag, status in wrong.items():
        response = gm.api.post(f"{gm.url}commands/", first, headers={"If-Match": tag})
        assert response.status_code == status, tag
    assert gm.read()["version"] == 1
    assert gm.send(version=1, **first).status_code == 200


def test_a_double_submit_is_stale_and_changes_nothing(gm, table, driver):
    first = driver.first(table)
    assert gm.send(version=1, **first).status_code == 200
    second = gm.send(version=1, **first)
    assert second.status_code == 412
    assert second.json()["version"] == 2
    assert BattleRecord.objects.count() == 1


def test_the_same_key_answers_the_same_once(gm, table, driver):
    headers = {"If-Match": '"1"', "Idempotency-Key": "k1"}
    first = gm.api.post(f"{gm.url}commands/", driver.first(table), headers=headers)
    again = gm.api.post(f"{gm.url}commands/", driver.first(table), headers=headers)
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json() == first.json()
    assert again["ETag"] == first["ETag"] == '"2"'
    assert gm.api.post(f"{gm.url}commands/", {"type": "undo"}, headers=headers).status_code == 422
    assert BattleRecord.objects.count() == 1


def obeyed(table: Any, battle: Battle, version: int, command: dict[str, Any]) -> Any:
    asked, dice = parse_request(command, battle)
    return services.play(by=table.gm, battle_id=battle.pk, version=version, command=asked, **dice)


@pytest.mark.django_db(transaction=True)
def test_of_twenty_who_command_at_once_one_is_heard(driver):
    table = drivers.table_of(driver)
    battle = opened(table).battle
    got = at_once(lambda: obeyed(table, battle, 1, driver.first(table)))
    assert got == {"done": 1, "BattleMovedOn": THREADS - 1}
    battle.refresh_from_db()
    assert battle.version == 2
    assert play_battle_state.load_state(battle) == play_battle_state.refold(battle)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_listeners_are_told_the_battle_and_its_version(driver):
    table = drivers.table_of(driver)
    battle = opened(table).battle
    with connection.cursor() as cursor:
        cursor.execute(f"LISTEN {CHANNEL}")
    obeyed(table, battle, 1, driver.first(table))
    notices = list(connection.connection.notifies(timeout=5, stop_after=1))
    assert [notice.payload.rsplit(":", 1)[0] for notice in notices] == [f"{battle.pk}:2"]


def test_an_unknown_command_and_a_stray_member_are_refused(gm, table, driver):
    assert gm.send(type="dance").status_code == 400
    refused = gm.send(**driver.first(table), tune="march")
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["pointer"] == "/tune"
    assert gm.read()["version"] == 1


def test_only_who_commands_it_gives_an_army_its_orders(gm, table, driver):
    play(gm, driver.before_orders(table))
    codes = {who: Client(getattr(table, who), gm.battle).send(**driver.own(table)).status_code
             for who in ("stranger", "viewer", "bo", "ana")}  # fmt: skip
    unknown = codes.pop("bo")  # what is hidden from them is not forbidden: it is not there
    assert unknown in (400, 403)
    assert codes == {"stranger": 404, "viewer": 403, "ana": 200}


def test_what_comes_after_a_battle_is_the_gms_and_comes_after_it(gm, table, driver):
    play(gm, driver.before_orders(table))
    assert Client(table.ana, gm.battle).send(type="aftermath", confirm=True).status_code == 403
    assert gm.send(type="aftermath", confirm=True).status_code == 409


def test_an_army_fights_in_one_battle_at_a_time(gm, table):
    body = {"campaign": str(table.campaign.pk), "name": "Again", "sides": drivers.sides_of(table)}
    refused = gm.api.post("/api/v1/battles/", body)
    assert refused.status_code == 409
    assert refused.json()["errors"][0]["pointer"] == "/sides/0/armies/0"


def test_in_every_phase_what_is_legal_are_types_of_commands(table, driver):
    """Whoever reads it can send them. The old version: none of them is done."""
    gm, tried, phases = opened(table), set(), set()
    for command in ({}, *driver.fought(table), {"type": "aftermath", "confirm": True}):
        if command:
            gm.ok(**command)
        for who in (table.gm, table.ana):
            read = Client(who, gm.battle).read()
            phases.add(read["phase"]["kind"])
            for word in set(read["legal"]) - tried:
                refused = gm.send(version=0, type=word).json()
                assert "/type" not in {error["pointer"] for error in refused.get("errors", ())}, (word, read["phase"])
                tried.add(word)
    assert "aftermath" in phases
    assert "aftermath" in tried
