"""Views of the search: the page, and the suggestions while one types."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for
from kingdom.accounts.rate_limits import limit_page
from kingdom.models import Campaign
from kingdom.rendering import look_of, render_page
from kingdom.search.search_registry import FoundKind, find, kinds


@login_required
@require_safe
@limit_page("search")
def page(request: PageRequest) -> HttpResponse:
    """Results of all kinds; with `kind`, more of that one."""
    return render_page(request, "kingdom/search/find.html", _found(request))


@login_required
@require_safe
@limit_page("search")
def choices(request: PageRequest) -> HttpResponse:
    """The best results of each kind, for the search field of every page."""
    return render_page(request, "kingdom/search/finder_found.html", _found(request))


def _found(request: PageRequest) -> dict[str, Any]:
    query, here = look_of(request).query, _here(request)
    kind = request.GET.get("kind", "")
    kind = kind if kind in kinds() else ""
    groups = find(request.user, query, here, kind)
    return {
        "query": query,
        "here": here,
        "kind": kind,
        "groups": groups,
        "count": sum(len(group.found) for group in groups),
        "several": _several(groups),
    }


def _several(groups: list[FoundKind]) -> bool:
    """Return whether the results are in several campaigns, so that each names its own."""
    return len({found.campaign.pk for group in groups for found in group.found}) > 1


def _here(request: PageRequest) -> Campaign | None:
    named = request.GET.get("campaign", "")
    return get_campaign_for(request.user, named) if named else None
