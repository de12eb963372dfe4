"""Views of the story: paginated, for print, or as one document."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import batched
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for
from kingdom.accounts.rate_limits import limit_page
from kingdom.chronicle.queries import KINDS
from kingdom.chronicle.views import KIND_WORDS
from kingdom.models import Campaign, ChronicleEntry, User
from kingdom.rendering import paginate_request, render_page
from kingdom.story.queries import (
    LINES,
    WHOLE,
    StoryLine,
    StoryLook,
    build_lines,
    called_so,
    group_by_day,
    list_rows,
    markdown_of,
    name_sought,
    story_sought,
)
from rules.core.errors import Refusal
from rules.core.text import Said

CHUNK = 200
PRINTED = 3_000  # lines on the page for print


@login_required
@require_safe
def story(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    campaign = get_campaign_for(request.user, campaign_id)
    look, refused = _look(request, campaign)
    page = paginate_request(request, list_rows(request.user, campaign, look), LINES)
    context = {
        "campaign": campaign,
        "look": look,
        "refused": refused,
        "given": request.GET,
        "page_obj": page,
        "days": group_by_day(build_lines(request.user, campaign, page)),
        "kinds": ChronicleEntry.Kind.choices,
        "seekable": _seekable(request, campaign),
    }
    return render_page(request, "kingdom/story/story.html", context, partial="lines")


@login_required
@require_safe
@limit_page("costly")
def story_print(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """The filtered story on one page, for print."""
    campaign = get_campaign_for(request.user, campaign_id)
    look, refused = _look(request, campaign)
    rows = list(list_rows(request.user, campaign, look)[: PRINTED + 1])
    days = group_by_day(_lines(request.user, campaign, rows[:PRINTED]))
    context = {"campaign": campaign, "days": days, "refused": refused, "more": len(rows) > PRINTED, "most": PRINTED}
    return render_page(request, "kingdom/story/story_print.html", context)


@login_required
@require_safe
@limit_page("costly")
def story_markdown(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    campaign = get_campaign_for(request.user, campaign_id)
    look, _refused = _look(request, campaign)
    return markdown_response(request.user, campaign, look)


def markdown_response(user: User, campaign: Campaign, look: StoryLook) -> HttpResponse:
    """Return the filtered story as a Markdown file."""
    rows = list_rows(user, campaign, look).iterator(chunk_size=CHUNK)
    text = "".join(markdown_of(campaign, _lines(user, campaign, rows)))
    response = HttpResponse(text, content_type="text/markdown; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slugify(campaign.name) or "warhost"}.md"'
    return response


def _lines(user: User, campaign: Campaign, rows: Any) -> Iterator[StoryLine]:
    for some in batched(rows, CHUNK):
        yield from build_lines(user, campaign, some)


def _look(request: PageRequest, campaign: Campaign) -> tuple[StoryLook, Said | None]:
    """Return the filters of the query string. If they are invalid, return no filters and the message."""
    given = {name: str(request.GET[name]) for name in request.GET}
    try:
        return story_sought(given, partial(called_so, request.user, campaign)), None
    except Refusal as refusal:
        return WHOLE, refusal.message


def _seekable(request: PageRequest, campaign: Campaign) -> list[dict[str, Any]]:
    """Return a search field for every kind of thing, filled with the name looked for."""
    asked = {kind: request.GET.get(kind, "") for kind in KINDS}
    return [{"name": kind, "word": KIND_WORDS[kind], "text": name_sought(request.user, campaign, kind, text)}
            for kind, text in asked.items()]  # fmt: skip
