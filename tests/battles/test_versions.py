"""Two at once, twice the same, too late: one thing happens, or nothing, and it is said."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection, connections

from battles import folding, services
from battles.models import Battle, BattleRecord
from rules.errors import Refusal
from rules.pathfinder.battle.orders.commands import GiveOrder, Next, Resolve
from rules.pathfinder.battle.state.battle import Order
from tests.battles.conftest import Client, make_table, open_ford, seat_everybody
from tests.kingdom.conftest import make_user
from tests.worlds import built_once

THREADS = 20


def test_a_command_needs_the_version_it_was_given_on(battle, table):
    gm = Client(table.gm, battle)
    assert gm.api.post(f"{gm.url}commands/", {"type": "next"}).status_code == 428
    for tag in ('"0"', '"2"', "later", '"1x"', "*"):
        response = gm.api.post(f"{gm.url}commands/", {"type": "next"}, headers={"If-Match": tag})
        assert response.status_code == 412, tag
    assert gm.read()["version"] == 1
    assert gm.send(version=1, type="next").status_code == 200


def test_a_double_submit_is_stale_and_changes_nothing(battle, table):
    gm = Client(table.gm, battle)
    assert gm.send(version=1, type="next").status_code == 200
    second = gm.send(version=1, type="next")
    assert second.status_code == 412
    assert second.json()["version"] == 2
    assert BattleRecord.objects.count() == 1


def test_the_same_key_answers_the_same_once(battle, table):
    gm = Client(table.gm, battle)
    headers = {"If-Match": '"1"', "Idempotency-Key": "k1"}
    first = gm.api.post(f"{gm.url}commands/", {"type": "next"}, headers=headers)
    again = gm.api.post(f"{gm.url}commands/", {"type": "next"}, headers=headers)
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json() == first.json()
    assert again["ETag"] == first["ETag"] == '"2"'
    assert gm.api.post(f"{gm.url}commands/", {"type": "resolve"}, headers=headers).status_code == 422
    assert BattleRecord.objects.count() == 1


def order(army: Any) -> GiveOrder:
    return GiveOrder(Order(str(army.pk), tactic="standard"))


@built_once
def tactics(battle, table):
    services.play(by=table.gm, battle_id=battle.pk, version=1, command=Next())
    return battle


def test_a_patient_order_waits_for_nobody_elses(tactics, table):
    seen = {"battle_id": tactics.pk, "version": 2, "patient": True}
    services.play(by=table.ana, command=order(table.watch), **seen)
    done = services.play(by=table.bo, command=order(table.raiders), **seen)
    assert done.battle.version == 4
    assert len(done.state.orders) == 2


def test_patience_ends_where_the_same_army_or_the_battle_moved_on(tactics, table):
    seen = {"battle_id": tactics.pk, "patient": True}
    services.play(by=table.ana, version=2, command=order(table.watch), **seen)
    with pytest.raises(services.StaleVersion):
        services.play(by=table.gm, version=2, command=order(table.watch), **seen)
    services.play(by=table.gm, version=3, command=Resolve(), **seen)
    with pytest.raises(services.StaleVersion) as stale:
        services.play(by=table.bo, version=3, command=order(table.raiders), **seen)
    assert stale.value.version == 4
    services.undo(by=table.gm, battle_id=tactics.pk, version=4)
    with pytest.raises(services.StaleVersion):
        services.play(by=table.bo, version=3, command=order(table.raiders), **seen)


def test_without_patience_an_order_on_an_old_version_is_stale(tactics, table):
    services.play(by=table.ana, battle_id=tactics.pk, version=2, command=order(table.watch))
    with pytest.raises(services.StaleVersion):
        services.play(by=table.bo, battle_id=tactics.pk, version=2, command=order(table.raiders))


def at_once(action: Any, count: int = THREADS) -> Counter[str]:
    """What `count` threads got that did the same at the same moment."""
    gate = Barrier(count)

    def one(_number: int) -> str:
        try:
            gate.wait()
            action()
            return "done"
        except Refusal as refusal:
            return type(refusal).__name__
        finally:
            connections["default"].close()

    with ThreadPoolExecutor(count) as pool:
        return Counter(pool.map(one, range(count)))


@pytest.mark.django_db(transaction=True)
def test_twenty_who_resolve_at_once_resolve_it_once():
    table = seat_everybody(make_table(make_user("gm")))
    battle = open_ford(table)
    services.play(by=table.gm, battle_id=battle.pk, version=1, command=Next())
    services.play(by=table.gm, battle_id=battle.pk, version=2, command=Resolve())

    got = at_once(lambda: services.play(by=table.gm, battle_id=battle.pk, version=3, command=Resolve()))

    assert got == {"done": 1, "StaleVersion": THREADS - 1}
    battle.refresh_from_db()
    assert battle.version == 4
    assert list(battle.records.values_list("seq", flat=True)) == [1, 2, 3]
    assert folding.state_of(battle) == folding.refold(battle)


@pytest.mark.django_db(transaction=True)
def test_an_army_is_not_drawn_into_two_battles_at_once():
    table = make_table(make_user("gm"))
    got = at_once(lambda: open_ford(table), 6)
    assert got == {"done": 1, "IllegalCommand": 5}
    assert Battle.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_listeners_are_told_the_battle_and_its_version():
    table = make_table(make_user("gm"))
    battle = open_ford(table)
    with connection.cursor() as cursor:
        cursor.execute("LISTEN warhost_battle")
    services.play(by=table.gm, battle_id=battle.pk, version=1, command=Next())
    notices = list(connection.connection.notifies(timeout=5, stop_after=1))
    assert [notice.payload for notice in notices] == [f"{battle.pk}:2"]


@pytest.mark.django_db(transaction=True)
def test_what_was_rolled_back_is_in_no_cache():
    table = make_table(make_user("gm"))
    battle = open_ford(table)
    with pytest.raises(services.StaleVersion):
        services.play(by=table.gm, battle_id=battle.pk, version=7, command=Next())
    services.play(by=table.gm, battle_id=battle.pk, version=1, command=Next())
    fresh = Battle.objects.get(pk=battle.pk)
    assert folding.state_of(fresh).phase.kind == "tactics"
    services.undo(by=table.gm, battle_id=battle.pk, version=2)
    assert folding.state_of(Battle.objects.get(pk=battle.pk)).phase.kind == "setup"
