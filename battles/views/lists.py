"""The campaign's battles, and the setup of a new one."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from battles import services
from battles.forms.opening import OpeningForm, counts_from
from battles.models import Battle
from battles.selectors.pages.lists import battle_list_page, setup_page
from battles.views.going import go
from kingdom.pages import render_page, status_of
from kingdom.requests import PageRequest
from rules.errors import Refusal


@login_required
@require_safe
def battle_list(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    page = battle_list_page(request.user, campaign_id)
    return render_page(request, "battles/battle_list.html", {"page": page})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def battle_new(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """The setup form. Its "add" buttons only make it grow."""
    page = setup_page(request.user, campaign_id)
    if request.method != "POST":
        form = OpeningForm(page)
    elif "add" in request.POST:
        form = OpeningForm(page, counts=counts_from(request.POST)).keep(request.POST)
    else:
        form = OpeningForm(page, request.POST, counts=counts_from(request.POST))
        if form.is_valid() and (battle := _open(request, form)):
            return go(request, "battles:battle", battle.pk)
    context = {"page": page, "form": form}
    return render_page(request, "battles/battle_new.html", context, partial="setup", status=status_of(form))


def _open(request: PageRequest, form: OpeningForm) -> Battle | None:
    try:
        return services.open_battle(by=request.user, campaign=form.page.campaign, **form.to_json())
    except Refusal as refusal:
        form.refused(refusal)
    except Http404:
        form.add_error(None, _("An army has gone in the meantime. Look at the list again."))
    return None
