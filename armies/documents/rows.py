"""CSV rows of armies with a declared document, and their cells: one row for each entry of its lists; the first also has
the army's own members.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from armies.documents.drafts import DocumentDraft, EntryDraft, list_kind, lists_of
from armies.documents.forms import with_carried
from armies.forces.services import request_sheet_change
from armies.models import Army
from armies.tables.army_rows import ArmyBody, find_cell, wrong
from armies.tables.tables import YES, Cells, parse_whole_number, parse_yes_or_no
from core.clean_input import read_typed_whole
from core.csv_tables import read_table
from core.shapes.forms import JsonDocument
from kingdom.models import Campaign
from rules.core.errors import InvalidInput, demand
from rules.core.shapes import DeclaredShape, ShapeField
from rules.core.shapes.objects import UnionKind
from rules.core.shapes.value_kinds import ChoiceKind, FlagKind, ListKind, WholeKind
from rules.core.text import Said, _, say

# Cells of CSV tables: members of a declared shape in one row, both ways.
#
# An object is written `slug?number=2&secondary=yes`, or without a slug `?name=Blunderbuss&damage=9`; several are
# separated by semicolons. `none` stands for an empty list, where a missing one would mean the default.

NONE = "none"


def cells_of(shape: DeclaredShape, data: Mapping[str, Any]) -> dict[str, Any]:
    """Cells of a document by its members, which are the columns."""
    return {key: _cell(one, data.get(key)) for key, one in shape.members.items()}


def document_of(shape: DeclaredShape, cells: Mapping[str, str]) -> JsonDocument:
    """The document that these cells describe, not validated by the shape. Raises `InvalidInput` with the column."""
    found = {key: _value(one, cells[key]) for key, one in shape.members.items() if cells.get(key)}
    return {key: value for key, value in found.items() if value is not None}


def _cell(one: ShapeField, value: Any) -> Any:
    match one.kind:
        case FlagKind():
            return ("" if value is None else "yes" if value else "no") if one.nullable else "yes" if value else ""
        case ListKind(item=UnionKind() | ChoiceKind() as item):
            first = _first(item)
            return (
                NONE if value == [] and one.nullable else "; ".join(_thing_cell(thing, first) for thing in value or ())
            )
        case ListKind():
            return ", ".join(map(str, value or ()))
        case UnionKind() as union if isinstance(value, Mapping):
            return _thing_cell(value, _first(union))
    return value


def _first(kind: Any) -> str:
    """Key of the member that a bare slug stands for."""
    return kind.listed.first.key if isinstance(kind, UnionKind) and kind.listed else "slug"


def _thing_cell(thing: Any, first: str) -> str:
    """A slug or an object as one cell."""
    if not isinstance(thing, Mapping):
        return str(thing)
    told = {name: _told(value) for name, value in thing.items()
            if name != first and value is not None and value is not False}  # fmt: skip
    slug = str(thing.get(first, ""))
    return f"{slug}?{urlencode(told, safe='/ ,')}" if told else slug


def _told(value: Any) -> str:
    if value is True:
        return "yes"
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _value(one: ShapeField, text: str) -> Any:
    match one.kind:
        case WholeKind():
            return parse_whole_number(text, field=f"/{one.key}")
        case FlagKind():
            said = parse_yes_or_no(text, field=f"/{one.key}")
            return said if said or one.nullable else None
        case ListKind(item=UnionKind() | ChoiceKind() as item):
            things = [_thing(part, item) for part in text.split(";") if part.strip()]
            return [] if things == [NONE] else things or None
        case ListKind():
            parts = [part.strip() for part in text.split(",") if part.strip()]
            return [read_typed_whole(part) for part in parts] if isinstance(one.kind.item, WholeKind) else parts
        case UnionKind() as union:
            return _thing(text, union)
    return text


def _thing(text: str, kind: Any) -> Any:
    slug, mark, tail = (part.strip() for part in text.strip().partition("?"))
    if not mark:
        return slug
    shapes = kind.shapes if isinstance(kind, UnionKind) else ()
    members = {key: one for shape in shapes for key, one in shape.members.items()}
    told = {name: _member(members.get(name), value) for name, value in parse_qsl(tail)}
    return {_first(kind): slug, **told} if slug else told


def _member(one: ShapeField | None, text: str) -> Any:
    if one is not None and isinstance(one.kind, ListKind):
        return [read_typed_whole(part) for part in text.split(",")]
    if one is not None and not isinstance(one.kind, WholeKind | FlagKind):
        return text
    return True if text.casefold() in YES and not text.isdigit() else read_typed_whole(text)


# CSV rows of armies with a declared document: one for each entry of its lists; the first also has the army's own
# members.

WHAT = "list"  # column with the list's name, where there are several lists
MOST_SHOWN = 8
MOST_CHARACTERS = 60_000
NO_ROW = _("This table has no units. Add at least one row.")


class TableEntry(NamedTuple):
    """An entry of a table, not validated. `number`: its last line; `list`: name of the list."""

    number: int
    list: str
    unit: JsonDocument


class DocumentRows:
    """`ArmyCells` of a shape. `columns`: their order, by default the shape's. `needed`: columns a table must have, by
    default those of required members.
    """

    several = True

    def __init__(self, shape: DeclaredShape, columns: Sequence[str] = (), needed: Collection[str] | None = None):
        self.shape, self.lists = shape, lists_of(shape)
        self.own = [key for key, one in shape.members.items() if key not in self.lists and not one.carried]
        entries = [key for inner in self.lists.values() for key in inner.members]
        what = [WHAT] if len(self.lists) > 1 else []
        self.head = tuple(columns or dict.fromkeys((*what, *self.own, *entries)))
        required = [key for key, one in next(iter(self.lists.values())).members.items() if one.needed]
        self.needed: Collection[str] = required if needed is None else needed

    # Army to rows.

    def columns(self, campaign: Campaign) -> Sequence[str]:
        return self.head

    def cells(self, army: Army) -> Sequence[Cells]:
        return self.rows_of(army.sheet)

    def rows_of(self, document: Mapping[str, Any]) -> list[dict[str, Any]]:
        rows = [
            {**({WHAT: name} if len(self.lists) > 1 else {}), **cells_of(inner, entry)}
            for name, inner in self.lists.items()
            for entry in document.get(name, ())
        ]
        own = cells_of(self.shape, document)
        first = {key: own[key] for key in self.own}
        return [{**first, **rows[0]}, *rows[1:]] if rows else [first] if first else []

    def table_of(self, army: Army) -> tuple[Sequence[str], list[list[Any]]]:
        return self.head, [[row.get(name) for name in self.head] for row in self.cells(army)]

    # Rows to army.

    def body(self, army: Army | None, campaign: Campaign, rows: Sequence[Mapping[str, str]]) -> ArmyBody:
        """The document with all its entries replaced; empty for an existing army and a table without the needed
        columns.
        """
        if army is not None and not any(name in rows[0] for name in self.needed):
            return ArmyBody({}, {})
        return ArmyBody(self._document(rows), {})

    def _document(self, rows: Sequence[Mapping[str, str]]) -> JsonDocument:
        found: JsonDocument = {}
        for place, cells in enumerate(rows):
            try:
                name, entry = self.entry_of(cells)
                own = document_of(self.shape, {key: cells.get(key, "") for key in self.own}) if not place else {}
            except InvalidInput as refusal:
                raise wrong(place, refusal.field.removeprefix("/"), refusal.message) from None
            found |= own
            found.setdefault(name, []).append(entry)
        return found

    def entry_of(self, cells: Mapping[str, str]) -> tuple[str, JsonDocument]:
        """List and entry in these cells, not validated by the ruleset. Raises `InvalidInput` with the column."""
        first = next(iter(self.lists))
        name = cells.get(WHAT) or first
        demand(name in self.lists, _("Choose one of: {known}."), field=f"/{WHAT}", known=", ".join(self.lists))
        return name, document_of(self.lists[name], cells)

    def column_of(self, pointer: str) -> tuple[int, str]:
        if found := find_cell(pointer):
            return found
        _root, _list, place, column, *_rest = [*pointer.split("/"), "", "", ""]
        return (int(place), column) if place.isdecimal() else (0, "")

    def unchanged(self, army: Army, what: Mapping[str, Any]) -> bool:
        if not what:
            return True
        return not request_sheet_change({"army": army, "sheet": with_carried(army, what, self.shape)}).kinds

    # Table pasted into the form.

    def read(self, text: str) -> list[TableEntry]:
        """The entry of each row. Raises `InvalidInput` ("/table") that names the faulty line."""
        table = read_table(text, field="/table", most=MOST_CHARACTERS)
        table.demand_columns(self.needed, self.head, field="/table")
        demand(table.rows, NO_ROW, field="/table")
        kind = list_kind(self.shape, next(iter(self.lists)))
        many = kind.many or _("Use at most {most} entries.")
        demand(len(table.rows) <= kind.most or len(self.lists) > 1, many, field="/table", most=kind.most)
        return [TableEntry(row.line, *self._lined(row.line, row.cells)) for row in table.rows]

    def _lined(self, line: int, cells: Mapping[str, str]) -> tuple[str, JsonDocument]:
        try:
            return self.entry_of(cells)
        except InvalidInput as refusal:
            said = say(_("Line {line}, {column}: {problem}"), line=line, column=refusal.field.removeprefix("/"),
                       problem=refusal.message)  # fmt: skip
            raise InvalidInput(said, "/table") from None

    def judged(self, lines: Sequence[TableEntry], law: Any, body: JsonDocument | None = None) -> JsonDocument:
        """The lists of a table, validated by the ruleset. Raises `InvalidInput` ("/table") that names the line of every
        problem.
        """
        lists: dict[str, list[JsonDocument]] = {name: [] for name in self.lists}
        places: dict[tuple[str, int], tuple[int, JsonDocument]] = {}
        for line, name, entry in lines:
            places[name, len(lists[name])] = line, entry
            lists[name].append(entry)
        found = {name: entries for name, entries in lists.items() if entries}
        try:
            law.armies.read({**(body or {}), **found})
        except InvalidInput as refusal:
            told = tuple(("/table", _said(places, at, message)) for at, message in refusal.errors)[:MOST_SHOWN]
            raise InvalidInput(told[0][1], "/table", told) from None
        return found

    def read_into(self, draft: DocumentDraft, text: str, law: Any) -> DocumentDraft:
        """The draft with the table's entries in place of its own."""
        found = self.judged(self.read(text), law, draft.body)
        lists = {name: EntryDraft(found.get(name, [])) for name in self.lists}
        return DocumentDraft({**draft.head, "table": ""}, draft.body, lists)


def _said(places: Mapping[tuple[str, int], tuple[int, JsonDocument]], pointer: str, message: Said) -> Said:
    _root, name, place, *rest = [*pointer.split("/"), "", "", ""]
    if not place.isdecimal():
        return message
    line, entry = places[name, int(place)]
    member = next(filter(None, rest), "")
    called = str(entry.get("name", ""))[:60]
    return say(_("Line {line} ({unit}), {column}: {problem}"), line=line, unit=called, column=member or "name",
               problem=message)  # fmt: skip
