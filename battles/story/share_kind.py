"""Share link of the campaign's story, as an onlooker without a kingdom knows it."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.http import Http404, HttpRequest

from battles.story.page import cut_story, outline_story, write_chapters
from core.text import render
from kingdom.access.queries import is_gm
from kingdom.models import Campaign, User
from kingdom.sharing.share_kinds import Drawn, LinkPreview, Shared, ShareKind
from rules.core.text import _

STORY = "story"


def find(campaign: Campaign, pk: UUID) -> Campaign:
    if pk != campaign.pk:
        raise Http404
    return campaign


def things(user: User, campaign: Campaign) -> list[tuple[UUID, str]]:
    """Id and name of this campaign's story, for the GM."""
    return [(campaign.pk, campaign.name)] if is_gm(user, campaign) else []


def names(campaign: Campaign, ids: Collection[UUID]) -> dict[UUID, str]:
    return {campaign.pk: campaign.name} if campaign.pk in ids else {}


def draw(request: HttpRequest, shared: Shared) -> Drawn:
    outline, more = cut_story(outline_story(shared.campaign))
    chapters = write_chapters(shared.onlooker, shared.campaign, outline)
    return Drawn("shared/story.html", {"chapters": chapters, "more": more})


def preview(shared: Shared) -> LinkPreview:
    return LinkPreview(shared.campaign.name, f"{render(TITLE)} · {render(shared.campaign.date.text)}")


TITLE = _("Story of the war")
KIND = ShareKind(
    TITLE, _("Every battle in prose, season by season, without what is secret."), find, things, names, draw, preview
)
