"""Views of the ledger, and of planned income and costs."""

from __future__ import annotations

from typing import Any, NamedTuple
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.csv_tables import build_csv_response
from core.text import render
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_kingdom_for, reads_kingdom, require_runs, runs_kingdom
from kingdom.approvals.serializers import leave_of
from kingdom.campaign.queries import ledger_filtered, ledger_sums
from kingdom.chronicle.queries import day_sought
from kingdom.models import Kingdom, LedgerEntry
from kingdom.realms.forms import LedgerForm, PlannedForm
from kingdom.realms.planned_queries import planned_line, planned_of
from kingdom.realms.planned_services import change_line, plan_line, strike_line
from kingdom.realms.treasury_services import record_entry
from kingdom.rendering import get_status, paginate_request, render_page, submit
from rules.core.errors import Refusal
from rules.core.text import Said


class LedgerLook(NamedTuple):
    """Filters of the ledger."""

    source: str = ""
    direction: str = ""
    since: int | None = None
    until: int | None = None


def _look(given: QueryDict) -> tuple[LedgerLook, Said | None]:
    """Return the filters of the query string. An invalid day is ignored and returned as a message."""
    kinds = given.get("source", ""), given.get("direction", "")
    try:
        days = [day_sought(name, given.get(name, "").strip()) for name in ("since", "until")]
    except Refusal as refusal:
        return LedgerLook(*kinds), refusal.message
    return LedgerLook(*kinds, *days), None


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def ledger(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    kingdom = get_kingdom_for(request.user, kingdom_id)
    if request.method != "POST":
        return _page(request, kingdom)
    require_runs(request.user, kingdom)
    form = LedgerForm(request.POST, kingdom=kingdom)
    if submit(form, lambda data: record_entry(by=request.user, kingdom=kingdom, **data)):
        messages.success(request, _("Ledger entry added."))
        return redirect("kingdom:ledger", kingdom.pk)
    return _page(request, kingdom, form=form)


@login_required
@require_POST
def plan(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    """Plan new income or costs."""
    kingdom = get_kingdom_for(request.user, kingdom_id)
    require_runs(request.user, kingdom)
    form = PlannedForm(request.POST, prefix="plan")
    if submit(form, lambda data: plan_line(by=request.user, kingdom=kingdom, **data)):
        messages.success(request, _("Planned entry added."))
        return redirect("kingdom:ledger", kingdom.pk)
    return _page(request, kingdom, planned=form)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def planned(request: PageRequest, kingdom_id: UUID, line: str) -> HttpResponse:
    """Page to change one planned line."""
    kingdom = get_kingdom_for(request.user, kingdom_id)
    require_runs(request.user, kingdom)
    found = planned_line(kingdom, line)
    form = PlannedForm(request.POST or None, initial=found._asdict())
    if submit(form, lambda data: change_line(by=request.user, kingdom=kingdom, line=line, **data)):
        messages.success(request, _("Planned entry changed."))
        return redirect("kingdom:ledger", kingdom.pk)
    leave = leave_of(request.user, kingdom.campaign)["treasury"]
    context = {"kingdom": kingdom, "campaign": kingdom.campaign, "line": found, "form": form, "leave": leave}
    return render_page(request, "kingdom/realms/planned_form.html", context, status=get_status(form))


@login_required
@require_POST
def strike(request: PageRequest, kingdom_id: UUID, line: str) -> HttpResponse:
    kingdom = get_kingdom_for(request.user, kingdom_id)
    strike_line(by=request.user, kingdom=kingdom, line=line)
    messages.success(request, _("Planned entry deleted."))
    return redirect("kingdom:ledger", kingdom.pk)


@login_required
@require_safe
def ledger_csv(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    """CSV of the filtered entries, in the order they were made."""
    kingdom = get_kingdom_for(request.user, kingdom_id)
    if not reads_kingdom(request.user, kingdom):
        raise Http404
    look, _refused = _look(request.GET)
    entries = ledger_filtered(kingdom, **look._asdict()).order_by("seq")
    head = [_("number"), _("day"), _("BP"), _("balance"), _("reason"), _("source"), _("by"), _("entered")]
    return build_csv_response(f"{kingdom.name} {_('Ledger')}", head, (_row(entry) for entry in entries.iterator(500)))


def _row(entry: LedgerEntry) -> list[Any]:
    told = [render(entry.told), entry.get_source_display(), str(entry.by or ""), entry.at.isoformat()]
    return [entry.seq, entry.day, entry.amount, entry.balance, *told]


def _page(
    request: PageRequest, kingdom: Kingdom, *, form: LedgerForm | None = None, planned: PlannedForm | None = None
) -> HttpResponse:
    if not reads_kingdom(request.user, kingdom):
        raise Http404
    look, refused = _look(request.GET)
    entries = ledger_filtered(kingdom, **look._asdict())
    context = {
        "kingdom": kingdom,
        "campaign": kingdom.campaign,
        "runs": runs_kingdom(request.user, kingdom),
        "leave": leave_of(request.user, kingdom.campaign)["treasury"],
        "page_obj": paginate_request(request, entries),
        "sums": ledger_sums(entries),
        "sources": LedgerEntry.Origin.choices,
        "look": look,
        "refused": refused,
        "filtered": look != LedgerLook(),
        "form": form or LedgerForm(kingdom=kingdom),
        "plan_form": planned or PlannedForm(prefix="plan"),
        "planned": planned_of(kingdom),
    }
    wrong = next((one for one in (form, planned) if one is not None), None)
    status = 200 if wrong is None else get_status(wrong)
    return render_page(request, "kingdom/realms/ledger.html", context, partial="entries", status=status)
