"""Reformed army documents: entries of their lists move from one army to another (C-9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from rules.core.errors import InvalidInput, demand
from rules.core.shapes import DeclaredShape
from rules.core.shapes.objects import entries_of, entry_in_words
from rules.core.text import Said, Term, _

type SheetDocument = dict[str, Any]
type SheetEntry = dict[str, Any]

MOVES_MOST = 1000
WHOLE = _("This can’t be divided. Leave the number empty.")
UNLIKE_ARMIES: Mapping[str, Term] = {
    "kingdom": _("{army} and {other} belong to different kingdoms. Choose armies of one kingdom."),
    "place": _("{army} and {other} aren’t at the same place. Move them together first."),
    "status": _("{army} and {other} can’t be combined: one of them is routed."),
}
"""Why armies are not reformed together, under any law."""


class EntryMove(NamedTuple):
    """An entry of an army's list that goes to the army at the place `to`. Armies are known by their place.

    `heads`: how many of its heads, None for the whole entry.
    """

    army: int
    part: str
    entry: int
    to: int
    heads: int | None = None


class ReformedLaw(Protocol):
    """A law of army documents that can be reformed. `MovableEntries` is the plain answer."""

    def read(self, document: Mapping[str, Any]) -> SheetDocument: ...
    @property
    def movable(self) -> tuple[str, ...]: ...
    def heads_of(self, entry: SheetEntry) -> int | None: ...
    def divide(self, entry: SheetEntry, count: int) -> tuple[SheetEntry, SheetEntry]: ...
    def join(self, entries: Sequence[SheetEntry], more: Sequence[SheetEntry]) -> list[SheetEntry]: ...
    def inherit(self, document: SheetDocument, gone: Mapping[str, Any]) -> SheetDocument: ...


class MovableEntries:
    """Documents whose lists of objects hold what an army consists of. Entries move whole."""

    shape: DeclaredShape
    catalogues: Mapping[str, Any] = {}

    @cached_property
    def movable(self) -> tuple[str, ...]:
        """Names of the lists whose entries move."""
        return tuple(key for key, one in self.shape.members.items() if not one.carried and entries_of(one) is not None)

    def heads_of(self, entry: SheetEntry) -> int | None:
        """Return the heads of an entry that can be divided; None for one that moves whole."""
        return None

    def divide(self, entry: SheetEntry, count: int) -> tuple[SheetEntry, SheetEntry]:
        """Split an entry into what stays and `count` heads. Raises `InvalidInput` for an entry without heads."""
        raise InvalidInput(WHOLE)

    def join(self, entries: Sequence[SheetEntry], more: Sequence[SheetEntry]) -> list[SheetEntry]:
        """Add entries to those that an army has."""
        return [*entries, *more]

    def inherit(self, document: SheetDocument, gone: Mapping[str, Any]) -> SheetDocument:
        """Return the document of an army that takes over the last troops of the army `gone`."""
        return document

    def label_entries(self, document: Mapping[str, Any]) -> dict[str, list[Said]]:
        """Describe each entry of the movable lists. Raises `InvalidInput` for an invalid document."""
        value: Any = self.shape.read_document(document, "", self.catalogues)
        return {name: list(self._labels(name, value)) for name in self.movable}

    def _labels(self, name: str, value: Any) -> Iterator[Said]:
        inner = entries_of(self.shape.members[name])
        assert inner is not None
        for place, entry in enumerate(getattr(value, self.shape.members[name].name)):
            yield entry_in_words(inner, entry, place, self.catalogues)


def move_entries(
    law: ReformedLaw, documents: Sequence[Mapping[str, Any] | None], moves: Sequence[EntryMove]
) -> list[SheetDocument | None]:
    """Return the documents after these moves, at the same places. None stands for a new army before, and for an army
    with nothing left afterwards. What does not move stays; a new army has everything else like the first it takes from.

    Raises `InvalidInput` with pointers below "/moves", and below "/documents" with the law's own words.
    """
    before = [None if one is None else law.read(one) for one in documents]
    sorting = _Sorting(law, before)
    demand(len(moves) <= MOVES_MOST, _("Move at most {most} entries at once."), field="/moves", most=MOVES_MOST)
    for place, move in enumerate(moves):
        sorting.move(move, f"/moves/{place}")
    heirs = _find_heirs(moves)
    after = [sorting.form(place) for place in range(len(documents))]
    for place, old in enumerate(before):
        demand(old or after[place], _("Choose what the new army takes."), field=f"/documents/{place}")
        heir = after[heirs[place]] if old and not after[place] and place in heirs else None
        if old and heir is not None:
            after[heirs[place]] = law.inherit(heir, old)
    return [_read(law, one, place) for place, one in enumerate(after)]


def _find_heirs(moves: Sequence[EntryMove]) -> dict[int, int]:
    """For each army, the army that takes its first entries."""
    heirs: dict[int, int] = {}
    for move in moves:
        heirs.setdefault(move.army, move.to)
    return heirs


def _read(law: ReformedLaw, document: SheetDocument | None, place: int) -> SheetDocument | None:
    if document is None:
        return None
    try:
        return law.read(document)
    except InvalidInput as refusal:
        raise refusal.below(f"/documents/{place}") from None


class _Sorting:
    """Entries of all armies while they move. `left`: by army and list; None if the whole entry has gone."""

    def __init__(self, law: ReformedLaw, before: Sequence[SheetDocument | None]):
        self._law, self._before = law, before
        self._left: list[dict[str, list[SheetEntry | None]]] = [
            {name: list((one or {}).get(name, ())) for name in law.movable} for one in before
        ]
        self._gained: list[dict[str, list[SheetEntry]]] = [{name: [] for name in law.movable} for _one in before]
        self._first: dict[int, int] = {}

    def move(self, move: EntryMove, at: str) -> None:
        """Carry out a move. Raises `InvalidInput` with a pointer below `at`."""
        entry = self._find(move, at)
        other = 0 <= move.to < len(self._before) and move.to != move.army
        demand(other, _("Choose another army that takes part."), field=f"{at}/to")
        left, gone = self._cut(entry, move.heads, f"{at}/heads")
        self._left[move.army][move.part][move.entry] = left
        self._gained[move.to][move.part].append(gone)
        self._first.setdefault(move.to, move.army)

    def _cut(self, entry: SheetEntry, heads: int | None, at: str) -> tuple[SheetEntry | None, SheetEntry]:
        """Split an entry into what stays, None for nothing, and what goes."""
        if heads is None:
            return None, entry
        there = self._law.heads_of(entry)
        demand(there is not None, WHOLE, field=at)
        most = max(1, there or 0)
        demand(1 <= heads <= most, _("Use a whole number from {low} to {high}."), field=at, low=1, high=most)
        return self._law.divide(entry, heads) if heads < most else (None, entry)

    def _find(self, move: EntryMove, at: str) -> SheetEntry:
        demand(0 <= move.army < len(self._left), _("This army isn’t one of those you are reforming."),
               field=f"{at}/army")  # fmt: skip
        demand(move.part in self._law.movable, _("Use one of: {known}."), field=f"{at}/part",
               known=", ".join(self._law.movable))  # fmt: skip
        entries = self._left[move.army][move.part]
        found = entries[move.entry] if 0 <= move.entry < len(entries) else None
        demand(found is not None, _("This isn’t in the army, or has already been moved."), field=f"{at}/entry")
        assert found is not None
        return found

    def form(self, place: int) -> SheetDocument | None:
        """Return the document that results, unchecked; None if nothing is left."""
        kept = {name: [one for one in entries if one is not None] for name, entries in self._left[place].items()}
        lists = {name: self._law.join(entries, self._gained[place][name]) for name, entries in kept.items()}
        if not any(lists.values()):
            return None
        rest = self._before[place] or self._like(self._first.get(place))
        return {**rest, **{name: entries for name, entries in lists.items() if entries or name in rest}}

    def _like(self, source: int | None) -> SheetDocument:
        """Return what a new army has from the first army that it takes something from: all but its lists."""
        document = self._before[source] if source is not None else None
        return {name: value for name, value in (document or {}).items() if not isinstance(value, list)}
