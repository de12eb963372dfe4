"""Shape of a battle in the API beside the board's: the turn, its sides, each unit's own figures, a fight that waits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rules.law import Viewer
from rules.thucidide_fantasy.battle.paces import pace_of
from rules.thucidide_fantasy.battle.record.state import FantasyState, Person, Unit
from rules.thucidide_fantasy.spec import BorneTrait


def members_of(state: FantasyState, viewer: Viewer, units: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """`state`: the one its reader sees. `units`: as the board tells them."""
    started = state.field.started
    return {
        "map_version": state.field.ground.version,
        "turn": {
            "number": state.turn,
            "limit": state.options.turn_limit,
            "phase": state.phase if started else None,
            "side": state.side if started else None,
            "active": [unit for one in state.activations for unit in one.units],
            "activations": state.allowed if started else None,
            "share": state.share if started else None,
            "order": state.order or None,
        },
        "contingents": [_side(state, side) for side in (0, 1)],
        "units": [{**told, "own": _own(state, told["unit"])} for told in units],
        "fight": _fight(state),
    }


def _side(state: FantasyState, side: int) -> dict[str, Any]:
    general = state.generals[side]
    return {
        "side": side,
        "name": state.opening.sides[side],
        "counters": state.counters[side],
        "victory": state.victory[side] or None,
        "lost": len(state.fallen[side]),
        "general": general if general in state.field.tokens else None,
        "consents": state.consents[side],
        "sealed": state.sealed[side],
        "dreams": list(state.dreams[side]),
    }


def _own(state: FantasyState, piece: str) -> dict[str, Any]:
    told = _unit(state, state.units[piece]) if piece in state.units else _person(state.people[piece])
    pace, doing = pace_of(state, piece), state.doing(piece)
    return {
        **told,
        "move": pace.fighting,
        "calm": pace.calm,
        "activated": doing.activated,
        "fought": doing.fought,
        "announced": doing.announced,
    }


def _unit(state: FantasyState, unit: Unit) -> dict[str, Any]:
    own = unit.own
    return {
        "stands": unit.stands,
        "start": unit.start,
        "weight": own.weight,
        "assault": own.assault,
        "melee": own.melee,
        "shot": own.shot,
        "range": own.range,
        "experience": own.experience,
        "temper": own.temper or None,
        "traits": [_trait(one) for one in own.traits],
        "master": unit.master if unit.master in state.field.tokens else None,
        "turned": bool(unit.turner),
        "rank": None,
        "cards": None,
        "points": None,
    }


def _person(person: Person) -> dict[str, Any]:
    own = person.own
    return {
        "stands": person.left if own.hero else None,
        "start": person.start if own.hero else None,
        "weight": own.weight if own.hero else None,
        "assault": 0,
        "melee": own.melee,
        "shot": own.shot,
        "range": own.range,
        "experience": None,
        "temper": None,
        "traits": [_trait(one) for one in own.traits],
        "master": None,
        "turned": False,
        "rank": person.rank or None,
        "cards": list(person.cards) or None,
        "points": person.points or None,
    }


def _trait(one: BorneTrait) -> dict[str, Any]:
    return {"trait": one.trait, "object": one.object or None}


def _fight(state: FantasyState) -> dict[str, Any] | None:
    """What waits, and for whom. Of whom the reader doesn't see nothing is said."""
    fight = state.fight
    if fight is None:
        return None
    known = state.field.tokens
    throw = fight.todo[0].throw if fight.todo else None
    return {
        "attacker": fight.attacker if fight.attacker in known else None,
        "target": fight.target if fight.target in known else None,
        "asks": fight.asks,
        "side": fight.side if fight.side >= 0 else None,
        "dice": throw.dice if throw else None,
    }
