"""Preview of the figures an army would have."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from armies.pathfinder.forces.specs import build_army_spec, build_commander_spec
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from kingdom.models import Kingdom
from kingdom.realms.figures import get_ruleset
from rules.pathfinder.documents import mount_from_json, unit_from_json
from rules.pathfinder.spec import ArmySpec


def preview_sheet(
    *,
    kingdom: Kingdom,
    name: str,
    unit: dict[str, Any],
    count: int,
    mount: dict[str, Any] | None = None,
    commander: PathfinderCommander | None = None,
    army: PathfinderArmy | None = None,
) -> Any:
    """The sheet of an army so made, or of `army` so changed. Raises `InvalidInput`."""
    ruleset = get_ruleset(kingdom.campaign)
    shape, ridden = unit_from_json(unit, ruleset), mount_from_json(mount, ruleset)
    if army is not None:
        changed = replace(build_army_spec(army), name=name, unit=shape, count=count, mount=ridden, hp=None)
        return ruleset.sheet(changed)
    leader = build_commander_spec(commander) if commander else None
    return ruleset.sheet(ArmySpec("", name, shape, count, ridden, leader, kingdom=str(kingdom.pk)))
