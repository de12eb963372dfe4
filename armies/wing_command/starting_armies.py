"""Starting armies of wing command: wings of a few troops each, and the sample hosts' (WC-10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from armies.onboarding.building import Built
from armies.onboarding.casts import CampaignCast
from armies.onboarding.starting_armies import Troop
from kingdom.models import Campaign, User
from rules.core.shapes import shape_of
from rules.core.text import Term, _
from rules.wing_command.samples import SAMPLE_HOSTS
from rules.wing_command.spec import ADVANCE, ATTACK, HOLD
from rules.wing_command.wing import WingSheet, WingTroop

type Plan = tuple[Term, str, int, tuple[str, ...]]

WINGS: Mapping[str, Plan] = {
    "foot": (_("foot: infantry of the line with archers"), ADVANCE, 8, ("foot", "foot", "heavy-foot", "archers")),
    "horse": (_("horse: riders with archers behind them"), ATTACK, 8, ("riders", "riders", "riders", "archers")),
    "bows": (_("archers with a guard"), ADVANCE, 8, ("archers", "archers", "foot")),
    "levy": (_("levies with scouts"), ADVANCE, 7, ("levy", "levy", "levy", "scouts")),
    "guard": (_("a guard of veterans"), HOLD, 10, ("heavy-foot", "heavy-foot", "archers")),
    "engines": (_("an assault: heavy foot and archers"), ATTACK, 8, ("heavy-foot", "foot", "archers", "archers")),
    "horde": (_("a horde: levies, beasts and trolls"), ATTACK, 8, ("levy", "foot", "trolls", "beasts")),
    "beasts": (_("beasts and trolls"), ATTACK, 7, ("trolls", "beasts", "beasts")),
}


class WingStarts:
    templates = True

    def troops(self, campaign: Campaign) -> Mapping[str, Troop]:
        plain = {slug: Troop(name, _body(_sheet(plan))) for slug, (name, *plan) in WINGS.items()}
        samples = {
            f"{host}-{place}": Troop(wing.name, _body(wing.sheet))
            for host, (_name, wings) in SAMPLE_HOSTS.items()
            for place, wing in enumerate(wings)
        }
        return {**plain, **samples}

    def leader(self, campaign: Campaign) -> dict[str, Any]:
        return {"ability": "C"}

    def arrange(self, by: User, cast: CampaignCast, built: Built) -> None:
        return None  # no sieges under this ruleset


def _sheet(plan: Any) -> WingSheet:
    order, morale, types = plan
    return WingSheet(tuple(WingTroop(slug) for slug in types), order=order, morale=morale)


def _body(sheet: WingSheet) -> dict[str, Any]:
    return shape_of(WingSheet).write(sheet)
