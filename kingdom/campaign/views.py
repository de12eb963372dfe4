"""Views of a campaign."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, resolve_url
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.clean_input import NAME_MAX
from core.text import render
from kingdom import contributions as kingdom_slots
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for, get_role, is_gm, list_campaigns, require_gm
from kingdom.archive.forms import TakeAlongForm
from kingdom.campaign.calendar_forms import READY, CalendarForm, ready_calendar
from kingdom.campaign.campaign_cards import now_of
from kingdom.campaign.forms import BeginForm, CampaignForm, DeleteCampaignForm
from kingdom.campaign.page import SecrecyPreset, campaign_page, fill_in, list_presets, list_tabs
from kingdom.campaign.queries import campaign_cards, filter_named, load_board, put_own_first
from kingdom.campaign.services import create_campaign, update_campaign
from kingdom.chronicle.queries import latest_for
from kingdom.members.queries import awaiting, gone_at, is_owner, require_owner
from kingdom.members.services import bring_campaign_back, delete_campaign
from kingdom.models import Campaign
from kingdom.onboarding import checklist
from kingdom.onboarding.checklist import build_first_steps
from kingdom.realms.figures import get_ruleset
from kingdom.rendering import UNPROCESSABLE, get_status, look_of, paginate_request, render_page, submit
from rules.core.errors import Refusal
from rules.registry import RULESETS

REALMS = 8  # kingdoms on one page


@login_required
@require_safe
def campaign(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    return board(request, get_campaign_for(request.user, campaign_id))


def board(request: PageRequest, found: Campaign, refused: tuple[str, Form] | None = None) -> HttpResponse:
    """Render the campaign's page. `refused`: the refused first step with its form."""
    query, user = look_of(request).query, request.user
    kingdoms = put_own_first(user, load_board(found))
    realms = paginate_request(request, filter_named(kingdoms, query), REALMS)
    context = {
        "campaign": found,
        "ruleset": get_ruleset(found).name,
        "role": get_role(user, found),
        "gm": is_gm(user, found),
        "page": campaign_page(user, found, list(realms)),
        "first": build_first_steps(user, found, request.GET.get("step", ""), refused),
        "page_obj": realms,
        "query": query,
        "searchable": len(kingdoms) > REALMS,
        "now": now_of(user, found),
        "action_panels": kingdom_slots.render_place(request, "campaign-actions", found),
        "realm_panels": kingdom_slots.rendered_for_each(request, "realms", found, list(realms)),
        "panels": kingdom_slots.render_place(request, "campaign", found),
        "chronicle": list(latest_for(user, found)),
        "beneath": kingdom_slots.render_beneath(request, "campaign", found),
    }
    return render_page(request, "kingdom/campaign/campaign.html", context, status=UNPROCESSABLE if refused else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_new(request: PageRequest) -> HttpResponse:
    data, filled = fill_in(request.POST)
    form = CampaignForm(data or None, begun=_typed(request.GET))
    if filled:
        return _new_page(request, form, begin_form(request), get_status(form), filled=filled)
    if made := submit(form, lambda _data: create_campaign(by=request.user, **form.given())):
        messages.success(request, _("Campaign created. Found its first kingdom."))
        return redirect("kingdom:campaign", made.pk)
    return _new_page(request, form, begin_form(request), get_status(form))


@login_required
@require_POST
def campaign_begin(request: PageRequest) -> HttpResponse:
    """Create a campaign in one step, with the template of the button pressed."""
    if "own" in request.POST:
        typed = {name: request.POST.get(name, "")[:NAME_MAX] for name in ("own", "name", "ruleset")}
        return redirect(f"{resolve_url('kingdom:campaign_new')}?{urlencode(typed)}#own-rules")
    begin = begin_form(request, request.POST)
    if made := submit(begin, lambda given: create_campaign(by=request.user, **given)):
        messages.success(request, _("Campaign created. You are its GM."))
        if made.ruleset != request.POST.get("ruleset"):
            ruled = {"ruleset": render(get_ruleset(made).name)}
            messages.warning(request, _("Ruleset: %(ruleset)s, as this starting point requires.") % ruled)
        return redirect(f"{resolve_url('kingdom:campaign', made.pk)}?step=next")  # with the first steps open
    return _new_page(request, CampaignForm(), begin, get_status(begin))


def begin_form(request: PageRequest, data: QueryDict | None = None) -> BeginForm:
    """Return the form with a name suggested that none of the user's campaigns has."""
    return BeginForm(data, taken=list_campaigns(request.user).values_list("name", flat=True))


def _typed(asked: QueryDict) -> dict[str, str]:
    """Return the name and the ruleset that were typed before house rules were asked for."""
    ruleset = asked.get("ruleset", "")
    return {"name": asked.get("name", "")[:NAME_MAX], "ruleset": ruleset if ruleset in RULESETS else ""}


def _new_page(
    request: PageRequest, form: CampaignForm, begin: BeginForm, status: int, filled: SecrecyPreset | None = None
) -> HttpResponse:
    context = {"form": form, "begin": begin, "presets": list_presets(form), "filled": filled}
    return render_page(request, "kingdom/campaign/campaign_form.html", context, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_edit(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    found = get_campaign_for(request.user, campaign_id)
    require_gm(request.user, found)
    data, filled = fill_in(request.POST)
    form = CampaignForm(data or None, campaign=found)
    if filled:
        return _edit_page(request, found, form=form, filled=filled)
    if submit(form, lambda _data: update_campaign(by=request.user, campaign=found, **form.given())):
        messages.success(request, _("Saved."))
        return redirect("kingdom:campaign", found.pk)
    return _edit_page(request, found, form=form)


@login_required
@require_POST
def campaign_delete(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    found = get_campaign_for(request.user, campaign_id)
    require_owner(request.user, found)
    form = DeleteCampaignForm(request.POST, campaign=found)
    submit(form, lambda _data: delete_campaign(by=request.user, campaign=found))
    if form.errors:
        return _edit_page(request, found, delete_form=form)
    messages.success(request, _("Campaign deleted. You can restore it here for seven days."))
    return redirect("kingdom:home")


@login_required
@require_POST
def campaign_restore(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    found = bring_campaign_back(by=request.user, campaign_id=campaign_id)
    messages.success(request, _("{campaign} restored with all its members.").format(campaign=found.name))
    return redirect("kingdom:campaign", found.pk)


def _edit_page(
    request: PageRequest, found: Campaign, filled: SecrecyPreset | None = None, **forms: Form
) -> HttpResponse:
    unsaved = get_campaign_for(request.user, found.pk)  # the title must not show a refused name
    form: Any = forms.get("form") or CampaignForm(campaign=unsaved)
    delete_form = forms.get("delete_form") or DeleteCampaignForm(campaign=unsaved)
    context = {
        "campaign": unsaved,
        "owner": is_owner(request.user, unsaved),
        "form": form,
        "take_along": TakeAlongForm(auto_id="take-%s"),
        "delete_form": delete_form,
        "tabs": list_tabs(form, delete_form),
        "presets": list_presets(form),
        "filled": filled,
    }
    status = max(map(get_status, forms.values()))
    return render_page(request, "kingdom/campaign/campaign_settings.html", context, status=status)


# Views of the home page: a user's campaigns, or what Warhost is.


@require_safe
def home(request: PageRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return render_page(request, "kingdom/campaign/landing.html", {"signup_open": settings.SIGNUP_OPEN})
    cards = paginate_request(request, campaign_cards(request.user))
    context: dict[str, Any] = {
        "cards": cards,
        "demo": checklist.list_demos(),
        "begin": None if cards else begin_form(request),
        "awaiting": [(campaign, gone_at(campaign)) for campaign in awaiting(request.user)],
    }
    return render_page(request, "kingdom/campaign/home.html", context)


@login_required
@require_POST
def load_demo(request: PageRequest) -> HttpResponse:
    try:
        campaign = checklist.load(owner=request.user, law=request.POST.get("law", ""))
    except Refusal as refusal:
        messages.error(request, render(refusal.message))
        return redirect("kingdom:home")
    messages.success(request, _("Demo campaign created. You are its GM: try anything."))
    tour = "" if request.user.tour_taken else "?tour=campaign"
    return redirect(f"{resolve_url('kingdom:campaign', campaign.pk)}{tour}")


# Views of the campaign's calendar.


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def calendar(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """Set months, weekdays, leap day, seasons, moons and the date of day 0 (GM). `preset` fills in a ready calendar."""
    campaign = get_campaign_for(request.user, campaign_id)
    require_gm(request.user, campaign)
    slug = request.GET.get("preset", "")
    form = CalendarForm(request.POST or None, calendar=ready_calendar(slug, campaign.dates))
    if form.is_valid():
        try:
            update_campaign(by=request.user, campaign=campaign, calendar=form.given())
        except Refusal as refusal:
            form.refused(refusal)
        else:
            messages.success(request, _("Saved."))
            return redirect("kingdom:campaign", campaign.pk)
    context = {"campaign": get_campaign_for(request.user, campaign_id), "form": form, "ready": _list_ready(slug)}
    return render_page(request, "kingdom/campaign/calendar.html", context, status=get_status(form))


def _list_ready(slug: str) -> list[tuple[str, Promise | str, bool]]:
    """Slug and name of each ready calendar, and whether it is filled in."""
    return [(one, name, one == slug) for one, (name, _calendar) in READY.items()]
