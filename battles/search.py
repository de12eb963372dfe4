"""Search of battles, and of the rules of their campaigns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from uuid import UUID

from django.urls import reverse

from battles.codex.page import indexed
from battles.queries import list_battles
from core.text import render
from kingdom.models import Campaign
from kingdom.realms.figures import get_ruleset
from kingdom.search.search_registry import BESIDE, Finder, FoundThing, Search, Shelf, rank_of
from rules.core.text import _


def _battle_url(key: UUID, _owner: UUID) -> str:
    return reverse("battles:battle", args=[key])


def _tables(sought: Search) -> Iterable[Campaign]:
    """Campaigns whose rules are searched: the one the reader is in, else one for each ruleset they play."""
    if sought.here:
        return [sought.campaigns[sought.here]]
    return {one.ruleset: one for one in reversed(sought.campaigns.values())}.values()


def _rules(sought: Search) -> Iterator[FoundThing]:
    """Codex items by name (in either language), rule text or description."""
    for campaign in _tables(sought):
        law = get_ruleset(campaign)
        codex = reverse("battles:codex", args=[campaign.pk])
        for entry, names, text in indexed(law):
            if all(word in text for word in sought.words):
                rank = min(rank_of(name, sought.query) for name in names)
                url = f"{codex}?kind={entry.kind}#{entry.anchor}"
                about = f"{render(law.catalogues[entry.kind].label)} · {entry.rule}"
                key = f"{campaign.ruleset}/{entry.kind}/{entry.slug}"
                yield FoundThing("rule", key, entry.name, about, campaign, url, False, min(rank, BESIDE))


FINDERS = (
    Finder("battle", _("Battles"), "crossed-swords", list_battles, _battle_url, order=5),
    Shelf("rule", _("Rules"), "rule", _rules, order=7),
)
