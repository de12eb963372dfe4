"""The codex: every item of the campaign's ruleset, searchable in the reader's language and in English."""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Iterator
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import get_language, override

from kingdom.models import Campaign, User
from kingdom.selectors import campaign_for, ruleset_of
from kingdom.text import render
from rules.house import OWN
from rules.law import Law
from rules.text import Said, Term

OTHER = {"fr": "en", "en": "fr"}


@dataclass(frozen=True)
class CodexEntry:
    """An item: its name here and in the other language, one sentence, and the figures it comes with."""

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

    @property
    def anchor(self) -> str:
        return f"{self.kind}-{self.slug}"


@dataclass(frozen=True)
class CodexKind:
    slug: str
    label: Term
    found: int


@dataclass(frozen=True)
class CodexPage:
    campaign: Campaign
    ruleset: Term
    query: str
    kind: str
    kinds: tuple[CodexKind, ...]
    groups: tuple[tuple[Term, tuple[CodexEntry, ...]], ...]

    @property
    def found(self) -> int:
        return sum(len(entries) for _label, entries in self.groups)


def codex_page(user: User, campaign_id: UUID, query: str = "", kind: str = "") -> CodexPage:
    """The items that hold every word of `query`, of one `kind` or of all. Raises Http404 for strangers."""
    campaign = campaign_for(user, campaign_id)
    law = ruleset_of(campaign)
    kinds = law.catalogues
    kind = kind if kind in kinds else ""
    words = _plain(query).split()
    own = campaign.house_rules.get(OWN, {})
    found = {slug: tuple(e for e in _entries(law, slug, own.get(slug, {})) if _fits(e, words)) for slug in kinds}
    return CodexPage(
        campaign=campaign,
        ruleset=law.name,
        query=query,
        kind=kind,
        kinds=tuple(CodexKind(slug, known.label, len(found[slug])) for slug, known in kinds.items()),
        groups=tuple((kinds[k].label, found[k]) for k in kinds if found[k] and kind in ("", k)),
    )


def _entries(law: Law, kind: str, own: Container[str]) -> Iterator[CodexEntry]:
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
            own=item.slug in own,
        )


def _in_other_language(name: Term) -> str:
    """The name as the other half of the table says it, where it differs."""
    with override(OTHER.get((get_language() or "en")[:2], "en")):
        other = render(name)
    return "" if other == render(name) else other


def _fits(entry: CodexEntry, words: list[str]) -> bool:
    text = _plain(f"{entry.name} {entry.other} {entry.summary} {entry.slug} {entry.rule}")
    return all(word in text for word in words)


def _plain(text: str) -> str:
    """Without accents and case, so that "deroute" finds "Déroute"."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))
