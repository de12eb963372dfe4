"""Two at once, twice the same, too late: one thing happens, or nothing, and it is said."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from typing import Any

import pytest
from django.db import connections, transaction
from django.http import Http404

from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.play.errors import BattleMovedOn
from battles.play.record_services import take
from battles.play.services import play, undo
from rules.core.errors import Refusal
from rules.pathfinder.battle.orders.commands import GiveOrder, Next, Resolve
from rules.pathfinder.battle.state.battle_state import Order
from rules.registry import ruleset
from tests.battles.conftest import make_table, open_ford, seat_everybody
from tests.config.house import until
from tests.kingdom.conftest import make_user
from tests.meanwhile import somebody_waits
from tests.worlds import built_once

THREADS = 20


def order(army: Any) -> GiveOrder:
    return GiveOrder(Order(str(army.pk), tactic="standard"))


@built_once
def tactics(battle, table):
    play(by=table.gm, battle_id=battle.pk, version=1, command=Next())
    return battle


def test_a_patient_order_bears_those_of_other_armies_and_nothing_else(table):
    law, watch, raiders = ruleset("combat-de-masse").battle, order(table.watch), order(table.raiders)
    assert law.bears(watch, (raiders,))
    for since in ((watch,), (Resolve(),), (raiders, Next())):
        assert not law.bears(watch, since)
    assert not law.bears(Resolve(), (raiders,))


@pytest.mark.slow
def test_patience_ends_where_the_same_army_or_the_battle_moved_on(tactics, table):
    seen = {"battle_id": tactics.pk, "patient": True}
    play(by=table.ana, version=2, command=order(table.watch), **seen)
    with pytest.raises(BattleMovedOn):
        play(by=table.gm, version=2, command=order(table.watch), **seen)
    play(by=table.gm, version=3, command=Resolve(), **seen)
    with pytest.raises(BattleMovedOn) as stale:
        play(by=table.bo, version=3, command=order(table.raiders), **seen)
    assert stale.value.version == 4
    undo(by=table.gm, battle_id=tactics.pk, version=4)
    with pytest.raises(BattleMovedOn):
        play(by=table.bo, version=3, command=order(table.raiders), **seen)


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
def test_an_army_is_not_drawn_into_two_battles_at_once():
    table = make_table(make_user("gm"))
    got = at_once(lambda: open_ford(table), 6)
    assert got == {"done": 1, "IllegalCommand": 5}
    assert Battle.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_what_was_rolled_back_is_in_no_cache():
    table = make_table(make_user("gm"))
    battle = open_ford(table)
    with pytest.raises(BattleMovedOn):
        play(by=table.gm, battle_id=battle.pk, version=7, command=Next())
    play(by=table.gm, battle_id=battle.pk, version=1, command=Next())
    fresh = Battle.objects.get(pk=battle.pk)
    assert play_battle_state.load_state(fresh).phase.kind == "tactics"
    undo(by=table.gm, battle_id=battle.pk, version=2)
    assert play_battle_state.load_state(Battle.objects.get(pk=battle.pk)).phase.kind == "setup"


@pytest.mark.django_db(transaction=True)
def test_a_stranger_does_not_wait_for_the_lock_of_a_battle():
    table = seat_everybody(make_table(make_user("gm")))
    battle = open_ford(table)

    def meddle() -> str:
        try:
            play(by=table.stranger, battle_id=battle.pk, version=1, command=Next())
        except Http404:
            return "not found"
        finally:
            connections["default"].close()
        return "done"

    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        take(table.gm, battle.pk)
        assert pool.submit(meddle).result(timeout=30) == "not found"


@pytest.mark.django_db(transaction=True)
def test_an_undo_lets_a_command_of_the_same_battle_write_its_record():
    """The undo holds the campaign and waits for the battle; the command holds the battle, and its record refers to the
    campaign. With the campaign's key held they would wait for each other.
    """
    table = seat_everybody(make_table(make_user("gm")))
    battle = open_ford(table)
    play(by=table.gm, battle_id=battle.pk, version=1, command=Next())
    begun = Event()

    def take_back() -> str:
        try:
            begun.set()
            undo(by=table.gm, battle_id=battle.pk, version=2)
            return "done"
        except BattleMovedOn:
            return "late"
        finally:
            connections["default"].close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            take(table.gm, battle.pk)
            undoing = pool.submit(take_back)
            begun.wait()
            until(somebody_waits, 30)
            play(by=table.ana, battle_id=battle.pk, version=2, command=order(table.watch))
        assert undoing.result(10) == "late"
