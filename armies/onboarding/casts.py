"""Casts of campaign templates, for any ruleset: kingdoms, armies by a kind that the ruleset has ready, and their
maps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from armies.marches.services import place_army, place_on_map
from armies.onboarding.starting_armies import Built, HostPlan, RealmPlan, Starts, Troop, build, fund_first_weeks
from armies.ruleset_ui import get_army_ui, list_army_uis
from core.text import render, translate
from kingdom.map.services import make_map
from kingdom.models import Campaign, User
from kingdom.onboarding.checklist import CampaignTemplate
from kingdom.realms.figures import get_realm_law
from rules.core.text import Term, _, say
from rules.hexes.mapfile import FORMAT, VERSION
from rules.hexes.terrain import MapKind
from rules.realm import TownStart
from rules.registry import RULESETS

# Maps of the campaign templates: terrain, and the hexes of claims, towns and armies.
#
# Every kingdom claims six hexes. Names are in the language of the user who creates the campaign.

type Sides = Sequence[tuple[str, str]]


class SheetCast(NamedTuple):
    """`ground`: rows of terrain letters (`rules.hexes.mapfile`). `claims`: hexes of each kingdom. `towns` and `hosts`:
    a hex for each town and army. All in the order of the cast.
    """

    ground: str
    labels: Mapping[str, Term]
    roads: Sequence[Sequence[str]]
    claims: Sequence[str]
    towns: str
    hosts: str
    rivers: Sides = ()


TWO_REALMS = SheetCast(
    """
    www..^^...^^AA
    ww..ff.^.^..kA
    w..fff....^.kk
    ..ffff..w..^kk
    w..fff.www..k^
    ww..f..ww..^kk
    ^ww...m..w..k^
    A^w..mm....^kk
    AA^.m~~m..w.^k
    AAA^.~~~.www.^
    """,
    {"A2": _("Dawnwood"), "F9": _("Mirror Mere"), "M2": _("Ashen Hills"), "I5": _("The Thorns")},
    [["E4", "E5", "E6", "F6", "G6", "H7", "I7", "J7", "J6", "K6", "L5"]],
    ("D4 E4 F4 E5 F5 E6", "L4 K5 L5 M5 L6 M6"),
    "E4 E6 L5",
    "D4 G6 E6 L5 M6 J6",
    [("G1", "H1"), ("H1", "G2"), ("G2", "H2"), ("G2", "H3"), ("G3", "H3"), ("H3", "G4"), ("G4", "H4"), ("G4", "H5"),
     ("G5", "H5"), ("H5", "G6"), ("G6", "H6"), ("G6", "H7"), ("G7", "H7")],
)  # fmt: skip
BLOCKADED_TOWN = SheetCast(
    """
    ^^..w...ff..^A
    ^..ww..fff...^
    ..www...f..w.^
    ...w..ff..ww..
    .f...fff...w..
    fff..ff..m....
    ff...f..mm.^..
    .f.w...mm.^^^.
    ..www.....^A^^
    .www..^...AAA^
    """,
    {"B5": _("Relief camp"), "C3": _("Oakshaw"), "I8": _("The Sloughs"), "L9": _("Morgath Heights")},
    [["B6", "C6", "D6", "E6", "F6", "G5", "H5", "I5", "I4", "J3", "K3"]],
    ("G5 F5 H5 G4 F6 G6", "K3 J3 L3 J2 K2 K4"),
    "G5 K3",
    "G5 B6 H5 F5",
)
FOUR_REALMS = SheetCast(
    """
    AA^^.ww^^..^^AAA
    A^^.ff.w..^..^AA
    ^^..fff...^^..^^
    ^.w..f..w...^..^
    .ff..........f..
    ffff..^^w...ffff
    .ff..^AA^..ffff.
    ..f..w^^w...ff..
    w....ww....w...c
    ww..f.....ww..co
    w..fff..m..w..oo
    ww..ff.mm...cooo
    """,
    {"H7": _("The Four Stones"), "O11": _("Gray Bay"), "B10": _("Ducal Woods"), "C1": _("Northern Heights")},
    [
        ["E2", "F2", "G2", "H3", "H4", "I5", "J5", "K5", "L5", "M5", "M6"],
        ["E11", "F11", "G11", "G10", "H9", "I9", "J9", "K9", "K8", "L8", "M7", "M6"],
        ["C6", "D7", "D8", "E9", "E10", "F10", "G10"],
    ],
    ("C6 B6 D6 C5 D5 C7", "E11 D11 F11 E10 F10 D12", "M6 L6 N6 N5 M7 N7", "E2 D2 F2 E3 F3 G3"),
    "C6 E11 M6 E2",
    "C6 D6 E11 F10 M6 L6 E2 G3",
)


def lay(by: User, sheet: SheetCast, name: Term, built: Built) -> None:
    """Creates the map with its claims, and puts towns (visible to everybody) and armies on it. Objects of other origin
    stay off the map.
    """
    claims = {str(kingdom.pk): hexes.split() for kingdom, hexes in zip(built.kingdoms, sheet.claims, strict=True)}
    make_map(by=by, campaign=built.campaign, document=translate(_document(sheet, name)), claims=claims)
    towns = dict(zip(built.towns.values(), sheet.towns.split(), strict=True))
    hosts = dict(zip(built.hosts.values(), sheet.hosts.split(), strict=True))
    place_on_map(by=by, campaign=built.campaign, towns=towns, armies=hosts)


def _document(sheet: SheetCast, name: Term) -> dict[str, Any]:
    ground = sheet.ground.split()
    return {
        "format": FORMAT, "version": VERSION, "name": name, "kind": str(MapKind.CAMPAIGN),
        "columns": len(ground[0]), "rows": len(ground), "terrain": ground,
        "labels": dict(sheet.labels), "roads": list(sheet.roads), "rivers": list(sheet.rivers),
    }  # fmt: skip


# Casts of campaign templates, for any ruleset: kingdoms, and armies by a kind that the ruleset has ready.


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


TWO_REALMS_CAST = CampaignCast(
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
    TWO_REALMS,
)  # fmt: skip
BLOCKADED_TOWN_CAST = CampaignCast(
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
    BLOCKADED_TOWN,
    BlockadeCast("Castelmar", (0,), (0, 1)),
)  # fmt: skip
FOUR_REALMS_CAST = CampaignCast(
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
    FOUR_REALMS,
)  # fmt: skip
CASTS = (TWO_REALMS_CAST, BLOCKADED_TOWN_CAST, FOUR_REALMS_CAST)


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
    fund_first_weeks(by, built.kingdoms)
    lay(by, cast.sheet, cast.name, built)
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
        place_army(by=by, army=army, place=render(say(_("outside {town}"), town=town)))


def blockade_of(cast: CampaignCast, built: Built) -> tuple[list[Any], list[Any]]:
    """Armies of the cast's blockade: those in the town, those before it."""
    if cast.blockade is None:
        return [], []
    within, before = (
        [built.hosts[render(realm.hosts[place].name)] for place in places]
        for realm, places in zip(cast.realms, (cast.blockade.within, cast.blockade.before), strict=False)
    )
    return within, before
