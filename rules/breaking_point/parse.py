"""Parser of the API's JSON into units and generals, and back. It refuses what the law does not know (BP-2, BP-3, BP-9).

A document is kept as it was given, cleaned: what is left out follows from type, machine and arms whenever it is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.breaking_point.arms import (
    ARMOUR_MOST,
    DAMAGE_MOST,
    MOBILITY_MOST,
    TOUGHNESS_MOST,
    WEAPONS_MOST,
    Tables,
    clean_machine,
    clean_weapon,
    listed_as,
    machine_from,
    machine_to_json,
    weapon_from,
    weapon_to_json,
)
from rules.breaking_point.figures import ARTILLERY, main_contact, main_shot, of_pieces
from rules.breaking_point.reading import Fields, Json, Problems, refuse_all
from rules.breaking_point.spec import CONTACT, SHOOTING, General, Group, Unit
from rules.breaking_point.spoils import clean_spoils
from rules.breaking_point.starter import MACHINES
from rules.core.text import _
from rules.realm import SheetFigure

OWN_TABLES = Tables()

UNITS_MOST = 60
STRENGTH_MOST, PIECES_MOST, EXPERIENCE_MOST = 1_000_000, 100_000, 100_000
COMBAT_LEAST, COMBAT_MOST = -20, 30
BREAKING_LEAST, BREAKING_MOST = 10, 1_000
FLAGS = ("reserve", "never", "shield", "engineers")
OPTIONAL: Mapping[str, tuple[int, int]] = {
    "toughness": (1, TOUGHNESS_MOST),
    "mobility": (0, MOBILITY_MOST),
    "breaking": (BREAKING_LEAST, BREAKING_MOST),
    "pieces": (0, PIECES_MOST),
}
REMEMBERED: Mapping[str, int] = {"extra": DAMAGE_MOST, "wounded": STRENGTH_MOST, "experience": EXPERIENCE_MOST}
MEMBERS = ("name", "type", "strength", "combat", "armour", "group", "weapons", "machine", "starves", *FLAGS,
           *OPTIONAL, *REMEMBERED)  # fmt: skip
SHOOTERS = ("archers", ARTILLERY, MACHINES)
"""Types whose units shoot unless something else is said."""


# an army


def clean_army(document: object, tables: Tables = OWN_TABLES) -> Json:
    """An army's document as it is kept: `{"units": […]}`, and `spoils` where it has taken any.

    Raises `InvalidInput` with a pointer for every problem.
    """
    problems: Problems = []
    fields = Fields(document, "", problems, ("units", "spoils", "version"))
    units = fields.body.get("units")
    if not isinstance(units, list | tuple) or not units:
        fields.wrong("units", _("An army has at least one unit."))
    elif len(units) > UNITS_MOST:
        fields.wrong("units", _("An army has at most {most} units."), most=UNITS_MOST)
    refuse_all(problems)
    kept = [clean_unit(unit, tables, f"/units/{place}", problems) for place, unit in enumerate(units or ())]
    taken = clean_spoils(fields.body["spoils"], "/spoils", problems) if fields.has("spoils") else []
    refuse_all(problems)
    return {"units": kept, "spoils": taken} if taken else {"units": kept}


def units_of(document: Mapping[str, Any], tables: Tables = OWN_TABLES) -> tuple[Unit, ...]:
    """The units of a document. Raises `InvalidInput` where it is none."""
    return tuple(unit_from(kept, tables) for kept in clean_army(document, tables)["units"])


# a unit


def clean_unit(data: object, tables: Tables, at: str, problems: Problems) -> Json:
    """As it is kept. What is wrong with it is noted; only a unit that is well formed is judged as a whole."""
    before = len(problems)
    fields = Fields(data, at, problems, MEMBERS)
    kept = _clean_members(fields, tables)
    if len(problems) == before:
        _judge(unit_from(kept, tables), fields)
    return kept


def _clean_members(fields: Fields, tables: Tables) -> Json:
    kept: Json = {"name": fields.text("name")}
    if fields.has("machine"):
        kept["machine"] = clean_machine(fields.body["machine"], tables, f"{fields.at}/machine", fields.problems)
    kept["type"] = _clean_type(fields, tables)
    kept["strength"] = fields.whole("strength", 0 if fields.body.get("wounded") else 1, STRENGTH_MOST)
    kept["combat"] = fields.whole("combat", COMBAT_LEAST, COMBAT_MOST)
    if fields.has("armour") or "machine" not in kept:
        kept["armour"] = fields.whole("armour", 0, ARMOUR_MOST, 0)
    kept["group"] = fields.one_of("group", (CONTACT, SHOOTING), SHOOTING if kept["type"] in SHOOTERS else CONTACT)
    if fields.has("weapons") or "machine" not in kept:
        kept["weapons"] = _clean_weapons(fields, tables)
    kept |= {name: True for name in FLAGS if fields.flag(name)}
    kept |= {name: fields.whole(name, *bounds) for name, bounds in OPTIONAL.items() if fields.has(name)}
    numbers = {name: fields.whole(name, 0, most, 0) for name, most in REMEMBERED.items()}
    kept |= {name: number for name, number in numbers.items() if number}
    if fields.has("starves"):
        kept["starves"] = fields.flag("starves")
    return kept


def _clean_type(fields: Fields, tables: Tables) -> str:
    """Crews of machines have no type of their own: there is nothing to ride in one."""
    if not fields.has("machine"):
        kind = fields.one_of("type", tables.types)
        if kind == MACHINES:
            fields.wrong("machine", _("Choose the machine."))
        return kind
    kind = fields.one_of("type", tables.types, MACHINES)
    if kind != MACHINES:
        fields.wrong("machine", _("Only crews man machines: choose the type “machines”, or no machine."))
    return MACHINES


def _clean_weapons(fields: Fields, tables: Tables) -> list[Json | str]:
    given = fields.body.get("weapons")
    if given is None:
        return []
    if not isinstance(given, list | tuple) or len(given) > WEAPONS_MOST:
        fields.wrong("weapons", _("Give a list of at most {most} weapons."), most=WEAPONS_MOST)
        return []
    at = f"{fields.at}/weapons"
    return [clean_weapon(one, tables, f"{at}/{place}", fields.problems) for place, one in enumerate(given)]


def _judge(unit: Unit, fields: Fields) -> None:
    """What does not go together."""
    _judge_group(unit, fields)
    if unit.never and unit.breaking is not None:
        fields.wrong("breaking", _("Who never breaks has no breaking point."))
    if unit.pieces is not None and (unit.machine is not None or main_shot(unit) is None):
        fields.wrong("pieces", _("Pieces are guns and the like that men serve: give their weapon, and no machine."))
    most = _most_extra(unit)
    if unit.extra > most:
        fields.wrong("extra", _("At most {most}: half the damage of another of its weapons."), most=most)


def _judge_group(unit: Unit, fields: Fields) -> None:
    """Artillery and machines shoot; who shoots needs a weapon for it (B-5, B-65)."""
    if unit.group == CONTACT and unit.machine is not None:
        fields.wrong("group", _("Machines shoot: put them into the shooting group."))
    elif unit.group == CONTACT and of_pieces(unit):
        fields.wrong("group", _("Artillery always shoots: put it into the shooting group."))
    elif unit.group == SHOOTING and unit.machine is None and main_shot(unit) is None:
        fields.wrong("group", _("Nobody shoots without a weapon for it: choose one, or the contact group."))


def _most_extra(unit: Unit) -> int:
    """Half the damage of a weapon that does not count by itself, down (B-9)."""
    contact, shot = main_contact(unit), main_shot(unit)
    main = (contact or shot) if unit.group == CONTACT else (shot or contact)
    return max((weapon.damage // 2 for weapon in unit.weapons if weapon is not main), default=0) if main else 0


def unit_from(kept: Mapping[str, Any], tables: Tables = OWN_TABLES) -> Unit:
    """Of what was cleaned. Raises `InvalidInput` where the tables have no more what it names."""
    kind = listed_as(kept["type"], tables.types)
    machine = machine_from(kept["machine"], tables, kept["name"]) if "machine" in kept else None
    worn = machine.armour if machine is not None else 0
    hard = machine.toughness if machine is not None else kind.toughness
    weapons = tuple(weapon_from(one, tables) for one in kept.get("weapons", ()))
    group: Group = kept["group"]
    return Unit(
        name=kept["name"], type=kind, strength=kept["strength"], combat=kept["combat"],
        armour=kept.get("armour", worn), group=group, toughness=kept.get("toughness", hard),
        weapons=machine.weapons if machine is not None and "weapons" not in kept else weapons,
        reserve=kept.get("reserve", False), never=kept.get("never", False) or kind.never,
        breaking=kept.get("breaking"), mobility=kept.get("mobility"), shield=kept.get("shield", False),
        pieces=kept.get("pieces"), machine=machine, extra=kept.get("extra", 0),
        starves=kept.get("starves", kind.starves), engineers=kept.get("engineers", False),
        wounded=kept.get("wounded", 0), experience=kept.get("experience", 0),
    )  # fmt: skip


def unit_to_json(unit: Unit, tables: Tables = OWN_TABLES) -> Json:
    """The document that reads back as this unit, with all that follows left out."""
    machine = unit.machine
    given: Json = {
        "name": str(unit.name), "type": unit.type.slug, "strength": unit.strength, "combat": unit.combat,
        "group": unit.group, **{name: True for name in FLAGS if getattr(unit, name)},
        **{name: getattr(unit, name) for name in REMEMBERED if getattr(unit, name)},
        **{name: getattr(unit, name) for name in ("mobility", "breaking", "pieces") if getattr(unit, name) is not None},
    }  # fmt: skip
    if unit.type.never:
        given.pop("never", None)
    if machine is not None:
        given["machine"] = machine_to_json(machine, tables)
    if machine is None or unit.armour != machine.armour:
        given["armour"] = unit.armour
    if unit.toughness != (unit.type.toughness if machine is None else machine.toughness):
        given["toughness"] = unit.toughness
    if machine is None or not isinstance(given["machine"], str) or unit.weapons != machine.weapons:
        given["weapons"] = [weapon_to_json(weapon, tables) for weapon in unit.weapons]
    if unit.starves != unit.type.starves:
        given["starves"] = unit.starves
    return given


# who leads

_OF_MIND = _("What it is above 5 counts for him, what it is below 5 against him.")
COMMANDER_FIGURES: Mapping[str, SheetFigure] = {
    "mental": SheetFigure(_("MENTAL"), 0, 20, 5, _OF_MIND),
    "presence": SheetFigure(_("PRESENCE"), 0, 20, 5, _OF_MIND),
    "combat": SheetFigure(_("His own combat"), -20, 30, 0),
    "art_of_war": SheetFigure(_("Art of war"), 0, 20, 0),
    "diplomacy": SheetFigure(_("Diplomacy"), 0, 20, 0),
}


def read_commander(document: object) -> dict[str, int]:
    """A commander's figures as they are kept. Raises `InvalidInput` with a pointer for every problem."""
    problems: Problems = []
    fields = Fields(document, "", problems, (*COMMANDER_FIGURES, "version"))
    kept = {slug: fields.whole(slug, entry.least, entry.most, entry.start) for slug, entry in COMMANDER_FIGURES.items()}
    refuse_all(problems)
    return kept


def general_from(id: str, name: str, document: Mapping[str, Any]) -> General:
    """Of figures as they are kept; what is missing is as if nothing had been said. Raises `InvalidInput`."""
    known = {slug: document[slug] for slug in COMMANDER_FIGURES if slug in document}
    return General(id, name, **read_commander(known))
