"""Drafts of documents: what is in the form, and how its buttons change it on the server.

Buttons: `add` (name of a list); `copy`, `drop` and `open` (place of an entry: `units-3`, or `3` in the first list);
`read` (with `table`); `begin` (with something the ruleset offers); `preview` and `find` only draw the form again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from django.http import QueryDict

from armies.models import Army
from core.clean_input import parse_whole, read_json
from core.shapes.forms import JsonDocument, ShapeForm, places_of
from rules.army_law import ARMY_FIGURES, AT_RAISING, names_of
from rules.core.errors import InvalidInput, demand
from rules.core.shapes import DeclaredShape
from rules.core.shapes.objects import UnionKind, entries_of
from rules.core.shapes.value_kinds import ListKind
from rules.core.text import _

REDRAW = ("add", "copy", "drop", "open", "read", "preview", "find", "begin")
HEAD = ("name", "copies", "commander", *names_of(ARMY_FIGURES, AT_RAISING), "table", "mark")
FIELDS_MOST = 320  # most fields of all entries together: a request may have a thousand, and the page must draw quickly
FIELDS_BESIDE = 10  # fields counted for each entry's buttons and headings


class EntryDraft(NamedTuple):
    """The entries of one list. `new`: place of the entry just added or opened, -1 for none. `spread`: places of the
    entries that were sent field by field.
    """

    entries: list[JsonDocument]
    new: int = -1
    spread: frozenset[int] = frozenset()

    def with_entry(self, place: int, entry: JsonDocument, many: Any, most: int) -> EntryDraft:
        """Copy with one more entry. Raises `InvalidInput` where there is no room."""
        demand(len(self.entries) < most, many, most=most)
        entries = [*self.entries[:place], entry, *self.entries[place:]]
        return EntryDraft(entries, place, frozenset(at + (at >= place) for at in self.spread))

    def without(self, place: int) -> EntryDraft:
        entries = [entry for at, entry in enumerate(self.entries) if at != place]
        return EntryDraft(entries, spread=frozenset(at - (at > place) for at in self.spread if at != place))


class DocumentDraft(NamedTuple):
    """Contents of a form. `head`: fields outside the document, as typed; `body`: the document's members except its
    lists of objects; `lists`: those.
    """

    head: JsonDocument
    body: JsonDocument
    lists: Mapping[str, EntryDraft]

    def with_list(self, name: str, entries: EntryDraft) -> DocumentDraft:
        return self._replace(lists={**self.lists, name: entries})

    @property
    def document(self) -> JsonDocument:
        return {**self.body, **{name: one.entries for name, one in self.lists.items() if one.entries}}


def lists_of(shape: DeclaredShape) -> dict[str, DeclaredShape]:
    """Shapes of the lists of objects in a document, by name."""
    found = {key: entries_of(one) for key, one in shape.members.items() if not one.carried}
    return {key: inner for key, inner in found.items() if inner is not None}


def list_kind(shape: DeclaredShape, name: str) -> ListKind:
    kind = shape.members[name].kind
    assert isinstance(kind, ListKind)
    return kind


def drafted(data: QueryDict, shape: DeclaredShape) -> DocumentDraft:
    """The draft in the submitted data."""
    head = {name: data[name] for name in HEAD if name in data}
    lists = {name: _entries(data, name, inner) for name, inner in lists_of(shape).items()}
    return DocumentDraft(head, ShapeForm(shape).posted(data, ""), lists)


def kept(army: Army | None, shape: DeclaredShape) -> DocumentDraft:
    """The draft of an existing army, or an empty one."""
    sheet, lists = (army.sheet if army else {}), lists_of(shape)
    body = {key: sheet[key] for key, one in shape.members.items()
            if key in sheet and key not in lists and not one.carried}  # fmt: skip
    head = {"name": army.name, "mark": mark_of(army)} if army else {}
    return DocumentDraft(head, body, {name: EntryDraft([dict(one) for one in sheet.get(name, ())]) for name in lists})


def draft_of_request(given: Mapping[str, Any], sheet: JsonDocument, law: Any) -> DocumentDraft:
    """The draft of an army that was requested by these stored arguments, with this sheet."""
    draft = kept(Army(name=given["name"], sheet=sheet), law.armies.shape)
    head = {name: given[name] for name in HEAD if given.get(name) is not None}
    if leader := given.get("commander"):
        head["commander"] = leader["id"]
    return draft._replace(head=head)


def pressed(draft: DocumentDraft, data: QueryDict, shape: DeclaredShape, fresh: Any) -> DocumentDraft:
    """The draft after the pressed button. `fresh(name)`: makes a new entry of a list. Raises `InvalidInput`."""
    first = next(iter(draft.lists), "")
    if "add" in data:
        asked = str(data["add"])
        name = asked if asked in draft.lists else first
        return draft.with_list(name, _one_more(draft.lists[name], shape, name, -1, fresh(name)))
    for button in ("open", "copy", "drop"):
        name, place = _place_in(data.get(button, ""), first)
        if name not in draft.lists or place is None or place >= len(draft.lists[name].entries):
            continue
        return draft.with_list(name, _after(button, draft.lists[name], shape, name, place))
    return draft


def _after(button: str, draft: EntryDraft, shape: DeclaredShape, name: str, place: int) -> EntryDraft:
    match button:
        case "open":
            return draft._replace(new=place)
        case "copy":
            return _one_more(draft, shape, name, place + 1, dict(draft.entries[place]))
    return draft.without(place)


def _one_more(draft: EntryDraft, shape: DeclaredShape, name: str, place: int, entry: JsonDocument) -> EntryDraft:
    kind = list_kind(shape, name)
    at = len(draft.entries) if place < 0 else place
    return draft.with_entry(at, entry, kind.many or _("Use at most {most} entries."), kind.most)


def _place_in(text: str, first: str) -> tuple[str, int | None]:
    """List and place that a button names."""
    name, _dash, place = text.rpartition("-")
    return name or first, parse_whole(place)


def named_at(document: Mapping[str, Any], pointer: str) -> str:
    """Name of the entry that a pointer is about; "" for none."""
    name, place, *_rest = [*pointer.strip("/").split("/"), "", ""]
    entries = document.get(name)
    found = entries[int(place)] if place.isdecimal() and isinstance(entries, list) and int(place) < len(entries) else {}
    return str(found.get("name", ""))


def only_redrawn(data: QueryDict) -> bool:
    """Whether the pressed button only draws the form again."""
    return any(button in data for button in REDRAW)


def mark_of(army: Army) -> str:
    """Hash of an army's sheet, by which a form notices that the army has changed since it was drawn."""
    return sha256(json.dumps(army.sheet, sort_keys=True).encode()).hexdigest()[:16]


# Entries.


def _entries(data: QueryDict, name: str, shape: DeclaredShape) -> EntryDraft:
    """The submitted entries of a list, in the order of their numbers; folded ones come in a hidden field."""
    fields, entries, spread = ShapeForm(shape), [], set()
    for at, place in enumerate(places_of(data, name)):
        where = f"{name}-{place}-"
        if f"{where}kept" in data:
            entries.append(unfolded(data.get(f"{where}kept", ""), shape))
        else:
            spread.add(at)
            entries.append(unfolded(data.get(f"{where}rest", ""), shape) | fields.posted(data, where))
    return EntryDraft(entries, spread=frozenset(spread))


def folded(entry: Mapping[str, Any]) -> str:
    """An entry as the value of one hidden field."""
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":"))


def unfolded(text: str, shape: DeclaredShape) -> JsonDocument:
    """The entry, or the members in such a field; {} for invalid text. Unsound members are dropped."""
    try:
        entry = read_json(text) if text else {}
    except InvalidInput:
        return {}
    return {key: value for key, value in entry.items() if _is_sound(shape, key, value)} if isinstance(
        entry, dict
    ) else {}  # fmt: skip


def _is_sound(shape: DeclaredShape, key: str, value: Any) -> bool:
    """Whether a list of rows really is one; the shape validates anything else."""
    one = shape.members.get(key)
    if one is None or not isinstance(one.kind, ListKind) or not isinstance(one.kind.item, UnionKind):
        return True
    return isinstance(value, list) and all(isinstance(row, str | dict) for row in value)


def rest_of(entry: Mapping[str, Any], shape: DeclaredShape) -> JsonDocument:
    """Members that no field shows, and empty lists, which fields cannot express."""
    return {key: value for key, value in entry.items() if key not in shape.members or value == []}


def spread(draft: EntryDraft, shape: DeclaredShape, wrong: Iterable[int], room: int = FIELDS_MOST) -> frozenset[int]:
    """Places of the entries to draw field by field: all if they fit into `room`, else those that are new, wrong or were
    open.
    """
    weights = [_weight(shape, entry) for entry in draft.entries]
    if sum(weights) <= room:
        return frozenset(range(len(weights)))
    found: set[int] = set()
    for place in dict.fromkeys((draft.new, *wrong, *sorted(draft.spread, reverse=True))):
        if 0 <= place < len(weights) and (not found or weights[place] <= room):
            found.add(place)
            room -= weights[place]
    return frozenset(found)


def _weight(shape: DeclaredShape, entry: Mapping[str, Any]) -> int:
    """Approximate number of fields of an entry."""
    return FIELDS_BESIDE + ShapeForm(shape).count(entry)


def redrawn(ui: Any, law: Any, data: Any) -> DocumentDraft:
    """The draft after the pressed button. Raises `InvalidInput` for an unreadable table, naming its line."""
    draft = ui.picked(drafted(data, law.armies.shape), data, law)
    if "read" in data:
        found: DocumentDraft = ui.document_rows.read_into(draft, data.get("table", ""), law)
        return found
    return pressed(draft, data, law.armies.shape, lambda name: ui.fresh(name, data, law))
