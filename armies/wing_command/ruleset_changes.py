"""Guards and followers of changed house rules: no type of troops in use disappears, and upkeep is updated (C-5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from armies.documents.ruleset_changes import build_measure_follower, list_in_chunks
from kingdom.models import Campaign
from kingdom.realms.figures import get_ruleset
from rules.core.errors import refuse
from rules.core.text import _
from rules.registry import family_of
from rules.wing_command.spec import TroopType

FAMILY = "wing_command"

measure_amended = build_measure_follower(FAMILY)


def keep_in_use(campaign: Campaign, law: Any) -> None:
    """Guard: every type of troops in use must exist under this law. Raises `IllegalCommand` naming the first army."""
    if not law.family == family_of(campaign.ruleset) == FAMILY:
        return
    now: Mapping[str, TroopType] = get_ruleset(campaign).tables.troops
    lost = {slug: one.name for slug, one in now.items() if not one.off and slug not in law.armies.catalogues["troops"]}
    if not lost:
        return
    for army in list_in_chunks(campaign):
        for troop in army.sheet.get("troops", ()):
            if (name := lost.get(troop.get("type"))) is not None:
                text = _("{army} has troops of the type {troop}. Change that army first.")
                refuse(text, field="/house_rules", troop=name, army=army.name)
