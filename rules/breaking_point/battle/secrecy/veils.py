"""Veils: what the campaign keeps from players, taken from what is left of an event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.breaking_point.battle import events as e
from rules.breaking_point.battle.battle_state import RESERVE, BattleNow
from rules.breaking_point.battle.secrecy.seen import likeness
from rules.core.health import WHOLE
from rules.law import Viewer

UNTOLD = None
"""What stands in an event in place of a figure that is kept from its reader."""


def _army_of(battle: BattleNow, subject: str) -> str:
    """The army of a body; a body nobody knows is beyond every veil."""
    body = battle.bodies.get(subject)
    return body.army if body is not None else subject.removesuffix(f":{RESERVE}")


def _veiled_attack(battle: BattleNow, event: e.Attacked, viewer: Viewer) -> e.Attacked:
    own, foe = _army_of(battle, event.body), _army_of(battle, event.target)
    if not viewer.weighs(own):
        event = event._replace(rolls=(), score=UNTOLD, lines=())
    if not viewer.weighs(foe):
        event = event._replace(score=UNTOLD, lines=(), heart=0)
    harmed = _army_of(battle, event.friend) if event.friend else foe
    if not viewer.measures(harmed):
        event = event._replace(percent=0, power=0, power_lines=(), loss=0)
    return event


def _veiled_heart(battle: BattleNow, event: e.Heartened, viewer: Viewer) -> e.Heartened | None:
    told = viewer.weighs(_army_of(battle, event.body)) and viewer.weighs(_army_of(battle, event.foe))
    return event if told else None


def _veiled_losses(battle: BattleNow, event: e.Suffered, viewer: Viewer) -> e.Suffered:
    if viewer.measures(_army_of(battle, event.body)):
        return event
    return event._replace(lost=UNTOLD, losses=likeness(min(2 * WHOLE, event.losses)))


def _veiled_shelter(battle: BattleNow, event: e.ShelterLost, viewer: Viewer) -> e.ShelterLost:
    if viewer.measures(_army_of(battle, event.body)):
        return event
    return event._replace(losses=likeness(min(2 * WHOLE, event.losses)))


def _veiled_rally(battle: BattleNow, event: e.Rallied, viewer: Viewer) -> e.Rallied:
    return event if viewer.measures(_army_of(battle, event.body)) else event._replace(percent=0, recovered=0)


def _veiled_hand(battle: BattleNow, event: e.Overridden, viewer: Viewer) -> e.Overridden:
    side = event.subject.removeprefix("side-")
    if event.field == "score" and side.isdigit():
        told = any(viewer.hears_why(army) for army in battle.sides[int(side)].armies)
    else:
        told = viewer.hears_why(_army_of(battle, event.subject))
    return event if told else event._replace(field="", value=None, reason="", breaks_at=e.UNWRITTEN)


VEILS: dict[type, Callable[[BattleNow, Any, Viewer], Any]] = {
    e.Attacked: _veiled_attack,
    e.Heartened: _veiled_heart,
    e.Suffered: _veiled_losses,
    e.ShelterLost: _veiled_shelter,
    e.Rallied: _veiled_rally,
    e.Overridden: _veiled_hand,
}
