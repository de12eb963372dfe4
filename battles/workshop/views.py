"""Views of the odds workshop: one question, and sweeps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from battles.forecast.job_services import stop_job
from battles.models import Job
from battles.workshop.forms import SweepForm
from battles.workshop.page import get_workshop, sweep_page, workshop_page
from battles.workshop.sweeps import MOST_ARMIES, Sweep, list_entrants, names_of, start_sweep
from core.csv_tables import build_csv_response
from core.text import render
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for
from kingdom.accounts.rate_limits import limit_page
from kingdom.models import Campaign, User
from kingdom.rendering import get_status, render_page, submit

SIDES = ("a", "b")


@login_required
@require_safe
@limit_page("costly")
def workshop(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """The question in the address. The page polls for answers that are not ready."""
    page = workshop_page(request.user, campaign_id, request.GET)
    return render_page(request, "battles/workshop/workshop.html", {"page": page}, partial="workshop")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def written_army(request: PageRequest, campaign_id: UUID, side: str) -> HttpResponse:
    """Form of an army that is in no campaign, for one side of the workshop at the same address."""
    if side not in SIDES:
        raise Http404
    campaign, ui = get_workshop(request.user, campaign_id)
    sent = request.POST if request.method == "POST" else None
    form = ui.army_form(request.user, campaign, side, request.GET, sent)
    if form.redrawn:
        form.errors.clear()
    elif form.is_bound and form.is_valid():
        return redirect(f"{reverse('battles:workshop', args=[campaign.pk])}?{form.address()}")
    context = {"campaign": campaign, "form": form, "ui": ui, "side": side, "query": request.GET.urlencode()}
    return render_page(
        request, "battles/workshop/workshop_army.html", context, partial="muster", status=get_status(form)
    )


# Sweeps: asked, polled while they run, stopped, downloaded.


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_page("costly")
def sweep(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """Form of a sweep, with armies whose sheets the user may read."""
    campaign, ui = get_workshop(request.user, campaign_id)
    sent = request.POST if request.method == "POST" else None
    form = SweepForm(names_of(request.user, campaign, MOST_ARMIES), sent, army=request.GET.get("army", ""))
    field = ui.field_form(campaign, sent)
    if sent is not None and field.is_valid():
        job = submit(form, lambda _given: _begin(request.user, campaign, form, field.conditions()))
        if job is not None:
            return redirect("battles:sweep_job", campaign.pk, job.pk)
    context = {"campaign": campaign, "form": form, "field": field, "ui": ui}
    return render_page(request, "battles/workshop/sweep.html", context, status=get_status(form))


def _begin(user: User, campaign: Campaign, form: SweepForm, field: Iterable[Any]) -> Job:
    chosen = [UUID(pk) for pk in form.chosen()]
    columns = list_entrants(user, campaign, chosen)
    rows = columns if form.every else list_entrants(user, campaign, [UUID(form.cleaned_data["army"])])
    asked = Sweep(campaign.ruleset, campaign.house_rules, rows, columns, tuple(field))
    return start_sweep(by=user, sweep=asked, campaign=campaign)


@login_required
@require_safe
def sweep_job(request: PageRequest, campaign_id: UUID, job_id: UUID) -> HttpResponse:
    """The sweep's results so far. The page polls while it runs."""
    campaign, ui = get_workshop(request.user, campaign_id)
    page = sweep_page(request.user, campaign, job_id)
    return render_page(request, "battles/workshop/sweep_job.html", {"page": page, "ui": ui}, partial="sweep")


@login_required
@require_POST
def sweep_stop(request: PageRequest, campaign_id: UUID, job_id: UUID) -> HttpResponse:
    page = sweep_page(request.user, get_campaign_for(request.user, campaign_id), job_id)
    stop_job(by=request.user, job_id=page.job.pk)
    return redirect("battles:sweep_job", campaign_id, job_id)


@login_required
@require_safe
@limit_page("costly")
def sweep_csv(request: PageRequest, campaign_id: UUID, job_id: UUID) -> HttpResponse:
    campaign, ui = get_workshop(request.user, campaign_id)
    page = sweep_page(request.user, campaign, job_id)
    span = capfirst(render(ui.span))
    head = [_("Army"), _("Against"), _("Wins"), _("Loses"), _("Nobody wins"), _("Undecided"), span, _("Method"),
            _("± (95%)")]  # fmt: skip
    return build_csv_response(f"{page.campaign.name} {_('Odds')}", head, page.cells())
