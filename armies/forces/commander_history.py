"""History of a commander that other apps show on their page: armies do not know battles."""

from __future__ import annotations

from collections.abc import Callable

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from armies.models import Commander
from armies.ruleset_ui import Panel
from kingdom.access.request_types import PageRequest
from kingdom.models import User

HistoryPanel = Callable[[User, Commander], Panel]

_histories: list[HistoryPanel] = []


def register(provider: HistoryPanel) -> None:
    """Show `(template, context)` of `provider(user, commander)` on the commander's page: their battles."""
    if provider not in _histories:
        _histories.append(provider)


def histories(request: PageRequest, commander: Commander) -> list[SafeString]:
    """What other apps tell of a commander, drawn."""
    answers = (provider(request.user, commander) for provider in _histories)
    return [render_to_string(template, context, request=request) for template, context in filter(None, answers)]
