"""Weapons, armours, machines and types of troops that a campaign has beside the starter tables (BP-2, BP-9).

They are kept among its house rules: `{"weapons": {slug: {…}}, "armours": …, "machines": …, "unit_types": …}`, each in
the shape a unit's own weapon or machine has in the document of an army. Documents name them by their slug.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rules.breaking_point.arms import (
    ARMOUR_MOST,
    MACHINE,
    OWN,
    TOUGHNESS_MOST,
    WEAPONS_MOST,
    Tables,
    clean_borne,
    clean_own_machine,
    clean_own_weapon,
    weapon_from,
)
from rules.breaking_point.reading import Fields, Json, Problems, refuse_all
from rules.breaking_point.spec import Machine, TroopType, Weapon
from rules.breaking_point.starter import Armour
from rules.core.text import Said, Term, _, say

WEAPONS, ARMOURS, MACHINES, TYPES = "weapons", "armours", "machines", "unit_types"
KINDS: Mapping[str, Term] = {
    WEAPONS: _("Weapon"),
    ARMOURS: _("Armour"),
    MACHINES: _("Machine"),
    TYPES: _("Type of troops"),
}
MOST = 60  # of each kind
CHARGE_MOST = 100
RESERVED = ("own",)
RIDES = ("mounted", "chariots", "beasts")
TYPE_FLAGS = ("anywhere", *RIDES, "flies", "never")
ARMOUR_MEMBERS = ("name", "full", "worn")
TYPE_MEMBERS = ("name", "toughness", "charge", "starves", *TYPE_FLAGS)
MACHINE_MEMBERS = (*MACHINE, "weapons")
WEAPON_MEMBERS = tuple(member for member in OWN if member != "number")

type Own = Mapping[str, Mapping[str, Mapping[str, Any]]]
LAW = Tables()


def clean_own(given: object) -> dict[str, dict[str, Json]]:
    """As it is kept. Raises `InvalidInput` with a pointer for every problem ("/weapons/blunderbuss/damage")."""
    problems: Problems = []
    fields = Fields(given, "", problems, KINDS)
    kept: dict[str, dict[str, Json]] = {}
    for kind, clean in _CLEAN.items():
        things = _of_kind(fields, kind)
        tables = with_own(LAW, kept)
        kept[kind] = {slug: clean(thing, f"/{kind}/{slug}", problems, tables) for slug, thing in things.items()}
    refuse_all(problems)
    return {kind: things for kind, things in kept.items() if things}


def _of_kind(fields: Fields, kind: str) -> dict[str, object]:
    """Those with a slug that can be theirs."""
    things = fields.body.get(kind) or {}
    if not isinstance(things, Mapping):
        fields.wrong(kind, _("Give an object with named fields."))
        return {}
    if len(things) > MOST:
        fields.wrong(kind, _("At most {most} of a kind, please."), most=MOST)
        return {}
    for slug in things:
        if not _slug_like(slug):
            fields.wrong(kind, _("A slug is made of a–z, 0–9 and dashes: “{slug}” is none."), slug=str(slug)[:60])
        elif taken(kind, slug):
            fields.wrong(kind, _("“{slug}” is one of the law’s own: its figures are set in the campaign’s settings."),
                         slug=slug)  # fmt: skip
    return {slug: thing for slug, thing in things.items() if _slug_like(slug) and not taken(kind, slug)}


def _slug_like(slug: object) -> bool:
    if not isinstance(slug, str) or not 1 <= len(slug) <= 80 or not slug.isascii():
        return False
    return slug == slug.lower() and slug.replace("-", "").isalnum()


def taken(kind: str, slug: str) -> bool:
    """Whether the law has one of this slug itself, or means something else by it."""
    return slug in RESERVED or slug in table_of(LAW, kind)


def table_of(tables: Tables, kind: str) -> Mapping[str, Any]:
    found: Mapping[str, Mapping[str, Any]] = {
        WEAPONS: tables.weapons, ARMOURS: tables.armours, MACHINES: tables.machines, TYPES: tables.types,
    }  # fmt: skip
    return found[kind]


# one of them


def _weapon(thing: object, at: str, problems: Problems, _tables: Tables) -> Json:
    return clean_own_weapon(Fields(thing, at, problems, WEAPON_MEMBERS))


def _armour(thing: object, at: str, problems: Problems, _tables: Tables) -> Json:
    """As it is worn: half of it, 1 at least, unless something else is said (B-12)."""
    fields = Fields(thing, at, problems, ARMOUR_MEMBERS)
    full = fields.whole("full", 0, ARMOUR_MOST)
    return {
        "name": fields.text("name"),
        "full": full,
        "worn": fields.whole("worn", 0, ARMOUR_MOST, max(full // 2, min(full, 1))),
    }


def _machine(thing: object, at: str, problems: Problems, tables: Tables) -> Json:
    fields = Fields(thing, at, problems, MACHINE_MEMBERS)
    kept = {"name": fields.text("name"), **clean_own_machine(fields)}
    borne = fields.body.get("weapons") or []
    if not isinstance(borne, list | tuple) or len(borne) > WEAPONS_MOST:
        fields.wrong("weapons", _("Give a list of at most {most} weapons."), most=WEAPONS_MOST)
        borne = []
    arms = [clean_borne(one, tables, f"{at}/weapons/{place}", problems) for place, one in enumerate(borne)]
    return {**kept, "weapons": arms} if arms else kept


def _type(thing: object, at: str, problems: Problems, _tables: Tables) -> Json:
    fields = Fields(thing, at, problems, TYPE_MEMBERS)
    kept: Json = {"name": fields.text("name"), "toughness": fields.whole("toughness", 1, TOUGHNESS_MOST)}
    charge = fields.whole("charge", 1, CHARGE_MOST, 1)
    flags = {name: True for name in TYPE_FLAGS if fields.flag(name)}
    if any(name in flags for name in RIDES):
        flags["mounted"] = True
    hungry = {"starves": False} if fields.has("starves") and not fields.flag("starves") else {}
    return {**kept, **({"charge": charge} if charge != 1 else {}), **flags, **hungry}


_CLEAN: Mapping[str, Callable[[object, str, Problems, Tables], Json]] = {
    WEAPONS: _weapon,
    ARMOURS: _armour,
    MACHINES: _machine,
    TYPES: _type,
}


# among the tables


def with_own(tables: Tables, own: Own) -> Tables:
    """The tables and beside them what is the campaign's own, cleaned."""
    weapons = {**tables.weapons, **{slug: weapon_of(slug, kept) for slug, kept in own.get(WEAPONS, {}).items()}}
    armed = tables._replace(weapons=weapons)
    machines = {slug: _machine_of(slug, kept, armed) for slug, kept in own.get(MACHINES, {}).items()}
    armours = {slug: Armour(slug, Term(kept["name"]), kept["full"], kept["worn"])
               for slug, kept in own.get(ARMOURS, {}).items()}  # fmt: skip
    types = {slug: TroopType(slug, **kept) for slug, kept in own.get(TYPES, {}).items()}
    return Tables(
        weapons, {**tables.machines, **machines}, {**tables.types, **types}, {**tables.armours, **armours}
    )  # fmt: skip


def weapon_of(slug: str, kept: Mapping[str, Any]) -> Weapon:
    return weapon_from(dict(kept), LAW, slug)


def _machine_of(slug: str, kept: Mapping[str, Any], tables: Tables) -> Machine:
    arms = tuple(weapon_from(one, tables) for one in kept.get("weapons", ()) if _there(one, tables))
    return Machine(slug, **{**kept, "weapons": arms})


def _there(borne: Json | str, tables: Tables) -> bool:
    return (borne if isinstance(borne, str) else borne["slug"]) in tables.weapons


# who uses them


def named_by(unit: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What the document of a unit names of the tables: kind and slug."""
    yield TYPES, str(unit.get("type", ""))
    if isinstance(machine := unit.get("machine"), str):
        yield MACHINES, machine
    for borne in unit.get("weapons", ()):
        if isinstance(borne, str):
            yield WEAPONS, borne
        elif "slug" in borne:
            yield WEAPONS, str(borne["slug"])


def unknown_to(tables: Tables, unit: Mapping[str, Any]) -> tuple[str, str] | None:
    """The first thing a unit's document names that these tables do not have."""
    return next(((kind, slug) for kind, slug in named_by(unit) if slug not in table_of(tables, kind)), None)


def bearing(own: Own, weapon: str) -> Said | None:
    """Which of the campaign's own machines bears this weapon, in words."""
    for kept in own.get(MACHINES, {}).values():
        if any(found == (WEAPONS, weapon) for found in named_by(kept)):
            return say(_("the machine {machine}"), machine=kept["name"])
    return None
