"""Fold of GM overrides: how each override field changes the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.hexbattle.field import Grave
from rules.hexbattle.hand import effect_in, with_turns
from rules.hexbattle.timers import Timer
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.borne_traits import give_trait, take_trait
from rules.thucidide_fantasy.battle.record.roles import ROLES_IN_PLAY, give_role
from rules.thucidide_fantasy.battle.record.state import CASTING, FantasyState, Person, Unit, by_side
from rules.thucidide_fantasy.spec import BorneTrait

GIVE = "+"
SIDES = ("0", "1")
OF_DOING = ("activated", "fought", "announced", "done")


def overridden(state: FantasyState, event: e.Overridden) -> FantasyState:
    value: Any = event.value
    if effect_in(event.field):
        return _turns(state, event.what, effect_in(event.field), value)
    if event.field in FIELDS:
        return FIELDS[event.field](state, event.what, value)
    if event.field in OF_DOING:
        return state.with_doing(event.what, **{event.field: value})
    if event.what in state.units:
        if event.field in Unit._fields:
            return state.with_unit(event.what, **{event.field: value})
        return state.with_unit(event.what, own=state.units[event.what].own._replace(**{event.field: value}))
    if event.field in ROLES_IN_PLAY:
        return give_role(state, event.what, event.field, value)
    if event.field in Person._fields:
        return state.with_person(event.what, **{event.field: value})
    return state.with_person(event.what, own=state.people[event.what].own._replace(**{event.field: value}))


def put(state: FantasyState, unit: str, at: str) -> FantasyState:
    """Move a unit and its characters. It doesn't count as a move."""
    start = state.at(unit)
    riders = state.people_at(start) if unit in state.units else ()
    field = state.field
    for piece in (unit, *riders):
        field = field.put(piece, at=at)
    return state.but(field=field, last=(start, at))


def _counters(state: FantasyState, side: str, value: int) -> FantasyState:
    return state.but(counters=by_side(state.counters, int(side), value))


def _trait(state: FantasyState, piece: str, value: str) -> FantasyState:
    slug = value[1:]
    return give_trait(state, piece, BorneTrait(slug)) if value[0] == GIVE else take_trait(state, piece, slug)


def _card(state: FantasyState, person: str, value: str) -> FantasyState:
    cards = list(state.people[person].cards)
    if value[0] == GIVE:
        cards.append(value[1:])
    else:
        cards.remove(value[1:])
    return state.with_person(person, cards=tuple(cards))


def _grave(state: FantasyState, unit: str, at: str | None) -> FantasyState:
    """Set where a unit fell; "" removes its grave. A unit that already rose from its grave may rise again."""
    kept = tuple(grave for grave in state.field.graves if grave.unit != unit)
    graves = (*kept, Grave(at, unit)) if at else kept
    return state.but(field=state.field.but(graves=graves), used_graves=state.used_graves - {unit})


def _turns(state: FantasyState, what: str, effect: str, turns: int) -> FantasyState:
    """Change the turns an effect lasts. Its end is a separate event."""
    if not turns:
        return state
    if what in state.units and state.units[what].turner and effect == "turn":
        return state.with_unit(what, turns_left=turns + (state.side == state.side_of(what) and state.phase == CASTING))
    on = f"side:{what}" if what in SIDES else what
    return state.but(field=state.field.timed(
        with_turns(state.field.timers, on, effect, turns, lambda timer: begun_now(state, timer))
    ))  # fmt: skip


def begun_now(state: FantasyState, timer: Timer) -> bool:
    """Whether the current phase doesn't count for an effect, because it never ends effects that began in it (T-36)."""
    return state.side == timer.side and state.phase == CASTING


FIELDS: Mapping[str, Callable[[FantasyState, str, Any], FantasyState]] = {
    "counters": _counters, "at": put, "trait": _trait, "card": _card, "grave": _grave,
}  # fmt: skip
