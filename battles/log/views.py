"""Views of the log, a part at a time; sums and luck when somebody asks."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from battles.log.page import LogPage, log_page
from core.clean_input import parse_whole
from kingdom.access.request_types import PageRequest
from kingdom.rendering import render_page


@login_required
@require_safe
def log(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """The end of the log; with ?before=, what happened before that event."""
    page = _asked(request, battle_id)
    before = parse_whole(request.GET.get("before")) or None
    return _drawn(request, "part", page=page, part=page.told.before(before), before=before)


@login_required
@require_safe
def line(request: PageRequest, battle_id: UUID, seq: int) -> HttpResponse:
    """One event, with the sums behind it."""
    page = _asked(request, battle_id)
    return _drawn(request, "sums", page=page, line=page.told.line(seq))


@login_required
@require_safe
def luck(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """How far each side's dice fell above or below their average."""
    page = _asked(request, battle_id)
    return _drawn(request, "luck", page=page, luck=page.told.luck)


def _asked(request: PageRequest, battle_id: UUID) -> LogPage:
    return log_page(request.user, battle_id, parse_whole(request.GET.get("as"), most=99))


def _drawn(request: PageRequest, partial: str, **context: Any) -> HttpResponse:
    return render_page(request, "battles/log/log.html", context, partial=partial)
