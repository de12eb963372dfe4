"""Starter tables: troop types, weapons, armours, machines and units, with figures of one head."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from rules.breaking_point.figures import ARTILLERY
from rules.breaking_point.spec import (
    CONTACT,
    LONG,
    MEDIUM,
    SHOOTING,
    SHORT,
    VERY_LONG,
    Group,
    Machine,
    TroopType,
    Unit,
    Weapon,
)
from rules.core.text import Term, _

EACH, HALF, QUARTER = Fraction(1), Fraction(1, 2), Fraction(1, 4)
MACHINES = "machines"

# Troop types (BP-2.2, BP-2.4).

_TYPES = (
    TroopType("infantry", _("infantry"), 5),
    TroopType("archers", _("archers"), 5),
    TroopType(ARTILLERY, _("artillery"), 5),
    TroopType("cavalry", _("cavalry"), 12, charge=2, mounted=True),
    TroopType("chariots", _("war chariots"), 15, charge=3, mounted=True, chariots=True),
    TroopType("elephants", _("war elephants"), 100, charge=20, mounted=True, beasts=True),
    TroopType("berserkers", _("berserkers"), 7, charge=2, anywhere=True),
    TroopType("dwarves", _("dwarves"), 7),
    TroopType("orcs", _("orcs"), 6),
    TroopType("trolls", _("trolls"), 15, charge=3, anywhere=True),
    TroopType("zombies", _("zombies"), 10, never=True, starves=False),
    TroopType("dinosaurs", _("dinosaurs"), 75, charge=25, anywhere=True),
    TroopType("dragons", _("dragons"), 250, charge=50, anywhere=True, flies=True),
    TroopType(MACHINES, _("machines"), 0, starves=False),
)
TROOP_TYPES: Mapping[str, TroopType] = {kind.slug: kind for kind in _TYPES}

# Weapons (BP-2.2, BP-2.3).

_BLADES = (
    Weapon("sword", _("sword"), 4),
    Weapon("gladius", _("gladius"), 3),
    Weapon("spear", _("spear"), 5),
    Weapon("pike", _("pike"), 5),
    Weapon("axe", _("axe"), 5),
    Weapon("two-handed-blade", _("two-handed blade"), 6),
    Weapon("tools", _("tools and clubs"), 2),
    Weapon("bayonet", _("bayonet"), 3),
    Weapon("claws", _("claws and tusks"), 6),
    Weapon("pilum", _("pilum"), 3, thrown=True),
    Weapon("javelin", _("javelin"), 2, thrown=True),
    Weapon("lance", _("lance"), 5),
    Weapon("energy-blade", _("energy blade"), 10),
)
_BOWS = (
    Weapon("sling", _("sling"), 3, EACH, MEDIUM),
    Weapon("short-bow", _("short bow"), 3, HALF, MEDIUM),
    Weapon("longbow", _("longbow"), 4, HALF, LONG),
    Weapon("crossbow", _("crossbow"), 6, QUARTER, LONG),
    Weapon("catapult", _("catapult"), 50, QUARTER, LONG, siege=True),
)
_FIREARMS = (
    Weapon("musket", _("musket"), 12, QUARTER, MEDIUM, firearm=True),
    Weapon("rifle", _("rifle"), 8, EACH, LONG, firearm=True, accuracy=1),
    Weapon("assault-rifle", _("assault rifle"), 6, Fraction(3), MEDIUM, bursts=True, firearm=True),
    Weapon("mg-42", _("MG-42"), 5, Fraction(4), LONG, bursts=True, firearm=True),
    Weapon("heavy-machine-gun", _(".50 machine gun"), 8, Fraction(3), LONG, bursts=True, firearm=True),
    Weapon("rocket-launcher", _("rocket launcher"), 150, QUARTER, SHORT, firearm=True),
    Weapon("laser-rifle", _("laser rifle"), 12, Fraction(2), LONG, firearm=True, accuracy=2),
)
_GUNS = (
    Weapon("8-pounder", _("8-pounder"), 80, QUARTER, LONG, siege=True),
    Weapon("howitzer", _("howitzer"), 60, HALF, VERY_LONG, area=2, siege=True),
    Weapon("tank-gun", _("tank gun"), 200, EACH, LONG),
    Weapon("naval-gun", _("naval gun"), 800, HALF, VERY_LONG),
    Weapon("torpedo", _("torpedo"), 900, QUARTER, LONG, secondary=True),
    Weapon("bomb", _("1000-lb bomb"), 250, EACH, SHORT, secondary=True),
    Weapon("magnetic-cannon", _("magnetic cannon"), 50, Fraction(4), LONG, bursts=True),
    Weapon("heavy-missile", _("heavy missile"), 1500, EACH, VERY_LONG, secondary=True),
)
WEAPONS: Mapping[str, Weapon] = {weapon.slug: weapon for weapon in (*_BLADES, *_BOWS, *_FIREARMS, *_GUNS)}

# Armours (BP-2.4, B-12).


class Armour(NamedTuple):
    """Armour. `full` is the whole armour, `worn` what ancient and medieval units count. `adds`: added to other armour,
    as a helmet is. `heavy`: its bearers are heavy regardless of its value (BP-2.6).
    """

    slug: str
    name: Term
    full: int
    worn: int
    adds: bool = False
    heavy: bool = False


_ARMOURS = (
    Armour("leather", _("leather"), 1, 1),
    Armour("helmet", _("helmet"), 1, 1, adds=True),
    Armour("padded", _("padded cloth"), 2, 1),
    Armour("scale", _("scale"), 4, 2),
    Armour("mail", _("mail"), 5, 2),
    Armour("cuirass", _("cuirass and helmet"), 4, 4),
    Armour("plate", _("plate"), 8, 4),
    Armour("flak-vest", _("flak vest"), 2, 2),
    Armour("combat-armour", _("combat armor"), 6, 6),
    Armour("powered-armour", _("powered armor"), 20, 20),
    Armour("shield", _("shield"), 0, 0, adds=True, heavy=True),
)
ARMOURS: Mapping[str, Armour] = {armour.slug: armour for armour in _ARMOURS}

# Machines (BP-9).


def _borne(slug: str, number: int = 1, *, secondary: bool = False) -> Weapon:
    weapon = WEAPONS[slug]
    return replace(weapon, number=number, secondary=weapon.secondary or secondary)


_MACHINES = (
    Machine("heavy-tank", _("heavy tank"), 350, 150, 3, 0, 0, 0,
            (_borne("tank-gun"), _borne("mg-42", secondary=True))),
    Machine("tiger", _("Tiger II"), 350, 150, 2, -2, None, -5, (_borne("tank-gun"), _borne("mg-42", secondary=True))),
    Machine("medium-tank", _("medium tank"), 200, 80, 4, 0, 0, 1, (_borne("tank-gun"),)),
    Machine("armoured-car", _("armored car"), 60, 15, 5, 1, 0, 2, (_borne("heavy-machine-gun"),)),
    Machine("battle-robot", _("battle robot"), 80, 40, 3, 0, 1, 0, (_borne("magnetic-cannon"),)),
    Machine("hellcat", _("Hellcat fighter"), 60, 5, 8, 1, 0, 3, (_borne("heavy-machine-gun", 6), _borne("bomb", 2))),
    Machine("dive-bomber", _("dive bomber"), 80, 5, 7, 0, 1, 0,
            (_borne("bomb", 2), _borne("heavy-machine-gun", secondary=True))),
    Machine("destroyer", _("destroyer"), 3000, 60, 5, 1, 0, 2, (_borne("torpedo", 4), _borne("tank-gun", 2))),
    Machine("cruiser", _("cruiser"), 8000, 200, 4, 0, 0, 0, (_borne("naval-gun", 6),)),
    Machine("battleship", _("battleship"), 20000, 400, 3, -1, 1, -3, (_borne("naval-gun", 9),)),
    Machine("interceptor", _("interceptor"), 200, 50, 9, 2, 0, 3,
            (_borne("magnetic-cannon", 2), _borne("heavy-missile"))),
    Machine("frigate", _("frigate"), 4000, 90, 6, 0, 0, 0,
            (_borne("magnetic-cannon", 12), _borne("heavy-missile", 2))),
    Machine("star-cruiser", _("star cruiser"), 15000, 100, 4, -1, 1, -3,
            (_borne("magnetic-cannon", 40), _borne("heavy-missile", 8))),
    Machine("assault-shuttle", _("assault shuttle"), 400, 60, 7, 0, 0, 1, (_borne("magnetic-cannon", 2),)),
)  # fmt: skip
MACHINES_BY_SLUG: Mapping[str, Machine] = {machine.slug: machine for machine in _MACHINES}

# Units.


class Starter(NamedTuple):
    """Starter unit with the figures of one head. `crew` is the number of heads that serve a piece, 0 if every head
    bears the weapons. `toughness` None is that of its type.
    """

    slug: str
    name: Term
    type: str
    group: Group
    combat: int
    arms: tuple[str, ...]
    armour: int
    crew: int = 0
    toughness: int | None = None
    never: bool = False
    starves: bool = True

    def unit(self, strength: int) -> Unit:
        """Return a unit of this many heads. Only full crews serve a piece."""
        kind = TROOP_TYPES[self.type]
        return Unit(
            self.name, kind, strength, self.combat, self.armour, self.group,
            kind.toughness if self.toughness is None else self.toughness,
            tuple(WEAPONS[slug] for slug in self.arms),
            never=self.never or kind.never, starves=self.starves and kind.starves,
            pieces=strength // self.crew if self.crew else None,
        )  # fmt: skip


C, S = CONTACT, SHOOTING
_UNITS = (
    Starter("legionaries", _("Legionaries"), "infantry", C, 6, ("gladius", "pilum"), 4),
    Starter("hoplites", _("Hoplites"), "infantry", C, 10, ("spear",), 4),
    Starter("velites", _("Velites"), "infantry", C, 3, ("javelin",), 0),
    Starter("slingers", _("Slingers"), "archers", S, 3, ("sling",), 0),
    Starter("horse-archers", _("Horse archers"), "cavalry", C, 5, ("short-bow", "sword"), 0),
    Starter("light-horse", _("Light horse"), "cavalry", C, 4, ("javelin", "sword"), 1),
    Starter("war-elephants", _("War elephants"), "elephants", C, 4, ("claws",), 5),
    Starter("war-chariots", _("War chariots"), "chariots", C, 5, ("spear",), 2),
    Starter("knights", _("Knights"), "cavalry", C, 8, ("lance",), 5),
    Starter("feudal-horse", _("Feudal horse"), "cavalry", C, 6, ("lance",), 3),
    Starter("men-at-arms", _("Men-at-arms"), "infantry", C, 5, ("sword",), 3),
    Starter("lancers", _("Lancers"), "infantry", C, 8, ("spear",), 4),
    Starter("longbowmen", _("Longbowmen"), "archers", S, 5, ("longbow",), 0),
    Starter("crossbowmen", _("Crossbowmen"), "archers", S, 4, ("crossbow",), 1),
    Starter("militia", _("Militia"), "infantry", C, 4, ("spear",), 0),
    Starter("peasants", _("Peasants"), "infantry", C, 0, ("tools",), 0),
    Starter("pikemen", _("Pikemen"), "infantry", C, 6, ("pike",), 2),
    Starter("sappers", _("Sappers"), "infantry", C, 4, ("axe",), 1),
    Starter("catapults", _("Catapults"), ARTILLERY, S, 4, ("catapult",), 0, crew=5),
    Starter("berserkers", _("Berserkers"), "berserkers", C, 7, ("axe",), 0),
    Starter("dwarves", _("Dwarves"), "dwarves", C, 7, ("axe",), 4),
    Starter("orcs", _("Orcs"), "orcs", C, 4, ("sword",), 2),
    Starter("trolls", _("Trolls"), "trolls", C, 5, ("axe",), 2),
    Starter("zombies", _("Zombies"), "zombies", C, 1, ("claws",), 0, never=True, starves=False),
    Starter("dinosaurs", _("Dinosaurs"), "dinosaurs", C, 3, ("claws",), 5),
    Starter("dragons", _("Dragons"), "dragons", C, 10, ("claws",), 20),
    Starter("musketeers", _("Musketeers"), "infantry", C, 5, ("musket", "bayonet"), 0),
    Starter("grenadiers", _("Grenadiers"), "infantry", C, 8, ("musket", "bayonet"), 0),
    Starter("cuirassiers", _("Cuirassiers"), "cavalry", C, 7, ("sword",), 4),
    Starter("field-guns", _("Field guns"), ARTILLERY, S, 6, ("8-pounder",), 1, crew=4),
    Starter("riflemen", _("Riflemen"), "infantry", C, 5, ("rifle", "bayonet"), 1),
    Starter("conscripts", _("Conscripts"), "infantry", C, 2, ("rifle", "bayonet"), 1),
    Starter("commandos", _("Commandos"), "infantry", C, 10, ("assault-rifle",), 2),
    Starter("machine-guns", _("Machine guns"), "infantry", C, 5, ("mg-42",), 1, crew=2),
    Starter("anti-tank-team", _("Anti-tank team"), "infantry", C, 6, ("rocket-launcher",), 1, crew=2),
    Starter("howitzers", _("Howitzers"), ARTILLERY, S, 5, ("howitzer",), 1, crew=5),
    Starter("exo-commandos", _("Exo-commandos"), "infantry", C, 10, ("laser-rifle", "energy-blade"), 20),
    Starter("colonial-troops", _("Colonial troops"), "infantry", C, 5, ("laser-rifle",), 6),
    Starter("war-robots", _("War robots"), "infantry", C, 6, ("laser-rifle",), 10, toughness=15, never=True,
            starves=False),
    Starter("alien-swarm", _("Alien swarm"), "infantry", C, 3, ("claws",), 2, toughness=6, never=True),
)  # fmt: skip
STARTERS: Mapping[str, Starter] = {starter.slug: starter for starter in _UNITS}

# Eras.


class Era(NamedTuple):
    """Era of starter units and machines, by their slugs."""

    name: Term
    units: tuple[str, ...]
    machines: tuple[str, ...] = ()


ERAS = (
    Era(_("Ancient"), ("legionaries", "hoplites", "velites", "slingers", "horse-archers", "light-horse",
                       "war-elephants", "war-chariots", "catapults")),
    Era(_("Medieval"), ("knights", "feudal-horse", "men-at-arms", "lancers", "longbowmen", "crossbowmen", "militia",
                        "peasants", "pikemen", "sappers")),
    Era(_("Gunpowder"), ("musketeers", "grenadiers", "cuirassiers", "field-guns")),
    Era(_("Modern"), ("riflemen", "conscripts", "commandos", "machine-guns", "anti-tank-team", "howitzers"),
        ("heavy-tank", "tiger", "medium-tank", "armoured-car", "hellcat", "dive-bomber", "destroyer", "cruiser",
         "battleship")),
    Era(_("Future"), ("exo-commandos", "colonial-troops", "war-robots", "alien-swarm"),
        ("battle-robot", "interceptor", "frigate", "star-cruiser", "assault-shuttle")),
    Era(_("Legend"), ("berserkers", "dwarves", "orcs", "trolls", "zombies", "dinosaurs", "dragons")),
)  # fmt: skip

# Qualities (BP-2.5).


class Quality(NamedTuple):
    """Quality of troops. `least` is its lowest combat, None for the lowest quality. `usual` is the combat that the word
    alone means.
    """

    slug: str
    name: Term
    least: int | None
    usual: int


QUALITIES = (
    Quality("poor", _("poor"), None, 0),
    Quality("green", _("green"), 1, 2),
    Quality("regular", _("regular"), 4, 5),
    Quality("veteran", _("veteran"), 7, 8),
    Quality("elite", _("elite"), 10, 10),
)


def quality_of(combat: int) -> Quality:
    """Return the document's word for a combat rating (BP-2.5)."""
    return next(quality for quality in reversed(QUALITIES) if quality.least is None or combat >= quality.least)
