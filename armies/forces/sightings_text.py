"""Text about an army to whom its sheet is not told: its name alone, or what is seen of it from afar."""

from __future__ import annotations

from typing import NamedTuple

from armies.forces.access import get_knowledge
from armies.forces.current_battles import Engaged
from armies.models import Army
from kingdom.models import Knowledge
from kingdom.realms.figures import get_ruleset
from rules.core.errors import Refusal
from rules.core.health import band_of
from rules.core.text import NO_WORDS, Said


class VisibleArmy(NamedTuple):
    """Its kind (it may be ""), its rough size and its health in words."""

    kind: Said
    size: Said
    health: Said


def build_visible_army(army: Army, engaged: Engaged | None = None) -> VisibleArmy | None:
    """Of an army read by `armies.forces.access.filter_known`; None where its reader knows no more than its name.
    `engaged`: where it fights, and stands as that tells.
    """
    if get_knowledge(army) < Knowledge.GLANCE:
        return None
    shown = engaged or army
    health = band_of(shown.health, shown.health_max).word
    try:
        kind, size = get_ruleset(army.campaign).armies.from_afar(army.sheet)
    except Refusal:
        kind = size = NO_WORDS
    return VisibleArmy(kind, size, health)
