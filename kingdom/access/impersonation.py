"""Middleware and views of impersonation: a GM reads their campaign as one of its players or viewers.

The GM's session stores whom they impersonate. On every page of that campaign `request.user` is then that person, and
`User.seen_by` the GM, so views need no special case. Changes are refused meanwhile. Pages of other campaigns, account
pages and the API are not affected.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any
from uuid import UUID

from django.apps import apps
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from core.clean_input import parse_uuid
from core.client_info import API_PREFIX
from core.queries import find_one
from kingdom.access.impersonation_queries import reader_in
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for, require_gm
from kingdom.campaign.forms import GuiseForm
from kingdom.notes.targets import list_note_targets
from kingdom.rendering import go, go_onward

WORN = "guise"  # in the session: {"campaign": its id, "who": a user's id, or the role of a made-up reader}
SEARCH = ("kingdom:find", "kingdom:find_choices")
OF_CAMPAIGNS = ("armies", "battles")
HARMLESS = ("GET", "HEAD", "OPTIONS")
DOORS = ("kingdom:view_as", "kingdom:view_as_stop")  # the views that start and end impersonation


class ImpersonationMiddleware:
    """Middleware that replaces the reader of a campaign's pages by the person the GM impersonates."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]
    ) -> HttpResponseBase | None:
        worn = _worn(request)
        if worn is None or find_campaign_of_request(request, kwargs) != UUID(worn["campaign"]):
            return None
        if request.method == "POST" and request.resolver_match and request.resolver_match.view_name in DOORS:
            return None
        reader = reader_in(request.user, UUID(worn["campaign"]), worn["who"])  # type: ignore[arg-type]
        if reader is None:
            del request.session[WORN]
            return None
        request.user = reader
        return None if request.method in HARMLESS else _refused(request)


def _worn(request: HttpRequest) -> dict[str, str] | None:
    if settings.SESSION_COOKIE_NAME not in request.COOKIES or request.path.startswith(API_PREFIX):
        return None
    return request.session.get(WORN) if request.user.is_authenticated else None


def find_campaign_of_request(request: HttpRequest, named: Mapping[str, Any]) -> UUID | None:
    """Return the campaign of the object in this address, or of the search in it; None if it belongs to none."""
    if "campaign_id" in named:
        return named["campaign_id"]
    for name, key in named.items():
        model = (
            list_note_targets()[named["kind"]].model
            if name == "thing_id" and named["kind"] in list_note_targets()
            else things().get(name)
        )
        if model is not None:
            column = "pk" if model._meta.label == "kingdom.Campaign" else "campaign"
            return find_one(model._base_manager.filter(pk=key).values_list(column, flat=True))
    return parse_uuid(request.GET.get("campaign", "")) if _asks_for_one(request) else None


def _asks_for_one(request: HttpRequest) -> bool:
    """Return whether the query string may name the campaign: on the search, and on pages of armies and battles."""
    match = request.resolver_match
    return match is not None and (match.view_name in SEARCH or match.namespace in OF_CAMPAIGNS)


@cache
def things() -> dict[str, type[Model]]:
    """Return the models with a campaign, by the name of their part of an address: "army_id".

    The part is named after the model, unless the model sets `in_addresses`.
    """
    known = (model for model in apps.get_models() if any(field.name == "campaign" for field in model._meta.fields))
    return {f"{getattr(model, 'in_addresses', model._meta.model_name)}_id": model for model in known}


def _refused(request: HttpRequest) -> HttpResponse:
    """Answer a refused change with 403. For htmx the page is reloaded and shows the message."""
    words = _("You are viewing this campaign as {reader}. Stop viewing it as {reader} to make changes.").format(
        reader=request.user
    )
    if getattr(request, "htmx", None):
        messages.warning(request, words)
        return HttpResponse(status=403, headers={"HX-Refresh": "true"})
    return render(request, "kingdom/access/view_as_refused.html", {"words": words}, status=403)


# Views that start and end impersonation.


@login_required
@require_POST
def view_as(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """Start impersonation: the GM reads this campaign as the chosen person."""
    campaign = get_campaign_for(request.user, campaign_id)
    require_gm(request.user, campaign)
    form = GuiseForm(request.POST, campaign=campaign)
    if not form.is_valid():
        messages.error(request, _("Choose someone who is in this campaign now."))
        return go(request, "kingdom:members", campaign.pk)
    request.session[WORN] = {"campaign": str(campaign.pk), "who": form.cleaned_data["who"]}
    return go(request, "kingdom:campaign", campaign.pk)


@login_required
@require_POST
def view_as_stop(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """End impersonation and return to the page in `next`."""
    campaign = get_campaign_for(request.user, campaign_id)
    request.session.pop(WORN, None)
    return go_onward(request.POST.get("next", ""), "kingdom:members", campaign.pk)
