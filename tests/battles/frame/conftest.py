"""Every test here runs under every registered law, driven by the law's own driver."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from battles.models import Battle
from battles.play import battle_state as play_battle_state
from tests.battles.conftest import Client
from tests.rulesets.drivers import DRIVERS, Driver, driver_of, sides_of, table_of
from tests.worlds import built_once


@pytest.fixture(params=sorted(DRIVERS))
def driver(request) -> Driver:
    return driver_of(request.param)


@built_once
def table(db, driver) -> SimpleNamespace:
    return table_of(driver)


@built_once
def fresh(table) -> Battle:
    """A battle the GM opened: nothing has happened yet."""
    found = opened(table).battle
    assert found
    return found


@built_once
def ready(table, fresh, driver) -> Battle:
    """The same, where dice fall next and its law foretells it."""
    play(Client(table.gm, fresh), driver.before_dice(table))
    return Battle.objects.get(pk=fresh.pk)


@built_once
def decided(table, driver) -> Battle:
    """The same, fought to its end."""
    gm = opened(table)
    assert play(gm, driver.until_over(table))["status"] == "aftermath"
    assert gm.battle
    return gm.battle


@pytest.fixture
def gm(table, fresh) -> Client:
    """The GM's key on the fresh battle."""
    return Client(table.gm, fresh)


def foretells(battle: Battle) -> bool:
    return play_battle_state.get_engine(battle).forecast.known


def plays_out(battle: Battle) -> bool:
    """Whether its odds are told by playing it."""
    return play_battle_state.get_engine(battle).forecast.by_play


def opened(table: Any) -> Client:
    client = Client(table.gm)
    body = {"campaign": str(table.campaign.pk), "name": "The ford", "sides": sides_of(table)}
    response = client.api.post("/api/v1/battles/", body)
    assert response.status_code == 201, response.content
    client.battle = Battle.objects.get(pk=response.json()["id"])
    return client


def play(gm: Client, commands: Any) -> dict[str, Any]:
    """One after the other; the answer to the last."""
    answer: dict[str, Any] = {}
    for command in commands:
        answer = gm.ok(**command)
    return answer


@pytest.fixture
def over(table, decided) -> Client:
    """Their key on the one that is over."""
    return Client(table.gm, decided)
