"""Knowledge of a viewer (H-5 … H-8, TF-9 *Secret*): each side's cards, phantoms and groves are known only to it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules.core.frozen_copy import changed, remembered
from rules.core.viewers import Viewer
from rules.hexbattle import seeing
from rules.hexbattle.field import SIDES, Field
from rules.hexbattle.ground import BattleGround, Timer, hex_of
from rules.hexes.geometry import place_of
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.state import (
    DEPLOYMENT,
    LIST,
    Activation,
    BattleOpening,
    FantasyState,
    Person,
)
from rules.thucidide_fantasy.battle.situation import GROVE, unseen_in

WOOD = "wood"


def seen(state: FantasyState, viewer: Viewer) -> FantasyState:
    """The part of the state this viewer may know."""
    if viewer.gm:
        return state
    own = seeing.sides_of(state.field, viewer)
    field = state.field
    if not field.started or _hides(state):
        shown = places_shown(state, own)
        cut = seeing.seen_by(field, viewer, lambda side: unseen_in(state.field, side), shown=shown)
        field = _with_woods(cut, own)
    elif len(own) < len(SIDES):
        met = tuple(known if side in own else frozenset[str]() for side, known in enumerate(field.met))
        field = changed(field, met=met)
    units = seeing.without_foreign_reasons(state.units, viewer)
    if len(field.tokens) < len(state.field.tokens) or _pretends(state):
        units = {
            unit: figures._replace(false=False) if figures.false and state.side_of(unit) not in own else figures
            for unit, figures in units.items()
            if unit in field.tokens
        }
    open_lists = own | lists_shown(state, own)
    people = {
        one: _of_enemy(person) if state.side_of(one) not in open_lists else person
        for one, person in state.people.items()
        if one in field.tokens
    }
    opening = _public_opening(state)
    dreams = tuple(dreamt if side in own else () for side, dreamt in enumerate(state.dreams))
    if units is state.units and field.tokens is state.field.tokens and field.timers is state.field.timers:
        return state.keeping(field=field, people=people, opening=opening, dreams=dreams)
    activations = state.activations
    if len(field.tokens) < len(state.field.tokens):
        activations = tuple(_known(one, field) for one in activations)
    return state.but(field=field, units=units, people=people, opening=opening, activations=activations, dreams=dreams)


def _known(made: Activation, field: Field) -> Activation:
    """An activation without the units and leaders its reader doesn't see."""
    leader = made.leader if made.leader in field.tokens else ""
    return made._replace(leader=leader, units=tuple(unit for unit in made.units if unit in field.tokens))


def keeps_secrets(state: FantasyState) -> bool:
    """Whether the sides see different fields once the battle has begun."""
    return _hides(state) or _pretends(state)


@remembered
def _hides(state: FantasyState) -> bool:
    return any(token.hidden for token in state.field.tokens.values())


@remembered
def _pretends(state: FantasyState) -> bool:
    return any(unit.false for unit in state.units.values())


@remembered
def _public_opening(state: FantasyState) -> BattleOpening:
    return state.opening._replace(salt="")


def _of_enemy(person: Person) -> Person:
    """A character without what only their own side knows."""
    secret = person.cards or person.points or person.chosen
    return person._replace(cards=(), points=0, chosen=False) if secret else person


def places_shown(state: FantasyState, own: frozenset[int]) -> frozenset[int]:
    """The enemy sides whose places these sides see during setup.

    All once all are ready, except those in a fog; and those revealed by a dream, even through the fog (TF-7).
    """
    open_to_all = {side for side in seeing.places_shown(state.field) if not state.sealed[side]}
    return frozenset(open_to_all | {1 - side for side in own if DEPLOYMENT in state.dreams[side]})


def lists_shown(state: FantasyState, own: frozenset[int]) -> frozenset[int]:
    """The sides whose cards a dream shows to these sides, until the battle begins (TF-7)."""
    if state.field.started:
        return frozenset()
    return frozenset(1 - side for side in own if LIST in state.dreams[side])


def _with_woods(field: Field, own: frozenset[int]) -> Field:
    """The field with enemy groves turned into plain woods of the map, so that no effect reveals them."""
    found = [timer for timer in field.timers if timer.effect == GROVE and not _is_own(field, timer, own)]
    if not found:
        return field
    hexes = {at for timer in found for at, _terrain in timer.lays}
    others = tuple(timer for timer in field.timers if timer not in found)
    overlays = {at: terrain for at, terrain in field.ground.overlays.items() if at not in hexes}
    ground = BattleGround(_wooded(field.ground.document, hexes), overlays)
    return replace(field, timers=others, ground=ground)


def _is_own(field: Field, timer: Timer, own: frozenset[int]) -> bool:
    """Whether a side sees the grove as a grove: its unit stands in it. A viewer on no side sees a wood."""
    return any(unit in field.tokens and field.tokens[unit].side in own for unit in timer.on)


def _wooded(document: Any, hexes: set[str]) -> dict[str, Any]:
    rows = [list(row) for row in document["terrain"]]
    for at in hexes:
        column, row = place_of(hex_of(at))
        rows[row][column] = "w"
    return {**document, "terrain": ["".join(row) for row in rows]}


# Events


def without_secrets(state: FantasyState, event: Any, viewer: Viewer) -> Any | None:
    """The part of a witnessed event that this viewer may know; None if nothing is left."""
    own = seeing.sides_of(state.field, viewer)
    match event:
        case e.SpellCast() if event.secret and not _side(state, event.caster) & own:
            return event._replace(spell="", targets=())
        case e.Activated() if event.hidden and event.side not in own:
            return _without_hidden(event)
        case e.Summoned() if event.unit.false and event.token.side not in own:
            return event._replace(unit=event.unit._replace(false=False))
        case _:
            return seeing.tell_lines(state.units, event, viewer)


def _without_hidden(event: e.Activated) -> e.Activated | None:
    """The activation without hidden units; None if no others were activated."""
    kept = [
        tuple(one for one in some if one not in event.hidden) for some in (event.units, event.characters, event.free)
    ]
    if not kept[0] and not kept[1]:
        return None
    leader = "" if event.leader in event.hidden else event.leader
    return e.Activated(event.side, leader, *kept)


def _side(state: FantasyState, piece: str) -> frozenset[int]:
    side = seeing.side_of(state.field, piece)
    return frozenset() if side is None else frozenset({side})
