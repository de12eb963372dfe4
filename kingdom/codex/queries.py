"""Queries for the codex: the text of a rule id or item, shown beside figures, chips and log lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from django.http import Http404
from django.urls import reverse
from django.utils.http import urlencode

from rules.core.content import SOURCE_MARKS
from rules.core.text import NO_WORDS, Said, Term, _
from rules.hexes.terrain import MAP_RULES
from rules.law import Catalogue, Law
from rules.registry import RULESETS

_OF_MAPS = Catalogue(_("Rules"), MAP_RULES, lambda item: ())
FEW = 12  # more items under one rule are a chapter, which the codex lists and a note beside a figure does not


class RuleEntry(NamedTuple):
    """An item of a ruleset: its name, one sentence, and its figures in words.

    `ruleset`: the ruleset's name, if several rulesets have the id.
    """

    kind: Term
    name: Term
    rule: str
    summary: Term
    facts: tuple[Said, ...]
    mark: Said = NO_WORDS
    ruleset: Said = NO_WORDS


def entries_of_rule(rule: str, ruleset: str = "") -> tuple[RuleEntry, ...]:
    """Return the items with this id in `ruleset`, or among the rules of maps: the rule itself, then its items if they
    are few.

    Without `ruleset` the first ruleset with the id is used; if rulesets mean different rules by it, all of them. Raises
    Http404.
    """
    if ruleset and ruleset not in RULESETS:
        raise Http404
    laws = [RULESETS[ruleset]] if ruleset else list(RULESETS.values())
    if not ruleset and rule in list_ambiguous_ids():
        return tuple(
            entry._replace(ruleset=law.name) for law in laws for entry in _entries_of(law.catalogues.values(), rule)
        )
    for catalogues in (*(law.catalogues.values() for law in laws), [_OF_MAPS]):
        if entries := _entries_of(catalogues, rule):
            return entries
    raise Http404


def get_rule_url(rule: str, ruleset: str = "") -> str:
    """Return the address of a rule. It includes the ruleset if other rulesets mean something else by the id."""
    url = reverse("kingdom:rule", args=[rule])
    named = ruleset and ruleset in list_ambiguous_ids().get(rule, ())
    return f"{url}?{urlencode({'ruleset': ruleset})}" if named else url


@cache
def list_ambiguous_ids() -> Mapping[str, frozenset[str]]:
    """Return the ids that mean different rules in different rulesets, with those rulesets."""
    told: dict[str, dict[str, str]] = defaultdict(dict)
    for slug, law in RULESETS.items():
        for item in _list_rules(law):
            told[item.rule][slug] = str(item.summary)
    return {rule: frozenset(words) for rule, words in told.items() if len(set(words.values())) > 1}


def _list_rules(law: Law) -> Iterator[Any]:
    return (item for kind in law.catalogues.values() for item in kind.items.values() if item.slug == item.rule)


def _entries_of(catalogues: Iterable[Catalogue], rule: str) -> tuple[RuleEntry, ...]:
    found = list(_bearing(catalogues, rule))
    itself = [pair for pair in found if pair[1].slug == rule]
    shown = found if len(found) <= FEW else itself or found[:FEW]
    return tuple(_entry(*pair) for pair in sorted(shown, key=lambda pair: pair not in itself))


def entry_of(ruleset: str, kind: str, slug: str) -> RuleEntry:
    """Return an item of a ruleset. Raises Http404."""
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
