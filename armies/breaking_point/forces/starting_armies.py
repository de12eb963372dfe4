"""Starting armies of breaking point: armies of a few units each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from armies.breaking_point.armies.builder_choices import starter_document
from armies.breaking_point.sieges.place_services import enter_place, fortify
from armies.breaking_point.sieges.services import begin_siege
from armies.onboarding.building import Built
from armies.onboarding.casts import CampaignCast, blockade_of
from armies.onboarding.starting_armies import Troop
from kingdom.models import Campaign, User
from rules.breaking_point.reading import Json
from rules.core.text import Term, _

UNITS: Mapping[str, tuple[Term, tuple[tuple[str, int], ...]]] = {
    "foot": (_("infantry: men-at-arms and pikemen"), (("men-at-arms", 200), ("pikemen", 150))),
    "horse": (_("cavalry: heavy and light"), (("feudal-horse", 60), ("light-horse", 60))),
    "bows": (_("archers with a guard"), (("longbowmen", 200), ("militia", 80))),
    "levy": (_("levies: numerous and inexperienced"), (("militia", 450), ("crossbowmen", 60))),
    "guard": (_("a guard of veterans"), (("lancers", 120), ("crossbowmen", 60))),
    "engines": (_("besiegers with siege engines"), (("men-at-arms", 250), ("sappers", 60), ("catapults", 40))),
    "horde": (_("a horde of orcs"), (("orcs", 400), ("berserkers", 60))),
    "beasts": (_("trolls"), (("trolls", 40),)),
}
KIND, GARRISON = "fort", 150


class BreakingPointStarts:
    templates = True
    casts: Sequence[CampaignCast] = ()

    def troops(self, campaign: Campaign) -> Mapping[str, Troop]:
        return {slug: Troop(name, {"units": _units(units)}) for slug, (name, units) in UNITS.items()}

    def leader(self, campaign: Campaign) -> Json:
        return {"mental": 7, "presence": 7, "combat": 5, "art_of_war": 4}

    def arrange(self, by: User, cast: CampaignCast, built: Built) -> None:
        """Fortifies the blockaded town and begins its siege."""
        within, before = blockade_of(cast, built)
        if cast.blockade is None:
            return
        town = built.towns[cast.blockade.town]
        name = town.name
        place = fortify(by=by, kingdom=town.kingdom, name=name, kind=KIND, garrison=GARRISON, settlement=town)
        for army in within:
            enter_place(by=by, army=army, place=place)
        begin_siege(by=by, place=place, armies=before)


def _units(named: tuple[tuple[str, int], ...]) -> list[dict[str, Any]]:
    return [starter_document(slug, heads) for slug, heads in named]
