"""JSON documents of armies, parsed into units and generals and written back. Unknown items are refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from rules.army_law import FromAfar, one_figure, shape_of_figures, without_version
from rules.breaking_point import losses
from rules.breaking_point.arms import (
    ARMOUR_MOST,
    DAMAGE_MOST,
    MOBILITY_MOST,
    NO_MACHINE,
    TOUGHNESS_MOST,
    OwnMachine,
    Tables,
    Weapons,
    listed_as,
    machine_from,
    machine_to_json,
    weapon_from,
    weapon_to_json,
)
from rules.breaking_point.figures import ARTILLERY, main_contact, main_shot, of_pieces
from rules.breaking_point.losses import SOME_THINGS, SPOILS_MOST, SpoilTaken
from rules.breaking_point.spec import CONTACT, SHOOTING, General, Group, House, Json, NameText, Unit
from rules.breaking_point.starter import MACHINES
from rules.core.breakdown import shared
from rules.core.shapes import CARRIED, Each, InApi, Label, NeededIf, OneOf, WholeNumber, Wrong, shape_of
from rules.core.shapes.value_kinds import FlagKind, WholeKind
from rules.core.text import Said, Term, _, by_number, say
from rules.law import Measure
from rules.movable_entries import MovableEntries
from rules.realm import SheetFigure

# Parts of a document (BP-2, BP-3, BP-9).

OWN_TABLES = Tables()

UNITS_MOST = 60
STRENGTH_MOST, PIECES_MOST, EXPERIENCE_MOST = 1_000_000, 100_000, 100_000
COMBAT_LEAST, COMBAT_MOST = -20, 30
BREAKING_LEAST, BREAKING_MOST = 10, 1_000
FOLLOWING = ("armour", "toughness", "never", "starves")
"""Fields whose defaults come from the unit's type or machine."""
SHOOTERS = ("archers", ARTILLERY, MACHINES)
"""Types whose units belong to the shooting group by default."""
GROUP_NAMES: Mapping[str, Term] = {CONTACT: _("contact"), SHOOTING: _("shooting")}
HUNGER = {"": _("usual hunger for its type"), "yes": _("suffers hunger"), "no": _("no hunger")}


def _least_strength(unit: Mapping[str, Any]) -> int:
    return 0 if unit.get("wounded") else 1


@dataclass(frozen=True, kw_only=True, slots=True)
class UnitDocument:
    """Homogeneous unit. Defaults come from its type, machine and weapons."""

    name: Annotated[NameText, Label(_("Unit name"))]
    type: Annotated[
        str | None, OneOf("types"), NeededIf(lambda unit: unit.get("machine") is None), Label(_("Type"), options={}),
        InApi(nullable=False),
    ] = None  # fmt: skip
    strength: Annotated[
        int, WholeNumber(_least_strength, STRENGTH_MOST), Label(_("Strength"), _("Number of heads, or of machines."))
    ]
    combat: Annotated[int, WholeNumber(COMBAT_LEAST, COMBAT_MOST), Label(_("Combat"))]
    armour: Annotated[
        int | None, WholeNumber(0, ARMOUR_MOST), InApi(nullable=False),
        Label(_("Armor"), _("The value in play: already halved, if your world halves armor.")),
    ] = None  # fmt: skip
    group: Annotated[
        str | None, OneOf((CONTACT, SHOOTING)), Label(_("Group"), options=GROUP_NAMES),
        InApi(nullable=False, required=True),
    ] = None  # fmt: skip
    weapons: Annotated[Weapons | None, InApi(nullable=False)] = None
    machine: Annotated[
        Annotated[str, OneOf("machines", NO_MACHINE)] | OwnMachine | None, Label(_("Machine")), InApi(nullable=False)
    ] = None
    shield: Annotated[bool, Label(_("Shields (count as heavy)"))] = False
    pieces: Annotated[
        int | None, WholeNumber(0, PIECES_MOST), InApi(nullable=False),
        Label(_("Pieces"), _("Guns, if they are fewer than the heads. Leave empty if each head has its own weapon.")),
    ] = None  # fmt: skip
    reserve: Annotated[bool, Label(_("In the reserve"))] = False
    toughness: Annotated[
        int | None, WholeNumber(1, TOUGHNESS_MOST), InApi(nullable=False),
        Label(_("Toughness"), _("Leave empty to use that of its type or machine.")),
    ] = None  # fmt: skip
    never: Annotated[bool, Label(_("Never breaks"))] = False
    breaking: Annotated[
        int | None, WholeNumber(BREAKING_LEAST, BREAKING_MOST), InApi("% the GM has raised it to", nullable=False),
        Label(_("Breaking point, %"), _("A raised value set by the GM. Leave empty for 10 + 10 × combat.")),
    ] = None  # fmt: skip
    mobility: Annotated[
        int | None, WholeNumber(0, MOBILITY_MOST), InApi(nullable=False),
        Label(_("Mobility"), _("Leave empty to derive it from weapons and type.")),
    ] = None  # fmt: skip
    extra: Annotated[
        int, WholeNumber(0, DAMAGE_MOST), InApi("damage the GM adds for a secondary weapon"),
        Label(_("Damage of a secondary weapon"), _("Added to the main weapon by the GM, half of its damage at most.")),
    ] = 0  # fmt: skip
    engineers: Annotated[bool, Label(_("Engineers (shorten sieges)"))] = False
    starves: Annotated[
        bool | None, Label(_("During a siege"), options=HUNGER),
        InApi("false: it knows no hunger in a siege", nullable=False),
    ] = None  # fmt: skip
    wounded: Annotated[int, WholeNumber(0, STRENGTH_MOST), Label(_("Wounded"))] = 0
    experience: Annotated[int, WholeNumber(0, EXPERIENCE_MOST), Label(_("Experience"))] = 0

    def judged(self, wrong: Wrong) -> UnitDocument:
        """Report inconsistent fields, and fill in fields that follow from others."""
        crews = self.machine is not None
        if crews and self.type not in (None, MACHINES):
            wrong("machine", _("Only crews have machines. Choose the type “machines”, or no machine."))
        if not crews and self.type == MACHINES:
            wrong("machine", _("Choose the machine."))
        if crews != (self.type in (None, MACHINES)):
            return self
        kind = MACHINES if crews else self.type
        told = replace(self, type=kind, group=self.group or (SHOOTING if kind in SHOOTERS else CONTACT))
        if not crews:
            told = replace(told, armour=told.armour or 0, weapons=told.weapons or ())
        _judge(unit_from(UNIT.write(told), Tables(**wrong.known)), wrong)
        return told


@dataclass(frozen=True, slots=True)
class HostDocument:
    """Army: its units, and the spoils it has taken."""

    units: Annotated[
        tuple[UnitDocument, ...],
        Each(UNITS_MOST, 1, _("An army needs at least one unit."), _("An army can have at most {most} units.")),
        Label(_("Units"), one=_("Unit")),
    ]
    spoils: Annotated[tuple[SpoilTaken, ...], Each(SPOILS_MOST, 0, SOME_THINGS, SOME_THINGS), CARRIED] = ()


UNIT, ARMY = shape_of(UnitDocument), shape_of(HostDocument)
AS_WRITTEN = tuple(
    one for one in UNIT.fields
    if not one.needed and one.name not in FOLLOWING and isinstance(one.kind, WholeKind | FlagKind)
)  # fmt: skip
"""Fields that a unit takes unchanged from its document."""


# Army.


def clean_army(document: object, tables: Tables = OWN_TABLES) -> Json:
    """Validate an army's document and return it in its stored form: `{"units": […]}`, and `spoils` if it has any.
    Raises `InvalidInput` with a JSON pointer for every problem.
    """
    return ARMY.write(ARMY.read_document(without_version(document), "", tables._asdict()))


def units_of(document: Mapping[str, Any], tables: Tables = OWN_TABLES) -> tuple[Unit, ...]:
    """Return the units of a document. Raises `InvalidInput` for an invalid one."""
    return tuple(unit_from(kept, tables) for kept in clean_army(document, tables)["units"])


# Unit.


def _judge(unit: Unit, wrong: Wrong) -> None:
    """Report fields of a unit that do not fit together."""
    _judge_group(unit, wrong)
    if unit.never and unit.breaking is not None:
        wrong("breaking", _("This unit never breaks: leave its breaking point empty."))
    if unit.pieces is not None and (unit.machine is not None or main_shot(unit) is None):
        wrong("pieces", _("Pieces are guns with a crew: choose their weapon, and no machine."))
    most = _most_extra(unit)
    if unit.extra > most:
        wrong("extra", _("Use at most {most}, half the damage of one of its other weapons."), most=most)


def _judge_group(unit: Unit, wrong: Wrong) -> None:
    """Report a wrong group: artillery and machines shoot, and shooters need a weapon for it (B-5, B-65)."""
    if unit.group == CONTACT and unit.machine is not None:
        wrong("group", _("Machines shoot: put them in the shooting group."))
    elif unit.group == CONTACT and of_pieces(unit):
        wrong("group", _("Artillery always shoots: put it in the shooting group."))
    elif unit.group == SHOOTING and unit.machine is None and main_shot(unit) is None:
        wrong("group", _("This unit has no weapon to shoot with. Choose one, or the contact group."))


def _most_extra(unit: Unit) -> int:
    """Return half the damage of the best weapon that does not count by itself, rounded down (B-9)."""
    contact, shot = main_contact(unit), main_shot(unit)
    main = (contact or shot) if unit.group == CONTACT else (shot or contact)
    return max((weapon.damage // 2 for weapon in unit.weapons if weapon is not main), default=0) if main else 0


def unit_from(kept: Mapping[str, Any], tables: Tables = OWN_TABLES) -> Unit:
    """Build a unit from checked JSON. Raises `InvalidInput` if the tables no longer have what it names."""
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
        never=kept.get("never", False) or kind.never, machine=machine, starves=kept.get("starves", kind.starves),
        **{one.name: kept.get(one.key, one.default) for one in AS_WRITTEN},
    )  # fmt: skip


def unit_to_json(unit: Unit, tables: Tables = OWN_TABLES) -> Json:
    """Return the shortest document that reads back as this unit."""
    machine = unit.machine
    given: Json = {
        "name": str(unit.name), "type": unit.type.slug, "strength": unit.strength, "combat": unit.combat,
        "group": unit.group,
        **{one.key: value for one in AS_WRITTEN if (value := getattr(unit, one.name)) != one.default},
    }  # fmt: skip
    if unit.never and not unit.type.never:
        given["never"] = True
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


# Commander.

_OF_MIND = _("Each point above 5 is a bonus to command, each point below 5 a penalty.")
COMMANDER_FIGURES: Mapping[str, SheetFigure] = {
    "mental": SheetFigure(_("MENTAL"), 0, 20, 5, _OF_MIND),
    "presence": SheetFigure(_("PRESENCE"), 0, 20, 5, _OF_MIND),
    "combat": SheetFigure(_("Personal combat"), -20, 30, 0),
    "art_of_war": SheetFigure(_("Art of war"), 0, 20, 0),
    "diplomacy": SheetFigure(_("Diplomacy"), 0, 20, 0),
}
COMMANDER = shape_of_figures(COMMANDER_FIGURES)


def read_commander(document: object) -> dict[str, int]:
    """Validate a commander's figures and return them in their stored form. Raises `InvalidInput` with a JSON pointer
    for every problem.
    """
    found: dict[str, int] = COMMANDER.read_document(without_version(document))
    return found


def general_from(id: str, name: str, document: Mapping[str, Any]) -> General:
    """Build a general from stored figures; missing ones take their defaults. Raises `InvalidInput`."""
    known = {slug: document[slug] for slug in COMMANDER_FIGURES if slug in document}
    figures: dict[str, Any] = {**read_commander(known)}
    return General(id, name, **figures)


# Documents of armies (BP-2).

HUNDRED = 100


class HostDocuments(MovableEntries):
    """`rules.law.SheetLaw` for armies of units. A document is `{"units": […]}`, with units in the API's format."""

    version = 1
    health = _("Soldiers fit to fight")
    shrinks = True
    entries: Mapping[str, SheetFigure] = {}  # its own form asks for the units
    shape = ARMY

    def __init__(self, tables: Tables, house: House):
        self.tables, self._house = tables, house

    @property
    def upkeep(self) -> Term | None:
        return _("Upkeep") if self._house.upkeep else None

    def read(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """Return the document in its stored form. Raises `InvalidInput` with a JSON pointer for every problem."""
        return clean_army(document, self.tables)

    def units_of(self, document: Mapping[str, Any]) -> tuple[Unit, ...]:
        """Return the units of a document. Raises `InvalidInput` for an invalid one."""
        return units_of(document, self.tables)

    def measure(self, document: Mapping[str, Any]) -> Measure:
        """Measure a document that `read` has returned: heads able to fight, heads including the wounded, and the weekly
        upkeep of the able (B-69).
        """
        units = [unit_from(kept, self.tables) for kept in document["units"]]
        strength = sum(unit.strength for unit in units)
        whole = max(1, strength + sum(unit.wounded for unit in units))
        told = [say(_("{heads} × {unit}"), heads=unit.strength, unit=unit.name) for unit in units]
        upkeep = -(-strength // HUNDRED) * self._house.upkeep
        return Measure(whole, upkeep, say(Term("{units}"), units=told), fit=strength)

    def from_afar(self, document: Mapping[str, Any]) -> FromAfar:
        """Return the name of the largest unit, and the number of heads rounded down to one digit (B-18)."""
        units = [unit_from(kept, self.tables) for kept in document["units"]]
        largest = max(units, key=lambda unit: unit.strength)
        heads = one_figure(sum(unit.strength for unit in units))
        return FromAfar(say(Term("{unit}"), unit=largest.name), say(ABOUT, heads=heads))

    def in_words(self, document: Mapping[str, Any]) -> Sequence[Said]:
        """Describe an army's units and spoils, or a commander's figures."""
        units = [_in_words(kept) for kept in document.get("units", ())]
        figures = ((entry.name, document[slug]) for slug, entry in COMMANDER_FIGURES.items() if slug in document)
        taken = [losses.in_words(spoil) for spoil in document.get("spoils", ())]
        return [*units, *taken, *(say(_("{figure} {value}"), figure=name, value=value) for name, value in figures)]

    # Divided and combined armies (B-83).

    def heads_of(self, entry: Mapping[str, Any]) -> int | None:
        return int(entry["strength"])

    def divide(self, entry: Json, count: int) -> tuple[Json, Json]:
        """Split a unit; its wounded and pieces are shared out by heads. Both parts keep its experience."""
        heads = (entry["strength"] - count, count)
        rest, part = ({**entry, "strength": number} for number in heads)
        for name in SHARED_OUT:
            if entry.get(name) is not None:
                rest[name], part[name] = shared(entry[name], heads)
        return rest, part

    def join(self, entries: Sequence[Json], more: Sequence[Json]) -> list[Json]:
        """Add units. One that differs only in numbers from a unit of the army joins it."""
        found = list(entries)
        for entry in more:
            place = next((at for at, one in enumerate(found) if _alike(one) == _alike(entry)), None)
            if place is None or found[place]["strength"] + entry["strength"] > STRENGTH_MOST:
                found.append(entry)
            else:
                found[place] = _added(found[place], entry)
        return found

    def inherit(self, document: Json, gone: Mapping[str, Any]) -> Json:
        """Hand the spoils of an army that is no more to its heir (B-49)."""
        spoils = losses.added(document.get("spoils", ()), gone.get("spoils", ()))
        return {**document, "spoils": spoils} if spoils else document

    def label_entries(self, document: Mapping[str, Any]) -> dict[str, list[Said]]:
        return {"units": [_in_words(kept) for kept in self.read(document)["units"]]}


SHARED_OUT = ("wounded", "pieces")
"""Numbers of a unit that are shared out by heads when it is divided."""


def _alike(entry: Mapping[str, Any]) -> Json:
    """Return the key of units that can be merged: everything but their numbers. Guns only join guns."""
    told = {name: value for name, value in entry.items() if name not in ("strength", *SHARED_OUT)}
    return {**told, "pieces": entry.get("pieces") is not None}


def _added(entry: Json, more: Mapping[str, Any]) -> Json:
    numbers = {name: entry.get(name, 0) + more.get(name, 0) for name in SHARED_OUT if name in {**entry, **more}}
    return {**entry, "strength": entry["strength"] + more["strength"], **numbers}


ABOUT = by_number("about {heads} head", "about {heads} heads", "heads")
COUNTED = {
    "wounded": by_number("{count} wounded", "{count} wounded"),
    "experience": by_number("{count} point of experience", "{count} points of experience"),
}


def _in_words(kept: Mapping[str, Any]) -> Said:
    told = [say(_("combat {combat}"), combat=kept["combat"])]
    told += [say(words, count=kept[name]) for name, words in COUNTED.items() if kept.get(name)]
    return say(_("{heads} × {unit} ({told})"), heads=kept["strength"], unit=kept["name"], told=told)
