"""The addresses of armies and commanders: each is answered by the face of the campaign's law."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse

from armies.access import campaign_named
from armies.faces import Page, face_for
from kingdom.request_types import PageRequest


def page(name: str) -> Page:
    """The view of this name. Whoever may not see what the address names gets a 404 from the law's own view."""

    @login_required
    def view(request: PageRequest, **names: Any) -> HttpResponse:
        return face_for(campaign_named(**names)).pages[name](request, **names)

    return view
