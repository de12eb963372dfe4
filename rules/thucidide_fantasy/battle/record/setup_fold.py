"""Fold of what is said before a battle: options, figures, traits, gifts of gods, generals, cards, victory numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.borne_traits import give_trait, take_trait
from rules.thucidide_fantasy.battle.record.roles import edit_unit, name_general
from rules.thucidide_fantasy.battle.record.state import DREAMS, FantasyState, by_side


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
"""Of every event of setup, what it changes."""
