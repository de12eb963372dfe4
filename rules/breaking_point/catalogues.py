"""Codex of this law: catalogues of items by kind, with each item's figures in words."""

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

# Sentences on weapons, armour, machines, types, units, places and states.

WEAPONS: Mapping[str, Term] = {
    "sword": _("The common blade of foot and horse soldiers."),
    "gladius": _("A short blade for close ranks, mostly after a volley of javelins."),
    "spear": _("A long thrusting weapon for troops in line."),
    "pike": _("So long that several ranks strike at once."),
    "axe": _("Deals heavy blows; sappers carry one too."),
    "two-handed-blade": _("Swung with both hands, without a shield."),
    "tools": _("Whatever rebels find in their barns."),
    "bayonet": _("Fixed to a musket or rifle for the last few yards."),
    "claws": _("The natural weapons of beasts, monsters and elephants."),
    "pilum": _("Thrown before the clash: half its damage is added to the blade’s."),
    "javelin": _("Thrown before the clash. Without another weapon, its damage is halved."),
    "lance": _("Couched by riders for a charge."),
    "energy-blade": _("A blade of the far future that cuts through armor."),
    "sling": _("Stones hurled by light infantry. Its range halves its power."),
    "short-bow": _("The bow of horse archers. Its range halves its power."),
    "longbow": _("Shoots one arrow every other round, at long range."),
    "crossbow": _("Slow to load, hard to stop."),
    "catapult": _("A siege piece: it can’t fight at contact."),
    "musket": _("A firearm that shoots once every four rounds. Its range halves its power."),
    "rifle": _("Each soldier shoots far and well."),
    "assault-rifle": _("Bursts at medium range."),
    "mg-42": _("Bursts at long range, four times a round."),
    "heavy-machine-gun": _("Bursts of heavy rounds, from vehicles and aircraft."),
    "rocket-launcher": _("Short range, against armor."),
    "laser-rifle": _("Shoots twice a round, far and very accurately."),
    "8-pounder": _("A field gun with a crew of four: a siege piece that can’t fight at contact."),
    "howitzer": _("Shells over the horizon: a siege piece that can’t fight at contact."),
    "tank-gun": _("One shell a round, able to pierce armor."),
    "naval-gun": _("A ship’s big gun that shoots as far as the eye can see."),
    "torpedo": _("Few aboard and slow to reload: counts as secondary."),
    "bomb": _("Dropped from close up: short range, secondary, useless against aircraft."),
    "magnetic-cannon": _("Bursts of metal at great speed, for robots and spacecraft."),
    "heavy-missile": _("Devastating but few: counts as secondary."),
}

ARMOURS: Mapping[str, Term] = {
    "leather": _("The lightest armor."),
    "helmet": _("Adds one point to other armor."),
    "padded": _("Layers of padded cloth."),
    "scale": _("Plates sewn like fish scales. A full suit counts as heavy."),
    "mail": _("Iron rings. A full suit counts as heavy."),
    "cuirass": _("With the helmet included, counts as heavy."),
    "plate": _("A knight’s full plate armor. Counts as heavy."),
    "flak-vest": _("Stops shrapnel."),
    "combat-armour": _("For soldiers of the future. Counts as heavy."),
    "powered-armour": _("Powered: it carries its wearer. Counts as heavy."),
    "shield": _("Makes a unit count as heavy, whatever its armor."),
}

MACHINES: Mapping[str, Term] = {
    "heavy-tank": _("Thick armor and one big gun."),
    "tiger": _("Hard to destroy, slow to steer, easy to hit."),
    "medium-tank": _("Faster than the heavy tank, half as tough."),
    "armoured-car": _("A wheeled scout with a machine gun."),
    "battle-robot": _("Walks, aims and shoots on its own."),
    "hellcat": _("A fighter with six machine guns, and bombs against ground targets and ships."),
    "dive-bomber": _("Two bombs and a machine gun."),
    "destroyer": _("Torpedoes and light guns. Turns quickly."),
    "cruiser": _("Six naval guns."),
    "battleship": _("Nine naval guns and the thickest armor afloat."),
    "interceptor": _("Two magnetic cannons and a heavy missile. Faster than anything else."),
    "frigate": _("The smallest warship of a space fleet."),
    "star-cruiser": _("Forty magnetic cannons and eight heavy missiles."),
    "assault-shuttle": _("Lands troops and covers them with its guns."),
}

TYPES: Mapping[str, Term] = {
    "infantry": _("Foot soldiers of any age."),
    "archers": _("Troops that shoot from behind the line with bows, crossbows or slings."),
    "artillery": _("Gun crews. They always shoot, and their power is that of their pieces."),
    "cavalry": _("Power × 2 where it can charge. Elsewhere it fights as infantry."),
    "chariots": _("Power × 3 where they can charge, but not on rough ground."),
    "elephants": _("Power × 20 where they can charge."),
    "berserkers": _("Power × 2 on any ground."),
    "dwarves": _("Infantry that can take more damage."),
    "orcs": _("Infantry a little tougher than humans."),
    "trolls": _("Power × 3 on any ground."),
    "zombies": _("They never break and need no food."),
    "dinosaurs": _("Power × 25 or more, on any ground."),
    "dragons": _("They fly. Power × 50 or more, on any ground."),
    "machines": _("Crews of vehicles, ships and aircraft. Their toughness and armor are those of the machine."),
}

UNITS: Mapping[str, Term] = {
    "legionaries": _("Roman infantry: javelins first, then the blade."),
    "hoplites": _("The best heavy infantry of the ancient world."),
    "velites": _("Light infantry that throws and runs."),
    "slingers": _("Light infantry that shoots."),
    "horse-archers": _("Riders who shoot or charge."),
    "light-horse": _("Fast riders with javelins and swords."),
    "war-elephants": _("A single one is worth a company where it can charge."),
    "war-chariots": _("Terrible on a plain; elsewhere they fight as infantry."),
    "knights": _("Veterans in plate armor on the heaviest horses."),
    "feudal-horse": _("A lord’s cavalry."),
    "men-at-arms": _("A lord’s regular infantry."),
    "lancers": _("Veterans with long spears and cuirasses."),
    "longbowmen": _("English archers."),
    "crossbowmen": _("Shooters of the town militias."),
    "militia": _("Townspeople with spears."),
    "peasants": _("Rebels who break at the first blow."),
    "pikemen": _("A hedge of pikes."),
    "sappers": _("Siege engineers. Enough of them shorten a siege."),
    "catapults": _("A crew of five each."),
    "berserkers": _("Half the armor, twice the fury."),
    "dwarves": _("Axes and mail armor."),
    "orcs": _("Many and rough."),
    "trolls": _("Few but big."),
    "zombies": _("They keep coming until none is left."),
    "dinosaurs": _("Driven at the enemy, with any luck."),
    "dragons": _("Each is an army of its own."),
    "musketeers": _("Volleys, then the bayonet."),
    "grenadiers": _("The veterans of the musketeers."),
    "cuirassiers": _("Heavy cavalry of the gunpowder age."),
    "field-guns": _("Four crew for each gun."),
    "riflemen": _("Regulars of the last two centuries."),
    "conscripts": _("The same weapons, without training."),
    "commandos": _("The best troops for close combat."),
    "machine-guns": _("Two crew for each gun."),
    "anti-tank-team": _("Two crew for each launcher."),
    "howitzers": _("Five crew for each gun."),
    "exo-commandos": _("The best troops, in powered armor."),
    "colonial-troops": _("Regulars from a distant world."),
    "war-robots": _("They neither break nor eat."),
    "alien-swarm": _("Claws and no fear."),
}


OWN = _("Added by this campaign.")


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
    """Starter unit. `power`, `fire_power` and `force` are those of one head, as text where they are fractions."""

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
    """Return all catalogues, with the figures of a campaign's tables."""
    found: dict[str, tuple[Term, Mapping[str, Item]]] = {
        "weapons": (_("Weapons"), {slug: _weapon(weapon) for slug, weapon in tables.weapons.items()}),
        "armours": (_("Armor"), {slug: _armour(armour) for slug, armour in tables.armours.items()}),
        "machines": (_("Machines"), {slug: _machine(machine) for slug, machine in tables.machines.items()}),
        "unit_types": (_("Types of troops"), {slug: _type(kind) for slug, kind in tables.types.items()}),
        "units": (_("Starter units"), {slug: _unit(starter) for slug, starter in STARTERS.items()}),
        "qualities": (_("Quality of troops"), {quality.slug: _quality(quality) for quality in QUALITIES}),
        "places": (_("Fortified places"), {slug: _place(slug) for slug in FORTIFICATIONS}),
        "ground": (_("Ground"), GROUNDS),
        "weather": (_("Weather"), WEATHER),
        "marks": (_("States of groups in battle"), STATES),
        "rules": (_("Rules"), {**RULES, **RULINGS}),
    }
    return {kind: Catalogue(label, items, _facts, FIGURES, _members) for kind, (label, items) in found.items()}


# Items.


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
        told = say(_("Combat {least} or more."), least=quality.least)
    return Item(quality.slug, quality.name, "BP-2.5", told)  # type: ignore[arg-type]  # as text it stays English


def _place(slug: str) -> PlaceItem:
    kind = FORTIFICATIONS[slug]
    return PlaceItem(slug, Term(kind.name), "BP-8", PLACES[slug], kind.least, kind.most, kind.factor, kind.defense)


PLACES: Mapping[str, Term] = {
    "entrenchment": _("Trenches and sandbags: cover against shots, none at contact."),
    "fort": _("Walls of wood, stone or concrete that stop an ill-prepared assault."),
    "fortress": _("Mighty walls and many defenders. It usually takes a siege."),
}


# Figures in words.


def _facts(item: Any) -> Iterator[Said]:
    match item:
        case WeaponItem():
            yield from _of_weapon(item)
        case ArmourItem():
            yield say(
                _("{full} for a full suit, {worn} as worn by ancient and medieval units"),
                full=item.full,
                worn=item.worn,
            )
        case MachineItem():
            yield say(_("toughness {toughness}, armor {armour}"), toughness=item.toughness, armour=item.armour)
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
        _("per head: power {power}, fire power {fire}, force {force}"), power=item.power, fire=item.fire_power,
        force=item.force,
    )  # fmt: skip
    if item.breaking_point is None:
        yield _("never breaks")
    else:
        yield say(_("breaks at {percent}%"), percent=item.breaking_point)
    if item.crew:
        yield say(_("{crew} crew per piece"), crew=item.crew)


def _of_place(item: PlaceItem) -> Iterator[Said]:
    if item.garrison_to is None:
        yield say(_("garrison of {least} or more"), least=item.garrison_from)
    else:
        yield say(_("garrison of {least} to {most}"), least=item.garrison_from, most=item.garrison_to)
    yield say(_("force × {factor}"), factor=item.factor)
    yield say(_("defense {defense}"), defense=signed(item.defense))


def _members(item: Any) -> dict[str, Any]:
    """Return the members of an item in the API, apart from its figures."""
    match item:
        case MachineItem(weapons=weapons):
            told = ("slug", "number", "secondary")
            return {"weapons": [{name: getattr(arm, name) for name in told} for arm in weapons]}
        case UnitItem(weapons=slugs):
            return {"weapons": list(slugs)}
    return {}
