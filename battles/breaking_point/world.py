"""World of the campaign as breaking point's aftermath reads it, and its changes as the world takes them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from armies.breaking_point.sieges.siege_changes import SiegeBattle
from armies.models import Army
from armies.models.army import rows_of
from battles.breaking_point.siege_battles import changes_of_siege, list_kept_armies, siege_of
from battles.models import Battle
from kingdom.chronicle.changes import Change
from kingdom.realms.figures import get_ruleset
from rules.breaking_point.battle.aftermath import ArmyInCampaign, Consequence, World
from rules.core.text import _

STANDING = ("ready", "routed")
LEFT_WITHOUT = _("there is nobody left to command")


class WorldNow(NamedTuple):
    """Armies of the battle as they stand in the campaign."""

    world: World
    armies: Mapping[str, Army]
    siege: SiegeBattle | None = None

    def changes_of(self, state: Any, found: Iterable[Consequence]) -> tuple[Change, ...]:
        """The changes as `kingdom.chronicle.changes` takes them; an army that is no more loses its commander. What
        armies of a siege have lost goes back into it.
        """
        held: dict[str, dict[str, Any]] = defaultdict(dict)
        changes = []
        for change in found:
            if change.subject_id in self.world.besieged:
                held[change.subject_id][change.field] = change.after
            else:
                changes.append(Change(*change, self.armies[change.subject_id].name))
        changes += changes_of_siege(self.siege, state, held) if self.siege else []
        fates = (change for change in changes if (change.subject_kind, change.field) == ("army", "status"))
        gone = {fate.subject_id for fate in fates if fate.after not in STANDING}
        return (*changes, *(change for army in sorted(gone) for change in self._commander_lost(army)))

    def _commander_lost(self, army: str) -> Iterable[Change]:
        leader = self.armies[army].commander_id
        if leader is not None:
            name = self.armies[army].name
            yield Change("army", army, "commander", str(leader), None, "B-48", LEFT_WITHOUT, name)


def read(battle: Battle) -> WorldNow:
    armies = rows_of(Army).filter(seats__battle=battle).complete()
    by_id = {str(army.pk): army for army in armies}
    sheets = get_ruleset(battle.campaign).armies
    siege = siege_of(by_id)
    world = World({key: _army(army) for key, army in by_id.items()}, sheets.measure, list_kept_armies(siege))
    return WorldNow(world, by_id, siege)


def _army(army: Army) -> ArmyInCampaign:
    return ArmyInCampaign(army.sheet, army.status, army.health, army.health_max, army.upkeep)
