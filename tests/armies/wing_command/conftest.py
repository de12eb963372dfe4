"""A table under wing command: a GM, Ana of the Crown, Bo of the Horde, their wings and leaders."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from armies.documents.commander_services import appoint_commander
from armies.forces.services import raise_army
from armies.models import Army
from kingdom.campaign.services import create_campaign
from kingdom.realms.services import assign_player, found_kingdom
from tests.kingdom.conftest import FREELY, make_user, seat
from tests.worlds import built_once

SHEET: dict[str, Any] = {
    "troops": [{"type": "foot", "name": "Old guard", "melee": 1, "guard": 1}, {"type": "archers", "melee": 2},
               {"type": "griffins"}],
    "characters": [{"name": "Mira", "kind": "mage", "art": "fire", "level": 4}],
    "order": "hold",
    "morale": 9,
}  # fmt: skip
HORDE: dict[str, Any] = {"troops": [{"type": "levy"}, {"type": "trolls"}]}


@built_once
def table(db) -> Any:
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="Marches", ruleset="wing-command", players_may=FREELY)
    crown = found_kingdom(by=gm, campaign=campaign, name="Crown", treasury=100)
    horde = found_kingdom(by=gm, campaign=campaign, name="Horde", treasury=20)
    table = SimpleNamespace(gm=gm, campaign=campaign, crown=crown, horde=horde)
    table.ana, table.bo = seat(gm, campaign, make_user("ana"), "player"), seat(gm, campaign, make_user("bo"), "player")
    assign_player(by=gm, kingdom=crown, player=table.ana)
    assign_player(by=gm, kingdom=horde, player=table.bo)
    table.leader = appoint_commander(by=gm, kingdom=crown, name="Isaut", sheet={"ability": "B"})
    table.watch = raise_army(by=gm, kingdom=crown, name="Ironwatch", sheet=SHEET, commander=table.leader)
    table.raiders = raise_army(by=gm, kingdom=horde, name="Raiders", sheet=HORDE)
    return table


def kept(row: Any) -> dict[str, Any]:
    """The document as it is kept now."""
    found = type(row).objects.get(pk=row.pk).sheet
    return {name: value for name, value in found.items() if name != "version"}


def army_of(name: str) -> Army:
    return Army.objects.get(name=name)
