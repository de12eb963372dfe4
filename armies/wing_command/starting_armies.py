"""Starting armies of wing command: wings of a few troops each, and those of the sample hosts (WC-10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from armies.onboarding import map_sheets
from armies.onboarding.building import Built
from armies.onboarding.casts import CampaignCast, HostCast, RealmCast, place_blockade
from armies.onboarding.starting_armies import Troop
from kingdom.models import Campaign, User
from rules.core.shapes import shape_of
from rules.core.text import Term, _
from rules.wing_command.samples import CROWN, HORDE, SAMPLE_HOSTS
from rules.wing_command.spec import ADVANCE, ATTACK, HOLD
from rules.wing_command.wing import WingCommander, WingSheet, WingTroop

COMMANDER = shape_of(WingCommander)

type WingPlan = tuple[Term, str, int, tuple[str, ...]]

WINGS: Mapping[str, WingPlan] = {
    "foot": (_("infantry: line infantry with archers"), ADVANCE, 8, ("foot", "foot", "heavy-foot", "archers")),
    "horse": (_("cavalry: riders with archers behind them"), ATTACK, 8, ("riders", "riders", "riders", "archers")),
    "bows": (_("archers with a guard"), ADVANCE, 8, ("archers", "archers", "foot")),
    "levy": (_("levies with scouts"), ADVANCE, 7, ("levy", "levy", "levy", "scouts")),
    "guard": (_("a guard of veterans"), HOLD, 10, ("heavy-foot", "heavy-foot", "archers")),
    "engines": (_("assault: heavy infantry and archers"), ATTACK, 8, ("heavy-foot", "foot", "archers", "archers")),
    "horde": (_("horde: levies, beasts and trolls"), ATTACK, 8, ("levy", "foot", "trolls", "beasts")),
    "beasts": (_("beasts and trolls"), ATTACK, 7, ("trolls", "beasts", "beasts")),
}


CROWN_AND_HORDE = CampaignCast(
    "crown-and-horde",
    _("Crown and Horde"),
    _("The two sample armies of wing command, each with three wings and their commanders, ready for battle."),
    "crossed-swords",
    (
        RealmCast(SAMPLE_HOSTS["crown"][0], "LG", {"Valmont": "city", "Brenn": "town"}, (
            HostCast(CROWN[0].name, "crown-0", "Isaut Verrane"), HostCast(CROWN[1].name, "crown-1", "Tancred Holm"),
            HostCast(CROWN[2].name, "crown-2", "Alix Morel"),
        )),
        RealmCast(SAMPLE_HOSTS["horde"][0], "CE", {"Kardun": "city"}, (
            HostCast(HORDE[0].name, "horde-0", "Sigrun Vaal"), HostCast(HORDE[1].name, "horde-1", "Brida Kessel"),
            HostCast(HORDE[2].name, "horde-2", "Ulf Tarn"),
        )),
    ),
    map_sheets.TWO_REALMS,
)  # fmt: skip


class WingStarts:
    """Starting armies offered when a kingdom or campaign is founded (`Starts`)."""

    templates = True
    casts: Sequence[CampaignCast] = (CROWN_AND_HORDE,)

    def troops(self, campaign: Campaign) -> Mapping[str, Troop]:
        plain = {slug: Troop(name, _body(_sheet(plan))) for slug, (name, *plan) in WINGS.items()}
        samples = {
            f"{host}-{place}": Troop(wing.name, _body(wing.sheet), COMMANDER.write(wing.commander))
            for host, (_name, wings) in SAMPLE_HOSTS.items()
            for place, wing in enumerate(wings)
        }
        return {**plain, **samples}

    def leader(self, campaign: Campaign) -> dict[str, Any]:
        return {"ability": "C"}

    def arrange(self, by: User, cast: CampaignCast, built: Built) -> None:
        """Place the armies of a blockade, in the town and before it; the ruleset has no sieges."""
        place_blockade(by, cast, built)


def _sheet(plan: Any) -> WingSheet:
    order, morale, types = plan
    return WingSheet(tuple(WingTroop(slug) for slug in types), order=order, morale=morale)


def _body(sheet: WingSheet) -> dict[str, Any]:
    return shape_of(WingSheet).write(sheet)
