"""View that gives an army lasting adjustments and ends them."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from armies.adjustments.services import adjust_army, end_adjustment
from armies.default.views import order
from armies.forces.access import get_army_run_by
from armies.models import Army
from armies.ruleset_ui import get_army_ui
from core.clean_input import read_typed_whole
from kingdom.access.permissions import PageRequest
from kingdom.realms.figures import get_ruleset


@login_required
@require_POST
def army_adjust(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Adjusts a figure, or ends an adjustment (GM). Raises `Http404` where the ruleset has nothing to adjust."""
    found: Army = get_army_run_by(request.user, army_id)
    if not get_ruleset(found.campaign).adjustable.figures:
        raise Http404
    kind = get_army_ui(found.campaign).army
    return order(request, army_id, "adjustments", lambda army: _adjust(request, army), kind)


def _adjust(request: PageRequest, army: Army) -> str:
    sent = request.POST
    if "end" in sent:
        end_adjustment(by=request.user, army=army, adjustment=sent["end"])
        return _("Adjustment ended.")
    until = read_typed_whole(sent["until"]) if sent.get("until") else None
    adjust_army(by=request.user, army=army, figure=sent.get("figure", ""), until=until,
                amount=read_typed_whole(sent.get("amount", "")), reason=sent.get("reason", ""))  # fmt: skip
    return _("Value adjusted.")
