"""What mass combat has ready for whoever begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from armies.beginnings.building import Built
from armies.beginnings.casts import CampaignCast, blockade_of
from armies.beginnings.starts import Troop
from armies.pathfinder.services.purchase import buy_resource
from armies.services.places import place_army
from kingdom.models import Campaign, User
from kingdom.text import render
from rules.pathfinder.parse import unit_to_json
from rules.pathfinder.units import UNITS
from rules.text import _, say

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

    def troops(self, campaign: Campaign) -> Mapping[str, Troop]:
        return {slug: _troop(unit, count) for slug, (unit, count) in HEADS.items()}

    def leader(self, campaign: Campaign) -> dict[str, Any]:
        return {"level": 6, "charisma_modifier": 2, "soldier_ranks": 5, "character_class": render(_("Fighter"))}

    def arrange(self, by: User, cast: CampaignCast, built: Built) -> None:
        """Besiegers bring their engines."""
        within, before = blockade_of(cast, built)
        for army in within:
            place_army(by=by, army=army, place=str(cast.blockade and cast.blockade.town))
        for army in before:
            place_army(
                by=by, army=army, place=render(say(_("before {town}"), town=cast.blockade and cast.blockade.town))
            )
        for army in before[:1]:
            buy_resource(by=by, army=army, resource=ENGINES, waive_building=True)


def _troop(slug: str, count: int) -> Troop:
    kind = UNITS[slug]
    name = render(kind.name)
    text = say(_("{count} × {unit}"), count=count, unit=kind.name)
    return Troop(text, {"unit": {**unit_to_json(kind.unit), "name": name}, "count": count})
