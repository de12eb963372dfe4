"""View that duplicates an army, under any ruleset."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from armies.forces.access import get_army_run_by, get_campaign_named, list_army_names
from armies.ruleset_ui import get_army_ui
from core.text import render
from kingdom.access.request_types import PageRequest
from kingdom.approvals.queries import require_offered
from kingdom.onboarding import name_suggestions
from rules.core.errors import Refusal


@login_required
@require_POST
def army_duplicate(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Raise one more like it: its document, a fresh name, nobody hurt and nothing learnt."""
    ui = get_army_ui(get_campaign_named(army_id=army_id))
    army = get_army_run_by(request.user, army_id, ui.army)
    require_offered(request.user, army.campaign, "raise")
    names = name_suggestions.number_names(army.name, 1, list_army_names(army.kingdom))
    try:
        made = ui.api.raise_armies(request.user, army.kingdom, names, ui.api.alike(army))[0]
    except Refusal as refusal:
        messages.error(request, render(refusal.message))
        return redirect("armies:army", army_id)
    messages.success(request, _("%(army)s is under arms, like %(other)s.") % {"army": made.name, "other": army.name})
    return redirect("armies:army", made.pk)
