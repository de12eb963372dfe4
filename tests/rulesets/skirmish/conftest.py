"""The field with everybody at it: a battle just opened, one where riders have come near, one that waits for a hex."""

from __future__ import annotations

from typing import Any

import pytest

from battles.models import Battle
from tests.battles.conftest import Client
from tests.battles.frame.conftest import opened, play
from tests.rulesets.drivers import table_of
from tests.rulesets.skirmish.driver import DRIVER as hexes
from tests.worlds import built_once


@built_once
def table(db) -> Any:
    return table_of(hexes)


@built_once
def fresh(table) -> Battle:
    found = opened(table).battle
    assert found
    return found


@built_once
def met(table, fresh) -> Battle:
    """The riders of the raiders have come near; the watch is to act."""
    play(Client(table.gm, fresh), hexes.before_dice(table))
    return Battle.objects.get(pk=fresh.pk)


@built_once
def asked(table, met) -> Battle:
    """Those riders have to flee; their side is asked where to."""
    Client(table.gm, met).ok(**hexes.thrown(table), dice=hexes.face(table.watch, "R1", 4))
    return Battle.objects.get(pk=met.pk)


@pytest.fixture
def gm(table, fresh) -> Client:
    return Client(table.gm, fresh)


@pytest.fixture
def ana(table, fresh) -> Client:
    return Client(table.ana, fresh)


@pytest.fixture
def bo(table, fresh) -> Client:
    return Client(table.bo, fresh)
