"""Fold of GM overrides: how each override field changes the state, the traits given and taken, and the roles that
follow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.hexbattle.common import army_of
from rules.hexbattle.ending import effect_in, with_turns
from rules.hexbattle.field import Grave
from rules.hexbattle.ground import Timer
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.entering import with_one_general
from rules.thucidide_fantasy.battle.record.state import CASTING, FantasyState, Person, Unit, by_side
from rules.thucidide_fantasy.contingent import USUAL_MELEE
from rules.thucidide_fantasy.figures import Tables, rate_of, set_figures
from rules.thucidide_fantasy.spec import (
    CASTER,
    GENERAL,
    HERO,
    INFANTRY,
    LEADER,
    MEDIUM,
    UNDEAD,
    BorneTrait,
    CharacterFigures,
)
from rules.thucidide_fantasy.starter import HERO_FASTER, ISOLATED_MOVE, WEIGHTS

# Roles of characters (leader, hero, caster) that follow from figures the GM sets (TF-8, T-48), and their events.

OF_ROLES = frozenset({"rank", "level", "resistance", "points"})
"""The figures that decide a character's roles."""
USUAL_LEVEL = "normal"


def edited_person(own: CharacterFigures, fields: Mapping[str, Any]) -> CharacterFigures:
    """The character with these figures. With resistance they are a hero, with spell points a caster, with a rank a
    leader (TF-8, T-48).
    """
    given: dict[str, Any] = {name: value or "" if name == "rank" else value for name, value in fields.items()}
    now = own._replace(**given)
    if "resistance" in fields and bool(now.resistance) != own.hero:
        now = _hero(now, fields) if now.resistance else _no_hero(now)
    kind = LEADER if now.rank else HERO if now.hero else CASTER if now.casts else now.kind
    level = now.level or USUAL_LEVEL if now.rank else ""
    return now._replace(kind=kind, level=level) if OF_ROLES & fields.keys() else now


def _hero(own: CharacterFigures, given: Mapping[str, Any]) -> CharacterFigures:
    """The character as a hero, with usual figures where none were given (TF-8)."""
    rate = rate_of(INFANTRY, MEDIUM, Tables())
    usual: dict[str, Any] = {"weight": WEIGHTS[MEDIUM].level, "melee": USUAL_MELEE, "move": rate.move + HERO_FASTER,
             "calm": rate.calm + HERO_FASTER}  # fmt: skip
    return own._replace(hero=True, **{name: figure for name, figure in usual.items() if name not in given})


def _no_hero(own: CharacterFigures) -> CharacterFigures:
    return own._replace(
        hero=False, weight=0, mounted=False, melee=0, shot=0, range=0, move=ISOLATED_MOVE, calm=ISOLATED_MOVE
    )


# Events


ROLES_IN_PLAY = OF_ROLES - {"points"}
"""Roles that can change in play. Spell points are excluded: there they mean the points left."""


def give_role(state: FantasyState, unit: str, name: str, value: Any) -> FantasyState:
    """The state with a role of a character changed; resistance already lost stays lost."""
    before = state.people[unit]
    own = edited_person(before.own, {name: value})
    left = max(1, own.resistance - (before.start - before.left)) if own.resistance else 0
    rank = own.rank if name == "rank" else before.rank
    now = state.with_person(unit, own=own, start=own.resistance, left=left, rank=rank)
    return _with_rank(now, unit, before.rank)


def name_general(state: FantasyState, event: e.GeneralNamed) -> FantasyState:
    generals = by_side(state.generals, event.side, event.unit)
    return state.but(generals=generals, people=with_one_general(state.people, generals))


def edit_unit(state: FantasyState, event: e.UnitEdited) -> FantasyState:
    figures, person = event.figures, event.person
    if figures is not None:
        return state.with_unit(event.unit, own=figures, stands=figures.stands, start=figures.stands)
    if person is None:
        return state
    before = state.people[event.unit]
    rank = before.rank if person.rank == before.own.rank else person.rank
    now = state.with_person(
        event.unit, own=person, left=person.resistance, start=person.resistance, rank=rank, points=person.points,
    )  # fmt: skip
    spells = state.options.spells
    if sum(spells[slug].cost for slug in before.cards if slug in spells) > person.points:
        now = now.with_person(event.unit, cards=(), chosen=False)
    return _with_rank(now, event.unit, before.rank)


def _with_rank(state: FantasyState, edited: str, before: str) -> FantasyState:
    """The state with its generals updated after a change of rank: the old general if still possible, else another."""
    if state.people[edited].rank == before:
        return state
    side = state.side_of(edited)
    there = (one for one in state.people if state.side_of(one) == side and not state.token(one).gone)
    able = [one for one in there if state.people[one].own.rank == GENERAL]
    known = state.generals[side]
    general = known if known in able else next(iter(able), "")
    return name_general(state, e.GeneralNamed(general, side))


# Traits given and taken during a battle; new undead get a master (C-3, TF-5.1).


def give_trait(state: FantasyState, piece: str, borne: BorneTrait) -> FantasyState:
    """The state with one more trait. A unit that becomes undead gets its default master."""
    if piece in state.people:
        person = state.people[piece].own
        return state.with_person(piece, own=person._replace(traits=(*person.traits, borne)))
    unit = state.units[piece]
    master = unit.master or usual_master(state, piece) if borne.trait == UNDEAD else unit.master
    return state.with_unit(piece, own=unit.own._replace(traits=(*unit.own.traits, borne)), master=master)


def take_trait(state: FantasyState, piece: str, slug: str) -> FantasyState:
    """The state without this trait. A unit that stops being undead loses its master."""
    if piece in state.people:
        person = state.people[piece].own
        kept = tuple(one for one in person.traits if one.trait != slug)
        return state.with_person(piece, own=person._replace(traits=kept))
    unit = state.units[piece]
    kept = tuple(one for one in unit.own.traits if one.trait != slug)
    return state.with_unit(piece, own=unit.own._replace(traits=kept), master="" if slug == UNDEAD else unit.master)


def usual_master(state: FantasyState, unit: str) -> str:
    """The default master of a unit: the first caster of its army still in the battle, else its commander, else ""."""
    own = [one for one in state.people if army_of(one) == army_of(unit) and not state.token(one).gone]
    casters = [one for one in own if state.people[one].own.casts and not state.people[one].commander]
    chiefs = [one for one in own if state.people[one].commander]
    return next(iter((*casters, *chiefs)), "")


# Fold of GM overrides: how each override field changes the state.

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
        return state.with_unit(event.what, own=set_figures(state.units[event.what].own, {event.field: value}))
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
