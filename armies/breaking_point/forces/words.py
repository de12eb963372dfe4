"""Words for units, weapons and machines on pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.breaking_point.figures import is_heavy
from rules.breaking_point.spec import IN_SHORT, Machine, Unit, Weapon
from rules.breaking_point.starter import quality_of
from rules.core.text import NO_WORDS, Said, Term, _, in_percent, minus, say, signed

STRENGTH, POWER, FIRE_POWER, FORCE = _("Strength"), _("Attack power"), _("Fire power"), _("Force")
COMBAT, DEFENSE, BREAKING, MOBILITY = _("Combat"), _("Defense"), _("Breaking point, %"), _("Mobility")
WEAPONS, ARMOUR, TOUGHNESS, MACHINE = _("Weapons"), _("Armor"), _("Toughness"), _("Machine")
PIECES, WOUNDED, EXPERIENCE = _("Pieces"), _("Wounded"), _("Experience")
NONE, NEVER = Term("–"), _("never")


def format_number(value: int) -> Said:
    return Term(minus(value))


def percent(value: int | None) -> Said:
    """A breaking point in percent, or "never"."""
    return NEVER if value is None else in_percent(value)


def breaking(value: int | None, losses: int | None) -> Said:
    """A breaking point in percent and in losses, or "never"."""
    return NEVER if value is None else say(_("{percent}% ({losses})"), percent=value, losses=losses)


def name_quality(combat: int) -> Said:
    """The rules' name for this combat (BP-2.5)."""
    return quality_of(combat).name


def describe_unit(unit: Unit) -> Said:
    """Kind, quality and weight of a unit."""
    kind = unit.machine.name if unit.machine is not None else unit.type.name
    weight = _("heavy") if is_heavy(unit) else _("light")
    if unit.machine is not None:
        return say(_("{kind}, {quality}"), kind=kind, quality=name_quality(unit.combat))
    return say(_("{kind}, {quality}, {weight}"), kind=kind, quality=name_quality(unit.combat), weight=weight)


def weapons(borne: Iterable[Weapon]) -> Said:
    found = [weapon(one) for one in borne]
    return say(Term("{weapons}"), weapons=found) if found else NONE


def weapon(one: Weapon) -> Said:
    """A weapon with its figures: musket (12, rate 1/4, medium)."""
    name: Said = Term(one.name) if one.number == 1 else say(_("{count} × {thing}"), count=one.number, thing=one.name)
    return say(Term("{name} ({figures})"), name=name, figures=_figures(one))


def _figures(one: Weapon) -> list[Said]:
    marks: list[tuple[Said, object]] = [
        (say(_("rate {rate}"), rate=str(one.rate)), one.rate),
        (IN_SHORT.get(one.range, NO_WORDS), one.range),
        (say(_("area {area}"), area=one.area), one.area > 1),
        (say(_("accuracy {accuracy}"), accuracy=signed(one.accuracy)), one.accuracy),
        (_("bursts"), one.bursts),
        (_("thrown"), one.thrown),
        (_("secondary"), one.secondary),
        (_("siege piece"), one.siege),
    ]
    return [format_number(one.damage), *(mark for mark, there in marks if there)]


def armour(unit: Unit) -> Said:
    if unit.shield:
        return say(_("{armour}, with shields"), armour=unit.armour)
    return format_number(unit.armour)


def machine(one: Machine) -> Said:
    """A machine with its modifiers; those it lacks are left out."""
    given = (
        (_("control {modifier}"), one.control),
        (_("attack {modifier}"), one.attack),
        (_("defense {modifier}"), one.defense),
    )
    told = [say(words, modifier=signed(modifier)) for words, modifier in given if modifier is not None]
    return say(Term("{name} ({figures})"), name=one.name, figures=told) if told else Term(one.name)


COLUMN_WORDS: Mapping[str, tuple[str, ...]] = {
    "strength": ("count", "number", "heads", "effectif", "effectifs", "nombre"),
    "weapons": ("weapon", "arms", "arme", "armes", "armement"),
    "armour": ("armor", "armure", "protection"),
    "shield": ("shields", "bouclier", "boucliers"),
    "combat": ("combat potential", "potentiel de combat", "valeur de combat"),
    "toughness": ("robustesse", "endurance"),
}
"""Other headings of the columns of its tables, in English and French, folded (`armies.tables.headings`)."""
