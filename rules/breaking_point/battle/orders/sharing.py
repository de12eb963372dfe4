"""Sharing: whether an army's losses in a body may be shared so, by whoever runs it (B-78)."""

from __future__ import annotations

from collections.abc import Mapping

from rules.breaking_point.battle.battle_state import AFTERMATH, BattleNow
from rules.breaking_point.battle.commands import ShareLosses
from rules.breaking_point.battle.opening import NO_SUCH_ARMY
from rules.breaking_point.battle.sharing import UnitShare, may_share, own_shares
from rules.breaking_point.battle.telling.words import body_name
from rules.core.errors import demand, require
from rules.core.text import _
from rules.law import Viewer


def check_sharing(battle: BattleNow, command: ShareLosses, viewer: Viewer) -> None:
    """Raise `InvalidInput` for what does not exist or does not add up, `IllegalCommand` for what cannot be now."""
    demand(command.army in battle.armies, NO_SUCH_ARMY, field="/army")
    name = battle.armies[command.army].name
    require(viewer.commands(command.army), _("You do not command {army}."), field="/army", army=name)
    require(battle.phase.kind == AFTERMATH, _("Losses can only be redistributed between the end of the battle and "
                                              "the confirmed aftermath."))  # fmt: skip
    body = battle.bodies.get(command.body)
    own = own_shares(battle, body, command.army) if body is not None else []
    demand(own, _("{army} has no unit in such a body."), field="/body", army=name)
    assert body is not None
    require(may_share(battle, body, command.army), _("{body} has no losses to redistribute."), field="/body",
            body=body_name(battle, body))  # fmt: skip
    _check_points(own, command.units)


def _check_points(own: list[UnitShare], given: Mapping[int, int]) -> None:
    known = {share.unit: share for share in own}
    for unit, points in given.items():
        demand(unit in known, _("Unit not found in this body."), field=f"/units/{unit}")
        template = _("Use a whole number from {low} to {high}.")
        demand(0 <= points <= known[unit].most, template, field=f"/units/{unit}", low=0, high=known[unit].most)
    total = sum(share.points for share in own)
    said = sum(given.get(share.unit, share.points) for share in own)
    demand(said == total, _("These are {said} points in all: share {total}."), field="/units", said=said, total=total)
