"""Going on to another page, with htmx and without."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, resolve_url
from django_htmx.http import HttpResponseClientRedirect

from kingdom.requests import PageRequest


def go(request: PageRequest, name: str, *args: Any) -> HttpResponse:
    """Redirect; htmx would draw the other page into a corner of this one, so it is told to go there itself."""
    if request.htmx:
        return HttpResponseClientRedirect(resolve_url(name, *args))
    return redirect(name, *args)
