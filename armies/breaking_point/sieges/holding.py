"""Armies that a siege holds where they are."""

from __future__ import annotations

from armies.breaking_point.models import SiegeArmy, SiegeRow
from armies.models import Army
from rules.breaking_point.siege.state import BROKEN, OPEN
from rules.text import Said, _, say


def siege_of(army: Army) -> SiegeRow | None:
    """The siege it is in now."""
    seat = SiegeArmy.objects.filter(army=army.pk, siege__status__in=(OPEN, BROKEN)).select_related("siege__place")
    found = seat.first()
    return found.siege if found else None


def why_besieging(army: Army) -> Said | None:
    """An army may not be touched while its siege lasts; a battle of the siege sets it free for that battle."""
    siege = siege_of(army)
    if siege is None:
        return None
    return say(_("{army} is in the siege of {place}."), army=army.name, place=siege.place.name)
