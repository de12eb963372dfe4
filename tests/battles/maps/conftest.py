"""A table under the skirmish, with a map in its library and a battle open."""

from __future__ import annotations

from typing import Any

from battles.maps.services import keep_map
from battles.models import Battle, BattleMap
from rules.hexes.battlefields import STARTERS
from rules.hexes.mapfile import document
from tests.battles.frame.conftest import opened
from tests.rulesets.drivers import table_of
from tests.rulesets.skirmish.driver import DRIVER as hexes
from tests.worlds import built_once


@built_once
def table(db) -> Any:
    return table_of(hexes)


@built_once
def kept(table) -> BattleMap:
    return keep_map(by=table.gm, campaign=table.campaign, document=document(STARTERS["the-ford"]), name="Old ford")


@built_once
def battle(table) -> Battle:
    found = opened(table).battle
    assert found
    return found
