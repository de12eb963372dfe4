"""Views of a campaign's arsenal: every member reads it, the GM changes it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from armies.arsenal.own_things import Thing, ThingForm, arsenal_of, find_own_things, find_thing
from armies.arsenal.services import remove_thing, save_thing
from armies.forces.portraits import list_unit_pictures
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for, is_gm, require_gm
from kingdom.models import Campaign
from kingdom.realms.figures import get_ruleset
from kingdom.rendering import get_status, render_page
from rules.core.errors import Refusal
from rules.core.text import Said

LIST, FORM = "armies/arsenal/arsenal.html", "armies/arsenal/thing_form.html"


@login_required
@require_safe
def arsenal(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """All entries, by kind."""
    campaign = _campaign(request, campaign_id)
    kinds = arsenal_of(campaign)
    pictured = [thing.slug for kind in kinds if kind.pictured for thing in kind.things]
    context = {"campaign": campaign, "kinds": kinds, "gm": is_gm(request.user, campaign)}
    context["portraits"] = list_unit_pictures(campaign, pictured)
    return render_page(request, LIST, context)


@login_required
def thing_edit(request: PageRequest, campaign_id: UUID, kind: str, slug: str = "") -> HttpResponse:
    """Form of a new entry of this kind, or of the one with this slug."""
    campaign = _campaign(request, campaign_id)
    require_gm(request.user, campaign)
    thing = _thing(campaign, kind, slug)
    sent = request.POST if request.method == "POST" else None
    form = _form(campaign, kind, thing, sent)
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
    """Deletes an entry. Where somebody uses it, the form shows who."""
    campaign = _campaign(request, campaign_id)
    require_gm(request.user, campaign)
    thing = _thing(campaign, kind, slug)
    assert thing is not None
    try:
        remove_thing(by=request.user, campaign=campaign, kind=kind, slug=slug)
    except Refusal as refusal:
        form = _form(campaign, kind, thing)
        return _draw(request, campaign, form, thing, refusal.message)
    messages.success(request, _("%(name)s deleted.") % {"name": thing.name})
    return redirect("armies:arsenal", campaign.pk)


def _campaign(request: PageRequest, campaign_id: UUID) -> Campaign:
    """The campaign. Raises `Http404`, and `NotInRuleset` where its ruleset has no arsenal."""
    campaign = get_campaign_for(request.user, campaign_id)
    find_own_things(campaign)
    return campaign


def _form(campaign: Campaign, kind: str, thing: Thing | None, sent: Any = None) -> ThingForm:
    known, law = find_own_things(campaign), get_ruleset(campaign)
    return known.form(kind, known.shapes[kind], known.offers(law), thing.kept if thing else None, sent)


def _thing(campaign: Campaign, kind: str, slug: str) -> Thing | None:
    """The entry with this slug; None for a new one. Raises `Http404`."""
    if kind not in find_own_things(campaign).kinds:
        raise Http404
    thing = find_thing(campaign, kind, slug) if slug else None
    if slug and thing is None:
        raise Http404
    return thing


def _draw(
    request: PageRequest, campaign: Campaign, form: ThingForm, thing: Thing | None, refused: Said | None = None
) -> HttpResponse:
    one = find_own_things(campaign).kinds[form.kind]
    context = {"campaign": campaign, "form": form, "thing": thing, "kind": form.kind, "one": one, "refused": refused}
    return render_page(request, FORM, context, partial="form", status=422 if refused else get_status(form))
