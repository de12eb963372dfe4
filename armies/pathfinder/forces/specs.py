"""Specs of armies and commanders, as the rules read them, made from loaded rows without queries."""

from __future__ import annotations

from typing import Any

from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from kingdom.realms.figures import get_ruleset
from rules.pathfinder.documents import mount_from_json
from rules.pathfinder.spec import IN_SPEC, AbilityChoice, ArmySpec, BoonChoice, CommanderSpec, TacticKnown


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
        **{name: getattr(army, name) for name in IN_SPEC},
    )


def in_force(army: PathfinderArmy, spec: ArmySpec) -> tuple[AbilityChoice, ...]:
    """Abilities of its unit, without those that a house rule has switched off."""
    known = get_ruleset(army.campaign).abilities
    return tuple(choice for choice in spec.unit.abilities if not known[choice.ability].off)


def has_in_force(army: PathfinderArmy, ability: str) -> bool:
    """Whether its unit has the ability under any of its names, and no house rule has switched it off."""
    known = get_ruleset(army.campaign).abilities
    names = {slug for slug, item in known.items() if item.key == known[ability].key and not item.off}
    return any(choice["ability"] in names for choice in army.unit["abilities"])
