"""Kinds of field values, read from and written as JSON, and the markers that declare them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final, NamedTuple
from uuid import UUID

from rules.core.errors import UNSHOWN, Fault, InvalidInput, Unlisted, has_visible_text, pointer, unfit_in
from rules.core.text import NO_WORDS, Said, Term, _, say

TEXT_MOST = 120
CHOOSE = _("Choose one of: {choices}.")


class WholeNumber(NamedTuple):
    """Whole number within bounds. A bound may be a function of the object around it."""

    least: int | Callable[[Mapping[str, Any]], int]
    most: int | Callable[[Mapping[str, Any]], int]


class Text(NamedTuple):
    """One line of at most `most` characters. `wrong` replaces the usual messages."""

    most: int = TEXT_MOST
    wrong: Term = NO_WORDS


class OneOf(NamedTuple):
    """Slug, one of these or of the reader's catalogue of this name.

    A mapping of slugs to terms also names them. `wrong` may use `{choices}`, `{slug}` and `{known}` (the slugs without
    names).
    """

    among: str | Collection[str]
    wrong: Term = CHOOSE

    def __hash__(self) -> int:
        return hash((tuple(self.among), self.wrong))  # hashable, although `among` may be a mapping


class Each(NamedTuple):
    """Number of entries in a list. `few` and `many` are the messages for a list too short or too long (`{most}`)."""

    most: int
    least: int = 0
    few: Term = NO_WORDS
    many: Term = NO_WORDS


class Spelled(NamedTuple):
    """Value spelled as one word of at most `most` characters. `read` raises `InvalidInput` for any other JSON value."""

    read: Callable[[Any], Any]
    write: Callable[[Any], Any] = str
    most: int = TEXT_MOST


class Label(NamedTuple):
    """Name of a field for people. `one` names an entry of a list, `another` a new one.

    `options` names choices in a form: "" is the empty choice (none without it), "yes" and "no" those of an optional
    flag. `asked` is the form's question, where it differs from the name.
    """

    label: Said
    help: Said = NO_WORDS
    one: Said = NO_WORDS
    another: Said = NO_WORDS
    options: Mapping[str, Said] | None = None
    asked: Said = NO_WORDS


class InApi(NamedTuple):
    """Description of a field in the API's document, where its type does not say it. `text` is English. `choices` are
    those to list, `plain` lists none. `nullable`, `blank` and `required` override the derived values.
    """

    text: str = ""
    choices: tuple[str, ...] = ()
    plain: bool = False
    nullable: bool | None = None
    blank: bool = False
    required: bool | None = None


class NeededIf(NamedTuple):
    """The field is required if the object around it satisfies `when`."""

    when: Callable[[Mapping[str, Any]], bool]


class Called(NamedTuple):
    """The field's name in JSON, where it differs from the attribute."""

    name: str


class Marker(NamedTuple):
    """Marker without parameters."""

    what: str


FLAT = Marker("flat")
"""The object's members stand among those of the object around it."""
UNSAID = Marker("unsaid")
"""Not part of the document. It keeps its default, or the reader fills it in."""
CARRIED = Marker("carried")
"""Written only by the game. Forms, tables and API bodies omit it, and it keeps its value."""
KEPT = Marker("kept")
"""Written even if it is the default."""
SLUG, ARMY, SIDE = Marker("slug"), Marker("army"), Marker("side")

type Slug = Annotated[str, SLUG]
type UnitId = Annotated[str, SLUG]
type ArmyId = Annotated[str, ARMY]
type SideNumber = Annotated[int, SIDE]
"""Side, sent by its name or its index from 0."""


type JsonValue = Any
type Catalogues = Mapping[str, Any]
"""Catalogues by name (collections of slugs, or mappings by slug), and under `sides` the names of a battle's sides."""

SLUG_MOST, SHOWN, LIST_MOST, NUMBER_MOST = 120, 60, 500, 1_000_000
MISSING: Final = object()
WRONG: Any = object()
"""Result of reading a value whose problems were noted."""


@dataclass
class ShapeReading:
    """State of reading one document: the known catalogues and every problem found so far."""

    known: Catalogues = field(default_factory=dict)
    problems: list[Fault] = field(default_factory=list)

    def wrong(self, at: str, template: Term, /, **params: object) -> Any:
        return self.tell(at, say(template, **params) if params else template)

    def tell(self, at: str, problem: Said) -> Any:
        self.problems.append((at, problem))
        return WRONG

    def refuse(self) -> None:
        """Raise `InvalidInput` with every problem, the first as its message."""
        if self.problems:
            raise InvalidInput(self.problems[0][1], self.problems[0][0], tuple(self.problems))


class FieldKind(ABC):
    """Base of all kinds of values."""

    @abstractmethod
    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        """Return the value, or `WRONG` after noting its problems."""

    def read_document(self, data: JsonValue, at: str = "", known: Catalogues | None = None) -> Any:
        """Parse JSON. Raises `InvalidInput` with a JSON pointer for every problem."""
        reading = ShapeReading(known or {})
        value = self.read(data, at, reading)
        reading.refuse()
        return value

    def write(self, value: Any) -> JsonValue:
        return value

    def within(self, body: Mapping[str, Any]) -> FieldKind:
        """Return the kind with bounds resolved for the object around it."""
        return self


@dataclass(frozen=True)
class WholeKind(FieldKind):
    least: int | Callable[[Mapping[str, Any]], int] = -NUMBER_MOST
    most: int | Callable[[Mapping[str, Any]], int] = NUMBER_MOST

    def within(self, body: Mapping[str, Any]) -> WholeKind:
        if isinstance(self.least, int) and isinstance(self.most, int):
            return self
        return replace(self, least=_bound(self.least, body), most=_bound(self.most, body))

    @property
    def lowest(self) -> int:
        return _bound(self.least, {})

    @property
    def highest(self) -> int:
        return _bound(self.most, {})

    def holds(self, value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and self.lowest <= value <= self.highest

    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        if self.holds(value):
            return value
        said = _("Enter a whole number from {low} to {high}.")
        return reading.wrong(at, said, low=self.lowest, high=self.highest)


def _bound(bound: int | Callable[[Mapping[str, Any]], int], body: Mapping[str, Any]) -> int:
    return bound if isinstance(bound, int) else bound(body)


@dataclass(frozen=True)
class TextKind(FieldKind):
    most: int
    wrong: Term = NO_WORDS

    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        if not isinstance(value, str):
            return reading.wrong(at, self.wrong or _("Enter text here."))
        text = " ".join(value.split())
        if not text or not (has_visible_text(text) or unfit_in(value) or self.wrong):
            return reading.wrong(at, self.wrong or _("This can’t be empty."))
        if len(text) > self.most:
            long = _("Use at most {most} characters; this has {count}.")
            return reading.wrong(at, self.wrong) if self.wrong else reading.wrong(
                at, long, most=self.most, count=len(text)
            )  # fmt: skip
        return reading.wrong(at, UNSHOWN) if unfit_in(value) else text


class FlagKind(FieldKind):
    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        return value if isinstance(value, bool) else reading.wrong(at, _("Use true or false."))


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
        params = {"slug": str(value)[:SHOWN], "choices": _choices(slugs), "known": ", ".join(slugs)}
        used = {name: given for name, given in params.items() if f"{{{name}}}" in self.wrong}
        if isinstance(value, str) and isinstance(self.among, str):
            return reading.tell(at, Unlisted(self.wrong, used))
        return reading.wrong(at, self.wrong, **used)


def _choices(slugs: Collection[str]) -> Any:
    """Format the choices for a message, with names where all have one."""
    if isinstance(slugs, Mapping) and all(isinstance(name, Term) for name in slugs.values()):
        return [say(_("{name} ({slug})"), name=name, slug=slug) for slug, name in slugs.items()]
    return ", ".join(slugs)


class SlugKind(FieldKind):
    """Id or slug. The law checks whether it names something."""

    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        if isinstance(value, str) and 0 < len(value) <= SLUG_MOST and value.isprintable():
            return value
        return reading.wrong(at, _("Choose a name from the list."))


class ArmyKind(SlugKind):
    """Army id, in its normal spelling. Names that are not ids are returned unchanged."""

    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        given = super().read(value, at, reading)
        try:
            return given if given is WRONG else str(UUID(given))
        except ValueError:
            return given


class SideKind(FieldKind):
    """Side, by its name or its index from 0."""

    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        sides = tuple(reading.known.get("sides", ()))
        if not isinstance(value, str):
            return WholeKind(0, len(sides) - 1).read(value, at, reading)
        if value not in sides:
            return reading.wrong(at, _("Side “{name}” not found."), name=value[:SHOWN])
        return sides.index(value)


class WordOrNumberKind(SlugKind):
    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        return super().read(value, at, reading) if isinstance(value, str) else WholeKind().read(value, at, reading)


class AnyKind(FieldKind):
    """JSON that is not read here."""

    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        return value


@dataclass(frozen=True)
class SpelledKind(FieldKind):
    from_json: Callable[[Any], Any]
    to_json: Callable[[Any], Any]
    most: int

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
            return self._wrong(self.few or _("Must be a list."), at, reading)
        if len(value) > self.most:
            return self._wrong(self.many or _("Use at most {most} entries."), at, reading)
        return tuple(self.item.read(one, f"{at}/{place}", reading) for place, one in enumerate(value))

    def _wrong(self, template: Term, at: str, reading: ShapeReading) -> Any:
        return reading.wrong(at, template, **({"most": self.most} if "{most}" in template else {}))

    def write(self, value: Any) -> JsonValue:
        return [self.item.write(one) for one in value]


@dataclass(frozen=True)
class MappingKind(FieldKind):
    key: FieldKind
    item: FieldKind
    least: int = 0

    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        if not isinstance(value, Mapping) or len(value) < self.least:
            return reading.wrong(at, _("Enter a JSON object."))
        return {
            self.key.read(name, pointer(at, name), reading): self.item.read(one, pointer(at, name), reading)
            for name, one in value.items()
        }

    def write(self, value: Any) -> JsonValue:
        return {str(self.key.write(name)): self.item.write(one) for name, one in value.items()}
