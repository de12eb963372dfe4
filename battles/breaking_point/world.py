"""World of the campaign as breaking point's aftermath reads it, and its changes as the world takes them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from armies.breaking_point.sieges.siege_battles import SiegeBattle
from armies.models import Army
from armies.models.army import rows_of
from battles.breaking_point.siege_battles import changes_of_siege, list_kept_armies, siege_of
from battles.models import Battle
from kingdom.chronicle.changes import Change
from kingdom.realms.figures import get_ruleset
from rules.breaking_point.battle.aftermath import ArmyInCampaign, Consequence, World
from rules.core.text import _

STANDING = ("ready", "routed")
FREE = "free"
LEFT_WITHOUT = _("there is nobody left to command")
LEADERLESS = _("loses its commander")


class WorldNow(NamedTuple):
    """Armies of the battle as they stand in the campaign."""

    world: World
    armies: Mapping[str, Army]
    names: Mapping[str, str]
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
                changes.append(Change(*change, self.names[change.subject_id]))
        changes += changes_of_siege(self.siege, state, held) if self.siege else []
        fates = [change for change in changes if change.field == "status"]
        gone = {one.subject_id for one in fates if one.subject_kind == "army" and one.after not in STANDING}
        lost = {one.subject_id for one in fates if one.subject_kind == "commander" and one.after != FREE}
        return (*changes, *self._commands_lost(gone, lost))

    def _commands_lost(self, gone: Collection[str], lost: Collection[str]) -> Iterator[Change]:
        """Armies that are no more have no commander, nor has one whose commander is dead or taken."""
        for key in sorted(self.armies):
            leader = str(self.armies[key].commander_id or "")
            if leader and (key in gone or leader in lost):
                label = LEFT_WITHOUT if key in gone else LEADERLESS
                yield Change("army", key, "commander", leader, None, "B-48", label, self.armies[key].name)


def read(battle: Battle) -> WorldNow:
    armies = rows_of(Army).filter(seats__battle=battle).complete()
    by_id = {str(army.pk): army for army in armies}
    sheets = get_ruleset(battle.campaign).armies
    siege = siege_of(by_id)
    leaders = {str(army.commander.pk): army.commander for army in by_id.values() if army.commander}
    world = World(
        {key: _army(army) for key, army in by_id.items()},
        sheets.measure,
        list_kept_armies(siege),
        {key: leader.status for key, leader in leaders.items()},
    )
    names = {key: army.name for key, army in by_id.items()} | {key: leader.name for key, leader in leaders.items()}
    return WorldNow(world, by_id, names, siege)


def _army(army: Army) -> ArmyInCampaign:
    return ArmyInCampaign(army.sheet, army.status, army.health, army.health_max, army.upkeep)
