"""Offices of a kingdom and who holds them (PF-2.6)."""

from __future__ import annotations

from typing import NamedTuple

from armies.pathfinder.models import PathfinderCommander
from kingdom.models import Kingdom
from kingdom.realms.figures import get_ruleset
from rules.core.content import Item


class Seat(NamedTuple):
    """An office that is held, by whom, and the boons it gives them."""

    office: Item
    holders: tuple[PathfinderCommander, ...]
    boons: tuple[Item, ...]


class Offices(NamedTuple):
    held: tuple[Seat, ...]
    vacant: tuple[Item, ...]


def offices_of(kingdom: Kingdom) -> Offices:
    """Every office of the ruleset, in its order. One query; the dead hold none."""
    law = get_ruleset(kingdom.campaign)
    living = (
        PathfinderCommander.objects.filter(kingdom=kingdom)
        .exclude(status=PathfinderCommander.Status.KILLED)
        .exclude(office=None)
    )
    holders = list(living)
    seats = [
        Seat(office, found, _boons(law.boons, found))
        for slug, office in law.offices.items()
        if (found := tuple(one for one in holders if one.office == slug))
    ]
    taken = {one.office for one in holders}
    return Offices(tuple(seats), tuple(office for slug, office in law.offices.items() if slug not in taken))


def _boons(known: dict[str, Item], holders: tuple[PathfinderCommander, ...]) -> tuple[Item, ...]:
    chosen = dict.fromkeys(one.office_boon for one in holders if one.office_boon in known)
    return tuple(known[slug] for slug in chosen if slug)
