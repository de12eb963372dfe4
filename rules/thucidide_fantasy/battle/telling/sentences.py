"""Log sentences of a battle, one for each event of the law."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.battle_law import LogEntry, Sum
from rules.core.breakdown import Breakdown
from rules.core.text import NO_WORDS, Said, Term, _, by_number, say
from rules.core.weights import Fall, Weight
from rules.hexbattle.common import EffectBegan, EffectEnded, PhaseEnded, Withdrawn, army_of
from rules.hexbattle.ground import Timer
from rules.thucidide_fantasy.arsenal import TRAITS
from rules.thucidide_fantasy.battle.factors import DUEL, MELEE, PURSUIT, RIPOSTE, SHOT, TURNED
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.fold import CAPTURED
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.situation import DIVINE_BELL, DOUBLE_FLAGS, LIT, NO_FLAGS, PARALYSED
from rules.thucidide_fantasy.battle.telling.by_hand import GIFTS, overridden
from rules.thucidide_fantasy.battle.telling.summary import entry, name, name_effect, of_side, phase_name, spell_name
from rules.thucidide_fantasy.grimoire import APPEALS, INTERVENTIONS, SPELLS
from rules.thucidide_fantasy.starter import ORDERS, TROOPS

STANDS = by_number("{unit}: {count} stand lost.", "{unit}: {count} stands lost.")
BACK = by_number("{unit}: {count} stand regained.", "{unit}: {count} stands regained.")
WON = by_number("{side}: {count} counter gained.", "{side}: {count} counters gained.")
WINS_WHEN = by_number(
    "{side} will win when {count} enemy unit is destroyed.", "{side} will win when {count} enemy units are destroyed."
)
GIVES_ORDER = by_number(
    "Order of {side} for {count} counter: {order}.", "Order of {side} for {count} counters: {order}."
)
STARTS = by_number("{side}: {count} counter at the start.", "{side}: {count} counters at the start.")
FLAGGED = by_number("{unit}: {count} flag.", "{unit}: {count} flags.")
PARTLY_FLAGGED = by_number("{unit}: {count} flag, {ignored} ignored.", "{unit}: {count} flags, {ignored} ignored.")
KEPT = by_number("{count} loss is confirmed.", "{count} losses are confirmed.")
THROWS = by_number("Attack of {unit} on {foe} with {count} die.", "Attack of {unit} on {foe} with {count} dice.")
HOWS: Mapping[str, Term] = {
    MELEE: THROWS,
    TURNED: THROWS,
    SHOT: by_number("Shots of {unit} at {foe} with {count} die.", "Shots of {unit} at {foe} with {count} dice."),
    RIPOSTE: by_number("Riposte of {unit} against {foe} with {count} die.",
                       "Riposte of {unit} against {foe} with {count} dice."),
    PURSUIT: by_number("Pursuit and attack of {unit} on {foe} with {count} die.",
                       "Pursuit and attack of {unit} on {foe} with {count} dice."),
    DUEL: by_number(
        "Duel of {unit} with {foe}: {count} die."
    , "Duel of {unit} with {foe}: {count} dice."),
}  # fmt: skip
EFFECT_TEXTS: Mapping[str, Term] = {
    LIT: _("Units can’t enter. A unit that stood there lost a stand and left."), PARALYSED: APPEALS["angry"].summary,
    DOUBLE_FLAGS: INTERVENTIONS["double-flags"].summary, NO_FLAGS: INTERVENTIONS["no-flags"].summary,
    DIVINE_BELL: INTERVENTIONS["divine-bell"].summary,
}  # fmt: skip
WHYS: Mapping[str, Term] = {
    "leash": _("{unit}: crumbled, too far from the master."),
    "master": _("{unit}: crumbled, the master is gone."),
    "dust": _("{unit}: turned to dust, the time is over."),
}


def effect_name(state: FantasyState, timer: Timer) -> Said:
    return name_effect(state, timer.effect)


def effect_text(timer: Timer) -> Said:
    """Description of an effect; "" for a campaign's own spell."""
    spell = SPELLS.get(timer.effect)
    return EFFECT_TEXTS.get(timer.effect) or (spell.summary if spell else NO_WORDS)


# Setup


def _option(state: FantasyState, event: e.OptionSet) -> LogEntry:
    return LogEntry("option-set", "", "", say(_("The GM sets an option of the battle.")), quiet=True)


def _edited(state: FantasyState, event: e.UnitEdited) -> LogEntry:
    return entry(state, "unit-edited", event.unit, _("The GM sets the figures of {unit}."))


def _granted(state: FantasyState, event: e.TraitGranted) -> LogEntry:
    words = _("The GM gives {unit} a trait: {trait}.") if event.on else _(
        "The GM takes a trait away from {unit}: {trait}."
    )  # fmt: skip
    return entry(state, "trait-granted", event.unit, words, trait=TRAITS[event.borne.trait].name)


def _consent(state: FantasyState, event: e.ConsentSet) -> LogEntry:
    words = _("{side}: appeals to the enemy’s gods allowed.") if event.on else _(
        "{side}: appeals to the enemy’s gods not allowed."
    )  # fmt: skip
    return of_side(state, "consent-set", event.side, words, rule="TF-7", quiet=True)


def _victory(state: FantasyState, event: e.VictorySet) -> LogEntry:
    return of_side(state, "victory-set", event.side, WINS_WHEN, count=event.number, rule="TF-1.16", quiet=True)


def _general(state: FantasyState, event: e.GeneralNamed) -> LogEntry:
    return entry(state, "general-named", event.unit, _("General: {unit}."))


def _cards(state: FantasyState, event: e.CardsChosen) -> LogEntry:
    return entry(state, "cards-chosen", event.caster, _("{unit}: spells chosen."), quiet=True)


# Turn


def _lot(state: FantasyState, event: e.LotDrawn) -> LogEntry:
    return of_side(state, "lot-drawn", event.first, _("First to go: {side}."), rolls=event.rolls, rule="TF-1.2",
                   weight=Weight.TELLING)  # fmt: skip


def _turn(state: FantasyState, event: e.TurnBegan) -> LogEntry:
    told = {"number": event.turn, "side": state.opening.sides[event.side]}
    text = say(_("Turn {number}: {side}"), **told)
    return LogEntry("turn-began", "", "", text, side=event.side, begins=text, heading=True)


def _phase(state: FantasyState, event: e.PhaseBegan) -> LogEntry:
    return of_side(state, "phase-began", event.side, _("{phase}: {side}."), phase=phase_name(event.phase), quiet=True)


def _phase_ended(state: FantasyState, event: PhaseEnded) -> LogEntry:
    return of_side(state, "phase-ended", event.side, _("{phase} of {side} ends."), phase=phase_name(event.phase),
                   quiet=True)  # fmt: skip


def _activated(state: FantasyState, event: e.Activated) -> LogEntry:
    who = [name(state, one) for one in (*event.units, *event.characters)]
    if event.leader:
        return entry(state, "activated", event.leader, _("Activated by {unit}: {units}."), units=who, rule="TF-1.3")
    return of_side(state, "activated", event.side, _("Activated by {side}: {units}."), units=who, rule="TF-1.3")


def _order(state: FantasyState, event: e.OrderGiven) -> LogEntry:
    return of_side(state, "order-given", event.side, GIVES_ORDER, count=event.cost, order=ORDERS[event.kind].name,
                   rule="TF-1.13")  # fmt: skip


def _counters(state: FantasyState, event: e.CountersChanged) -> LogEntry:
    words = STARTS if event.why == "start" else WON
    return of_side(state, "counters-changed", event.side, words, count=event.change, rule="TF-1.13")


def _moved(state: FantasyState, event: e.MoveEnded) -> LogEntry:
    return entry(state, "move-ended", event.unit, _("{unit}: move finished."), quiet=True)


def _carried(state: FantasyState, event: e.Carried) -> LogEntry:
    return entry(state, "carried", event.unit, _("{unit}: {load} carried to {hex}."), load=name(state, event.load),
                 hex=event.path[-1], rule="TF-2.5")  # fmt: skip


def _announced(state: FantasyState, event: e.SpellAnnounced) -> LogEntry:
    return entry(state, "spell-announced", event.caster, _("{unit}: spell announced."), rule="TF-6.1")


# Combat


def _opened(state: FantasyState, event: e.CombatOpened) -> LogEntry:
    if not event.dice:
        return entry(state, "combat-opened", event.attacker, _("Attack of {unit} on {foe}."),
                     foe=name(state, event.target), target=event.target)  # fmt: skip
    sums = (Sum(_("Dice"), Breakdown(event.lines), army_of(event.attacker)),) if event.lines else ()
    return entry(state, "combat-opened", event.attacker, HOWS.get(event.how, THROWS), foe=name(state, event.target),
                 count=event.dice, sums=sums, target=event.target, rule="TF-1.8")  # fmt: skip


def _thrown(state: FantasyState, event: e.DiceThrown) -> LogEntry:
    words = _("{unit}: one die rerolled.") if event.again >= 0 else _("Roll of {unit}.")
    return entry(state, "dice-thrown", event.by, words, rolls=event.rolls, target=event.at)


def _confirmed(state: FantasyState, event: e.Confirmed) -> LogEntry:
    return entry(state, "confirmed", event.by, KEPT, count=event.kept, rule="TF-1.7", target=event.at)


def _lost(state: FantasyState, event: e.StandsLost) -> LogEntry:
    return entry(state, "stands-lost", event.unit, STANDS, count=event.stands, rule="TF-1.9")


def _flags(state: FantasyState, event: e.FlagsCounted) -> LogEntry:
    words = PARTLY_FLAGGED if event.ignored else FLAGGED
    return entry(state, "flags-counted", event.unit, words, count=event.flags, ignored=event.ignored, rule="TF-1.10")


def _retreated(state: FantasyState, event: e.Retreated) -> LogEntry:
    return entry(state, "retreated", event.unit, _("{unit}: retreat to {hex}."), hex=event.path[-1], rule="TF-1.10")


def _blocked(state: FantasyState, event: e.RetreatBlocked) -> LogEntry:
    return entry(state, "blocked", event.unit, _("{unit} can’t retreat: one stand lost."), rule="TF-1.10")


def _pursued(state: FantasyState, event: e.Pursued) -> LogEntry:
    return entry(state, "pursued", event.unit, _("{unit}: pursuit to {hex}."), hex=event.path[-1], rule="TF-1.11")


def _fled(state: FantasyState, event: e.CharacterFled) -> LogEntry:
    return entry(state, "character-fled", event.character, _("{unit}: flight to {hex}."), hex=event.path[-1],
                 rule="TF-4.5")  # fmt: skip


def _left(state: FantasyState, event: Withdrawn) -> LogEntry:
    captured = event.how == CAPTURED
    words = _("{unit}: captured.") if captured else _("{unit}: out of the battle.")
    return entry(state, "withdrawn", event.unit, words, rule="TF-4.5", weight=Weight.TELLING,
                 fall=Fall.CHARACTER if captured else Fall.NOBODY)  # fmt: skip


def _paused(state: FantasyState, event: e.FightPaused) -> LogEntry:
    return LogEntry("fight-paused", "", "", say(_("The battle waits for an answer.")), quiet=True)


def _resumed(state: FantasyState, event: e.FightResumed) -> LogEntry:
    return LogEntry("fight-resumed", "", "", say(_("The answer is given.")), quiet=True)


# Spells and gods


def _cast(state: FantasyState, event: e.SpellCast) -> LogEntry:
    if not event.spell:
        return entry(state, "spell-cast", event.caster, _("{unit}: spell cast."), rule="TF-6")
    aimed = [_aimed(state, one) for one in event.targets]
    told = {"spell": spell_name(state, event.spell), "targets": aimed}
    words = _("Spell of {unit}: {spell} ({targets}).") if aimed else _("Spell of {unit}: {spell}.")
    return entry(state, "spell-cast", event.caster, words, rule="TF-6.3", **told)


def _aimed(state: FantasyState, what: str) -> Said | str:
    """A target of a spell in words: a unit, a hex, a type of unit or an active spell."""
    if ":" in what:
        return name(state, what)
    kinds = (own.own.type for own in state.units.values())
    if what in TROOPS and what in kinds:
        return TROOPS[what].name
    return what if what in state.field.ground else spell_name(state, what)


def _declined(state: FantasyState, event: e.SpellDeclined) -> LogEntry:
    return entry(state, "spell-declined", event.caster, _("{unit}: no spell."), rule="TF-6.1")


def _summoned(state: FantasyState, event: e.Summoned) -> LogEntry:
    """Log text of an appearing unit, identical for raised, copied and false units, so that phantoms aren't revealed
    (T-31).
    """
    token = event.token
    text = say(_("A unit of {name} appears on {hex}."), name=token.name, hex=token.at)
    if event.hero is not None:
        text = say(_("{name} appears on {hex}."), name=name(state, token.id), hex=token.at)
    return LogEntry("summoned", token.army, "", text, side=token.side, weight=Weight.TELLING)


def _rebounded(state: FantasyState, event: e.Rebounded) -> LogEntry:
    if not event.at:
        return entry(state, "rebounded", event.unit, _("{unit}: the spell rebounds and is lost."), rule="TF-6.3")
    return entry(state, "rebounded", event.unit, _("{unit}: the blow turns against {foe}."),
                 foe=name(state, event.at), rule="TF-6.3")  # fmt: skip


def _phantom(state: FantasyState, event: e.PhantomVanished) -> LogEntry:
    return entry(state, "phantom-vanished", event.unit, _("{unit}: an illusion, now gone."), rule="TF-6.3",
                 weight=Weight.TELLING)  # fmt: skip


def _vanished(state: FantasyState, event: e.Vanished) -> LogEntry:
    return entry(state, "vanished", event.unit, WHYS[event.why], rule="TF-5.1", weight=Weight.TELLING)


def _turned(state: FantasyState, event: e.Turned) -> LogEntry:
    words = _("{unit}: turned against friends.") if event.turner else _("{unit}: no longer turned.")
    return entry(state, "turned", event.unit, words, rule="TF-5.3", quiet=bool(event.turner and event.left < 3))


def _teleported(state: FantasyState, event: e.Teleported) -> LogEntry:
    return entry(state, "teleported", event.unit, _("{unit}: carried off to {hex}."), hex=event.path[-1])


def _returned(state: FantasyState, event: e.StandsReturned) -> LogEntry:
    if event.at:
        return entry(state, "stands-returned", event.unit, _("{unit}: back on {hex}."), hex=event.at,
                     weight=Weight.TELLING)  # fmt: skip
    return entry(state, "stands-returned", event.unit, BACK, count=event.stands)


def _god(state: FantasyState, event: e.GodAnswered) -> LogEntry:
    table = APPEALS if event.table == "appeal" else INTERVENTIONS
    return entry(state, "god-answered", event.caster, _("Appeal of {unit} to a god: {answer}."),
                 answer=table[event.answer].name, rolls=event.rolls, rule="TF-7", weight=Weight.TELLING)  # fmt: skip


def _gained(state: FantasyState, event: e.RerollGained) -> LogEntry:
    return of_side(state, "reroll-gained", event.side, _("{side} can have one die rerolled later."), rule="TF-7")


def _spent(state: FantasyState, event: e.RerollSpent) -> LogEntry:
    return of_side(state, "reroll-spent", event.side, _("{side}: one die rerolled."), rule="TF-7", quiet=True)


def _home(state: FantasyState, event: e.Carrying) -> LogEntry:
    return entry(state, "carried-home", event.caster, _("The god carries {unit} to safety."), weight=Weight.TELLING)


def _burned(state: FantasyState, event: e.HexBurned) -> LogEntry:
    words = _("{unit}: out of the fire, to {hex}.") if len(event.path) > 1 else _("{unit} can’t leave the fire.")
    return entry(state, "hex-burned", event.unit, words, hex=event.path[-1], rule="TF-1.14")


def _began(state: FantasyState, event: EffectBegan) -> LogEntry:
    on = [name(state, what) if ":" in what else what for what in event.effect.on if not what.startswith("side:")]
    text = say(_("{effect}: {targets}."), effect=effect_name(state, event.effect), targets=on)
    plain = say(_("{effect}."), effect=effect_name(state, event.effect))
    return LogEntry("effect-began", "", "", text if on else plain, side=_side_of(event.effect))


def _ended(state: FantasyState, event: EffectEnded) -> LogEntry:
    text = say(_("{effect} ends."), effect=effect_name(state, event.effect))
    return LogEntry("effect-ended", "", "", text, side=_side_of(event.effect))


def _side_of(timer: Timer) -> int | None:
    return timer.side if timer.side >= 0 else None


# The GM


def _joined(state: FantasyState, event: e.ArmyJoined) -> LogEntry:
    text = say(_("New on the side of {side}: {army}."), army=event.army.name, side=state.opening.sides[event.army.side])
    return LogEntry("army-joined", event.army.id, "", text, side=event.army.side, weight=Weight.TELLING)


TELL: Mapping[type, Callable[[FantasyState, Any], LogEntry]] = {
    e.OptionSet: _option, e.UnitEdited: _edited, e.TraitGranted: _granted, e.ConsentSet: _consent,
    **GIFTS,
    e.VictorySet: _victory, e.GeneralNamed: _general, e.CardsChosen: _cards, e.LotDrawn: _lot, e.TurnBegan: _turn,
    e.PhaseBegan: _phase, PhaseEnded: _phase_ended, e.Activated: _activated, e.OrderGiven: _order,
    e.CountersChanged: _counters, e.MoveEnded: _moved, e.Carried: _carried, e.SpellAnnounced: _announced,
    e.CombatOpened: _opened, e.DiceThrown: _thrown, e.Confirmed: _confirmed, e.StandsLost: _lost,
    e.FlagsCounted: _flags, e.Retreated: _retreated, e.RetreatBlocked: _blocked, e.Pursued: _pursued,
    e.CharacterFled: _fled, Withdrawn: _left, e.FightPaused: _paused, e.FightResumed: _resumed, e.SpellCast: _cast,
    e.SpellDeclined: _declined, e.Summoned: _summoned, e.Rebounded: _rebounded, e.PhantomVanished: _phantom,
    e.Vanished: _vanished, e.Turned: _turned, e.Teleported: _teleported, e.StandsReturned: _returned,
    e.GodAnswered: _god, e.RerollGained: _gained, e.RerollSpent: _spent, e.Carrying: _home, e.HexBurned: _burned,
    EffectBegan: _began, EffectEnded: _ended, e.ArmyJoined: _joined, e.Overridden: overridden,
}  # fmt: skip
"""For each event of the law, the function that describes it."""
