"""The treasury's whole ledger."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from kingdom import selectors
from kingdom.forms import LedgerForm
from kingdom.models import Kingdom, LedgerEntry
from kingdom.pages import page_of, render_page, status_of, submit
from kingdom.request_types import PageRequest
from kingdom.services.treasury import record_entry
from kingdom.tables import csv_response
from kingdom.text import from_json


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def ledger(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    kingdom = selectors.kingdom_for(request.user, kingdom_id)
    if request.method != "POST":
        return _page(request, kingdom, LedgerForm())
    selectors.require_runs(request.user, kingdom)
    form = LedgerForm(request.POST)
    if submit(form, lambda data: record_entry(by=request.user, kingdom=kingdom, **data)):
        messages.success(request, _("Entered in the ledger."))
        return redirect("kingdom:ledger", kingdom.pk)
    return _page(request, kingdom, form)


@login_required
@require_safe
def ledger_csv(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    """The entries the filters find, in the order they were made."""
    kingdom = selectors.kingdom_for(request.user, kingdom_id)
    if not selectors.reads_kingdom(request.user, kingdom):
        raise Http404
    source, direction = request.GET.get("source", ""), request.GET.get("direction", "")
    entries = selectors.ledger_filtered(kingdom, source=source, direction=direction).order_by("seq")
    head = [_("number"), _("day"), _("BP"), _("balance"), _("reason"), _("source"), _("by"), _("entered")]
    return csv_response(f"{kingdom.name} {_('Ledger')}", head, (_row(entry) for entry in entries.iterator(500)))


def _row(entry: LedgerEntry) -> list[Any]:
    told = [from_json(entry.reason), entry.get_source_display(), str(entry.by or ""), entry.at.isoformat()]
    return [entry.seq, entry.day, entry.amount, entry.balance, *told]


def _page(request: PageRequest, kingdom: Kingdom, form: LedgerForm) -> HttpResponse:
    if not selectors.reads_kingdom(request.user, kingdom):
        raise Http404
    source = request.GET.get("source", "")
    direction = request.GET.get("direction", "")
    context = {
        "kingdom": kingdom,
        "campaign": kingdom.campaign,
        "runs": selectors.runs_kingdom(request.user, kingdom),
        "leave": selectors.leave_of(request.user, kingdom.campaign)["treasury"],
        "page_obj": page_of(request, selectors.ledger_filtered(kingdom, source=source, direction=direction)),
        "sources": LedgerEntry.Origin.choices,
        "source": source,
        "direction": direction,
        "form": form,
    }
    return render_page(request, "kingdom/ledger.html", context, partial="entries", status=status_of(form))
