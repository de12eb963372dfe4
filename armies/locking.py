"""Take the rows a change touches, in one order, so that two changes never wait for each other in a ring.

Order everywhere, as in `kingdom.world`: campaign, armies by id, commanders, kingdoms (they hold the purse), stores.
"""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from armies import locks
from armies.models import Army, Commander
from kingdom.models import Campaign, Kingdom
from rules.errors import require
from rules.text import _


def lock_campaign(campaign_id: UUID) -> None:
    """Hold the campaign's world: for changes that go through the chronicle."""
    Campaign.objects.select_for_update(no_key=True).values_list("pk").get(pk=campaign_id)


def lock_armies(ids: Iterable[UUID]) -> dict[UUID, Army]:
    """Armies with everything their sheet needs, locked in the order of their ids."""
    rows = (
        Army.objects.select_for_update(of=("self",))
        .select_related("campaign", "kingdom__campaign", "commander__campaign")
        .prefetch_related("resources", "tactics")
        .filter(pk__in=set(ids))
        .order_by("pk")
    )
    return {army.pk: army for army in rows}


def lock_army(army: Army) -> Army:
    """The army as it is now, locked. Raises `IllegalCommand` if it is busy or no longer an army."""
    fresh = lock_armies([army.pk])[army.pk]
    refuse_unusable(fresh)
    return fresh


def refuse_unusable(army: Army) -> None:
    """Raise `IllegalCommand` unless the army stands and nothing keeps it busy."""
    require(army.standing, _("{army} is no army any more: it cannot do this."), army=army.name)
    locks.refuse_if_busy(army)


def lock_commander(commander: Commander) -> Commander:
    """The commander as he is now, locked after the army he leads."""
    list(Army.objects.select_for_update(of=("self",)).filter(commander=commander.pk).values_list("pk"))
    return (
        Commander.objects.select_for_update(of=("self",))
        .select_related("kingdom__campaign", "campaign", "army")
        .get(pk=commander.pk)
    )


def lock_kingdom(kingdom_id: UUID) -> None:
    """Hold the kingdom, and with it its stores."""
    Kingdom.objects.select_for_update().values_list("pk").get(pk=kingdom_id)
