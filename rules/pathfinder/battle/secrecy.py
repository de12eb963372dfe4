"""Secrecy of armies under the campaign's veil: health in words, no figures of attack or defence.

Breakdowns are hidden by `Sum`. This module removes the dice, totals and losses that reveal them. Hits, misses, routs
and falls stay visible.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, assert_never

from rules.core.viewers import WHOLE, band_of
from rules.law import OPEN, Viewer, whole
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import ArmyInBattle, BattleState, Entered, changed

UNTOLD = None
"""Value of an event's figure that its reader may not know."""


def seen(battle: BattleState, viewer: Viewer) -> BattleState:
    """Return the battle as this viewer may know it."""
    if viewer.veil == OPEN:
        return battle
    worded = frozenset(army for army in battle.armies if not viewer.measures(army))
    if not worded:
        return battle
    armies = {key: _in_words(army) if key in worded else army for key, army in battle.armies.items()}
    entered = {key: _entered(one) if key in worded else one for key, one in battle.opening.entered.items()}
    opening = replace(battle.opening, entered=entered)
    return changed(battle, opening=opening, armies=armies, worded=worded, memo={})


def _in_words(army: ArmyInBattle) -> ArmyInBattle:
    """Return the army with health in words. That it lost health in this phase stays visible, not how much."""
    shown = band_of(army.hp, army.hp_max).shown
    return changed(army, hp=shown, hp_max=WHOLE, lost_hp=min(1, army.lost_hp), last_loss=0)


def _entered(entry: Entered) -> Entered:
    return replace(entry, hp=band_of(entry.hp, entry.hp_max).shown, hp_max=WHOLE)


type CheckMade = (
    e.TacticChosen | e.StrategyChosen | e.TauntChecked | e.WithdrawalOpposed | e.EngineAttacked | e.FearChecked
    | e.RoutChecked
)  # fmt: skip
type HealthEvent = e.Healed | e.Wounded
type Mask[T] = Callable[[T, Viewer], e.Event]
MASKS: dict[type, Mask[Any]] = {}


def _lay[T: e.Event](kind: type[T], mask: Mask[T]) -> None:
    """Register the mask for events of one kind. The type parameter lets the type checker match them."""
    MASKS[kind] = mask


def witnessed(battle: BattleState, event: e.Event, viewer: Viewer) -> e.Event:
    """Return the event as this viewer may know it. No event is hidden as a whole."""
    mask: Mask[e.Event] | None = MASKS.get(type(event))
    return event if mask is None or viewer.gm or viewer.veil == OPEN else mask(event, viewer)


def _attacked(event: e.Attacked, viewer: Viewer) -> e.Attacked:
    hit = whole(event.check) > whole(event.against)
    if not viewer.weighs(event.army):
        event = event._replace(rolls=(), check=UNTOLD, om=(), damage_lines=(), bars=False)
    if not viewer.weighs(event.target):
        event = event._replace(check=UNTOLD, against=UNTOLD, dv=())
    if not viewer.measures(event.target):
        harm = UNTOLD if event.damage else 0
        event = event._replace(damage=harm, lost=harm, hp_before=UNTOLD, hp_after=UNTOLD, damage_lines=())
    return event if hit else event._replace(spared="")


def _ambushed(event: e.Ambushed, viewer: Viewer) -> e.Ambushed:
    if not viewer.weighs(event.army):
        event = event._replace(rolls=(), check=UNTOLD, om=())
    return event if viewer.weighs(event.target) else event._replace(check=UNTOLD, against=UNTOLD, dv=())


def _checked(event: CheckMade, viewer: Viewer) -> CheckMade:
    """Hide a check of one army, which may be against a number of another."""
    if not viewer.weighs(event.army):
        event = event._replace(rolls=(), check=UNTOLD, against=UNTOLD, lines=())
    other = _other(event)
    if other and not viewer.weighs(other):
        event = event._replace(check=UNTOLD, against=UNTOLD)
        event = event._replace(foe_lines=()) if isinstance(event, e.WithdrawalOpposed) else event
    return event


def _other(event: CheckMade) -> str:
    """Return the army whose figures the check is made against, or ""."""
    match event:
        case e.WithdrawalOpposed() | e.EngineAttacked():
            return event.target
        case e.TauntChecked() | e.FearChecked():
            return event.by
        case e.TacticChosen() | e.StrategyChosen() | e.RoutChecked():
            return ""
        case _:
            assert_never(event)


def _harmed(event: HealthEvent, viewer: Viewer) -> HealthEvent:
    """Hide health that is lost or gained without an attack. A die may be the whole amount."""
    if viewer.measures(event.army):
        return event
    bare = event._replace(amount=UNTOLD if event.amount else 0, hp_before=UNTOLD, hp_after=UNTOLD)
    return bare._replace(rolls=()) if isinstance(bare, e.Wounded) else bare


def _overridden(event: e.Overridden, viewer: Viewer) -> e.Overridden:
    if viewer.hears_why(event.army):
        return event
    return e.Overridden(event.army, "", None, "", event.rule)


_lay(e.Attacked, _attacked)
_lay(e.Ambushed, _ambushed)
_lay(e.TacticChosen, _checked)
_lay(e.StrategyChosen, _checked)
_lay(e.TauntChecked, _checked)
_lay(e.WithdrawalOpposed, _checked)
_lay(e.EngineAttacked, _checked)
_lay(e.FearChecked, _checked)
_lay(e.RoutChecked, _checked)
_lay(e.Healed, _harmed)
_lay(e.Wounded, _harmed)
_lay(e.Overridden, _overridden)
