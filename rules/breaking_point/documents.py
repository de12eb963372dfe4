"""Documents of armies as JSON, read into units and generals and written back. What the law does not know is refused."""

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
from rules.breaking_point.reading import Json, NameText
from rules.breaking_point.spec import CONTACT, SHOOTING, General, Group, House, Unit
from rules.breaking_point.starter import MACHINES
from rules.core.shapes import CARRIED, Each, InApi, Label, NeededIf, OneOf, WholeNumber, Wrong, shape_of
from rules.core.shapes.value_kinds import FlagKind, WholeKind
from rules.core.text import Said, Term, _, by_number, say
from rules.law import Measure
from rules.realm import SheetFigure

# Parts of a document (BP-2, BP-3, BP-9).

OWN_TABLES = Tables()

UNITS_MOST = 60
STRENGTH_MOST, PIECES_MOST, EXPERIENCE_MOST = 1_000_000, 100_000, 100_000
COMBAT_LEAST, COMBAT_MOST = -20, 30
BREAKING_LEAST, BREAKING_MOST = 10, 1_000
FOLLOWING = ("armour", "toughness", "never", "starves")
"""What of a unit its type or its machine says, where it is left out."""
SHOOTERS = ("archers", ARTILLERY, MACHINES)
"""Types whose units shoot unless something else is said."""
GROUP_NAMES: Mapping[str, Term] = {CONTACT: _("contact"), SHOOTING: _("shooting")}
HUNGER = {"": _("hungers as its type does"), "yes": _("hungers"), "no": _("knows no hunger")}


def _least_strength(unit: Mapping[str, Any]) -> int:
    return 0 if unit.get("wounded") else 1


@dataclass(frozen=True, kw_only=True, slots=True)
class UnitDocument:
    """A homogeneous unit. What is left out follows from its type, its machine and its arms."""

    name: Annotated[NameText, Label(_("Name of the unit"))]
    type: Annotated[
        str | None, OneOf("types"), NeededIf(lambda unit: unit.get("machine") is None), Label(_("Type"), options={}),
        InApi(nullable=False),
    ] = None  # fmt: skip
    strength: Annotated[
        int, WholeNumber(_least_strength, STRENGTH_MOST), Label(_("Strength"), _("Heads; of machines, machines."))
    ]
    combat: Annotated[int, WholeNumber(COMBAT_LEAST, COMBAT_MOST), Label(_("Combat"))]
    armour: Annotated[
        int | None, WholeNumber(0, ARMOUR_MOST), InApi(nullable=False),
        Label(_("Armour"), _("As it counts, already halved where your world does that.")),
    ] = None  # fmt: skip
    group: Annotated[
        str | None, OneOf((CONTACT, SHOOTING)), Label(_("Group"), options=GROUP_NAMES),
        InApi(nullable=False, required=True),
    ] = None  # fmt: skip
    weapons: Annotated[Weapons | None, InApi(nullable=False)] = None
    machine: Annotated[
        Annotated[str, OneOf("machines", NO_MACHINE)] | OwnMachine | None, Label(_("Machine")), InApi(nullable=False)
    ] = None
    shield: Annotated[bool, Label(_("Shields: it counts as heavy"))] = False
    pieces: Annotated[
        int | None, WholeNumber(0, PIECES_MOST), InApi(nullable=False),
        Label(_("Pieces"), _("Guns and the like its weapons are counted by. Empty: every head bears them.")),
    ] = None  # fmt: skip
    reserve: Annotated[bool, Label(_("In the reserve"))] = False
    toughness: Annotated[
        int | None, WholeNumber(1, TOUGHNESS_MOST), InApi(nullable=False),
        Label(_("Toughness"), _("Empty: that of its type, or of its machine.")),
    ] = None  # fmt: skip
    never: Annotated[bool, Label(_("Never breaks"))] = False
    breaking: Annotated[
        int | None, WholeNumber(BREAKING_LEAST, BREAKING_MOST), InApi("% the GM has raised it to", nullable=False),
        Label(_("Breaking point, %"), _("Raised by the GM. Empty: 10 + 10 × combat.")),
    ] = None  # fmt: skip
    mobility: Annotated[
        int | None, WholeNumber(0, MOBILITY_MOST), InApi(nullable=False),
        Label(_("Mobility"), _("Empty: it follows from arms and type.")),
    ] = None  # fmt: skip
    extra: Annotated[
        int, WholeNumber(0, DAMAGE_MOST), InApi("damage the GM adds for a secondary weapon"),
        Label(_("Damage of a secondary weapon"), _("What the GM adds to the main one, half of it at most.")),
    ] = 0  # fmt: skip
    engineers: Annotated[bool, Label(_("Engineers: they shorten sieges"))] = False
    starves: Annotated[
        bool | None, Label(_("In a siege"), options=HUNGER),
        InApi("false: it knows no hunger in a siege", nullable=False),
    ] = None  # fmt: skip
    wounded: Annotated[int, WholeNumber(0, STRENGTH_MOST), Label(_("Wounded"))] = 0
    experience: Annotated[int, WholeNumber(0, EXPERIENCE_MOST), Label(_("Experience"))] = 0

    def judged(self, wrong: Wrong) -> UnitDocument:
        """What does not go together is noted; what follows is filled in as it is kept."""
        crews = self.machine is not None
        if crews and self.type not in (None, MACHINES):
            wrong("machine", _("Only crews man machines: choose the type “machines”, or no machine."))
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
    """An army: its units, and what it has taken."""

    units: Annotated[
        tuple[UnitDocument, ...],
        Each(UNITS_MOST, 1, _("An army has at least one unit."), _("An army has at most {most} units.")),
        Label(_("Units"), one=_("Unit")),
    ]
    spoils: Annotated[tuple[SpoilTaken, ...], Each(SPOILS_MOST, 0, SOME_THINGS, SOME_THINGS), CARRIED] = ()


UNIT, ARMY = shape_of(UnitDocument), shape_of(HostDocument)
AS_WRITTEN = tuple(
    one for one in UNIT.fields
    if not one.needed and one.name not in FOLLOWING and isinstance(one.kind, WholeKind | FlagKind)
)  # fmt: skip
"""What a unit has as its document says it."""


# an army


def clean_army(document: object, tables: Tables = OWN_TABLES) -> Json:
    """An army's document as it is kept: `{"units": […]}`, and `spoils` where it has taken any.

    Raises `InvalidInput` with a pointer for every problem.
    """
    return ARMY.write(ARMY.read_document(without_version(document), "", tables._asdict()))


def units_of(document: Mapping[str, Any], tables: Tables = OWN_TABLES) -> tuple[Unit, ...]:
    """The units of a document. Raises `InvalidInput` where it is none."""
    return tuple(unit_from(kept, tables) for kept in clean_army(document, tables)["units"])


# a unit


def _judge(unit: Unit, wrong: Wrong) -> None:
    """What does not go together."""
    _judge_group(unit, wrong)
    if unit.never and unit.breaking is not None:
        wrong("breaking", _("Who never breaks has no breaking point."))
    if unit.pieces is not None and (unit.machine is not None or main_shot(unit) is None):
        wrong("pieces", _("Pieces are guns and the like that men serve: give their weapon, and no machine."))
    most = _most_extra(unit)
    if unit.extra > most:
        wrong("extra", _("At most {most}: half the damage of another of its weapons."), most=most)


def _judge_group(unit: Unit, wrong: Wrong) -> None:
    """Artillery and machines shoot; who shoots needs a weapon for it (B-5, B-65)."""
    if unit.group == CONTACT and unit.machine is not None:
        wrong("group", _("Machines shoot: put them into the shooting group."))
    elif unit.group == CONTACT and of_pieces(unit):
        wrong("group", _("Artillery always shoots: put it into the shooting group."))
    elif unit.group == SHOOTING and unit.machine is None and main_shot(unit) is None:
        wrong("group", _("Nobody shoots without a weapon for it: choose one, or the contact group."))


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
        never=kept.get("never", False) or kind.never, machine=machine, starves=kept.get("starves", kind.starves),
        **{one.name: kept.get(one.key, one.default) for one in AS_WRITTEN},
    )  # fmt: skip


def unit_to_json(unit: Unit, tables: Tables = OWN_TABLES) -> Json:
    """The document that reads back as this unit, with all that follows left out."""
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


# who leads

_OF_MIND = _("What it is above 5 counts for him, what it is below 5 against him.")
COMMANDER_FIGURES: Mapping[str, SheetFigure] = {
    "mental": SheetFigure(_("MENTAL"), 0, 20, 5, _OF_MIND),
    "presence": SheetFigure(_("PRESENCE"), 0, 20, 5, _OF_MIND),
    "combat": SheetFigure(_("His own combat"), -20, 30, 0),
    "art_of_war": SheetFigure(_("Art of war"), 0, 20, 0),
    "diplomacy": SheetFigure(_("Diplomacy"), 0, 20, 0),
}
COMMANDER = shape_of_figures(COMMANDER_FIGURES)


def read_commander(document: object) -> dict[str, int]:
    """A commander's figures as they are kept. Raises `InvalidInput` with a pointer for every problem."""
    found: dict[str, int] = COMMANDER.read_document(without_version(document))
    return found


def general_from(id: str, name: str, document: Mapping[str, Any]) -> General:
    """Of figures as they are kept; what is missing is as if nothing had been said. Raises `InvalidInput`."""
    known = {slug: document[slug] for slug in COMMANDER_FIGURES if slug in document}
    return General(id, name, **read_commander(known))


# Documents of armies: their units (BP-2).

HUNDRED = 100


class HostDocuments:
    """`rules.law.SheetLaw` for armies of units: `{"units": […]}`, each in the shape of the API."""

    version = 1
    health = _("Heads fit to fight")
    entries: Mapping[str, SheetFigure] = {}  # its own form asks for the units
    shape = ARMY

    def __init__(self, tables: Tables, house: House):
        self.tables, self._house = tables, house

    @property
    def upkeep(self) -> Term | None:
        return _("Upkeep") if self._house.upkeep else None

    def read(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """The document in its one shape. Raises `InvalidInput` with a pointer for every problem."""
        return clean_army(document, self.tables)

    def units_of(self, document: Mapping[str, Any]) -> tuple[Unit, ...]:
        """Raises `InvalidInput` where the law does not accept the document."""
        return units_of(document, self.tables)

    def measure(self, document: Mapping[str, Any]) -> Measure:
        """Of a document that was read: heads able to fight, with the wounded when it is whole, and what a week of those
        who are able costs (B-69).
        """
        units = [unit_from(kept, self.tables) for kept in document["units"]]
        strength = sum(unit.strength for unit in units)
        whole = max(1, strength + sum(unit.wounded for unit in units))
        told = [say(_("{heads} × {unit}"), heads=unit.strength, unit=unit.name) for unit in units]
        upkeep = -(-strength // HUNDRED) * self._house.upkeep
        return Measure(whole, upkeep, say(Term("{units}"), units=told), fit=strength)

    def from_afar(self, document: Mapping[str, Any]) -> FromAfar:
        """The arm most of its heads are of, and their number to one figure (B-18)."""
        units = [unit_from(kept, self.tables) for kept in document["units"]]
        largest = max(units, key=lambda unit: unit.strength)
        heads = one_figure(sum(unit.strength for unit in units))
        return FromAfar(say(Term("{unit}"), unit=largest.name), say(ABOUT, heads=heads))

    def in_words(self, document: Mapping[str, Any]) -> Sequence[Said]:
        """Of an army its units and what it has taken, of a commander what they are able to."""
        units = [_in_words(kept) for kept in document.get("units", ())]
        figures = ((entry.name, document[slug]) for slug, entry in COMMANDER_FIGURES.items() if slug in document)
        taken = [losses.in_words(spoil) for spoil in document.get("spoils", ())]
        return [*units, *taken, *(say(_("{figure} {value}"), figure=name, value=value) for name, value in figures)]


ABOUT = by_number("about {heads} head", "about {heads} heads", "heads")
COUNTED = {
    "wounded": by_number("{count} wounded", "{count} wounded"),
    "experience": by_number("{count} point of experience", "{count} points of experience"),
}


def _in_words(kept: Mapping[str, Any]) -> Said:
    told = [say(_("combat {combat}"), combat=kept["combat"])]
    told += [say(words, count=kept[name]) for name, words in COUNTED.items() if kept.get(name)]
    return say(_("{heads} × {unit} ({told})"), heads=kept["strength"], unit=kept["name"], told=told)
