"""Fold of events into a state. Events are applied, never judged; there are no rules of success here. `Draft` applies
many events at once, `evolve` applies one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from rules.law import whole
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import (
    AFTERMATH,
    CLOSED,
    DRUNK_BEFORE,
    MELEE,
    SETUP,
    Adjustment,
    ArmyInBattle,
    BattleState,
    Mark,
    Phase,
    changed,
)
from rules.pathfinder.battle.state.draft import APPLY, Draft, applies
from rules.pathfinder.battle.state.opening import enter_field, recompile, with_army, with_condition, without_condition
from rules.pathfinder.spec import AbilityChoice

# how a mark combines with another of its kind if its event does not say so; must never change
AGAIN: dict[str, e.SaidAgain] = {
    "drained": "more", "paralysed": "more", "tripped": "more", "grabbed": "more", "withstood-taunt": "more",
    "bleeding": "each",
}  # fmt: skip
FOR_A_PHASE = frozenset((  # marks given by hand in old records, which do not say how long they last
    "afraid", "barred", "drank", "feigns", "smite", "dirty", "triage", "channels", "withdrawing", "leaving", "tripped",
    "grabbed", "doomed", "hovering",
))  # fmt: skip


def evolve(battle: BattleState, event: e.Event) -> BattleState:
    """Return the battle after one event."""
    return fold(battle, (event,))


def fold(battle: BattleState, events: Iterable[e.Event]) -> BattleState:
    """Return the battle after these events."""
    draft = Draft(battle)
    for event in events:
        APPLY[type(event)](draft, event)
    return draft.frozen()


@applies(e.PhaseBegan)
def _phase_began(draft: Draft, event: e.PhaseBegan) -> None:
    tick = event.phase.tick
    for army in draft.armies.values():
        marks = tuple(m for m in army.marks if m.at is None or m.at >= tick)
        if len(marks) != len(army.marks) or army.lost_hp or army.last_loss:
            draft.armies[army.id] = changed(army, marks=marks, lost_hp=0, last_loss=army.lost_hp)
    draft.battle = changed(draft.battle, phase=event.phase, orders={})


@applies(e.PhaseEnded)
def _phase_ended(draft: Draft, event: e.PhaseEnded) -> None:
    battle = draft.battle
    draft.battle = changed(
        battle,
        phases=(*battle.phases, event.phase),
        ambushed=battle.ambushed if event.phase.kind == SETUP else frozenset(),
        orders={},
    )
    if event.phase.kind == SETUP:
        return
    for army in draft.on_field():
        fought = 1 if event.phase.kind == MELEE and army.id not in event.risen else 0
        marks = tuple(mark for mark in army.marks if mark.kind != "fresh")
        draft.armies[army.id] = changed(army, melees=army.melees + fought, marks=marks)


@applies(e.OrderGiven)
def _order_given(draft: Draft, event: e.OrderGiven) -> None:
    draft.battle = changed(draft.battle, orders={**draft.battle.orders, event.army: event.order})


@applies(e.ConditionSet)
def _condition_set(draft: Draft, event: e.ConditionSet) -> None:
    condition = replace(event.condition, by=event.by) if event.by else event.condition
    draft.battle = with_condition(draft.battle, condition)


@applies(e.ConditionLifted)
def _condition_lifted(draft: Draft, event: e.ConditionLifted) -> None:
    draft.battle = without_condition(draft.battle, event.condition)


@applies(e.ArmyJoined)
def _army_joined(draft: Draft, event: e.ArmyJoined) -> None:
    assert event.entered is not None  # old records have it too (battles/migrations/0004)
    joined = enter_field(draft.battle.law, event.spec, event.side, event.entered, fresh=not event.by)
    draft.rebase(with_army(draft.frozen(), joined))


@applies(e.Interrupted)
def _interrupted(draft: Draft, event: e.Interrupted) -> None:
    for army in draft.armies.values():  # also those who left, because the GM may call them back
        calm = changed(
            army, marks=tuple(m for m in army.marks if m.kind in event.kept), spent=_drunk(army), tactic="standard",
            strategy="standard", target=None, gained=(), lost=frozenset(), melees=0, attacked="",
        )  # fmt: skip
        draft.armies[army.id] = recompile(draft.battle.law, calm)
    number = 1 + sum(phase.kind == SETUP for phase in draft.battle.phases)
    draft.battle = changed(draft.battle, phase=Phase(SETUP, number, draft.tick), orders={}, ambushed=frozenset())


def _drunk(army: ArmyInBattle) -> dict[str, int]:
    """Reset the uses, but keep the count of potions that are still to be paid for (R-22)."""
    drunk = army.spent.get(DRUNK_BEFORE, 0) + army.spent.get("resource:healing-potions", 0)
    return {DRUNK_BEFORE: drunk} if drunk else {}


@applies(e.Ambushed)
def _ambushed(draft: Draft, event: e.Ambushed) -> None:
    if event.success:
        draft.battle = changed(draft.battle, ambushed=draft.battle.ambushed | {event.target})


@applies(e.TacticChosen)
def _tactic_chosen(draft: Draft, event: e.TacticChosen) -> None:
    if event.success:
        draft.change(event.army, tactic=event.tactic)


@applies(e.StrategyChosen)
def _strategy_chosen(draft: Draft, event: e.StrategyChosen) -> None:
    if event.success:
        draft.change(event.army, strategy=event.strategy)


@applies(e.TargetChosen)
def _target_chosen(draft: Draft, event: e.TargetChosen) -> None:
    draft.change(event.army, target=event.target)


@applies(e.Used)
def _used(draft: Draft, event: e.Used) -> None:
    spent = draft.armies[event.army].spent
    key = f"{event.kind}:{event.slug}"
    draft.change(event.army, spent={**spent, key: spent.get(key, 0) + 1})


@applies(e.ShapeTaken)
def _shape_taken(draft: Draft, event: e.ShapeTaken) -> None:
    army = draft.armies[event.army]
    shifted = changed(army, marks=(*army.marks, Mark("shape", detail=event.ability)))
    draft.armies[army.id] = recompile(draft.battle.law, shifted)


@applies(e.ShapeEnded)
def _shape_ended(draft: Draft, event: e.ShapeEnded) -> None:
    _without_mark(draft, draft.armies[event.army], "shape")


def _without_mark(draft: Draft, army: ArmyInBattle, kind: str) -> None:
    """Remove every mark of this kind. Without "shape" the army regains its own abilities (R-24)."""
    bare = changed(army, marks=tuple(mark for mark in army.marks if mark.kind != kind))
    draft.armies[army.id] = recompile(draft.battle.law, bare) if kind == "shape" else bare


@applies(e.Marked)
def _marked(draft: Draft, event: e.Marked) -> None:
    army = draft.armies[event.army]
    draft.change(army.id, marks=add_mark(army.marks, event.mark, event.again))


def unsaid_again(kind: str) -> e.SaidAgain:
    """Return how a mark of this kind combines with another if its event does not say so."""
    return AGAIN.get(kind, "once")


def add_mark(marks: tuple[Mark, ...], mark: Mark, again: e.SaidAgain = "") -> tuple[Mark, ...]:
    """Return the marks with one more. "more" increases the amount of an equal mark, "each" adds a separate one, "once"
    adds it unless it is there.
    """
    again = again or unsaid_again(mark.kind)
    if again == "more":
        for index, held in enumerate(marks):
            if held.kind == mark.kind and held.at == mark.at:
                grown = replace(held, amount=held.amount + mark.amount)
                return (*marks[:index], grown, *marks[index + 1 :])
    return marks if mark in marks and again == "once" else (*marks, mark)


@applies(e.Unmarked)
def _unmarked(draft: Draft, event: e.Unmarked) -> None:
    army = draft.armies[event.army]
    kept = tuple(m for m in army.marks if m.kind != event.kind or (event.other and m.other != event.other))
    draft.change(army.id, marks=kept)


@applies(e.Healed)
def _healed(draft: Draft, event: e.Healed) -> None:
    draft.change(event.army, hp=whole(event.hp_after), felled_by="")


@applies(e.Wounded)
def _wounded(draft: Draft, event: e.Wounded) -> None:
    army, after = draft.armies[event.army], whole(event.hp_after)
    draft.change(army.id, hp=after, lost_hp=army.lost_hp + whole(event.hp_before) - after)


@applies(e.Attacked)
def _attacked(draft: Draft, event: e.Attacked) -> None:
    attacker = draft.armies[event.army]
    if attacker.attacked != "early":
        draft.change(attacker.id, attacked=event.moment or _unsaid_moment(draft, attacker))
    if event.bars:
        draft.change(attacker.id, marks=add_mark(attacker.marks, Mark("barred", at=draft.tick + 1)))
    if event.lost:
        target = draft.armies[event.target]
        hurt = changed(target, hp=whole(event.hp_after), lost_hp=target.lost_hp + event.lost)
        draft.armies[target.id] = hurt if event.hp_after else changed(hurt, felled_by=event.army)


def _unsaid_moment(draft: Draft, attacker: ArmyInBattle) -> str:
    """Return whether the attack was early or late if its event does not say so. Must never change."""
    return "early" if draft.battle.phase.kind != MELEE or attacker.melees == 0 else "late"


@applies(e.EngineAttacked)
def _engine_attacked(draft: Draft, event: e.EngineAttacked) -> None:
    if event.bars:
        attacker = draft.armies[event.army]
        draft.change(attacker.id, marks=add_mark(attacker.marks, Mark("barred", at=draft.tick + 1)))
    if event.success:
        target = draft.armies[event.target]
        broken = changed(target, engines=max(0, target.engines - 1))
        draft.armies[target.id] = recompile(draft.battle.law, broken)


@applies(e.FortWorn)
def _fort_worn(draft: Draft, event: e.FortWorn) -> None:
    forts = tuple(
        replace(fort, worn=fort.worn + event.amount) if fort.id == event.fort else fort for fort in draft.battle.forts
    )
    draft.battle = changed(draft.battle, forts=forts, memo={})


@applies(e.LastStand)
def _last_stand(draft: Draft, event: e.LastStand) -> None:
    army = draft.armies[event.army]
    stand = Mark("last-stand", detail=event.fate, amount=1, other=str(draft.tick))
    draft.change(army.id, marks=(*(m for m in army.marks if m.kind != "doomed"), stand))


@applies(e.Left)
def _left(draft: Draft, event: e.Left) -> None:
    hp = 0 if event.status == "defeated" else draft.armies[event.army].hp
    draft.change(event.army, status=event.status, hp=hp)
    _leaves_field(draft, event)


def _leaves_field(draft: Draft, event: e.Left | e.Overridden) -> None:
    """Remove the marks that end with the army, as its event says."""
    draft.changes_field()
    gone = event.army
    for army in draft.armies.values():
        if army.id == gone:
            kept = tuple(m for m in army.marks if m.kind not in event.ends_borne)
        else:
            kept = tuple(m for m in army.marks if m.kind not in event.ends_given or m.other != gone)
        if len(kept) != len(army.marks):
            draft.change(army.id, marks=kept)


@applies(e.Overridden)
def _overridden(draft: Draft, event: e.Overridden) -> None:
    army, value = draft.armies[event.army], event.value
    match event.field:
        case "om" | "dv":
            added = Adjustment(event.field, int(value or 0), event.reason)
            draft.change(army.id, adjustments=(*army.adjustments, added))
        case "hp":
            draft.change(army.id, hp=int(value or 0), felled_by="")
        case "morale":
            draft.change(army.id, morale=int(value or 0))
        case "engines":
            draft.armies[army.id] = recompile(draft.battle.law, changed(army, engines=int(value or 0)))
        case "mark":
            _override_mark(draft, army, str(value), event)
        case "ability":
            _override_ability(draft, army, str(value))
        case "invincible":
            _override_invincible(draft, army, str(value))
        case "status" if value != "fighting":
            draft.change(army.id, status=value)
            _leaves_field(draft, event)
        case "status":
            _without_mark(draft, changed(army, status="fighting"), "surrendered")
            draft.changes_field()
        case "tactic" | "strategy" | "target":
            draft.change(army.id, **{event.field: value})
            draft.changes_field()
        case "":
            raise AssertionError("what is told behind a veil is never folded")
        case _:
            assert_never(event.field)


def _override_mark(draft: Draft, army: ArmyInBattle, value: str, event: e.Overridden) -> None:
    kind = value[1:]
    if value[0] == "-":
        _without_mark(draft, army, kind)
        return
    passing = event.lasts == "phase" if event.lasts else kind in FOR_A_PHASE
    at = draft.tick if passing else None
    draft.change(army.id, marks=add_mark(army.marks, Mark(kind, at=at), event.again))


def _override_invincible(draft: Draft, army: ArmyInBattle, value: str) -> None:
    """Apply "+B" (attacks of B have no effect) or "-B" (they have again) (R-90)."""
    mark = Mark("invincible", value[1:])
    kept = tuple(held for held in army.marks if held != mark)
    draft.change(army.id, marks=(*kept, mark) if value[0] == "+" else kept)


def _override_ability(draft: Draft, army: ArmyInBattle, value: str) -> None:
    slug, _, number = value[1:].partition(" ")
    if value[0] == "-":
        kept = tuple(choice for choice in army.gained if choice.ability != slug)
        shifted = changed(army, lost=army.lost | {slug}, gained=kept)
    else:
        choice = AbilityChoice(slug, int(number) if number else None)
        shifted = changed(army, gained=(*army.gained, choice), lost=army.lost - {slug})
    draft.armies[army.id] = recompile(draft.battle.law, shifted)


@applies(e.BattleEnded)
def _battle_ended(draft: Draft, event: e.BattleEnded) -> None:
    phase = Phase(AFTERMATH, 1, draft.tick)
    draft.battle = changed(draft.battle, result=event.result, phase=phase, orders={})


@applies(e.BattleClosed)
def _battle_closed(draft: Draft, event: e.BattleClosed) -> None:
    draft.battle = changed(draft.battle, phase=Phase(CLOSED, 1, draft.tick))


@applies(e.BattleReopened)
def _battle_reopened(draft: Draft, event: e.BattleReopened) -> None:
    draft.battle = changed(draft.battle, phase=Phase(AFTERMATH, 1, draft.tick))


@applies(
    e.AttackLost, e.DistanceKept, e.FearChecked, e.RolledAnew, e.RoutChecked, e.Spawned, e.TauntChecked,
    e.WithdrawalDecided, e.WithdrawalOpposed,
)  # fmt: skip
def _told(draft: Draft, event: e.Event) -> None:
    """Change nothing. The event is for the log; its effects have events of their own."""
