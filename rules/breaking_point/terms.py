"""Terms of breaking point that newcomers are told."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.text import _
from rules.terms import ExplainedTerm

TERMS: Mapping[str, ExplainedTerm] = {
    "power": ExplainedTerm(_("Attack power"), _("The losses that a unit can cause in melee.")),
    "fire-power": ExplainedTerm(_("Fire power"), _("The losses that a unit can cause by shooting.")),
    "force": ExplainedTerm(_("Force"), _("What a unit can take: strength × (toughness + armor).")),
    "combat": ExplainedTerm(_("Combat"), _("How good the troops are. Defense and breaking point follow from it.")),
    "breaking": ExplainedTerm(
        _("Breaking point"), _("The share of its force that a group can lose. If it loses more, it routs.")
    ),
}
