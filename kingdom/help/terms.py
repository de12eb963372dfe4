"""Terms of the game in one sentence each, by ruleset family; "" has those of every ruleset."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.text import _
from rules.law import ExplainedTerm
from rules.registry import RULESETS

COMMON: Mapping[str, ExplainedTerm] = {
    "bp": ExplainedTerm(_("Build Points (BP)"), _("A kingdom’s money. Armies and weekly costs are paid in BP.")),
}


def list_terms(family: str) -> Mapping[str, ExplainedTerm]:
    """Return the terms of the rulesets of this family, by slug."""
    if not family:
        return COMMON
    law = next((law for law in RULESETS.values() if law.family == family), None)
    return law.terms if law else {}


def find_term(family: str, slug: str) -> ExplainedTerm | None:
    return list_terms(family).get(slug)
