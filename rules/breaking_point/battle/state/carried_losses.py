"""Losses that armies bring into a battle from their siege (B-55)."""

from __future__ import annotations

from collections.abc import Iterable

from rules.breaking_point.battle.state.battle_state import ASSAULT, Formation, Opening
from rules.breaking_point.figures import dismounted, unit_force
from rules.breaking_point.losses import men_out, unit_key
from rules.breaking_point.spec import Host, Unit
from rules.core.text import Said, _, say

MOST = 2  # times its force that a body can lose (BP-4.8, B-33)


def as_fought(opening: Opening, unit: Unit) -> Unit:
    """Return the unit as it fights in this battle. In an assault riders dismount (B-7)."""
    return dismounted(unit) if opening.kind == ASSAULT and unit.machine is None else unit


def with_losses(opening: Opening, formations: Iterable[Formation]) -> tuple[Formation, ...]:
    """Return the bodies with the earlier losses of their units."""
    lost = opening.losses
    return tuple(
        formation._replace(losses=sum(lost.get(unit_key(one.army, one.unit), 0) for one in formation.members))
        for formation in formations
    )


def is_spent(formation: Formation) -> bool:
    """Whether the body is annihilated before the battle begins (BP-4.8)."""
    return bool(formation.losses) and formation.losses >= MOST * formation.force


def able_heads(opening: Opening, host: Host, factor: int) -> int:
    """Return an army's heads without those that it has lost before."""
    lost = (opening.losses.get(unit_key(host.id, nth), 0) for nth in range(len(host.units)))
    units = (as_fought(opening, unit) for unit in host.units)
    return sum(unit.strength - men_out(unit, points, factor) for unit, points in zip(units, lost, strict=True))


def spent_refusal(opening: Opening, host: Host, *, sheltered: bool = False) -> Said | None:
    """Return why an army that is annihilated cannot enter a battle, or None."""
    lost = sum(opening.losses.get(unit_key(host.id, nth), 0) for nth in range(len(host.units)))
    factor = opening.place.kind.factor if sheltered and opening.place else 1
    force = factor * sum(unit_force(as_fought(opening, unit)) for unit in host.units)
    return say(_("Nobody in {army} is fit to fight."), army=host.name) if lost and lost >= MOST * force else None
