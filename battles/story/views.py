"""Views of the campaign's story: pages of chapters, and all chapters to print."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from battles.story.page import MOST, cut_story, divide_story, outline_story, write_chapters
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for, is_gm
from kingdom.accounts.rate_limits import limit_page
from kingdom.rendering import paginate_request, render_page


@login_required
@require_safe
def chapters(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """A page of whole chapters, from the beginning of the campaign."""
    campaign = get_campaign_for(request.user, campaign_id)
    page = paginate_request(request, divide_story(outline_story(campaign)), 1)
    outline = [chapter for part in page for chapter in part]
    context = {
        "campaign": campaign,
        "gm": is_gm(request.user, campaign),
        "page_obj": page,
        "chapters": write_chapters(request.user, campaign, outline),
    }
    return render_page(request, "battles/story/chapters.html", context)


@login_required
@require_safe
@limit_page("costly")
def chapters_print(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    campaign = get_campaign_for(request.user, campaign_id)
    outline, more = cut_story(outline_story(campaign))
    context = {
        "campaign": campaign,
        "chapters": write_chapters(request.user, campaign, outline),
        "more": more,
        "most": MOST,
    }
    return render_page(request, "battles/story/chapters_print.html", context)
