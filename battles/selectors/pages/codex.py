"""The codex: every item of the campaign's ruleset, searchable in the reader's language and in English."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import get_language, override

from kingdom.models import Campaign, User
from kingdom.selectors import campaign_for, ruleset_of
from kingdom.text import MINUS, render, signed
from rules.pathfinder.ruleset import Ruleset
from rules.text import Said, Term, _, say

KINDS: Mapping[str, Term] = {
    "tactics": _("Tactics"),
    "strategies": _("Strategies"),
    "conditions": _("Battlefield conditions"),
    "boons": _("Boons"),
    "resources": _("Resources"),
    "abilities": _("Special abilities"),
    "offices": _("Offices"),
    "buildings": _("Buildings"),
    "sizes": _("Army sizes"),
}
CLASSES: Mapping[str, Term] = {
    "alchemist": _("alchemist"),
    "barbarian": _("barbarian"),
    "bard": _("bard"),
    "cavalier": _("cavalier"),
    "cleric": _("cleric"),
    "druid": _("druid"),
    "fighter": _("fighter"),
    "inquisitor": _("inquisitor"),
    "monk": _("monk"),
    "paladin": _("paladin"),
    "ranger": _("ranger"),
    "rogue": _("rogue"),
    "summoner": _("summoner"),
    "witch": _("witch"),
}
OTHER = {"fr": "en", "en": "fr"}


@dataclass(frozen=True)
class Entry:
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

    @property
    def anchor(self) -> str:
        return f"{self.kind}-{self.slug}"


@dataclass(frozen=True)
class Kind:
    slug: str
    label: Term
    found: int


@dataclass(frozen=True)
class CodexPage:
    campaign: Campaign
    ruleset: Term
    query: str
    kind: str
    kinds: tuple[Kind, ...]
    groups: tuple[tuple[Term, tuple[Entry, ...]], ...]

    @property
    def found(self) -> int:
        return sum(len(entries) for _label, entries in self.groups)


def codex_page(user: User, campaign_id: UUID, query: str = "", kind: str = "") -> CodexPage:
    """The items that hold every word of `query`, of one `kind` or of all. Raises Http404 for strangers."""
    campaign = campaign_for(user, campaign_id)
    law = ruleset_of(campaign)
    kind = kind if kind in KINDS else ""
    words = _plain(query).split()
    found = {slug: tuple(e for e in _entries(law, slug) if _fits(e, words)) for slug in KINDS}
    return CodexPage(
        campaign=campaign,
        ruleset=law.name,
        query=query,
        kind=kind,
        kinds=tuple(Kind(slug, label, len(found[slug])) for slug, label in KINDS.items()),
        groups=tuple((KINDS[k], found[k]) for k in KINDS if found[k] and kind in ("", k)),
    )


def _entries(law: Ruleset, kind: str) -> Iterator[Entry]:
    changed = law.house.overlay.get(kind, {})
    for item in getattr(law, kind).values():
        yield Entry(
            kind=kind,
            slug=item.slug,
            name=render(item.name),
            other=_in_other_language(item.name),
            summary=render(item.summary),
            rule=item.rule,
            facts=tuple(_facts(law, kind, item)),
            house_rule=item.slug in changed,
            off=getattr(item, "off", False),
        )


def _in_other_language(name: Term) -> str:
    """The name as the other half of the table says it, where it differs."""
    with override(OTHER.get((get_language() or "en")[:2], "en")):
        other = render(name)
    return "" if other == render(name) else other


def _facts(law: Ruleset, kind: str, item: Any) -> Iterator[Said]:
    match kind:
        case "sizes":
            yield say(_("from {units} units"), units=item.units)
            yield say(_("ACR {step} steps"), step=signed(item.step))
            yield say(_("prices × {factor}"), factor=str(item.factor))
            yield say(_("defeat: {economy} / {loyalty} / {stability}"), **_losses(item.defeat))
        case "strategies" if item.step:
            yield say(
                _("OM {om}, DV {dv}, damage {damage}"),
                om=signed(item.om), dv=signed(item.dv), damage=signed(item.damage),
            )  # fmt: skip
        case "resources":
            yield say(_("{price} BP"), price=item.price)
            yield say(_("{consumption} BP a week"), consumption=item.consumption)
            yield from (law.buildings[slug].name for slug in item.buildings if slug in law.buildings)
        case "boons" if item.leadership:
            yield say(_("leadership {leadership}"), leadership=item.leadership)
        case "abilities" if item.class_levels:
            yield from (_class_level(part) for part in item.class_levels.split(", "))
        case "offices":
            yield from (law.boons[slug].name for slug in item.boons if slug in law.boons)
        case "buildings" if item.defense:
            yield say(_("Defense {defense}"), defense=signed(item.defense))


def _class_level(text: str) -> Said:
    """ "paladin 4" with the class in the reader's words."""
    name, _space, level = text.rpartition(" ")
    return say(_("{character_class} {level}"), character_class=CLASSES.get(name, Term(name)), level=level)


def _losses(defeat: tuple[int, int, int]) -> dict[str, str]:
    return dict(zip(("economy", "loyalty", "stability"), map(minus, defeat), strict=True))


def minus(number: int) -> str:
    return str(number).replace("-", MINUS)


def _fits(entry: Entry, words: list[str]) -> bool:
    text = _plain(f"{entry.name} {entry.other} {entry.summary} {entry.slug} {entry.rule}")
    return all(word in text for word in words)


def _plain(text: str) -> str:
    """Without accents and case, so that "deroute" finds "Déroute"."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))
