"""A map under every law: Ironwatch of the Crown in the west, the Raiders of the Horde on its way, a lake between."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from armies.marches.services import put_army
from armies.models import Army
from armies.weeks import services as time
from kingdom.map.services import claim_hexes, make_map
from tests.rulesets.drivers import LAWS, driver_of, table_of
from tests.worlds import built_once

LINES = ("............", "..ww........", "....~~~.....", "....~~~.....", "............", "......^^^...", "............",
         "............")  # fmt: skip


def drawing(**more: Any) -> dict[str, Any]:
    """Twelve by eight hexes."""
    return {
        "format": "warhost-hexmap", "version": 1, "name": "Marches", "kind": "campaign", "columns": 12, "rows": 8,
        "terrain": list(LINES), "roads": [["A8", "B8", "C8", "D8"]], "labels": {"K2": "Canary Barrow"}, **more,
    }  # fmt: skip


@pytest.fixture(params=LAWS)
def driver(request: pytest.FixtureRequest) -> Any:
    return driver_of(request.param)


@built_once
def marches(driver) -> SimpleNamespace:
    """Ironwatch stands in A7, the Raiders wait in G7, their own land; the Spare are on no map."""
    table = table_of(driver)
    make_map(by=table.gm, campaign=table.campaign, document=drawing())
    claim_hexes(by=table.gm, campaign=table.campaign, kingdom=table.horde, hexes=["G7", "H7"])
    put_army(by=table.gm, army=table.watch, hex="A7")
    put_army(by=table.gm, army=table.raiders, hex="G7")
    return table


def fresh(army: Any) -> Any:
    """The army as it is now, in its law's model."""
    return type(army)._default_manager.get(pk=army.pk)


def where(*armies: Any) -> list[str]:
    return [Army.objects.get(pk=army.pk).hex for army in armies]


def pass_days(table: Any, days: int) -> Any:
    """The campaign's next days, whatever there is to throw."""
    table.campaign.refresh_from_db()
    return time.confirm_time(by=table.gm, campaign=table.campaign, days=days)


WAY = ("B7", "C7", "D7", "E7", "F7", "G7")
