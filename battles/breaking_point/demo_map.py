"""Map of the demo campaign: a fort on a river between two houses."""

from __future__ import annotations

from typing import Any

from armies.marches.position_services import set_out
from armies.models import Army
from core.text import translate
from kingdom.map.services import make_map
from kingdom.models import Campaign, Kingdom, Settlement, User
from rules.core.text import _

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
HOST, SWORDS, BESIEGED, BESIEGERS = "F5", "H7", "E4", "D4"


def lay_out(
    owner: User, campaign: Campaign, houses: tuple[Kingdom, Kingdom], host: Army, swords: Army
) -> None:  # fmt: skip
    """Set borders, the besieged town (visible to everybody) and the places of the armies. Fleets are not on the map."""
    claims = {str(house.pk): hexes for house, hexes in zip(houses, CLAIMS, strict=True)}
    make_map(by=owner, campaign=campaign, document=translate(RIVERS), claims=claims)
    towns = dict.fromkeys(Settlement.objects.filter(campaign=campaign), TOWN)
    besieged, besiegers = Army.objects.filter(campaign=campaign).order_by("id")[:2]
    armies = {host: HOST, swords: SWORDS, besieged: BESIEGED, besiegers: BESIEGERS}
    set_out(by=owner, campaign=campaign, towns=towns, armies=armies)
