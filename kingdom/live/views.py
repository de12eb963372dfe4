"""Addresses of the event streams. config/asgi.py answers them before Django does."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse


def stream(request: HttpRequest, kind: str, pk: UUID) -> HttpResponse:
    """A server without ASGI has no streams: "no content" tells the browser not to ask again."""
    return HttpResponse(status=204)


def streams(request: HttpRequest) -> HttpResponse:
    """The same of several addresses."""
    return HttpResponse(status=204)


def shared_stream(request: HttpRequest, share_token: str) -> HttpResponse:
    """The same of what a share link shows."""
    return HttpResponse(status=204)
