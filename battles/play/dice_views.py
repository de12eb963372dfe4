"""Views of dice on a battle's page: who throws them, and discarding those being typed."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from battles.play.battle_state import get_law
from battles.play.dice_session import put_away
from battles.play.views import look_of_command
from battles.queries import get_battle_for
from battles.ruleset_ui import get_battle_ui
from core.text import render
from kingdom.access.request_types import PageRequest
from kingdom.accounts.services import choose_settings
from rules.core.errors import Refusal


@login_required
@require_POST
def dice(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """Keep the choice and draw the page with the same eyes; htmx follows with its own headers and gets its part."""
    battle = get_battle_for(request.user, battle_id)
    try:
        choose_settings(by=request.user, dice=request.POST.get("dice", ""))
    except Refusal as refusal:
        messages.error(request, render(refusal.message))
    return redirect(reverse("battles:battle", args=[battle.pk], query=request.GET))


@login_required
@require_POST
def away(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """Back to the orders, with what was picked: nothing was decided, and nothing is asked any more."""
    battle = get_battle_for(request.user, battle_id)
    put_away(request)
    look = look_of_command(request).keeping(get_battle_ui(get_law(battle)).kept)
    return redirect(reverse("battles:battle", args=[battle.pk]) + look.query())
