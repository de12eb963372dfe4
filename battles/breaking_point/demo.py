"""Demo campaign of breaking points, with its map: a fort in the fifth week of its siege, a half-fought battle for a
bridge, and two fleets that have met.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from armies.breaking_point.armies.services import appoint_commander
from armies.breaking_point.models import FortifiedPlace
from armies.breaking_point.sieges.place_services import enter_place, fortify
from armies.breaking_point.sieges.services import begin_siege, offer_terms
from armies.forces.services import raise_army
from armies.marches.services import place_on_map
from armies.models import Army
from armies.weeks.services import confirm_time
from battles.demo_battles import DemoTable
from battles.models import Battle
from battles.setup.services import open_battle
from core.text import translate
from kingdom.campaign.services import create_campaign
from kingdom.map.services import make_map
from kingdom.models import Campaign, Kingdom, Settlement, User
from kingdom.realms.services import found_kingdom, found_settlement
from rules.breaking_point.battle.orders.commands import GiveOrder, Next, Resolve
from rules.breaking_point.battle.state.battle_state import BodyOrder, Order
from rules.breaking_point.spec import Json
from rules.core.dice import TypedDie
from rules.core.text import Term, _

# Map of the demo campaign: a fort on a river between two houses.

RIVERS: dict[str, Any] = {
    "format": "warhost-hexmap",
    "version": 1,
    "name": _("The Sellen"),
    "kind": "campaign",
    "columns": 14,
    "rows": 10,
    "terrain": [
        "wwww....^^AA^^",
        "www..ff..^^A^.",
        "ww..fff....^^.",
        "w...ff........",
        "....f....ff...",
        "^......fff....",
        "^^...m.ff..www",
        "^A^.mm....wwww",
        "AA^.m....wwwww",
        "AAA^....^.wwww",
    ],
    "roads": [["E4", "F5", "F6", "G7", "H7", "I7"]],
    "rivers": [["G1", "H1"], ["H1", "G2"], ["G2", "H2"], ["G2", "H3"], ["G3", "H3"], ["H3", "G4"], ["G4", "H4"],
               ["G4", "H5"], ["G5", "H5"], ["H5", "G6"], ["G6", "H6"], ["G6", "H7"], ["G7", "H7"], ["H7", "G8"],
               ["G8", "H8"], ["G8", "H9"], ["G9", "H9"], ["H9", "G10"], ["G10", "H10"]],
    "labels": {"C2": "Narlmarches", "L8": _("Mivon wood"), "I4": "Sellen"},
}  # fmt: skip
CLAIMS = (
    ("E2", "F2", "D3", "E3", "F3", "E4", "F4", "E5", "F5"),
    ("I5", "J5", "H6", "I6", "J6", "H7", "I7"),
)
TOWN = "E4"
HOST, SWORDS, BESIEGED_HEX, BESIEGERS = "F5", "H7", "E4", "D4"


def lay_out(
    owner: User, campaign: Campaign, houses: tuple[Kingdom, Kingdom], host: Army, swords: Army
) -> None:  # fmt: skip
    """Set borders, the besieged town (visible to everybody) and the places of the armies. Fleets are not on the map."""
    claims = {str(house.pk): hexes for house, hexes in zip(houses, CLAIMS, strict=True)}
    make_map(by=owner, campaign=campaign, document=translate(RIVERS), claims=claims)
    towns = dict.fromkeys(Settlement.objects.filter(campaign=campaign), TOWN)
    besieged, besiegers = Army.objects.filter(campaign=campaign).order_by("id")[:2]
    armies = {host: HOST, swords: SWORDS, besieged: BESIEGED_HEX, besiegers: BESIEGERS}
    place_on_map(by=owner, campaign=campaign, towns=towns, armies=armies)


# Demo campaign of breaking points: a fort in the fifth week of its siege, a half-fought battle for a bridge, and two
# fleets that have met.

CAMPAIGN = _("The river war")
AT_THE_BRIDGE = (5, 4, 3, 2, 4, 5)  # faces of d10 minus 1
IN_ORBIT = (3, 6)
DRELEV, MIVON = _("House Drelev"), "Mivon"
BESIEGED = "Fort Drelev"
FORTNIGHTS = (((10, 7, 4), (8, 9)), ((10, 9, 6), (9, 6)))  # the besiegers’ shots and the fort’s, in two weeks
TERMS = 2


def _men(name: Term, kind: str, strength: int, combat: int, armour: int, *weapons: str, **more: Any) -> Json:
    group = "shooting" if kind in ("archers", "artillery") else "contact"
    return {"name": name, "type": kind, "strength": strength, "combat": combat, "armour": armour, "group": group,
            "weapons": list(weapons), **more}  # fmt: skip


HOST_OF_DRELEV = (
    _men(_("Men-at-arms"), "infantry", 250, 6, 2, "sword", shield=True),
    _men(_("Heavy horse"), "cavalry", 60, 7, 3, "lance"),
    _men(_("Longbows"), "archers", 150, 4, 0, "longbow"),
    _men(_("Old guard"), "infantry", 80, 8, 4, "spear", reserve=True),
)
SWORDLORDS = (
    _men(_("Swordlords"), "infantry", 200, 7, 2, "spear"),
    _men(_("City militia"), "infantry", 400, 2, 1, "spear"),
    _men(_("Crossbows"), "archers", 120, 4, 1, "crossbow"),
)
"""Armies at the bridge, with the numbers, quality and weapons of the page's drawings."""


GARRISON = (
    _men(_("Fort guard"), "infantry", 220, 8, 3, "spear", shield=True),
    _men(_("Guns of the fort"), "artillery", 24, 5, 1, "8-pounder", pieces=6),
)
LINES_OF_MIVON = (
    _men(_("Levy in the trenches"), "infantry", 800, 4, 1, "spear"),
    _men(_("Sappers"), "infantry", 90, 4, 1, "axe", engineers=True),
    _men(_("Siege guns"), "artillery", 120, 6, 1, "8-pounder", pieces=30),
)
"""Armies of the siege: the fort holds fourteen weeks, of which four have passed."""


def _ships(name: Term, machine: str, count: int, combat: int) -> Json:
    return {"name": name, "type": "machines", "strength": count, "combat": combat, "group": "shooting",
            "machine": machine}  # fmt: skip


HOME_FLEET = (_ships(_("Frigates of the line"), "frigate", 3, 6), _ships(_("Interceptors"), "interceptor", 12, 7))
RAIDERS = (_ships(_("Raiding frigates"), "frigate", 2, 5), _ships(_("Stolen interceptors"), "interceptor", 16, 4))


def load_demo(owner: User) -> Campaign:
    """Create a demo campaign whose GM is `owner`, through the usual services."""
    campaign = create_campaign(by=owner, name=translate(CAMPAIGN), ruleset="breaking-point", first_steps=False)
    drelev = found_kingdom(by=owner, campaign=campaign, name=translate(DRELEV))
    mivon = found_kingdom(by=owner, campaign=campaign, name=MIVON)
    baron = appoint_commander(by=owner, kingdom=drelev, name="Baron Hannis Drelev", mental=8, presence=7, combat=5,
                              art_of_war=5)  # fmt: skip
    lord = appoint_commander(by=owner, kingdom=mivon, name="Selgard Mernev", mental=7, presence=6, combat=6,
                             art_of_war=3)  # fmt: skip
    _siege(owner, campaign, drelev, mivon)
    host = _army(owner, drelev, _("Host of Fort Drelev"), HOST_OF_DRELEV, baron)
    swords = _army(owner, mivon, _("Swordlords of Mivon"), SWORDLORDS, lord)
    home = _army(owner, drelev, _("Home fleet"), HOME_FLEET)
    raiders = _army(owner, mivon, _("Corsairs of the deep"), RAIDERS)
    lay_out(owner, campaign, (drelev, mivon), host, swords)
    _bridge(owner, campaign, host, swords)
    _orbit(owner, campaign, home, raiders)
    return campaign


def _army(owner: User, kingdom: Kingdom, name: Term, units: Sequence[Json], commander: Any = None) -> Army:
    sheet = {"units": [translate(unit) for unit in units]}
    return raise_army(by=owner, kingdom=kingdom, name=translate(name), sheet=sheet, commander=commander)


def _siege(owner: User, campaign: Campaign, drelev: Kingdom, mivon: Kingdom) -> None:
    """Create the siege: four weeks with refused terms, and three days of the fifth."""
    place = _fort(owner, drelev)
    leader = appoint_commander(by=owner, kingdom=mivon, name="Vesna Mernev", mental=6, presence=6, combat=4,
                               art_of_war=2, diplomacy=1)  # fmt: skip
    lines = _army(owner, mivon, _("Lines before Fort Drelev"), LINES_OF_MIVON, leader)
    siege = begin_siege(by=owner, place=place, armies=[lines])
    gunners = (str(lines.pk), siege.state["inside"][0])
    first, second = (
        [TypedDie(army, "shot", faces) for army, faces in zip(gunners, thrown, strict=True)] for thrown in FORTNIGHTS
    )
    confirm_time(by=owner, campaign=campaign, days=14, typed=first)
    siege = offer_terms(by=owner, siege=siege, typed=[TypedDie(str(lines.pk), "terms", (TERMS,))])
    confirm_time(by=owner, campaign=campaign, days=17, typed=second)
    campaign.refresh_from_db()


def _fort(owner: User, drelev: Kingdom) -> FortifiedPlace:
    """Create the fort with its garrison."""
    town = found_settlement(by=owner, kingdom=drelev, name="Drelev")
    place = fortify(by=owner, kingdom=drelev, name=BESIEGED, kind="fort", garrison=200, settlement=town)
    enter_place(by=owner, army=_army(owner, drelev, _("Garrison of Fort Drelev"), GARRISON), place=place)
    return place


def _bridge(owner: User, campaign: Campaign, host: Army, swords: Army) -> None:
    """Create the battle for the bridge after one round: Drelev struck first, both lines are engaged, and Mivon has no
    orders yet.
    """
    battle = _opened(owner, campaign, _("Sellen bridge"), host, swords, conditions=[{"condition": "visibility"}])
    charge = _order(
        host,
        contact=BodyOrder("attack", f"{swords.pk}:contact"),
        shooting=BodyOrder("shoot", f"{swords.pk}:contact"),
    )
    answer = _order(
        swords,
        contact=BodyOrder("attack", f"{host.pk}:contact"),
        shooting=BodyOrder("shoot", f"{host.pk}:contact"),
    )
    DemoTable(owner, battle, AT_THE_BRIDGE).play(Next(), Resolve(), charge, answer, Resolve(), charge)


def _orbit(owner: User, campaign: Campaign, home: Army, raiders: Army) -> None:
    """Create the fleet battle after the command test, before the first shot."""
    battle = _opened(owner, campaign, _("Above the third moon"), home, raiders, kind="fleet", medium="space")
    DemoTable(owner, battle, IN_ORBIT).play(Next(), Resolve())


def _order(army: Army, **bodies: BodyOrder) -> GiveOrder:
    return GiveOrder(Order(str(army.pk), bodies))


def _opened(owner: User, campaign: Campaign, name: Term, one: Army, two: Army, **more: Any) -> Battle:
    sides = [{"name": army.kingdom.name, "armies": [str(army.pk)]} for army in (one, two)]
    return open_battle(by=owner, campaign=campaign, name=translate(name), sides=sides, **more)
