"""Content of any law: items for the codex, and modifiers with conditions. A law names its stats and conditions in
`rules/<law>/content.py`.

A condition answers True, False or None. None means unknown here (no target or phase yet). A modifier applies only if
its condition is True, so a sheet shows exactly the unconditional ones.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Self

from rules.core.text import NO_WORDS, Term, _

SWITCHED_OFF = _("{item} is switched off by a house rule of this campaign.")


class SourceMark(StrEnum):
    """Source of an item: the law's document, a ruling on it, a reconstruction of a lost rule, or observed play. `NONE`:
    its law marks no sources.
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
"""Name of each mark, beside entries that bear it."""
SOURCES_EXPLAINED = _(
    "Document: the text itself. Ruling: decided where the text is silent. Reconstruction: a lost rule, rewritten."
)


@dataclass(frozen=True, slots=True)
class Item:
    """Item of the codex: slug, name, one sentence, rule id, source."""

    slug: str
    name: Term
    rule: str
    summary: Term = NO_WORDS
    mark: SourceMark = field(default=SourceMark.NONE, kw_only=True)


def rules_told(*told: tuple[str, Term, Term]) -> dict[str, Item]:
    """Build items for rules, each given as (rule id, name, sentence). The rule id is also the slug."""
    return {rule: Item(rule, name, rule, summary) for rule, name, summary in told}


def items_told(*told: tuple[str, Term, SourceMark, Term]) -> dict[str, Item]:
    """Build items for rules, each given as (rule id, name, source, sentence). The rule id is also the slug."""
    return {rule: Item(rule, name, rule, summary, mark=mark) for rule, name, mark, summary in told}


@dataclass(frozen=True, slots=True)
class Switchable(Item):
    """Item that a campaign may switch off. It keeps its name."""

    off: bool = field(default=False, kw_only=True)

    def switched_off(self) -> Self:
        return replace(self, off=True)


def overlaid[I: Item](
    catalogue: Mapping[str, I], changes: Mapping[str, Mapping[str, Any]], figures: Container[str]
) -> dict[str, I]:
    """Return the catalogue with a campaign's changes: {slug: {figure: number, "off": True}}.

    Unknown items and figures that may not be changed are ignored.
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
    """Question about a situation. Conditions combine with &, | and ~.

    `reads` names what the answer depends on and what may change, in the law's words. A value computed under the
    condition may be cached as long as these stay the same.
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
"""Computed amount, from the situation and the number that its source carries."""


@dataclass(frozen=True, slots=True)
class BaseModifier[S]:
    """Number that changes `stat`, under a condition (None: always). `stat` is one of the law's own."""

    stat: StrEnum
    value: int | Amount[S]
    when: Condition[S] | None = None
