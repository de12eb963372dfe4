"""What a reader is told of armies the campaign's veil lies on: health in words, and no figure that attacks or defends.

Sums of others are never his (`Sum`); here go the dice, totals and losses that he could reckon them from. Who hit and
who missed, who broke and who fell stays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rules.health import WHOLE, band_of
from rules.law import OPEN, Viewer
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle import ArmyInBattle, BattleState, Entered, changed

UNTOLD: Any = None
"""What stands in an event in place of a figure that is kept from its reader."""


def seen(battle: BattleState, viewer: Viewer) -> BattleState:
    """The battle as he may know it."""
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
    """What it lost in this phase is seen as a loss, not how much."""
    shown = band_of(army.hp, army.hp_max).shown
    return changed(army, hp=shown, hp_max=WHOLE, lost_hp=min(1, army.lost_hp), last_loss=0)


def _entered(entry: Entered) -> Entered:
    return replace(entry, hp=band_of(entry.hp, entry.hp_max).shown, hp_max=WHOLE)


def witnessed(battle: BattleState, event: e.Event, viewer: Viewer) -> e.Event:
    """The event as he may know it: there is none of which he knows nothing."""
    mask = MASKS.get(type(event))
    if mask is None or viewer.gm or viewer.veil == OPEN:
        return event
    found: e.Event = mask(event, viewer)
    return found


def _attacked(event: e.Attacked, viewer: Viewer) -> e.Attacked:
    hit = event.check > event.against
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


def _checked(event: Any, viewer: Viewer) -> Any:
    """A check of one army, against a number that may be another's."""
    if not viewer.weighs(event.army):
        event = event._replace(rolls=(), check=UNTOLD, against=UNTOLD, lines=())
    other = getattr(event, "target", "") or getattr(event, "by", "")
    if other and not viewer.weighs(other):
        event = event._replace(check=UNTOLD, against=UNTOLD)
        event = event._replace(foe_lines=()) if isinstance(event, e.WithdrawalOpposed) else event
    return event


def _harmed(event: Any, viewer: Viewer) -> Any:
    """Health lost or won otherwise; a die may be the whole of it."""
    if viewer.measures(event.army):
        return event
    bare = event._replace(amount=UNTOLD if event.amount else 0, hp_before=UNTOLD, hp_after=UNTOLD)
    return bare._replace(rolls=()) if isinstance(event, e.Wounded) else bare


def _overridden(event: e.Overridden, viewer: Viewer) -> e.Overridden:
    if viewer.hears_why(event.army):
        return event
    return e.Overridden(event.army, "", None, "", event.rule)


MASKS: dict[type, Callable[[Any, Viewer], Any]] = {
    e.Attacked: _attacked,
    e.Ambushed: _ambushed,
    e.TacticChosen: _checked,
    e.StrategyChosen: _checked,
    e.TauntChecked: _checked,
    e.WithdrawalOpposed: _checked,
    e.EngineAttacked: _checked,
    e.FearChecked: _checked,
    e.RoutChecked: _checked,
    e.Healed: _harmed,
    e.Wounded: _harmed,
    e.Overridden: _overridden,
}
