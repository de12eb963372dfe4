"""Views that export and import Foundry actors, with a form and a preview."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from armies.pathfinder.forces.access import get_army_for, get_campaign_here
from armies.pathfinder.foundry.services import (
    NO_ACTOR,
    bring_in_actors,
    get_army_actor,
    get_kingdom_actor,
    propose_actors,
)
from armies.tables.forms import TableForm
from armies.tables.imports import Bringing
from core.text import load_said
from core.text import render as say
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import require_gm
from kingdom.accounts.rate_limits import limit_page
from kingdom.campaign.queries import run_kingdoms
from kingdom.models import Campaign, Kingdom
from kingdom.rendering import render_page
from rules.core.errors import Refusal, StaleProposal

# Form for Foundry actors to import.


class ActorForm(TableForm):
    accept = ".json,application/json"
    otherwise = NO_ACTOR

    file = forms.FileField(label=_("JSON file of an actor"), required=False, allow_empty_file=True)
    kingdom = forms.ModelChoiceField(
        Kingdom.objects.none(), label=_("Kingdom for the armies"), required=False,
        empty_label=_("as stated in the file"),
        help_text=_("For armies whose file doesn’t name a kingdom of this campaign."),
    )  # fmt: skip
    field_order = ("file", "pasted", "kingdom")

    def __init__(self, *args: Any, kingdoms: QuerySet[Kingdom], **options: Any):
        super().__init__(*args, **options)
        self.fields["kingdom"].queryset = kingdoms  # type: ignore[attr-defined]


# Views that export and import Foundry actors, with a preview.

OK, STALE, REFUSED = 200, 412, 422


@login_required
@require_safe
def army_foundry(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Actor of an army whose sheet the user may read."""
    army = get_army_for(request.user, army_id)
    return actor_response(army.name, get_army_actor(request.user, army))


@login_required
@require_safe
def kingdom_foundry(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    """Actor of a kingdom whose figures the user may read."""
    kingdom, actor = get_kingdom_actor(request.user, kingdom_id)
    return actor_response(kingdom.name, actor)


def actor_response(name: str, actor: Any) -> HttpResponse:
    text = json.dumps(actor, ensure_ascii=False, indent=2)
    response = HttpResponse(text, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="fvtt-Actor-{slugify(name) or "actor"}.json"'
    return response


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_page("costly")
def foundry_in(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """Preview of the submitted actors, then the import. Nothing is stored between these steps."""
    campaign = get_campaign_here(request.user, campaign_id)
    require_gm(request.user, campaign)
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = ActorForm(*sent, kingdoms=run_kingdoms(request.user, campaign))
    if not form.is_bound or not form.is_valid():
        return _draw(request, campaign, form, status=REFUSED if form.is_bound else OK)
    try:
        asked: dict[str, Any] = {"text": form.text(), "kingdom": form.cleaned_data["kingdom"]}
        if request.POST.get("do") == "confirm":
            return _confirm(request, campaign, form, asked)
        return _draw(request, campaign, form, asked, propose_actors(by=request.user, campaign=campaign, **asked))
    except Refusal as refusal:
        form.add_refusal(refusal)
        return _draw(request, campaign, form, status=REFUSED)


def _confirm(request: PageRequest, campaign: Campaign, form: ActorForm, asked: dict[str, Any]) -> HttpResponse:
    try:
        done = bring_in_actors(by=request.user, campaign=campaign, mark=request.POST.get("mark", ""), **asked)
    except StaleProposal as stale:
        messages.warning(request, say(stale.message))
        found = propose_actors(by=request.user, campaign=campaign, **asked)
        return _draw(request, campaign, form, asked, found, STALE)
    messages.success(request, say(load_said(done.entry.text)))
    return redirect("kingdom:entry", campaign.pk, done.entry.pk)


def _draw(
    request: PageRequest,
    campaign: Campaign,
    form: ActorForm,
    asked: dict[str, Any] | None = None,
    found: Bringing | None = None,
    status: int = OK,
) -> HttpResponse:
    kingdom: Kingdom | None = asked["kingdom"] if asked else None
    context = {
        "campaign": campaign,
        "form": form,
        "found": found,
        "text": asked["text"] if asked else "",
        "kingdom": kingdom,
    }
    return render_page(request, "armies/pathfinder/foundry/foundry.html", context, status=status)
