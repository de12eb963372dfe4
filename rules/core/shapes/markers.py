"""Markers: what a field's annotation says beyond its type.

They stand in `Annotated[...]`; an alias names several of them at once (`UnitId`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, NamedTuple

from rules.core.text import NO_WORDS, Said, Term, _

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
