"""The address of the event stream. config/asgi.py answers it before Django does."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse


def stream(request: HttpRequest, battle_id: UUID) -> HttpResponse:
    """A server without ASGI has no streams: "no content" tells the browser not to ask again."""
    return HttpResponse(status=204)
