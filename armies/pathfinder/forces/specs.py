"""Specs of armies and commanders, as the rules read them, made from loaded rows without queries, and their speed and
healing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from armies.adjustments.services import read_adjustments
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from kingdom.realms.figures import get_ruleset
from rules.core.breakdown import Breakdown
from rules.pathfinder.documents import mount_from_json
from rules.pathfinder.spec import (
    IN_SPEC,
    AbilityChoice,
    ArmySpec,
    BoonChoice,
    CommanderSpec,
    TacticKnown,
)
from rules.pathfinder.travel import FORAGE, TELEPORTS, March, march, reach
from rules.pathfinder.weeks.week import limit, regrowth_lines, rest_lines

# Specs of armies and commanders, as the rules read them, made from loaded rows without queries.


def boon_choices(boons: list[dict[str, Any]]) -> tuple[BoonChoice, ...]:
    return tuple(BoonChoice(boon["boon"], boon.get("tactic")) for boon in boons)


def build_commander_spec(commander: PathfinderCommander) -> CommanderSpec:
    """The commander as the rules read them; captured, killed and absent ones are not active (PF-2.5)."""
    return CommanderSpec(
        id=str(commander.pk),
        name=commander.name,
        level=commander.level,
        charisma_modifier=commander.charisma_modifier,
        soldier_ranks=commander.soldier_ranks,
        leadership_feat=commander.leadership_feat,
        player_character=commander.player_character,
        office=commander.office,
        office_boon=commander.office_boon,
        office_tactic=commander.office_tactic,
        boons=boon_choices(commander.boons),
        notorious=commander.notorious,
        active=commander.present,
    )


def build_army_spec(army: PathfinderArmy, *, unhurt: bool = False) -> ArmySpec:
    """The army with its resources, tactics and commander.

    `unhurt`: for figures that wounds do not change (size, ACR, speed, prices, room for tactics); its hit points are
    then not read. Needs `commander`, `kingdom` and `campaign` joined, `resources` and `tactics` prefetched.
    """
    ruleset = get_ruleset(army.campaign)
    return ArmySpec(
        id=str(army.pk),
        name=army.name,
        unit=ruleset.unit(army.unit),
        count=army.count,
        mount=mount_from_json(army.mount, ruleset) if army.mount else None,
        commander=build_commander_spec(army.leader) if army.leader else None,
        resources={row.resource: row.quantity for row in army.resources.all()},
        tactics=tuple(TacticKnown(row.tactic, row.granted) for row in army.tactics.all()),
        hp=None if unhurt else army.hp,
        kingdom=str(army.kingdom_id),
        adjustments=read_adjustments(army),
        **{name: getattr(army, name) for name in IN_SPEC},
    )


def in_force(army: PathfinderArmy, spec: ArmySpec) -> tuple[AbilityChoice, ...]:
    """Abilities of its unit, without those that a house rule has switched off."""
    known = get_ruleset(army.campaign).abilities
    return tuple(choice for choice in spec.unit.abilities if not known[choice.ability].off)


def has_in_force(army: PathfinderArmy, ability: str) -> bool:
    """Whether the army's unit has the ability under any of its names, and no house rule has switched it off."""
    known = get_ruleset(army.campaign).abilities
    names = {slug for slug, item in known.items() if item.key == known[ability].key and not item.off}
    return any(choice["ability"] in names for choice in army.unit["abilities"])


# Speed of marches, and healing by a day of rest (PF-1.8, PF-2.9, PF-7.1, PF-7.5).


class Road(NamedTuple):
    """Numbers of open and difficult hexes, and whether the army lives off the land meanwhile."""

    hexes: int = 0
    difficult_hexes: int = 0
    land: bool = False


def compute_speed(army: PathfinderArmy) -> Breakdown:
    """Speed in hexes a day by the sheet; a mounted army has that of its mounts (R-3)."""
    found: Breakdown = get_ruleset(army.campaign).sheet(build_army_spec(army, unhurt=True)).speed
    return found


def march_of(army: PathfinderArmy, road: Road) -> March:
    """The march by this road. Raises `InvalidInput`."""
    return march(
        compute_speed(army),
        open_hexes=road.hexes,
        difficult_hexes=road.difficult_hexes,
        land=road.land,
        teleports=teleports(army),
    )


def reach_of(army: PathfinderArmy, *, days: int, difficult: bool = False, land: bool = False) -> int:
    """Number of hexes that the army covers in these days. Raises `InvalidInput`."""
    return reach(compute_speed(army), days=days, difficult=difficult, land=land)


def teleports(army: PathfinderArmy) -> bool:
    return has_in_force(army, TELEPORTS)


def may_live_off_the_land(army: PathfinderArmy) -> bool:
    """Whether the army's commander is with it today and has the boon for living off the land (PF-2.9)."""
    return army.leader is not None and army.leader.present and knows_the_land(army)


def knows_the_land(army: PathfinderArmy) -> bool:
    """Whether the army's commander, present or not, has the boon for living off the land (PF-2.9)."""
    leader = army.leader
    if leader is None or leader.status != leader.Status.FREE:
        return False
    leader.campaign = army.campaign  # one object, so that its rules are read once
    sheet = get_ruleset(army.campaign).commander_sheet(build_commander_spec(leader))
    return any(state.active for state in sheet.boons if state.boon.slug == FORAGE and not state.boon.off)


# Healing by a day of rest (PF-7.1, PF-7.5).


def compute_recovery(army: PathfinderArmy, *, rallied: bool = False) -> Breakdown:
    """Hit points from a day of rest, before the limit: ACR, as much again if rallied, and regrowth."""
    spec = build_army_spec(army, unhurt=True)
    rest = rest_lines(get_ruleset(army.campaign).sheet(spec).acr.floor, rallied=rallied)
    return Breakdown((*rest.lines, *regrowth_lines(in_force(army, spec)).lines))


def recovery_limit(army: PathfinderArmy) -> int:
    """Most hp to which rest heals: all, or half where the house rule says so (PF-7.1)."""
    return limit(army.hp_max, half=halved(army))


def halved(army: PathfinderArmy) -> bool:
    return bool(get_ruleset(army.campaign).house.recovery_cap == "half")
