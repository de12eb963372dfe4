"""Views of a campaign's arsenal: everybody reads it, the GM writes it."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from armies.breaking_point.arsenal.forms import ThingForm
from armies.breaking_point.arsenal.queries import Thing, arsenal_of, find_thing
from armies.breaking_point.arsenal.services import remove_thing, save_thing
from kingdom.access.queries import get_campaign_for, is_gm, require_gm
from kingdom.access.request_types import PageRequest
from kingdom.models import Campaign
from kingdom.realms.figures import get_ruleset
from kingdom.rendering import get_status, render_page
from rules.breaking_point.own import KINDS
from rules.core.errors import Refusal
from rules.core.text import Said

LIST, FORM = "armies/breaking_point/arsenal/arsenal.html", "armies/breaking_point/arsenal/thing_form.html"


@login_required
@require_safe
def arsenal(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """All of it, kind by kind."""
    campaign = get_campaign_for(request.user, campaign_id)
    context = {"campaign": campaign, "kinds": arsenal_of(campaign), "gm": is_gm(request.user, campaign)}
    return render_page(request, LIST, context)


@login_required
def thing_edit(request: PageRequest, campaign_id: UUID, kind: str, slug: str = "") -> HttpResponse:
    """One more of this kind, or other figures for one."""
    campaign = get_campaign_for(request.user, campaign_id)
    require_gm(request.user, campaign)
    thing = _thing(campaign, kind, slug)
    sent = request.POST if request.method == "POST" else None
    form = ThingForm(kind, get_ruleset(campaign), thing.kept if thing else None, sent)
    if sent is not None and form.is_valid():
        try:
            save_thing(by=request.user, campaign=campaign, kind=kind, slug=slug, thing=form.thing)
        except Refusal as refusal:
            form.add_refusal(refusal)
        else:
            messages.success(request, _("Saved."))
            return redirect("armies:arsenal", campaign.pk)
    return _draw(request, campaign, form, thing)


@login_required
@require_POST
def thing_remove(request: PageRequest, campaign_id: UUID, kind: str, slug: str) -> HttpResponse:
    """Gone, unless somebody has it: then the form says who."""
    campaign = get_campaign_for(request.user, campaign_id)
    require_gm(request.user, campaign)
    thing = _thing(campaign, kind, slug)
    assert thing is not None
    try:
        remove_thing(by=request.user, campaign=campaign, kind=kind, slug=slug)
    except Refusal as refusal:
        form = ThingForm(kind, get_ruleset(campaign), thing.kept)
        return _draw(request, campaign, form, thing, refusal.message)
    messages.success(request, _("%(name)s is removed.") % {"name": thing.name})
    return redirect("armies:arsenal", campaign.pk)


def _thing(campaign: Campaign, kind: str, slug: str) -> Thing | None:
    """The one of this slug, None for a new one. Raises Http404."""
    if kind not in KINDS:
        raise Http404
    thing = find_thing(campaign, kind, slug) if slug else None
    if slug and thing is None:
        raise Http404
    return thing


def _draw(
    request: PageRequest, campaign: Campaign, form: ThingForm, thing: Thing | None, refused: Said | None = None
) -> HttpResponse:
    context = {"campaign": campaign, "form": form, "thing": thing, "kind": form.kind, "one": KINDS[form.kind],
               "refused": refused}  # fmt: skip
    return render_page(request, FORM, context, partial="form", status=422 if refused else get_status(form))
