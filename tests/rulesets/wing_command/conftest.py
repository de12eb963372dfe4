"""Wing command at the table: two hosts, a battle that has begun, everybody's key on it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from battles.models import Battle
from tests.battles.conftest import Client
from tests.rulesets.wing_command import hosts
from tests.worlds import built_once


@built_once
def table(db) -> SimpleNamespace:
    return hosts.hosts()


@built_once
def fresh(table) -> Battle:
    return hosts.opened(table)


@built_once
def begun(table) -> Battle:
    """The crown has the initiative; its characters command."""
    return hosts.begun(table)


@pytest.fixture
def gm(table, begun) -> Client:
    return Client(table.gm, begun)


@pytest.fixture
def ana(table, begun) -> Client:
    return Client(table.ana, begun)


@pytest.fixture
def bo(table, begun) -> Client:
    return Client(table.bo, begun)
