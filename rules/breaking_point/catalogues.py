"""Catalogues of this law: what a reader can look up, kind by kind, with the figures of each item in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rules.breaking_point import sentences
from rules.breaking_point.arms import Tables
from rules.breaking_point.figures import contact_power, fire_power, unit_breaking, unit_force
from rules.breaking_point.ground import GROUNDS, WEATHER
from rules.breaking_point.places import FORTIFICATIONS
from rules.breaking_point.rulings import RULES, RULINGS, STATES
from rules.breaking_point.spec import RANGE_NAMES, Machine, TroopType, Weapon
from rules.breaking_point.starter import QUALITIES, STARTERS, Armour, Quality, Starter
from rules.core.content import Item
from rules.core.text import Said, Term, _, say, signed
from rules.law import Catalogue

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
        sentences.WEAPONS.get(weapon.slug, OWN), weapon.damage, str(weapon.rate or ""), weapon.range,
        weapon.area, weapon.accuracy, weapon.bursts, weapon.thrown, weapon.secondary, weapon.firearm, weapon.siege,
    )  # fmt: skip


def _armour(armour: Armour) -> ArmourItem:
    told = sentences.ARMOURS.get(armour.slug, OWN)
    return ArmourItem(armour.slug, armour.name, "B-12", told, armour.full, armour.worn)


def _machine(machine: Machine) -> MachineItem:
    return MachineItem(
        machine.slug, Term(machine.name), "BP-9", sentences.MACHINES.get(machine.slug, OWN), machine.toughness,
        machine.armour, machine.mobility, machine.control, machine.attack, machine.defense, machine.weapons,
    )  # fmt: skip


def _type(kind: TroopType) -> TypeItem:
    return TypeItem(
        kind.slug, Term(kind.name), "BP-2.4", sentences.TYPES.get(kind.slug, OWN), kind.toughness,
        kind.charge, kind.anywhere, kind.flies, kind.never,
    )  # fmt: skip


def _unit(starter: Starter) -> UnitItem:
    unit = starter.unit(starter.crew or 1)
    power, fire = contact_power(unit) / unit.strength, fire_power(unit) / unit.strength
    return UnitItem(
        starter.slug, starter.name, "BP-2.1", sentences.UNITS[starter.slug], starter.type, starter.group,
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
