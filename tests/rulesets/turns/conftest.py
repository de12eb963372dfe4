"""The road with everybody at it, a battle just opened, and one where somebody is flanked."""

from __future__ import annotations

from typing import Any

import pytest

from battles.models import Battle
from tests.battles.conftest import Client
from tests.battles.frame.conftest import opened, play
from tests.rulesets.drivers import table_of
from tests.rulesets.turns.driver import DRIVER as road
from tests.worlds import built_once


@built_once
def table(db) -> Any:
    return table_of(road)


@built_once
def fresh(table) -> Battle:
    found = opened(table).battle
    assert found
    return found


@pytest.fixture
def gm(table, fresh) -> Client:
    return Client(table.gm, fresh)


@pytest.fixture
def ana(gm, table) -> Client:
    return Client(table.ana, gm.battle)


@pytest.fixture
def bo(gm, table) -> Client:
    return Client(table.bo, gm.battle)


@pytest.fixture
def struck(gm, table) -> Client:
    """The watch strikes at the raiders' line, who are asked."""
    play(gm, road.before_dice(table))
    return gm


@pytest.fixture
def flanked(gm, table) -> Client:
    """The watch flanks the raiders' line with a 2 and a 5; they are asked for a place, a number, a way and a die."""
    dice = [{"army": road.unit(table.watch), "roll": "flank", "values": [2, 5]}]
    before = road.before_dice(table)[:-1]
    play(gm, [*before, {**road.flank(table.watch, road.unit(table.raiders)), "dice": dice}])
    return gm
