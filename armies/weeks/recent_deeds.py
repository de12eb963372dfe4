"""Recent deeds of armies that weeks ask for: who fights, who fought, who marched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from armies.forces.recent_battles import load_recent_battles
from armies.models import Army
from kingdom.chronicle import changes
from kingdom.models import Campaign, ChronicleEntry
from kingdom.models.calendar import DAYS_A_WEEK


@dataclass(frozen=True, slots=True)
class LatelyDone:
    """`fighting`: ids of armies in a battle that is not over · `fought`: the day of their last one, by id."""

    fighting: frozenset[str]
    fought: Mapping[str, int]

    def rests(self, army: Army, day: int) -> bool:
        """Whether it neither marched nor fought in the week that ends on this day."""
        key, since = str(army.pk), day - DAYS_A_WEEK
        return self.at_peace(key, day) and (army.marching_until is None or army.marching_until <= since)

    def at_peace(self, key: str, day: int) -> bool:
        return key not in self.fighting and self.fought.get(key, -DAYS_A_WEEK) <= day - DAYS_A_WEEK


def load_recent_deeds(campaign: Campaign) -> LatelyDone:
    """Of the week that runs. Two queries, and what other apps tell."""
    fights = load_recent_battles(campaign, campaign.day - campaign.day % DAYS_A_WEEK)
    fought = dict.fromkeys(fights.fought, campaign.day)
    since = campaign.day - DAYS_A_WEEK
    battles = ChronicleEntry.objects.filter(
        campaign=campaign, kind=ChronicleEntry.Kind.BATTLE, day__gt=since, undone_at=None
    )
    for entry in battles.order_by("seq"):
        lines = (change for change in changes.list_changes(entry) if change.subject_kind == "army")
        fought |= {line.subject_id: max(entry.day, fought.get(line.subject_id, 0)) for line in lines}
    return LatelyDone(frozenset(fights.fighting), fought)
