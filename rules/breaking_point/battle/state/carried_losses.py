"""Losses that armies bring into a battle from their siege (B-55)."""

from __future__ import annotations

from collections.abc import Iterable

from rules.breaking_point.battle.state.battle_state import ANNIHILATED, ASSAULT, Formation, Opening, state_of
from rules.breaking_point.figures import dismounted, unit_force
from rules.breaking_point.losses import men_out, unit_key
from rules.breaking_point.spec import Host, Unit
from rules.core.text import Said, _, say


def fighting_unit(opening: Opening, unit: Unit) -> Unit:
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
    return state_of(formation.losses, formation.force) == ANNIHILATED


def able_heads(opening: Opening, host: Host, factor: int) -> int:
    """Return an army's heads without those that it has lost before."""
    units = (fighting_unit(opening, unit) for unit in host.units)
    return sum(
        unit.strength - men_out(unit, lost, factor) for unit, lost in zip(units, _lost(opening, host), strict=True)
    )


def spent_refusal(opening: Opening, host: Host, *, sheltered: bool = False) -> Said | None:
    """Return why an army that is annihilated cannot enter a battle, or None."""
    factor = opening.place.kind.factor if sheltered and opening.place else 1
    force = factor * sum(unit_force(fighting_unit(opening, unit)) for unit in host.units)
    spent = state_of(sum(_lost(opening, host)), force) == ANNIHILATED
    return say(_("Nobody in {army} is fit to fight."), army=host.name) if spent else None


def _lost(opening: Opening, host: Host) -> list[int]:
    """Return the points that each unit of an army has lost before."""
    return [opening.losses.get(unit_key(host.id, nth), 0) for nth in range(len(host.units))]
