"""World of the campaign as the aftermath of THUCIDIDE fantasy reads it, and its changes as the world takes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from armies.models import Army
from armies.models.army import rows_of
from battles.models import Battle
from kingdom.chronicle.changes import Change
from kingdom.realms.figures import get_ruleset
from rules.thucidide_fantasy.battle.aftermath import CampaignArmy, CampaignWorld, WorldChange


class CampaignNow(NamedTuple):
    """Armies of the battle and their commanders as they stand in the campaign. `names`: of both, by id."""

    world: CampaignWorld
    names: Mapping[str, str]

    def changes_of(self, state: Any, found: Iterable[WorldChange]) -> tuple[Change, ...]:
        return tuple(Change(*change, self.names[change.subject_id]) for change in found)


def read(battle: Battle) -> CampaignNow:
    armies = list(rows_of(Army).filter(seats__battle=battle).select_related("commander"))
    leaders = {str(army.commander.pk): army.commander for army in armies if army.commander}
    sheets = get_ruleset(battle.campaign).armies
    found = {str(army.pk): _army(army) for army in armies}
    world = CampaignWorld(found, sheets.measure, {key: leader.status for key, leader in leaders.items()})
    names = {str(army.pk): army.name for army in armies}
    return CampaignNow(world, names | {key: leader.name for key, leader in leaders.items()})


def _army(army: Army) -> CampaignArmy:
    return CampaignArmy(army.sheet, army.status, army.health, army.health_max, army.upkeep)
