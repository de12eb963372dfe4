"""Queries for the codex: what a rule id or an item says, beside figures, chips and lines of the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from django.http import Http404

from rules.core.content import SOURCE_MARKS
from rules.core.text import NO_WORDS, Said, Term, _
from rules.hexes.rulings import MAP_RULES
from rules.law import Catalogue
from rules.registry import RULESETS

_OF_MAPS = Catalogue(_("Rules"), MAP_RULES, lambda item: ())
FEW = 12  # more items than this under one rule are a chapter: the codex lists them, a note beside a figure does not


class RuleEntry(NamedTuple):
    """An item of a law: its name, one sentence, and its figures in words."""

    kind: Term
    name: Term
    rule: str
    summary: Term
    facts: tuple[Said, ...]
    mark: Said = NO_WORDS


def entries_of_rule(rule: str) -> tuple[RuleEntry, ...]:
    """What bears this id in the first law that knows it, or among the rules of every map: the rule itself, then its
    items if they are few. Raises `Http404`.
    """
    for catalogues in (*(law.catalogues.values() for law in RULESETS.values()), [_OF_MAPS]):
        if found := list(_bearing(catalogues, rule)):
            itself = [pair for pair in found if pair[1].slug == rule]
            shown = found if len(found) <= FEW else itself or found[:FEW]
            return tuple(_entry(*pair) for pair in sorted(shown, key=lambda pair: pair not in itself))
    raise Http404


def entry_of(ruleset: str, kind: str, slug: str) -> RuleEntry:
    """One item of a law. Raises `Http404`."""
    law = RULESETS.get(ruleset)
    catalogue = law.catalogues.get(kind) if law else None
    item = catalogue.items.get(slug) if catalogue else None
    if catalogue is None or item is None:
        raise Http404
    return _entry(catalogue, item)


def _bearing(catalogues: Iterable[Catalogue], rule: str) -> Iterator[tuple[Catalogue, Any]]:
    for catalogue in catalogues:
        yield from ((catalogue, item) for item in catalogue.items.values() if item.rule == rule)


def _entry(catalogue: Catalogue, item: Any) -> RuleEntry:
    return RuleEntry(
        catalogue.label, item.name, item.rule, item.summary, tuple(catalogue.facts(item)), SOURCE_MARKS[item.mark]
    )
