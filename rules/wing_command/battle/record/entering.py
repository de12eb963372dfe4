"""Wings entering a battle: ids and tokens of their units, and leaders. Also the battle's frozen state for storage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules.hexbattle.field import FrozenField, Token, distinct_army_names, opened, unit_ids
from rules.hexbattle.field import freeze as freeze_field
from rules.hexbattle.field import thaw as thaw_field
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
from rules.wing_command.spec import GROUND, INFILTRATING, BattleOptions, WingSpec

# Wings entering a battle: ids and tokens of their units, and leaders.


def ids_of(wing: WingSpec, salt: str) -> tuple[str, ...]:
    """The ids of its units: those stored, or else derived from the salt."""
    return wing.ids or unit_ids(wing.id, salt, len(wing.units))


def identified(wing: WingSpec, salt: str) -> WingSpec:
    """The wing with the ids of its units stored."""
    return wing._replace(ids=ids_of(wing, salt))


def tokens_of(wing: WingSpec, salt: str) -> tuple[Token, ...]:
    """The tokens of a wing, all in the reserve. Infiltrators start hidden."""
    return tuple(
        Token(id_, wing.id, wing.side, unit.name, character=unit.character, hidden=unit.figures.infiltrate)
        for id_, unit in zip(ids_of(wing, salt), wing.units, strict=True)
    )


def army_names_of(opening: BattleOpening, wings: Mapping[str, Wing]) -> dict[str, str]:
    """Army names that tell units of the same name apart."""
    return distinct_army_names([(wing.id, wing.name, wing.side) for wing in wings.values()], opening.sides)


def units_of(wing: WingSpec, salt: str) -> dict[str, Unit]:
    return {
        id_: Unit(
            wing.id, unit.figures, unit.character, unit.commander, unit.key,
            posture=INFILTRATING if unit.figures.infiltrate else GROUND,
        )
        for id_, unit in zip(ids_of(wing, salt), wing.units, strict=True)
    }  # fmt: skip


def formed(wing: WingSpec, salt: str) -> Wing:
    """The wing as it starts the battle."""
    members = ids_of(wing, salt)
    leader = next((id_ for id_, unit in zip(members, wing.units, strict=True) if unit.commander), "")
    return Wing(wing.id, wing.name, wing.side, members, wing.order, wing.morale, leader, troops=wing.troops)


def leaders_of(opening: BattleOpening) -> tuple[str, ...]:
    """The army leader of each side: the one the opening names, else by ability, then prestige, then order (C-1)."""
    found = []
    for side in range(len(opening.sides)):
        own = [wing for wing in opening.wings if wing.side == side and wing.commander]
        named = [wing for wing in own if wing.id == opening.army_leaders[side]]
        best = min(named or own, key=_precedence, default=None)
        found.append(formed(best, opening.salt).leader if best else "")
    return tuple(found)


def _precedence(wing: WingSpec) -> tuple[str, int]:
    assert wing.commander is not None
    return wing.commander.figures.ability, -wing.prestige


# Frozen state of a battle: its differences from the opening, for storage.


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
