"""Reach of a body: cover by others, range, support (B-25, B-26, B-65)."""

from __future__ import annotations

from rules.breaking_point.battle.battle_state import FIGHTING, FLEET, BattleNow, Body
from rules.breaking_point.spec import RANGES

ATTACK = "attack"


def covered(battle: BattleNow, body: Body) -> bool:
    """Whether a shooting group has a body of its side before it that still stands and is no shooting group itself
    (B-25, B-70). Support, far away, covers nobody (B-65).
    """
    return body.shoots_only and any(
        other.side == body.side and other.status == FIGHTING and not other.shoots_only and not other.formation.support
        for other in battle.bodies.values()
    )


def why_out_of_reach(battle: BattleNow, body: Body, target: Body, do: str) -> str:
    """Why it cannot attack or shoot at this body on the field, "" where it can: a slug that `telling` says in words."""
    if target.formation.support:
        return "support"
    if battle.kind == FLEET or not covered(battle, target):
        return ""
    if do == ATTACK:
        return "covered"
    return "" if reach_of(body) >= reach_of(target) else "range"


def reach_of(body: Body) -> int:
    reach = body.formation.range
    return RANGES.index(reach) if reach else -1
