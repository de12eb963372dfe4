"""Followers of a ruleset's changes: derived figures of armies with a declared document are updated (C-5, C-8)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from armies.models import Army
from kingdom.campaign.services import LawFollower
from kingdom.chronicle import changes
from kingdom.models import Campaign
from kingdom.realms.figures import get_ruleset
from rules.army_law import Measure
from rules.core.errors import Refusal
from rules.registry import family_of

CHUNK = 500
RULE = "C-5"


def list_in_chunks(campaign: Campaign) -> Iterator[Army]:
    """All armies of the campaign, read in chunks."""
    return Army.objects.filter(campaign=campaign).order_by("pk").iterator(chunk_size=CHUNK)


def build_measure_follower(family: str) -> LawFollower:
    """Follower for this ruleset family: yields changes of armies whose derived figures differ by the new rules."""

    def follow(campaign: Campaign) -> Iterator[changes.Change]:
        if family_of(campaign.ruleset) != family:
            return
        law = get_ruleset(campaign).armies
        for army in list_in_chunks(campaign):
            try:
                measure = law.measure(army.sheet)
            except Refusal:
                continue
            yield from _amended(army, measure)

    return follow


def _amended(army: Army, measure: Measure) -> Iterator[changes.Change]:
    after: dict[str, Any] = {"upkeep": measure.upkeep}
    if measure.health != army.health_max:
        lost = army.health_max - army.health
        fit = measure.fit if measure.fit is not None else max(min(1, army.health), measure.health - lost)
        after |= {"health_max": measure.health, "health": fit if army.health else 0}
    for name, value in after.items():
        before = getattr(army, name)
        if before != value:
            label = changes.word_of("army", name)
            yield changes.Change("army", str(army.pk), name, before, value, RULE, label, army.name)
