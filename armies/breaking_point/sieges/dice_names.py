"""Names of the dice of a siege."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.text import Term, _

TERMS, SHOT = "terms", "shot"
ROLLS: Mapping[str, Term] = {SHOT: _("Bombardment"), TERMS: _("Terms")}
