"""Shape of a battle in the API beside the board's: the turn, its wings, and each unit's own figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rules.law import Viewer
from rules.wing_command.battle.combat import WARD_BONUS, warded
from rules.wing_command.battle.movement import pace_of
from rules.wing_command.battle.record.state import INITIATIVE, HostState, Wing
from rules.wing_command.spec import UnitFigures


def members_of(state: HostState, viewer: Viewer, units: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """`state`: the one its reader sees. `units`: as the board tells them."""
    started = state.field.started
    thrown = started and (state.turn > 1 or state.phase != INITIATIVE)
    return {
        "map_version": state.field.ground.version,
        "turn": {
            "number": state.turn,
            "limit": state.options.turn_limit,
            "phase": state.phase if started else None,
            "side": state.side if started else None,
            "active": state.wing or None,
        },
        "initiative": state.first if thrown else None,
        "wings": [_wing(state, wing) for wing in state.wings.values()],
        "units": [{**told, **_unit(state, told["unit"])} for told in units],
        "distribution": _distribution(state),
        "waits_for_report": state.blow is not None,
    }


def _wing(state: HostState, wing: Wing) -> dict[str, Any]:
    leader = wing.leader if wing.leader in state.field.tokens else ""
    return {
        "wing": wing.id,
        "army": wing.id,
        "side": wing.side,
        "name": wing.name,
        "order": wing.order or None,
        "morale": wing.morale,
        "shaken": wing.shaken,
        "leader": leader or None,
        "broken": wing.broken,
        "activated": wing.done,
    }


def _unit(state: HostState, unit: str) -> dict[str, Any]:
    own, written = state.units[unit], state.units[unit].own
    now = {
        "move": pace_of(state, unit).points,
        "melee": written.melee,
        "shot": written.shot,
        "range": written.range,
        "guard": written.guard + (WARD_BONUS if warded(state, unit) else 0),
    }
    told = {"posture": own.posture, "special_order": own.special, "activated": own.activated, "wing": own.wing}
    return {"figures": now, "own": {**_written(written, character=own.character), **told, "spell": own.spell or None}}


def _written(figures: UnitFigures, *, character: bool) -> dict[str, Any]:
    return {
        "kind": figures.kind,
        "size": "large" if figures.large else "small",
        "move": figures.move,
        "melee": figures.melee,
        "shot": figures.shot,
        "range": figures.range,
        "guard": figures.guard,
        "fly": figures.fly,
        "infiltrate": figures.infiltrate,
        "class": None if character else figures.profile,
        "profile": figures.profile if character else None,
        "ability": figures.ability or None,
        "art": figures.art or None,
        "level": figures.level or None,
        "pentacle": figures.pentacle or None,
    }


def _distribution(state: HostState) -> dict[str, Any] | None:
    open_ = state.distribution
    return {"character": open_.character, "points": open_.points} if open_ else None
