"""Views of settlements."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from kingdom import slots as kingdom_slots
from kingdom.access.permissions import Leave
from kingdom.access.queries import get_kingdom_run_by, get_settlement_for, is_gm, require_runs
from kingdom.access.request_types import PageRequest
from kingdom.approvals.queries import leave_of, require_offered
from kingdom.models import Kingdom
from kingdom.realms.figures import get_realm_law
from kingdom.realms.forms import SettlementForm
from kingdom.realms.settlement_services import found_settlement, raze_settlement, update_settlement
from kingdom.rendering import get_status, render_page, submit


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settlement_new(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    kingdom = get_kingdom_run_by(request.user, kingdom_id)
    require_offered(request.user, kingdom.campaign, "found")
    realm, gm = get_realm_law(kingdom.campaign), is_gm(request.user, kingdom.campaign)
    form = SettlementForm(request.POST or None, realm=realm, gm=gm)
    if made := submit(form, lambda _data: found_settlement(by=request.user, kingdom=kingdom, **form.given())):
        messages.success(request, _("{settlement} is founded.").format(settlement=made.name))
        return redirect("kingdom:kingdom", kingdom.pk)
    context = {"form": form, "kingdom": kingdom, "campaign": kingdom.campaign, "leave": _leave(request, kingdom)}
    return render_page(request, "kingdom/realms/settlement_form.html", context, status=get_status(form))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settlement_edit(request: PageRequest, settlement_id: UUID) -> HttpResponse:
    settlement = get_settlement_for(request.user, settlement_id)
    kingdom, name = settlement.kingdom, settlement.name
    require_runs(request.user, kingdom)
    realm, gm = get_realm_law(kingdom.campaign), is_gm(request.user, kingdom.campaign)
    leave = _leave(request, kingdom)
    form = SettlementForm(request.POST or None, realm=realm, gm=gm, settlement=settlement, builds=leave.offered)
    change = lambda _data: update_settlement(by=request.user, settlement=settlement, **form.given())  # noqa: E731
    if submit(form, change):
        messages.success(request, _("Saved."))
        return redirect("kingdom:kingdom", kingdom.pk)
    context = {"form": form, "kingdom": kingdom, "campaign": kingdom.campaign, "settlement": settlement, "name": name}
    context["leave"] = leave
    context["beneath"] = kingdom_slots.render_beneath(request, "settlement", settlement)
    return render_page(request, "kingdom/realms/settlement_form.html", context, status=get_status(form))


def _leave(request: PageRequest, kingdom: Kingdom) -> Leave:
    return leave_of(request.user, kingdom.campaign)["found"]


@login_required
@require_POST
def settlement_raze(request: PageRequest, settlement_id: UUID) -> HttpResponse:
    settlement = get_settlement_for(request.user, settlement_id)
    raze_settlement(by=request.user, settlement=settlement)
    messages.success(request, _("{settlement} is struck from the map.").format(settlement=settlement.name))
    return redirect("kingdom:kingdom", settlement.kingdom_id)
