"""A real worker plays the engine's turns from the queue; two at once never play the same one."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from battles.forecast.single_flight import flights
from battles.models import ENGINE, Battle
from battles.opponents import services
from battles.opponents.services import play_turn, set_head
from config.ops.worker import run_worker
from tests.battles.conftest import Client
from tests.battles.frame.conftest import opened
from tests.rulesets.drivers import table_of
from tests.rulesets.turns.driver import DRIVER as road
from tests.worlds import built_once

HORDE, PATIENCE = 1, 20.0


@built_once
def table(transactional_db) -> Any:
    return table_of(road)


@built_once
def running(table) -> Battle:
    found = opened(table).battle
    assert found
    return found


@pytest.fixture
def ana(table, running) -> Client:
    """Their key on a battle in which the engine plays the horde."""
    flights.clear()
    set_head(by=table.gm, battle_id=running.pk, side=HORDE, leaning="balanced", left=True)
    return Client(table.ana, running)


def by_engine(battle: Battle) -> int:
    return battle.records.filter(undone=False, command__has_key=ENGINE).count()


def until(found: Any) -> bool:
    ends = time.monotonic() + PATIENCE
    while not found() and time.monotonic() < ends:
        time.sleep(0.05)
    return bool(found())


def test_a_worker_plays_what_is_queued_and_hands_over(ana, table, running):
    ana.ok(**road.own(table))
    with run_worker():
        assert until(lambda: by_engine(running) == 1)
        assert until(lambda: ana.read()["your_turn"])
        ana.ok(**road.own(table) | {"to": 3})
        assert until(lambda: by_engine(running) == 2)


def test_a_turn_waits_for_a_worker_that_comes_later(ana, table, running):
    """What was committed is played by whoever comes next, whatever became of the process that queued it."""
    ana.ok(**road.own(table))
    assert by_engine(running) == 0
    with run_worker():
        assert until(lambda: by_engine(running) == 1)


def test_of_two_workers_at_once_one_plays(ana, table, running, monkeypatch):
    """Both have weighed the same move before either carries it out."""
    ana.ok(**road.own(table))
    both, weigh = Barrier(2, timeout=PATIENCE), services._weigh

    def together(battle: Battle, head: Any) -> Any:
        found = weigh(battle, head)
        both.wait()
        return found

    def one(_number: int) -> bool:
        try:
            return play_turn(running.pk)
        finally:
            connection.close()

    monkeypatch.setattr(services, "_weigh", together)
    with ThreadPoolExecutor(2) as workers:
        played = list(workers.map(one, range(2)))
    assert sorted(played) == [False, True]
    assert by_engine(running) == 1
