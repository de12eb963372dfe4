"""A campaign as one document: taken along, and brought in."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from kingdom import selectors
from kingdom.api.archive import document_response
from kingdom.forms.archive import BringInForm, TakeAlongForm
from kingdom.pages import render_page, status_of
from kingdom.request_types import PageRequest
from kingdom.selectors.archive import document_for
from kingdom.services.archive import Arrival, import_campaign
from kingdom.text import render
from kingdom.throttling import counted_as
from rules.errors import Refusal

FAULTS_TOLD = 5


@login_required
@require_safe
@counted_as("costly")
def campaign_export(request: PageRequest, campaign_id: UUID) -> HttpResponseBase:
    found = selectors.campaign_for(request.user, campaign_id)
    asked = TakeAlongForm(request.GET)
    named = bool(asked.is_valid() and asked.cleaned_data["members"])
    return document_response(document_for(request.user, found, named=named), found)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@counted_as("costly")
def campaign_import(request: PageRequest) -> HttpResponse:
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = BringInForm(*sent)
    if form.is_bound and (found := _brought_in(request, form)):
        messages.success(request, _("The campaign is here, and you are its GM."))
        for warning in found.warnings:
            messages.warning(request, render(warning))
        return redirect("kingdom:campaign", found.campaign.pk)
    return render_page(request, "kingdom/campaign_import.html", {"form": form}, status=status_of(form))


def _brought_in(request: PageRequest, form: BringInForm) -> Arrival | None:
    if not form.is_valid():
        return None
    try:
        return import_campaign(by=request.user, file=form.cleaned_data["file"].file)
    except Refusal as refusal:
        form.add_error("file", _("Nothing was brought in: the document cannot be used as it is."))
        for pointer, message in refusal.errors[:FAULTS_TOLD]:
            form.add_error("file", f"{pointer}: {render(message)}" if pointer else render(message))
        return None
