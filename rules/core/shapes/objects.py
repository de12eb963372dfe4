"""Shapes of JSON objects: declared classes, unions of them, and commands by type. Also their description in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from rules.core.errors import pointer
from rules.core.shapes.value_kinds import (
    MISSING,
    SHOWN,
    WRONG,
    Catalogues,
    ChoiceKind,
    FieldKind,
    FlagKind,
    InApi,
    JsonValue,
    Label,
    ListKind,
    ShapeReading,
)
from rules.core.text import NO_WORDS, Said, Term, _, say


class ShapeField(NamedTuple):
    """Field of a shape. `name` is the attribute, `key` the JSON member, `marks` all markers."""

    name: str
    key: str
    kind: FieldKind
    default: Any = MISSING
    nullable: bool = False
    named: Label = Label(NO_WORDS)
    in_api: InApi = InApi()
    flat: bool = False
    kept: bool = False
    carried: bool = False
    needed_if: Callable[[Mapping[str, Any]], bool] | None = None
    marks: tuple[Any, ...] = ()

    @property
    def needed(self) -> bool:
        return self.default is MISSING

    @property
    def usual(self) -> JsonValue:
        """JSON value that an omitted member stands for."""
        return None if self.needed or self.default is None else self.kind.write(self.default)

    @property
    def label(self) -> Said:
        return self.named.label or Term(self.key.replace("_", " ").capitalize())

    def read(self, body: Mapping[str, Any], at: str, reading: ShapeReading) -> Any:
        """Read the field from an object. A missing or null member, and "" if that is the default, give the default."""
        value = body.get(self.key)
        needed = self.needed or (self.needed_if is not None and self.needed_if(body))
        if not needed and (value is None or (value == "" and self.default == "")):
            return self.default
        return self.kind.within(body).read(value, pointer(at, self.key), reading)


class Wrong(NamedTuple):
    """Collector of problems, for `judged`. `known` are the catalogues of the document's reader."""

    at: str
    reading: ShapeReading

    @property
    def known(self) -> Catalogues:
        return self.reading.known

    def below(self, *members: object) -> Wrong:
        """Return a collector for a nested value: `wrong.below("units", 2)("master", _("…"))`."""
        at = self.at
        for member in members:
            at = pointer(at, member)
        return self._replace(at=at)

    def __call__(self, member: str, template: Term, /, **params: object) -> None:
        self.reading.wrong(pointer(self.at, member) if member else self.at, template, **params)


@dataclass(frozen=True, eq=False)
class DeclaredShape(FieldKind):
    """Shape of a NamedTuple or dataclass.

    A class may define `judged(self, wrong)`, which is called once every member is well formed. It reports
    inconsistencies with `wrong(member, sentence)` and returns the value with everything derived filled in.
    """

    cls: Any
    fields: tuple[ShapeField, ...]

    @cached_property
    def members(self) -> dict[str, ShapeField]:
        """Fields by JSON name, with those of flat objects."""
        found: dict[str, ShapeField] = {}
        for one in self.fields:
            found |= one.kind.members if one.flat and isinstance(one.kind, DeclaredShape) else {one.key: one}
        return found

    @property
    def first(self) -> ShapeField:
        return next(iter(self.members.values()))

    @property
    def name(self) -> str:
        return str(self.cls.__name__)

    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        before = len(reading.problems)
        body: Mapping[str, Any] = value if isinstance(value, Mapping) else {}
        if not isinstance(value, Mapping):
            reading.wrong(at, _("Enter a JSON object."))
        for name in body:
            if name not in self.members:
                reading.wrong(pointer(at, name), _("Unknown field “{name}”. Remove it."), name=str(name)[:SHOWN])
        return self._made(body, at, reading, before)

    def _made(self, body: Mapping[str, Any], at: str, reading: ShapeReading, before: int) -> Any:
        values = {
            one.name: one.kind._made(body, at, reading, before)
            if one.flat and isinstance(one.kind, DeclaredShape)
            else one.read(body, at, reading)
            for one in self.fields
        }
        if len(reading.problems) > before:
            return WRONG
        made = self.cls(**values)
        return made.judged(Wrong(at, reading)) if hasattr(made, "judged") else made

    def write(self, value: Any) -> dict[str, JsonValue]:
        """Return the shortest JSON that reads back as this value: defaults are omitted."""
        told: dict[str, JsonValue] = {}
        for one in self.fields:
            found = getattr(value, one.name)
            if one.flat:
                told |= one.kind.write(found)
            elif one.needed or one.kept or found != one.default:
                told[one.key] = None if found is None else one.kind.write(found)
        return told


@dataclass(frozen=True)
class UnionKind(FieldKind):
    """One of several shapes, told apart by their first member, or a bare slug for the first shape. An object without
    any of these members is read by the last shape.
    """

    shapes: tuple[DeclaredShape, ...]
    choice: ChoiceKind | None = None

    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        body = value if isinstance(value, Mapping) else {}
        only_listed = self.own is None and body.get(self.shapes[0].first.key) is None
        if self.choice is not None and (isinstance(value, str) or only_listed):
            return self.choice.read(value if isinstance(value, str) else "", at, reading)
        return self.shape_of(value).read(value, at, reading)

    def shape_of(self, value: JsonValue) -> DeclaredShape:
        body = value if isinstance(value, Mapping) else {}
        found = (shape for shape in self.shapes[:-1] if body.get(shape.first.key) is not None)
        return next(found, self.shapes[-1])

    def write(self, value: Any) -> JsonValue:
        if isinstance(value, str):
            return value
        shape = next(shape for shape in self.shapes if isinstance(value, shape.cls))
        told = shape.write(value)
        first = shape.first.key
        return told[first] if self.listed is shape and told.keys() == {first} else told

    @cached_property
    def listed(self) -> DeclaredShape | None:
        """Shape that adds details to what may also be a bare slug."""
        return next((one for one in self.shapes if self.choice and self.choice == one.first.kind), None)

    @property
    def own(self) -> DeclaredShape | None:
        """Shape of an item that no catalogue has."""
        return None if self.shapes[-1] is self.listed else self.shapes[-1]


@dataclass(frozen=True)
class Commands(FieldKind):
    """Shapes told apart by the member `type`."""

    shapes: Mapping[str, DeclaredShape]

    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        if not isinstance(value, Mapping):
            return reading.wrong(at, _("Enter a JSON object."))
        kind = value.get("type")
        if not isinstance(kind, str) or kind not in self.shapes:
            return reading.wrong(f"{at}/type", _("Unknown command: “{type}”."), type=str(kind)[:SHOWN])
        rest = {name: member for name, member in value.items() if name != "type"}
        return self.shapes[kind].read(rest, at, reading)

    def write(self, value: Any) -> dict[str, JsonValue]:
        kind, shape = next((kind, shape) for kind, shape in self.shapes.items() if isinstance(value, shape.cls))
        return {"type": kind, **shape.write(value)}


# Values in words, for the chronicle: what the fields say, and what changed.


NOTHING = Term("–")
NO_CATALOGUES: Catalogues = {}


class FieldChange(NamedTuple):
    """Changed field. `label` is its name, with the name of the list entry it belongs to."""

    label: Said
    before: Said
    after: Said


def in_words(shape: DeclaredShape, value: Any, known: Catalogues = NO_CATALOGUES) -> Sequence[Said]:
    """Return a sentence for each field that differs from its default; lists of objects give sentences for each entry.
    `known` are the catalogues that name slugs.
    """
    return [said for one in shape.fields for said in _sentences(one, getattr(value, one.name), known)]


def differences(
    shape: DeclaredShape, before: Any, after: Any, known: Catalogues = NO_CATALOGUES
) -> Iterator[FieldChange]:
    """Yield the changed fields. Lists of objects are compared entry by entry."""
    for one in shape.fields:
        was, now = getattr(before, one.name), getattr(after, one.name)
        if was == now:
            continue
        inner = entries_of(one)
        if inner is None:
            yield FieldChange(one.label, value_in_words(one, was, known), value_in_words(one, now, known))
            continue
        for place in range(max(len(was), len(now))):
            yield from _of_entry(inner, was[place : place + 1], now[place : place + 1], one, place, known)


def entries_of(one: ShapeField) -> DeclaredShape | None:
    """Return the shape of the objects in a list field, or None."""
    item = one.kind.item if isinstance(one.kind, ListKind) else None
    return item if isinstance(item, DeclaredShape) else None


def title_of(shape: DeclaredShape, entry: Any, place: int) -> Said:
    """Return an entry's name, or its number from 1."""
    name = str(getattr(entry, "name", "") or "")
    return say(Term("{written}"), written=name or str(place + 1))


def entry_in_words(shape: DeclaredShape, entry: Any, place: int, known: Catalogues = NO_CATALOGUES) -> Said:
    """Return an entry's name, else its type, with its other fields in brackets; its number from 1 without either."""
    type_of = None if getattr(entry, "name", "") else next((one for one in shape.fields if one.needed), None)
    title = value_in_words(type_of, getattr(entry, type_of.name), known) if type_of else title_of(shape, entry, place)
    told = [said for one in shape.fields if one.name != "name" and one is not type_of
            for said in _sentences(one, getattr(entry, one.name), known)]  # fmt: skip
    return say(_("{entry} ({told})"), entry=title, told=told) if told else title


def value_in_words(one: ShapeField, value: Any, known: Catalogues = NO_CATALOGUES) -> Said:
    if value is None or value == () or value == "":
        return NOTHING
    if isinstance(one.kind, FlagKind):
        return _("yes") if value else _("no")
    written = one.kind.write(value)
    item = one.kind.item if isinstance(one.kind, ListKind) else one.kind
    choice = item.choice if isinstance(item, UnionKind) else item
    told = [_plain(part, choice, known) for part in (written if isinstance(written, list) else [written])]
    return say(Term("{value}"), value=told if isinstance(written, list) else told[0])


def _of_entry(
    inner: DeclaredShape,
    was: Sequence[Any],
    now: Sequence[Any],
    one: ShapeField,
    place: int,
    known: Catalogues,
) -> Iterator[FieldChange]:
    title = title_of(inner, (now or was)[0], place)
    if was and now:
        for change in differences(inner, was[0], now[0], known):
            label = say(Term("{entry}: {field}"), entry=title, field=change.label)
            yield change._replace(label=label)
        return
    whole = say(Term("{told}"), told=list(in_words(inner, (now or was)[0], known)))
    label = say(Term("{list}: {entry}"), list=one.named.one or one.label, entry=title)
    yield FieldChange(label, whole if was else NOTHING, whole if now else NOTHING)


def _sentences(one: ShapeField, value: Any, known: Catalogues) -> Iterator[Said]:
    inner = entries_of(one)
    if inner is not None:
        yield from (entry_in_words(inner, entry, place, known) for place, entry in enumerate(value))
    elif one.needed or value != one.default:
        is_flag = isinstance(one.kind, FlagKind) and value is True
        yield say(Term("{field}"), field=one.label) if is_flag else say(
            _("{field} {value}"), field=one.label, value=value_in_words(one, value, known)
        )  # fmt: skip


def _plain(written: Any, kind: Any, known: Catalogues) -> Any:
    """Return the name of a slug, if it has one."""
    if isinstance(written, dict):
        return ", ".join(f"{name} {value}" for name, value in written.items())
    among = kind.among if isinstance(kind, ChoiceKind) else ()
    catalogue = known.get(among, ()) if isinstance(among, str) else among
    found = catalogue.get(written, written) if isinstance(catalogue, Mapping) else written
    return Term(name) if (name := getattr(found, "name", None)) else found
