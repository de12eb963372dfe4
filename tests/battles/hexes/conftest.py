"""A battle that is shown on a board."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from battles import ruleset_ui
from battles.models import Battle
from tests.battles.frame.conftest import opened
from tests.battles.hexes.sample import FordBattles, FordUI, SetupBattles, SetupUI
from tests.rulesets.drivers import table_of
from tests.rulesets.turns.driver import DRIVER as road
from tests.rulesets.turns.law import TurnsLaw
from tests.worlds import built_once


@built_once
def table(db) -> SimpleNamespace:
    return table_of(road)


@built_once
def fresh(table) -> Battle:
    found = opened(table).battle
    assert found
    return found


@pytest.fixture
def board(fresh, monkeypatch) -> Battle:
    """Battles of the road are shown as The ford."""
    show_the_ford(monkeypatch)
    return fresh


def show_the_ford(patch: Any, *, setup: bool = False) -> None:
    """Battles of the road look like this until the test is over."""
    patch.setitem(ruleset_ui._uis.by_family, "turns", SetupUI() if setup else FordUI())
    patch.setattr(TurnsLaw, "battle", SetupBattles() if setup else FordBattles())
