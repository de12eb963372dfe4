"""Three campaigns of three rulesets in one site: whoever is in all of them reads of each nothing that is another's."""

from __future__ import annotations

import re
from typing import Any

import pytest

from armies.models import Army, Commander
from battles.models import Battle
from kingdom.models import Campaign, Kingdom
from kingdom.onboarding import checklist
from tests.kingdom.conftest import make_user
from tests.walking import Step, Walk

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
RULES = {
    "combat-de-masse": re.compile(r"\b(?:PF-\d|R-\d)|\bPathfinder\b"),
    "wing-command": re.compile(r"\b(?:WC-\d|W-\d)|\bWing command\b", re.IGNORECASE),
    "thucidide-fantasy": re.compile(r"\b(?:TF-\d|T-\d)|\bTHUCIDIDE\b"),
}
"""What names a rule of each ruleset, or the ruleset itself."""
OF_THE_SITE = ("account", "tokens/", "i18n/", "credits/", "demo/", "campaigns/", "find/", "help/", "tour/")
"""Pages of no campaign, or of all that somebody is in."""
OFFERS_ALL = re.compile(r"/battles/new/|/import/|/c/[^/]+/edit/")
"""Pages on which other rulesets are offered: a battle may be fought by another, a campaign may change to one."""


class CampaignWalk(Walk):
    """Through the pages of one campaign. `others`: ids of what belongs to other ones."""

    def __init__(self, user: Any, others: set[str]):
        super().__init__(user, forms=0, past=OF_THE_SITE)
        self.others = others

    def _take(self, step: Step, shown_on: str) -> list[Step]:
        abroad = (
            OFFERS_ALL.search(shown_on)
            or step.url.partition("?")[0] == "/"
            or any(one in step.url for one in self.others)
        )
        return [] if abroad or step.method != "get" else list(super()._take(step, shown_on))


def ids_of(campaign: Campaign) -> set[str]:
    of_it = {str(campaign.pk)}
    for model in (Kingdom, Army, Battle):
        of_it |= {str(pk) for pk in model.objects.filter(campaign=campaign).values_list("pk", flat=True)}
    return of_it | {str(pk) for pk in Commander.objects.filter(campaign=campaign).values_list("pk", flat=True)}


def test_each_campaign_shows_its_own_ruleset_and_nothing_of_the_others():
    user = make_user("gm")
    campaigns = {slug: checklist.make(owner=user, law=slug) for slug in RULES}
    own = {slug: ids_of(campaign) for slug, campaign in campaigns.items()}
    mixed = []
    for slug, campaign in campaigns.items():
        others = set().union(*(ids for other, ids in own.items() if other != slug))
        walk = CampaignWalk(user, others).from_(f"/c/{campaign.pk}/")
        assert walk.faults == []
        assert len(walk.shown) > 25
        told = [text for text in walk.shown.values() if RULES[slug].search(text)]
        assert told, "each ruleset is told by its own campaign"
        for address, text in walk.shown.items():
            foreign = [one for other, rule in RULES.items() if other != slug for one in rule.findall(text)]
            foreign += [one for one in others if one in text]
            if foreign and not OFFERS_ALL.search(address):
                mixed.append((slug, address, sorted(set(foreign))[:4]))
    if mixed:
        pytest.fail("\n".join(map(str, mixed)))
