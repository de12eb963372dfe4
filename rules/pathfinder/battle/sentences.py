"""One sentence for each event, in the words of the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.pathfinder.marks import MARKS
from rules.text import Message, Said, Term, _, say

from . import events as e
from .state import Battle

TELL: dict[type, Callable[[Battle, Any], Message]] = {}


def name(battle: Battle, army: str) -> str:
    held = battle.armies.get(army)
    return held.name if held else army


def tells(*kinds: type) -> Callable[[Callable[[Battle, Any], Message]], Callable[[Battle, Any], Message]]:
    def register(teller: Callable[[Battle, Any], Message]) -> Callable[[Battle, Any], Message]:
        TELL.update(dict.fromkeys(kinds, teller))
        return teller

    return register


PHASE_NAMES: dict[str, Term] = {
    "setup": _("Setup"),
    "tactics": _("Tactics"),
    "ranged": _("Ranged phase {number}"),
    "melee": _("Melee phase {number}"),
    "aftermath": _("Aftermath"),
    "closed": _("Closed"),
}


def phase_name(kind: str, number: int) -> Message:
    return say(PHASE_NAMES[kind], number=number)


@tells(e.PhaseBegan)
def _phase_began(b: Battle, ev: e.PhaseBegan) -> Message:
    return say(_("{phase} begins."), phase=phase_name(ev.phase.kind, ev.phase.number))


@tells(e.PhaseEnded)
def _phase_ended(b: Battle, ev: e.PhaseEnded) -> Message:
    return say(_("{phase} ends."), phase=phase_name(ev.phase.kind, ev.phase.number))


@tells(e.OrderGiven)
def _order_given(b: Battle, ev: e.OrderGiven) -> Message:
    return say(_("{army} has its orders."), army=name(b, ev.army))


@tells(e.ConditionSet)
def _condition_set(b: Battle, ev: e.ConditionSet) -> Message:
    item = b.law.conditions[ev.condition.condition].name
    if ev.by:
        return say(_("{army} raises it over the field: {condition}."), army=name(b, ev.by), condition=item)
    return say(_("Condition set: {condition}."), condition=item)


@tells(e.ConditionLifted)
def _condition_lifted(b: Battle, ev: e.ConditionLifted) -> Message:
    return say(_("Condition lifted: {condition}."), condition=b.law.conditions[ev.condition.condition].name)


@tells(e.ArmyJoined)
def _army_joined(b: Battle, ev: e.ArmyJoined) -> Message:
    template = _("{army} rises for {side}.") if ev.by else _("{army} joins {side}.")
    return say(template, army=ev.spec.name, side=b.sides[ev.side].name)


@tells(e.Overridden)
def _overridden(b: Battle, ev: e.Overridden) -> Message:
    return say(_("The GM sets {field} of {army} to {value}: {reason}"),
               field=ev.field, army=name(b, ev.army), value=ev.value, reason=ev.reason)  # fmt: skip


@tells(e.Interrupted)
def _interrupted(b: Battle, ev: e.Interrupted) -> Message:
    return say(_("The battle is broken off for a while. {reason}"), reason=ev.reason)


@tells(e.Ambushed)
def _ambushed(b: Battle, ev: e.Ambushed) -> Message:
    template = (
        _("{army} ambushes {target}, which does not act in the tactics phase.") if ev.success
        else _("{target} sees the ambush of {army} coming.")
    )  # fmt: skip
    return say(template, army=name(b, ev.army), target=name(b, ev.target))


@tells(e.TacticChosen)
def _tactic_chosen(b: Battle, ev: e.TacticChosen) -> Message:
    template = _("{army} takes the tactic {tactic}.") if ev.success else _("{army} fails to change to {tactic}.")
    return say(template, army=name(b, ev.army), tactic=b.law.tactics[ev.tactic].name)


@tells(e.StrategyChosen)
def _strategy_chosen(b: Battle, ev: e.StrategyChosen) -> Message:
    template = _("{army} takes the strategy {strategy}.") if ev.success else _("{army} fails to change to {strategy}.")
    return say(template, army=name(b, ev.army), strategy=b.law.strategies[ev.strategy].name)


@tells(e.TargetChosen)
def _target_chosen(b: Battle, ev: e.TargetChosen) -> Message:
    if ev.target is None:
        return say(_("{army} holds."), army=name(b, ev.army))
    return say(_("{army} turns on {target}."), army=name(b, ev.army), target=name(b, ev.target))


@tells(e.Used)
def _used(b: Battle, ev: e.Used) -> Message:
    catalogue: dict[str, Any] = {"ability": b.law.abilities, "resource": b.law.resources, "boon": b.law.boons,
                                 "tactic": b.law.tactics}  # fmt: skip
    item = catalogue[ev.kind][ev.slug].name
    if ev.target and ev.target != ev.army:
        return say(_("{army} uses {what}: {target}."), army=name(b, ev.army), what=item, target=name(b, ev.target))
    return say(_("{army} uses {what}."), army=name(b, ev.army), what=item)


@tells(e.ShapeTaken)
def _shape_taken(b: Battle, ev: e.ShapeTaken) -> Message:
    return say(
        _("{army} takes the shape that gives {ability}."),
        army=name(b, ev.army),
        ability=b.law.abilities[ev.ability].name,
    )


@tells(e.ShapeEnded)
def _shape_ended(b: Battle, ev: e.ShapeEnded) -> Message:
    return say(_("{army} takes its own form again."), army=name(b, ev.army))


@tells(e.Marked)
def _marked(b: Battle, ev: e.Marked) -> Message:
    return say(_("{army}: {mark}."), army=name(b, ev.army), mark=MARKS[ev.mark.kind].name)


@tells(e.Unmarked)
def _unmarked(b: Battle, ev: e.Unmarked) -> Message:
    return say(_("{army}: no longer {mark}."), army=name(b, ev.army), mark=MARKS[ev.kind].name)


def cause_name(b: Battle, cause: str) -> Said:
    for catalogue in (b.law.abilities, b.law.resources, b.law.boons, b.law.conditions):
        if cause in catalogue:
            return catalogue[cause].name
    return Term(cause)


@tells(e.Healed)
def _healed(b: Battle, ev: e.Healed) -> Message:
    return say(
        _("{army} heals {amount} hp ({cause})."), army=name(b, ev.army), amount=ev.amount, cause=cause_name(b, ev.cause)
    )


@tells(e.Wounded)
def _wounded(b: Battle, ev: e.Wounded) -> Message:
    lost = ev.hp_before - ev.hp_after
    return say(
        _("{army} loses {amount} hp ({cause})."), army=name(b, ev.army), amount=lost, cause=cause_name(b, ev.cause)
    )


@tells(e.TauntChecked)
def _taunt_checked(b: Battle, ev: e.TauntChecked) -> Message:
    template = (
        _("{army} ignores the taunts of {by}.") if ev.success
        else _("{army} is provoked by {by}: OM and DV −2 against it.")
    )  # fmt: skip
    return say(template, army=name(b, ev.army), by=name(b, ev.by))


OPPOSED_WHY: dict[str, Term] = {
    "always": _("{army} always gets away from {target}."),
    "unseen": _("{target} cannot see {army} go."),
    "let-go": _("{target} lets {army} go."),
    "mindless": _("{target} is mindless and holds {army} fast."),
}


@tells(e.WithdrawalOpposed)
def _withdrawal_opposed(b: Battle, ev: e.WithdrawalOpposed) -> Message:
    if ev.why:
        template = OPPOSED_WHY[ev.why]
    else:
        template = _("{army} gets away from {target}.") if ev.success else _("{target} holds {army} fast.")
    return say(template, army=name(b, ev.army), target=name(b, ev.target))


OUTCOMES: dict[str, Term] = {
    "leaves": _("{army} withdraws."),
    "range": _("{army} keeps its enemies at range."),
    "pursued": _("{army} breaks away under attack."),
    "stays": _("{army} cannot get away."),
}


@tells(e.WithdrawalDecided)
def _withdrawal_decided(b: Battle, ev: e.WithdrawalDecided) -> Message:
    return say(OUTCOMES[ev.outcome], army=name(b, ev.army))


@tells(e.FortWorn)
def _fort_worn(b: Battle, ev: e.FortWorn) -> Message:
    return say(_("The engines of {army} wear {amount} off the walls of {target}; {left} are left."),
               army=name(b, ev.army), amount=ev.amount, target=name(b, ev.target), left=ev.left)  # fmt: skip


LOST: dict[str, Term] = {
    "gone": _("{army} strikes at nobody: {target} is gone."),
    "hovering": _("{army} cannot reach {target} in the air."),
    "burrowing": _("{army} and {target} do not meet: one is under the ground."),
    "no-shot": _("{army} has nothing to shoot at {target} with."),
    "wind": _("The wind allows {army} no shot."),
}


@tells(e.AttackLost)
def _attack_lost(b: Battle, ev: e.AttackLost) -> Message:
    return say(LOST[ev.why], army=name(b, ev.army), target=name(b, ev.target))


SPARED: dict[str, Term] = {
    "swarm": _("{army} hits {target}, but a swarm cannot harm it."),
    "incorporeal": _("{army} hits {target}, but only magic can harm it."),
}


@tells(e.Attacked)
def _attacked(b: Battle, ev: e.Attacked) -> Message:
    names = {"army": name(b, ev.army), "target": name(b, ev.target)}
    if ev.damage:
        template = (
            _("{army} strikes the fleeing {target}: {damage} damage.") if ev.kind == "parting"
            else _("{army} shoots at {target}: {damage} damage.") if ev.mode == "shot"
            else _("{army} attacks {target}: {damage} damage.")
        )  # fmt: skip
        return say(template, **names, damage=ev.damage)
    if ev.spared and ev.check > ev.against:
        return say(SPARED[ev.spared], **names)
    return say(_("{army} misses {target}."), **names)


@tells(e.EngineAttacked)
def _engine_attacked(b: Battle, ev: e.EngineAttacked) -> Message:
    template = (
        _("{army} destroys a siege engine of {target}.") if ev.success
        else _("{army} goes for the engines of {target} in vain.")
    )  # fmt: skip
    return say(template, army=name(b, ev.army), target=name(b, ev.target))


@tells(e.FearChecked)
def _fear_checked(b: Battle, ev: e.FearChecked) -> Message:
    template = _("{army} does not fear {by}.") if ev.success else _("{army} takes fright at {by}.")
    return say(template, army=name(b, ev.army), by=name(b, ev.by))


@tells(e.RoutChecked)
def _rout_checked(b: Battle, ev: e.RoutChecked) -> Message:
    template = _("{army} stands firm.") if ev.success else _("{army} breaks.")
    return say(template, army=name(b, ev.army))


@tells(e.LastStand)
def _last_stand(b: Battle, ev: e.LastStand) -> Message:
    return say(_("{army} fights on in a last stand."), army=name(b, ev.army))


LEFT: dict[str, Term] = {
    "withdrawn": _("{army} leaves the field."),
    "routed": _("{army} routs."),
    "defeated": _("{army} is defeated."),
    "captured": _("{army} cannot flee and surrenders."),
}


@tells(e.Left)
def _left(b: Battle, ev: e.Left) -> Message:
    return say(LEFT[ev.status], army=name(b, ev.army))


@tells(e.Spawned)
def _spawned(b: Battle, ev: e.Spawned) -> Message:
    return say(_("{army} feeds on the dead of {target}."), army=name(b, ev.army), target=name(b, ev.target))


@tells(e.BattleEnded)
def _battle_ended(b: Battle, ev: e.BattleEnded) -> Message:
    if ev.result.winner is not None:
        return say(
            _("The field belongs to {side}. {reason}"), side=b.sides[ev.result.winner].name, reason=ev.result.reason
        )
    return say(_("The battle ends without a victor. {reason}"), reason=ev.result.reason)


@tells(e.BattleClosed)
def _battle_closed(b: Battle, ev: e.BattleClosed) -> Message:
    return say(_("The aftermath is confirmed."))


@tells(e.BattleReopened)
def _battle_reopened(b: Battle, ev: e.BattleReopened) -> Message:
    return say(_("The aftermath is taken back."))
