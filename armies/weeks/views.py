"""Views of passing time: what is due, preview, confirmation, undo."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from armies.weeks import services as time
from armies.weeks.forms import DAY, WEEK, TimeForm
from armies.weeks.page import preset_form, summarize, time_form, time_page
from armies.weeks.passage import TimeProposal
from armies.weeks.queries import find_days, last_passage, list_events, names_of_rollers
from core.text import load_said
from core.text import render as say
from kingdom import contributions as kingdom_slots
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for, is_gm, require_gm
from kingdom.chronicle.context import OWN_UNDO
from kingdom.chronicle.field_change import link_refusal
from kingdom.chronicle.services import undo_entry
from kingdom.models import Campaign
from kingdom.rendering import go, look_of, render_page
from rules.core.dice import DiceNeeded
from rules.core.errors import Refusal

OK, STALE, REFUSED = 200, 412, 422


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def passage(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    campaign = get_campaign_for(request.user, campaign_id)
    if request.method != "POST":
        return _ahead(request, campaign) or _draw(request, campaign)
    require_gm(request.user, campaign)
    form = time_form(campaign, request.POST)
    if not form.is_valid():
        return _draw(request, campaign, form, status=REFUSED)
    if form.keeps:
        return _keep(request, campaign, form)
    return _confirm(request, campaign, form) if form.confirmed else _propose(request, campaign, form)


def _ahead(request: PageRequest, campaign: Campaign) -> HttpResponse | None:
    """Preview of a day or week from a link, for the GM. It writes nothing."""
    span = request.GET.get("for", "")
    if span not in (DAY, WEEK) or not is_gm(request.user, campaign):
        return None
    form = preset_form(request.user, campaign, span)
    return _propose(request, campaign, form) if form.is_valid() else None


def _keep(request: PageRequest, campaign: Campaign, form: TimeForm) -> HttpResponse:
    """Stores the choices for the running week; no time passes."""
    try:
        time.choose_week(by=request.user, campaign=campaign, choices=form.weekly)
    except Refusal as refusal:
        form.refused(refusal)
        return _draw(request, campaign, form, status=REFUSED)
    messages.success(request, _("Choices saved for this week."))
    return go(request, "armies:time", campaign.pk)


def _confirm(request: PageRequest, campaign: Campaign, form: TimeForm) -> HttpResponse:
    seen = {"day": form.cleaned_data["day"], "mark": form.cleaned_data["mark"]}
    try:
        entry = time.confirm_time(by=request.user, campaign=campaign, **_asked_for(request, campaign, form), **seen)
    except time.StaleDay as stale:
        messages.warning(request, say(stale.message))
        return _propose(request, campaign, form, status=STALE)
    except DiceNeeded as needed:
        form.ask_for(needed)
        return _draw(request, campaign, form)
    except Refusal as refusal:
        form.refused(refusal)
        return _draw(request, campaign, form, status=REFUSED)
    messages.success(request, say(load_said(entry.text)), extra_tags=OWN_UNDO)
    return go(request, "armies:time", campaign.pk)


def _asked_for(request: PageRequest, campaign: Campaign, form: TimeForm) -> dict[str, Any]:
    """The form's arguments with the days to its event. Raises `InvalidInput` where there is none."""
    asked = form.asked_for()
    if stop := form.stop:
        asked["days"] = find_days(by=request.user, campaign=campaign, stop=stop, choices=asked["choices"])
    return asked


def _propose(request: PageRequest, campaign: Campaign, form: TimeForm, status: int = OK) -> HttpResponse:
    """Preview of the days, or the dice to type first."""
    proposal = None
    try:
        proposal = time.propose_time(by=request.user, campaign=campaign, **_asked_for(request, campaign, form))
    except DiceNeeded as needed:
        form.ask_for(needed)
    except Refusal as refusal:
        form.refused(refusal)
        status = REFUSED
    return _draw(request, campaign, form, proposal=proposal, status=status)


def _draw(
    request: PageRequest,
    campaign: Campaign,
    form: TimeForm | None = None,
    *,
    proposal: TimeProposal | None = None,
    status: int = OK,
) -> HttpResponse:
    look = look_of(request)
    page = time_page(request.user, campaign, form, look)
    if form and form.asked:
        form.introduce(names_of_rollers(campaign))
    context: dict[str, Any] = {"page": page, "form": page.form, "proposal": proposal}
    context |= {"query": look.query, "met_panels": kingdom_slots.render_place(request, "met", campaign)}
    if proposal:
        summary = summarize(request.user, campaign, proposal.changes[1:])
        context |= {
            "summary": summary,
            "changes": summary.others,
            "stops": list_events(proposal, form.stop)[:3] if form and form.stop else [],
            "shown": page.life.shown(campaign, proposal),
            "until": campaign.dates.date(proposal.until),
        }
    return render_page(request, "armies/weeks/time.html", context, partial="passage", status=status)


@login_required
@require_POST
def undo(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """Undoes the last passage of time. `entry` names the one that was seen, so that a double click undoes only one."""
    campaign = get_campaign_for(request.user, campaign_id)
    require_gm(request.user, campaign)
    entry = last_passage(campaign)
    if entry is None or str(entry.pk) != request.POST.get("entry"):
        messages.error(request, _("This has already been undone."))
        return go(request, "armies:time", campaign.pk)
    try:
        undo_entry(by=request.user, entry=entry)
    except Refusal as refusal:
        messages.error(request, link_refusal(refusal))
    else:
        messages.success(request, _("Undone: {what}").format(what=say(load_said(entry.text))))
    return go(request, "armies:time", campaign.pk)
