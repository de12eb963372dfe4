"""Terrain types of battlefields and campaign maps (HX-2), the options of generated maps, and the rules that apply to
every map.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from rules.core.content import SourceMark, items_told, rules_told
from rules.core.errors import demand
from rules.core.text import Term, _

# Terrain types of battlefields and campaign maps (HX-2), and the options of generated maps.


class MapKind(StrEnum):
    """The kind of a map: battlefield or campaign map."""

    BATTLE = "battle"
    CAMPAIGN = "campaign"


class Footing(StrEnum):
    """Passability of a hex on foot. A law may change it, and decides for flyers and ships."""

    CLEAR = "clear"
    DIFFICULT = "difficult"
    INFILTRATION_ONLY = "infiltration_only"
    IMPASSABLE = "impassable"


def harder(one: Footing, other: Footing) -> Footing:
    """The less passable of the two."""
    order = tuple(Footing)
    return max(one, other, key=order.index)


CLEAR, DIFFICULT = Footing.CLEAR, Footing.DIFFICULT
INFILTRATION_ONLY, IMPASSABLE = Footing.INFILTRATION_ONLY, Footing.IMPASSABLE


@dataclass(frozen=True, slots=True)
class HexTerrain:
    """A terrain type. `letter`: in map files. `height`: of its ground. `cover`: of what stands on it (HX-5.1)."""

    slug: str
    letter: str
    name: Term
    footing: Footing = CLEAR
    height: int = 0
    cover: int = 0

    @property
    def difficult(self) -> bool:
        """On a campaign map: whether it halves an army's speed."""
        return self.footing is DIFFICULT

    @property
    def on_foot(self) -> bool:
        """Whether an army on foot can enter it."""
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
"""Temporary terrain that only lies over a map (HX-2.4). It keeps the cover below it (a burning wood is as tall as
before) and never makes movement easier: a mire over a lake is still a lake.
"""
LAID: Mapping[str, HexTerrain] = {terrain.slug: terrain for terrain in (*OF_BATTLE, *OF_A_WHILE)}
"""All terrain that can lie over a battlefield, by slug."""


def plainest(kind: MapKind) -> HexTerrain:
    """The terrain of a new map: open ground or plains."""
    return CATALOGUE[kind][0]


# Options of generated maps (HX-8.1)


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
    """The options of a generated map. The same seed gives the same map.

    `symmetric` applies to battlefields only, and a river there is a single one; `roads` applies to campaign maps.
    Raises `InvalidInput` for an unknown kind or an empty or too long seed.
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
        told = _("Enter a text of {least} to {most} characters.")
        demand(0 < len(self.seed) <= SEED_MOST, told, field="/seed", least=1, most=SEED_MOST)


# Rules and rulings that apply to every map, one sentence each, shown for rule ids that belong to no single law.

MAP_RULES = rules_told(
    ("HX-1", _("Map"),
     _(
         "Hexes are named by a column’s letters and a row’s number. The distance between two is the smallest "
         "number of steps."
     )),
    ("HX-3", _("Paths"),
     _("The cheapest path, by the cost of each hex entered.")),
    ("HX-3.1", _("Cheapest path"),
     _("The smallest sum of the costs of all hexes entered, including the last.")),
    ("HX-9.3", _("Painting under an army"),
     _(
         "An army leaves the map and its march ends if it can’t stand on the new terrain. An army whose path "
         "crosses such terrain halts where it is."
     )),
)  # fmt: skip

MAP_RULINGS = items_told(*((rule, name, SourceMark.RULING, summary) for rule, name, summary in (
    ("H-1", _("Roads and rivers"),
     _(
         "A step along a road counts as clear ground and crosses water. Crossing a river elsewhere counts as "
         "difficult ground."
     )),
    ("H-2", _("Depth of zones"), _("Three rows in wing command, two in THUCIDIDE fantasy.")),
    ("H-3", _("Symmetric maps"), _(
        "Maps with an even number of rows are rotated by half a turn; those with an odd number are mirrored. "
        "Rivers need an odd number of rows."
    )),
    ("H-4", _("Labels of hexes"), _("Pages and files name a hex by its label, such as C7.")),
    ("H-5", _("Knowledge of a side"), _("A unit can act only on what its side has seen, even when the GM moves it.")),
    ("H-6", _("Moves in the log"), _(
        "A move is shown to those who saw it at the time. Later discoveries don’t change the log."
    )),
    ("H-7", _("Names of units"), _(
        "A side knows a unit’s name once it has seen the unit. Until then, the name shown is “unseen unit”."
    )),
    ("H-8", _("Ids of units"), _("Ids don’t reveal how many units are hidden, raised or fake.")),
    ("H-9", _("Meeting a hidden enemy"),
     _(
         "A unit that meets a hidden enemy stops in front of it, and both are revealed. It continues before others "
         "act."
     )),
    ("H-10", _("Automatic paths"), _("If you choose only a destination, the unit takes the cheapest known path.")),
    ("H-11", _("Order of lists"), _("Units are listed by army, then by name.")),
)))  # fmt: skip
