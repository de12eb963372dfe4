"""Undo button of success messages: a message knows the entry it tells of.

The first notice of success after something was entered in the chronicle bears the address of that entry, if its reader
may take it back. Where several were made it bears none: one of them would be but a part of what the notice tells.
"""

from __future__ import annotations

from typing import Any

from django.contrib.messages import SUCCESS
from django.contrib.messages.storage.base import Message
from django.contrib.messages.storage.fallback import FallbackStorage
from django.http import HttpRequest

from core.url_cache import get_url
from kingdom.access.queries import is_gm
from kingdom.chronicle import context

MARK = "undo:"
OWN_UNDO = "own-undo"
"""The tag of a notice on a page that offers to undo what it tells itself."""


class Notices(FallbackStorage):
    """Django's own, made for each request."""

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any):
        super().__init__(request, *args, **kwargs)
        context.begin_request()

    def add(self, level: int, message: Any, extra_tags: str | None = "") -> None:
        mark = _mark(self.request) if level == SUCCESS and extra_tags != OWN_UNDO else ""
        super().add(level, message, " ".join(filter(None, (extra_tags, mark))))


def _mark(request: HttpRequest) -> str:
    match context.list_recent_entries():
        case [entry] if entry.changes and is_gm(request.user, entry.campaign):  # type: ignore[arg-type]
            return f"{MARK}{entry.campaign_id}/{entry.pk}"
    return ""


def undo_of(message: Message) -> str:
    """Where what this notice tells is taken back, "" where nowhere."""
    named = next((tag for tag in (message.extra_tags or "").split() if tag.startswith(MARK)), "")
    campaign, _slash, entry = named.removeprefix(MARK).partition("/")
    return get_url("kingdom:undo", campaign, entry) if entry else ""
