"""Healing by a day of rest (PF-7.1, PF-7.5)."""

from __future__ import annotations

from armies.pathfinder.forces.specs import build_army_spec, in_force
from armies.pathfinder.models import PathfinderArmy
from kingdom.realms.figures import get_ruleset
from rules.core.breakdown import Breakdown
from rules.pathfinder.weeks.week import limit, regrowth_lines, rest_lines


def compute_recovery(army: PathfinderArmy, *, rallied: bool = False) -> Breakdown:
    """Hit points a day of rest gives, before the limit: ACR, again if rallied, and what grows back by itself."""
    spec = build_army_spec(army, unhurt=True)
    rest = rest_lines(get_ruleset(army.campaign).sheet(spec).acr.floor, rallied=rallied)
    return Breakdown((*rest.lines, *regrowth_lines(in_force(army, spec)).lines))


def recovery_limit(army: PathfinderArmy) -> int:
    """Rest heals up to this many hp: all, or half where the house rule says so (PF-7.1)."""
    return limit(army.hp_max, half=halved(army))


def halved(army: PathfinderArmy) -> bool:
    return bool(get_ruleset(army.campaign).house.recovery_cap == "half")
