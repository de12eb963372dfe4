"""Kinds of values a field may have, read from JSON and written as JSON, and the markers that declare them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final, NamedTuple
from uuid import UUID

from rules.core.characters import UNSHOWN, has_visible_text, unfit_in
from rules.core.errors import Fault, InvalidInput, pointer
from rules.core.text import NO_WORDS, Said, Term, _, say

TEXT_MOST = 120
CHOOSE = _("Choose one of: {choices}.")


class WholeNumber(NamedTuple):
    """A whole number within these bounds. They may depend on what else the object says."""

    least: int | Callable[[Mapping[str, Any]], int]
    most: int | Callable[[Mapping[str, Any]], int]


class Text(NamedTuple):
    """One line of text. `wrong`: said of whatever it cannot be, in the place of the usual sentences."""

    most: int = TEXT_MOST
    wrong: Term = NO_WORDS


class OneOf(NamedTuple):
    """A slug of a catalogue: of these slugs, or of those the reader is given under this name.

    A mapping of slugs to terms names them for people. `wrong` may use `{choices}`, `{slug}`, and `{known}`: the slugs
    without names.
    """

    among: str | Collection[str]
    wrong: Term = CHOOSE

    def __hash__(self) -> int:
        return hash((tuple(self.among), self.wrong))  # a catalogue may be a mapping, and what is stored needs hashes


class Each(NamedTuple):
    """How many entries a list has. `few`, `many`: said of a list that has too few or too many (`{most}`)."""

    most: int
    least: int = 0
    few: Term = NO_WORDS
    many: Term = NO_WORDS


class Spelled(NamedTuple):
    """A value that is written as a word of at most so many characters. `read` raises `InvalidInput` for any JSON value
    that is none.
    """

    read: Callable[[Any], Any]
    write: Callable[[Any], Any] = str
    most: int = TEXT_MOST


class Label(NamedTuple):
    """The field's name for people. `one`: what one entry of a list is called, `another`: a fresh one.

    `options`: what choices are called in a form, "" where nothing is chosen; of a flag that may be left open "yes" and
    "no". Without "" there is no empty choice. `asked`: what a form asks, where that is not the name.
    """

    label: Said
    help: Said = NO_WORDS
    one: Said = NO_WORDS
    another: Said = NO_WORDS
    options: Mapping[str, Said] | None = None
    asked: Said = NO_WORDS


class InApi(NamedTuple):
    """What the document of the API says of the field, where its type does not. `text`: in English.

    `choices`: those it lists. `plain`: it lists none. `nullable`, `blank`, `required`: what it says of that.
    """

    text: str = ""
    choices: tuple[str, ...] = ()
    plain: bool = False
    nullable: bool | None = None
    blank: bool = False
    required: bool | None = None


class NeededIf(NamedTuple):
    """The field may not be left out where the object around it is such."""

    when: Callable[[Mapping[str, Any]], bool]


class Called(NamedTuple):
    """The field's name in JSON, where it is not its own."""

    name: str


class Marker(NamedTuple):
    """A marker without more to say."""

    what: str


FLAT = Marker("flat")
"""The members of this object stand among those of the object around it."""
UNSAID = Marker("unsaid")
"""No member of the document: it keeps its default, or whoever reads the document fills it in."""
CARRIED = Marker("carried")
"""Written by the game alone: forms, tables and bodies of the API leave it out, and it stays as it was."""
KEPT = Marker("kept")
"""Written even where it is the default."""
SLUG, ARMY, SIDE = Marker("slug"), Marker("army"), Marker("side")

type Slug = Annotated[str, SLUG]
type UnitId = Annotated[str, SLUG]
type ArmyId = Annotated[str, ARMY]
type SideNumber = Annotated[int, SIDE]
"""Sent as the side's name, or as its number from 0."""


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


class FieldKind(ABC):
    """Base of all kinds."""

    @abstractmethod
    def read(self, value: JsonValue, at: str, reading: ShapeReading) -> Any:
        """The value, or `WRONG` once its problems are noted."""

    def read_document(self, data: JsonValue, at: str = "", known: Catalogues | None = None) -> Any:
        """The value this JSON says. Raises `InvalidInput` with a pointer for every problem."""
        reading = ShapeReading(known or {})
        value = self.read(data, at, reading)
        reading.refuse()
        return value

    def write(self, value: Any) -> JsonValue:
        return value

    def within(self, body: Mapping[str, Any]) -> FieldKind:
        """The same where the object around it is this one."""
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
        said = _("Give a whole number from {low} to {high}.")
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
        return reading.wrong(at, _("Choose a name from the list."))


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
            return reading.wrong(at, _("Side “{name}” not found."), name=value[:SHOWN])
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
            return self._wrong(self.few or _("Give a list."), at, reading)
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
