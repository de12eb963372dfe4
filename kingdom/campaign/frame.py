"""Frame of a campaign around a page that belongs to none: a rule, or a 404.

It keeps the campaign's navigation. The campaign is that of the nearest parent address, else of the page with the link.
Only addresses of campaigns and kingdoms that the reader may see count, so that the frame never reveals whether another
object exists.
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
    """Return the campaign for a member; None for everybody else."""
    try:
        user = getattr(request, "user", None)
        return _found(request, user) if user is not None and user.is_authenticated else None
    except (DatabaseError, InterfaceError):  # the error page is rendered without a frame
        return None


def _found(request: HttpRequest, user: User) -> Campaign | None:
    addresses = (address for path in (request.path, _led_from(request)) for address in _upwards(path))
    return next(filter(None, (_named_by(user, address) for address in addresses)), None)


def _led_from(request: HttpRequest) -> str:
    """Return the path of the page of this site that linked here, or ""."""
    try:
        before = urlsplit(request.headers.get("Referer", ""))
    except ValueError:
        return ""
    return before.path if before.netloc == request.get_host() else ""


def _upwards(path: str) -> Iterator[str]:
    """Yield the address and its parents."""
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
