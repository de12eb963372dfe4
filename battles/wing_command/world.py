"""World of the campaign as wing command's aftermath reads it, and its changes as the world takes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from armies.models import Army
from armies.models.army import rows_of
from battles.models import Battle
from kingdom.chronicle.changes import Change
from kingdom.realms.figures import get_ruleset
from rules.wing_command.battle.aftermath import ArmyInCampaign, Consequence, World


class WorldNow(NamedTuple):
    """Armies of the battle and their commanders as they stand in the campaign. `names`: of both, by id."""

    world: World
    names: Mapping[str, str]

    def changes_of(self, state: Any, found: Iterable[Consequence]) -> tuple[Change, ...]:
        return tuple(Change(*change, self.names[change.subject_id]) for change in found)


def read(battle: Battle) -> WorldNow:
    armies = list(rows_of(Army).filter(seats__battle=battle).select_related("commander"))
    leaders = {str(army.commander.pk): army.commander for army in armies if army.commander}
    sheets = get_ruleset(battle.campaign).armies
    found = {str(army.pk): _army(army) for army in armies}
    world = World(found, sheets.measure, {key: leader.status for key, leader in leaders.items()})
    names = {str(army.pk): army.name for army in armies}
    return WorldNow(world, names | {key: leader.name for key, leader in leaders.items()})


def _army(army: Army) -> ArmyInCampaign:
    return ArmyInCampaign(army.sheet, army.status, army.health, army.health_max, army.upkeep)
