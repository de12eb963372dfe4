"""Content of any law: items a reader can look up, and numbers with conditions.

A law says in a module of its own what its numbers change and what its conditions look at (`rules/<law>/content.py`).

Conditions answer True, False or None. None means "cannot be known here" (no target yet, no phase):
a modifier applies only where its condition is True, so a sheet shows just what needs nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Self

from rules.core.text import NO_WORDS, Term, _

SWITCHED_OFF = _("{item} is switched off by a house rule of this campaign.")


class SourceMark(StrEnum):
    """Where an item comes from: the law's document, a ruling on it, a rule invented for a lost one, play that was seen.

    `NONE`: its law marks nothing.
    """

    NONE = ""
    DOCUMENT = "document"
    RULING = "ruling"
    RECONSTRUCTION = "reconstruction"
    SEEN = "seen"


SOURCE_MARKS: Mapping[SourceMark, Term] = {
    SourceMark.NONE: NO_WORDS,
    SourceMark.DOCUMENT: _("Document"),
    SourceMark.RULING: _("Ruling"),
    SourceMark.RECONSTRUCTION: _("Reconstruction"),
    SourceMark.SEEN: _("Seen in play"),
}
"""What a mark is called where an entry bears it."""
SOURCES_EXPLAINED = _(
    "Document: the text itself. Ruling: decided where the text is silent. Reconstruction: a lost rule, rewritten."
)


@dataclass(frozen=True, slots=True)
class Item:
    """Anything the codex lists: slug, name, one sentence, the rule it comes from, its mark."""

    slug: str
    name: Term
    rule: str
    summary: Term = NO_WORDS
    mark: SourceMark = field(default=SourceMark.NONE, kw_only=True)


def rules_told(*told: tuple[str, Term, Term]) -> dict[str, Item]:
    """What rules say: the id, a name, one sentence. A rule comes from itself."""
    return {rule: Item(rule, name, rule, summary) for rule, name, summary in told}


def items_told(*told: tuple[str, Term, SourceMark, Term]) -> dict[str, Item]:
    """What rules say, with where each comes from: the id, a name, the mark, one sentence."""
    return {rule: Item(rule, name, rule, summary, mark=mark) for rule, name, mark, summary in told}


@dataclass(frozen=True, slots=True)
class Switchable(Item):
    """An item a campaign may do without: it stays known by name."""

    off: bool = field(default=False, kw_only=True)

    def switched_off(self) -> Self:
        return replace(self, off=True)


def overlaid[I: Item](
    catalogue: Mapping[str, I], changes: Mapping[str, Mapping[str, Any]], figures: Container[str]
) -> dict[str, I]:
    """The catalogue of a campaign that changes some items: {slug: {figure: number, "off": True}}.

    Items the law does not know and figures that may not be set are left aside.
    """
    found = dict(catalogue)
    for slug, fields in changes.items():
        item = catalogue.get(slug)
        if item is None:
            continue
        if fields.get("off") and isinstance(item, Switchable):
            found[slug] = item.switched_off()
        else:
            found[slug] = replace(item, **{name: value for name, value in fields.items() if name in figures})
    return found


@dataclass(frozen=True, slots=True)
class Condition[S]:
    """A question about a situation. Conditions compose with & | ~.

    `reads`: what it looks at that may change while everything else stays: what is reckoned under the condition may be
    kept for as long as these stay the same. A law names them.
    """

    test: Callable[[S], bool | None]
    reads: frozenset[str] = frozenset()

    def __call__(self, situation: S) -> bool | None:
        return self.test(situation)

    def __and__(self, other: Condition[S]) -> Condition[S]:
        def both(s: S) -> bool | None:
            left, right = self.test(s), other.test(s)
            if left is False or right is False:
                return False
            return None if left is None or right is None else True

        return Condition(both, self.reads | other.reads)

    def __or__(self, other: Condition[S]) -> Condition[S]:
        return ~(~self & ~other)

    def __invert__(self) -> Condition[S]:
        def negated(s: S) -> bool | None:
            answer = self.test(s)
            return None if answer is None else not answer

        return Condition(negated, self.reads)


type Amount[S] = Callable[[S, int], int]
"""A number that is reckoned: from the situation, and from the number its source carries."""


@dataclass(frozen=True, slots=True)
class BaseModifier[S]:
    """A number with a condition. `stat`: what it changes, one of the law's own."""

    stat: StrEnum
    value: int | Amount[S]
    when: Condition[S] | None = None
