"""A day: rest, what grows back by itself, and disease (PF-7.1, PF-7.3, PF-7.5)."""

from __future__ import annotations

from collections.abc import Iterable

from rules.core.breakdown import Breakdown
from rules.core.text import Said, _
from rules.pathfinder.spec import AbilityChoice

HOURS = 24


def rest_lines(acr: int, *, rallied: bool = False) -> Breakdown:
    """What a day of rest heals: ACR, again when the kingdom's Loyalty check passed; at least 1 each (PF-7.1)."""
    gain = max(1, acr)
    lines = Breakdown().plus(_("A day of rest: ACR"), gain, "PF-7.1")
    return lines.plus(_("Loyalty check passed: ACR again"), gain if rallied else 0, "PF-7.1")


def regrowth_lines(abilities: Iterable[AbilityChoice]) -> Breakdown:
    """Hit points that come back by themselves in a day out of battle (PF-7.5)."""
    lines = Breakdown()
    for choice in abilities:
        lines = lines.plus(*_regrown(choice))
    return lines


def _regrown(choice: AbilityChoice) -> tuple[Said, int, str]:
    """Fast healing its value, regeneration half of it and at least 1 (R-74), each hour."""
    match choice.ability, choice.value or 0:
        case "fast-healing", value:
            return _("Fast healing, each hour"), HOURS * value, "PF-7.5"
        case "regeneration", value if value:
            return _("Regeneration, each hour"), HOURS * max(1, value // 2), "PF-7.5"
    return _("Nothing more"), 0, "PF-7.5"


def limit(hp_max: int, *, half: bool) -> int:
    """Recovery goes up to here: all hit points, or half of them where the house rule says so (PF-7.1)."""
    return hp_max // 2 if half else hp_max


def healed(hp: int, gain: int, most: int) -> int:
    """Hit points after a gain that does not go beyond `most`. What is above it already stays."""
    return max(hp, min(most, hp + gain))


def shrunk(penalty: int, days: int) -> int:
    """The penalty of a disease that was cured: 1 less each day (PF-7.3)."""
    return max(0, penalty - days)
