"""View that duplicates an army, under any ruleset."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from armies.forces.access import army_run_by, campaign_named, names_of_armies
from armies.ruleset_ui import ui_for
from core.text import render
from kingdom.access.request_types import PageRequest
from kingdom.approvals.queries import require_offered
from kingdom.onboarding import name_suggestions
from rules.core.errors import Refusal


@login_required
@require_POST
def army_duplicate(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Raise one more like it: its document, a fresh name, nobody hurt and nothing learnt."""
    face = ui_for(campaign_named(army_id=army_id))
    army = army_run_by(request.user, army_id, face.army)
    require_offered(request.user, army.campaign, "raise")
    names = name_suggestions.numbered(army.name, 1, names_of_armies(army.kingdom))
    try:
        made = face.api.raise_armies(request.user, army.kingdom, names, face.api.alike(army))[0]
    except Refusal as refusal:
        messages.error(request, render(refusal.message))
        return redirect("armies:army", army_id)
    messages.success(request, _("%(army)s is under arms, like %(other)s.") % {"army": made.name, "other": army.name})
    return redirect("armies:army", made.pk)
