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
        return say(_("{army} raises this over the field: {condition}."), army=name(b, ev.by), condition=item)
    return say(_("Now in force: {condition}."), condition=item)


@tells(e.ConditionLifted)
def _condition_lifted(b: BattleState, ev: e.ConditionLifted) -> Message:
    return say(_("No longer in force: {condition}."), condition=b.law.conditions[ev.condition.condition].name)


@tells(e.ArmyJoined)
def _army_joined(b: BattleState, ev: e.ArmyJoined) -> Message:
    template = _("{army} rises from the fallen and joins {side}.") if ev.by else _("{army} joins {side}.")
    return say(template, army=ev.spec.name, side=b.sides[ev.side].name)


@tells(e.Interrupted)
def _interrupted(b: BattleState, ev: e.Interrupted) -> Message:
    return and_why(say(_("The battle is interrupted.")), ev.reason)


@tells(e.Ambushed)
def _ambushed(b: BattleState, ev: e.Ambushed) -> Message:
    template = (
        _("{army} catches {target} in an ambush: {target} chooses no tactic before the battle.") if ev.success
        else _("{target} sees the ambush of {army} coming.")
    )  # fmt: skip
    return say(template, army=name(b, ev.army), target=name(b, ev.target))


@tells(e.TacticChosen)
def _tactic_chosen(b: BattleState, ev: e.TacticChosen) -> Message:
    template = _("{army} chooses the tactic {tactic}.") if ev.success else _("{army} fails to change to {tactic}.")
    return say(template, army=name(b, ev.army), tactic=b.law.tactics[ev.tactic].name)


@tells(e.StrategyChosen)
def _strategy_chosen(b: BattleState, ev: e.StrategyChosen) -> Message:
    template = (
        _("{army} chooses the strategy {strategy}.") if ev.success else _("{army} fails to change to {strategy}.")
    )
    return say(template, army=name(b, ev.army), strategy=b.law.strategies[ev.strategy].name)


@tells(e.TargetChosen)
def _target_chosen(b: BattleState, ev: e.TargetChosen) -> Message:
    if ev.target is None:
        return say(_("{army} holds the line and attacks nobody."), army=name(b, ev.army))
    return say(_("{army} aims at {target}."), army=name(b, ev.army), target=name(b, ev.target))


@tells(e.Used)
def _used(b: BattleState, ev: e.Used) -> Message:
    catalogue: dict[str, Any] = {"ability": b.law.abilities, "resource": b.law.resources, "boon": b.law.boons,
                                 "tactic": b.law.tactics}  # fmt: skip
    item = catalogue[ev.kind][ev.slug].name
    if ev.target and ev.target != ev.army:
        return say(_("{army} uses {what} on {target}."), army=name(b, ev.army), what=item, target=name(b, ev.target))
    return say(_("{army} uses {what}."), army=name(b, ev.army), what=item)


@tells(e.ShapeTaken)
def _shape_taken(b: BattleState, ev: e.ShapeTaken) -> Message:
    return say(
        _("{army} changes shape and gains {ability}."),
        army=name(b, ev.army),
        ability=b.law.abilities[ev.ability].name,
    )


@tells(e.ShapeEnded)
def _shape_ended(b: BattleState, ev: e.ShapeEnded) -> Message:
    return say(_("{army} returns to its natural form."), army=name(b, ev.army))


@tells(e.Marked)
def _marked(b: BattleState, ev: e.Marked) -> Message:
    if ev.mark.kind == "surrendering":
        return say(_("{army} lays down its arms."), army=name(b, ev.army))
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
        _("{army} recovers ({cause}).") if ev.amount is None
        else _("{army} recovers {amount} hp ({cause}).") if ev.amount
        else _("{army} has no wounds to heal ({cause}).")
    )  # fmt: skip
    return say(template, army=name(b, ev.army), amount=ev.amount, cause=cause_name(b, ev.cause))


@tells(e.Wounded)
def _wounded(b: BattleState, ev: e.Wounded) -> Message:
    if ev.amount is None:
        return say(_("{army} is hurt ({cause})."), army=name(b, ev.army), cause=cause_name(b, ev.cause))
    lost = whole(ev.hp_before) - whole(ev.hp_after)
    return say(
        _("{army} loses {amount} hp ({cause})."), army=name(b, ev.army), amount=lost, cause=cause_name(b, ev.cause)
    )


@tells(e.TauntChecked)
def _taunt_checked(b: BattleState, ev: e.TauntChecked) -> Message:
    template = (
        _("{army} ignores the taunts of {by}.") if ev.success
        else _("{by} provokes {army}: OM and DV −2 against {by}.")
    )  # fmt: skip
    return say(template, army=name(b, ev.army), by=name(b, ev.by))


OPPOSED_WHY: dict[str, Term] = {
    "always": _("{army} gets away: {target} can’t hold it, by the rules."),
    "unseen": _("{army} gets away unseen by {target}."),
    "let-go": _("{target} lets {army} go."),
    "invincible": _("{army} gets away: {target} can’t stop it."),
    "mindless": _("{target} holds {army} fast: mindless armies let nobody go."),
}


@tells(e.WithdrawalOpposed)
def _withdrawal_opposed(b: BattleState, ev: e.WithdrawalOpposed) -> Message:
    if ev.why:
        template = OPPOSED_WHY[ev.why]
    else:
        template = _("{army} gets away from {target}.") if ev.success else _("{target} holds {army} fast.")
    return say(template, army=name(b, ev.army), target=name(b, ev.target))


OUTCOMES: dict[str, Term] = {
    "leaves": _("{army} withdraws."),
    "range": _("{army} keeps the enemy at range."),
    "pursued": _("{army} breaks away under attack."),
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
    "gone": _("{army} finds nobody to attack: {target} has left."),
    "hovering": _("{army} can’t reach {target}, high in the air."),
    "burrowing": _("{army} and {target} can’t fight: one is underground."),
    "no-shot": _("{army} has no ranged attack against {target}."),
    "wind": _("The wind keeps {army} from shooting."),
}


@tells(e.AttackLost)
def _attack_lost(b: BattleState, ev: e.AttackLost) -> Message:
    return say(LOST[ev.why], army=name(b, ev.army), target=name(b, ev.target))


SPARED: dict[str, Term] = {
    "swarm": _("{army} hits {target}, but a swarm can’t harm it."),
    "incorporeal": _("{army} hits {target}, but only magic can harm it."),
    "invincible": _("{army} hits {target} but can’t harm it."),
}


HIT_UNTOLD: dict[str, Term] = {
    "parting": _("{army} strikes {target} from behind."),
    "shot": _("{army} shoots at {target} and hits."),
    "melee": _("{army} attacks {target} and hits."),
}


@tells(e.Attacked)
def _attacked(b: BattleState, ev: e.Attacked) -> Message:
    names = {"army": name(b, ev.army), "target": name(b, ev.target)}
    if ev.damage is None:
        return say(HIT_UNTOLD[ev.kind if ev.kind == "parting" else ev.mode], **names)
    if ev.damage:
        template = (
            _("{army} strikes {target} from behind: {damage} damage.") if ev.kind == "parting"
            else _("{army} shoots at {target}: {damage} damage.") if ev.mode == "shot"
            else _("{army} attacks {target}: {damage} damage.")
        )  # fmt: skip
        return say(template, **names, damage=ev.damage)
    if ev.spared and (ev.check is None or ev.check > whole(ev.against)):
        return say(SPARED[ev.spared], **names)
    return say(_("{army} misses {target}."), **names)


@tells(e.EngineAttacked)
def _engine_attacked(b: BattleState, ev: e.EngineAttacked) -> Message:
    template = (
        _("{army} destroys a siege engine of {target}.") if ev.success
        else _("{army} attacks the siege engines of {target} in vain.")
    )  # fmt: skip
    return say(template, army=name(b, ev.army), target=name(b, ev.target))


@tells(e.FearChecked)
def _fear_checked(b: BattleState, ev: e.FearChecked) -> Message:
    template = _("{army} isn’t frightened by {by}.") if ev.success else _("{army} is frightened by {by}.")
    return say(template, army=name(b, ev.army), by=name(b, ev.by))


@tells(e.RoutChecked)
def _rout_checked(b: BattleState, ev: e.RoutChecked) -> Message:
    template = _("{army} stands firm.") if ev.success else _("{army} breaks.")
    return say(template, army=name(b, ev.army))


@tells(e.LastStand)
def _last_stand(b: BattleState, ev: e.LastStand) -> Message:
    return say(_("{army} fights on in a last stand."), army=name(b, ev.army))


LEFT: dict[str, Term] = {
    "withdrawn": _("{army} leaves the field."),
    "routed": _("{army} is routed and flees."),
    "defeated": _("{army} is defeated."),
    "captured": _("{army} can’t flee and surrenders."),
}


SURRENDERED = _("{army} surrenders and is captured.")


@tells(e.Left)
def _left(b: BattleState, ev: e.Left) -> Message:
    template = SURRENDERED if ev.rule == "R-88" else LEFT[ev.status]
    return say(template, army=name(b, ev.army))


@tells(e.Spawned)
def _spawned(b: BattleState, ev: e.Spawned) -> Message:
    return say(_("{army} feeds on the dead of {target}."), army=name(b, ev.army), target=name(b, ev.target))


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
