"""Take the rows a change touches, in one order, so that two changes never wait for each other in a ring.

Order everywhere, as in `kingdom.world`: campaign, armies by id, commanders, kingdoms (they hold the purse), stores.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from uuid import UUID

from django.db.models import QuerySet

from armies import locks
from armies.models import Army, Commander, rows_of
from kingdom.models import Campaign, Kingdom
from kingdom.prepared import Prepared
from rules.errors import IllegalCommand
from rules.text import Said, _, say


def lock_campaign(campaign_id: UUID) -> None:
    """Hold the campaign's world: for changes that go through the chronicle."""
    Campaign.objects.select_for_update(no_key=True).values_list("pk").get(pk=campaign_id)


def lock_armies[A: Army](ids: Iterable[UUID], kind: type[A] = Army) -> dict[UUID, A]:  # type: ignore[assignment]
    """Armies with everything their sheet needs, locked in the order of their ids."""
    wanted = list(set(ids))
    return {army.pk: army for army in _ask_locked(kind)(wanted)} if wanted else {}


@cache
def _ask_locked(kind: type[Army]) -> Prepared:
    return Prepared(lambda ids: rows_of(kind).filter(id__among=ids).complete().locked(), list)


def lock_army[A: Army](army: A) -> A:
    """The army as it is now, locked. Raises `IllegalCommand` if it is busy or no longer an army."""
    fresh = lock_armies([army.pk], type(army))[army.pk]
    refuse_unusable(fresh)
    return fresh


def refuse_unusable(army: Army) -> None:
    """Raise `IllegalCommand` unless the army stands and nothing keeps it busy."""
    if not army.standing:
        raise IllegalCommand(no_army(army))
    locks.refuse_if_busy(army)


def no_army(army: Army) -> Said:
    """Why one that no longer stands can do nothing."""
    return say(_("{army} is no army any more: it cannot do this."), army=army.name)


def lock_commander[C: Commander](commander: C) -> C:
    """The commander as he is now, locked after the army he leads."""
    list(Army.objects.filter(commander=commander.pk).locked().values_list("pk"))
    kind = type(commander)
    held = ("self", *(link.name for link in kind._meta.parents.values() if link))
    rows: QuerySet[C] = kind._default_manager.select_for_update(of=held)  # type: ignore[assignment]
    return rows.select_related("kingdom__campaign", "campaign", "army").get(pk=commander.pk)


def lock_kingdom(kingdom_id: UUID) -> None:
    """Hold the kingdom, and with it its stores."""
    Kingdom.objects.select_for_update().values_list("pk").get(pk=kingdom_id)
