"""Page object of the codex: every item of the campaign's ruleset, searchable in the reader's language and English."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple
from uuid import UUID

from django.utils.translation import get_language, override

from core.text import render
from core.text_search import contains_words, split_words, strip_accents
from kingdom.access.queries import get_campaign_for
from kingdom.models import Campaign, User
from kingdom.realms.figures import get_ruleset
from rules.core.content import SOURCE_MARKS, SOURCES_EXPLAINED, SourceMark
from rules.core.text import Said, Term
from rules.house import OWN
from rules.law import Law

A_FEW = 8  # entries of each chapter in a search through several
SAMPLE = 5  # names of each chapter in the table of contents
OTHER = {"fr": "en", "en": "fr"}


@dataclass(frozen=True)
class CodexEntry:
    """An item: its names in both languages, a sentence, and its figures."""

    kind: str
    slug: str
    name: str
    other: str
    summary: str
    rule: str
    facts: tuple[Said, ...]
    house_rule: bool
    off: bool
    own: bool
    mark: SourceMark = SourceMark.NONE

    @property
    def mark_words(self) -> Term:
        return SOURCE_MARKS[self.mark]

    @property
    def anchor(self) -> str:
        return f"{self.kind}-{self.slug}"


@dataclass(frozen=True)
class CodexKind:
    slug: str
    label: Term
    found: int


class CodexChapter(NamedTuple):
    """A kind of items. `entries`: those shown of the `found`."""

    slug: str
    label: Term
    entries: tuple[CodexEntry, ...]
    found: int

    @property
    def hidden(self) -> int:
        return self.found - len(self.entries)


@dataclass(frozen=True)
class CodexPage:
    """The codex. Without a query, kind or mark it is a table of contents, with the kinds as its chapters. A search
    through several kinds shows the first entries of each.

    `marks`: those the ruleset gives to items, with their counts among the entries found; empty where it gives none.
    """

    campaign: Campaign
    ruleset: Term
    query: str
    kind: str
    mark: str
    kinds: tuple[CodexKind, ...]
    marks: tuple[CodexKind, ...]
    groups: tuple[tuple[Term, tuple[CodexEntry, ...]], ...]

    @property
    def is_contents(self) -> bool:
        return not (self.query or self.kind or self.mark)

    @property
    def chapters(self) -> Iterator[CodexChapter]:
        """The entries to show, by kind."""
        most = len if self.kind else lambda _entries: A_FEW
        slugs = {str(kind.label): kind.slug for kind in self.kinds}
        for label, entries in self.groups:
            yield CodexChapter(slugs[str(label)], label, entries[: most(entries)], len(entries))

    @property
    def contents(self) -> Iterator[CodexChapter]:
        """The chapters of the table of contents, each with a few names."""
        slugs = {str(kind.label): kind.slug for kind in self.kinds}
        return (CodexChapter(slugs[str(label)], label, found[:SAMPLE], len(found)) for label, found in self.groups)

    @property
    def before(self) -> CodexKind | None:
        return self._beside(-1)

    @property
    def after(self) -> CodexKind | None:
        return self._beside(1)

    def _beside(self, step: int) -> CodexKind | None:
        """The non-empty kind `step` places after the one shown, -1 for the one before it. None where there is none."""
        slugs = [kind.slug for kind in self.kinds if kind.found or kind.slug == self.kind]
        place = slugs.index(self.kind) + step if self.kind in slugs else -1
        found = slugs[place] if 0 <= place < len(slugs) else None
        return next((kind for kind in self.kinds if kind.slug == found), None)

    @property
    def marks_found(self) -> tuple[CodexKind, ...]:
        return tuple(mark for mark in self.marks if mark.found)

    @property
    def marks_explained(self) -> Said:
        return SOURCES_EXPLAINED

    @property
    def found(self) -> int:
        return sum(len(entries) for _label, entries in self.groups)


def codex_page(user: User, campaign_id: UUID, query: str = "", kind: str = "", mark: str = "") -> CodexPage:
    """Items with every word of `query`, of this `kind` and `mark` ("" for all). Raises `Http404` for strangers."""
    campaign = get_campaign_for(user, campaign_id)
    law = get_ruleset(campaign)
    kinds = law.catalogues
    kind = kind if kind in kinds else ""
    words = split_words(query)
    own = campaign.house_rules.get(OWN, {})
    everything = indexed(law)
    marks = [one for one in SourceMark if one and any(found.entry.mark == one for found in everything)]
    mark = mark if mark in marks else ""
    named = [found.entry for found in everything if contains_words(found.text, words)]
    fitting = [entry for entry in named if mark in ("", entry.mark)]
    found = {slug: tuple(_mine(entry, own) for entry in fitting if entry.kind == slug) for slug in kinds}
    return CodexPage(
        campaign=campaign,
        ruleset=law.name,
        query=query,
        kind=kind,
        mark=mark,
        marks=tuple(CodexKind(one, SOURCE_MARKS[one], _count(named, kind, one)) for one in marks),
        kinds=tuple(CodexKind(slug, known.label, len(found[slug])) for slug, known in kinds.items()),
        groups=tuple((kinds[k].label, found[k]) for k in kinds if found[k] and kind in ("", k)),
    )


def _count(entries: Iterable[CodexEntry], kind: str, mark: str) -> int:
    return sum(entry.mark == mark and kind in ("", entry.kind) for entry in entries)


class Indexed(NamedTuple):
    """An entry with its names and all its text, folded for search."""

    entry: CodexEntry
    names: tuple[str, ...]
    text: str


def indexed(law: Law) -> tuple[Indexed, ...]:
    """Every item of the ruleset in the reader's language. Cached for the last rulesets asked for."""
    return _indexed(_Same(law), get_language() or "en")


class _Same:
    """Cache key that compares rulesets by identity."""

    def __init__(self, law: Law):
        self.law = law

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.law is other.law

    def __hash__(self) -> int:
        return id(self.law)


@lru_cache(maxsize=32)
def _indexed(same: _Same, language: str) -> tuple[Indexed, ...]:
    return tuple(_index_of(entry) for kind in same.law.catalogues for entry in _entries(same.law, kind))


def _index_of(entry: CodexEntry) -> Indexed:
    names = tuple(strip_accents(name) for name in (entry.name, entry.other, entry.slug, entry.rule) if name)
    return Indexed(entry, names, " ".join((*names, strip_accents(entry.summary))))


def _entries(law: Law, kind: str) -> Iterator[CodexEntry]:
    changed, catalogue = law.house.overlay.get(kind, {}), law.catalogues[kind]
    for item in catalogue.items.values():
        yield CodexEntry(
            kind=kind,
            slug=item.slug,
            name=render(item.name),
            other=_in_other_language(item.name),
            summary=render(item.summary),
            rule=item.rule,
            facts=tuple(catalogue.facts(item)),
            house_rule=item.slug in changed,
            off=getattr(item, "off", False),
            own=False,
            mark=item.mark,
        )


def _mine(entry: CodexEntry, own: Mapping[str, Container[str]]) -> CodexEntry:
    return replace(entry, own=True) if entry.slug in own.get(entry.kind, ()) else entry


def _in_other_language(name: Term) -> str:
    """The name in the other language; "" where it is the same."""
    with override(OTHER.get((get_language() or "en")[:2], "en")):
        other = render(name)
    return "" if other == render(name) else other
