"""Whose sheets a user may read: what the law of kingdoms lets him, and what the GM reveals.

`kind` is the model of one law's armies or commanders; rows of other laws are then not among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import Case, Count, Q, Value, When, Window
from django.db.models.functions import RowNumber
from django.http import Http404

from armies.models import Army, ArmyQuerySet, Commander, CommanderQuerySet, rows_of
from kingdom.models import Campaign, Kingdom, User
from kingdom.models.natural import Natural
from kingdom.searching import with_words
from kingdom.selectors import require_runs
from kingdom.selectors.access import as_uuid, exists_for, reads


def visible_to[A: Army](user: User, kind: type[A] = Army) -> ArmyQuerySet[A]:  # type: ignore[assignment]
    """Armies whose sheet the user may read."""
    rows = rows_of(kind)
    if not user.is_authenticated:
        return rows.none()
    return rows.filter(reads(user) | (Q(revealed=True) & exists_for(user))).complete()


def armies_of[A: Army](user: User, campaign: Campaign, kind: type[A] = Army) -> ArmyQuerySet[A]:  # type: ignore[assignment]
    """The campaign's armies whose sheet the user may read."""
    return visible_to(user, kind).filter(campaign=campaign)


def army_for[A: Army](user: User, army_id: UUID | str, kind: type[A] = Army) -> A:  # type: ignore[assignment]
    """The army, for whoever may read its sheet. Raises Http404."""
    army = visible_to(user, kind).filter(pk=as_uuid(army_id)).first()
    if army is None:
        raise Http404
    return army


def army_run_by[A: Army](user: User, army_id: UUID | str, kind: type[A] = Army) -> A:  # type: ignore[assignment]
    """The army, for whoever runs it: 404 if hidden, `PermissionDenied` if only revealed."""
    army = army_for(user, army_id, kind)
    require_runs(user, army.kingdom)
    return army


def commanders_visible_to[C: Commander](user: User, kind: type[C] = Commander) -> CommanderQuerySet[C]:  # type: ignore[assignment]
    """Commanders of the kingdoms the user reads, and those who lead revealed armies."""
    rows: CommanderQuerySet[C] = kind.objects.all()  # type: ignore[assignment]
    if not user.is_authenticated:
        return rows.none()
    seen = rows.filter(reads(user) | (Q(army__revealed=True) & exists_for(user)))
    return seen.complete()


def commanders_of[C: Commander](user: User, campaign: Campaign, kind: type[C] = Commander) -> CommanderQuerySet[C]:  # type: ignore[assignment]
    return commanders_visible_to(user, kind).filter(campaign=campaign)


def commander_for[C: Commander](user: User, commander_id: UUID | str, kind: type[C] = Commander) -> C:  # type: ignore[assignment]
    """The commander, for whoever may read him. Raises Http404."""
    commander = commanders_visible_to(user, kind).filter(pk=as_uuid(commander_id)).first()
    if commander is None:
        raise Http404
    return commander


def commander_run_by[C: Commander](user: User, commander_id: UUID | str, kind: type[C] = Commander) -> C:  # type: ignore[assignment]
    commander = commander_for(user, commander_id, kind)
    require_runs(user, commander.kingdom)
    return commander


FALLEN_LAST = Case(When(status__in=Army.STANDING, then=Value(0)), default=Value(1))
GLANCE, FEWEST, ROWS = 10, 3, 24  # of a kingdom at most and at least, and of all of them together about so many


def at_a_glance[A: Army](kingdoms: Sequence[Kingdom], kind: type[A] = Army) -> ArmyQuerySet[A]:  # type: ignore[assignment]
    """The first armies of each of these kingdoms, standing ones first: fewer of each where there are many kingdoms.

    Each knows how many armies its kingdom has (`among`).
    """
    return first_of([kingdom.pk for kingdom in kingdoms], shown_of(len(kingdoms)), kind)


def shown_of(kingdoms: int) -> int:
    """How many armies are shown of each of so many kingdoms."""
    return min(GLANCE, max(FEWEST, ROWS // max(kingdoms, 1)))


def first_of[A: Army](kingdoms: list[UUID], most: int, kind: type[A] = Army) -> ArmyQuerySet[A]:  # type: ignore[assignment]
    nth = Window(RowNumber(), partition_by="kingdom_id", order_by=[FALLEN_LAST, Natural("name"), "id"])
    among = Window(Count("id"), partition_by="kingdom_id")
    rows: Any = rows_of(kind).filter(kingdom__id__among=kingdoms).annotate(nth=nth, among=among)
    found: ArmyQuerySet[A] = rows.filter(nth__lte=most)
    return found


def kingdom_armies[A: Army](kingdom: Kingdom, query: str = "", kind: type[A] = Army) -> ArmyQuerySet[A]:  # type: ignore[assignment]
    """The kingdom's armies, standing ones first; those with every word of the query in their or their leader's name."""
    return with_words(all_of_kingdom(kingdom.pk, kind), query, "name", "commander__name")


def all_of_kingdom[A: Army](kingdom: UUID, kind: type[A] = Army) -> ArmyQuerySet[A]:  # type: ignore[assignment]
    """Every army of a kingdom, standing ones first."""
    return rows_of(kind).filter(kingdom=kingdom).order_by(FALLEN_LAST, Natural("name"), "id")


def revealed_of[A: Army](kingdom: Kingdom, kind: type[A] = Army) -> list[A]:  # type: ignore[assignment]
    """The kingdom's standing armies whose sheets everybody may read, whoever he is."""
    rows = rows_of(kind).filter(kingdom=kingdom, revealed=True, status__in=Army.STANDING)
    found = list(rows.complete().order_by(Natural("name"), "id"))
    for army in found:
        army.campaign = kingdom.campaign  # one object: its law is read once
    return found


def names_of_armies(kingdom: Kingdom) -> list[str]:
    """What the kingdom's armies are called or were."""
    return list(rows_of(Army).filter(kingdom=kingdom).values_list("name", flat=True))


def battle_names(campaign: Campaign) -> ArmyQuerySet[Army]:
    """Every standing army of the campaign, by kingdom, for whoever wants no more than names."""
    rows = rows_of(Army).filter(campaign=campaign, status__in=Army.STANDING)
    return rows.order_by(Natural("kingdom__name"), Natural("name"), "id")


def battle_roster[A: Army](campaign: Campaign, kind: type[A] = Army) -> ArmyQuerySet[A]:  # type: ignore[assignment]
    """Every standing army of the campaign with what battles need, by kingdom."""
    rows = rows_of(kind).filter(campaign=campaign, status__in=Army.STANDING)
    return rows.complete().order_by(Natural("kingdom__name"), Natural("name"), "id")


def campaign_named(
    army_id: UUID | None = None,
    commander_id: UUID | None = None,
    kingdom_id: UUID | None = None,
    campaign_id: UUID | None = None,
) -> Campaign:
    """The campaign of what an address names, for whoever then asks whether he may see it. Raises Http404."""
    which: dict[str, Any] = {"kingdoms": kingdom_id}
    if army_id is not None:
        which = {"pk__in": Army.objects.filter(pk=army_id).values("campaign")}
    elif commander_id is not None:
        which = {"pk__in": Commander.objects.filter(pk=commander_id).values("campaign")}
    elif campaign_id is not None:
        which = {"pk": campaign_id}
    found = Campaign.objects.filter(**which).first()
    if found is None:
        raise Http404
    return found
