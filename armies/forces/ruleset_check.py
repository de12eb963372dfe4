"""Check that a campaign keeps the ruleset family of its armies' sheets."""

from __future__ import annotations

from armies.models import Army, Commander
from kingdom.models import Campaign
from kingdom.realms.figures import get_ruleset
from rules.core.errors import require
from rules.core.text import _
from rules.law import Law


def require_same_family(campaign: Campaign, law: Law) -> None:
    """Raises `IllegalCommand` for a ruleset of another family while the campaign has armies or commanders."""
    own = get_ruleset(campaign)
    if own.family == law.family:
        return
    taken = any(kind.objects.filter(campaign=campaign).exists() for kind in (Army, Commander))
    text = _("This campaign’s armies use {law}. Delete them and their commanders before you switch to {other}.")
    require(not taken, text, field="/ruleset", law=own.name, other=law.name)
