"""Weapons, armours, machines and types of troops that a campaign has beside the starter tables (BP-2, BP-9).

They are kept among its house rules: `{"weapons": {slug: {…}}, "armours": …, "machines": …, "unit_types": …}`, each in
the shape a unit's own weapon or machine has in the document of an army. Documents name them by their slug.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from rules.breaking_point.arms import (
    ARMOUR_MOST,
    SOME_WEAPONS,
    TOUGHNESS_MOST,
    WEAPONS_MOST,
    Arm,
    OwnMachine,
    OwnWeapon,
    Tables,
    ThingName,
    weapon_from,
)
from rules.breaking_point.reading import Json
from rules.breaking_point.spec import Machine, TroopType, Weapon
from rules.breaking_point.starter import Armour
from rules.core.errors import pointer
from rules.core.shapes import DeclaredShape, Each, InApi, Label, ShapeReading, WholeNumber, Wrong, shape_of
from rules.core.shapes.value_kinds import WRONG
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

type Own = Mapping[str, Mapping[str, Mapping[str, Any]]]
LAW = Tables()


def clean_own(given: object) -> dict[str, dict[str, Json]]:
    """As it is kept. Raises `InvalidInput` with a pointer for every problem ("/weapons/blunderbuss/damage")."""
    reading = ShapeReading()
    body: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    if not isinstance(given, Mapping):
        reading.wrong("", _("Give an object with named fields."))
    for name in body.keys() - KINDS.keys():
        reading.wrong(pointer("", name), _("Unknown field “{name}”. Remove it."), name=str(name)[:60])
    kept: dict[str, dict[str, Json]] = {}
    for kind, shape in SHAPES.items():
        things = _of_kind(body.get(kind) or {}, kind, reading)
        reading.known = with_own(LAW, kept)._asdict()
        read = {slug: shape.read(thing, f"/{kind}/{slug}", reading) for slug, thing in things.items()}
        kept[kind] = {slug: shape.write(thing) for slug, thing in read.items() if thing is not WRONG}
    reading.refuse()
    return {kind: things for kind, things in kept.items() if things}


def _of_kind(things: object, kind: str, reading: ShapeReading) -> Mapping[str, object]:
    """Those with a slug that can be theirs."""
    at = f"/{kind}"
    if not isinstance(things, Mapping):
        reading.wrong(at, _("Give an object with named fields."))
        return {}
    if len(things) > MOST:
        reading.wrong(at, _("At most {most} of a kind, please."), most=MOST)
        return {}
    for slug in things:
        if not _slug_like(slug):
            reading.wrong(at, _("A slug is made of a–z, 0–9 and dashes: “{slug}” is none."), slug=str(slug)[:60])
        elif taken(kind, slug):
            reading.wrong(at, _("“{slug}” is one of the law’s own: its figures are set in the campaign’s settings."),
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


class OwnArmour(NamedTuple):
    """`worn`: by the rules half of `full`, where it is not given."""

    name: ThingName
    full: Annotated[int, WholeNumber(0, ARMOUR_MOST), Label(_("Whole armour"))]
    worn: Annotated[
        int | None, WholeNumber(0, ARMOUR_MOST), InApi(nullable=False),
        Label(_("As ancient and medieval units wear it"), _("Empty: half of it, 1 at least.")),
    ] = None  # fmt: skip

    def judged(self, wrong: Wrong) -> OwnArmour:
        """As it is worn: half of it, 1 at least, unless something else is said (B-12)."""
        return self if self.worn is not None else self._replace(worn=max(self.full // 2, min(self.full, 1)))


@dataclass(frozen=True, kw_only=True, slots=True)
class ArsenalMachine(OwnMachine):
    """A machine with its arms."""

    name: ThingName
    weapons: Annotated[
        tuple[Arm, ...], Each(WEAPONS_MOST, 0, SOME_WEAPONS, SOME_WEAPONS),
        Label(_("Weapons"), one=_("Weapon"), another=_("Weapon")),
    ] = ()  # fmt: skip


class OwnType(NamedTuple):
    name: ThingName
    toughness: Annotated[int, WholeNumber(1, TOUGHNESS_MOST), Label(_("Toughness"))]
    charge: Annotated[
        int, WholeNumber(1, CHARGE_MOST), Label(_("Power ×"), _("At the charge; empty: 1."))
    ] = 1  # fmt: skip
    starves: bool = True
    anywhere: Annotated[bool, Label(_("Its factor counts on any ground"))] = False
    mounted: bool = False
    chariots: bool = False
    beasts: bool = False
    flies: Annotated[bool, Label(_("Flies"))] = False
    never: Annotated[bool, Label(_("Never breaks"))] = False

    def judged(self, wrong: Wrong) -> OwnType:
        return self._replace(mounted=self.mounted or self.chariots or self.beasts)


SHAPES: Mapping[str, DeclaredShape] = {
    WEAPONS: shape_of(OwnWeapon, ("number",)),
    ARMOURS: shape_of(OwnArmour),
    MACHINES: shape_of(ArsenalMachine),
    TYPES: shape_of(OwnType),
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
