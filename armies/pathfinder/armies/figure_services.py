"""Services that keep an army's cached figures true to its sheet."""

from __future__ import annotations

from armies.pathfinder.forces.specs import build_army_spec, in_force
from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.models.army import columns
from kingdom.realms.figures import get_ruleset
from rules.pathfinder.weeks.week import regrowth_lines

CACHED = ["hp", "hp_max", "consumption", "acr", "regrowth"]


def set_figures(army: PathfinderArmy) -> None:
    """Recompute what an army caches of its sheet, keeping the damage taken. Does not save.

    Raises `InvalidInput` when the figures no longer make an army (below ACR 1/8).
    """
    spec = build_army_spec(army)
    sheet = get_ruleset(army.campaign).sheet(spec)
    damage = (army.hp_max or sheet.hp_max) - (army.hp if army.hp is not None else sheet.hp_max)
    floor = 1 if army.hp is None or army.hp > 0 else 0
    army.hp_max = sheet.hp_max
    army.hp = max(floor, sheet.hp_max - damage)
    army.consumption = sheet.consumption.total
    army.acr = sheet.acr.floor
    army.regrowth = regrowth_lines(in_force(army, spec)).total


def refresh(army: PathfinderArmy) -> None:
    """Read what the army carries and knows again, recompute, save."""
    forget_rows(army)
    set_figures(army)
    army.save(update_fields=columns(CACHED))


def forget_rows(army: PathfinderArmy) -> None:
    """Have resources and tactics read again: rows were just written."""
    army.refresh_from_db(fields=["resources", "tactics"])
