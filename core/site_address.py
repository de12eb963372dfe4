"""Address of the site, for links that leave it."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def get_origin(request: HttpRequest) -> str:
    """Return the site's configured origin, for invitations, links, mails and webhooks. Default: the origin that the
    client used.
    """
    return settings.SITE_URL or reached_at(request)


def reached_at(request: HttpRequest) -> str:
    """Return the origin that the client used."""
    return request.build_absolute_uri("/").rstrip("/")


def build_absolute_url(request: HttpRequest, path: str) -> str:
    """Return the absolute URL of a page of the site."""
    return get_origin(request) + path
