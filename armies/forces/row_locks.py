"""Row locks for armies, taken in one order, so that two transactions never deadlock.

The order, as in `kingdom.chronicle.changes`: campaign, armies by id, commanders, kingdoms (with their treasuries),
stores. Raises `Http404` where a row was deleted while waiting for its lock.
"""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from armies.forces import busy
from armies.models import Army, Commander, rows_of
from kingdom.models import Campaign, Kingdom
from rules.core.errors import IllegalCommand
from rules.core.text import Said, _, say


def lock_campaign(campaign_id: UUID) -> None:
    """Locks the campaign, for changes that go through the chronicle. Raises `Http404`."""
    get_object_or_404(Campaign.objects.select_for_update(no_key=True).only("pk"), pk=campaign_id)


class LockedArmies[A: Army](dict[UUID, A]):
    """Locked armies by id. A missing id raises `Http404`, since that army was deleted."""

    def __missing__(self, key: UUID) -> A:
        raise Http404


def lock_armies[A: Army](ids: Iterable[UUID], kind: type[A] = Army) -> LockedArmies[A]:  # type: ignore[assignment]
    """Locks armies in the order of their ids, with everything their sheets need."""
    wanted = list(set(ids))
    rows = rows_of(kind).filter(pk__in=wanted).complete().locked() if wanted else ()
    return LockedArmies({army.pk: army for army in rows})


def lock_army[A: Army](army: A) -> A:
    """The army, locked and read again. Raises `Http404`, and `IllegalCommand` if it is busy or no longer stands."""
    fresh = lock_armies([army.pk], type(army))[army.pk]
    refuse_unusable(fresh)
    return fresh


def refuse_unusable(army: Army) -> None:
    """Raises `IllegalCommand` unless the army stands and is not busy."""
    if not army.standing:
        raise IllegalCommand(explain_no_army(army))
    busy.refuse_if_busy(army)


def explain_no_army(army: Army) -> Said:
    """Message that a fallen or disbanded army can do nothing."""
    return say(_("{army} no longer exists as an army, so it can’t do this."), army=army.name)


def lock_commander[C: Commander](commander: C) -> C:
    """The commander, locked and read again, after the army they lead. Raises `Http404`."""
    list(Army.objects.filter(commander=commander.pk).locked().values_list("pk"))
    kind = type(commander)
    held = ("self", *(link.name for link in kind._meta.parents.values() if link))
    rows: QuerySet[C] = kind._default_manager.select_for_update(of=held)  # type: ignore[assignment]
    return get_object_or_404(rows.select_related("kingdom__campaign", "campaign", "army"), pk=commander.pk)


def lock_kingdom(kingdom_id: UUID) -> None:
    """Locks the kingdom, and with it its stores. Raises `Http404`."""
    get_object_or_404(Kingdom.objects.select_for_update().only("pk"), pk=kingdom_id)
