"""The campaign around a page that is none of its own: a rule, or an address that is not there.

Its navigation stays in sight. The campaign is that of the nearest address above, else of the page that led here.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from django.http import Http404, HttpRequest
from django.urls import resolve

from kingdom.guise import campaign_asked
from kingdom.models import Campaign
from kingdom.selectors import campaign_for


def campaign_around(request: HttpRequest) -> Campaign | None:
    """For a member of it; None for everybody else, whatever the address names."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return None
    for path in (request.path, _led_from(request)):
        for address in _upwards(path):
            if found := _member_of(request, address):
                return found
    return None


def _led_from(request: HttpRequest) -> str:
    """The path of the page of this site that led here."""
    try:
        before = urlsplit(request.headers.get("Referer", ""))
    except ValueError:
        return ""
    return before.path if before.netloc == request.get_host() else ""


def _upwards(path: str) -> Iterator[str]:
    """The address and those above it."""
    parts = path.strip("/").split("/")
    for size in range(len(parts), 0, -1):
        yield f"/{'/'.join(parts[:size])}/"


def _member_of(request: HttpRequest, address: str) -> Campaign | None:
    try:
        named = resolve(address).kwargs
        key = campaign_asked(request, named) if named else None
        return campaign_for(request.user, key) if key else None  # type: ignore[arg-type]
    except Http404:
        return None
