"""Frame of a campaign around a page that is none of its own: a rule, or a 404.

Its navigation stays in sight. The campaign is that of the nearest address above, else of the page that led here.
Only addresses of campaigns and kingdoms count, each as far as the reader may see it: what else an address names may be
there or not, and the frame must not tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from django.db import DatabaseError, InterfaceError
from django.http import Http404, HttpRequest
from django.urls import resolve

from kingdom.access.queries import get_campaign_for, get_kingdom_for
from kingdom.models import Campaign, User


def campaign_around(request: HttpRequest) -> Campaign | None:
    """For a member of it; None for everybody else, whatever the address names."""
    try:
        user = getattr(request, "user", None)
        return _found(request, user) if user is not None and user.is_authenticated else None
    except (DatabaseError, InterfaceError):  # the page that says so is drawn without a frame
        return None


def _found(request: HttpRequest, user: User) -> Campaign | None:
    addresses = (address for path in (request.path, _led_from(request)) for address in _upwards(path))
    return next(filter(None, (_named_by(user, address) for address in addresses)), None)


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


def _named_by(user: User, address: str) -> Campaign | None:
    try:
        named = resolve(address).kwargs
        if "campaign_id" in named:
            return get_campaign_for(user, named["campaign_id"])
        return get_kingdom_for(user, named["kingdom_id"]).campaign if "kingdom_id" in named else None
    except Http404:
        return None
