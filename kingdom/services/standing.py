"""What stands where nobody can stand any more once the map is painted: it leaves the map (HX-9.3).

Kingdoms do not know armies: who does tells which ones, as changes of the same entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kingdom.models import Campaign
from kingdom.world import Change
from rules.hexes.mapfile import HexMap
from rules.text import Said, by_number, say

Teller = Callable[[Campaign, HexMap, HexMap], Iterable[Change]]

GONE = by_number(
    "{names} stands nowhere on the map any more: nobody can stand there now.",
    "{names} stand nowhere on the map any more: nobody can stand there now.",
)
_tellers: list[Teller] = []


def leave_with(teller: Teller) -> None:
    """Ask `teller(campaign, before, after)` who leaves the map when its ground becomes another. Twice counts once."""
    if teller not in _tellers:
        _tellers.append(teller)


def leaving(campaign: Campaign, before: HexMap, after: HexMap) -> list[Change]:
    """What takes those off the map who cannot stand where they stand on it as it will be."""
    return [change for teller in _tellers for change in teller(campaign, before, after)]


def gone(changes: Iterable[Change]) -> Said:
    """The sentence of those: of them alone, for whoever runs one of them reads it, and may not know the ground."""
    names = list(dict.fromkeys(str(change.subject) for change in changes))
    return say(GONE, count=len(names), names=names)
