"""A table under THUCIDIDE fantasy: a GM, Ana of the Realm, Bo of the Dark host, their armies and leaders."""

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
    "units": [
        {"type": "foot-heavy", "name": "Old guard", "experience": "elite", "lost": 2, "weapon": "two-handed"},
        {"type": "bows"},
        {"type": "warg-riders", "traits": [{"trait": "hindrance", "likes": ["tigers"]}, "rapid"]},
        {"type": "skeletons", "stands": 3, "master": "Mira"},
    ],
    "characters": [
        {"name": "Mira", "kind": "caster", "cards": ["fear", "dust-warriors"]},
        {"name": "Odo", "kind": "hero", "armour": "heavy", "mounted": True, "melee": 3, "resistance": 4,
         "traits": [{"trait": "threat", "object": "Crown of dread"}]},
    ],
}  # fmt: skip
HORDE: dict[str, Any] = {"units": [{"type": "recruits"}, {"type": "ogres"}]}


@built_once
def table(db) -> Any:
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="Marches", ruleset="thucidide-fantasy", players_may=FREELY)
    realm = found_kingdom(by=gm, campaign=campaign, name="Realm", treasury=100)
    dark = found_kingdom(by=gm, campaign=campaign, name="Dark host", treasury=20)
    table = SimpleNamespace(gm=gm, campaign=campaign, realm=realm, dark=dark)
    table.ana, table.bo = seat(gm, campaign, make_user("ana"), "player"), seat(gm, campaign, make_user("bo"), "player")
    assign_player(by=gm, kingdom=realm, player=table.ana)
    assign_player(by=gm, kingdom=dark, player=table.bo)
    table.leader = appoint_commander(
        by=gm, kingdom=realm, name="Isaut", sheet={"level": "great", "cards": ["blessing"]}
    )
    table.watch = raise_army(by=gm, kingdom=realm, name="Ironwatch", sheet=SHEET, commander=table.leader)
    table.raiders = raise_army(by=gm, kingdom=dark, name="Raiders", sheet=HORDE)
    return table


def kept(row: Any) -> dict[str, Any]:
    """The document as it is kept now."""
    found = type(row).objects.get(pk=row.pk).sheet
    return {name: value for name, value in found.items() if name != "version"}


def army_of(name: str) -> Army:
    return Army.objects.get(name=name)
