"""Sharing: what each unit of a body bears of its losses once the battle is over, as it was said or by force (B-78)."""

from __future__ import annotations

from typing import NamedTuple

from rules.breaking_point.battle.battle_state import BattleNow, Body
from rules.breaking_point.battle.field_figures import units_of
from rules.breaking_point.figures import unit_force
from rules.breaking_point.losses import lasting, shared


class UnitShare(NamedTuple):
    """A unit of a body: whose it is, its number there, the points it bears, and the most it can bear."""

    army: str
    unit: int
    points: int
    most: int


def shares_of(battle: BattleNow, body: Body) -> list[UnitShare]:
    """What every unit of a body bears, as it was said, or else by force: of what it lost, half of a victor's having
    come back (B-47, B-48); of what the battle has added, where a siege keeps the losses (B-55).
    """
    forces = [unit_force(unit) for unit in units_of(battle, body)]
    members = body.formation.members
    if _of_siege(battle, body):
        parts = shared(max(0, body.losses - body.brought), forces)
    else:
        winner = battle.result.winner if battle.result else None
        parts = lasting(body.losses, forces, victor=body.side == winner)
    rows = zip(members, parts, forces, strict=True)
    return [
        UnitShare(member.army, member.unit, _said(body, member.army, member.unit, part), force * body.factor)
        for member, part, force in rows
    ]


def _of_siege(battle: BattleNow, body: Body) -> list[str]:
    """Those of its armies whose losses a siege keeps."""
    return [member.army for member in body.formation.members if member.army in battle.opening.besieged]


def _said(body: Body, army: str, unit: int, part: int) -> int:
    return body.shares[army].get(unit, part) if army in body.shares else part


def own_shares(battle: BattleNow, body: Body, army: str) -> list[UnitShare]:
    return [share for share in shares_of(battle, body) if share.army == army]


def may_share(battle: BattleNow, body: Body, army: str) -> bool:
    """Whether there is anything to be shared otherwise: several units, and fewer points than they can bear. Armies of a
    siege and others in one body share as the law has it.
    """
    if len(_of_siege(battle, body)) not in (0, len(body.formation.members)):
        return False
    own = own_shares(battle, body, army)
    total = sum(share.points for share in own)
    return len(own) > 1 and 0 < total < sum(share.most for share in own)
