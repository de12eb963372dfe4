"""The starter tables of the rulings, copied by hand: what a head of each is worth is the check of the figures."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

SHORT, MEDIUM, LONG, VERY_LONG = "short", "medium", "long", "very-long"
RANKS = (SHORT, MEDIUM, LONG, VERY_LONG)
HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


class Arm(NamedTuple):
    """A weapon. `rate` None: of contact."""

    damage: int
    rate: Fraction | None = None
    reach: str = ""
    area: int = 1
    bursts: bool = False
    firearm: bool = False
    siege: bool = False
    secondary: bool = False
    thrown: bool = False
    accuracy: int = 0
    munitions: tuple[int, ...] = ()


def gun(damage: int, rate: int | Fraction, reach: str, **more: object) -> Arm:
    return Arm(damage, Fraction(rate), reach, **more)  # type: ignore[arg-type]


ARMS = {
    "sword": Arm(4),
    "gladius": Arm(3),
    "spear": Arm(5),
    "pike": Arm(5),
    "axe": Arm(5),
    "two-handed-blade": Arm(6),
    "tools": Arm(2),
    "bayonet": Arm(3),
    "claws": Arm(6),
    "pilum": Arm(3, thrown=True),
    "javelin": Arm(2, thrown=True),
    "sling": gun(3, 1, MEDIUM),
    "short-bow": gun(3, HALF, MEDIUM),
    "longbow": gun(4, HALF, LONG),
    "crossbow": gun(6, QUARTER, LONG),
    "catapult": gun(50, QUARTER, LONG, siege=True),
    "musket": gun(12, QUARTER, MEDIUM, firearm=True),
    "rifle": gun(8, 1, LONG, firearm=True, accuracy=1),
    "assault-rifle": gun(6, 3, MEDIUM, bursts=True, firearm=True),
    "mg-42": gun(5, 4, LONG, bursts=True, firearm=True),
    "heavy-machine-gun": gun(8, 3, LONG, bursts=True, firearm=True),
    "8-pounder": gun(80, QUARTER, LONG, siege=True),
    "howitzer": gun(60, HALF, VERY_LONG, area=2, siege=True),
    "rocket-launcher": gun(150, QUARTER, SHORT, firearm=True),
    "tank-gun": gun(200, 1, LONG),
    "naval-gun": gun(800, HALF, VERY_LONG),
    "torpedo": gun(900, QUARTER, LONG, secondary=True),
    "bomb": gun(250, 1, SHORT, secondary=True),
    "laser-rifle": gun(12, 2, LONG, firearm=True, accuracy=2),
    "energy-blade": Arm(10),
    "magnetic-cannon": gun(50, 4, LONG, bursts=True),
    "heavy-missile": gun(1500, 1, VERY_LONG, secondary=True),
    "lance": Arm(5),
}


class Kind(NamedTuple):
    """What troops are: toughness, multiplier, whether it counts everywhere, whether they ride, on what."""

    toughness: int
    times: int = 1
    anywhere: bool = False
    mount: str = ""  # horse, chariot or elephant
    flies: bool = False
    never: bool = False
    guns: bool = False
    starves: bool = True


KINDS = {
    "infantry": Kind(5),
    "archers": Kind(5),
    "artillery": Kind(5, guns=True),
    "cavalry": Kind(12, 2, mount="horse"),
    "chariots": Kind(15, 3, mount="chariot"),
    "elephants": Kind(100, 20, mount="elephant"),
    "berserkers": Kind(7, 2, True),
    "dwarves": Kind(7),
    "orcs": Kind(6),
    "trolls": Kind(15, 3, True),
    "zombies": Kind(10, never=True, starves=False),
    "dinosaurs": Kind(75, 25, True),
    "dragons": Kind(250, 50, True, flies=True),
    "machines": Kind(0, starves=False),
}


class Row(NamedTuple):
    """A unit of the starter list: its arms, and what the list says of a head."""

    kind: str
    group: str
    combat: int
    arms: tuple[str, ...]
    armour: int
    says: tuple[str, str, int, int | None]  # power, fire power, force, breaking point
    crew: int = 0  # heads a piece
    never: bool = False
    toughness: int = 0
    starves: bool = True


C, S = "contact", "shooting"
ROWS = {
    "legionaries": Row("infantry", C, 6, ("gladius", "pilum"), 4, ("4", "0", 9, 70)),
    "hoplites": Row("infantry", C, 10, ("spear",), 4, ("5", "0", 9, 110)),
    "velites": Row("infantry", C, 3, ("javelin",), 0, ("1", "0", 5, 40)),
    "slingers": Row("archers", S, 3, ("sling",), 0, ("0", "3/2", 5, 40)),
    "horse-archers": Row("cavalry", C, 5, ("short-bow", "sword"), 0, ("8", "3/4", 12, 60)),
    "light-horse": Row("cavalry", C, 4, ("javelin", "sword"), 1, ("10", "0", 13, 50)),
    "war-elephants": Row("elephants", C, 4, ("claws",), 5, ("120", "0", 105, 50)),
    "war-chariots": Row("chariots", C, 5, ("spear",), 2, ("15", "0", 17, 60)),
    "knights": Row("cavalry", C, 8, ("lance",), 5, ("10", "0", 17, 90)),
    "feudal-horse": Row("cavalry", C, 6, ("lance",), 3, ("10", "0", 15, 70)),
    "men-at-arms": Row("infantry", C, 5, ("sword",), 3, ("4", "0", 8, 60)),
    "lancers": Row("infantry", C, 8, ("spear",), 4, ("5", "0", 9, 90)),
    "longbowmen": Row("archers", S, 5, ("longbow",), 0, ("0", "2", 5, 60)),
    "crossbowmen": Row("archers", S, 4, ("crossbow",), 1, ("0", "3/2", 6, 50)),
    "militia": Row("infantry", C, 4, ("spear",), 0, ("5", "0", 5, 50)),
    "peasants": Row("infantry", C, 0, ("tools",), 0, ("2", "0", 5, 10)),
    "pikemen": Row("infantry", C, 6, ("pike",), 2, ("5", "0", 7, 70)),
    "sappers": Row("infantry", C, 4, ("axe",), 1, ("5", "0", 6, 50)),
    "catapults": Row("artillery", S, 4, ("catapult",), 0, ("0", "5/2", 5, 50), crew=5),
    "berserkers": Row("berserkers", C, 7, ("axe",), 0, ("10", "0", 7, 80)),
    "dwarves": Row("dwarves", C, 7, ("axe",), 4, ("5", "0", 11, 80)),
    "orcs": Row("orcs", C, 4, ("sword",), 2, ("4", "0", 8, 50)),
    "trolls": Row("trolls", C, 5, ("axe",), 2, ("15", "0", 17, 60)),
    "zombies": Row("zombies", C, 1, ("claws",), 0, ("6", "0", 10, None), never=True, starves=False),
    "dinosaurs": Row("dinosaurs", C, 3, ("claws",), 5, ("150", "0", 80, 40)),
    "dragons": Row("dragons", C, 10, ("claws",), 20, ("300", "0", 270, 110)),
    "musketeers": Row("infantry", C, 5, ("musket", "bayonet"), 0, ("3", "3/2", 5, 60)),
    "grenadiers": Row("infantry", C, 8, ("musket", "bayonet"), 0, ("3", "3/2", 5, 90)),
    "cuirassiers": Row("cavalry", C, 7, ("sword",), 4, ("8", "0", 16, 80)),
    "field-guns": Row("artillery", S, 6, ("8-pounder",), 1, ("0", "5", 6, 70), crew=4),
    "riflemen": Row("infantry", C, 5, ("rifle", "bayonet"), 1, ("3", "8", 6, 60)),
    "conscripts": Row("infantry", C, 2, ("rifle", "bayonet"), 1, ("3", "8", 6, 30)),
    "commandos": Row("infantry", C, 10, ("assault-rifle",), 2, ("0", "18", 7, 110)),
    "machine-guns": Row("infantry", C, 5, ("mg-42",), 1, ("0", "20", 6, 60), crew=2),
    "anti-tank": Row("infantry", C, 6, ("rocket-launcher",), 1, ("0", "75/8", 6, 70), crew=2),
    "howitzers": Row("artillery", S, 5, ("howitzer",), 1, ("0", "12", 6, 60), crew=5),
    "exo-commandos": Row("infantry", C, 10, ("laser-rifle", "energy-blade"), 20, ("10", "24", 25, 110)),
    "colonial-troops": Row("infantry", C, 5, ("laser-rifle",), 6, ("0", "24", 11, 60)),
    "war-robots": Row("infantry", C, 6, ("laser-rifle",), 10, ("0", "24", 25, None), never=True, toughness=15,
                      starves=False),
    "alien-swarm": Row("infantry", C, 3, ("claws",), 2, ("6", "0", 8, None), never=True, toughness=6),
}  # fmt: skip


class Engine(NamedTuple):
    """A machine: what it can take, its modifiers (None: not given), its mobility, how many of which arms."""

    toughness: int
    armour: int
    control: int | None
    attack: int | None
    defense: int | None
    mobility: int
    arms: tuple[tuple[int, str], ...]
    secondary: tuple[str, ...] = ()
    media: tuple[str, ...] = ()


ENGINES = {
    "heavy-tank": Engine(350, 150, 0, 0, 0, 3, ((1, "tank-gun"), (1, "mg-42")), ("mg-42",), ("land",)),
    "tiger-ii": Engine(350, 150, -2, None, -5, 2, ((1, "tank-gun"), (1, "mg-42")), ("mg-42",), ("land",)),
    "medium-tank": Engine(200, 80, 0, 0, 1, 4, ((1, "tank-gun"),), (), ("land",)),
    "armoured-car": Engine(60, 15, 1, 0, 2, 5, ((1, "heavy-machine-gun"),), (), ("land",)),
    "battle-robot": Engine(80, 40, 0, 1, 0, 3, ((1, "magnetic-cannon"),), (), ("land",)),
    "hellcat": Engine(60, 5, 1, 0, 3, 8, ((6, "heavy-machine-gun"), (2, "bomb")), (), ("air",)),
    "dive-bomber": Engine(80, 5, 0, 1, 0, 7, ((2, "bomb"), (1, "heavy-machine-gun")), ("heavy-machine-gun",),
                          ("air", "sea", "land")),
    "destroyer": Engine(3000, 60, 1, 0, 2, 5, ((4, "torpedo"), (2, "tank-gun")), (), ("sea",)),
    "cruiser": Engine(8000, 200, 0, 0, 0, 4, ((6, "naval-gun"),), (), ("sea",)),
    "battleship": Engine(20000, 400, -1, 1, -3, 3, ((9, "naval-gun"),), (), ("sea",)),
    "interceptor": Engine(200, 50, 2, 0, 3, 9, ((2, "magnetic-cannon"), (1, "heavy-missile")), (), ("space", "air")),
    "frigate": Engine(4000, 90, 0, 0, 0, 6, ((12, "magnetic-cannon"), (2, "heavy-missile")), (), ("space",)),
    "star-cruiser": Engine(15000, 100, -1, 1, -3, 4, ((40, "magnetic-cannon"), (8, "heavy-missile")), (), ("space",)),
    "assault-shuttle": Engine(400, 60, 0, 0, 1, 7, ((2, "magnetic-cannon"),), (), ("space",)),
}  # fmt: skip


class Wall(NamedTuple):
    """A kind of place: least and most of its garrison, force factor, bonus, and whether against shots only."""

    least: int
    most: int | None
    factor: int
    bonus: int
    shots_only: bool = False


WALLS = {
    "entrenchment": Wall(5, 50, 1, 5, True),
    "bunker": Wall(50, 500, 2, 5),
    "fortress": Wall(500, None, 3, 10),
}
