"""The address of the event streams. config/asgi.py answers it before Django does."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse


def stream(request: HttpRequest, kind: str, pk: UUID) -> HttpResponse:
    """A server without ASGI has no streams: "no content" tells the browser not to ask again."""
    return HttpResponse(status=204)
