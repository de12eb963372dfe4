"""Traits that are given and taken in a battle; undead get a master with theirs (C-3, TF-5.1)."""

from __future__ import annotations

from rules.hexbattle.common import army_of
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.spec import UNDEAD, BorneTrait


def give_trait(state: FantasyState, piece: str, borne: BorneTrait) -> FantasyState:
    """With one trait more. Who becomes undead gets the usual master."""
    if piece in state.people:
        person = state.people[piece].own
        return state.with_person(piece, own=person._replace(traits=(*person.traits, borne)))
    unit = state.units[piece]
    master = unit.master or usual_master(state, piece) if borne.trait == UNDEAD else unit.master
    return state.with_unit(piece, own=unit.own._replace(traits=(*unit.own.traits, borne)), master=master)


def take_trait(state: FantasyState, piece: str, slug: str) -> FantasyState:
    """Without a trait of its own. Who is undead no more has no master."""
    if piece in state.people:
        person = state.people[piece].own
        kept = tuple(one for one in person.traits if one.trait != slug)
        return state.with_person(piece, own=person._replace(traits=kept))
    unit = state.units[piece]
    kept = tuple(one for one in unit.own.traits if one.trait != slug)
    return state.with_unit(piece, own=unit.own._replace(traits=kept), master="" if slug == UNDEAD else unit.master)


def usual_master(state: FantasyState, unit: str) -> str:
    """The first caster of a unit's army who is still there, else its commander; "" for nobody."""
    own = [one for one in state.people if army_of(one) == army_of(unit) and not state.token(one).gone]
    casters = [one for one in own if state.people[one].own.casts and not state.people[one].commander]
    chiefs = [one for one in own if state.people[one].commander]
    return next(iter((*casters, *chiefs)), "")
