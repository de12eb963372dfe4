"""How much a day of rest heals (PF-7.1, PF-7.5)."""

from __future__ import annotations

from armies.models import Army
from armies.spec import army_spec
from kingdom.selectors import ruleset_of
from rules.breakdown import Breakdown
from rules.pathfinder.spec import AbilityChoice
from rules.text import Said, _

HOURS = 24


def recovery(army: Army, *, rallied: bool = False) -> Breakdown:
    """Hit points a day of rest gives, before the limit: ACR, again if rallied, and what grows back by itself."""
    spec = army_spec(army)
    acr = max(1, ruleset_of(army.campaign).sheet(spec).acr.floor)
    lines = Breakdown().plus(_("A day of rest: ACR"), acr, "PF-7.1")
    lines = lines.plus(_("Loyalty check passed: ACR again"), acr if rallied else 0, "PF-7.1")
    for choice in spec.unit.abilities:
        lines = lines.plus(*_regrown(choice))
    return lines


def _regrown(choice: AbilityChoice) -> tuple[Said, int, str]:
    """Fast healing its value, regeneration half of it, each hour (PF-7.5)."""
    match choice.ability, choice.value or 0:
        case "fast-healing", value:
            return _("Fast healing, each hour"), HOURS * value, "PF-7.5"
        case "regeneration", value:
            return _("Regeneration, each hour"), HOURS * (value // 2), "PF-7.5"
    return _("Nothing more"), 0, "PF-7.1"


def recovery_limit(army: Army) -> int:
    """Rest heals up to this many hp: all, or half where the house rule says so (PF-7.1)."""
    capped = ruleset_of(army.campaign).house.recovery_cap == "half"
    return army.hp_max // 2 if capped else army.hp_max
