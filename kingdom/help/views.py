"""View of the Help page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from kingdom import slots
from kingdom.help.topics import TOPICS
from kingdom.rendering import render_page
from rules.registry import RULESETS


@require_safe
def help_page(request: HttpRequest) -> HttpResponse:
    """How the site is used, the same for everybody."""
    context = {
        "topics": TOPICS,
        "rulesets": [(law.name, law.about) for law in RULESETS.values()],
        "panels": slots.render_place(request, "help"),
    }
    return render_page(request, "kingdom/help/help.html", context)
