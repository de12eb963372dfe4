"""Queries for actors, as somebody may read them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404

from armies.pathfinder.forces.access import is_here
from armies.pathfinder.foundry.army_actors import build_army_actor
from armies.pathfinder.foundry.kingdom_actors import build_kingdom_actor
from armies.pathfinder.models import FoundryActor, PathfinderArmy
from core.errors import NotInRuleset
from kingdom.access.queries import get_kingdom_for, is_gm, reads_kingdom
from kingdom.models import Kingdom, User


def get_army_actor(user: User, army: PathfinderArmy) -> dict[str, Any]:
    """An army in hand, whose sheet its reader may read. What is kept for Foundry alone, notes too, is its GM's."""
    return build_army_actor(army, select_kept_actor(army=army.pk) if is_gm(user, army.campaign) else None)


def get_kingdom_actor(user: User, kingdom_id: UUID | str) -> tuple[Kingdom, dict[str, Any]]:
    """A kingdom whose figures they may read, for a GM with what is kept for Foundry alone. Raises Http404."""
    kingdom = get_kingdom_for(user, kingdom_id)
    if not reads_kingdom(user, kingdom):
        raise Http404
    if not is_here(kingdom.campaign):
        raise NotInRuleset(kingdom.campaign.ruleset)
    kept = select_kept_actor(kingdom=kingdom.pk) if is_gm(user, kingdom.campaign) else None
    return kingdom, build_kingdom_actor(kingdom, kept)


def select_kept_actor(**of: Any) -> Any:
    """The actor it was brought in from."""
    return FoundryActor.objects.filter(**of).values_list("actor", flat=True).first()
