"""Terrain of a hex (HX-2): of battlefields, and of travel for the map of a campaign; choices for a map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from rules.core.errors import demand
from rules.core.text import Term, _


class MapKind(StrEnum):
    """What a map is of: a field of battle, or the lands of a campaign."""

    BATTLE = "battle"
    CAMPAIGN = "campaign"


class Footing(StrEnum):
    """How those on foot get on. A law may amend it; flyers and ships are its business too."""

    CLEAR = "clear"
    DIFFICULT = "difficult"
    INFILTRATION_ONLY = "infiltration_only"
    IMPASSABLE = "impassable"


def harder(one: Footing, other: Footing) -> Footing:
    """The one of two that lets fewer pass."""
    order = tuple(Footing)
    return max(one, other, key=order.index)


CLEAR, DIFFICULT = Footing.CLEAR, Footing.DIFFICULT
INFILTRATION_ONLY, IMPASSABLE = Footing.INFILTRATION_ONLY, Footing.IMPASSABLE


@dataclass(frozen=True, slots=True)
class HexTerrain:
    """`letter`: in a map's file. `height`: of its ground. `cover`: of what stands on it (HX-5.1)."""

    slug: str
    letter: str
    name: Term
    footing: Footing = CLEAR
    height: int = 0
    cover: int = 0

    @property
    def difficult(self) -> bool:
        """On a campaign's map: an army's speed is halved in it."""
        return self.footing is DIFFICULT

    @property
    def on_foot(self) -> bool:
        """Whether an army on foot can enter at all."""
        return self.footing in (CLEAR, DIFFICULT)


OF_BATTLE = (
    HexTerrain("open", ".", _("Bare ground")),
    HexTerrain("road", "=", _("Road")),
    HexTerrain("bridge", "b", _("Bridge")),
    HexTerrain("ford", "o", _("Ford"), DIFFICULT),
    HexTerrain("hill", "^", _("Hill"), DIFFICULT, height=1),
    HexTerrain("wood", "w", _("Wood"), DIFFICULT, cover=1),
    HexTerrain("houses", "h", _("Houses"), DIFFICULT, cover=1),
    HexTerrain("thicket", "t", _("Thicket"), INFILTRATION_ONLY, cover=1),
    HexTerrain("marsh", "m", _("Marsh"), DIFFICULT),
    HexTerrain("rocks", "k", _("Rocks"), DIFFICULT),
    HexTerrain("sand", "s", _("Sand"), DIFFICULT),
    HexTerrain("snow", "n", _("Snow"), DIFFICULT),
    HexTerrain("river", "|", _("River"), IMPASSABLE),
    HexTerrain("lake", "~", _("Lake"), IMPASSABLE),
    HexTerrain("mountain", "A", _("Mountain"), IMPASSABLE, height=2, cover=1),
)

OF_TRAVEL = (
    HexTerrain("plains", ".", _("Plains")),
    HexTerrain("farmland", "f", _("Farmland")),
    HexTerrain("moor", "l", _("Moor")),
    HexTerrain("coast", "c", _("Coast")),
    HexTerrain("hills", "^", _("Hills"), DIFFICULT, height=1),
    HexTerrain("forest", "w", _("Forest"), DIFFICULT, cover=1),
    HexTerrain("jungle", "j", _("Jungle"), DIFFICULT, cover=1),
    HexTerrain("mountains", "A", _("Mountains"), DIFFICULT, height=2),
    HexTerrain("peaks", "P", _("High peaks"), IMPASSABLE, height=3),
    HexTerrain("swamp", "m", _("Swamp"), DIFFICULT),
    HexTerrain("desert", "s", _("Desert"), DIFFICULT),
    HexTerrain("badlands", "k", _("Badlands"), DIFFICULT),
    HexTerrain("tundra", "t", _("Tundra")),
    HexTerrain("glacier", "i", _("Glacier"), DIFFICULT),
    HexTerrain("lake", "~", _("Lake"), IMPASSABLE),
    HexTerrain("sea", "o", _("Sea"), IMPASSABLE),
)

CATALOGUE: Mapping[MapKind, tuple[HexTerrain, ...]] = {MapKind.BATTLE: OF_BATTLE, MapKind.CAMPAIGN: OF_TRAVEL}
BY_LETTER: Mapping[MapKind, Mapping[str, HexTerrain]] = {
    kind: {terrain.letter: terrain for terrain in terrains} for kind, terrains in CATALOGUE.items()
}
BY_SLUG: Mapping[MapKind, Mapping[str, HexTerrain]] = {
    kind: {terrain.slug: terrain for terrain in terrains} for kind, terrains in CATALOGUE.items()
}

OF_A_WHILE = (
    HexTerrain("fire", "", _("Fire"), IMPASSABLE),
    HexTerrain("mire", "", _("Mire"), DIFFICULT),
    HexTerrain("barrier", "", _("Barrier"), IMPASSABLE),
)
"""Terrain that only ever lies over a map (HX-2.4). What stands there stays: a burning wood is as tall as before. It
never makes the way easier: a mire over a lake is a lake.
"""
LAID: Mapping[str, HexTerrain] = {terrain.slug: terrain for terrain in (*OF_BATTLE, *OF_A_WHILE)}
"""All that can be laid over a field of battle."""


def plainest(kind: MapKind) -> HexTerrain:
    """What a new map is made of: open ground, plains."""
    return CATALOGUE[kind][0]


# Choices for a generated map (HX-8.1).


KINDS: Mapping[MapKind, Mapping[str, Term]] = {
    MapKind.BATTLE: {
        "plain": _("Plains"), "mixed": _("Mixed"), "rough": _("Rough"), "wooded": _("Wooded"), "hilly": _("Hilly"),
        "marshy": _("Marshy"),
    },
    MapKind.CAMPAIGN: {
        "heartland": _("Heartland"), "highlands": _("Highlands"), "woodland": _("Woodland"), "coast": _("Coast"),
        "islands": _("Islands"), "dry": _("Dry country"), "cold": _("Cold country"),
    },
}  # fmt: skip
SEED_MOST = 60


@dataclass(frozen=True, slots=True)
class MapChoices:
    """`seed`: the same one makes the same map. `symmetric` and the one river are a battlefield's, `roads` a land's.

    Raises `InvalidInput` for a kind there is not.
    """

    of: MapKind
    columns: int
    rows: int
    kind: str
    seed: str
    river: bool = False
    roads: bool = False
    symmetric: bool = True

    def __post_init__(self) -> None:
        kinds = KINDS[self.of]
        demand(self.kind in kinds, _("Choose one of: {choices}."), field="/kind", choices=", ".join(kinds))
        told = _("Give a text of {least} to {most} characters.")
        demand(0 < len(self.seed) <= SEED_MOST, told, field="/seed", least=1, most=SEED_MOST)
