"""Time passes: what is due, what would happen, confirmed, taken back."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from armies.time import services as time
from armies.time.forms import TimeForm
from armies.time.page import TimePage, time_page
from armies.time.proposal import TimeProposal
from armies.time.selectors import last_passage, names_of_rollers
from kingdom.models import Campaign
from kingdom.pages import go, render_page
from kingdom.request_types import PageRequest
from kingdom.selectors import campaign_for, require_gm
from kingdom.selectors.wording import changes_in_words
from kingdom.services.undoing import undo_entry
from kingdom.text import from_json
from kingdom.text import render as say
from rules.dice import DiceNeeded
from rules.errors import Refusal

OK, ILLEGAL, STALE, REFUSED = 200, 409, 412, 422


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def passage(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    campaign = campaign_for(request.user, campaign_id)
    page = time_page(request.user, campaign)
    if request.method != "POST":
        return _draw(request, page, _fresh(request, page) if page.gm else None)
    require_gm(request.user, campaign)
    form = page.form(request.POST)
    if not form.is_valid():
        return _draw(request, page, form, status=REFUSED)
    if form.keeps:
        return _keep(request, page, form)
    return _confirm(request, page, form) if form.confirmed else _propose(request, page, form)


def _fresh(request: PageRequest, page: TimePage) -> TimeForm:
    """The form as it begins, with the dice thrown by whoever throws them for this reader."""
    form = page.form()
    form.initial["dice_by"] = "table" if request.user.types_dice else "server"
    return form


def _keep(request: PageRequest, page: TimePage, form: TimeForm) -> HttpResponse:
    """The choices are kept for the running week; no time passes."""
    try:
        time.choose_week(by=request.user, campaign=page.campaign, choices=form.weekly)
    except Refusal as refusal:
        form.refused(refusal)
        return _draw(request, page, form, status=REFUSED)
    messages.success(request, _("Chosen for this week."))
    return go(request, "armies:time", page.campaign.pk)


def _confirm(request: PageRequest, page: TimePage, form: TimeForm) -> HttpResponse:
    seen = {"day": form.cleaned_data["day"], "mark": form.cleaned_data["mark"]}
    try:
        entry = time.confirm_time(by=request.user, campaign=page.campaign, **form.asked_for(), **seen)
    except time.StaleDay as stale:
        messages.warning(request, say(stale.message))
        return _propose(request, page, form, status=STALE)
    except DiceNeeded as needed:
        form.ask_for(needed.asks)
        return _draw(request, page, form)
    except Refusal as refusal:
        form.refused(refusal)
        return _draw(request, page, form, status=REFUSED)
    messages.success(request, say(from_json(entry.text)))
    return go(request, "armies:time", page.campaign.pk)


def _propose(request: PageRequest, page: TimePage, form: TimeForm, status: int = OK) -> HttpResponse:
    """What would happen, or the dice that must be typed first."""
    proposal = None
    try:
        proposal = time.propose_time(by=request.user, campaign=page.campaign, **form.asked_for())
    except DiceNeeded as needed:
        form.ask_for(needed.asks)
    except Refusal as refusal:
        form.refused(refusal)
        status = REFUSED
    return _draw(request, page, form, proposal=proposal, status=status)


def _draw(
    request: PageRequest,
    page: TimePage,
    form: TimeForm | None,
    *,
    proposal: TimeProposal | None = None,
    status: int = OK,
) -> HttpResponse:
    if form and form.asked:
        form.introduce(names_of_rollers(page.campaign))
    context: dict[str, Any] = {"page": page, "form": form, "proposal": proposal}
    if proposal:
        context |= {
            "changes": changes_in_words(request.user, page.campaign, proposal.changes[1:]),
            "shown": page.life.shown(page.campaign, proposal),
            "until": page.campaign.dates.date(proposal.until),
        }
    return render_page(request, "armies/time/time.html", context, partial="passage", status=status)


@login_required
@require_POST
def undo(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """Take the last passage of time back. `entry` names the one that was seen: a second click undoes no second."""
    campaign = campaign_for(request.user, campaign_id)
    require_gm(request.user, campaign)
    entry = last_passage(campaign)
    if entry is None or str(entry.pk) != request.POST.get("entry"):
        return _not_undone(request, campaign, _("This was undone already."))
    try:
        undo_entry(by=request.user, entry=entry)
    except Refusal as refusal:
        return _not_undone(request, campaign, say(refusal.message))
    messages.success(request, _("Undone: {what}").format(what=say(from_json(entry.text))))
    return go(request, "armies:time", campaign.pk)


def _not_undone(request: PageRequest, campaign: Campaign, why: str) -> HttpResponse:
    messages.error(request, why)
    page = time_page(request.user, campaign)
    return _draw(request, page, _fresh(request, page), status=ILLEGAL)
