"""Log sentences, one function for each kind of event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.aftermath import and_why, told_end
from rules.core.text import Message, Said, Term, _, say
from rules.law import whole
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import BattleState
from rules.pathfinder.catalogue.conditions import MARKS

type Teller[T] = Callable[[BattleState, T], Message]
TELL: dict[type, Teller[Any]] = {}


def name(battle: BattleState, army: str) -> str:
    held = battle.armies.get(army)
    return held.name if held else army


def tells[T: e.Event](*kinds: type[T]) -> Callable[[Teller[T]], Teller[T]]:
    """Decorator that registers the sentence of these events. The type parameter lets the type checker match them."""

    def register(teller: Teller[T]) -> Teller[T]:
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
def _phase_began(b: BattleState, ev: e.PhaseBegan) -> Message:
    return say(_("{phase} begins."), phase=phase_name(ev.phase.kind, ev.phase.number))


@tells(e.PhaseEnded)
def _phase_ended(b: BattleState, ev: e.PhaseEnded) -> Message:
    return say(_("{phase} ends."), phase=phase_name(ev.phase.kind, ev.phase.number))


@tells(e.OrderGiven)
def _order_given(b: BattleState, ev: e.OrderGiven) -> Message:
    return say(_("Orders given to {army}."), army=name(b, ev.army))


@tells(e.ConditionSet)
def _condition_set(b: BattleState, ev: e.ConditionSet) -> Message:
    item = b.law.conditions[ev.condition.condition].name
    if ev.by:
        return say(_("Raised over the field by {army}: {condition}."), army=name(b, ev.by), condition=item)
    return say(_("Now in force: {condition}."), condition=item)


@tells(e.ConditionLifted)
def _condition_lifted(b: BattleState, ev: e.ConditionLifted) -> Message:
    return say(_("No longer in force: {condition}."), condition=b.law.conditions[ev.condition.condition].name)


@tells(e.ArmyJoined)
def _army_joined(b: BattleState, ev: e.ArmyJoined) -> Message:
    template = (
        _("Risen from the fallen, on the side of {side}: {army}.") if ev.by else _("New on the side of {side}: {army}.")
    )
    return say(template, army=ev.spec.name, side=b.sides[ev.side].name)


@tells(e.Interrupted)
def _interrupted(b: BattleState, ev: e.Interrupted) -> Message:
    return and_why(say(_("The battle is interrupted.")), ev.reason)


@tells(e.Ambushed)
def _ambushed(b: BattleState, ev: e.Ambushed) -> Message:
    template = (
        _("The ambush of {army} succeeds: {target} can’t choose a tactic before the battle.") if ev.success
        else _("The ambush of {army} fails: no surprise for {target}.")
    )  # fmt: skip
    return say(template, army=name(b, ev.army), target=name(b, ev.target))


@tells(e.TacticChosen)
def _tactic_chosen(b: BattleState, ev: e.TacticChosen) -> Message:
    template = _("Tactic of {army}: {tactic}.") if ev.success else _("{army}: the change to {tactic} fails.")
    return say(template, army=name(b, ev.army), tactic=b.law.tactics[ev.tactic].name)


@tells(e.StrategyChosen)
def _strategy_chosen(b: BattleState, ev: e.StrategyChosen) -> Message:
    template = _("Strategy of {army}: {strategy}.") if ev.success else _("{army}: the change to {strategy} fails.")
    return say(template, army=name(b, ev.army), strategy=b.law.strategies[ev.strategy].name)


@tells(e.TargetChosen)
def _target_chosen(b: BattleState, ev: e.TargetChosen) -> Message:
    if ev.target is None:
        return say(_("{army}: hold the line, no attack."), army=name(b, ev.army))
    return say(_("Target of {army}: {target}."), army=name(b, ev.army), target=name(b, ev.target))


@tells(e.Used)
def _used(b: BattleState, ev: e.Used) -> Message:
    catalogue: dict[str, Any] = {"ability": b.law.abilities, "resource": b.law.resources, "boon": b.law.boons,
                                 "tactic": b.law.tactics}  # fmt: skip
    item = catalogue[ev.kind][ev.slug].name
    if ev.target and ev.target != ev.army:
        return say(
            _("Used by {army} on {target}: {what}."), army=name(b, ev.army), what=item, target=name(b, ev.target)
        )
    return say(_("Used by {army}: {what}."), army=name(b, ev.army), what=item)


@tells(e.ShapeTaken)
def _shape_taken(b: BattleState, ev: e.ShapeTaken) -> Message:
    return say(
        _("{army}: new shape, with {ability}."),
        army=name(b, ev.army),
        ability=b.law.abilities[ev.ability].name,
    )


@tells(e.ShapeEnded)
def _shape_ended(b: BattleState, ev: e.ShapeEnded) -> Message:
    return say(_("{army}: back in natural form."), army=name(b, ev.army))


@tells(e.Marked)
def _marked(b: BattleState, ev: e.Marked) -> Message:
    if ev.mark.kind == "surrendering":
        return say(_("{army}: arms laid down."), army=name(b, ev.army))
    return say(_("New mark on {army}: {mark}."), army=name(b, ev.army), mark=MARKS[ev.mark.kind].name)


@tells(e.Unmarked)
def _unmarked(b: BattleState, ev: e.Unmarked) -> Message:
    return say(_("Mark removed from {army}: {mark}."), army=name(b, ev.army), mark=MARKS[ev.kind].name)


def cause_name(b: BattleState, cause: str) -> Said:
    """Return the name of what wounds or heals. Bleeding by the GM's hand has no other cause."""
    cause = cause or "bleeding"
    for catalogue in (b.law.abilities, b.law.resources, b.law.boons, b.law.conditions, MARKS):
        if cause in catalogue:
            return catalogue[cause].name
    return Term(cause)


@tells(e.Healed)
def _healed(b: BattleState, ev: e.Healed) -> Message:
    template = (
        _("{army}: recovery ({cause}).") if ev.amount is None
        else _("{army}: {amount} hp recovered ({cause}).") if ev.amount
        else _("{army}: no wounds to heal ({cause}).")
    )  # fmt: skip
    return say(template, army=name(b, ev.army), amount=ev.amount, cause=cause_name(b, ev.cause))


@tells(e.Wounded)
def _wounded(b: BattleState, ev: e.Wounded) -> Message:
    if ev.amount is None:
        return say(_("{army}: hurt ({cause})."), army=name(b, ev.army), cause=cause_name(b, ev.cause))
    lost = whole(ev.hp_before) - whole(ev.hp_after)
    return say(
        _("{army}: {amount} hp lost ({cause})."), army=name(b, ev.army), amount=lost, cause=cause_name(b, ev.cause)
    )


@tells(e.TauntChecked)
def _taunt_checked(b: BattleState, ev: e.TauntChecked) -> Message:
    template = (
        _("The taunts of {by} have no effect on {army}.") if ev.success
        else _("The taunts of {by} provoke {army}: OM and DV −2 against {by}.")
    )  # fmt: skip
    return say(template, army=name(b, ev.army), by=name(b, ev.by))


OPPOSED_WHY: dict[str, Term] = {
    "always": _("{army}: escape. By the rules, {target} can’t prevent it."),
    "unseen": _("{army}: escape unseen by {target}."),
    "let-go": _("{army}: escape, allowed by {target}."),
    "invincible": _("{army}: escape. {target} can’t prevent it."),
    "mindless": _("{army} can’t get away from {target}: mindless armies let nobody go."),
}


@tells(e.WithdrawalOpposed)
def _withdrawal_opposed(b: BattleState, ev: e.WithdrawalOpposed) -> Message:
    if ev.why:
        template = OPPOSED_WHY[ev.why]
    else:
        template = _("{army}: escape from {target}.") if ev.success else _("{army} can’t get away from {target}.")
    return say(template, army=name(b, ev.army), target=name(b, ev.target))


OUTCOMES: dict[str, Term] = {
    "leaves": _("{army}: withdrawal."),
    "range": _("{army}: the enemy stays at range."),
    "pursued": _("{army}: withdrawal under attack."),
    "stays": _("{army} can’t get away."),
}


@tells(e.WithdrawalDecided)
def _withdrawal_decided(b: BattleState, ev: e.WithdrawalDecided) -> Message:
    return say(OUTCOMES[ev.outcome], army=name(b, ev.army))


@tells(e.FortWorn)
def _fort_worn(b: BattleState, ev: e.FortWorn) -> Message:
    return say(_("The siege engines of {army} take {amount} off the walls of {target}: {left} left."),
               army=name(b, ev.army), amount=ev.amount, target=name(b, ev.target), left=ev.left)  # fmt: skip


LOST: dict[str, Term] = {
    "gone": _("No attack by {army}: {target} left the field."),
    "hovering": _("{army} can’t reach {target}, high in the air."),
    "burrowing": _("{army} and {target} can’t fight: one is underground."),
    "no-shot": _("{army}: no ranged attack against {target}."),
    "wind": _("The wind keeps {army} from shooting."),
}


@tells(e.AttackLost)
def _attack_lost(b: BattleState, ev: e.AttackLost) -> Message:
    return say(LOST[ev.why], army=name(b, ev.army), target=name(b, ev.target))


SPARED: dict[str, Term] = {
    "swarm": _("The attack of {army} hits {target}, but a swarm can’t do any harm."),
    "incorporeal": _("The attack of {army} hits {target}, but only magic can do any harm."),
    "invincible": _("The attack of {army} hits {target} without harm."),
}


HIT_UNTOLD: dict[str, Term] = {
    "parting": _("The blow of {army} hits {target} from behind."),
    "shot": _("The shots of {army} hit {target}."),
    "melee": _("The attack of {army} hits {target}."),
}


@tells(e.Attacked)
def _attacked(b: BattleState, ev: e.Attacked) -> Message:
    names = {"army": name(b, ev.army), "target": name(b, ev.target)}
    if ev.damage is None:
        return say(HIT_UNTOLD[ev.kind if ev.kind == "parting" else ev.mode], **names)
    if ev.damage:
        template = (
            _("The blow of {army} hits {target} from behind: {damage} damage.") if ev.kind == "parting"
            else _("The shots of {army} hit {target}: {damage} damage.") if ev.mode == "shot"
            else _("The attack of {army} hits {target}: {damage} damage.")
        )  # fmt: skip
        return say(template, **names, damage=ev.damage)
    if ev.spared and (ev.check is None or ev.check > whole(ev.against)):
        return say(SPARED[ev.spared], **names)
    return say(_("The attack of {army} misses {target}."), **names)


@tells(e.EngineAttacked)
def _engine_attacked(b: BattleState, ev: e.EngineAttacked) -> Message:
    template = (
        _("The attack of {army} destroys a siege engine of {target}.") if ev.success
        else _("The attack of {army} on the siege engines of {target} fails.")
    )  # fmt: skip
    return say(template, army=name(b, ev.army), target=name(b, ev.target))


@tells(e.FearChecked)
def _fear_checked(b: BattleState, ev: e.FearChecked) -> Message:
    template = _("{army}: not frightened by {by}.") if ev.success else _("{army}: frightened by {by}.")
    return say(template, army=name(b, ev.army), by=name(b, ev.by))


@tells(e.RoutChecked)
def _rout_checked(b: BattleState, ev: e.RoutChecked) -> Message:
    template = _("The morale of {army} holds.") if ev.success else _("The morale of {army} breaks.")
    return say(template, army=name(b, ev.army))


@tells(e.LastStand)
def _last_stand(b: BattleState, ev: e.LastStand) -> Message:
    return say(_("{army}: last stand."), army=name(b, ev.army))


LEFT: dict[str, Term] = {
    "withdrawn": _("{army}: withdrawn from the field."),
    "routed": _("{army}: routed and in flight."),
    "defeated": _("{army}: defeated."),
    "captured": _("{army} can’t flee and must surrender."),
}


SURRENDERED = _("{army}: surrender and capture.")


@tells(e.Left)
def _left(b: BattleState, ev: e.Left) -> Message:
    template = SURRENDERED if ev.rule == "R-88" else LEFT[ev.status]
    return say(template, army=name(b, ev.army))


@tells(e.Spawned)
def _spawned(b: BattleState, ev: e.Spawned) -> Message:
    return say(_("The dead of {target} feed {army}."), army=name(b, ev.army), target=name(b, ev.target))


@tells(e.DistanceKept)
def _distance_kept(b: BattleState, ev: e.DistanceKept) -> Message:
    return say(_("All armies that can shoot stay at range: another ranged phase follows."))


@tells(e.BattleEnded)
def _battle_ended(b: BattleState, ev: e.BattleEnded) -> Message:
    winner = ev.result.winner
    return told_end(None if winner is None else b.sides[winner].name, ev.result.reason)


@tells(e.BattleClosed)
def _battle_closed(b: BattleState, ev: e.BattleClosed) -> Message:
    return say(_("The aftermath is confirmed."))


@tells(e.BattleReopened)
def _battle_reopened(b: BattleState, ev: e.BattleReopened) -> Message:
    return say(_("The aftermath is undone."))


@tells(e.RolledAnew)
def _rolled_anew(b: BattleState, ev: e.RolledAnew) -> Message:
    return say(_("The dice of the aftermath are rolled again. These are the earlier ones."))
