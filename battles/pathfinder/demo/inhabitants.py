"""Cast and map of the demo campaign: two kingdoms at war over a river, with towns, commanders and armies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from armies.marches.services import place_on_map
from armies.pathfinder.models import PathfinderArmy
from core.text import translate
from kingdom.map.services import make_map
from kingdom.models import Campaign, Kingdom, Settlement, User
from rules.core.text import _

# Cast of the demo campaign: two kingdoms at war over a river, with towns, commanders and armies. Names are translated
# for whoever creates it (`core.text.translate`).

CAMPAIGN = _("Restov marches")
YEAR = 812
MUSTERED = 63
TODAY = 98  # end of the fourteenth week
DIE_FACE = 18  # face of every die that passing time asks for

CROWN: dict[str, Any] = {
    "name": _("Crown of Restov"),
    "alignment": "LN",
    "economy": 22,
    "loyalty": 18,
    "stability": 20,
    "unrest": 3,
    "size": 11,
    "treasury": 120,
}
HORDE: dict[str, Any] = {
    "name": _("Greenbelt horde"),
    "alignment": "CE",
    "economy": 9,
    "loyalty": 14,
    "stability": 7,
    "unrest": 1,
    "size": 6,
    "treasury": 95,
}

CROWN_TOWNS: tuple[dict[str, Any], ...] = (
    {
        "name": _("Restov Quay"),
        "districts": 2,
        "buildings": ["castle", "city-wall", "city-wall", "barracks", "smithy", "stable", "temple", "academy"],
    },
    {"name": _("Rushbank"), "districts": 1, "buildings": ["watchtower", "herbalist"]},
)
HORDE_TOWNS: tuple[dict[str, Any], ...] = (
    {"name": _("Bonefire Camp"), "districts": 1, "buildings": ["watchtower", "foreign-quarter", "stockyard"]},
)

YSOLDE: dict[str, Any] = {
    "name": "Dame Ysolde Marrec",
    "character_class": _("Fighter"),
    "level": 9,
    "charisma_modifier": 3,
    "soldier_ranks": 9,
    "office": "warden",
    "office_boon": "defensive-tactics",
    "boons": [{"boon": "loyalty"}, {"boon": "hold-the-line"}],
}
PENN: dict[str, Any] = {
    "name": _("Lord Aldous Penn"),
    "character_class": _("Cavalier"),
    "level": 7,
    "charisma_modifier": 2,
    "soldier_ranks": 5,
    "leadership_feat": True,
    "player_character": True,
    "office": "general",
    "office_boon": "bonus-tactic",
    "office_tactic": "expert-flankers",
    "boons": [{"boon": "bloodied-but-unbroken"}],
}
HOLT: dict[str, Any] = {
    "name": _("Captain Berrin Holt"),
    "character_class": _("Ranger"),
    "level": 5,
    "charisma_modifier": 1,
    "soldier_ranks": 5,
    "boons": [{"boon": "hit-and-run"}, {"boon": "triage"}],
}
GRUK: dict[str, Any] = {
    "name": _("Gruk Split-Tusk"),
    "character_class": _("Barbarian"),
    "level": 8,
    "charisma_modifier": 1,
    "soldier_ranks": 6,
    "office": "royal-enforcer",
    "office_boon": "bloodied-but-unbroken",
    "boons": [{"boon": "merciless"}, {"boon": "loyalty"}],
}
SEDGE: dict[str, Any] = {
    "name": _("Mother Sedge"),
    "character_class": _("Witch"),
    "level": 6,
    "charisma_modifier": 2,
    "office": "high-priest",
    "office_boon": "triage",
    "boons": [{"boon": "live-off-the-land"}],
}

# Armies: name, number of units, unit, and other properties.
IRONWATCH: dict[str, Any] = {
    "name": _("Ironwatch"),
    "count": 2000,
    "commander": YSOLDE,
    "unit": {"name": _("Human spearman"), "cr": "1", "hit_die": "d10", "speed_m": 9, "alignment": "LN", "level": 2},
    "tactics": [("defensive-wall", False), ("full-defense", True)],
}
LANCES: dict[str, Any] = {
    "name": _("Silver Lances"),
    "count": 200,
    "commander": PENN,
    "unit": {
        "name": _("Human lancer"),
        "cr": "3",
        "hit_die": "d10",
        "speed_m": 6,
        "alignment": "LG",
        "level": 4,
        "abilities": [{"ability": "challenge"}, {"ability": "powerful-charge"}],
    },
    "mount": {"name": _("Heavy horse"), "cr": "2", "speed_m": 15, "creature_type": "animal"},
    "resources": ["mounts", "improved-armor", "healing-potions"],
    "tactics": [("cavalry-experts", False)],
}
BOATMEN: dict[str, Any] = {
    "name": _("Tuskwater boatmen"),
    "count": 500,
    "commander": HOLT,
    "unit": {
        "name": _("River archer"),
        "cr": "1/2",
        "hit_die": "d8",
        "speed_m": 9,
        "alignment": "NG",
        "level": 1,
        "ranged": True,
    },
    "tactics": [("sniper-support", False)],
}
RAIDERS: dict[str, Any] = {
    "name": _("Greenbelt raiders"),
    "count": 1000,
    "commander": GRUK,
    "unit": {
        "name": _("Orc raider"),
        "cr": "2",
        "hit_die": "d10",
        "speed_m": 9,
        "alignment": "CE",
        "level": 3,
        "abilities": [
            {"ability": "rage"},
            {"ability": "ferocity"},
            {"ability": "darkvision"},
            {"ability": "light-sensitivity"},
        ],
    },
    "resources": ["siege-engines"],
    "tactics": [("relentless-brutality", False)],
}
TROLLS: dict[str, Any] = {
    "name": _("Bog trolls"),
    "count": 100,
    "commander": SEDGE,
    "unit": {
        "name": _("Bog troll"),
        "cr": "5",
        "hit_die": "d8",
        "speed_m": 9,
        "creature_type": "monstrous-humanoid",
        "alignment": "CE",
        "level": 6,
        "abilities": [
            {"ability": "regeneration", "value": 5},
            {"ability": "rend"},
            {"ability": "scent"},
            {"ability": "darkvision"},
        ],
    },
    "resources": ["improved-armor"],
    "tactics": [("dirty-fighters", False)],
}
DROWNED: dict[str, Any] = {
    "name": _("Drowned host"),
    "count": 1000,
    "commander": None,
    "unit": {
        "name": _("Drowned skeleton"),
        "cr": "1/3",
        "hit_die": "d8",
        "speed_m": 9,
        "creature_type": "undead",
        "alignment": "NE",
        "level": 1,
        "abilities": [{"ability": "undead"}, {"ability": "mindless"}, {"ability": "darkvision"}, {"ability": "fear"}],
    },
}

# Income and expenses before today, in BP: (day, amount, reason).
CROWN_LEDGER = (
    (70, 24, _("Taxes of the river towns")),
    (77, 22, _("Taxes of the river towns")),
    (84, -35, _("Dikes and a new quay")),
    (91, 21, _("Taxes of the river towns")),
)
HORDE_LEDGER = (
    (77, 18, _("Spoils of the Rushbank road")),
    (91, 12, _("Tribute of the bog clans")),
)


# Map of the demo campaign: the crown's river towns in the west, the horde's slough in the east.

MARCHES: dict[str, Any] = {
    "format": "warhost-hexmap",
    "version": 1,
    "name": CAMPAIGN,
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
    CROWN_TOWNS[0]["name"]: "F5",
    CROWN_TOWNS[1]["name"]: "E6",
    HORDE_TOWNS[0]["name"]: "L7",
}
HOSTS = {
    IRONWATCH["name"]: "E4", LANCES["name"]: "H4", BOATMEN["name"]: "F3",
    RAIDERS["name"]: "J6", TROLLS["name"]: "M7", DROWNED["name"]: "J8",
}  # fmt: skip


def lay_out(
    owner: User, campaign: Campaign, crown: Kingdom, horde: Kingdom, hosts: Mapping[str, PathfinderArmy]
) -> None:  # fmt: skip
    """Set borders, towns (visible to everybody), and the places of the armies."""
    claims = {str(crown.pk): CROWN_HEXES, str(horde.pk): HORDE_HEXES}
    make_map(by=owner, campaign=campaign, document=translate(MARCHES), claims=claims)
    named = {translate(name): hex for name, hex in TOWNS.items()}
    towns = {town: named[town.name] for town in Settlement.objects.filter(campaign=campaign, name__in=named)}
    place_on_map(by=owner, campaign=campaign, towns=towns, armies={host: HOSTS[name] for name, host in hosts.items()})
