"""Views of the printed pages of a battle: the order of battle, and the report."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from battles.field.paper import order_page
from battles.log.battle_report import report_page
from battles.log.luck import fairness_kept
from core.text import render
from kingdom.access.request_types import PageRequest
from kingdom.accounts.rate_limits import limit_page
from kingdom.rendering import render_page
from rules.core.errors import Refusal


@login_required
@require_safe
def order_of_battle(request: PageRequest, battle_id: UUID) -> HttpResponse:
    return render_page(request, "battles/field/order_of_battle.html", {"page": order_page(request.user, battle_id)})


@login_required
@require_safe
@limit_page("costly")
def report(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """The report. While the battle is fought it redirects to the battle page with a message."""
    try:
        page = report_page(request.user, battle_id)
    except Refusal as refusal:
        messages.info(request, render(refusal.message))
        return redirect("battles:battle", battle_id)
    fair = fairness_kept(request.user, page.battle)
    return render_page(request, "battles/log/report.html", {"page": page, "fair": fair})
