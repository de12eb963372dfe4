"""Decision of commands: a command becomes events, or is refused in the player's words. Also the requests for dice that
people still have to type.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import assert_never, cast

from rules.core import dice
from rules.core.dice import Dice, DiceNeeded, Roll
from rules.core.errors import IllegalCommand, InvalidInput, demand, require
from rules.core.text import Message, Said, _, say
from rules.law import whole
from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.orders.commands import check_override
from rules.pathfinder.battle.orders.legal import check_order
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import (
    AFTERMATH,
    CLOSED,
    MELEE,
    PHASES,
    RANGED,
    SETUP,
    TACTICS,
    Ambush,
    BattleState,
    Phase,
    Result,
)
from rules.pathfinder.battle.state.draft import Draft
from rules.pathfinder.battle.state.opening import army_refusal, condition_problems, figures_of, same_place
from rules.pathfinder.battle.steps.ends import end_last_stands, numbered, resisted
from rules.pathfinder.battle.steps.phase import resolve_phase, resolve_tactics
from rules.pathfinder.battle.steps.run import ENDS_BORNE, ENDS_GIVEN, OUTLASTING, PhaseRun, said_again
from rules.pathfinder.catalogue.conditions import MARKS
from rules.pathfinder.catalogue.effects import Situation
from rules.pathfinder.figures import dv_lines, om_lines, total

# Needs of dice still to be typed: what each die is for and what it has to reach (PF-3.1, PF-3.6).

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
    """Return requests for the dice needed, each with its target; in a ranged or melee phase also a note on further dice
    that may follow.
    """
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
            return say(_("reduces the fortifications of {target}"), target=target)
        case e.Wounded():
            return _bled(battle, event)
    return _check(_bonus(event, event.rolls[-1]), whole(event.against)) if isinstance(event, CHECKS) else None


def _bonus(event: e.Attacked | e.Ambushed | e.EngineAttacked | TestedAlone, roll: Roll) -> int:
    """Return the bonus to this die of the event."""
    return whole(event.check) - roll.value


def _blow(battle: BattleState, event: e.Attacked, bonus: int) -> Message:
    """Return the target of an Offense check, in words: above DV, or a natural 20 (PF-3.6)."""
    told = {"target": battle.armies[event.target].name, "bonus": bonus, "dv": event.against}
    face = whole(event.against) - bonus + 1
    if event.spared:
        return say(_("{target}, {bonus:+} against {dv}: can’t deal damage, by the rules"), **told)
    if face <= 1:
        return say(_("{target}, {bonus:+} against {dv}: any roll hits"), **told)
    if face >= HIGHEST:
        return say(_("{target}, {bonus:+} against {dv}: only a 20 hits"), **told)
    return say(_("{target}, {bonus:+} against {dv}: hits on {face}+"), **told, face=face)


def _more(battle: BattleState, event: e.Attacked) -> Message:
    """Return the purpose of a die of breath or channelled energy, in words (R-41)."""
    return say(_("adds to the damage to {target}"), target=battle.armies[event.target].name)


def _above(battle: BattleState, event: e.Ambushed | e.EngineAttacked, bonus: int) -> Message:
    """Return the target of a check against DV, in words. A natural 20 has no special effect (PF-3.3, PF-3.11)."""
    told = {"target": battle.armies[event.target].name, "bonus": bonus, "dv": event.against}
    face = whole(event.against) - bonus + 1
    if face <= 1:
        return say(_("{target}, {bonus:+} against {dv}: any roll succeeds"), **told)
    if face > HIGHEST:
        return say(_("{target}, {bonus:+} against {dv}: no roll succeeds"), **told)
    return say(_("{target}, {bonus:+} against {dv}: succeeds on {face}+"), **told, face=face)


def _opposed(battle: BattleState, happened: tuple[e.Event, ...], event: e.WithdrawalOpposed, roll: Roll) -> Message:
    """Return the target of an opposed check, in words: the higher total (PF-3.10). The withdrawing army's one roll
    counts against every opponent (R-30).
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
    """Return the effect of a bleeding die, in words. Resistance reduces the loss (R-43); the event's loss cannot tell
    that, because it stops at 0 hp.
    """
    if off := resisted(battle.armies[event.army], event.cause):
        return say(_("hit points lost by bleeding, minus {resisted} for resistance"), resisted=off)
    return _("hit points lost by bleeding")


def _check(bonus: int, dc: int) -> Message:
    """Return the d20 that a morale check needs to reach its DC, in words (PF-3.1)."""
    face = dc - bonus
    if face <= 1:
        return say(_("{bonus:+} against {dc}: any roll succeeds"), bonus=bonus, dc=dc)
    if face > HIGHEST:
        return say(_("{bonus:+} against {dc}: no roll succeeds"), bonus=bonus, dc=dc)
    return say(_("{bonus:+} against {dc}: {face}+ succeeds"), bonus=bonus, dc=dc, face=face)


# Decision of commands: a command becomes events, or is refused in the player's words.

# Ambushes before a battle (PF-3.3, R-17).


def spring_ambushes(run: PhaseRun) -> None:
    """Roll once for each ambusher against each of its targets (PF-3.3, R-17)."""
    for ambush in run.draft.battle.opening.ambushes:
        if run.army(ambush.by).status == "fighting" == run.army(ambush.target).status:
            _spring(run, ambush)
    run.dice.checkpoint()


def _spring(run: PhaseRun, ambush: Ambush) -> None:
    me, foe = run.view(ambush.by), run.view(ambush.target)
    me.tactic = foe.tactic = None
    om, dv = om_lines(Situation(me, foe, deed="ambush")), dv_lines(Situation(foe, me, deed="ambush"))
    roll = run.roll(ambush.by, "ambush", 20)
    check, against = roll.value + total(om), total(dv)
    run.emit(e.Ambushed(ambush.by, ambush.target, (roll,), check, against, check > against, om, dv))


ONGOING = (SETUP, TACTICS, RANGED, MELEE)
GM_ONLY = _("Only the GM can do this.")


def decide(battle: BattleState, command: c.Command, dice: Dice, viewer: c.Viewer) -> tuple[e.Event, ...]:
    """Return the events of a command; the battle changes only when they are folded.

    Raises `IllegalCommand` if the state or the viewer does not allow it, `InvalidInput` if it names something that does
    not exist, `DiceNeeded` if a person has to type dice first.
    """
    run = PhaseRun(Draft(battle), dice)
    try:
        match command:
            case c.GiveOrder(order):
                check_order(battle, order, viewer)
                run.emit(e.OrderGiven(order.army, order))
            case _:
                require(viewer.gm, GM_ONLY)
                _by_gm(battle, command, run)
        dice.finish()
    except DiceNeeded as needed:
        raise foretold(battle, run.draft.happened, needed) from None
    return tuple(run.draft.happened)


def _by_gm(battle: BattleState, command: c.OfTheGM, run: PhaseRun) -> None:
    match command:
        case c.Resolve():
            _resolve(battle, run)
        case c.Next(kind):
            _next(battle, kind, run)
        case c.ChangeCondition():
            _condition(battle, command, run)
        case c.Reinforce():
            _reinforce(battle, command, run)
        case c.Override():
            _ongoing(battle)
            check_override(battle, command)
            run.emit(_overridden(command))
        case c.Interrupt(reason):
            _interrupt(battle, reason, run)
        case c.End(reason, winner):
            _end(battle, reason, winner, run)
        case c.Close():
            require(battle.phase.kind == AFTERMATH, _("The battle isn’t over yet. Finish it first."))
            run.emit(e.BattleClosed())
        case c.Reopen():
            require(battle.phase.kind == CLOSED, _("The aftermath isn’t confirmed yet, so it can’t be undone."))
            run.emit(e.BattleReopened())
        case c.RollAnew(dice):
            require(battle.phase.kind == AFTERMATH, _("The battle isn’t over yet. Finish it first."))
            require(dice, _("This aftermath needs no dice."))
            run.emit(e.RolledAnew(dice))
        case _:
            assert_never(command)


def _overridden(command: c.Override) -> e.Overridden:
    """Return the event of a manual change. A mark lasts as long as its kind does. An army taken off the field ends its
    songs.
    """
    given = str(command.value)[1:] if command.field == "mark" and str(command.value)[0] == "+" else ""
    lasts = MARKS[given].by_hand if given else ""
    field = cast(e.ByHand, command.field)  # checked before
    event = e.Overridden(command.army, field, command.value, command.reason, lasts=lasts, again=said_again(given))
    return event._replace(ends_given=ENDS_GIVEN, ends_borne=ENDS_BORNE) if field == "status" else event


def _ongoing(battle: BattleState) -> None:
    require(battle.phase.kind in ONGOING, _("The battle is over."))


def _resolve(battle: BattleState, run: PhaseRun) -> None:
    if battle.phase.kind in PHASES:
        resolve_phase(run)
        return
    _ongoing(battle)
    require(battle.phase.kind != SETUP, _("End the setup first."))
    resolve_tactics(run)


def _next(battle: BattleState, kind: str | None, run: PhaseRun) -> None:
    _ongoing(battle)
    demand(kind in (None, "ranged"), _("You can only add a ranged phase."), field="/kind")
    if battle.phase.kind == SETUP and kind is None:
        if not battle.phases:  # after an interruption nobody lies in ambush any more
            spring_ambushes(run)
        run.emit(e.PhaseEnded(battle.phase))
        run.emit(e.PhaseBegan(Phase(TACTICS, 1, battle.phase.tick)))
        return
    require(battle.phase.kind != SETUP, _("End the setup first."))
    require(kind == "ranged" and battle.phase.kind == MELEE,
            _("No more orders now: resolve this phase. You can add a ranged phase before a melee phase."))  # fmt: skip
    run.emit(e.PhaseBegan(numbered(battle.phases, RANGED, battle.phase.tick)))


def _condition(battle: BattleState, command: c.ChangeCondition, run: PhaseRun) -> None:
    _ongoing(battle)
    condition = command.condition
    if command.lift:
        held = [held for held in battle.conditions if same_place(held, condition)]
        require(held, _("This condition isn’t in force."), field="/condition")
        run.emit(e.ConditionLifted(held[0]))
        return
    problems = condition_problems(battle.law, battle, condition)
    if problems:
        raise InvalidInput(problems[0][1], problems[0][0], tuple(problems))
    run.emit(e.ConditionSet(condition))


def _reinforce(battle: BattleState, command: c.Reinforce, run: PhaseRun) -> None:
    """Let an army join between phases. It starts with a free choice of tactic (PF-3.2)."""
    _ongoing(battle)
    spec = command.army
    demand(0 <= command.side < len(battle.sides), _("Side not found."), field="/side")
    require(spec.id not in battle.armies, _("{army}: already in this battle."), field="/army", army=spec.name)
    said: Said | None = army_refusal(battle.law, spec, attacks=True)
    if said is not None:
        raise IllegalCommand(said, "/army")
    run.emit(e.ArmyJoined(spec.id, spec, command.side, entered=figures_of(battle.law, spec)))


def _interrupt(battle: BattleState, reason: str, run: PhaseRun) -> None:
    _ongoing(battle)
    require(battle.phase.kind != SETUP, _("The battle hasn’t begun. Start it first."))
    end_last_stands(run, run.draft.on_field())  # ferocity delays a fate only until the end of this stretch (PF-6.5)
    for condition in battle.conditions:
        if condition.by:
            run.emit(e.ConditionLifted(condition, rule="R-85"))
    run.emit(e.Interrupted(reason, kept=OUTLASTING))


def _end(battle: BattleState, reason: str, winner: int | None, run: PhaseRun) -> None:
    _ongoing(battle)
    demand(reason.strip(), _("Enter why the battle ends."), field="/reason")
    demand(winner is None or 0 <= winner < len(battle.sides), _("Side not found."), field="/winner")
    end_last_stands(run, run.draft.on_field())
    run.emit(e.BattleEnded(Result(winner, reason.strip()[:500]), rule="PF-3.2"))
