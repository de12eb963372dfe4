"""Frozen state of a battle: its differences from the opening, for storage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules.hexbattle.field import FrozenField, opened
from rules.hexbattle.field import freeze as freeze_field
from rules.hexbattle.field import thaw as thaw_field
from rules.wing_command.battle.record.entering import army_names_of, formed, leaders_of, tokens_of, units_of
from rules.wing_command.battle.record.state import (
    Aiming,
    BattleOpening,
    Clash,
    Distribution,
    Going,
    HostState,
    Unit,
    Wing,
)
from rules.wing_command.spec import BattleOptions


class FrozenBattle(NamedTuple):
    """The stored form of a state. `units`: those that differ from the opening."""

    field: FrozenField
    units: Mapping[str, Unit]
    wings: Mapping[str, Wing]
    leaders: tuple[str, ...]
    options: BattleOptions
    turn: int
    phase: str
    first: int
    side: int
    wing: str
    passed: tuple[int, ...]
    distribution: Distribution | None
    aiming: Aiming | None
    going: Going | None
    blow: Clash | None
    last: tuple[str, ...]


def state_of(opening: BattleOpening) -> HostState:
    """The state before the first event: all units in the reserve."""
    tokens = [token for wing in opening.wings for token in tokens_of(wing, opening.salt)]
    units: dict[str, Unit] = {}
    for wing in opening.wings:
        units |= units_of(wing, opening.salt)
    wings = {wing.id: formed(wing, opening.salt) for wing in opening.wings}
    armies = {wing.id: wing.side for wing in opening.wings}
    field = opened(opening.map, armies, tokens, army_names_of(opening, wings))
    return HostState(opening, field, units, wings, leaders_of(opening), opening.options)


def freeze(state: HostState) -> FrozenBattle:
    before = state_of(state.opening)
    return FrozenBattle(
        freeze_field(before.field, state.field),
        {unit: own for unit, own in state.units.items() if before.units.get(unit) != own},
        {id_: wing for id_, wing in state.wings.items() if before.wings.get(id_) != wing},
        state.leaders,
        state.options,
        state.turn,
        state.phase,
        state.first,
        state.side,
        state.wing,
        tuple(sorted(state.passed)),
        state.distribution,
        state.aiming,
        state.going,
        state.blow,
        state.last or (),
    )


def thaw(opening: BattleOpening, frozen: FrozenBattle) -> HostState:
    before = state_of(opening)
    wings = {**before.wings, **frozen.wings}
    return HostState(
        opening,
        thaw_field(before.field, frozen.field).but(army_names=army_names_of(opening, wings)),
        {**before.units, **frozen.units},
        wings,
        frozen.leaders,
        frozen.options,
        frozen.turn,
        frozen.phase,
        frozen.first,
        frozen.side,
        frozen.wing,
        frozenset(frozen.passed),
        frozen.distribution,
        frozen.aiming,
        frozen.going,
        frozen.blow,
        (frozen.last[0], frozen.last[1]) if frozen.last else None,
    )
