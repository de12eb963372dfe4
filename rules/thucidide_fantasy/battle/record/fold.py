"""Fold of a battle's events: how each changes the state. It never validates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.hexbattle import common
from rules.hexbattle.ground import without_all
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.entering import (
    army_names_of,
    people_of,
    tokens_of,
    units_of,
    with_one_general,
)
from rules.thucidide_fantasy.battle.record.hand_fold import (
    edit_unit,
    give_trait,
    name_general,
    overridden,
    put,
    take_trait,
)
from rules.thucidide_fantasy.battle.record.state import (
    CASTING,
    DREAMS,
    IDLE,
    PHASES,
    Activation,
    FantasyState,
    Person,
    Reroll,
    by_side,
)
from rules.thucidide_fantasy.spec import CARDS


def _option(state: FantasyState, event: e.OptionSet) -> FantasyState:
    value: Any = event.value
    return state.but(options=state.options._replace(**{event.name: value}))


def _granted(state: FantasyState, event: e.TraitGranted) -> FantasyState:
    if event.on:
        return give_trait(state, event.unit, event.borne)
    return take_trait(state, event.unit, event.borne.trait)


def _dreamt(state: FantasyState, event: e.DreamSent) -> FantasyState:
    before = state.dreams[event.side]
    now = tuple(what for what in DREAMS if (event.on if what == event.what else what in before))
    return state.but(dreams=by_side(state.dreams, event.side, now))


def _cards(state: FantasyState, event: e.CardsChosen) -> FantasyState:
    return state.with_person(event.caster, cards=event.spells, points=event.points, chosen=True)


SETUP: Mapping[type, Callable[[FantasyState, Any], FantasyState]] = {
    e.OptionSet: _option,
    e.UnitEdited: edit_unit,
    e.TraitGranted: _granted,
    e.ConsentSet: lambda state, event: state.but(consents=by_side(state.consents, event.side, event.on)),
    e.DreamSent: _dreamt,
    e.CardsDreamt: lambda state, event: state,
    e.DeploymentSealed: lambda state, event: state.but(sealed=by_side(state.sealed, event.side, event.on)),
    e.VictorySet: lambda state, event: state.but(victory=by_side(state.victory, event.side, event.number)),
    e.GeneralNamed: name_general,
    e.CardsChosen: _cards,
}
"""For each setup event, the function that applies it."""


def gained(state: FantasyState, event: e.RerollGained) -> FantasyState:
    own_turn = event.side == state.side  # its current phase doesn't count (T-36)
    return state.but(rerolls=(*state.rerolls, Reroll(event.side, 1 + own_turn)))


def spent(state: FantasyState, event: e.RerollSpent) -> FantasyState:
    kept = list(state.rerolls)
    first = next((one for one in kept if one.side == event.side), None)
    if first:
        kept.remove(first)
    return state.but(rerolls=tuple(kept))


def after_phase(state: FantasyState, event: common.PhaseEnded) -> FantasyState:
    if event.phase != CASTING:
        return state
    left = (one._replace(until=one.until - (one.side == event.side)) for one in state.rerolls)
    return state.but(rerolls=tuple(one for one in left if one.until > 0))


CAPTURED, CRUMBLED, VANISHED, CARRIED_HOME = "captured", "crumbled", "vanished", "carried-home"


def after(state: FantasyState, event: Any) -> FantasyState:
    """The state after one event."""
    handler = APPLY.get(type(event))
    if handler is not None:
        return handler(state, event)
    field = common.after(state.field, event)
    if field is not state.field:
        state = state.but(field=field)
    more = AFTER_COMMON.get(type(event))
    return more(state, event) if more else state


# Turn


def _lot(state: FantasyState, event: e.LotDrawn) -> FantasyState:
    return state.but(first=event.first, side=event.first)


def _turn(state: FantasyState, event: e.TurnBegan) -> FantasyState:
    units = {unit: own if own.doing is IDLE else own._replace(doing=IDLE) for unit, own in state.units.items()}
    people = {one: own if own.doing is IDLE else own._replace(doing=IDLE) for one, own in state.people.items()}
    return state.but(
        units=units, people=people, side=event.side, turn=event.turn, phase=PHASES[0], share=event.share,
        allowed=event.allowed, activations=(), order="",
    )  # fmt: skip


def _activated(state: FantasyState, event: e.Activated) -> FantasyState:
    now = state
    if event.units or event.leader or set(event.characters) - set(event.free):
        now = now.but(activations=(*now.activations, Activation(event.leader, event.units)))
    bonus = _forward(state, event.leader)
    for unit in event.units:
        more = now.doing(unit).bonus + bonus
        now = now.with_doing(unit, activated=True, leader=event.leader, bonus=more)
    for one in event.characters:
        now = now.with_doing(one, activated=True, leader=event.leader, free=one in event.free)
    return now


def _forward(state: FantasyState, leader: str) -> int:
    """The extra hex for units of a leader who was given the order *forward* before."""
    return int(bool(leader) and state.order == f"forward:{leader}")


def _ordered(state: FantasyState, event: e.OrderGiven) -> FantasyState:
    now = state.but(
        counters=by_side(state.counters, event.side, state.counters[event.side] - event.cost),
        order=f"{event.kind}:{event.leader}" if event.leader else event.kind,
    )
    if event.kind == "reconnaissance":
        return now.but(share=1, allowed=1)
    if event.kind == "general-assault":
        return now.but(allowed=now.allowed + 1)
    if event.kind == "courier":
        for unit in event.units:
            now = now.with_doing(unit, activated=True)
    if event.kind in ("forced-march", "forward"):
        for unit in event.units:
            now = now.with_doing(unit, bonus=now.doing(unit).bonus + 1)
    if event.kind == "woodsman":
        for unit in event.units:
            now = now.with_doing(unit, woodsman=event.number)
    return now


def _counters(state: FantasyState, event: e.CountersChanged) -> FantasyState:
    return state.but(counters=by_side(state.counters, event.side, state.counters[event.side] + event.change))


def _move_ended(state: FantasyState, event: e.MoveEnded) -> FantasyState:
    return state.with_doing(event.unit, done=True, far=event.far)


def _carried(state: FantasyState, event: e.Carried) -> FantasyState:
    start = state.at(event.load)
    now = _shifted(state, event.load, event.path[-1])
    for piece in (event.unit, event.load):
        now = now.with_doing(piece, carried=True, stirred=True)
    for one in state.people_at(start):  # they have moved, if only into the same hex (T-62)
        now = now.with_doing(one, stirred=True)
    return now.with_doing(event.load, start=start, done=True)


def _shifted(state: FantasyState, unit: str, at: str) -> FantasyState:
    """Move a unit and its characters without a move of their own; they count as having moved (T-62)."""
    now = put(state, unit, at)
    for piece in now.field.tokens:
        if now.at(piece) == at and state.at(piece) != at:
            now = now.with_doing(piece, stirred=True, shifted=True)
    return now


# Combat


def _opened(state: FantasyState, event: e.CombatOpened) -> FantasyState:
    now = state
    if event.attacker in state.field.tokens and event.target in state.field.tokens:
        ends = (state.at(event.attacker), state.at(event.target))
        now = state.but(last=ends if all(ends) else state.last)
    for one in event.joined:
        now = now.with_doing(one, fought=True)
    return now.with_doing(event.attacker, fought=True) if event.opens or event.how == "duel" else now


def _lost(state: FantasyState, event: e.StandsLost) -> FantasyState:
    if event.unit in state.units:
        return state.with_stands(event.unit, state.units[event.unit].stands - event.stands)
    return state.with_person(event.unit, left=max(0, state.people[event.unit].left - event.stands))


def _retreated(state: FantasyState, event: e.Retreated) -> FantasyState:
    return _shifted(state, event.unit, event.path[-1])


def _blocked(state: FantasyState, event: e.RetreatBlocked) -> FantasyState:
    return state.with_stands(event.unit, state.units[event.unit].stands - 1)


def _pursued(state: FantasyState, event: e.Pursued) -> FantasyState:
    return _shifted(state, event.unit, event.path[-1]).with_doing(event.unit, pursued=True)


def _fled(state: FantasyState, event: e.CharacterFled) -> FantasyState:
    return _shifted(state, event.character, event.path[-1])


# Spells and gods


def _cast(state: FantasyState, event: e.SpellCast) -> FantasyState:
    if event.caster not in state.people:
        return state
    person = state.people[event.caster]
    cards = list(person.cards)
    points = person.points
    if state.options.supply == CARDS:
        if event.spell in cards:
            cards.remove(event.spell)
    elif event.spell in state.options.spells:
        points -= state.options.spells[event.spell].cost
    now = state.with_person(event.caster, cards=tuple(cards), points=points)
    if event.spell == "animate-dead":
        now = now.but(used_graves=now.used_graves | {event.targets[-1]})
    return now.with_doing(event.caster, cast=True)


def _summoned(state: FantasyState, event: e.Summoned) -> FantasyState:
    token = event.token
    field = common.after(state.field, common.Arrived(token))
    now = state.but(field=field)
    if event.hero is not None:
        person = Person(event.hero, event.hero.resistance, event.hero.resistance)
        return now.but(people={**now.people, token.id: person})
    return now.but(units={**now.units, token.id: event.unit})


def _gone(how: str) -> Callable[[FantasyState, Any], FantasyState]:
    def leaves(state: FantasyState, event: Any) -> FantasyState:
        now = _off(state, event.unit, how)
        return _lost_to_its_side(now, event.unit) if how == CRUMBLED else now

    return leaves


def _off(state: FantasyState, piece: str, how: str) -> FantasyState:
    field = state.field.put(piece, at="", gone=how)
    return state.but(field=field.timed(without_all(field.timers, {piece})) if field.timers else field)


def _lost_to_its_side(state: FantasyState, unit: str) -> FantasyState:
    """Count a unit as destroyed, at most once, unless it was summoned (T-18, T-61)."""
    if unit not in state.units or state.units[unit].summoned:
        return state
    side = state.field.armies[common.army_of(unit)]
    return state.but(fallen=by_side(state.fallen, side, state.fallen[side] | {unit}))


def _turned(state: FantasyState, event: e.Turned) -> FantasyState:
    """Turned undead belong to the side of whoever turned them, until it ends (T-11)."""
    own = state.field.armies[common.army_of(event.unit)]
    side = state.side_of(event.turner) if event.turner else own
    field = state.field
    if field.tokens[event.unit].side != side:
        field = field.put(event.unit, side=side)
    return state.but(field=field).with_unit(event.unit, turner=event.turner, turns_left=event.left)


def _teleported(state: FantasyState, event: e.Teleported) -> FantasyState:
    return _shifted(state, event.unit, event.path[-1])


def _returned(state: FantasyState, event: e.StandsReturned) -> FantasyState:
    own = state.units[event.unit]
    had = 0 if event.at else own.stands  # undead that crumbled still had stands
    now = state.with_unit(event.unit, stands=min(own.start, had + event.stands))
    if not event.at:
        return now
    field = now.field.put(event.unit, at=event.at, gone="")
    return now.but(field=field).with_unit(event.unit, doing=IDLE)


def _carried_home(state: FantasyState, event: e.Carrying) -> FantasyState:
    return _without_leader(_off(state, event.caster, CARRIED_HOME), event.caster)


def _without_leader(state: FantasyState, person: str) -> FantasyState:
    if person not in state.generals:
        return state
    return state.but(generals=tuple("" if own == person else own for own in state.generals))


# The GM


def _joined(state: FantasyState, event: e.ArmyJoined) -> FantasyState:
    salt, field = state.opening.salt, state.field
    for token in tokens_of(event.army, salt):
        field = common.after(field, common.Arrived(token))
    joined = (*state.joined, event.army)
    field = field.but(army_names=army_names_of(state.opening, joined))
    people = {**state.people, **people_of(event.army, salt)}
    units = {**state.units, **units_of(event.army, salt)}
    return state.but(field=field, units=units, people=with_one_general(people, state.generals), joined=joined)


# Further consequences of common events


def _moved(state: FantasyState, event: common.Moved) -> FantasyState:
    now = state.but(last=(event.path[0], event.path[-1]) if event.path[0] and None not in event.seen else state.last)
    doing = now.doing(event.unit)
    return now.with_doing(event.unit, stirred=True, start=doing.start or event.path[0])


def _destroyed(state: FantasyState, event: common.Destroyed) -> FantasyState:
    now = _without_leader(state, event.unit)
    return _lost_to_its_side(now, event.unit)


def _withdrawn(state: FantasyState, event: common.Withdrawn) -> FantasyState:
    return _without_leader(state, event.unit)


def _same(state: FantasyState, _event: Any) -> FantasyState:
    return state


AFTER_COMMON: Mapping[type, Callable[[FantasyState, Any], FantasyState]] = {
    common.Moved: _moved,
    common.Destroyed: _destroyed,
    common.Withdrawn: _withdrawn,
    common.PhaseEnded: after_phase,
}

APPLY: Mapping[type, Callable[[FantasyState, Any], FantasyState]] = {
    **SETUP,
    e.LotDrawn: _lot,
    e.TurnBegan: _turn,
    e.PhaseBegan: lambda state, event: state.but(phase=event.phase),
    e.Activated: _activated,
    e.OrderGiven: _ordered,
    e.CountersChanged: _counters,
    e.MoveEnded: _move_ended,
    e.Carried: _carried,
    e.SpellAnnounced: lambda state, event: state.with_doing(event.caster, announced=True, done=True),
    e.CombatOpened: _opened,
    e.DiceThrown: _same,
    e.Confirmed: _same,
    e.StandsLost: _lost,
    e.FlagsCounted: _same,
    e.Retreated: _retreated,
    e.RetreatBlocked: _blocked,
    e.Pursued: _pursued,
    e.CharacterFled: _fled,
    e.FightPaused: lambda state, event: state.but(fight=event.fight),
    e.FightResumed: lambda state, event: state.but(fight=None),
    e.SpellCast: _cast,
    e.SpellDeclined: lambda state, event: state.with_doing(event.caster, cast=True),
    e.Summoned: _summoned,
    e.Rebounded: _same,
    e.PhantomVanished: _gone(VANISHED),
    e.Vanished: _gone(CRUMBLED),
    e.Turned: _turned,
    e.Teleported: _teleported,
    e.StandsReturned: _returned,
    e.GodAnswered: _same,
    e.RerollGained: gained,
    e.RerollSpent: spent,
    e.Carrying: _carried_home,
    e.HexBurned: lambda state, event: _shifted(state, event.unit, event.path[-1]) if len(event.path) > 1 else state,
    e.ArmyJoined: _joined,
    e.Overridden: overridden,
}
"""For each event of the law, the function that applies it."""
