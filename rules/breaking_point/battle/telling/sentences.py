"""Log sentences, one function for each kind of event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.aftermath import told_end
from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.state.battle_state import BattleNow, FieldMark, state_of
from rules.breaking_point.battle.state.conditions import CONDITIONS
from rules.breaking_point.battle.state.field_figures import DISTANCE_NAMES
from rules.breaking_point.battle.telling.words import STATE_WORDS, STATUS_WORDS, name_of, phase_label, side_name
from rules.core.text import Message, Said, Term, _, by_number, minus, say
from rules.core.viewers import band_of

type Teller[T] = Callable[[BattleNow, T], Message]
TELL: dict[type, Teller[Any]] = {}


def tells[T: e.Event](*kinds: type[T]) -> Callable[[Teller[T]], Teller[T]]:
    """Decorator that registers the sentence of these events. The type parameter lets the type checker match them."""

    def register(teller: Teller[T]) -> Teller[T]:
        TELL.update(dict.fromkeys(kinds, teller))
        return teller

    return register


@tells(e.PhaseBegan)
def _phase_began(b: BattleNow, ev: e.PhaseBegan) -> Message:
    return say(_("{phase} begins."), phase=phase_label(*ev.phase))


@tells(e.PhaseEnded)
def _phase_ended(b: BattleNow, ev: e.PhaseEnded) -> Message:
    return say(_("{phase} ends."), phase=phase_label(*ev.phase))


@tells(e.OrderGiven)
def _order_given(b: BattleNow, ev: e.OrderGiven) -> Message:
    return say(_("Orders given to {army}."), army=name_of(b, ev.army))


@tells(e.ConditionSet)
def _condition_set(b: BattleNow, ev: e.ConditionSet) -> Message:
    return say(_("Now in force: {condition}."), condition=mark_words(b, ev.condition))


@tells(e.ConditionLifted)
def _condition_lifted(b: BattleNow, ev: e.ConditionLifted) -> Message:
    return say(_("No longer in force: {condition}."), condition=mark_words(b, ev.condition))


def mark_words(battle: BattleNow, mark: FieldMark) -> Said:
    """Name a condition with its body or side and its value."""
    found: Said = CONDITIONS[mark.kind].name
    if mark.body:
        found = say(_("{condition}, {body}"), condition=found, body=name_of(battle, mark.body))
    if mark.side is not None:
        found = say(_("{condition}, {body}"), condition=found, body=side_name(battle, mark.side))
    if mark.value is not None:
        found = say(_("{condition} ({value})"), condition=found, value=_mark_value(battle, mark))
    return say(_("{condition}: {reason}"), condition=found, reason=mark.reason) if mark.reason else found


def _mark_value(battle: BattleNow, mark: FieldMark) -> Said | str:
    if isinstance(mark.value, int):
        return minus(mark.value)
    value = str(mark.value)
    return DISTANCE_NAMES[value] if value in DISTANCE_NAMES else name_of(battle, value)


@tells(e.ArmyJoined)
def _army_joined(b: BattleNow, ev: e.ArmyJoined) -> Message:
    return say(_("New on the side of {side}: {army}."), army=ev.spec.name, side=side_name(b, ev.side))


SET: Mapping[str, Term] = {
    "losses": _("The GM sets the losses of {body} to {value}: {reason}"),
    "force": _("The GM sets the force of {body} to {value}: {reason}"),
    "breaking": _("The GM sets the breaking point of {body} to {value}%: {reason}"),
    "penalty": _("The GM sets the penalty of {body} to {value}: {reason}"),
    "score": _("The GM sets the command score of {body} to {value}: {reason}"),
    "combat": _("The GM changes the combat of {body} by {value}: {reason}"),
    "defense": _("The GM changes the defense of {body} by {value}: {reason}"),
    "power": _("The GM changes the attack power of {body} by {value}: {reason}"),
    "fire-power": _("The GM changes the fire power of {body} by {value}: {reason}"),
    "status": _("GM ruling on {army} ({value}): {reason}"),
    "do": _("The GM changes the order of {body}: {reason}"),
    "target": _("The GM changes the target of {body}: {reason}"),
}
SENT = _("The GM sends {army} against {value}: {reason}")
UNTOLD = _("The GM changes a value of {body}: {reason}")


@tells(e.Overridden)
def _overridden(b: BattleNow, ev: e.Overridden) -> Message:
    side = ev.subject.removeprefix("side-")
    body = side_name(b, int(side)) if ev.subject != side else name_of(b, ev.subject)
    if not ev.field:  # this reader may know neither what was changed nor why
        return say(_("The GM corrects {army}."), army=body)
    if ev.field == "status":
        return say(SET["status"], army=body, value=STATUS_WORDS[str(ev.value)], reason=ev.reason)
    if ev.field == "breaking" and ev.value is None:
        return say(_("The GM rules that {body} can’t break: {reason}"), body=body, reason=ev.reason)
    if ev.field == "target" and ev.value:
        return say(SENT, army=body, value=name_of(b, str(ev.value)), reason=ev.reason)
    value = minus(ev.value) if isinstance(ev.value, int) else None
    template = UNTOLD if value is None and ev.field not in ("do", "target") else SET[ev.field]
    return say(template, body=body, value=value, reason=ev.reason)


@tells(e.WithdrawalDeclared)
def _withdrawal_declared(b: BattleNow, ev: e.WithdrawalDeclared) -> Message:
    return say(_("{side}: withdrawal announced before battle."), side=side_name(b, ev.side))


@tells(e.CommandTested)
def _command_tested(b: BattleNow, ev: e.CommandTested) -> Message:
    return say(_("Command test of {side}: {score}."), side=side_name(b, ev.side), score=minus(ev.score))


WAIVED = "B-81"


@tells(e.InitiativeSettled)
def _initiative_settled(b: BattleNow, ev: e.InitiativeSettled) -> Message:
    if ev.rule == WAIVED:
        return say(_("No command test: all strike at once."))
    first = [side_name(b, side) for side in ev.steps[0]] if ev.steps else []
    if ev.surprised:
        beaten = [side_name(b, side) for side in ev.surprised]
        return say(_("First to strike: {first}. Surprised: {beaten}."), first=first, beaten=beaten)
    if len(ev.steps) > 1:
        return say(_("First to strike: {first}."), first=first)
    return say(_("No side is ahead by 2: all strike at once."))


@tells(e.SideWithdrawn)
def _side_withdrawn(b: BattleNow, ev: e.SideWithdrawn) -> Message:
    if ev.outcome == "away":
        return say(_AWAY[ev.saved], army=side_name(b, ev.side))
    template = _("{army}: caught while withdrawing and routed.") if ev.outcome == "routed" else _(
        "The withdrawal of {army} fails: −2 in the fight."
    )  # fmt: skip
    return say(template, army=side_name(b, ev.side))


_AWAY = {
    True: _("{army}: escape with guns and baggage."),
    False: _("{army}: escape without guns and baggage."),
}


@tells(e.WithdrawalTested)
def _withdrawal_tested(b: BattleNow, ev: e.WithdrawalTested) -> Message:
    army = name_of(b, ev.army)
    match ev.outcome:
        case "free":
            return say(_("{army}: unopposed withdrawal."), army=army)
        case "away":
            return say(_AWAY[ev.saved], army=army)
        case "routed":
            return say(_("{army}: caught while withdrawing and routed."), army=army)
    return say(_("The withdrawal of {army} fails."), army=army)


@tells(e.Penalised)
def _penalised(b: BattleNow, ev: e.Penalised) -> Message:
    return say(_("{body}: {penalty} in the fight from now on."), body=name_of(b, ev.body), penalty=minus(ev.penalty))


@tells(e.ReserveCommitted)
def _reserve_committed(b: BattleNow, ev: e.ReserveCommitted) -> Message:
    return say(_("{army}: reserve committed."), army=name_of(b, ev.army))


WHY_LOST: Mapping[str, Term] = {
    "broken": _("{body} can no longer carry out the order."),
    "gone": _("{body} can’t carry out the order: {target} left the field."),
    "rests": _("{body} can’t attack after pursuing."),
    "covered": _("{body} can’t carry out the order: other troops cover {target}."),
    "range": _("{body} can’t carry out the order: no range to {target}."),
    "support": _("{body} can’t carry out the order: {target} can’t be reached."),
    "assailed": _("{body} can’t shoot at anyone else while attacked at contact."),
    "no-power": _("No weapon of {body} can hurt {target}."),
    "surrounded": _("{body} can’t withdraw: surrounded."),
    "invested": _("{body} can’t withdraw: shut in."),
}


@tells(e.OrderLost)
def _order_lost(b: BattleNow, ev: e.OrderLost) -> Message:
    return say(WHY_LOST[ev.why], body=name_of(b, ev.body), target=name_of(b, ev.target))


HIT: Mapping[str, Term] = {
    "shot": by_number(
        "Shots of {body} at {target}: {percent}% of {power}, {loss} point.",
        "Shots of {body} at {target}: {percent}% of {power}, {loss} points.",
        "loss",
    ),
    "close": by_number(
        "Shots of {body} at the attacking {target}: {percent}% of {power}, {loss} point.",
        "Shots of {body} at the attacking {target}: {percent}% of {power}, {loss} points.",
        "loss",
    ),
    "contact": by_number(
        "Attack of {body} on {target}: {percent}% of {power}, {loss} point.",
        "Attack of {body} on {target}: {percent}% of {power}, {loss} points.",
        "loss",
    ),
    "pursuit": by_number(
        "Pursuit of {target} by {body}: {percent}% of {power}, {loss} point.",
        "Pursuit of {target} by {body}: {percent}% of {power}, {loss} points.",
        "loss",
    ),
    "riposte": by_number(
        "Riposte of {body} against {target}: {percent}% of {power}, {loss} point.",
        "Riposte of {body} against {target}: {percent}% of {power}, {loss} points.",
        "loss",
    ),
}
HALVED = by_number(
    "Pursuit of the more mobile {target} by {body}: half of {percent}% of {power}, {loss} point.",
    "Pursuit of the more mobile {target} by {body}: half of {percent}% of {power}, {loss} points.",
    "loss",
)
HIT_UNTOLD: Mapping[str, Term] = {
    "shot": _("The shots of {body} hit {target}."),
    "close": _("The shots of {body} hit the attacking {target}."),
    "contact": _("The attack of {body} on {target} breaks through."),
    "pursuit": _("The pursuit of {target} by {body} strikes home."),
    "riposte": _("The riposte of {body} hits {target}."),
}
MISSED: Mapping[str, Term] = {
    "shot": _("The shots of {body} miss {target}."),
    "close": _("The shots of {body} miss the attacking {target}."),
    "contact": _("The attack of {body} on {target} fails."),
    "pursuit": _("The pursuit of {target} by {body} fails."),
    "riposte": _("The riposte of {body} misses {target}."),
}


@tells(e.Attacked)
def _attacked(b: BattleNow, ev: e.Attacked) -> Message:
    names: dict[str, object] = {"body": name_of(b, ev.body), "target": name_of(b, ev.target)}
    if ev.success:
        if not ev.percent or not ev.power:
            return say(HIT_UNTOLD[ev.mode], **names)
        template = HALVED if ev.halved else HIT[ev.mode]
        return say(template, **names, percent=ev.percent, power=ev.power, loss=ev.loss)
    if ev.friend:
        return say(_("The shots of {body} into the melee hit friends: {friend}."), body=names["body"],
                   friend=name_of(b, ev.friend))  # fmt: skip
    return say(MISSED[ev.mode], **names)


@tells(e.Heartened)
def _heartened(b: BattleNow, ev: e.Heartened) -> Message:
    body, foe = name_of(b, ev.body), name_of(b, ev.foe)
    return say(_("Next attack of {body} against {foe}: +{amount}."), body=body, foe=foe, amount=ev.amount)


CAPPED = _("Losses of {body}: {lost}, the most one assault can cost, {share}% in all, {state}.")
PLAIN = _("Losses of {body}: {lost}, {share}% of the force in all, {state}.")


@tells(e.Suffered)
def _suffered(b: BattleNow, ev: e.Suffered) -> Message:
    state = STATE_WORDS[state_of(ev.losses, ev.force)]
    if ev.lost is None:
        word = band_of(ev.force - ev.losses, ev.force).word
        return say(_("{body}: losses taken, {word}, {state}."), body=name_of(b, ev.body), word=word, state=state)
    share = 100 * ev.losses // ev.force
    if ev.masked:
        return say(_("Losses of {body}: {lost}% of the force, {share}% in all, {state}."), body=name_of(b, ev.body),
                   lost=ev.lost, share=share, state=state)  # fmt: skip
    template = CAPPED if ev.capped else PLAIN
    return say(template, body=name_of(b, ev.body), lost=ev.lost, share=share, state=state)


@tells(e.Broke)
def _broke(b: BattleNow, ev: e.Broke) -> Message:
    return say(_("{body}: broken and routed."), body=name_of(b, ev.body))


@tells(e.ShelterLost)
def _shelter_lost(b: BattleNow, ev: e.ShelterLost) -> Message:
    return say(_("The fortified place no longer protects {body}."), body=name_of(b, ev.body))


@tells(e.Rests)
def _rests(b: BattleNow, ev: e.Rests) -> Message:
    return say(_("{body} can’t attack next round after pursuing."), body=name_of(b, ev.body))


@tells(e.Rallied)
def _rallied(b: BattleNow, ev: e.Rallied) -> Message:
    body = name_of(b, ev.body)
    if not ev.success:
        return say(_("The rally of {body} fails."), body=body)
    if not ev.percent:
        return say(_("{body}: rallied."), body=body)
    return say(_("{body}: rallied, {percent}% of the losses recovered."), body=body, percent=ev.percent)


LEFT: Mapping[str, Term] = {
    "withdrawn": _("{army}: withdrawn from the field."),
    "fled": _("{army}: flight from the field."),
    "annihilated": _("{army}: annihilated."),
    "surrendered": _("{army}: surrender."),
}


@tells(e.BodyLeft)
def _left(b: BattleNow, ev: e.BodyLeft) -> Message:
    return say(LEFT[ev.status], army=name_of(b, ev.body))


@tells(e.DistanceChanged)
def _distance_changed(b: BattleNow, ev: e.DistanceChanged) -> Message:
    distance = DISTANCE_NAMES[ev.distance]
    if ev.side is None:
        return say(_("The fleets fight at another distance: {distance}."), distance=distance)
    return say(_("Distance chosen by {side}: {distance}."), side=side_name(b, ev.side), distance=distance)


@tells(e.SurpriseEnded)
def _surprise_ended(b: BattleNow, ev: e.SurpriseEnded) -> Message:
    return say(_("No longer surprised: {sides}."), sides=[side_name(b, side) for side in ev.sides])


@tells(e.LossesShared)
def _losses_shared(b: BattleNow, ev: e.LossesShared) -> Message:
    units = b.armies[ev.army].units
    told = [say(_("{unit} {points}"), unit=units[unit].name, points=points) for unit, points in ev.units.items()]
    return say(_("Losses of {body} redistributed: {units}."), body=name_of(b, ev.body), units=told)


LAST = "field"  # reason of an end in which only the winner is left
ENDS: Mapping[str, Term] = {
    "nobody": _("Nobody is left on the field."),
    "quiet": _("Two rounds without an attack: the battle ends in a draw."),
    "dusk": _("Dusk ends the battle in a draw."),
    "unfought": _("All sides withdraw: no battle is fought."),
}


@tells(e.BattleEnded)
def _battle_ended(b: BattleNow, ev: e.BattleEnded) -> Message:
    winner, reason = ev.result
    if reason in ENDS:
        return say(ENDS[reason])
    return told_end(None if winner is None else side_name(b, winner), words_of(reason))


def words_of(reason: str) -> str:
    """Return the GM's own text for the end of the battle; "" if it ended because only one side is left."""
    return "" if reason == LAST else reason
