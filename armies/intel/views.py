"""Views of intelligence, for the GM."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from armies.forces.access import get_army_for
from armies.intel.page import InsightForm, build_known_page, get_insight_for
from armies.intel.services import hide_army, let_know
from armies.models import Army
from core.text import render as say
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for
from kingdom.models import Campaign, Knowledge
from kingdom.rendering import get_status, render_page, submit
from rules.core.errors import Refusal


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def known(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """Intelligence page: the kingdoms' knowledge of armies; with `?army=` of that one."""
    campaign = get_campaign_for(request.user, campaign_id)
    army = _asked(request, campaign)
    form = InsightForm(request.POST or None, campaign=campaign, army=army)
    if submit(form, lambda _data: let_know(by=request.user, **form.given())):
        messages.success(request, _("Saved."))
        return redirect(request.get_full_path())
    context = {"page": build_known_page(request.user, campaign, army), "campaign": campaign, "form": form}
    return render_page(request, "armies/intel/known.html", context, status=get_status(form))


@login_required
@require_POST
def known_no_more(request: PageRequest, campaign_id: UUID, insight_id: UUID) -> HttpResponse:
    """Ends the work of a spy, or an alliance."""
    campaign = get_campaign_for(request.user, campaign_id)
    found = get_insight_for(request.user, campaign, insight_id)
    let_know(
        by=request.user, kingdom=found.kingdom, army=found.army, realm=found.realm, mutual=found.mutual,
        level=Knowledge.NOTHING,
    )  # fmt: skip
    messages.success(request, _("Saved."))
    return redirect("armies:known", campaign.pk)


@login_required
@require_POST
def army_hide(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Hides an army from other players, or shows it again."""
    army = get_army_for(request.user, army_id, Army)
    hidden = request.POST.get("hidden") == "1"
    try:
        hide_army(by=request.user, army=army, hidden=hidden)
    except Refusal as refusal:
        messages.error(request, say(refusal.message))
    else:
        done = _("This army is now hidden from the other players.") if hidden else _("This army is no longer hidden.")
        messages.success(request, done)
    return redirect(f"{reverse('armies:known', args=[army.campaign_id])}?army={army.pk}")


def _asked(request: PageRequest, campaign: Campaign) -> Army | None:
    if not request.GET.get("army"):
        return None
    army = get_army_for(request.user, request.GET["army"], Army)
    if army.campaign_id != campaign.pk:
        raise Http404
    return army
