"""The army half of a law: what its document of an army says."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from rules.core.errors import InvalidInput, demand, pointer
from rules.core.shapes import DeclaredShape, Label, ShapeField, in_words, shape_of
from rules.core.shapes.value_kinds import WholeKind
from rules.core.text import NO_WORDS, Said, Term, _, say, verbatim
from rules.realm import SheetFigure

NAME_SHOWN = 60


class Measure(NamedTuple):
    """What lists and weeks read of an army's document: its health when whole, its upkeep a week, and it in words.

    `fit`: its health now, where the document says that; None: the damage it has taken is kept beside the document.
    """

    health: int
    upkeep: int
    text: Said
    fit: int | None = None


class FromAfar(NamedTuple):
    """What is seen of an army without its sheet: what it is ("" where a law has one kind only), how large, roughly."""

    kind: Said
    size: Said


def one_figure(number: int) -> int:
    """A number as it is guessed from afar: to one figure, rounded down."""
    step = 10 ** (len(str(number)) - 1)
    return number // step * step if number > 0 else 0


def number_titles(entries: Sequence[tuple[str, Term]]) -> list[Said]:
    """What the parts of an army are called: by their own names, else by the names of their types, numbered where there
    are several without a name of one type.
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
    """What an army is, as its document says: JSON that only the law reads and writes."""

    @property
    def version(self) -> int:
        """Of the document's shape; kept with it."""

    @property
    def health(self) -> Term:
        """What an army's health is called, on bars and above columns."""

    @property
    def upkeep(self) -> Term | None:
        """What a week of an army costs is called; None where it costs nothing."""

    @property
    def entries(self) -> Mapping[str, SheetFigure]:
        """What a plain form asks for. A law whose documents are more than numbers has a face that asks for the rest."""

    def read(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """The document as it is kept. Raises `InvalidInput` with a pointer into it."""

    def measure(self, document: Mapping[str, Any]) -> Measure:
        """Of a document that was read. Raises `InvalidInput` where it makes no army."""

    def in_words(self, document: Mapping[str, Any]) -> Sequence[Said]:
        """What stands in it, of an army or of a commander, for the chronicle. What it does not know it leaves out."""

    def from_afar(self, document: Mapping[str, Any]) -> FromAfar:
        """Of a document that was read. Raises `InvalidInput` where it makes no army."""


class NumberSheets:
    """Documents of whole numbers. One of them is the army's health when it is whole; upkeep may be another."""

    version = 1

    def __init__(self, entries: Mapping[str, SheetFigure], *, health: str, upkeep: str = ""):
        self.entries = entries
        self._health = health
        self._upkeep = upkeep
        self.health = entries[health].name
        self.upkeep = entries[upkeep].name if upkeep else None

    def read(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """Raises `InvalidInput` with a pointer for a number that is missing, none, or out of its bounds, and for what
        nobody asked for. The version may stand in it as it was read.
        """
        demand(isinstance(document, Mapping), _("Enter a JSON object here."))
        for name in document.keys() - self.entries.keys() - {"version"}:
            demand(False, _("This sheet has no “{name}”."), field=pointer("", name), name=name[:NAME_SHOWN])
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
    """A document without the version it was kept under."""
    if not isinstance(document, Mapping):
        return document
    return {name: value for name, value in document.items() if name != "version"}


def shape_of_figures(entries: Mapping[str, SheetFigure]) -> DeclaredShape:
    """A document of whole numbers, read as a mapping; what is missing is as it starts."""
    return DeclaredShape(dict, tuple(
        ShapeField(slug, slug, WholeKind(entry.least, entry.most), entry.start, named=Label(entry.name, entry.help))
        for slug, entry in entries.items()
    ))  # fmt: skip


class DocumentSheets(ABC):
    """Documents of a declared shape. `catalogues`: what they may name, by kind and slug. `commander`: the declared
    class of a commander's document; None: a commander has a name and nothing else.

    A law says what one is worth (`measured`) and how it is seen (`seen`), both of the value that was read. What may be
    left out of an army's document or a commander's is as usual; an army's has something that may not.
    """

    version = 1
    entries: Mapping[str, SheetFigure] = {}  # a form of its own asks for them
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
        """What the document says. Raises `InvalidInput` with a pointer for every problem. The version it was kept under
        may stand in it.
        """
        return self.shape.read_document(without_version(document), "", self.catalogues)

    def read(self, document: Mapping[str, Any]) -> dict[str, Any]:
        return self.shape.write(self.value_of(document))

    def measure(self, document: Mapping[str, Any]) -> Measure:
        return self.measured(self.value_of(document))

    def from_afar(self, document: Mapping[str, Any]) -> FromAfar:
        return self.seen(self.value_of(document))

    def rested(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """The document after a week without battle: as it was, where a law gives nothing back."""
        return self.read(document)

    def commander_of(self, document: Mapping[str, Any]) -> Any:
        """What a commander's document says; what is missing is as usual. Raises `InvalidInput`."""
        assert self.commander_shape is not None
        return self.commander_shape.read_document(without_version(document), "", self.catalogues)

    def read_commander(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """A commander's document as it is kept. Raises `InvalidInput` with a pointer for every problem."""
        assert self.commander_shape is not None
        return self.commander_shape.write(self.commander_of(document))

    def in_words(self, document: Mapping[str, Any]) -> Sequence[Said]:
        """Of an army's document, or of a commander's."""
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
