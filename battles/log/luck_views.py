"""Views of luck."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from battles.forecast.single_flight import Unanswered
from battles.log.hindsight import LookedBack, looked_back
from battles.log.luck import FairnessPage, fairness_page
from battles.log.luck_services import look_back
from core.text import render
from kingdom.access.request_types import PageRequest
from kingdom.accounts.request_limits import limit_page
from kingdom.rendering import render_page
from rules.core.errors import Refusal


@login_required
@require_safe
@limit_page("costly")
def fairness(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """What the dice did to the chances; where there is nothing to tell, the battle's page says why."""
    try:
        back = looked_back(request.user, battle_id)
    except Refusal as refusal:
        messages.info(request, render(refusal.message))
        return redirect("battles:battle", battle_id)
    page = _found(request, back)
    return render_page(request, "battles/log/fairness.html", {"page": page, "fair": page}, partial="fairness")


def _found(request: PageRequest, back: LookedBack) -> FairnessPage:
    battle = back.battle
    try:
        return fairness_page(back, look_back(by=request.user, back=back))
    except Unanswered as error:
        return FairnessPage(battle, battle.campaign, trouble=error.said)
