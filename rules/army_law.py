"""Army part of a law: how the law reads an army's document (its sheet), and the army fields, declared once, from which
forms, API, tables and documents are derived.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, Protocol

from rules.core.errors import InvalidInput, demand, pointer
from rules.core.shapes import (
    DeclaredShape,
    InApi,
    Label,
    Marker,
    OneOf,
    ShapeField,
    Text,
    WholeNumber,
    in_words,
    shape_of,
)
from rules.core.shapes.value_kinds import NUMBER_MOST, ChoiceKind, FlagKind, WholeKind
from rules.core.text import NO_WORDS, Said, Term, _, say, verbatim
from rules.movable_entries import MovableEntries
from rules.realm import SheetFigure

# Army part of a law: how the law reads an army's document (its sheet).

NAME_SHOWN = 60


class Measure(NamedTuple):
    """Health, upkeep and description of an army, computed from its document.

    `health` is its maximum, `upkeep` the cost of a week, `text` a description for lists. `fit` is its current health
    where the document holds it. None means that the damage taken is stored outside the document.
    """

    health: int
    upkeep: int
    text: Said
    fit: int | None = None


class FromAfar(NamedTuple):
    """View of an army for readers without access to its sheet: its kind ("" if the law has only one) and its rough
    size.
    """

    kind: Said
    size: Said


def one_figure(number: int) -> int:
    """Round a number down to one significant digit, as scouts estimate it: `one_figure(1234) == 1000`."""
    step = 10 ** (len(str(number)) - 1)
    return number // step * step if number > 0 else 0


def number_titles(entries: Sequence[tuple[str, Term]]) -> list[Said]:
    """Return titles for the parts of an army, given as (name, type). A part without a name takes its type, with a
    number where several unnamed parts share that type.
    """
    types = [None if name else str(kind) for name, kind in entries]
    found: list[Said] = []
    for place, (name, kind) in enumerate(entries):
        if name:
            found.append(verbatim(name))
            continue
        number = types[: place + 1].count(types[place])
        numbered = say(Term("{kind} {number}"), kind=kind, number=number)
        found.append(numbered if types.count(types[place]) > 1 else kind)
    return found


class SheetLaw(Protocol):
    """Protocol of a law's army documents. A document is JSON that only the law reads and writes."""

    @property
    def version(self) -> int:
        """Version of the document's format. It is stored with the document."""

    @property
    def health(self) -> Term:
        """Name of an army's health, above bars and columns."""

    @property
    def upkeep(self) -> Term | None:
        """Name of an army's weekly upkeep. None if armies cost nothing."""

    @property
    def shrinks(self) -> bool:
        """Whether what an army loses leaves its document. Then full health doesn't mean that it never lost anything."""

    @property
    def entries(self) -> Mapping[str, SheetFigure]:
        """Fields of a plain form. A law whose documents hold more than numbers brings its own form."""

    def read(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """Validate the document and return it in its stored form. Raises `InvalidInput` with a JSON pointer."""

    def measure(self, document: Mapping[str, Any]) -> Measure:
        """Measure a document that `read` has returned. Raises `InvalidInput` if it describes no valid army."""

    def in_words(self, document: Mapping[str, Any]) -> Sequence[Said]:
        """Describe an army's or a commander's document for the chronicle. Unknown entries are left out."""

    def from_afar(self, document: Mapping[str, Any]) -> FromAfar:
        """Return the view of readers without access to the sheet. `document`: a result of `read`. Raises `InvalidInput`
        if it describes no valid army.
        """


class NumberSheets:
    """Army documents made of whole numbers. One number is the army's maximum health; another may be its upkeep."""

    version = 1
    shrinks = False

    def __init__(self, entries: Mapping[str, SheetFigure], *, health: str, upkeep: str = ""):
        self.entries = entries
        self._health = health
        self._upkeep = upkeep
        self.health = entries[health].name
        self.upkeep = entries[upkeep].name if upkeep else None

    def read(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """Return the numbers, with defaults filled in. A `version` in the document is ignored. Raises `InvalidInput`
        with a JSON pointer for a number that is missing, malformed or out of bounds, and for an unknown field.
        """
        demand(isinstance(document, Mapping), _("Enter a JSON object here."))
        for name in document.keys() - self.entries.keys() - {"version"}:
            demand(False, _("This sheet has no field “{name}”."), field=pointer("", name), name=name[:NAME_SHOWN])
        return {slug: self._whole(slug, entry, document.get(slug, entry.start)) for slug, entry in self.entries.items()}

    def in_words(self, document: Mapping[str, Any]) -> Sequence[Said]:
        known = ((entry.name, document[slug]) for slug, entry in self.entries.items() if slug in document)
        return [say(_("{figure} {value}"), figure=name, value=value) for name, value in known]

    def _whole(self, slug: str, entry: SheetFigure, value: Any) -> int:
        whole = isinstance(value, int) and not isinstance(value, bool) and entry.least <= value <= entry.most
        demand(whole, _("Use a whole number from {low} to {high}."), field=f"/{slug}", low=entry.least, high=entry.most)
        return int(value)

    def measure(self, document: Mapping[str, Any]) -> Measure:
        health = document[self._health]
        upkeep = document[self._upkeep] if self._upkeep else 0
        text = say(_("{figure}: {value}"), figure=self.entries[self._health].name, value=health)
        return Measure(health, upkeep, text)

    def from_afar(self, document: Mapping[str, Any]) -> FromAfar:
        name, whole = self.entries[self._health].name, one_figure(document[self._health])
        return FromAfar(NO_WORDS, say(_("{figure}: about {value}"), figure=name, value=whole))


PLAIN_SHEETS = NumberSheets({"strength": SheetFigure(_("Strength"), 1, 1_000_000, 100)}, health="strength")


def without_version(document: Any) -> Any:
    """Return the document without its `version`."""
    if not isinstance(document, Mapping):
        return document
    return {name: value for name, value in document.items() if name != "version"}


def shape_of_figures(entries: Mapping[str, SheetFigure]) -> DeclaredShape:
    """Build the shape of a document of whole numbers, read as a mapping. A missing number takes its start value."""
    return DeclaredShape(dict, tuple(
        ShapeField(slug, slug, WholeKind(entry.least, entry.most), entry.start, named=Label(entry.name, entry.help))
        for slug, entry in entries.items()
    ))  # fmt: skip


class DocumentSheets(MovableEntries, ABC):
    """Army documents of a declared shape.

    `catalogues` holds the items a document may name, by kind and slug. `commander` is the class that declares a
    commander's document; None means that a commander has only a name. A law implements `measured` and `seen` for the
    value that was read. All fields of a commander's document have defaults; an army's document has at least one field
    without.
    """

    version = 1
    shrinks = True
    entries: Mapping[str, SheetFigure] = {}  # a law with its own form needs no plain fields
    health: Term
    upkeep: Term | None = None

    def __init__(self, cls: Any, catalogues: Mapping[str, Any] | None = None, commander: Any = None):
        self.shape = shape_of(cls)
        self.catalogues = catalogues or {}
        self.commander_shape = shape_of(commander) if commander else None

    @abstractmethod
    def measured(self, army: Any) -> Measure: ...

    @abstractmethod
    def seen(self, army: Any) -> FromAfar: ...

    def value_of(self, document: Mapping[str, Any]) -> Any:
        """Parse an army's document. A stored `version` in it is ignored. Raises `InvalidInput` with a JSON pointer for
        every problem.
        """
        return self.shape.read_document(without_version(document), "", self.catalogues)

    def read(self, document: Mapping[str, Any]) -> dict[str, Any]:
        return self.shape.write(self.value_of(document))

    def measure(self, document: Mapping[str, Any]) -> Measure:
        return self.measured(self.value_of(document))

    def from_afar(self, document: Mapping[str, Any]) -> FromAfar:
        return self.seen(self.value_of(document))

    def rested(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """Return the document after a week without battle. Unchanged where the law lets armies recover nothing."""
        return self.read(document)

    def commander_of(self, document: Mapping[str, Any]) -> Any:
        """Parse a commander's document; missing fields take their defaults. Raises `InvalidInput`."""
        assert self.commander_shape is not None
        return self.commander_shape.read_document(without_version(document), "", self.catalogues)

    def read_commander(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """Validate a commander's document and return it in their stored form. Raises `InvalidInput` with a JSON
        pointer for every problem.
        """
        assert self.commander_shape is not None
        return self.commander_shape.write(self.commander_of(document))

    def in_words(self, document: Mapping[str, Any]) -> Sequence[Said]:
        """Describe an army's or a commander's document, a sentence for each field. Empty where the
        document is invalid.
        """
        try:
            if self._is_commanders(document):
                assert self.commander_shape is not None
                return tuple(in_words(self.commander_shape, self.commander_of(document), self.catalogues))
            return tuple(in_words(self.shape, self.value_of(document), self.catalogues))
        except InvalidInput:
            return ()

    def _is_commanders(self, document: Mapping[str, Any]) -> bool:
        needed = (key for key, one in self.shape.members.items() if one.needed)
        return self.commander_shape is not None and not any(key in document for key in needed)


# Army fields, declared once. Forms, the API, tables, the chronicle and campaign documents are derived from the
# declaration.
#
# A declaration is a dataclass. Each field is an attribute of the army, in the order in which the chronicle lists them.
# Markers say who may set a field and who sees it. `ArmyFigures` holds the fields of every army. A law whose armies have
# more columns declares all its fields in its own folder.

# Markers of figures.

AT_RAISING = Marker("at raising")
"""Whoever raises an army may set this field, in forms, the API, tables and armies raised as copies."""
GM_ONLY = Marker("gm only")
"""At raising, only the GM's value is used."""
CORRECTABLE = Marker("correctable")
"""The GM may correct this field in forms, the API and tables."""
IN_ANSWERS = Marker("in answers")
"""API answers contain this field."""
ON_SHEET = Marker("on sheet")
"""The army's page and its print list this field. Fields that these pages draw in a place of their
own are not marked.
"""
DERIVED = Marker("derived")
"""Computed from other fields. The chronicle does not compare it."""
WHEREABOUTS = Marker("whereabouts")
"""Says where the army is or goes. Under fog readers of others' sheets are not told."""
OWN_ONLY = Marker("own only")
"""Only readers of the army's kingdom are told of changes: no answer contains the field."""
ADDED_LATER = Marker("added later")
"""Campaign documents written before this field was declared lack it. They are read with its default."""


class StoredAs(NamedTuple):
    """Name of the field's column, where it differs from the field's name."""

    name: str


STATUSES: Mapping[str, Term] = {
    "ready": _("ready"), "routed": _("routed"), "defeated": _("defeated"), "disbanded": _("disbanded"),
    "captured": _("captured"),
}  # fmt: skip


def at_most(attribute: str) -> WholeNumber:
    """Whole number from 0 to the army's value of another field, for example `health` up to `health_max`."""
    return WholeNumber(0, lambda army: army.get(attribute, NUMBER_MOST))


type StatusFigure = Annotated[
    str, OneOf(STATUSES, _("Unknown status. Choose one from the list.")), Label(_("Status")), CORRECTABLE, IN_ANSWERS
]
type RevealedFigure = Annotated[
    bool, Label(_("Sheet revealed"), asked=_("All players can read its sheet")),
    AT_RAISING, GM_ONLY, CORRECTABLE, IN_ANSWERS,
]  # fmt: skip
type HiddenFigure = Annotated[bool, Label(_("Hidden from other players")), IN_ANSWERS]
type PlaceFigure = Annotated[
    str, Text(), Label(_("Location")), InApi("where it is or goes to, in free words"), IN_ANSWERS, WHEREABOUTS
]
type HexFigure = Annotated[str, Label(_("Hex of the map")), WHEREABOUTS]
type ArrivalFigure = Annotated[
    int | None, Label(_("Marching until day")), InApi("the day it arrives"), IN_ANSWERS, WHEREABOUTS
]
type WayFigure = Annotated[Any, Label(_("Route")), WHEREABOUTS]
type LeaderFigure = Annotated[str | None, Label(_("Commander"))]
type AdjustmentsFigure = Annotated[Any, Label(_("Adjustments")), ADDED_LATER]


@dataclass(frozen=True, kw_only=True, slots=True)
class ArmyFigures:
    """Fields of every army, whatever its law."""

    name: Annotated[str, Text(), Label(_("Name"))]
    sheet: Annotated[Any, Label(_("Sheet"))]
    health: Annotated[int, at_most("health_max"), Label(_("Health")), CORRECTABLE, IN_ANSWERS]
    health_max: Annotated[int, Label(_("Maximum health")), IN_ANSWERS]
    upkeep: Annotated[int, Label(_("Upkeep")), IN_ANSWERS] = 0
    status: StatusFigure = "ready"
    place: PlaceFigure = ""
    hex: HexFigure = ""
    marching_until: ArrivalFigure = None
    route: WayFigure = None
    revealed: RevealedFigure = False
    hidden: HiddenFigure = False
    adjustments: AdjustmentsFigure = ()
    commander: LeaderFigure = None


ARMY_FIGURES = shape_of(ArmyFigures)


# What a declaration says.


def list_figures(shape: DeclaredShape, *marks: object, without: object = None) -> tuple[ShapeField, ...]:
    """Return the fields that have all of these markers and lack the marker `without`."""
    return tuple(one for one in shape.fields if all(mark in one.marks for mark in marks) and without not in one.marks)


def names_of(shape: DeclaredShape, *marks: object, without: object = None) -> tuple[str, ...]:
    return tuple(one.name for one in list_figures(shape, *marks, without=without))


def words_of(shape: DeclaredShape, *marks: object, without: object = None) -> dict[str, Said]:
    """Return the label of each field by its name, for the chronicle."""
    return {one.name: one.label for one in list_figures(shape, *marks, without=without)}


def column_of(one: ShapeField) -> str:
    return next((mark.name for mark in one.marks if isinstance(mark, StoredAs)), one.name)


def clean_figure(one: ShapeField, value: Any, army: Mapping[str, Any]) -> Any:
    """Validate the value and return it in its stored form. `army` holds the army's other figures, for bounds that
    depend on them. Raises `InvalidInput` for a choice or number out of bounds.
    """
    match one.kind:
        case FlagKind():
            return bool(value)
        case ChoiceKind():
            demand(isinstance(value, str) and value in one.kind.slugs({}), one.kind.wrong, field=f"/{one.key}")
        case WholeKind():
            kind = one.kind.within(army)
            demand(kind.holds(value), _("Use a whole number from {low} to {high}."), field=f"/{one.key}",
                   low=kind.lowest, high=kind.highest)  # fmt: skip
    return value
