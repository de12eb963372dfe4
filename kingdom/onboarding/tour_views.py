"""Views that start and end the tour. Its stops are pages of the campaign."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from kingdom.access.permissions import PageRequest
from kingdom.onboarding.tour import find_first_stop
from kingdom.onboarding.tour_services import end_tour


@login_required
@require_safe
def tour(request: PageRequest) -> HttpResponse:
    """Redirect to the first stop, in the user's campaign with the most stops."""
    if first := find_first_stop(request.user):
        return redirect(first.address)
    messages.info(request, _("The tour needs a campaign. Create a demo campaign first."))
    return redirect("kingdom:home")


@login_required
@require_POST
def tour_end(request: PageRequest) -> HttpResponse:
    """End the tour, taken or skipped; the user stays on their page (`next`)."""
    end_tour(by=request.user)
    onward = request.POST.get("next", "")
    messages.success(request, _("You can take the tour again from Help."))
    return redirect(onward if url_has_allowed_host_and_scheme(onward, allowed_hosts=None) else "kingdom:home")
