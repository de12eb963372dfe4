"""Whose sheets a user may read: what the law of kingdoms lets him, and what the GM reveals."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import Http404

from armies.models import Army, Commander, KingdomStock
from kingdom.models import Campaign, User
from kingdom.selectors import require_runs
from kingdom.selectors.access import as_uuid, exists_for, reads


def with_figures(armies: QuerySet[Army]) -> QuerySet[Army]:
    """With all that a sheet reads: the same number of queries for one army and for fifty."""
    joined = armies.select_related("campaign", "kingdom__campaign", "commander__campaign")
    return joined.prefetch_related("resources", "tactics")


def visible_to(user: User) -> QuerySet[Army]:
    """Armies whose sheet the user may read."""
    if not user.is_authenticated:
        return Army.objects.none()
    return with_figures(Army.objects.filter(reads(user) | (Q(revealed=True) & exists_for(user))))


def armies_of(user: User, campaign: Campaign) -> QuerySet[Army]:
    """The campaign's armies whose sheet the user may read."""
    return visible_to(user).filter(campaign=campaign)


def army_for(user: User, army_id: UUID | str) -> Army:
    """The army, for whoever may read its sheet. Raises Http404."""
    army = visible_to(user).filter(pk=as_uuid(army_id)).first()
    if army is None:
        raise Http404
    return army


def army_run_by(user: User, army_id: UUID | str) -> Army:
    """The army, for whoever runs it: 404 if hidden, `PermissionDenied` if only revealed."""
    army = army_for(user, army_id)
    require_runs(user, army.kingdom)
    return army


def commanders_visible_to(user: User) -> QuerySet[Commander]:
    """Commanders of the kingdoms the user reads, and those who lead revealed armies."""
    if not user.is_authenticated:
        return Commander.objects.none()
    seen = Commander.objects.filter(reads(user) | (Q(army__revealed=True) & exists_for(user)))
    return seen.select_related("campaign", "kingdom__campaign", "army")


def commanders_of(user: User, campaign: Campaign) -> QuerySet[Commander]:
    return commanders_visible_to(user).filter(campaign=campaign)


def commander_for(user: User, commander_id: UUID | str) -> Commander:
    """The commander, for whoever may read him. Raises Http404."""
    commander = commanders_visible_to(user).filter(pk=as_uuid(commander_id)).first()
    if commander is None:
        raise Http404
    return commander


def commander_run_by(user: User, commander_id: UUID | str) -> Commander:
    commander = commander_for(user, commander_id)
    require_runs(user, commander.kingdom)
    return commander


def stores_visible_to(user: User) -> QuerySet[KingdomStock]:
    """What the kingdoms a user reads keep in store."""
    if not user.is_authenticated:
        return KingdomStock.objects.none()
    return KingdomStock.objects.filter(reads(user)).select_related("kingdom__campaign", "campaign")


def battle_roster(campaign: Campaign) -> QuerySet[Army]:
    """Every standing army of the campaign with what battles need, by kingdom."""
    standing = Army.objects.filter(campaign=campaign, status__in=Army.STANDING)
    return with_figures(standing).order_by("kingdom__name", "name", "id")
