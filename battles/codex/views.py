"""Views of the codex of a campaign's ruleset."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from battles.codex.page import codex_page
from kingdom.access.permissions import PageRequest
from kingdom.rendering import render_page

QUERY_MAX = 100


@login_required
@require_safe
def codex(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    query = request.GET.get("q", "")[:QUERY_MAX].strip()
    page = codex_page(request.user, campaign_id, query, request.GET.get("kind", ""), request.GET.get("mark", ""))
    return render_page(request, "battles/codex/codex.html", {"page": page}, partial="entries")
