"""Changes of house rules, applied to wings: no type of troops in use goes away, and upkeep follows (C-5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from armies.models import Army
from kingdom.chronicle import changes
from kingdom.models import Campaign
from kingdom.realms.figures import get_ruleset
from rules.core.errors import Refusal, refuse
from rules.core.text import _
from rules.registry import family_of
from rules.wing_command.spec import TroopType

FAMILY = "wing_command"
CHUNK = 500


def keep_in_use(campaign: Campaign, law: Any) -> None:
    """Raise `IllegalCommand` naming the first army with a type of troops that this law no longer has."""
    if not law.family == family_of(campaign.ruleset) == FAMILY:
        return
    now: Mapping[str, TroopType] = get_ruleset(campaign).tables.troops
    lost = {slug: one.name for slug, one in now.items() if not one.off and slug not in law.armies.catalogues["troops"]}
    if not lost:
        return
    for army in Army.objects.filter(campaign=campaign).order_by("pk").iterator(chunk_size=CHUNK):
        for troop in army.sheet.get("troops", ()):
            if (name := lost.get(troop.get("type"))) is not None:
                text = _("{army} has troops of the type {troop}. Change that army first.")
                refuse(text, field="/house_rules", troop=name, army=army.name)


def upkeep_amended(campaign: Campaign) -> Iterator[changes.Change]:
    """What a week of each army costs by the campaign's new rules, where that is another sum."""
    if family_of(campaign.ruleset) != FAMILY:
        return
    law, label = get_ruleset(campaign).armies, changes.word_of("army", "upkeep")
    for army in Army.objects.filter(campaign=campaign).order_by("pk").iterator(chunk_size=CHUNK):
        try:
            upkeep = law.measure(army.sheet).upkeep
        except Refusal:
            continue
        if upkeep != army.upkeep:
            yield changes.Change("army", str(army.pk), "upkeep", army.upkeep, upkeep, "C-5", label, army.name)
