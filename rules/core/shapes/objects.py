"""Objects of JSON: the shape of a declared class, unions of shapes, commands by their type; objects in words."""

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
    """A field of a shape. `name`: of the attribute, `key`: of the member in JSON, `marks`: all its markers."""

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
        """What it means in JSON that it is left out."""
        return None if self.needed or self.default is None else self.kind.write(self.default)

    @property
    def label(self) -> Said:
        return self.named.label or Term(self.key.replace("_", " ").capitalize())

    def read(self, body: Mapping[str, Any], at: str, reading: ShapeReading) -> Any:
        """What is left out, null or an empty word where there is one already counts as the default."""
        value = body.get(self.key)
        needed = self.needed or (self.needed_if is not None and self.needed_if(body))
        if not needed and (value is None or (value == "" and self.default == "")):
            return self.default
        return self.kind.within(body).read(value, pointer(at, self.key), reading)


class Wrong(NamedTuple):
    """Notes what does not go together, by the member of an object. `known`: as the document's reader knows it."""

    at: str
    reading: ShapeReading

    @property
    def known(self) -> Catalogues:
        return self.reading.known

    def below(self, *members: object) -> Wrong:
        """The same of what stands deeper: `wrong.below("units", 2)("master", _("…"))`."""
        at = self.at
        for member in members:
            at = pointer(at, member)
        return self._replace(at=at)

    def __call__(self, member: str, template: Term, /, **params: object) -> None:
        self.reading.wrong(pointer(self.at, member) if member else self.at, template, **params)


@dataclass(frozen=True, eq=False)
class DeclaredShape(FieldKind):
    """What a NamedTuple or dataclass says it is made of.

    A class may have `judged(self, wrong)`: it notes by `wrong(member, sentence)` what does not go together, and answers
    the value with all that follows filled in. It is called once every member is well formed.
    """

    cls: Any
    fields: tuple[ShapeField, ...]

    @cached_property
    def members(self) -> dict[str, ShapeField]:
        """By their names in JSON, those of flat objects among them."""
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
            reading.wrong(at, _("Give an object with named fields."))
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
        """The shortest that reads back as this value: what is a default is left out."""
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
    """One of several shapes, told apart by their first member; or a slug alone, where it says all of the first.

    An object without the first member of any is one of the last.
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
        """The shape that says more of what a slug alone may say."""
        return next((one for one in self.shapes if self.choice and self.choice == one.first.kind), None)

    @property
    def own(self) -> DeclaredShape | None:
        """The shape of a thing that no catalogue has."""
        return None if self.shapes[-1] is self.listed else self.shapes[-1]


@dataclass(frozen=True)
class Commands(FieldKind):
    """Shapes told apart by the word that is sent as `type`."""

    shapes: Mapping[str, DeclaredShape]

    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        if not isinstance(value, Mapping):
            return reading.wrong(at, _("Give an object with named fields."))
        kind = value.get("type")
        if not isinstance(kind, str) or kind not in self.shapes:
            return reading.wrong(f"{at}/type", _("There is no command “{type}”."), type=str(kind)[:SHOWN])
        rest = {name: member for name, member in value.items() if name != "type"}
        return self.shapes[kind].read(rest, at, reading)

    def write(self, value: Any) -> dict[str, JsonValue]:
        kind, shape = next((kind, shape) for kind, shape in self.shapes.items() if isinstance(value, shape.cls))
        return {"type": kind, **shape.write(value)}


# Words of a value for the chronicle: what its fields say, and what has changed between two of them.


NOTHING = Term("–")
NO_CATALOGUES: Catalogues = {}


class FieldChange(NamedTuple):
    """A field that says something else. `label`: its name, with that of the entry it belongs to."""

    label: Said
    before: Said
    after: Said


def in_words(shape: DeclaredShape, value: Any, known: Catalogues = NO_CATALOGUES) -> Sequence[Said]:
    """A sentence for each field that is not as usual; lists of objects tell each of their entries. `known`: what slugs
    are called.
    """
    return [said for one in shape.fields for said in _sentences(one, getattr(value, one.name), known)]


def differences(
    shape: DeclaredShape, before: Any, after: Any, known: Catalogues = NO_CATALOGUES
) -> Iterator[FieldChange]:
    """What has changed, entry by entry where a list has objects."""
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
    """The shape of the objects this field lists."""
    item = one.kind.item if isinstance(one.kind, ListKind) else None
    return item if isinstance(item, DeclaredShape) else None


def title_of(shape: DeclaredShape, entry: Any, place: int) -> Said:
    """What an entry is called: its name, else its number."""
    name = str(getattr(entry, "name", "") or "")
    return say(Term("{written}"), written=name or str(place + 1))


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
        for place, entry in enumerate(value):
            told = [said for field in inner.fields if field.name != "name"
                    for said in _sentences(field, getattr(entry, field.name), known)]  # fmt: skip
            yield say(_("{entry} ({told})"), entry=title_of(inner, entry, place), told=told)
    elif one.needed or value != one.default:
        is_flag = isinstance(one.kind, FlagKind) and value is True
        yield say(Term("{field}"), field=one.label) if is_flag else say(
            _("{field} {value}"), field=one.label, value=value_in_words(one, value, known)
        )  # fmt: skip


def _plain(written: Any, kind: Any, known: Catalogues) -> Any:
    """A slug by its name, where it has one."""
    if isinstance(written, dict):
        return ", ".join(f"{name} {value}" for name, value in written.items())
    among = kind.among if isinstance(kind, ChoiceKind) else ()
    catalogue = known.get(among, ()) if isinstance(among, str) else among
    found = catalogue.get(written, written) if isinstance(catalogue, Mapping) else written
    return Term(name) if (name := getattr(found, "name", None)) else found
