"""View of the Help page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from kingdom import contributions
from kingdom.help.terms import COMMON
from kingdom.help.topics import TOPICS
from kingdom.rendering import render_page
from rules.core.text import Term
from rules.law import ExplainedTerm
from rules.registry import RULESETS


@require_safe
def help_page(request: HttpRequest) -> HttpResponse:
    """The Help page, the same for everybody."""
    context = {
        "topics": TOPICS,
        "rulesets": [(law.name, law.about) for law in RULESETS.values()],
        "terms": [(None, COMMON.values()), *_terms_of_families()],
        "panels": contributions.render_place(request, "help"),
    }
    return render_page(request, "kingdom/help/help.html", context)


def _terms_of_families() -> Iterator[tuple[Term, Sequence[ExplainedTerm]]]:
    """Yield the terms of each family that has some, with the name of its first ruleset."""
    first = {law.family: law for law in reversed(RULESETS.values())}
    yield from ((law.name, [*law.terms.values()]) for law in reversed(first.values()) if law.terms)
