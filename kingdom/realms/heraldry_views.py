"""View of a kingdom's arms."""

from __future__ import annotations

import secrets
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from kingdom.access.queries import get_kingdom_run_by
from kingdom.access.request_types import PageRequest
from kingdom.campaign.queries import arms_in, roll_of_arms
from kingdom.models import Kingdom
from kingdom.realms.heraldry import draw_arms
from kingdom.realms.heraldry_forms import ArmsForm
from kingdom.realms.services import update_kingdom
from kingdom.rendering import get_status, render_page, submit

LOT = 8  # bytes


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def arms(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    """The arms as they are; picked so far (`preview`), by `lots` or by the `name`; or taken up."""
    found = get_kingdom_run_by(request.user, kingdom_id)
    if request.method != "POST" or request.POST.keys() & {"preview", "lots", "name"}:
        return _page(request, found, _picked(request, found))
    form = ArmsForm(request.POST, now=found.arms_borne)
    if submit(form, lambda data: update_kingdom(by=request.user, kingdom=found, arms=data)):
        messages.success(request, _("{kingdom} bears these arms.").format(kingdom=found.name))
        return redirect("kingdom:kingdom", found.pk)
    return _page(request, found, form)


def _picked(request: PageRequest, found: Kingdom) -> ArmsForm:
    """The form as far as it is filled in; nothing is stored."""
    others = arms_in(found.campaign, but=found)
    if "lots" in request.POST:
        return ArmsForm(now=draw_arms(secrets.token_hex(LOT), others))
    if "name" in request.POST:
        return ArmsForm(now=draw_arms(found.name, others))
    return ArmsForm(now=ArmsForm(request.POST, now=found.arms_borne).chosen)


def _page(request: PageRequest, found: Kingdom, form: ArmsForm) -> HttpResponse:
    context = {"kingdom": found, "campaign": found.campaign, "form": form, "roll": roll_of_arms(found)}
    return render_page(request, "kingdom/realms/arms.html", context, partial="blazon", status=get_status(form))
