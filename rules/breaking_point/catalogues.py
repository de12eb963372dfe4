"""Catalogues of this law: what a reader can look up, kind by kind, with the figures of each item in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rules.breaking_point.arms import Tables
from rules.breaking_point.figures import contact_power, fire_power, unit_breaking, unit_force
from rules.breaking_point.ground import GROUNDS, WEATHER
from rules.breaking_point.rulings import RULES, RULINGS, STATES
from rules.breaking_point.spec import FORTIFICATIONS, RANGE_NAMES, Machine, TroopType, Weapon
from rules.breaking_point.starter import QUALITIES, STARTERS, Armour, Quality, Starter
from rules.core.content import Item
from rules.core.text import Said, Term, _, say, signed
from rules.law import Catalogue

# Sentences for everything a reader can look up: weapons, armours, machines, types, units, places, states.

WEAPONS: Mapping[str, Term] = {
    "sword": _("The common blade of foot and horse."),
    "gladius": _("A short blade for close ranks, mostly after a volley of javelins."),
    "spear": _("A long thrusting weapon for men in line."),
    "pike": _("So long that several ranks strike at once."),
    "axe": _("Heavy blows; sappers bear one too."),
    "two-handed-blade": _("Swung with both hands by men who bear no shield."),
    "tools": _("Whatever a rising finds in its barns."),
    "bayonet": _("Fixed to a musket or rifle for the last yards."),
    "claws": _("What beasts, monsters and elephants fight with."),
    "pilum": _("Thrown before the shock: half its damage is added to the blade’s."),
    "javelin": _("Thrown before the shock; alone it is halved."),
    "lance": _("Couched by riders for a charge."),
    "energy-blade": _("A blade of the far future that cuts armour."),
    "sling": _("Stones hurled by light foot; its range halves its power."),
    "short-bow": _("The bow of riders; its range halves its power."),
    "longbow": _("One arrow every other round, far."),
    "crossbow": _("Slow to span, hard to withstand."),
    "catapult": _("A siege piece: it cannot fight at contact."),
    "musket": _("A firearm that speaks once in four rounds; its range halves its power."),
    "rifle": _("Every soldier shoots, far and well."),
    "assault-rifle": _("Bursts at medium range."),
    "mg-42": _("Bursts, four times a round, far."),
    "heavy-machine-gun": _("Bursts of heavy rounds, from vehicles and aircraft."),
    "rocket-launcher": _("For short range, against armour."),
    "laser-rifle": _("Twice a round, far and very exact."),
    "8-pounder": _("A field gun with four men: a siege piece that cannot fight at contact."),
    "howitzer": _("Shells over the horizon: a siege piece that cannot fight at contact."),
    "tank-gun": _("One shell a round, able to pierce armour."),
    "naval-gun": _("A ship’s great gun, as far as eyes can see."),
    "torpedo": _("Few on board and slow to reload: secondary."),
    "bomb": _("Dropped from near: short range, secondary; useless against aircraft."),
    "magnetic-cannon": _("Bursts of metal at great speed, for robots and spacecraft."),
    "heavy-missile": _("Devastating and few: secondary."),
}

ARMOURS: Mapping[str, Term] = {
    "leather": _("The lightest there is."),
    "helmet": _("Adds a point to what is worn besides."),
    "padded": _("Layers of cloth."),
    "scale": _("Plates sewn like a fish’s scales: heavy when worn whole."),
    "mail": _("Rings of iron: heavy when worn whole."),
    "cuirass": _("As it counts, with the helmet: heavy."),
    "plate": _("A knight’s whole harness: heavy."),
    "flak-vest": _("Stops splinters."),
    "combat-armour": _("A soldier of the future: heavy."),
    "powered-armour": _("It carries its bearer, not he it: heavy."),
    "shield": _("Makes its bearers heavy, whatever armour they wear."),
}

MACHINES: Mapping[str, Term] = {
    "heavy-tank": _("Thick armour and one great gun."),
    "tiger": _("Hard to kill, slow to steer, easy to hit."),
    "medium-tank": _("Faster than the heavy one, and half as hard."),
    "armoured-car": _("Scouts on wheels with a machine gun."),
    "battle-robot": _("Walks, aims and shoots by itself."),
    "hellcat": _("A fighter with six machine guns; bombs against ground and ships."),
    "dive-bomber": _("Two bombs and a machine gun."),
    "destroyer": _("Torpedoes and light guns, quick to turn."),
    "cruiser": _("Six naval guns."),
    "battleship": _("Nine naval guns behind the thickest armour afloat."),
    "interceptor": _("Two magnetic cannons and a heavy missile, quicker than anything else."),
    "frigate": _("The smallest warship of a fleet in space."),
    "star-cruiser": _("Forty magnetic cannons and eight heavy missiles."),
    "assault-shuttle": _("Brings troops down and shoots its way."),
}

TYPES: Mapping[str, Term] = {
    "infantry": _("Men on foot, of any age."),
    "archers": _("Men who shoot from behind the line: bows, crossbows, slings."),
    "artillery": _("Crews of pieces: they always shoot, and their pieces make the power."),
    "cavalry": _("Power × 2 where it can charge; elsewhere it fights as foot."),
    "chariots": _("Power × 3 where they can charge, which rough ground forbids."),
    "elephants": _("Power × 20 where they can charge."),
    "berserkers": _("Power × 2 on any ground."),
    "dwarves": _("Foot that takes more before it falls."),
    "orcs": _("Foot a little tougher than men."),
    "trolls": _("Power × 3 on any ground."),
    "zombies": _("They never break and need no food."),
    "dinosaurs": _("Power × 25 on any ground, or more."),
    "dragons": _("They fly; power × 50 on any ground, or more."),
    "machines": _("Crews of vehicles, ships and aircraft: toughness and armour are the machine’s."),
}

UNITS: Mapping[str, Term] = {
    "legionaries": _("Rome’s foot: javelins first, then the blade."),
    "hoplites": _("The best heavy foot of the ancient world."),
    "velites": _("Light foot that throws and runs."),
    "slingers": _("Light foot that shoots."),
    "horse-archers": _("Riders who shoot, or charge."),
    "light-horse": _("Quick riders with javelin and sword."),
    "war-elephants": _("One of them is worth a company, where it can charge."),
    "war-chariots": _("Terrible on a plain, foot elsewhere."),
    "knights": _("Veterans in plate, on the heaviest horses."),
    "feudal-horse": _("A lord’s riders."),
    "men-at-arms": _("A lord’s regular foot."),
    "lancers": _("Veterans with long spears and cuirasses."),
    "longbowmen": _("The archers of England."),
    "crossbowmen": _("Towns’ shooters."),
    "militia": _("Townsmen with spears."),
    "peasants": _("A rising that breaks at the first blow."),
    "pikemen": _("A hedge of pikes."),
    "sappers": _("Men of the siege: with enough of them places fall sooner."),
    "catapults": _("Five men to each."),
    "berserkers": _("Half armour, double fury."),
    "dwarves": _("Axes and mail."),
    "orcs": _("Many and rough."),
    "trolls": _("Few and big."),
    "zombies": _("They come on until none is left."),
    "dinosaurs": _("Driven at the enemy, with luck."),
    "dragons": _("An army each."),
    "musketeers": _("Volleys, then the bayonet."),
    "grenadiers": _("Veterans among musketeers."),
    "cuirassiers": _("Heavy horse of the age of powder."),
    "field-guns": _("Four men to each gun."),
    "riflemen": _("Regulars of the last two centuries."),
    "conscripts": _("The same arms, and no training."),
    "commandos": _("The best there are, for near work."),
    "machine-guns": _("Two men to each gun."),
    "anti-tank-team": _("Two men to each launcher."),
    "howitzers": _("Five men to each gun."),
    "exo-commandos": _("The best there are, in powered armour."),
    "colonial-troops": _("Regulars of a world far away."),
    "war-robots": _("They neither break nor eat."),
    "alien-swarm": _("Claws, and no fear."),
}


OWN = _("This campaign has it beside the tables of the law.")


@dataclass(frozen=True, slots=True)
class WeaponItem(Item):
    damage: int = 0
    rate: str = ""
    range: str = ""
    area: int = 1
    accuracy: int = 0
    bursts: bool = False
    thrown: bool = False
    secondary: bool = False
    firearm: bool = False
    siege: bool = False


@dataclass(frozen=True, slots=True)
class ArmourItem(Item):
    full: int = 0
    worn: int = 0


@dataclass(frozen=True, slots=True)
class MachineItem(Item):
    toughness: int = 0
    armour: int = 0
    mobility: int = 0
    control: int | None = None
    attack: int | None = None
    defense: int | None = None
    weapons: tuple[Weapon, ...] = ()


@dataclass(frozen=True, slots=True)
class TypeItem(Item):
    toughness: int = 0
    charge: int = 1
    anywhere: bool = False
    flies: bool = False
    never: bool = False


@dataclass(frozen=True, slots=True)
class UnitItem(Item):
    """`power`, `fire_power`, `force`: of one head, as text where they are no whole numbers."""

    type: str = ""
    group: str = ""
    combat: int = 0
    armour: int = 0
    weapons: tuple[str, ...] = ()
    crew: int = 0
    power: str = ""
    fire_power: str = ""
    force: str = ""
    breaking_point: int | None = None


@dataclass(frozen=True, slots=True)
class PlaceItem(Item):
    garrison_from: int = 0
    garrison_to: int | None = None
    factor: int = 1
    defense: int = 0


FIGURES = (
    "damage", "rate", "range", "area", "accuracy", "bursts", "thrown", "secondary", "firearm", "siege", "full", "worn",
    "toughness", "armour", "mobility", "control", "attack", "defense", "charge", "anywhere", "flies", "never", "type",
    "group", "combat", "crew", "power", "fire_power", "force", "breaking_point", "garrison_from", "garrison_to",
    "factor", "cover", "command", "aim",
)  # fmt: skip


def catalogues_of(tables: Tables) -> dict[str, Catalogue]:
    """Everything, with the figures of a campaign's tables."""
    found: dict[str, tuple[Term, Mapping[str, Item]]] = {
        "weapons": (_("Weapons"), {slug: _weapon(weapon) for slug, weapon in tables.weapons.items()}),
        "armours": (_("Armour"), {slug: _armour(armour) for slug, armour in tables.armours.items()}),
        "machines": (_("Machines"), {slug: _machine(machine) for slug, machine in tables.machines.items()}),
        "unit_types": (_("Types of troops"), {slug: _type(kind) for slug, kind in tables.types.items()}),
        "units": (_("Units to begin with"), {slug: _unit(starter) for slug, starter in STARTERS.items()}),
        "qualities": (_("Quality of troops"), {quality.slug: _quality(quality) for quality in QUALITIES}),
        "places": (_("Fortified places"), {slug: _place(slug) for slug in FORTIFICATIONS}),
        "ground": (_("Ground"), GROUNDS),
        "weather": (_("Weather"), WEATHER),
        "marks": (_("States of bodies in battle"), STATES),
        "rules": (_("Rules"), {**RULES, **RULINGS}),
    }
    return {kind: Catalogue(label, items, _facts, FIGURES, _members) for kind, (label, items) in found.items()}


# items


def _weapon(weapon: Weapon) -> WeaponItem:
    return WeaponItem(
        weapon.slug, Term(weapon.name), "BP-2.3" if weapon.shoots else "BP-2.2",
        WEAPONS.get(weapon.slug, OWN), weapon.damage, str(weapon.rate or ""), weapon.range,
        weapon.area, weapon.accuracy, weapon.bursts, weapon.thrown, weapon.secondary, weapon.firearm, weapon.siege,
    )  # fmt: skip


def _armour(armour: Armour) -> ArmourItem:
    told = ARMOURS.get(armour.slug, OWN)
    return ArmourItem(armour.slug, armour.name, "B-12", told, armour.full, armour.worn)


def _machine(machine: Machine) -> MachineItem:
    return MachineItem(
        machine.slug, Term(machine.name), "BP-9", MACHINES.get(machine.slug, OWN), machine.toughness,
        machine.armour, machine.mobility, machine.control, machine.attack, machine.defense, machine.weapons,
    )  # fmt: skip


def _type(kind: TroopType) -> TypeItem:
    return TypeItem(
        kind.slug, Term(kind.name), "BP-2.4", TYPES.get(kind.slug, OWN), kind.toughness,
        kind.charge, kind.anywhere, kind.flies, kind.never,
    )  # fmt: skip


def _unit(starter: Starter) -> UnitItem:
    unit = starter.unit(starter.crew or 1)
    power, fire = contact_power(unit) / unit.strength, fire_power(unit) / unit.strength
    return UnitItem(
        starter.slug, starter.name, "BP-2.1", UNITS[starter.slug], starter.type, starter.group,
        starter.combat, starter.armour, starter.arms, starter.crew, _decimal(power), _decimal(fire),
        _decimal(unit_force(unit) / unit.strength), unit_breaking(unit),
    )  # fmt: skip


def _decimal(figure: Any) -> str:
    return f"{float(figure):g}"


def _quality(quality: Quality) -> Item:
    if quality.least is None:
        told: Said = _("Combat 0 or less.")
    else:
        told = say(_("Combat {least} and more."), least=quality.least)
    return Item(quality.slug, quality.name, "BP-2.5", told)  # type: ignore[arg-type]  # as text it stays English


def _place(slug: str) -> PlaceItem:
    kind = FORTIFICATIONS[slug]
    return PlaceItem(slug, Term(kind.name), "BP-8", PLACES[slug], kind.least, kind.most, kind.factor, kind.defense)


PLACES: Mapping[str, Term] = {
    "entrenchment": _("Trenches and sandbags: cover against shots, and nothing against a shock."),
    "fort": _("Walls of wood, stone or concrete on which an ill prepared assault breaks."),
    "fortress": _("Mighty walls and many men: mostly a siege takes it."),
}


# in words


def _facts(item: Any) -> Iterator[Said]:
    match item:
        case WeaponItem():
            yield from _of_weapon(item)
        case ArmourItem():
            yield say(_("{full} whole, {worn} as ancient and medieval units wear it"), full=item.full, worn=item.worn)
        case MachineItem():
            yield say(_("toughness {toughness}, armour {armour}"), toughness=item.toughness, armour=item.armour)
            yield say(_("mobility {mobility}"), mobility=item.mobility)
            yield from (say(_("{count} × {weapon}"), count=arm.number, weapon=arm.name) for arm in item.weapons)
        case TypeItem(toughness=toughness) if toughness:
            yield say(_("toughness {toughness}"), toughness=toughness)
            yield say(_("power × {factor}"), factor=item.charge)
        case UnitItem():
            yield from _of_unit(item)
        case PlaceItem():
            yield from _of_place(item)


def _of_weapon(item: WeaponItem) -> Iterator[Said]:
    yield say(_("damage {damage}"), damage=item.damage)
    if item.rate:
        yield say(_("rate {rate}"), rate=item.rate)
        yield RANGE_NAMES[item.range]
    if item.area > 1:
        yield say(_("area {area}"), area=item.area)
    if item.accuracy:
        yield say(_("accuracy {accuracy}"), accuracy=signed(item.accuracy))
    marks = {
        _("bursts"): item.bursts, _("thrown"): item.thrown, _("secondary"): item.secondary,
        _("firearm"): item.firearm, _("siege piece"): item.siege,
    }  # fmt: skip
    yield from (mark for mark, holds in marks.items() if holds)


def _of_unit(item: UnitItem) -> Iterator[Said]:
    yield say(_("combat {combat}"), combat=item.combat)
    yield say(
        _("a head: power {power}, fire power {fire}, force {force}"), power=item.power, fire=item.fire_power,
        force=item.force,
    )  # fmt: skip
    if item.breaking_point is None:
        yield _("never breaks")
    else:
        yield say(_("breaks at {percent} %"), percent=item.breaking_point)
    if item.crew:
        yield say(_("{crew} men a piece"), crew=item.crew)


def _of_place(item: PlaceItem) -> Iterator[Said]:
    if item.garrison_to is None:
        yield say(_("garrison from {least}"), least=item.garrison_from)
    else:
        yield say(_("garrison {least} to {most}"), least=item.garrison_from, most=item.garrison_to)
    yield say(_("force × {factor}"), factor=item.factor)
    yield say(_("defense {defense}"), defense=signed(item.defense))


def _members(item: Any) -> dict[str, Any]:
    """What the API answers of an item beside its figures."""
    match item:
        case MachineItem(weapons=weapons):
            told = ("slug", "number", "secondary")
            return {"weapons": [{name: getattr(arm, name) for name in told} for arm in weapons]}
        case UnitItem(weapons=slugs):
            return {"weapons": list(slugs)}
    return {}
