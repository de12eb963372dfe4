"""Traits given and taken during a battle; new undead get a master (C-3, TF-5.1)."""

from __future__ import annotations

from rules.hexbattle.common import army_of
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.spec import UNDEAD, BorneTrait


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
