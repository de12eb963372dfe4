"""Address of the site, for what is passed on."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def get_origin(request: HttpRequest) -> str:
    """The site's configured address, for what is passed on: invitations, links, mails, webhooks. Where none is
    configured, the site as whoever asks has reached it.
    """
    return settings.SITE_URL or reached_at(request)


def reached_at(request: HttpRequest) -> str:
    """The site as whoever asks says they have reached it."""
    return request.build_absolute_uri("/").rstrip("/")


def build_absolute_url(request: HttpRequest, path: str) -> str:
    """The address of one of the site's pages, to be passed on."""
    return get_origin(request) + path
