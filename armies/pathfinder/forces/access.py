"""Access queries and row locks for mass combat's armies, commanders and stores, by the frame's rules."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet

from armies.forces import access, busy
from armies.models.army import CommanderQuerySet
from armies.pathfinder.models import KingdomStock, PathfinderArmy, PathfinderCommander
from armies.pathfinder.models.army import PathfinderArmyQuerySet
from kingdom.access.queries import build_reads_condition
from kingdom.models import Campaign, Kingdom, User
from rules.registry import family_of

FAMILY = "pathfinder"


def is_here(campaign: Campaign) -> bool:
    """Whether the campaign's ruleset is of this family."""
    return family_of(campaign.ruleset) == FAMILY


def get_campaign_here(user: User, campaign_id: UUID | str) -> Campaign:
    return access.campaign_of(user, campaign_id, FAMILY)


def visible_to(user: User) -> PathfinderArmyQuerySet:
    return access.list_visible_armies(user, PathfinderArmy)  # type: ignore[return-value]


def armies_of(user: User, campaign: Campaign) -> PathfinderArmyQuerySet:
    return visible_to(user).filter(campaign=campaign)


def get_army_for(user: User, army_id: UUID | str) -> PathfinderArmy:
    return access.get_army_for(user, army_id, PathfinderArmy)


def get_army_run_by(user: User, army_id: UUID | str) -> PathfinderArmy:
    return access.get_army_run_by(user, army_id, PathfinderArmy)


def kingdom_armies(kingdom: Kingdom, query: str = "") -> PathfinderArmyQuerySet:
    return access.kingdom_armies(kingdom, query, PathfinderArmy)  # type: ignore[return-value]


def all_of_kingdom(kingdom: UUID) -> PathfinderArmyQuerySet:
    return access.all_of_kingdom(kingdom, PathfinderArmy)  # type: ignore[return-value]


def list_visible_commanders(user: User) -> CommanderQuerySet[PathfinderCommander]:
    return access.list_visible_commanders(user, PathfinderCommander)


def commanders_of(user: User, campaign: Campaign) -> QuerySet[PathfinderCommander]:
    return list_visible_commanders(user).filter(campaign=campaign)


def get_commander_for(user: User, commander_id: UUID | str) -> PathfinderCommander:
    return access.get_commander_for(user, commander_id, PathfinderCommander)


def get_commander_run_by(user: User, commander_id: UUID | str) -> PathfinderCommander:
    return access.get_commander_run_by(user, commander_id, PathfinderCommander)


def battle_roster(campaign: Campaign) -> PathfinderArmyQuerySet:
    return access.battle_roster(campaign, PathfinderArmy)  # type: ignore[return-value]


def stores_visible_to(user: User) -> QuerySet[KingdomStock]:
    """Stores of the kingdoms that the user reads."""
    if not user.is_authenticated:
        return KingdomStock.objects.none()
    return KingdomStock.objects.filter(build_reads_condition(user)).select_related("kingdom__campaign", "campaign")


# Row locks.


def lock_army(army: PathfinderArmy) -> PathfinderArmy:
    """The army, locked and read again. Raises `Http404`, and `IllegalCommand` if it is busy or no longer stands."""
    fresh = busy.lock_armies([army.pk], PathfinderArmy)[army.pk]
    busy.refuse_unusable(fresh)
    return fresh


def lock_commander(commander: PathfinderCommander) -> PathfinderCommander:
    """The commander, locked and read again, after the army they lead. Raises `Http404`."""
    return busy.lock_commander(PathfinderCommander(id=commander.pk))
