"""Objects of JSON: the shape of a declared class, unions of shapes, and commands told apart by their type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from rules.core.errors import pointer
from rules.core.shapes.markers import InApi, Label
from rules.core.shapes.value_kinds import (
    MISSING,
    SHOWN,
    WRONG,
    Catalogues,
    ChoiceKind,
    FieldKind,
    JsonValue,
    ShapeReading,
)
from rules.core.text import NO_WORDS, Said, Term, _


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
                reading.wrong(pointer(at, name), _("“{name}” is not a field here."), name=str(name)[:SHOWN])
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
