"""Armies of sieges as the law keeps them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from armies.breaking_point.sieges.place_services import enter_place, fortify
from armies.models import Army, Commander
from kingdom.campaign.services import create_campaign
from kingdom.models import Kingdom
from kingdom.realms.services import assign_player, found_kingdom
from tests.kingdom.conftest import FREELY, seat


def foot(strength: int, combat: int = 8, **given: Any) -> dict[str, Any]:
    """Five points a head."""
    unit = {"name": "Foot", "type": "infantry", "strength": strength, "combat": combat, "armour": 0,
            "group": "contact", "weapons": ["sword"]}  # fmt: skip
    return {**unit, **given}


def guns(pieces: int, combat: int = 6) -> dict[str, Any]:
    """Four men and a fire power of 20 a piece."""
    return {"name": "Guns", "type": "artillery", "strength": pieces * 4, "combat": combat, "armour": 1,
            "group": "shooting", "weapons": ["8-pounder"], "pieces": pieces}  # fmt: skip


def army(kingdom: Kingdom, name: str, *units: dict[str, Any], **given: Any) -> Army:
    """As the law keeps it."""
    able = sum(unit["strength"] for unit in units)
    wounded = sum(unit.get("wounded", 0) for unit in units)
    sheet = {"units": list(units), "version": 1}
    figures: dict[str, Any] = {"health": able, "health_max": able + wounded, "sheet": sheet, **given}
    return Army.objects.create(campaign=kingdom.campaign, kingdom=kingdom, name=name, **figures)


def again(row: Any) -> Any:
    """The row as it is now."""
    return type(row)._default_manager.get(pk=row.pk)


def under_walls(people: SimpleNamespace) -> SimpleNamespace:
    """Ker: a fort for 100, held by 100 of combat 8 (sixteen weeks). Before it 300 foot and ten guns under Attila.

    `people`: gm, ana (the crown's), bo (the horde's) and a viewer.
    """
    gm = people.gm
    campaign = create_campaign(by=gm, name="Marches", ruleset="breaking-point", players_may=FREELY)
    ana, bo = seat(gm, campaign, people.ana, "player"), seat(gm, campaign, people.bo, "player")
    viewer = seat(gm, campaign, people.viewer, "viewer")
    crown = found_kingdom(by=gm, campaign=campaign, name="Crown", treasury=100)
    horde = found_kingdom(by=gm, campaign=campaign, name="Horde", treasury=20)
    assign_player(by=gm, kingdom=crown, player=ana)
    assign_player(by=gm, kingdom=horde, player=bo)
    figures = {"mental": 5, "presence": 8, "combat": 5, "art_of_war": 3, "diplomacy": 2}
    attila = Commander.objects.create(campaign=campaign, kingdom=horde, name="Attila", sheet=figures)
    guard = army(crown, "Guard", foot(100))
    host = army(horde, "Host", foot(300, 5), guns(10), commander=attila)
    ker = fortify(by=gm, kingdom=crown, name="Ker", kind="fort", garrison=100)
    enter_place(by=ana, army=guard, place=ker)
    return SimpleNamespace(gm=gm, ana=ana, bo=bo, viewer=viewer, campaign=campaign, crown=crown, horde=horde,
                           guard=guard, host=host, ker=ker, attila=attila)  # fmt: skip
