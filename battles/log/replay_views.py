"""Views of the replay, and of the log as a file."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from battles.api.log_api import log_response
from battles.log.luck import fairness_kept
from battles.log.replay_page import replay_page
from battles.queries import get_battle_for
from core.clean_input import parse_whole
from kingdom.access.request_types import PageRequest
from kingdom.accounts.request_limits import limit_page
from kingdom.rendering import render_page


@login_required
@require_safe
def replay(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """The battle at ?step=; without one, at its beginning."""
    step = parse_whole(request.GET.get("step")) or 0
    page = replay_page(request.user, battle_id, step)
    fair = None if request.htmx else fairness_kept(request.user, page.battle)
    return render_page(request, "battles/log/replay.html", {"page": page, "fair": fair}, partial="replay")


@login_required
@require_safe
@limit_page("costly")
def log_text(request: PageRequest, battle_id: UUID) -> HttpResponseBase:
    """The log as plain text, in the reader's language."""
    return log_response(request.user, get_battle_for(request.user, battle_id), "txt")


@login_required
@require_safe
@limit_page("costly")
def log_json(request: PageRequest, battle_id: UUID) -> HttpResponseBase:
    """The log in the shape of the API's events."""
    return log_response(request.user, get_battle_for(request.user, battle_id), "json")


@login_required
@require_safe
@limit_page("costly")
def log_lines(request: PageRequest, battle_id: UUID) -> HttpResponseBase:
    """The same, an event a line."""
    return log_response(request.user, get_battle_for(request.user, battle_id), "jsonl")
