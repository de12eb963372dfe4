"""What a die that is still to be typed is up against, said beforehand (PF-3.1, PF-3.6)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rules.dice import Ask, Roll
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle import BattleState
from rules.text import Message, _, say

HIGHEST = 20
CHECKS = (e.TacticChosen, e.StrategyChosen, e.TauntChecked, e.FearChecked, e.RoutChecked)


def with_needs(battle: BattleState, happened: Iterable[e.Event], asks: Iterable[Ask]) -> tuple[Ask, ...]:
    """The asks, each with what it needs where the event it decides can tell; in the order they were asked for.

    An event whose first die is asked for was worked out with a face that stands in for it: its bonus and what it has
    to reach are right, its result is not.
    """
    waiting: dict[tuple[str, str], list[Message | None]] = {}
    for event in happened:
        rolls: tuple[Roll, ...] = getattr(event, "rolls", ())
        for place, roll in enumerate(rolls):
            if not roll.known:
                need = _need(battle, event, roll) if place == 0 else None
                waiting.setdefault((roll.army, roll.name), []).append(need)
    return tuple(ask._replace(need=_next(waiting, ask)) for ask in asks)


def _next(waiting: dict[tuple[str, str], list[Message | None]], ask: Ask) -> Message | None:
    queue = waiting.get((ask.army, ask.name))
    return queue.pop(0) if queue else None


def _need(battle: BattleState, event: Any, roll: Roll) -> Message | None:
    if isinstance(event, e.Attacked):
        return _blow(battle, event, event.check - roll.value)
    if isinstance(event, CHECKS):
        return _check(event.check - roll.value, event.against)
    return None


def _blow(battle: BattleState, event: e.Attacked, bonus: int) -> Message:
    """An Offense check above DV hurts, and so does a natural 20 (PF-3.6)."""
    told = {"target": battle.armies[event.target].name, "bonus": bonus, "dv": event.against}
    face = event.against - bonus + 1
    if event.spared:
        return say(_("{target}, {bonus:+} against {dv}: by rule it takes no damage"), **told)
    if face <= 1:
        return say(_("{target}, {bonus:+} against {dv}: any face hurts"), **told)
    if face >= HIGHEST:
        return say(_("{target}, {bonus:+} against {dv}: only a 20 hurts"), **told)
    return say(_("{target}, {bonus:+} against {dv}: hurts from {face} up"), **told, face=face)


def _check(bonus: int, dc: int) -> Message:
    """A morale check reaches its DC or fails (PF-3.1)."""
    face = dc - bonus
    if face <= 1:
        return say(_("{bonus:+} against {dc}: any face is enough"), bonus=bonus, dc=dc)
    if face > HIGHEST:
        return say(_("{bonus:+} against {dc}: no face is enough"), bonus=bonus, dc=dc)
    return say(_("{bonus:+} against {dc}: {face} or more is enough"), bonus=bonus, dc=dc, face=face)
