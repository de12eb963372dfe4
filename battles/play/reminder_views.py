"""View that reminds players of a battle that waits for them."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from battles.play.reminder_services import remind_awaited
from battles.queries import get_battle_for
from core.text import render
from kingdom.access.request_types import PageRequest
from kingdom.rendering import go
from rules.core.errors import Refusal


@login_required
@require_POST
def remind(request: PageRequest, battle_id: UUID) -> HttpResponse:
    battle = get_battle_for(request.user, battle_id)
    page = request.build_absolute_uri(reverse("battles:battle", args=[battle.pk]))
    try:
        names = remind_awaited(by=request.user, battle_id=battle.pk, page=page)
    except Refusal as refusal:
        messages.error(request, render(refusal.message))
    else:
        messages.success(request, _("Reminded: {players}.").format(players=", ".join(names)))
    return go(request, "kingdom:campaign", battle.campaign_id)
