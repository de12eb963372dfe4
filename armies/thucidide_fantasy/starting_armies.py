"""Starting armies of THUCIDIDE fantasy: contingents of a few units each, and the sample armies (TF-8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from armies.onboarding import map_sheets
from armies.onboarding.building import Built
from armies.onboarding.casts import CampaignCast, HostCast, RealmCast, place_blockade
from armies.onboarding.starting_armies import Troop
from armies.thucidide_fantasy.forms import document_of
from kingdom.models import Campaign, User
from rules.core.shapes import shape_of
from rules.core.text import Term, _
from rules.thucidide_fantasy.contingent import ContingentCommander, ContingentSheet, ContingentUnit
from rules.thucidide_fantasy.samples import SAMPLE_HOSTS

SHEET, COMMANDER = shape_of(ContingentSheet), shape_of(ContingentCommander)

CONTINGENTS: Mapping[str, tuple[Term, tuple[str, ...]]] = {
    "foot": (
        _("infantry: heavy infantry, pikes and archers"),
        ("foot-heavy", "foot-heavy", "foot-medium", "pike", "bows"),
    ),
    "horse": (_("cavalry: lancers and light riders"), ("riders-medium", "riders-medium", "riders-light", "foot-light")),
    "bows": (_("archers and crossbowmen with a guard"), ("bows", "bows", "crossbows", "foot-heavy")),
    "levy": (_("recruits with skirmishers"), ("recruits", "recruits", "recruits", "foot-light")),
    "guard": (_("a foot guard with crossbows"), ("guard", "guard", "crossbows")),
    "engines": (_("assault: siege engines behind heavy infantry"), ("foot-heavy", "foot-heavy", "engine", "engine")),
    "horde": (_("horde: goblins on wargs, ogres, light infantry"), ("warg-riders", "ogres", "foot-light", "recruits")),
    "beasts": (_("tigers, a giant spider and ogres"), ("tigers", "tigers", "giant-spider", "ogres")),
}  # fmt: skip


REALM_AND_DARK_HOST = CampaignCast(
    "realm-and-dark-host",
    _("Realm and Dark host"),
    _("The two sample armies of THUCIDIDE fantasy, each with nine units, a caster and a general, ready to fight."),
    "crossed-swords",
    (
        RealmCast(SAMPLE_HOSTS["realm"].name, "LG", {"Valmont": "city", "Brenn": "town"}, (
            HostCast(_("Host of the Realm"), "realm", "Isaut Verrane"),
        )),
        RealmCast(SAMPLE_HOSTS["dark-host"].name, "CE", {"Kardun": "city"}, (
            HostCast(_("Host of the dark"), "dark-host", "Sigrun Vaal"),
        )),
    ),
    map_sheets.TWO_REALMS._replace(hosts=" ".join(map_sheets.TWO_REALMS.hosts.split()[::3])),
)  # fmt: skip


class ContingentStarts:
    """Starting armies offered when a kingdom or campaign is founded (`Starts`)."""

    templates = True
    casts: Sequence[CampaignCast] = (REALM_AND_DARK_HOST,)

    def troops(self, campaign: Campaign) -> Mapping[str, Troop]:
        plain = {slug: Troop(name, _body(types)) for slug, (name, types) in CONTINGENTS.items()}
        samples = {
            slug: Troop(host.name, document_of(host), COMMANDER.write(host.commander))
            for slug, host in SAMPLE_HOSTS.items()
        }
        return {**plain, **samples}

    def leader(self, campaign: Campaign) -> dict[str, Any]:
        return {"rank": "general", "level": "normal"}

    def arrange(self, by: User, cast: CampaignCast, built: Built) -> None:
        """Place the armies of a blockade, in the town and before it; the ruleset has no sieges."""
        place_blockade(by, cast, built)


def _body(types: Sequence[str]) -> dict[str, Any]:
    return SHEET.write(ContingentSheet(tuple(ContingentUnit(slug) for slug in types)))
