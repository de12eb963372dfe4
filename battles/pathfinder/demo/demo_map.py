"""Map of the demo campaign: the crown's river towns in the west, the horde's slough in the east."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from armies.marches.position_services import set_out
from armies.pathfinder.models import PathfinderArmy
from battles.pathfinder.demo import inhabitants
from core.text import translate
from kingdom.map.services import make_map
from kingdom.models import Campaign, Kingdom, Settlement, User
from rules.core.text import _

MARCHES: dict[str, Any] = {
    "format": "warhost-hexmap",
    "version": 1,
    "name": inhabitants.CAMPAIGN,
    "kind": "campaign",
    "columns": 16,
    "rows": 12,
    "terrain": [
        "^A^..^^...^..^^A",
        "A^^...f..^.....^",
        "^www.ff.^....^^^",
        "wwww.ff..^......",
        "www^f.~....mm...",
        "wwww.~~~..mmmm..",
        "ww^..~~~.mmmmm..",
        "^^.w..~...mmm..^",
        "A^^.ww....^....^",
        "^^..www.^^^..w..",
        "A..wwww..^^.ww..",
        "AA.^ww......www.",
    ],
    "roads": [["E6", "F5", "F4", "G4", "H4", "I4", "J5", "J6", "K6", "L7"]],
    "rivers": [
        ["G1", "H1"], ["H1", "G2"], ["G2", "H2"], ["G2", "H3"], ["G3", "H3"], ["H3", "G4"], ["G4", "H4"], ["G4", "H5"],
        ["G9", "H9"], ["H9", "G10"], ["G10", "H10"], ["G10", "H11"], ["G11", "H11"], ["H11", "G12"], ["G12", "H12"],
    ],
    "labels": {
        "B5": "Narlmarches", "G7": "Tuskwater", "L3": "Rostland", "L9": "Hooktongue", "D10": _("Old barrow"),
    },
}  # fmt: skip
CROWN_HEXES = ("F2", "G2", "E3", "F3", "G3", "E4", "F4", "G4", "E5", "F5", "E6")
HORDE_HEXES = ("K6", "L6", "K7", "L7", "M7", "L8")
TOWNS = {
    inhabitants.CROWN_TOWNS[0]["name"]: "F5",
    inhabitants.CROWN_TOWNS[1]["name"]: "E6",
    inhabitants.HORDE_TOWNS[0]["name"]: "L7",
}
HOSTS = {
    inhabitants.IRONWATCH["name"]: "E4", inhabitants.LANCES["name"]: "H4", inhabitants.BOATMEN["name"]: "F3",
    inhabitants.RAIDERS["name"]: "J6", inhabitants.TROLLS["name"]: "M7", inhabitants.DROWNED["name"]: "J8",
}  # fmt: skip


def lay_out(
    owner: User, campaign: Campaign, crown: Kingdom, horde: Kingdom, hosts: Mapping[str, PathfinderArmy]
) -> None:  # fmt: skip
    """Set borders, towns (visible to everybody), and the places of the armies."""
    claims = {str(crown.pk): CROWN_HEXES, str(horde.pk): HORDE_HEXES}
    make_map(by=owner, campaign=campaign, document=translate(MARCHES), claims=claims)
    named = {translate(name): hex for name, hex in TOWNS.items()}
    towns = {town: named[town.name] for town in Settlement.objects.filter(campaign=campaign, name__in=named)}
    set_out(by=owner, campaign=campaign, towns=towns, armies={host: HOSTS[name] for name, host in hosts.items()})
