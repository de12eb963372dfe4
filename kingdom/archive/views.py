"""Views for export and import."""

from __future__ import annotations

import math
from collections.abc import Iterator
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.text import load_said, render
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for
from kingdom.accounts.rate_limits import limit_page
from kingdom.archive.api import document_response
from kingdom.archive.export_rows import document_for, get_import_for, list_imports_under_way
from kingdom.archive.forms import BringInForm, TakeAlongForm
from kingdom.archive.services import start_import, stop_import
from kingdom.archive.versions import NO_CAMPAIGN_FILE
from kingdom.models import CampaignImport
from kingdom.rendering import get_status, render_page
from rules.core.errors import NotYet, Refusal

FAULTS_TOLD = 5


@login_required
@require_safe
@limit_page("costly")
def campaign_export(request: PageRequest, campaign_id: UUID) -> HttpResponseBase:
    found = get_campaign_for(request.user, campaign_id)
    asked = TakeAlongForm(request.GET)
    named = bool(asked.is_valid() and asked.cleaned_data["members"])
    return document_response(document_for(request.user, found, named=named), found)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_page("costly")
def campaign_import(request: PageRequest) -> HttpResponse:
    """Import a campaign: a small document at once; for a large one, redirect to its progress."""
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = BringInForm(*sent)
    if form.is_bound and (found := _begun(request, form)):
        return _there(request, found) or redirect("kingdom:campaign_arriving", found.pk)
    context = {"form": form, "under_way": list_imports_under_way(request.user)}
    response = render_page(request, "kingdom/archive/campaign_import.html", context, status=get_status(form))
    if form.wait:
        response.status_code, response["Retry-After"] = 429, str(math.ceil(form.wait))
    return response


@login_required
@require_safe
def campaign_arriving(request: PageRequest, import_id: UUID) -> HttpResponse:
    """Page of an import's progress and result. The user may leave it and come back."""
    return _drawn(request, get_import_for(request.user, import_id))


@login_required
@require_POST
def campaign_import_stop(request: PageRequest, import_id: UUID) -> HttpResponse:
    return redirect("kingdom:campaign_arriving", stop_import(by=request.user, import_id=import_id).pk)


def _drawn(request: PageRequest, found: CampaignImport) -> HttpResponse:
    context = {
        "job": found,
        "faults": list(told_of(found)),
        "warnings": [render(load_said(one)) for one in found.warnings],
    }
    return render_page(request, "kingdom/archive/campaign_arriving.html", context, partial="arriving")


def _begun(request: PageRequest, form: BringInForm) -> CampaignImport | None:
    if not form.is_valid():
        return None
    try:
        found = start_import(by=request.user, file=form.cleaned_data["file"].file)
    except Refusal as refusal:
        form.add_error("file", render(refusal.message))
        form.wait = refusal.wait if isinstance(refusal, NotYet) else 0
        return None
    if found.state != CampaignImport.Status.FAILED:
        return found
    form.add_error("file", _("Nothing was imported because the file has errors."))
    for told in told_of(found):
        form.add_error("file", told)
    return None


def _there(request: PageRequest, found: CampaignImport) -> HttpResponse | None:
    if found.campaign_id is None:
        return None
    messages.success(request, _("Campaign imported. You are its GM."))
    for warning in found.warnings:
        messages.warning(request, render(load_said(warning)))
    return redirect("kingdom:campaign", found.campaign_id)


def told_of(found: CampaignImport) -> Iterator[str]:
    """Yield the first faults, each with its pointer."""
    for pointer, message in found.faults[:FAULTS_TOLD]:
        said = render(load_said(message))
        yield f"{pointer}: {said}" if pointer and said != render(NO_CAMPAIGN_FILE) else said
