"""House rules: the settings of a law that a campaign may change, declared once for pages, API and chronicle.

A campaign stores only differences from the law, as JSON: `{rule: value, "overlay": {kind: {item: {figure: number,
"off": true}}}, "own": {kind: {item: …}}}`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from rules.core.errors import pointer
from rules.core.shapes import DeclaredShape, JsonValue, ShapeReading
from rules.core.shapes.value_kinds import WRONG, Catalogues
from rules.core.text import NO_WORDS, Said, Term, _, say

type RuleValue = bool | int | str

OFF = "off"  # figure of an item that says whether the campaign has switched it off
OVERLAY = "overlay"  # key of changed items in the stored house rules
OWN = "own"  # key of the campaign's own items, beside the law's


@dataclass(frozen=True, slots=True)
class HouseRule:
    """House rule. Its value is one of `choices`, each with its words, or a whole number from `least` to `most`. `rule`
    is the id of the rule in the law's document.
    """

    name: Term
    default: RuleValue
    choices: Mapping[RuleValue, Term] = field(default_factory=dict)
    least: int = 0
    most: int = 0
    help: Term = NO_WORDS
    rule: str = ""

    def in_words(self, value: RuleValue) -> Said:
        """Describe a campaign that has set this value."""
        words = next((said for known, said in self.choices.items() if _same(known, value)), None)
        return words or say(_("{item}: {figure}"), item=self.name, figure=value)

    def knows(self, value: object) -> bool:
        """Whether this is a possible value. `1` and `True` are different values."""
        if self.choices:
            return any(_same(known, value) for known in self.choices)
        return isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most


def _same(known: object, value: object) -> bool:
    return type(known) is type(value) and known == value


@dataclass(frozen=True, slots=True)
class ItemFigure:
    """Figure of an item that a campaign may change. `words` is its name in a sentence, `head` above a column."""

    words: Term
    head: Term
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class ItemFigures:
    """Figures of one kind of item that a campaign may change, by attribute. An item whose attribute is None has no such
    figure. `item` is the name of one such item.
    """

    item: Term
    figures: Mapping[str, ItemFigure]


def every(_item: Any) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class HouseRules:
    """All settings of a law that a campaign may change.

    `rules` are by slug. `figures` and `switches` are by kind of catalogue: the figures of its items that may be
    changed, and which items may be switched off. `own` reads the campaign's own items (`{kind: {slug: …}}`) into their
    stored form and raises `InvalidInput` with JSON pointers; None means that the law allows none. `rule` is the id of
    the rule on house rules.
    """

    rules: Mapping[str, HouseRule] = field(default_factory=dict)
    figures: Mapping[str, ItemFigures] = field(default_factory=dict)
    switches: Mapping[str, Callable[[Any], bool]] = field(default_factory=dict)
    rule: str = ""
    own: Callable[[object], dict[str, dict[str, Any]]] | None = None

    def __bool__(self) -> bool:
        return bool(self.rules or self.kinds)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of items that may be changed or switched off."""
        return tuple(dict.fromkeys((*self.switches, *self.figures)))

    @property
    def defaults(self) -> dict[str, RuleValue]:
        return {slug: rule.default for slug, rule in self.rules.items()}

    def figures_of(self, kind: str) -> Mapping[str, ItemFigure]:
        return self.figures[kind].figures if kind in self.figures else {}

    def may_do_without(self, kind: str, item: Any) -> bool:
        return kind in self.switches and self.switches[kind](item)


NO_HOUSE_RULES = HouseRules()


class HouseInForce(Protocol):
    """House rules in force. The values are the law's own."""

    @property
    def overlay(self) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
        """Changed items, by kind and slug, each with its differences from the law."""


@dataclass(frozen=True, slots=True)
class NothingSet:
    """House rules in force of a law without settings."""

    overlay: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)


# Reader of a campaign's own items, `{kind: {slug: …}}`, as a law declares them.

OWN_MOST = 60
"""Most items of each kind."""
SLUG_MOST = SHOWN = 80

type OwnKept = dict[str, dict[str, JsonValue]]
type OwnGiven = Mapping[str, Mapping[str, object]]


def read_own(
    given: object,
    shapes: Mapping[str, DeclaredShape],
    taken: Callable[[str, str], bool],
    known: Callable[[OwnKept, OwnGiven], Catalogues],
) -> OwnKept:
    """Validate a campaign's own items and return them in their stored form.

    `taken(kind, slug)`: whether the law has such an item. `known(kept, given)`: returns the catalogues to validate the
    next kind with, from the kinds already read (`kept`) and the whole input (`given`). Raises `InvalidInput` with a
    JSON pointer for every problem ("/weapons/blunderbuss/damage").
    """
    reading = ShapeReading()
    body: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    if not isinstance(given, Mapping):
        reading.wrong("", _("Enter a JSON object."))
    for name in body.keys() - shapes.keys():
        reading.wrong(pointer("", name), _("Unknown field “{name}”. Remove it."), name=str(name)[:SHOWN])
    found = {kind: _of_kind(body.get(kind), kind, taken, reading) for kind in shapes}
    kept: OwnKept = {}
    for kind, shape in shapes.items():
        reading.known = known(kept, found)
        read = {slug: shape.read(thing, f"/{kind}/{slug}", reading) for slug, thing in found[kind].items()}
        kept[kind] = {slug: shape.write(thing) for slug, thing in read.items() if thing is not WRONG}
    reading.refuse()
    return {kind: things for kind, things in kept.items() if things}


def _of_kind(
    things: object, kind: str, taken: Callable[[str, str], bool], reading: ShapeReading
) -> Mapping[str, object]:
    """Return those with a valid slug, and report the others."""
    at = f"/{kind}"
    if things is None:
        return {}
    if not isinstance(things, Mapping):
        reading.wrong(at, _("Enter a JSON object."))
        return {}
    if len(things) > OWN_MOST:
        reading.wrong(at, _("Use at most {most} of each kind."), most=OWN_MOST)
        return {}
    for slug in things:
        if not _is_slug(slug):
            reading.wrong(at, _("“{slug}” isn’t a valid slug: use a–z, 0–9 and dashes."), slug=str(slug)[:SHOWN])
        elif taken(kind, slug):
            reading.wrong(at, _("“{slug}” belongs to the rules. Change its values in the campaign’s settings."),
                          slug=slug)  # fmt: skip
    return {slug: thing for slug, thing in things.items() if _is_slug(slug) and not taken(kind, slug)}


def _is_slug(slug: object) -> bool:
    if not isinstance(slug, str) or not 1 <= len(slug) <= SLUG_MOST or not slug.isascii():
        return False
    return slug == slug.lower() and slug.replace("-", "").isalnum()
