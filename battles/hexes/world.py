"""Campaign data that the aftermath of a hex law reads, and conversion of its changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from armies.models import Army
from armies.models.army import rows_of
from battles.models import Battle
from kingdom.chronicle.changes import Change
from kingdom.realms.figures import get_ruleset


class HexWorldNow(NamedTuple):
    """The armies of a battle and their commanders, as the campaign stores them. `names`: of both, by id."""

    world: Any
    names: Mapping[str, str]

    def changes_of(self, state: Any, found: Iterable[Any]) -> tuple[Change, ...]:
        return tuple(
            Change(
                one.subject_kind,
                one.subject_id,
                one.field,
                one.before,
                one.after,
                one.rule,
                one.label,
                self.names[one.subject_id],
            )
            for one in found
        )


def read_world(battle: Battle, army_in_world: Callable[..., Any], world_of: Callable[..., Any]) -> HexWorldNow:
    """The campaign data for a battle's aftermath.

    `army_in_world`: makes an army's value from its document, status, health, full health and upkeep. `world_of`: makes
    the whole from the armies by id, the measure of a document, and the commanders' status by id.
    """
    armies = list(rows_of(Army).filter(seats__battle=battle).select_related("commander"))
    leaders = {str(army.commander.pk): army.commander for army in armies if army.commander}
    found = {
        str(army.pk): army_in_world(army.sheet, army.status, army.health, army.health_max, army.upkeep)
        for army in armies
    }
    measure = get_ruleset(battle.campaign).armies.measure
    names = {str(army.pk): army.name for army in armies} | {key: leader.name for key, leader in leaders.items()}
    return HexWorldNow(world_of(found, measure, {key: leader.status for key, leader in leaders.items()}), names)
