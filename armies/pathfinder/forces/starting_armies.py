"""Starting armies of mass combat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from armies.onboarding.building import Built
from armies.onboarding.casts import CampaignCast, blockade_of, place_blockade
from armies.onboarding.starting_armies import Troop
from armies.pathfinder.armies.purchase_services import buy_resource
from core.text import render
from kingdom.models import Campaign, User
from rules.core.text import _, say
from rules.pathfinder.catalogue.units import UNITS
from rules.pathfinder.documents import unit_to_json

HEADS = {
    "foot": ("human-men-at-arms", 200),
    "horse": ("human-knights", 100),
    "bows": ("human-longbowmen", 200),
    "levy": ("human-militia", 500),
    "guard": ("human-veterans", 100),
    "engines": ("human-men-at-arms", 500),
    "horde": ("orc-raiders", 500),
    "beasts": ("ogres", 50),
}
ENGINES = "siege-engines"


class PathfinderStarts:
    templates = True
    casts: Sequence[CampaignCast] = ()

    def troops(self, campaign: Campaign) -> Mapping[str, Troop]:
        return {slug: _troop(unit, count) for slug, (unit, count) in HEADS.items()}

    def leader(self, campaign: Campaign) -> dict[str, Any]:
        return {"level": 6, "charisma_modifier": 2, "soldier_ranks": 5, "character_class": render(_("Fighter"))}

    def arrange(self, by: User, cast: CampaignCast, built: Built) -> None:
        """Notes the places of a blockade's armies, and gives the first besieger siege engines."""
        place_blockade(by, cast, built)
        _within, before = blockade_of(cast, built)
        for army in before[:1]:
            buy_resource(by=by, army=army, resource=ENGINES, waive_building=True)


def _troop(slug: str, count: int) -> Troop:
    kind = UNITS[slug]
    name = render(kind.name)
    text = say(_("{count} × {unit}"), count=count, unit=kind.name)
    return Troop(text, {"unit": {**unit_to_json(kind.unit), "name": name}, "count": count})
