"""Log sentences of a battle, one for each event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.battle_law import LogEntry, Sum
from rules.core.breakdown import Breakdown, Line
from rules.core.dice import Roll
from rules.core.text import Said, Term, _, by_number, say
from rules.core.weights import Fall, Weight
from rules.hexbattle.common import EffectBegan, EffectEnded, PhaseEnded, army_of, name_of
from rules.hexbattle.ending import effect_in, told_effect
from rules.hexbattle.telling import army_entry, split_fields, unit_entry
from rules.wing_command.battle.combat import BACKWARD, NONE, RESULT_WORDS
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.state import HostState
from rules.wing_command.battle.run import faces
from rules.wing_command.battle.turn import PHASE_NAMES
from rules.wing_command.spec import MELEE
from rules.wing_command.starter import FATIGUES, MORALES, ORDERS, POSTURES, SPELLS

DEEDS: Mapping[str, Term] = {
    "change_order": _("changing the order"),
    "take_command": _("taking command"),
    "resign": _("resigning"),
}
POINTS = by_number("{unit}: {count} order point.", "{unit}: {count} order points.")
COSTS = by_number("Special order for {unit}: {count} point.", "Special order for {unit}: {count} points.")


def entry(state: HostState, kind: str, unit: str, words: Term, /, **more: Any) -> LogEntry:
    """A log entry about a unit. Arguments that aren't members of the entry are inserted into the text."""
    return unit_entry(state.field, kind, unit, words, **more)


def of_wing(state: HostState, kind: str, wing: str, words: Term, /, **more: Any) -> LogEntry:
    """A log entry about a wing."""
    found, (fields, told) = state.wings.get(wing), split_fields(more)
    text = say(words, wing=found.name if found else wing, **told)
    return army_entry(kind, wing, found.side if found else None, text, **fields)


def sums(title: Said, lines: tuple[Line, ...], army: str) -> tuple[Sum, ...]:
    return (Sum(title, Breakdown(lines), army),) if lines else ()


def test(rolls: tuple[Roll, ...], lines: tuple[Line, ...], limit: int) -> Mapping[str, int]:
    """The numbers of a test: the total of dice and lines, and the limit it must not exceed."""
    return {"check": faces(rolls) + sum(line.value for line in lines), "against": limit}


def name(state: HostState, unit: str) -> Said | str:
    return name_of(state.field, unit)


# Setup


def _option(state: HostState, event: e.OptionSet) -> LogEntry:
    return LogEntry("option-set", "", "", say(_("The GM sets an option of the battle.")), quiet=True)


def _leader(state: HostState, event: e.ArmyLeaderNamed) -> LogEntry:
    return entry(state, "army-leader-named", event.unit, _("Leader of the whole side: {unit}."))


def _edited(state: HostState, event: e.UnitEdited) -> LogEntry:
    return entry(state, "unit-edited", event.unit, _("The GM sets the figures of {unit}."))


def _order_set(state: HostState, event: e.OrderSet) -> LogEntry:
    return of_wing(state, "order-set", event.wing, _("{wing}: standing order {order}."),
                   order=ORDERS[event.order].name, quiet=True)  # fmt: skip


def _posture(state: HostState, event: e.PostureTaken) -> LogEntry:
    posture = POSTURES[event.posture].name
    return entry(state, "posture-taken", event.unit, _("{unit}: {posture}."), posture=posture, rule="WC-9.9")


# Initiative and command


def _initiative(state: HostState, event: e.InitiativeRolled) -> LogEntry:
    text = say(_("Initiative: {side}."), side=state.opening.sides[event.first])
    return LogEntry("initiative-rolled", "", "", text, event.rolls, rule="WC-9.2", side=event.first)


def _phase(state: HostState, event: e.PhaseBegan) -> LogEntry:
    text = say(_("{phase}: {side}."), phase=PHASE_NAMES[event.phase], side=state.opening.sides[event.side])
    return LogEntry("phase-began", "", "", text, side=event.side, quiet=True)


def _points(state: HostState, event: e.PointsRolled) -> LogEntry:
    return entry(state, "points-rolled", event.character, POINTS, count=event.points, rolls=event.rolls, rule="WC-4.2")


def _special(state: HostState, event: e.SpecialOrderGiven) -> LogEntry:
    return entry(state, "special-order-given", event.unit, COSTS, count=event.cost, rule="WC-4.3")


def _undistributed(state: HostState, event: e.DistributionEnded) -> LogEntry:
    return entry(state, "distribution-ended", event.character, _("{unit}: no more orders."), quiet=True)


def _command(state: HostState, event: e.CommandTested) -> LogEntry:
    words = {True: _("{unit}: command test for {deed} passed."), False: _("{unit}: command test for {deed} failed.")}
    return entry(
        state, "command-tested", event.character, words[event.success], deed=DEEDS[event.what], rolls=event.rolls,
        rule="WC-3", numbers=test(event.rolls, event.lines, event.threshold),
        sums=sums(_("Command test"), event.lines, army_of(event.character)),
    )  # fmt: skip


def _order(state: HostState, event: e.OrderChanged) -> LogEntry:
    return of_wing(state, "order-changed", event.wing, _("{wing}: new standing order {order}."),
                   order=ORDERS[event.order].name, rule="WC-6", weight=Weight.TELLING)  # fmt: skip


def _taken(state: HostState, event: e.CommandTaken) -> LogEntry:
    wing = state.wings[event.wing].name
    return entry(state, "command-taken", event.character, _("{unit}: command of {wing} taken."), wing=wing, rule="WC-6")


def _resigned(state: HostState, event: e.Resigned) -> LogEntry:
    wing = state.wings[event.wing].name
    return entry(state, "resigned", event.character, _("{unit}: command of {wing} given up."), wing=wing,
                 rule="WC-6")  # fmt: skip


def _chosen(state: HostState, event: e.SpellChosen) -> LogEntry:
    if not event.spell:
        return entry(state, "spell-chosen", event.character, _("{unit}: spell prepared."), rule="WC-7.3")
    words, spell = _("Spell prepared by {unit}: {spell}."), SPELLS[event.spell].name
    return entry(state, "spell-chosen", event.character, words, spell=spell, rule="WC-7.3")


def _tried(state: HostState, event: e.SpellTried) -> LogEntry:
    words = _("{unit}: spell cast.") if event.success else _("{unit}: spell failed.")
    known = {"numbers": {"check": faces(event.rolls), "against": event.limit}} if event.limit else {}
    return entry(
        state, "spell-tried", event.character, words, rolls=event.rolls, rule="WC-7.1",
        sums=sums(_("Casting aptitude"), event.lines, army_of(event.character)), **known,
    )  # fmt: skip


def _cast(state: HostState, event: e.SpellCast) -> LogEntry:
    spell = SPELLS[event.spell].name
    if not event.target:
        return entry(state, "spell-cast", event.character, _("Spell of {unit}: {spell}."), spell=spell, rule="WC-7.4")
    target = name(state, event.target) if ":" in event.target else event.target
    return entry(
        state, "spell-cast", event.character, _("Spell of {unit}: {spell} on {aim}."), spell=spell,
        aim=target, rule="WC-7.4", weight=Weight.TELLING,
    )  # fmt: skip


def _passed(state: HostState, event: e.SidePassed) -> LogEntry:
    text = say(_("{side}: pass."), side=state.opening.sides[event.side])
    return LogEntry("side-passed", "", "", text, side=event.side, rule="WC-9.3")


# Action


def _wing(state: HostState, event: e.WingTaken) -> LogEntry:
    return of_wing(state, "wing-taken", event.wing, _("Next wing to act: {wing}."), rule="WC-9.4")


def _wing_done(state: HostState, event: e.WingDone) -> LogEntry:
    return of_wing(state, "wing-done", event.wing, _("{wing}: action finished."), quiet=True)


def _acted(state: HostState, event: e.Acted) -> LogEntry:
    return entry(state, "acted", event.unit, _("{unit}: action finished."), quiet=True)


def _asked(state: HostState, event: e.BlowAsked) -> LogEntry:
    foe = name(state, event.blow.target)
    return entry(state, "blow-asked", event.blow.attacker, _("Attack of {unit} on {foe}. The GM enters the result."),
                 foe=foe, target=army_of(event.blow.target), rule="WC-8.9")  # fmt: skip


def _words_of_blow(event: e.Attacked) -> Term:
    if event.bolt:
        return _("Fire of {unit} hurled at {foe}: {result}.")
    if event.how != MELEE:
        return _("Shots of {unit} at {foe}: {result}.")
    charge, attack = _("Charge of {unit} against {foe}: {result}."), _("Attack of {unit} on {foe}: {result}.")
    return charge if event.charged else attack


def _attacked(state: HostState, event: e.Attacked) -> LogEntry:
    return _blow(state, "attacked", event, _words_of_blow(event), "WC-8.1")


def _duel(state: HostState, event: e.DuelFought) -> LogEntry:
    return _blow(state, "duel-fought", event, _("Duel of {unit} with {foe}: {result}."), "WC-8.8")


def _blow(state: HostState, kind: str, event: e.Attacked | e.DuelFought, words: Term, rule: str) -> LogEntry:
    known = {} if event.by_gm else {"numbers": {"check": event.sum}}
    return entry(
        state, kind, event.attacker, words, foe=name(state, event.target), result=_result_words(event),
        target=army_of(event.target), rolls=event.rolls, rule=rule,
        sums=sums(_("Attack"), event.lines, army_of(event.attacker)), **known,
    )  # fmt: skip


def _result_words(event: e.Attacked | e.DuelFought) -> Term:
    """A duel has no effect on the character who started it (WC-8.8)."""
    void = isinstance(event, e.DuelFought) and event.result == BACKWARD
    return RESULT_WORDS[NONE if void else event.result]


def _recoiled(state: HostState, event: e.Recoiled) -> LogEntry:
    return entry(state, "recoiled", event.unit, _("{unit}: recoil to {hex}."), hex=event.path[-1], rule="WC-8.3")


def _followed(state: HostState, event: e.FollowedUp) -> LogEntry:
    return entry(state, "followed", event.unit, _("{unit}: follow-up to {hex}."), hex=event.path[-1], rule="WC-8.4")


def _shaken(state: HostState, event: e.Shaken) -> LogEntry:
    return entry(state, "shaken", event.unit, _("{unit}: shaken."), rule="WC-8.2")


def _routed(state: HostState, event: e.Routed) -> LogEntry:
    return entry(state, "routed", event.unit, _("{unit}: routed."), rule="WC-8.2", weight=Weight.TELLING)


def _steadied(state: HostState, event: e.Steadied) -> LogEntry:
    return entry(state, "steadied", event.unit, _("{unit}: recovered ({state})."), state=MORALES[event.morale],
                 rule="WC-7.4")  # fmt: skip


def _fate(state: HostState, event: e.FateDecided) -> LogEntry:
    words = _("{unit}: escape to {hex}.") if event.saved else _("{unit} died with the troop.")
    return entry(state, "fate-decided", event.unit, words, hex=event.at, rolls=event.rolls, rule="WC-8.5")


def _fled(state: HostState, event: e.Fled) -> LogEntry:
    if event.left:
        return entry(state, "fled", event.unit, _("{unit}: flight off the map."), rule="WC-9.6", weight=Weight.TELLING,
                     fall=Fall.ROUTED)  # fmt: skip
    return entry(state, "fled", event.unit, _("{unit}: flight to {hex}."), hex=event.path[-1], rule="WC-9.6")


def _rallied(state: HostState, event: e.Rallied) -> LogEntry:
    words = _("{unit}: rallied ({state}).") if event.success else _("The rally of {unit} fails.")
    return entry(
        state, "rallied", event.unit, words, state=MORALES[event.morale], rolls=event.rolls, rule="WC-9.6",
        numbers=test(event.rolls, event.lines, event.limit), sums=sums(_("Rally"), event.lines, army_of(event.unit)),
    )  # fmt: skip


def _tired(state: HostState, event: e.Tired) -> LogEntry:
    return entry(state, "tired", event.unit, _("{unit}: {state}."), state=FATIGUES[event.fatigue], rule="WC-9.5")


def _rested(state: HostState, event: e.Rested) -> LogEntry:
    return entry(state, "rested", event.unit, _("{unit}: rest ({state})."), state=FATIGUES[event.fatigue],
                 rule="WC-9.5", quiet=True)  # fmt: skip


# Wings


def _tested(state: HostState, event: e.WingTested) -> LogEntry:
    firm, wavering = _("{wing}: firm after the loss of {lost}."), _("{wing}: wavering after the loss of {lost}.")
    words = firm if event.success else wavering
    return of_wing(
        state, "wing-tested", event.wing, words, lost=name(state, event.unit), rolls=event.rolls, rule="WC-5",
        numbers=test(event.rolls, event.lines, event.limit), sums=sums(_("Demoralization"), event.lines, event.wing),
    )  # fmt: skip


def _lowered(state: HostState, event: e.MoraleLowered) -> LogEntry:
    return of_wing(state, "morale-lowered", event.wing, _("{wing}: morale {morale}, shaken markers {shaken}."),
                   morale=event.morale, shaken=event.shaken, rule="WC-5.3")  # fmt: skip


def _broken(state: HostState, event: e.WingBroken) -> LogEntry:
    return of_wing(state, "wing-broken", event.wing, _("{wing}: broken and in retreat."), rule="WC-9.8",
                   weight=Weight.TURNING)  # fmt: skip


def _marker(state: HostState, event: e.MarkerGone) -> LogEntry:
    if event.wing:
        return of_wing(state, "marker-gone", event.wing, _("{wing}: one shaken marker less."), rule="WC-9.7")
    return entry(state, "marker-gone", event.unit, _("Special order of {unit} ended."), quiet=True)


def _turn(state: HostState, event: e.TurnEnded) -> LogEntry:
    return LogEntry(
        "turn-ended", "", "", say(_("Turn {number} is over."), number=event.turn), rule="WC-9.7", heading=True,
        begins=turn_title(event.turn + 1), ends=turn_title(event.turn),
    )  # fmt: skip


def turn_title(number: int) -> Said:
    return say(_("Turn {number}"), number=number)


# The GM


def _joined(state: HostState, event: e.WingJoined) -> LogEntry:
    text = say(_("New in the battle: {army}."), army=event.army.name)
    return LogEntry("wing-joined", event.army.id, "", text, side=event.army.side, weight=Weight.TELLING)


def _overridden(state: HostState, event: e.Overridden) -> LogEntry:
    if effect := effect_in(event.field):
        return told_effect(state.field, event, SPELLS[effect].name)
    if event.what in state.wings:
        return of_wing(state, "overridden", event.what, _("The GM changes {wing}: {reason}"), reason=event.reason)
    return entry(state, "overridden", event.what, _("The GM changes {unit}: {reason}"), reason=event.reason)


# Effects of spells


def _effect(state: HostState, event: EffectBegan) -> LogEntry:
    text = say(_("{spell} takes effect."), spell=SPELLS[event.effect.effect].name)
    return LogEntry("effect-began", "", "", text, quiet=True, rule="WC-7.4")


def _effect_ended(state: HostState, event: EffectEnded) -> LogEntry:
    text = say(_("{effect} ends."), effect=SPELLS[event.effect.effect].name)
    return LogEntry("effect-ended", "", "", text, rule="WC-7.4")


def _phase_ended(state: HostState, event: PhaseEnded) -> LogEntry:
    return LogEntry("phase-ended", "", "", say(_("The effects of this turn end.")), quiet=True, rule="WC-9.7")


TELL_COMMON: Mapping[type, Callable[[HostState, Any], LogEntry]] = {
    EffectBegan: _effect,
    EffectEnded: _effect_ended,
    PhaseEnded: _phase_ended,
}
"""For each common event that the law describes itself, the function that does it."""

TELL: Mapping[type, Callable[[HostState, Any], LogEntry]] = {
    e.OptionSet: _option,
    e.ArmyLeaderNamed: _leader,
    e.UnitEdited: _edited,
    e.OrderSet: _order_set,
    e.PostureTaken: _posture,
    e.InitiativeRolled: _initiative,
    e.PhaseBegan: _phase,
    e.PointsRolled: _points,
    e.SpecialOrderGiven: _special,
    e.DistributionEnded: _undistributed,
    e.CommandTested: _command,
    e.OrderChanged: _order,
    e.CommandTaken: _taken,
    e.Resigned: _resigned,
    e.SpellChosen: _chosen,
    e.SpellTried: _tried,
    e.SpellCast: _cast,
    e.SidePassed: _passed,
    e.WingTaken: _wing,
    e.WingDone: _wing_done,
    e.Acted: _acted,
    e.BlowAsked: _asked,
    e.Attacked: _attacked,
    e.DuelFought: _duel,
    e.Recoiled: _recoiled,
    e.FollowedUp: _followed,
    e.Shaken: _shaken,
    e.Routed: _routed,
    e.Steadied: _steadied,
    e.FateDecided: _fate,
    e.Fled: _fled,
    e.Rallied: _rallied,
    e.Tired: _tired,
    e.Rested: _rested,
    e.WingTested: _tested,
    e.MoraleLowered: _lowered,
    e.WingBroken: _broken,
    e.MarkerGone: _marker,
    e.TurnEnded: _turn,
    e.WingJoined: _joined,
    e.Overridden: _overridden,
}
"""For each event of the law, the function that describes it."""
