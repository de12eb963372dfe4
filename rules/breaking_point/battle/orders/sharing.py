"""Sharing: how whoever runs an army shares the points its units have lost in a body, once the battle is over (B-78)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules.breaking_point.battle.commands import ShareLosses
from rules.breaking_point.battle.field import units_of
from rules.breaking_point.battle.opening import NO_SUCH_ARMY
from rules.breaking_point.battle.state import AFTERMATH, BattleNow, Body
from rules.breaking_point.battle.telling.words import body_name
from rules.breaking_point.figures import unit_force
from rules.breaking_point.losses import lasting, shared
from rules.errors import demand, require
from rules.law import Viewer
from rules.text import _


class UnitShare(NamedTuple):
    """A unit of a body: whose it is, its number there, the points it bears, and the most it can bear."""

    army: str
    unit: int
    points: int
    most: int


def shares_of(battle: BattleNow, body: Body) -> list[UnitShare]:
    """What every unit of a body bears, as it was said, or else by force: of what it lost, half of a victor's having come
    back (B-47, B-48); of what the battle has added, where a siege keeps the losses (B-55).
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


def check_sharing(battle: BattleNow, command: ShareLosses, viewer: Viewer) -> None:
    """Raise `InvalidInput` for what does not exist or does not add up, `IllegalCommand` for what cannot be now."""
    demand(command.army in battle.armies, NO_SUCH_ARMY, field="/army")
    name = battle.armies[command.army].name
    require(viewer.commands(command.army), _("You do not command {army}."), field="/army", army=name)
    require(battle.phase.kind == AFTERMATH, _("Losses are shared once the battle is over, before its aftermath is "
                                              "confirmed."))  # fmt: skip
    body = battle.bodies.get(command.body)
    own = own_shares(battle, body, command.army) if body is not None else []
    demand(own, _("{army} has no unit in such a body."), field="/body", army=name)
    assert body is not None
    require(may_share(battle, body, command.army), _("{body} has nothing to share otherwise."), field="/body",
            body=body_name(battle, body))  # fmt: skip
    _check_points(own, command.units)


def _check_points(own: list[UnitShare], given: Mapping[int, int]) -> None:
    known = {share.unit: share for share in own}
    for unit, points in given.items():
        demand(unit in known, _("There is no such unit in this body."), field=f"/units/{unit}")
        template = _("Use a whole number from {low} to {high}.")
        demand(0 <= points <= known[unit].most, template, field=f"/units/{unit}", low=0, high=known[unit].most)
    total = sum(share.points for share in own)
    said = sum(given.get(share.unit, share.points) for share in own)
    demand(said == total, _("These are {said} points in all: share {total}."), field="/units", said=said, total=total)
