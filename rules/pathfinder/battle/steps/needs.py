"""Needs of dice still to be typed: what each die is for and what it has to reach (PF-3.1, PF-3.6)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from rules.core import dice
from rules.core.dice import DiceNeeded, Roll
from rules.core.text import Message, Said, _, say
from rules.law import whole
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import PHASES, BattleState
from rules.pathfinder.battle.steps.ends import resisted
from rules.pathfinder.figures import total

HIGHEST = 20
type TestedAlone = e.TacticChosen | e.StrategyChosen | e.TauntChecked | e.FearChecked | e.RoutChecked
CHECKS = (e.TacticChosen, e.StrategyChosen, e.TauntChecked, e.FearChecked, e.RoutChecked)
FOLLOWS = (
    ({"rout", "rout-reroll"}, _("Routed armies are attacked by parting shots; those dice come next.")),
    (
        {"fear", "siegebreaker"},
        _("Losses can lead to rout checks, and routs to parting shots; those dice come next."),
    ),
    (
        {"attack", "extra"},
        _("Hits can need more dice. Losses can lead to rout checks, and routs to parting shots. Those dice come next."),
    ),
    (
        {"bleed", "tactic", "strategy", "taunt", "withdraw", "siege"},
        _("The attacks follow with their own dice, then the effects of losses."),
    ),
)


def foretold(battle: BattleState, happened: Iterable[e.Event], needed: DiceNeeded) -> DiceNeeded:
    """Return the dice needed, with what each has to reach and, in a ranged or melee phase, what may follow."""
    events = tuple(happened)
    following = FOLLOWS if battle.phase.kind in PHASES else ()
    return dice.foretold(needed, events, _rolls, partial(_need, battle, events), following)


def _rolls(event: e.Event) -> tuple[Roll, ...]:
    return getattr(event, "rolls", ())


def _need(battle: BattleState, happened: tuple[e.Event, ...], event: e.Event, roll: Roll) -> Said | None:
    match event:
        case e.Attacked():
            return _blow(battle, event, _bonus(event, roll)) if roll == event.rolls[0] else _more(battle, event)
        case e.Ambushed() | e.EngineAttacked():
            return _above(battle, event, _bonus(event, roll))
        case e.WithdrawalOpposed():
            return _opposed(battle, happened, event, roll)
        case e.FortWorn():
            target = battle.armies[event.target].name
            return say(_("taken off the fortifications of {target}"), target=target)
        case e.Wounded():
            return _bled(battle, event)
    return _check(_bonus(event, event.rolls[-1]), whole(event.against)) if isinstance(event, CHECKS) else None


def _bonus(event: e.Attacked | e.Ambushed | e.EngineAttacked | TestedAlone, roll: Roll) -> int:
    """Return the bonus to this die of the event."""
    return whole(event.check) - roll.value


def _blow(battle: BattleState, event: e.Attacked, bonus: int) -> Message:
    """Say what an Offense check needs: above DV, or a natural 20 (PF-3.6)."""
    told = {"target": battle.armies[event.target].name, "bonus": bonus, "dv": event.against}
    face = whole(event.against) - bonus + 1
    if event.spared:
        return say(_("{target}, {bonus:+} against {dv}: can’t deal damage, by the rules"), **told)
    if face <= 1:
        return say(_("{target}, {bonus:+} against {dv}: any die hits"), **told)
    if face >= HIGHEST:
        return say(_("{target}, {bonus:+} against {dv}: only a 20 hits"), **told)
    return say(_("{target}, {bonus:+} against {dv}: hits on {face}+"), **told, face=face)


def _more(battle: BattleState, event: e.Attacked) -> Message:
    """Say what a die of breath or channelled energy is for (R-41)."""
    return say(_("adds to the damage to {target}"), target=battle.armies[event.target].name)


def _above(battle: BattleState, event: e.Ambushed | e.EngineAttacked, bonus: int) -> Message:
    """Say what a check against DV needs. A natural 20 has no special effect (PF-3.3, PF-3.11)."""
    told = {"target": battle.armies[event.target].name, "bonus": bonus, "dv": event.against}
    face = whole(event.against) - bonus + 1
    if face <= 1:
        return say(_("{target}, {bonus:+} against {dv}: any die succeeds"), **told)
    if face > HIGHEST:
        return say(_("{target}, {bonus:+} against {dv}: no die succeeds"), **told)
    return say(_("{target}, {bonus:+} against {dv}: succeeds on {face}+"), **told, face=face)


def _opposed(battle: BattleState, happened: tuple[e.Event, ...], event: e.WithdrawalOpposed, roll: Roll) -> Message:
    """Say what an opposed check needs: the higher total (PF-3.10). The withdrawing army's one roll counts against every
    opponent (R-30).
    """
    if roll.army != event.army:
        army, bonus = battle.armies[event.army].name, total(event.foe_lines)
        return say(_("{bonus:+} against {army}: the higher total holds it"), bonus=bonus, army=army)
    foes = [
        battle.armies[other.target].name
        for other in happened
        if isinstance(other, e.WithdrawalOpposed) and roll in other.rolls
    ]
    told = {"bonus": total(event.lines), "foes": ", ".join(foes)}
    return say(_("{bonus:+} against {foes}: the higher total gets away"), **told)


def _bled(battle: BattleState, event: e.Wounded) -> Said:
    """Say what a bleeding die does. Resistance reduces the loss (R-43); the event's loss cannot tell that, because it
    stops at 0 hp.
    """
    if off := resisted(battle.armies[event.army], event.cause):
        return say(_("hit points lost by bleeding, minus {resisted} for resistance"), resisted=off)
    return _("hit points lost by bleeding")


def _check(bonus: int, dc: int) -> Message:
    """Say what a morale check needs to reach its DC (PF-3.1)."""
    face = dc - bonus
    if face <= 1:
        return say(_("{bonus:+} against {dc}: any die succeeds"), bonus=bonus, dc=dc)
    if face > HIGHEST:
        return say(_("{bonus:+} against {dc}: no die succeeds"), bonus=bonus, dc=dc)
    return say(_("{bonus:+} against {dc}: {face}+ succeeds"), bonus=bonus, dc=dc, face=face)
