"""Names of phases and spells, for whoever tells of them."""

from __future__ import annotations

from rules.core.text import Said, _, verbatim
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.turn import PHASE_NAMES
from rules.thucidide_fantasy.grimoire import SPELLS


def phase_name(phase: str) -> Said:
    return PHASE_NAMES.get(phase, _("Phase"))


def spell_name(state: FantasyState, slug: str) -> Said:
    """The law's name of a spell, or the campaign's of its own."""
    if slug in SPELLS:
        return SPELLS[slug].name
    own = state.options.spells.get(slug)
    return verbatim(own.called if own and own.called else slug)
