"""Maps of the campaign templates: terrain, and the hexes of claims, towns and armies.

Every kingdom claims six hexes. Names are in the language of the user who creates the campaign.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from armies.marches.position_services import set_out
from core.text import translate
from kingdom.map.services import make_map
from kingdom.models import User
from rules.core.text import Term, _
from rules.hexes.mapfile import FORMAT, VERSION
from rules.hexes.terrain import MapKind

if TYPE_CHECKING:
    from armies.onboarding.building import Built

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
    """Creates the map with its claims, and puts towns (visible to everybody) and armies on it. Anything built besides
    stays off the map.
    """
    claims = {str(kingdom.pk): hexes.split() for kingdom, hexes in zip(built.kingdoms, sheet.claims, strict=True)}
    make_map(by=by, campaign=built.campaign, document=translate(_document(sheet, name)), claims=claims)
    towns = dict(zip(built.towns.values(), sheet.towns.split(), strict=True))
    hosts = dict(zip(built.hosts.values(), sheet.hosts.split(), strict=True))
    set_out(by=by, campaign=built.campaign, towns=towns, armies=hosts)


def _document(sheet: SheetCast, name: Term) -> dict[str, Any]:
    ground = sheet.ground.split()
    return {
        "format": FORMAT, "version": VERSION, "name": name, "kind": str(MapKind.CAMPAIGN),
        "columns": len(ground[0]), "rows": len(ground), "terrain": ground,
        "labels": dict(sheet.labels), "roads": list(sheet.roads), "rivers": list(sheet.rivers),
    }  # fmt: skip
