"""Kinds of values a field may have: each is read from JSON, with a pointer to what is wrong, and written as JSON."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, NamedTuple
from uuid import UUID

from rules.core.characters import UNSHOWN, shows, unfit_in
from rules.core.errors import Fault, InvalidInput
from rules.core.shapes.markers import CHOOSE, InApi, Label
from rules.core.text import NO_WORDS, Said, Term, _, say

type JsonValue = Any
type Catalogues = Mapping[str, Any]
"""Catalogues by their names (slugs, or a mapping by slugs), and under `sides` the names of a battle's sides."""

SLUG_MOST, SHOWN, LIST_MOST, NUMBER_MOST = 120, 60, 500, 1_000_000
MISSING: Final = object()
WRONG: Any = object()
"""What reading answers for a value it has noted a problem of."""


@dataclass
class ShapeReading:
    """One document while it is read: what is known, and every problem found so far."""

    known: Catalogues = field(default_factory=dict)
    problems: list[Fault] = field(default_factory=list)

    def wrong(self, at: str, template: Term, /, **params: object) -> Any:
        self.problems.append((at, say(template, **params) if params else template))
        return WRONG

    def refuse(self) -> None:
        """Raise `InvalidInput` with every problem, the first one foremost."""
        if self.problems:
            raise InvalidInput(self.problems[0][1], self.problems[0][0], tuple(self.problems))


def pointer(at: str, member: object) -> str:
    return f"{at}/{str(member).replace('~', '~0').replace('/', '~1')}"


class FieldKind(ABC):
    """Base of all kinds."""

    @abstractmethod
    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        """The value, or `WRONG` once its problems are noted."""

    def write(self, value: Any) -> JsonValue:
        return value

    def within(self, body: Mapping[str, Any]) -> FieldKind:
        """The same where the object around it is this one."""
        return self


@dataclass(frozen=True)
class WholeKind(FieldKind):
    least: int | Callable[[Mapping[str, Any]], int] = -NUMBER_MOST
    most: int = NUMBER_MOST

    def within(self, body: Mapping[str, Any]) -> FieldKind:
        return self if isinstance(self.least, int) else replace(self, least=self.least(body))

    @property
    def lowest(self) -> int:
        return self.least if isinstance(self.least, int) else self.least({})

    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        if isinstance(value, int) and not isinstance(value, bool) and self.lowest <= value <= self.most:
            return value
        said = _("Give a whole number from {low} to {high}.")
        return reading.wrong(at, said, low=self.lowest, high=self.most)


@dataclass(frozen=True)
class TextKind(FieldKind):
    most: int
    wrong: Term = NO_WORDS

    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        if not isinstance(value, str):
            return reading.wrong(at, self.wrong or _("Write a text here."))
        text = " ".join(value.split())
        if not text or not (shows(text) or unfit_in(value) or self.wrong):
            return reading.wrong(at, self.wrong or _("This cannot be empty."))
        if len(text) > self.most:
            long = _("At most {most} characters, please: this has {count}.")
            return reading.wrong(at, self.wrong) if self.wrong else reading.wrong(
                at, long, most=self.most, count=len(text)
            )  # fmt: skip
        return reading.wrong(at, UNSHOWN) if unfit_in(value) else text


class FlagKind(FieldKind):
    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        return value if isinstance(value, bool) else reading.wrong(at, _("Answer yes or no."))


@dataclass(frozen=True)
class ChoiceKind(FieldKind):
    among: str | Collection[str]
    wrong: Term = CHOOSE

    def slugs(self, known: Catalogues) -> Collection[str]:
        found: Collection[str] = known[self.among] if isinstance(self.among, str) else self.among
        return found

    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        slugs = self.slugs(reading.known)
        if isinstance(value, str) and value in slugs:
            return value
        params = {"slug": str(value)[:SHOWN], "choices": _choices(slugs)}
        used = {name: given for name, given in params.items() if f"{{{name}}}" in self.wrong}
        return reading.wrong(at, self.wrong, **used)


def _choices(slugs: Collection[str]) -> Any:
    """People know by name alone what has one."""
    if isinstance(slugs, Mapping) and all(isinstance(name, Term) for name in slugs.values()):
        return [say(_("{name} ({slug})"), name=name, slug=slug) for slug, name in slugs.items()]
    return ", ".join(slugs)


class SlugKind(FieldKind):
    """An id or slug. Whether it names something is for the law to say."""

    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        if isinstance(value, str) and 0 < len(value) <= SLUG_MOST and value.isprintable():
            return value
        return reading.wrong(at, _("Give a name from the list."))


class ArmyKind(SlugKind):
    """An army's id in its one spelling; what a law calls otherwise as it is."""

    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        given = super().read(value, at, reading)
        try:
            return given if given is WRONG else str(UUID(given))
        except ValueError:
            return given


class SideKind(FieldKind):
    """A side by its name, or by its number from 0."""

    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        sides = tuple(reading.known.get("sides", ()))
        if not isinstance(value, str):
            return WholeKind(0, len(sides) - 1).read(value, at, reading)
        if value not in sides:
            return reading.wrong(at, _("There is no side “{name}”."), name=value[:SHOWN])
        return sides.index(value)


class WordOrNumberKind(SlugKind):
    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        return super().read(value, at, reading) if isinstance(value, str) else WholeKind().read(value, at, reading)


class AnyKind(FieldKind):
    """JSON that something else reads."""

    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        return value


@dataclass(frozen=True)
class SpelledKind(FieldKind):
    from_json: Callable[[Any], Any]
    to_json: Callable[[Any], Any]

    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        try:
            return self.from_json(value)
        except InvalidInput as refusal:
            reading.problems += refusal.below(at).errors
            return WRONG

    def write(self, value: Any) -> JsonValue:
        return self.to_json(value)


@dataclass(frozen=True)
class ListKind(FieldKind):
    item: FieldKind
    most: int = LIST_MOST
    least: int = 0
    few: Term = NO_WORDS
    many: Term = NO_WORDS

    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        if not isinstance(value, list | tuple) or len(value) < self.least:
            return reading.wrong(at, self.few or _("Give a list."))
        if len(value) > self.most:
            return reading.wrong(at, self.many or _("At most {most} entries, please."), most=self.most)
        return tuple(self.item.read(one, f"{at}/{place}", reading) for place, one in enumerate(value))

    def write(self, value: Any) -> JsonValue:
        return [self.item.write(one) for one in value]


@dataclass(frozen=True)
class MappingKind(FieldKind):
    key: FieldKind
    item: FieldKind
    least: int = 0

    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        if not isinstance(value, Mapping) or len(value) < self.least:
            return reading.wrong(at, _("Give an object with named fields."))
        return {
            self.key.read(name, pointer(at, name), reading): self.item.read(one, pointer(at, name), reading)
            for name, one in value.items()
        }

    def write(self, value: Any) -> JsonValue:
        return {str(self.key.write(name)): self.item.write(one) for name, one in value.items()}


class ShapeField(NamedTuple):
    """A field of a shape. `name`: of the attribute, `key`: of the member in JSON."""

    name: str
    key: str
    kind: FieldKind
    default: Any = MISSING
    nullable: bool = False
    named: Label = Label(NO_WORDS)
    in_api: InApi = InApi()
    flat: bool = False
    kept: bool = False

    @property
    def needed(self) -> bool:
        return self.default is MISSING

    @property
    def label(self) -> Said:
        return self.named.label or Term(self.key.replace("_", " ").capitalize())

    def read(self, body: Mapping[str, Any], at: str, reading: ShapeReading) -> Any:
        """What is left out, null or an empty word where there is one already counts as the default."""
        value = body.get(self.key)
        if not self.needed and (value is None or (value == "" and self.default == "")):
            return self.default
        return self.kind.within(body).read(value, pointer(at, self.key), reading)


class Wrong(NamedTuple):
    """Notes what does not go together, by the member of an object. `known`: as the document's reader knows it."""

    at: str
    reading: ShapeReading

    @property
    def known(self) -> Catalogues:
        return self.reading.known

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
    def name(self) -> str:
        return str(self.cls.__name__)

    def read_document(self, data: JsonValue, at: str = "", known: Catalogues | None = None) -> Any:
        """The value this JSON says. Raises `InvalidInput` with a pointer for every problem."""
        reading = ShapeReading(known or {})
        value = self.read(data, at, reading)
        reading.refuse()
        return value

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
        if isinstance(value, str) and self.choice is not None:
            return self.choice.read(value, at, reading)
        return self.shape_of(value).read(value, at, reading)

    def shape_of(self, value: JsonValue) -> DeclaredShape:
        body = value if isinstance(value, Mapping) else {}
        found = (shape for shape in self.shapes[:-1] if body.get(next(iter(shape.members))) is not None)
        return next(found, self.shapes[-1])

    def write(self, value: Any) -> JsonValue:
        if isinstance(value, str):
            return value
        shape = next(shape for shape in self.shapes if isinstance(value, shape.cls))
        told = shape.write(value)
        first = next(iter(shape.members))
        return told[first] if self.choice and self.listed is shape and told.keys() == {first} else told

    @property
    def listed(self) -> DeclaredShape | None:
        """The shape of what a slug alone may say, where it may say more of it."""
        return self.shapes[0] if self.choice and len(self.shapes) > 1 else None

    @property
    def own(self) -> DeclaredShape:
        return self.shapes[-1]


@dataclass(frozen=True)
class Commands:
    """Shapes told apart by the word that is sent as `type`."""

    shapes: Mapping[str, DeclaredShape]

    def read_document(self, data: JsonValue, at: str = "", known: Catalogues | None = None) -> Any:
        """The command this JSON says. Raises `InvalidInput` with a pointer for every problem."""
        reading = ShapeReading(known or {})
        value = self._read(data, at, reading)
        reading.refuse()
        return value

    def _read(self, data: JsonValue, at: str, reading: ShapeReading) -> Any:
        if not isinstance(data, Mapping):
            return reading.wrong(at, _("Give an object with named fields."))
        kind = data.get("type")
        if not isinstance(kind, str) or kind not in self.shapes:
            return reading.wrong(f"{at}/type", _("There is no command “{type}”."), type=str(kind)[:SHOWN])
        rest = {name: value for name, value in data.items() if name != "type"}
        return self.shapes[kind].read(rest, at, reading)

    def write(self, command: Any) -> dict[str, JsonValue]:
        kind, shape = next((kind, shape) for kind, shape in self.shapes.items() if isinstance(command, shape.cls))
        return {"type": kind, **shape.write(command)}
