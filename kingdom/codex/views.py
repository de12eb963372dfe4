"""Views of a rule or an item: a page, or a note beside the link."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from kingdom.access.permissions import PageRequest
from kingdom.codex.queries import RuleEntry, entries_of_rule, entry_of
from kingdom.rendering import render_page


@login_required
@require_safe
def rule(request: PageRequest, rule: str) -> HttpResponse:
    return _drawn(request, entries_of_rule(rule, request.GET.get("ruleset", "")))


@login_required
@require_safe
def item(request: PageRequest, ruleset: str, kind: str, item: str) -> HttpResponse:
    return _drawn(request, (entry_of(ruleset, kind, item),))


def _drawn(request: PageRequest, entries: tuple[RuleEntry, ...]) -> HttpResponse:
    return render_page(request, "kingdom/codex/rule.html", {"entries": entries, "first": entries[0]}, partial="entries")
