"""Warnings for the owner of an army."""

from __future__ import annotations

from typing import NamedTuple

from armies.pathfinder.models import PathfinderArmy
from rules.core.text import Said, _, say


class Warning(NamedTuple):
    """A state in one or two words, and what it means."""

    slug: str
    word: Said
    text: Said

    @property
    def icon(self) -> str:
        return ICONS.get(self.slug, self.slug)


ICONS = {"arrears": "bp", "no-commander": "leaderless", "commander-away": "captive", "energy-drain": "undead"}


def list_warnings(army: PathfinderArmy) -> tuple[Warning, ...]:
    """Routed, arrears, no commander, ill, drained: in this order. Fallen armies have only their status."""
    if not army.standing:
        return (Warning(army.status, FALLEN[army.status], _("It is no army any more.")),)
    return tuple(
        found for found in (_routed(army), _arrears(army), _leaderless(army), _ill(army), _drained(army)) if found
    )


FALLEN = {
    "defeated": _("defeated"),
    "disbanded": _("disbanded"),
    "captured": _("captured"),
}


def _routed(army: PathfinderArmy) -> Warning | None:
    if not army.routed:
        return None
    text = _("Starts no battle until its kingdom passes a Loyalty check in the upkeep phase (PF-6.2).")
    return Warning("routed", _("routed"), text)


def _arrears(army: PathfinderArmy) -> Warning | None:
    if not army.arrears:
        return None
    return Warning("arrears", _("arrears"), _("Morale checks −2 until what is owed is paid (PF-7.2)."))


def _leaderless(army: PathfinderArmy) -> Warning | None:
    text = _("Loses 1 morale each week, unless its consumption is paid double (PF-2.7).")
    if army.leader is None:
        return Warning("no-commander", _("no commander"), text)
    if not army.leader.present:
        return Warning("commander-away", _("commander away"), text)
    return None


def _ill(army: PathfinderArmy) -> Warning | None:
    if army.ill and not army.disease:
        return Warning("disease", _("ill"), _("Disease: OM and DV −1 more each day until it is cured (PF-7.3)."))
    if not army.disease:
        return None
    return Warning("disease", _("ill"), say(_("Disease: OM and DV −{penalty} (PF-7.3)."), penalty=army.disease))


def _drained(army: PathfinderArmy) -> Warning | None:
    if not army.drain:
        return None
    text = say(_("Energy drain: OM and DV −{penalty} for a day (PF-7.3)."), penalty=army.drain)
    return Warning("energy-drain", _("drained"), text)


def conditions_of(army: PathfinderArmy) -> list[str]:
    """The lasting conditions as slugs."""
    return [slug for slug, held in (("disease", army.ill or army.disease), ("energy-drain", army.drain)) if held]
