"""A map on the table of tests/armies: the crown in the north-west, the horde in the south-east."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from armies.marches.services import put_army
from kingdom.map import editor_svg
from kingdom.map.services import claim_hexes, make_map, put_settlement
from kingdom.models import Settlement
from tests.armies.conftest import api_of, campaign, crown, gm, raised, table, war  # noqa: F401 - fixtures
from tests.everyday import at_most
from tests.worlds import built_once

CROWN_HEXES = ("B2", "C2", "B3", "C3", "D3")
HORDE_HEXES = ("L10", "M10")


@pytest.fixture(autouse=True)
def _pictures_are_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of points. What is on them is held by the lines they are drawn from."""
    monkeypatch.setattr(editor_svg, "WIDEST", at_most(160, full=editor_svg.WIDEST))


def drawing(**changes: Any) -> dict[str, Any]:
    """Sixteen by twelve hexes with a lake, a road, a river and two names."""
    rows = ["." * 16 for _row in range(12)]
    rows[5] = "....w.~~~......."
    rows[10] = "........AA......"
    return {
        "format": "warhost-hexmap", "version": 1, "name": "Marches", "kind": "campaign", "columns": 16, "rows": 12,
        "terrain": rows, "roads": [["B2", "C2", "D3"]], "rivers": [["E5", "F5"]],
        "labels": {"G6": "Tuskwater", "N11": "Canary Barrow"}, **changes,
    }  # fmt: skip


@built_once
def marches(war) -> SimpleNamespace:  # noqa: F811
    """The crown's town and army stand on its own hexes, the horde's hidden army and a revealed one far away."""
    make_map(by=war.gm, campaign=war.campaign, document=drawing())
    claim_hexes(by=war.gm, campaign=war.campaign, kingdom=war.crown, hexes=CROWN_HEXES)
    claim_hexes(by=war.gm, campaign=war.campaign, kingdom=war.horde, hexes=HORDE_HEXES)
    town = put_settlement(by=war.gm, settlement=Settlement.objects.get(name="Restov"), hex="C3")
    levy = put_army(by=war.gm, army=war.levy, hex="D3")
    raiders = put_army(by=war.gm, army=war.raiders, hex="M10")
    return SimpleNamespace(**{**vars(war), "town": town, "levy": levy, "raiders": raiders})
