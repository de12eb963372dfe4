"""Booty of the victor: guns, baggage (B-49). The GM says to which of the victor's armies it goes."""

from __future__ import annotations

from collections.abc import Iterator

from rules.breaking_point.battle.aftermath.reckoning import Reckoning
from rules.breaking_point.battle.aftermath.tolls import UnitToll
from rules.breaking_point.battle.battle_state import ANNIHILATED, FLED, GONE, SURRENDERED, WITHDRAWN, Body
from rules.breaking_point.spoils import ALL, HALF, Spoil, baggage, guns
from rules.core.text import Said, _, say, verbatim

NOBODY = "none"


def share_spoils(r: Reckoning) -> None:
    """What each defeated army leaves behind goes to an army of the victor's, or to nobody."""
    left = {army: list(_left_by(r, army)) for army in r.battle.armies}
    takers = _takers(r)
    taken = [spoil for found in left.values() for spoil in found]
    if taken and takers:
        armies: list[tuple[str, Said]] = [(army, verbatim(r.battle.armies[army].name)) for army in takers]
        options = (*armies, (NOBODY, _("nobody: it is lost")))
        chosen = r.ask("spoils", _("Who takes the guns and the baggage"), options, takers[0])
        r.spoils[chosen] += taken
        if chosen == NOBODY:
            return
    for army, found in left.items():
        for said in _told(r.battle.armies[army].name, found):
            r.tell(said, "B-49", army)


def _takers(r: Reckoning) -> list[str]:
    """The victor's armies that are in the campaign and still there, their chief's first."""
    winner = r.battle.result.winner if r.battle.result else None
    if winner is None:
        return []
    side = r.battle.sides[winner]
    gone = (ANNIHILATED, SURRENDERED)
    there = [army for army in side.armies if army in r.world.armies
             and any(body.status not in gone for body in r.bodies.get(army, ()))]  # fmt: skip
    return sorted(there, key=lambda army: army != side.chief)


def _left_by(r: Reckoning, army: str) -> Iterator[Spoil]:
    name = r.battle.armies[army].name
    for toll in r.tolls.get(army, ()):
        if toll.pieces:
            yield guns(name, str(_unit_name(r, toll)), toll.pieces)
    if share := _baggage(r, army):
        yield baggage(name, share)


def _unit_name(r: Reckoning, toll: UnitToll) -> str:
    return r.battle.armies[toll.member.army].units[toll.member.unit].name


def _baggage(r: Reckoning, army: str) -> int:
    """Hundredths of its baggage that fall to the victor."""
    winner = r.battle.result.winner if r.battle.result else None
    bodies = [body for body in r.bodies.get(army, ()) if body.side != winner]
    if winner is None or not bodies or not all(body.status in GONE for body in bodies):
        return 0
    if all(body.status in (ANNIHILATED, SURRENDERED) or _left_it(body) for body in bodies):
        return ALL
    return HALF if any(body.status == FLED for body in bodies) else 0


def _left_it(body: Body) -> bool:
    return body.status == WITHDRAWN and not body.saved


def _told(army: str, found: list[Spoil]) -> Iterator[Said]:
    pieces = sum(spoil.get("count", 0) for spoil in found)
    if pieces:
        yield say(_("{army} leaves {pieces} guns to the victor."), army=army, pieces=pieces)
    for share in (spoil["share"] for spoil in found if "share" in spoil):
        whole = _("All the baggage of {army} falls to the victor.")
        yield say(whole if share >= ALL else _("Half the baggage of {army} falls to the victor."), army=army)
