"""A table under the law, with everybody at it: the crown's legion and guns, the horde's trolls and tanks."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from armies.breaking_point.armies.services import appoint_commander
from armies.forces.services import raise_army
from kingdom.campaign.services import create_campaign
from kingdom.realms.services import assign_player, found_kingdom
from tests.kingdom.conftest import FREELY, make_user, seat
from tests.worlds import built_once

LAW = "breaking-point"
LEGION: dict[str, Any] = {
    "name": "First cohort", "type": "infantry", "strength": 480, "combat": 6, "armour": 4, "group": "contact",
    "shield": True, "weapons": ["gladius", "pilum"],
}  # fmt: skip
ARCHERS: dict[str, Any] = {
    "name": "Archers", "type": "archers", "strength": 200, "combat": 5, "armour": 0, "group": "shooting",
    "weapons": ["longbow"],
}  # fmt: skip
TROLLS: dict[str, Any] = {
    "name": "Trolls", "type": "trolls", "strength": 20, "combat": 5, "armour": 2, "group": "contact",
    "weapons": ["axe"],
}  # fmt: skip
TANKS: dict[str, Any] = {
    "name": "Tanks", "type": "machines", "strength": 20, "combat": 9, "group": "shooting", "machine": "heavy-tank",
}  # fmt: skip


def units(*wanted: dict[str, Any], **changed: Any) -> dict[str, Any]:
    """A document of these units; `changed` members of all of them."""
    return {"units": [{**unit, **changed} for unit in wanted]}


@built_once
def marches(db) -> SimpleNamespace:
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="Marches", ruleset=LAW, players_may=FREELY)
    ana, bo = seat(gm, campaign, make_user("ana"), "player"), seat(gm, campaign, make_user("bo"), "player")
    viewer = seat(gm, campaign, make_user("viewer"), "viewer")
    crown = found_kingdom(by=gm, campaign=campaign, name="Crown", treasury=100)
    horde = found_kingdom(by=gm, campaign=campaign, name="Horde", treasury=20)
    assign_player(by=gm, kingdom=crown, player=ana)
    assign_player(by=gm, kingdom=horde, player=bo)
    ysolde = appoint_commander(
        by=ana, kingdom=crown, name="Ysolde", mental=8, presence=7, combat=5, art_of_war=5, diplomacy=2
    )
    watch = raise_army(by=ana, kingdom=crown, name="Ironwatch", sheet=units(LEGION, ARCHERS), commander=ysolde)
    tanks = raise_army(by=bo, kingdom=horde, name="Steel", sheet=units(TANKS))
    return SimpleNamespace(gm=gm, ana=ana, bo=bo, viewer=viewer, stranger=make_user("stranger"), campaign=campaign,
                           crown=crown, horde=horde, ysolde=ysolde, watch=watch, tanks=tanks)  # fmt: skip
