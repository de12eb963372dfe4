"""The addresses of armies and commanders: each is answered by the face of the campaign's law."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse

from armies.faces import Page, face_for
from armies.models import Army, Commander
from kingdom.models import Campaign
from kingdom.request_types import PageRequest


def page(name: str) -> Page:
    """The view of this name. Whoever may not see what the address names gets a 404 from the law's own view."""

    @login_required
    def view(request: PageRequest, **names: Any) -> HttpResponse:
        return face_for(_campaign(**names)).pages[name](request, **names)

    return view


def _campaign(
    army_id: UUID | None = None, commander_id: UUID | None = None, kingdom_id: UUID | None = None
) -> Campaign:
    """The campaign of what the address names. Raises Http404."""
    rows = Campaign.objects.all()
    if army_id is not None:
        rows = rows.filter(pk__in=Army.objects.filter(pk=army_id).values("campaign"))
    elif commander_id is not None:
        rows = rows.filter(pk__in=Commander.objects.filter(pk=commander_id).values("campaign"))
    else:
        rows = rows.filter(kingdoms=kingdom_id)
    found = rows.first()
    if found is None:
        raise Http404
    return found
