"""Terms of mass combat that newcomers are told."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.text import _
from rules.terms import ExplainedTerm

TERMS: Mapping[str, ExplainedTerm] = {
    "acr": ExplainedTerm(
        _("ACR"), _("Army Challenge Rating: how strong an army is. Most of its figures start from it.")
    ),
    "om": ExplainedTerm(_("OM"), _("Offense Modifier: added to the d20 of an Offense check.")),
    "dv": ExplainedTerm(_("DV"), _("Defense Value: what an enemy’s Offense check must exceed.")),
    "morale": ExplainedTerm(
        _("Morale"), _("From −4 to +4: how willing an army is to fight. It counts in morale checks.")
    ),
}
