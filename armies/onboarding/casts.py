"""Casts of campaign templates, for any ruleset: kingdoms, and armies by a kind that the ruleset has ready."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from armies.marches.position_services import place_army
from armies.onboarding import map_sheets
from armies.onboarding.building import Built, HostPlan, RealmPlan, build
from armies.onboarding.map_sheets import SheetCast
from armies.onboarding.starting_armies import Starts, Troop
from armies.ruleset_ui import get_army_ui, list_army_uis
from core.text import render
from kingdom.models import Campaign, User
from kingdom.onboarding.templates import CampaignTemplate
from kingdom.realms.figures import get_realm_law
from rules.core.text import Term, _, say
from rules.realm import TownStart
from rules.registry import RULESETS


class HostCast(NamedTuple):
    name: Term
    troops: str
    leader: str = ""


class RealmCast(NamedTuple):
    """A kingdom. `towns`: size of each town by name (`rules.realm.RealmLaw.towns`)."""

    name: Term
    alignment: str
    towns: dict[str, str]
    hosts: tuple[HostCast, ...]


class BlockadeCast(NamedTuple):
    """A blockaded town: armies in it (`within`) and armies around it (`before`), by their places in their kingdoms."""

    town: str
    within: tuple[int, ...]
    before: tuple[int, ...]


class CampaignCast(NamedTuple):
    """A template. If a town is blockaded, its kingdom is the first, and that of the armies before it is the second."""

    slug: str
    name: Term
    text: Term
    icon: str
    realms: tuple[RealmCast, ...]
    sheet: SheetCast
    blockade: BlockadeCast | None = None


TWO_REALMS = CampaignCast(
    "two-realms",
    _("Two realms at war"),
    _("Two kingdoms, each with towns, commanders and three armies ready to march."),
    "crossed-swords",
    (
        RealmCast(_("Crown of Estmere"), "LG", {"Valmont": "city", "Brenn": "town"}, (
            HostCast(_("Iron Guard"), "foot", "Isaut Verrane"),
            HostCast(_("Riders of Dawn"), "horse", "Tancred Holm"),
            HostCast(_("Bowmen of Brenn"), "bows"),
        )),
        RealmCast(_("Horde of the Ashen Hills"), "CE", {"Kardun": "city"}, (
            HostCast(_("Ashen Axes"), "horde", "Sigrun Vaal"),
            HostCast(_("Stonebreakers"), "beasts"),
            HostCast(_("Raiders of the Pass"), "levy", "Brida Kessel"),
        )),
    ),
    map_sheets.TWO_REALMS,
)  # fmt: skip
BLOCKADED_TOWN = CampaignCast(
    "besieged-town",
    _("A besieged town"),
    _("A town holds out against the company at its walls, and a relief column is on its way."),
    "white-tower",
    (
        RealmCast(_("Free Town of Castelmar"), "NG", {"Castelmar": "city"}, (
            HostCast(_("Garrison of Castelmar"), "guard", "Maelys d’Orsenne"),
            HostCast(_("Relief column"), "horse", "Yvain Carrec"),
        )),
        RealmCast(_("Black Company of Morgath"), "LE", {"Orsenne": "town"}, (
            HostCast(_("Lines before Castelmar"), "engines", "Odo Marchant"),
            HostCast(_("Veterans of Morgath"), "foot", "Roxane Tyr"),
        )),
    ),
    map_sheets.BLOCKADED_TOWN,
    BlockadeCast("Castelmar", (0,), (0, 1)),
)  # fmt: skip
FOUR_REALMS = CampaignCast(
    "four-realms",
    _("A border of four realms"),
    _("Four kingdoms share a border, each with a town and two armies. You choose allies and enemies."),
    "treasure-map",
    (
        RealmCast(_("Crown of Estmere"), "LN", {"Valmont": "city"}, (
            HostCast(_("Iron Guard"), "foot", "Isaut Verrane"), HostCast(_("Riders of Dawn"), "horse"),
        )),
        RealmCast(_("Duchy of Aldren"), "NG", {"Havreval": "city"}, (
            HostCast(_("Bowmen of Aldren"), "bows", "Gauvin Thorne"), HostCast(_("Ducal Guard"), "guard"),
        )),
        RealmCast(_("League of Free Towns"), "N", {"Orsenne": "city"}, (
            HostCast(_("Sworn Companies"), "foot", "Aldous Ferrant"), HostCast(_("Militia of the League"), "levy"),
        )),
        RealmCast(_("Clans of the North"), "CN", {"Tarnwick": "town"}, (
            HostCast(_("Axes of the North"), "horde", "Sigrun Vaal"), HostCast(_("Stonebreakers"), "beasts"),
        )),
    ),
    map_sheets.FOUR_REALMS,
)  # fmt: skip
CASTS = (TWO_REALMS, BLOCKADED_TOWN, FOUR_REALMS)


def beginnings(ruleset: str) -> Iterator[CampaignTemplate]:
    """Templates of this ruleset; none unless its UI has the armies they need."""
    family = RULESETS[ruleset].family
    for ui in list_army_uis():
        if ui.family == family and ui.starts.templates:
            for cast in (*ui.starts.casts, *CASTS):
                yield CampaignTemplate(cast.slug, cast.name, cast.text, cast.icon, _filling(cast))


def _filling(cast: CampaignCast) -> Any:
    return lambda *, by, campaign: fill(by, campaign, cast)


def fill(by: User, campaign: Campaign, cast: CampaignCast) -> Built:
    """Creates the cast's kingdoms in this campaign and on its map, with names in the reader's language."""
    starts = get_army_ui(campaign).starts
    built = build(by, campaign, _plans(campaign, cast.realms, starts))
    map_sheets.lay(by, cast.sheet, cast.name, built)
    starts.arrange(by, cast, built)
    return built


def _plans(campaign: Campaign, realms: Iterable[RealmCast], starts: Starts) -> Iterator[RealmPlan]:
    troops, leader = starts.troops(campaign), starts.leader(campaign)
    law = get_realm_law(campaign)
    for realm in realms:
        figures: dict[str, Any] = {"name": render(realm.name), **law.young}
        if law.alignments:
            figures["alignment"] = realm.alignment
        towns = [_town(name, law.towns.get(size, TownStart())) for name, size in realm.towns.items()]
        hosts = [_host(host, troops[host.troops], leader) for host in realm.hosts]
        yield RealmPlan(figures, towns, hosts)


def _town(name: str, start: TownStart) -> dict[str, Any]:
    return {"name": name, "districts": start.districts, "buildings": list(start.buildings)}


def _host(host: HostCast, troop: Troop, leader: Mapping[str, Any]) -> HostPlan:
    named = {"name": render(host.name), **troop.body}
    return HostPlan(named, {"name": host.leader, **leader, **troop.leader} if host.leader else None)


def place_blockade(by: User, cast: CampaignCast, built: Built) -> None:
    """Notes the places of the blockade's armies: in the town, and before it."""
    within, before = blockade_of(cast, built)
    town = cast.blockade.town if cast.blockade else ""
    for army in within:
        place_army(by=by, army=army, place=town)
    for army in before:
        place_army(by=by, army=army, place=render(say(_("before {town}"), town=town)))


def blockade_of(cast: CampaignCast, built: Built) -> tuple[list[Any], list[Any]]:
    """Armies of the cast's blockade: those in the town, those before it."""
    if cast.blockade is None:
        return [], []
    within, before = (
        [built.hosts[render(realm.hosts[place].name)] for place in places]
        for realm, places in zip(cast.realms, (cast.blockade.within, cast.blockade.before), strict=False)
    )
    return within, before
