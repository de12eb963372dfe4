"""Checks of a battle map that was written elsewhere: in a campaign's document, or in what is kept of a deleted one."""

from __future__ import annotations

from battles.models import BattleMap
from core.clean_input import clean_text
from kingdom.archive.versions import locate_faults
from rules.core.errors import demand
from rules.core.text import _
from rules.hexes.mapfile import parse
from rules.hexes.terrain import MapKind


def demand_map(kept: BattleMap) -> None:
    """It is a battle map of this size. Raises `InvalidInput`."""
    clean_text(kept.name, field="/name", kept=True)
    demand(isinstance(kept.written, dict), _("Write an object."), field="/written")
    with locate_faults("/written"):
        land = parse(kept.document, kept=True)
        demand(land.kind is MapKind.BATTLE, _("This is a map of a campaign, not of a battle."), field="/kind")
    for side in ("columns", "rows"):
        demand(getattr(kept, side) == getattr(land, side), _("The map has another size."), field=f"/{side}")
