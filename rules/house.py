"""House rules: the settings of a law that a campaign may change, declared once for pages, API and chronicle.

A campaign stores only differences from the law, as JSON: `{rule: value, "overlay": {kind: {item: {figure: number,
"off": true}}}, "own": {kind: {item: …}}}`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

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
