"""House rules: what a campaign may set of its law, declared once for pages, API and chronicle.

What a campaign has set is kept as JSON, only what differs from the law's own: `{rule: value, "overlay": {kind: {item:
{figure: number, "off": true}}}, "own": {kind: {item: …}}}`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from rules.core.text import NO_WORDS, Said, Term, _, say

type RuleValue = bool | int | str

OFF = "off"  # the figure of an item that says whether the campaign does without it
OVERLAY = "overlay"  # where the items stand among the house rules as they are kept
OWN = "own"  # and where those stand that a campaign has beside the law's


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One thing a campaign decides: one of its `choices`, each in words, or a whole number from `least` to `most`.

    `rule`: the id of what the law itself says of it.
    """

    name: Term
    default: RuleValue
    choices: Mapping[RuleValue, Term] = field(default_factory=dict)
    least: int = 0
    most: int = 0
    help: Term = NO_WORDS
    rule: str = ""

    def in_words(self, value: RuleValue) -> Said:
        """What a campaign that has set this plays by."""
        words = next((said for known, said in self.choices.items() if _same(known, value)), None)
        return words or say(_("{item}: {figure}"), item=self.name, figure=value)

    def knows(self, value: object) -> bool:
        """Whether it may be set to this. `1` is not `True` here."""
        if self.choices:
            return any(_same(known, value) for known in self.choices)
        return isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most


def _same(known: object, value: object) -> bool:
    return type(known) is type(value) and known == value


@dataclass(frozen=True, slots=True)
class ItemFigure:
    """A number of an item that a campaign may set. `words`: in a sentence; `head`: above a column of them."""

    words: Term
    head: Term
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class ItemFigures:
    """The numbers a campaign may set of one kind of item, by the item's attribute; None there: it has no such number.

    `item`: what one of them is called.
    """

    item: Term
    figures: Mapping[str, ItemFigure]


def every(_item: Any) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class HouseRules:
    """Everything a campaign may set of a law.

    `rules` by slug. `figures` and `switches` by kind of the law's catalogues: the numbers that may be set of its
    items, and which of its items a campaign may do without. `own`: takes the items a campaign has of its own beside
    the catalogues' ({kind: {slug: …}}) in their one shape, and raises `InvalidInput` with pointers into them; None: it
    has none. `rule`: the id of what the law says of house rules.
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
        """The kinds of items that may be changed."""
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
    """The house rules a law is played by; its values are the law's own."""

    @property
    def overlay(self) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
        """The items that are not the law's own, by kind and slug, with what is different."""


@dataclass(frozen=True, slots=True)
class NothingSet:
    """In force where a law leaves nothing to its campaigns."""

    overlay: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
